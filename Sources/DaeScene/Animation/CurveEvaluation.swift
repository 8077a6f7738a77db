import DaeCore

extension AnimationCurve {
    /// Writes the value at `time`, in seconds, into `output` from index `start` on: ``width`` numbers, or as many as
    /// there is room for.
    ///
    /// A key's own time gives the key's own value, bit for bit, but inside a B-spline. A curve without keys writes
    /// nothing; at NaN the value is NaN. Values are interpolated number by number, those of a matrix too.
    ///
    /// - Complexity: O(log keys + width); allocates nothing.
    package func value(at time: Double, into output: inout [Double], from start: Int = 0) {
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

extension AnimationCurve {
    /// Where in the curve a time leads to.
    enum Place: Sendable, Hashable {
        case key(Int)
        /// Between a key and the next, at a time of the curve.
        case segment(Int, time: Double)
        /// On the line through two keys, `by` seconds past the first of them.
        case line(from: Int, other: Int, by: Double)
    }

    /// A place, and how often the curve's whole rise has to be added to what is found there.
    struct Moment: Sendable, Hashable {
        var place: Place
        var rises = 0.0
    }

    /// `nil` for a curve without keys and for NaN.
    func moment(at time: Double) -> Moment? {
        guard let first = times.first, let last = times.last, !time.isNaN else { return nil }
        if time < first { return outside(time, before, nearest: 0, inner: 1) }
        if time > last { return outside(time, after, nearest: times.count - 1, inner: times.count - 2) }
        return Moment(place: place(at: time))
    }

    private func outside(_ time: Double, _ behavior: AnimationBehavior, nearest: Int, inner: Int) -> Moment {
        let held = Moment(place: .key(nearest))
        guard let first = times.first, let last = times.last, first < last, time.isFinite, (last - first).isFinite
        else { return held }
        let span = last - first
        switch behavior {
        case .undefined, .constant:
            return held
        case .gradient:
            return times[nearest] == times[inner]
                ? held : Moment(place: .line(from: nearest, other: inner, by: time - times[nearest]))
        case .cycle:
            return Moment(place: place(at: first + wrapped(time - first, span)))
        case .cycleRelative:
            let into = wrapped(time - first, span)
            return Moment(place: place(at: first + into), rises: (((time - first) - into) / span).rounded())
        case .oscillate:
            // A period of both ways may be more than a number can hold; its half is not.
            let into = 2 * wrapped((time - first) / 2, span)
            return Moment(place: place(at: into > span ? last - (into - span) : first + into))
        }
    }

    /// `time` less as many spans as fit: at least 0, less than `span`.
    private func wrapped(_ time: Double, _ span: Double) -> Double {
        let rest = fmod(time, span)
        if !rest.isFinite { return 0 }
        let positive = rest < 0 ? rest + span : rest
        return positive < span ? positive : 0
    }

    /// `time` is in the curve's range, or past it by a rounding.
    private func place(at time: Double) -> Place {
        var low = 0
        var high = times.count
        while low < high {
            let middle = low + (high - low) / 2
            if times[middle] <= time { low = middle + 1 } else { high = middle }
        }
        let key = low - 1
        if key < 0 { return .key(0) }
        if key >= times.count - 1 { return .key(times.count - 1) }
        if times[key] == time && !isInsideSpline(key) { return .key(key) }
        return .segment(key, time: time)
    }

    /// Whether the segments on both sides of a key are of one B-spline, which then passes it by.
    private func isInsideSpline(_ key: Int) -> Bool {
        key > 0 && interpolations[key] == .bspline && interpolations[key - 1] == .bspline
    }
}

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

// Who writes a curve in other terms needs its shape between keys, not only its values.

/// One component of a curve between two keys.
package enum CurvePiece: Sendable, Equatable {
    /// The first key's value until the second.
    case step
    /// Straight from one key to the other.
    case line
    /// A Bézier curve in time and value: its two control times as shares of the way, 0...1, and its control values.
    case cubic(times: SIMD2<Double>, values: SIMD2<Double>)

    /// Whether time runs evenly along it, so that the value is a cubic of the time.
    package var isEven: Bool {
        switch self {
        case .step: false
        case .line: true
        case .cubic(let times, values: _): abs(times.x - 1.0 / 3) < 1e-9 && abs(times.y - 2.0 / 3) < 1e-9
        }
    }
}

extension AnimationCurve {
    /// The shape of a component from one key to the next; `nil` for a B-spline, whose joints are not at the keys, and
    /// for a curve whose tangents are no numbers.
    ///
    /// - Parameter key: Any but the last.
    package func piece(_ component: Int, after key: Int) -> CurvePiece? {
        let segment: CubicSegment?
        switch interpolations[key] {
        case .step: return .step
        case .linear: return .line
        case .bezier: segment = bezier(component, after: key)
        case .hermite: segment = hermite(component, after: key)
        case .cardinal: segment = cardinal(component, after: key)
        case .bspline: return nil
        }
        guard let controls = segment?.controls, controls.values.x.isFinite, controls.values.y.isFinite else {
            return nil
        }
        return .cubic(times: controls.times, values: controls.values)
    }

    /// One number of a key's value.
    package func value(ofKey key: Int, _ component: Int) -> Double { number(key, component) }
}

/// One component of a curve between two keys as a Bézier curve in the plane of time and value.
///
/// BEZIER, HERMITE, CARDINAL and BSPLINE all become one; so they share how time is solved.
struct CubicSegment: Sendable {
    typealias Point = (time: Double, value: Double)

    /// From a key to its control point, forwards for the outgoing side and backwards for the incoming one.
    ///
    /// Without a time (or with one that is no number) it is a third of the segment long.
    typealias Handle = (time: Double?, value: Double)

    private let start: Point
    private let end: Point
    private let ease: TimeEase
    private let outgoing: Double
    private let incoming: Double

    /// - Parameter incoming: From its control point to `end`.
    ///
    /// A handle that would make time run backwards is bent to one that does not: one longer than the segment is
    /// shortened along its own direction, which keeps the slope at the key; one that points away stands upright.
    init(from start: Point, _ outgoing: Handle, _ incoming: Handle, to end: Point) {
        self.start = start
        self.end = end
        let span = end.time - start.time
        let first = Self.tamed(outgoing, span)
        let second = Self.tamed(incoming, span)
        self.outgoing = first.value
        self.incoming = second.value
        ease =
            first.share == nil && second.share == nil
            ? .even : TimeEase(first: first.share ?? 1.0 / 3, second: 1 - (second.share ?? 1.0 / 3))
    }

    private static func tamed(_ handle: Handle, _ span: Double) -> (share: Double?, value: Double) {
        guard let time = handle.time, time.isFinite, span > 0 else { return (nil, handle.value) }
        if time > span { return (1, handle.value * (span / time)) }
        return (Swift.max(0, time / span), handle.value)
    }

    /// The control points between the ends: their times as shares of the way, and their values.
    var controls: (times: SIMD2<Double>, values: SIMD2<Double>) {
        (SIMD2(ease.first, ease.second), SIMD2(start.value + outgoing, end.value - incoming))
    }

    func value(at time: Double) -> Double {
        let parameter = ease.parameter(at: Self.share(of: time, from: start.time, to: end.time)).value
        if parameter <= 0 { return start.value }
        if parameter >= 1 { return end.value }
        let rest = 1 - parameter
        let whole = end.value - start.value
        // Relative to the start, so that a flat curve is flat to the last bit.
        return start.value
            + (3 * outgoing * rest * rest + (3 * (whole - incoming) * rest + whole * parameter) * parameter) * parameter
    }

    /// Where `time` lies from `start` (0) to `end` (1); 1 when there is nothing between them.
    static func share(of time: Double, from start: Double, to end: Double) -> Double {
        let span = end - start
        if span.isFinite { return span > 0 ? (time - start) / span : 1 }
        return (time / 2 - start / 2) / (end / 2 - start / 2)
    }
}

/// How time runs along one cubic segment: the Bézier curve from 0 to 1 with two control times between.
///
/// With both in 0...1 it never runs backwards, so each time has one parameter.
struct TimeEase: Sendable, Hashable {
    let first: Double
    let second: Double

    /// Control times at the thirds: the parameter is the time.
    static let even = TimeEase(first: 1.0 / 3, second: 2.0 / 3)

    /// Newton's method has this many steps; most times need five or six.
    private static let newtonSteps = 10
    /// 62 halvings run through every number from 0 to 1.
    static let stepLimit = newtonSteps + 64

    func time(at parameter: Double) -> Double {
        (((1 - 3 * second + 3 * first) * parameter + 3 * second - 6 * first) * parameter + 3 * first) * parameter
    }

    /// The parameter at which the segment reaches `time`, and the steps it took; NaN for NaN.
    ///
    /// Newton's method inside a bracket, which is halved where a step would leave it. After too many steps the numbers
    /// in it are halved by their count, not by their distance: so the tiniest parameter is found as fast as any.
    func parameter(at time: Double) -> (value: Double, steps: Int) {
        if self == Self.even || time.isNaN { return (time, 0) }
        if time <= 0 { return (0, 0) }
        if time >= 1 { return (1, 0) }
        let cubic = 1 - 3 * second + 3 * first
        let square = 3 * second - 6 * first
        let linear = 3 * first
        var low = 0.0
        var high = 1.0
        var guess = time
        for step in 1...Self.stepLimit {
            let miss = ((cubic * guess + square) * guess + linear) * guess - time
            // Nearer than this the sum above is rounding, and steps lead nowhere.
            if abs(miss) <= time.ulp { return (guess, step) }
            if miss < 0 { low = guess } else { high = guess }
            let slope = (3 * cubic * guess + 2 * square) * guess + linear
            var next = guess - miss / slope
            if step > Self.newtonSteps {
                next = Double(bitPattern: low.bitPattern + (high.bitPattern - low.bitPattern) / 2)
            } else if !(next > low && next < high) {
                next = low + (high - low) / 2
            }
            if next <= low || next >= high || abs(next - guess) <= guess.ulp / 2 { return (next, step) }
            guess = next
        }
        return (guess, Self.stepLimit)
    }
}
