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
