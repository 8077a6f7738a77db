import SceneModel

/// One number of a curve whose time runs evenly along every piece: the cubics that glTF has.
struct CurvePieces {
    /// Seconds, increasing.
    private(set) var times: [Float] = []
    private var exactTimes: [Double] = []
    private var values: [Double] = []
    /// Between a key and the next: the two control values.
    private var controls: [SIMD2<Double>] = []

    /// What a number does at one time.
    struct Moment {
        var value: Double
        /// Per second, before and after.
        var arriving: Double
        var leaving: Double
    }

    /// - Returns: `nil` unless all of them are such, and some piece is no straight line.
    static func all(of numbers: [CurveNumber], _ keys: [ClosedRange<Int>], offset: Double) -> [CurvePieces]? {
        var list: [CurvePieces] = []
        var isCurved = false
        for (place, number) in numbers.enumerated() {
            guard let pieces = CurvePieces(number, keys[place], offset, &isCurved) else { return nil }
            list.append(pieces)
        }
        return isCurved ? list : nil
    }

    private init?(_ number: CurveNumber, _ keys: ClosedRange<Int>, _ offset: Double, _ isCurved: inout Bool) {
        let curve = number.curve
        for key in keys {
            let (time, value) = (curve.times[key] - offset, curve.value(ofKey: key, number.component))
            guard value.isFinite, times.last.map({ $0 < Float(time) }) ?? true else { return nil }
            times.append(Float(time))
            exactTimes.append(time)
            values.append(value)
        }
        for key in keys.dropLast() {
            guard let piece = curve.piece(number.component, after: key), piece.isEven else { return nil }
            let (start, end) = (values[key - keys.lowerBound], values[key + 1 - keys.lowerBound])
            switch piece {
            case .step: return nil
            case .line: controls.append(SIMD2(start + (end - start) / 3, end - (end - start) / 3))
            case .cubic(times: _, let values):
                isCurved = true
                controls.append(values)
            }
        }
    }

    func moment(at time: Float) -> Moment {
        guard let first = values.first, let last = values.last else { return Moment(value: 0, arriving: 0, leaving: 0) }
        var (low, high) = (0, times.count)
        while low < high {
            let middle = low + (high - low) / 2
            if times[middle] <= time { low = middle + 1 } else { high = middle }
        }
        let key = low - 1
        guard key >= 0 else { return Moment(value: first, arriving: 0, leaving: 0) }
        if times[key] == time {
            return Moment(
                value: values[key], arriving: key > 0 ? slope(key - 1, at: 1) : 0,
                leaving: key < controls.count ? slope(key, at: 0) : 0)
        }
        guard key < controls.count else { return Moment(value: last, arriving: 0, leaving: 0) }
        let share = (Double(time) - exactTimes[key]) / (exactTimes[key + 1] - exactTimes[key])
        let arc = CurveArc(times: .zero, values: SIMD4(values[key], controls[key], values[key + 1]), depth: 0)
        let slope = slope(key, at: share)
        return Moment(value: arc.parts(at: share).first.values.w, arriving: slope, leaving: slope)
    }

    /// Per second.
    private func slope(_ key: Int, at share: Double) -> Double {
        let (first, second) = (controls[key].x - values[key], controls[key].y - controls[key].x)
        let third = values[key + 1] - controls[key].y
        let rest = 1 - share
        return 3 * (first * rest * rest + 2 * second * rest * share + third * share * share)
            / (exactTimes[key + 1] - exactTimes[key])
    }
}

extension SIMD4<Double> {
    fileprivate init(_ first: Double, _ middle: SIMD2<Double>, _ last: Double) {
        self.init(first, middle.x, middle.y, last)
    }
}
