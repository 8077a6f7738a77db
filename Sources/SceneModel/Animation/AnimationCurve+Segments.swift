// Each kind of segment as a Bézier curve in time and value, after COLLADA 1.4.1 and 1.5.0, "Curve Interpolation".

extension AnimationCurve {
    private func point(_ key: Int, _ component: Int) -> CubicSegment.Point { (times[key], number(key, component)) }

    /// The outgoing tangent is the first control point, the incoming one of the next key is the second.
    func bezier(_ component: Int, after key: Int) -> CubicSegment? {
        guard let outgoing, let incoming else { return nil }
        let (start, end) = (point(key, component), point(key + 1, component))
        let (first, second) = (
            outgoing.tangent(key: key, component: component), incoming.tangent(key: key + 1, component: component)
        )
        let leaving: CubicSegment.Handle =
            switch (first.time, oneDimensional) {
            case (let time?, _): (time - start.time, first.value - start.value)
            case (nil, .controlValues): (nil, first.value - start.value)
            case (nil, .distances): (nil, first.value)
            }
        let arriving: CubicSegment.Handle =
            switch (second.time, oneDimensional) {
            case (let time?, _): (end.time - time, end.value - second.value)
            case (nil, .controlValues): (nil, end.value - second.value)
            case (nil, .distances): (nil, second.value)
            }
        return CubicSegment(from: start, leaving, arriving, to: end)
    }

    /// A Hermite tangent is three times the way to the control point that it stands for.
    func hermite(_ component: Int, after key: Int) -> CubicSegment? {
        guard let outgoing, let incoming else { return nil }
        let first = outgoing.tangent(key: key, component: component)
        let second = incoming.tangent(key: key + 1, component: component)
        return CubicSegment(
            from: point(key, component), (first.time.map { $0 / 3 }, first.value / 3),
            (second.time.map { $0 / 3 }, second.value / 3), to: point(key + 1, component))
    }

    /// A Hermite curve whose tangent at a key is half the way from the key before to the key after (tension 0);
    /// before the first and after the last key stands the mirror image of the next one.
    func cardinal(_ component: Int, after key: Int) -> CubicSegment {
        let (first, second) = (cardinalHandle(component, at: key), cardinalHandle(component, at: key + 1))
        return CubicSegment(from: point(key, component), first, second, to: point(key + 1, component))
    }

    private func cardinalHandle(_ component: Int, at key: Int) -> CubicSegment.Handle {
        let (left, right) = (Swift.max(0, key - 1), Swift.min(times.count - 1, key + 1))
        let part = left < key && key < right ? 6.0 : 3.0
        return (
            (times[right] - times[left]) / part, (number(right, component) - number(left, component)) / part
        )
    }

    /// One piece of the uniform cubic B-spline over a run of BSPLINE segments. Past the run's ends stand mirror images,
    /// so it begins and ends in keys and joins what is beside it.
    func spline(_ component: Int, after key: Int) -> CubicSegment {
        let (start, end) = (point(key, component), point(key + 1, component))
        let times = splineEnds(key, times[key], times[key + 1]) { self.times[$0] }
        let values = splineEnds(key, start.value, end.value) { number($0, component) }
        // Control points are at the thirds of the keys' chord.
        let (third, thirdTime) = ((end.value - start.value) / 3, (end.time - start.time) / 3)
        return CubicSegment(
            from: (times.start, values.start),
            (start.time - times.start + thirdTime, start.value - values.start + third),
            (times.end - end.time + thirdTime, values.end - end.value + third), to: (times.end, values.end))
    }

    /// Where a piece of the spline begins and ends, in time or in one component.
    private func splineEnds(
        _ key: Int, _ start: Double, _ end: Double, _ number: (Int) -> Double
    ) -> (start: Double, end: Double) {
        var ends = (start: start, end: end)
        if key > 0 && interpolations[key - 1] == .bspline {
            ends.start += ((number(key - 1) - start) + (end - start)) / 6
        }
        if key + 2 < times.count && interpolations[key + 1] == .bspline {
            ends.end += ((start - end) + (number(key + 2) - end)) / 6
        }
        return ends
    }

    /// The piece of the spline that a time between two keys falls on: where keys are uneven, its joints are not at them.
    func splineSegment(at time: Double, near key: Int) -> Int {
        let joints = splineEnds(key, times[key], times[key + 1]) { times[$0] }
        if time < joints.start { return key - 1 }
        if time > joints.end && key + 2 < times.count { return key + 1 }
        return key
    }
}
