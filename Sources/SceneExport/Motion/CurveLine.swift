// A cubic is halved in its own parameter, not in time: there it is flat soon, however steep it stands, and nothing has to
// be solved. How far a half can be from its chord is known from its control points.

import SceneModel

/// Straight lines from key to key that follow one number of a curve.
struct CurveLine {
    /// Seconds, increasing.
    private(set) var times: [Float] = []
    private(set) var values: [Double] = []
    /// The largest distance that was left to the curve.
    private(set) var deviation = 0.0
    /// Keys that the document does not have.
    private(set) var added = 0

    /// Whether the document's lines are not all that is followed: keys were added, or a curve is further off than it may be.
    var isSampled: Bool { added > 0 || deviation > tolerance }

    private let tolerance: Double
    private let offset: Double
    private let leastSpan: Double

    /// Halvings of the way between two of the document's keys.
    private static var depthLimit: Int { 10 }
    /// Keys that may be added; what is beyond keeps the document's own.
    private static var keyLimit: Int { 1 << 20 }

    /// - Parameter keys: Those that count, in the curve's order; not empty.
    /// - Returns: `nil` for a curve that has no shape between some of them.
    init?(_ number: CurveNumber, keys: ClosedRange<Int>, in span: TrackSpan, tolerance: Double) {
        self.tolerance = tolerance
        offset = span.offset
        leastSpan = span.leastSpan
        let curve = number.curve
        let first = curve.value(ofKey: keys.lowerBound, number.component)
        guard first.isFinite else { return nil }
        times.append(Float(curve.times[keys.lowerBound] - offset))
        values.append(first)
        times.reserveCapacity(keys.count)
        values.reserveCapacity(keys.count)
        for key in keys.dropLast() {
            let (start, end) = (
                curve.value(ofKey: key, number.component), curve.value(ofKey: key + 1, number.component)
            )
            guard end.isFinite else { return nil }
            let last = Float(curve.times[key + 1] - offset)
            guard let time = times.last, last > time else {
                jump(to: end, from: start, at: last)
                continue
            }
            guard let piece = curve.piece(number.component, after: key) else { return nil }
            switch piece {
            case .step:
                if start != end { hold(start, until: last) }
            case .line: break
            case .cubic(let shares, let controls):
                let (from, span) = (curve.times[key] - offset, curve.times[key + 1] - curve.times[key])
                halve(
                    CurveArc(
                        times: SIMD4(from, from + shares.x * span, from + shares.y * span, from + span),
                        values: SIMD4(start, controls.x, controls.y, end), depth: 0), until: last)
            }
            times.append(last)
            values.append(end)
        }
    }

    /// Two keys of one moment: what holds before it stays until just before.
    private mutating func jump(to end: Double, from start: Double, at time: Float) {
        let before = time.nextDown
        if start != end, times.count > 1, before > times[times.count - 2] {
            times[times.count - 1] = before
            times.append(time)
            values.append(end)
        } else {
            values[values.count - 1] = end
        }
    }

    private mutating func hold(_ value: Double, until time: Float) {
        guard let last = times.last, time.nextDown > last else { return }
        times.append(time.nextDown)
        values.append(value)
    }

    /// Appends the keys within an arc, not that of its end.
    private mutating func halve(_ whole: CurveArc, until end: Float) {
        var rest = [whole]
        while let arc = rest.popLast() {
            let span = arc.times.w - arc.times.x
            let bound = arc.distanceFromChord
            // Between neighbours among the file's times there is nothing to see.
            let isSeen = Float(arc.times.w) > Float(arc.times.x).nextUp
            if bound > tolerance, isSeen, span > 2 * leastSpan, arc.depth < Self.depthLimit, added < Self.keyLimit {
                let halves = leastSpan > 0 ? arc.parts(at: arc.middleInTime) : arc.parts(at: 0.5)
                rest.append(halves.second)
                rest.append(halves.first)
                continue
            }
            if bound.isFinite, isSeen { deviation = max(deviation, arc.largestDistanceFromChord) }
            let time = Float(arc.times.w)
            if let last = times.last, time > last, time < end {
                times.append(time)
                values.append(arc.values.w)
                added += 1
            }
        }
    }
}

/// A piece of a Bézier curve in time and value.
struct CurveArc {
    /// Of the four control points, never decreasing from the first to the last.
    var times: SIMD4<Double>
    var values: SIMD4<Double>
    var depth: Int

    /// How far the value is from the straight way between the ends at most: of a cubic that is 0 at both of them, three
    /// quarters of the larger control value.
    var distanceFromChord: Double {
        let span = times.w - times.x
        let slope = span > 0 ? (values.w - values.x) / span : 0
        let first = abs(values.y - values.x - slope * (times.y - times.x))
        let second = abs(values.w - values.z - slope * (times.w - times.z))
        return 0.75 * max(first, second)
    }

    /// How far the value really comes from the straight way between the ends.
    ///
    /// In the curve's own parameter t that distance is 3 t (1 − t) ((1 − t) a + t b), whose derivative has two roots.
    var largestDistanceFromChord: Double {
        let span = times.w - times.x
        let slope = span > 0 ? (values.w - values.x) / span : 0
        let a = values.y - values.x - slope * (times.y - times.x)
        let b = values.z - values.w - slope * (times.z - times.w)
        let root = (a * a - a * b + b * b).squareRoot()
        var largest = 0.0
        // Each root in two forms: where a is 0, or b is a, one of them is no number.
        func look(_ share: Double) {
            guard share > 0, share < 1 else { return }
            largest = max(largest, abs(3 * share * (1 - share) * ((1 - share) * a + share * b)))
        }
        look(a / (2 * a - b + root))
        look(a / (2 * a - b - root))
        look((2 * a - b + root) / (3 * (a - b)))
        look((2 * a - b - root) / (3 * (a - b)))
        return min(largest, distanceFromChord)
    }

    /// Where half of its time has gone.
    var middleInTime: Double {
        let middle = (times.x + times.w) / 2
        var (low, high) = (0.0, 1.0)
        for _ in 0..<30 {
            let share = (low + high) / 2
            if parts(at: share).first.times.w < middle { low = share } else { high = share }
        }
        return (low + high) / 2
    }

    /// - Source: de Casteljau.
    func parts(at share: Double) -> (first: CurveArc, second: CurveArc) {
        let (time, value) = (Self.cut(times, share), Self.cut(values, share))
        return (
            CurveArc(times: time.first, values: value.first, depth: depth + 1),
            CurveArc(times: time.second, values: value.second, depth: depth + 1)
        )
    }

    private static func cut(_ p: SIMD4<Double>, _ share: Double) -> (first: SIMD4<Double>, second: SIMD4<Double>) {
        let (a, b, c) = (p.x + (p.y - p.x) * share, p.y + (p.z - p.y) * share, p.z + (p.w - p.z) * share)
        let (d, e) = (a + (b - a) * share, b + (c - b) * share)
        let middle = d + (e - d) * share
        return (SIMD4(p.x, a, d, middle), SIMD4(middle, e, c, p.w))
    }
}
