// Keys are added between two where the straight way between them leaves the curve by more than the tolerance; a
// midpoint alone would not see a whole turn, so three uneven places are looked at.

import DaeScene

/// Finds the keys by which straight lines follow a curve.
struct KeySampler<Value> {
    let value: (Double) -> Value
    /// How far two values are apart.
    let distance: (Value, Value) -> Double
    /// A share of the way from one value to another, as engines go it.
    let between: (Value, Value, Double) -> Value
    let tolerance: Double
    /// Between two keys that are added.
    let leastSpan: Double
    /// Whether so many more values may be asked for; nobody wants the keys once it says no.
    let mayEvaluate: (Int) -> Bool

    /// The largest distance that was left.
    private(set) var deviation = 0.0
    /// Keys that were added.
    private(set) var added = 0

    /// Whether the straight lines between the keys at hand are not all that is followed.
    var isSampled: Bool { added > 0 || deviation > tolerance }

    private static var probes: [Double] { [0.5, 0.23, 0.71] }
    /// Places at which it is looked how far off a line is that has to do.
    private static var finalProbes: Int { 32 }

    init(
        tolerance: Double, leastSpan: Double = 0, mayEvaluate: @escaping (Int) -> Bool = { _ in true },
        value: @escaping (Double) -> Value,
        distance: @escaping (Value, Value) -> Double,
        between: @escaping (Value, Value, Double) -> Value
    ) {
        self.tolerance = tolerance
        self.leastSpan = leastSpan
        self.mayEvaluate = mayEvaluate
        self.value = value
        self.distance = distance
        self.between = between
    }

    /// - Parameter times: Where keys are in any case, ascending.
    mutating func keys(at times: [Double]) -> [(time: Double, value: Value)] {
        guard let first = times.first else { return [] }
        var keys: [(time: Double, value: Value)] = [(first, value(first))]
        for time in times.dropFirst() {
            guard mayEvaluate(2) else { break }
            follow(to: time, &keys)
        }
        return keys
    }

    private mutating func follow(to time: Double, _ keys: inout [(time: Double, value: Value)]) {
        guard let last = keys.last else { return }
        // A jump: what holds until just before the key is a key of its own.
        let before = Double(Float(time).nextDown)
        let end = value(time)
        if before > last.time {
            let held = value(before)
            if distance(held, end) > max(tolerance, 0.5 * distance(last.value, end)), distance(held, end) > tolerance {
                halve(last, (before, held), &keys)
                keys.append((time, end))
                added += 1
                return
            }
        }
        halve(last, (time, end), &keys)
    }

    /// Appends what is needed between two keys, and the second.
    private mutating func halve(
        _ start: (time: Double, value: Value), _ end: (time: Double, value: Value),
        _ keys: inout [(time: Double, value: Value)]
    ) {
        var start = start
        // Ends still to be reached, the nearest last.
        var ends: [(key: (time: Double, value: Value), depth: Int)] = [(end, 0)]
        while let (end, depth) = ends.popLast() {
            guard mayEvaluate(Self.probes.count) else { return }
            let span = end.time - start.time
            var worst = 0.0
            for probe in Self.probes {
                let exact = value(start.time + span * probe)
                worst = max(worst, distance(exact, between(start.value, end.value, probe)))
                if worst > tolerance { break }
            }
            let middle = start.time + span / 2
            // Times are written as `Float`: between two neighbours there is no third.
            let hasRoom = span / 2 >= leastSpan && Float(middle) > Float(start.time) && Float(middle) < Float(end.time)
            if worst > tolerance, depth < TrackSpan.depthLimit, hasRoom, keys.count < TrackSpan.keyLimit {
                ends.append((end, depth + 1))
                ends.append(((middle, value(middle)), depth + 1))
                added += 1
                continue
            }
            // Between neighbouring times of 32 bits there is nothing to see.
            if worst > tolerance, Float(end.time) > Float(start.time).nextUp {
                guard mayEvaluate(Self.finalProbes) else { return }
                for probe in 1..<Self.finalProbes {
                    let share = Double(probe) / Double(Self.finalProbes)
                    let exact = value(start.time + span * share)
                    worst = max(worst, distance(exact, between(start.value, end.value, share)))
                }
            } else {
                worst = min(worst, tolerance)
            }
            deviation = max(deviation, worst.isFinite ? worst : 0)
            keys.append(end)
            start = end
        }
    }
}
