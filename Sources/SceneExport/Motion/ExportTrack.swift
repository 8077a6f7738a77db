/// Keys of one property of a node, as engines take them.
struct ExportTrack {
    enum Path: String {
        case translation, rotation, scale, weights
    }
    enum Interpolation: String {
        case linear = "LINEAR"
        case step = "STEP"
        case cubic = "CUBICSPLINE"

        /// Values a key has: of a cubic those that lead to it and away from it too.
        var valuesOfKey: Int {
            switch self {
            case .linear, .step: 1
            case .cubic: 3
            }
        }
    }
    let path: Path
    private(set) var interpolation: Interpolation
    /// Seconds from the animation's beginning, increasing.
    private(set) var times: [Float] = []
    /// For each key the numbers of its value, or of its three.
    private(set) var values: [Float] = []
    let width: Int

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
    func settled(unless rest: SIMD4<Double>? = nil) -> ExportTrack? {
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
