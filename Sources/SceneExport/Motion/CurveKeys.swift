// Each number is followed on its own. Where one has a key and another has none, the other's is on the straight way (or
// the cubic) between its neighbours: so nothing is further off than before.

import SceneModel

/// Keys that several numbers have in common.
struct CurveKeys {
    let interpolation: ExportTrack.Interpolation
    /// Seconds, increasing.
    private(set) var times: [Float] = []
    /// A row of numbers a key; of a cubic three: how fast the numbers came, the numbers, how fast they leave.
    private(set) var rows: [Double] = []
    /// How far each number is off at most.
    private(set) var deviations: [Double]
    /// Whether curves became straight lines: by keys that the document does not have, or for want of them.
    private(set) var isSampled = false  // a finding about the curves

    /// - Parameters:
    ///   - tolerances: One a number: how far it may be off between keys.
    ///   - mayCurve: Whether cubics may be written as such.
    /// - Returns: `nil` where a curve has no shape that can be followed by its control points.
    init?(_ numbers: [CurveNumber], in span: TrackSpan, tolerances: [Double], mayCurve: Bool = true) {
        deviations = [Double](repeating: 0, count: numbers.count)
        var keys: [ClosedRange<Int>] = []
        for number in numbers {
            guard let needed = number.keys(in: span.range) else { return nil }
            keys.append(needed)
        }
        if mayCurve, let pieces = CurvePieces.all(of: numbers, keys, offset: span.offset) {
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
