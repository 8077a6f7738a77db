extension AnimationCurve {
    /// Writes the value at `time`, in seconds, into `output` from index `start` on: ``width`` numbers, or as many as
    /// there is room for.
    ///
    /// A key's own time gives the key's own value, bit for bit, but inside a B-spline. A curve without keys writes
    /// nothing; at NaN the value is NaN. Values are interpolated number by number, those of a matrix too.
    ///
    /// - Complexity: O(log keys + width); allocates nothing.
    public func value(at time: Double, into output: inout [Double], from start: Int = 0) {
        guard !times.isEmpty, start >= 0, start < output.count else { return }
        let count = Swift.min(width, output.count - start)
        guard let moment = moment(at: time) else {
            for component in 0..<count { output[start + component] = .nan }
            return
        }
        for component in 0..<count { output[start + component] = value(component, at: moment) }
    }

    /// The value at `time`, in seconds: ``width`` numbers, or none for a curve without keys.
    public func value(at time: Double) -> [Double] {
        var output = [Double](repeating: 0, count: times.isEmpty ? 0 : width)
        value(at: time, into: &output)
        return output
    }

    private func value(_ component: Int, at moment: Moment) -> Double {
        let value = value(component, at: moment.place)
        if moment.rises == 0 { return value }
        return value + moment.rises * (number(times.count - 1, component) - number(0, component))
    }

    private func value(_ component: Int, at place: Place) -> Double {
        switch place {
        case .key(let key):
            return number(key, component)
        case .line(let key, let other, let distance):
            let rise = number(other, component) - number(key, component)
            return rise == 0
                ? number(key, component)
                : number(key, component) + rise / (times[other] - times[key]) * distance
        case .segment(let key, let time):
            return segmentValue(component, after: key, at: time)
        }
    }

    private func segmentValue(_ component: Int, after key: Int, at time: Double) -> Double {
        switch interpolations[key] {
        case .step: number(key, component)
        case .linear: linear(component, after: key, at: time)
        case .bezier: bezier(component, after: key)?.value(at: time) ?? .nan
        case .hermite: hermite(component, after: key)?.value(at: time) ?? .nan
        case .cardinal: cardinal(component, after: key).value(at: time)
        case .bspline: spline(component, after: splineSegment(at: time, near: key)).value(at: time)
        }
    }

    private func linear(_ component: Int, after key: Int, at time: Double) -> Double {
        let start = number(key, component)
        let rise = number(key + 1, component) - start
        let share = CubicSegment.share(of: time, from: times[key], to: times[key + 1])
        return rise.isFinite ? start + rise * share : start * (1 - share) + number(key + 1, component) * share
    }

    func number(_ key: Int, _ component: Int) -> Double { values[key * width + component] }
}
