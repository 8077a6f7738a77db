import DaeScene

/// Keys of one property of a node, as engines take them.
package struct PreparedTrack {
    package enum Path {
        /// x y z, in the units and axes of the document.
        case translation
        /// A quaternion, x y z w, of length 1.
        case rotation
        /// x y z.
        case scale
        /// One number a target of all morphs that the node shows, those of the innermost first.
        case weights
    }
    /// The way from a key to the next; rotations turn along the shorter arc.
    package enum Interpolation {
        case linear, step, cubic

        /// Values a key has: of a cubic those that lead to it and away from it too.
        var valuesOfKey: Int {
            switch self {
            case .linear, .step: 1
            case .cubic: 3
            }
        }
    }
    package let path: Path
    package private(set) var interpolation: Interpolation
    /// Seconds from the animation's beginning, increasing.
    package private(set) var times: [Float] = []
    /// For each key the numbers of its value; of a cubic how fast they come, the numbers, how fast they leave, per second.
    package private(set) var values: [Float] = []
    /// Numbers of a value.
    package let width: Int

    init(_ path: Path, _ interpolation: Interpolation, width: Int, keys: Int = 0) {
        self.path = path
        self.interpolation = interpolation
        self.width = width
        times.reserveCapacity(keys)
        values.reserveCapacity(keys * interpolation.valuesOfKey * width)
    }

    /// Begins a key; as many ``append(_:)`` follow as it has numbers. Of two keys of one moment the later holds.
    mutating func beginKey(at time: Float) {
        if let last = times.last, time <= last {
            values.removeLast(interpolation.valuesOfKey * width)
        } else {
            times.append(time)
        }
    }

    /// A number that is none has no place in a file, and becomes 0.
    mutating func append(_ value: Double) {
        let number = Float(value)
        values.append(number.isFinite ? number : 0)
    }

    mutating func append(_ value: SIMD3<Double>) {
        append(value.x)
        append(value.y)
        append(value.z)
    }

    mutating func append(_ value: SIMD4<Double>) {
        append(value.x)
        append(value.y)
        append(value.z)
        append(value.w)
    }

    /// With one key where nothing moves; `nil` where that one says what `rest` does.
    func settled(unless rest: SIMD4<Double>? = nil) -> PreparedTrack? {
        guard !times.isEmpty, isStill else { return times.isEmpty ? nil : self }
        let value = interpolation == .cubic ? Array(values[width..<2 * width]) : Array(values[..<width])
        if let rest,
            (0..<width).allSatisfy({ abs(Double(value[$0]) - rest[$0]) <= 1e-6 * max(1, abs(rest[$0])) })
        {
            return nil
        }
        var still = self
        still.interpolation = interpolation == .cubic ? .linear : interpolation
        still.times = [times[0]]
        still.values = value
        return still
    }

    private var isStill: Bool {
        let row = interpolation.valuesOfKey * width
        if interpolation == .cubic {
            let isFlat = values.indices.allSatisfy { (width..<2 * width).contains($0 % row) || values[$0] == 0 }
            if !isFlat { return false }
        }
        let first = interpolation == .cubic ? width : 0
        for start in stride(from: first, to: values.count, by: row) {
            for lane in 0..<width
            where abs(values[start + lane] - values[first + lane]) > abs(values[first + lane]) * 1e-6 {
                return false
            }
        }
        return true
    }
}

/// Keys at which a node's translation, rotation and scale are known together.
struct PartKeys {
    private var translations: PreparedTrack
    private var rotations: PreparedTrack
    private var scales: PreparedTrack
    private var last: SIMD4<Double>?
    /// The most that a matrix was off because of its shear.
    private(set) var shear = 0.0

    init(_ interpolation: PreparedTrack.Interpolation, count: Int) {
        translations = PreparedTrack(.translation, interpolation, width: 3, keys: count)
        rotations = PreparedTrack(.rotation, interpolation, width: 4, keys: count)
        scales = PreparedTrack(.scale, interpolation, width: 3, keys: count)
    }

    mutating func note(shear: Double) { self.shear = max(self.shear, shear) }

    /// - Parameter time: Never earlier than the one before.
    mutating func add(_ parts: RigidScale, at time: Float) {
        // Of a rotation's two quaternions the one nearer to the key before: so that no engine turns the long way round.
        var rotation = parts.rotation
        if let last, (rotation * last).sum() < 0 { rotation = -rotation }
        last = rotation
        translations.beginKey(at: time)
        translations.append(parts.translation)
        rotations.beginKey(at: time)
        rotations.append(rotation)
        scales.beginKey(at: time)
        scales.append(parts.scale)
    }

    /// Those that move, or stand otherwise than at rest.
    func tracks(unless rest: RigidScale) -> [PreparedTrack] {
        [
            translations.settled(unless: SIMD4(rest.translation, 0)), rotations.settled(unless: rest.rotation),
            scales.settled(unless: SIMD4(rest.scale, 0)),
        ].compactMap { $0 }
    }
}

// Keys are added between two where the straight way between them leaves the curve by more than the tolerance; a
// midpoint alone would not see a whole turn, so three uneven places are looked at.

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
