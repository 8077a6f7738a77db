// A cubic is halved in its own parameter, not in time: there it is flat soon, however steep it stands, and nothing has to
// be solved. How far a half can be from its chord is known from its control points.

import DaeScene

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
            // Between neighbouring times of 32 bits there is nothing to see.
            let isSeen = Float(arc.times.w) > Float(arc.times.x).nextUp
            if bound > tolerance, isSeen, span > 2 * leastSpan, arc.depth < TrackSpan.depthLimit,
                added < TrackSpan.keyLimit
            {
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

// Each number is followed on its own. Where one has a key and another has none, the other's is on the straight way (or
// the cubic) between its neighbours: so nothing is further off than before.

/// Keys that several numbers have in common.
struct CurveKeys {
    let interpolation: PreparedTrack.Interpolation
    /// Seconds, increasing.
    private(set) var times: [Float] = []
    /// A row of numbers a key; of a cubic three: how fast the numbers came, the numbers, how fast they leave.
    private(set) var rows: [Double] = []
    /// How far each number is off at most.
    private(set) var deviations: [Double]
    /// Whether curves became straight lines: by keys that the document does not have, or for want of them.
    private(set) var isSampled = false

    /// - Parameters:
    ///   - tolerances: One a number: how far it may be off between keys.
    ///   - mayCurve: Whether cubics may stay such where the format has them.
    /// - Returns: `nil` where a curve has no shape that can be followed by its control points.
    init?(_ numbers: [CurveNumber], in span: TrackSpan, tolerances: [Double], mayCurve: Bool = true) {
        deviations = [Double](repeating: 0, count: numbers.count)
        var keys: [ClosedRange<Int>] = []
        for number in numbers {
            guard let needed = number.keys(in: span.range) else { return nil }
            keys.append(needed)
        }
        if mayCurve, span.curves == .cubic, let pieces = CurvePieces.all(of: numbers, keys, offset: span.offset) {
            interpolation = .cubic
            guard join(pieces, span) else { return nil }
            return
        }
        interpolation = .linear
        var lines: [CurveLine] = []
        for (place, number) in numbers.enumerated() {
            guard let line = CurveLine(number, keys: keys[place], in: span, tolerance: tolerances[place]) else {
                return nil
            }
            // Those that were added cost time and, until all are joined, memory.
            guard span.budget.evaluate(line.times.count / 8) else { return nil }
            deviations[place] = line.deviation
            if line.isSampled { isSampled = true }
            lines.append(line)
        }
        guard join(lines, span) else { return nil }
    }

    /// - Returns: Whether there may be so many numbers.
    private mutating func join(_ lines: [CurveLine], _ span: TrackSpan) -> Bool {
        var cursors = [Int](repeating: 0, count: lines.count)
        times = Self.times(of: lines.map(\.times), in: span)
        guard span.budget.evaluate(times.count, cost: lines.count) else { return false }
        rows.reserveCapacity(times.count * lines.count)
        for time in times {
            for (place, line) in lines.enumerated() { rows.append(line.value(at: time, from: &cursors[place])) }
        }
        return true
    }

    private mutating func join(_ pieces: [CurvePieces], _ span: TrackSpan) -> Bool {
        times = Self.times(of: pieces.map(\.times), in: span)
        guard span.budget.evaluate(times.count, cost: pieces.count) else { return false }
        for time in times {
            let moments = pieces.map { $0.moment(at: time) }
            rows += moments.map(\.arriving)
            rows += moments.map(\.value)
            rows += moments.map(\.leaving)
        }
        return true
    }

    /// The ends of the range, and between them every time that stands in one of the lists.
    private static func times(of lists: [[Float]], in span: TrackSpan) -> [Float] {
        let ends = span.ends
        var times: [Float] = []
        var cursors = [Int](repeating: 0, count: lists.count)
        var time = ends.first
        while true {
            times.append(time)
            guard time < ends.last else { return times }
            var next = ends.last
            for (place, list) in lists.enumerated() {
                while cursors[place] < list.count, list[cursors[place]] <= time { cursors[place] += 1 }
                if cursors[place] < list.count { next = min(next, list[cursors[place]]) }
            }
            time = next
        }
    }
}

extension CurveLine {
    /// - Parameter cursor: Where the last time was found; times come in order.
    func value(at time: Float, from cursor: inout Int) -> Double {
        while cursor + 1 < times.count, times[cursor + 1] <= time { cursor += 1 }
        guard cursor + 1 < times.count, time > times[cursor] else { return values[cursor] }
        let share = Double(time - times[cursor]) / Double(times[cursor + 1] - times[cursor])
        return values[cursor] + (values[cursor + 1] - values[cursor]) * share
    }
}

/// One number of an animation curve.
struct CurveNumber {
    let curve: AnimationCurve
    let component: Int

    /// `nil` where it is not the same all the time.
    var constant: Double? {
        guard !curve.times.isEmpty else { return nil }
        let first = curve.value(ofKey: 0, component)
        for key in curve.times.indices.dropLast() {
            guard curve.value(ofKey: key + 1, component) == first else { return nil }
            switch curve.piece(component, after: key) {
            case .step, .line: break
            case .cubic(times: _, let values):
                guard values == SIMD2(repeating: first) else { return nil }
            case nil: return nil
            }
        }
        return first
    }

    /// The keys that a time range needs; `nil` where what lies beyond the keys is no constant, and is asked for.
    func keys(in range: ClosedRange<Double>) -> ClosedRange<Int>? {
        let times = curve.times
        guard let first = times.first, let last = times.last else { return nil }
        guard range.lowerBound >= first || curve.before.isConstant, range.upperBound <= last || curve.after.isConstant
        else { return nil }
        let start = max(0, Self.place(of: range.lowerBound, in: times, orLater: false) - 1)
        let end = min(times.count - 1, Self.place(of: range.upperBound, in: times, orLater: true))
        return min(start, end)...max(start, end)
    }

    /// How many times are before `time`, or at it too.
    private static func place(of time: Double, in times: NumberArray<Double>, orLater: Bool) -> Int {
        var (low, high) = (0, times.count)
        while low < high {
            let middle = low + (high - low) / 2
            if orLater ? times[middle] < time : times[middle] <= time { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension AnimationCurve {
    /// Whether it moves on beyond its keys.
    var goesOn: Bool { !before.isConstant || !after.isConstant }
}

extension AnimationBehavior {
    /// Whether the nearest key's value holds.
    fileprivate var isConstant: Bool {
        switch self {
        case .undefined, .constant: true
        case .gradient, .cycle, .oscillate, .cycleRelative: false
        }
    }
}

/// One number of a curve whose time runs evenly along every piece: the cubics that ``ExportConventions/Curves`` names.
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
