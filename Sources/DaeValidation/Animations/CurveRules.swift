import DaeCollada
import DaeDiagnostics
import DaeScene

/// The rules over one curve.
struct CurveRules {
    /// Keys from which it counts that they could be fewer.
    private static let fewestConstant = 3
    private static let fewestSampled = 16

    func check(_ unit: SamplerUnit, _ log: inout FindingLog) {
        checkTurns(unit, &log)
        let keys = CurveKeys(unit.curve)
        guard keys.areFinite, keys.count >= Self.fewestConstant else { return }
        if keys.isConstant {
            log.add(
                .perfConstantChannel, at: unit.place,
                "all \(keys.count) keys hold the same value; one would do",
                arguments: [.init("keys", "\(keys.count)")])
        } else if keys.count >= Self.fewestSampled, keys.isLinear {
            let needed = keys.needed
            guard needed <= keys.count / 2 else { return }
            log.add(
                .perfOversampled, at: unit.place,
                "\(needed) of the \(keys.count) keys would do: the others lie on straight lines between them, within 1/10000 of the curve's range",
                arguments: [.init("keys", "\(keys.count)"), .init("needed", "\(needed)")])
        }
    }

    // MARK: - Full turns

    /// Degrees by which an angle goes from one key to the next. Half a turn is the most that a quaternion can go; whole
    /// turns it cannot at all.
    private static let fullTurn = 360.0

    private func checkTurns(_ unit: SamplerUnit, _ log: inout FindingLog) {
        guard let target = unit.targets.first(where: { Self.angleLane(of: $0, unit.curve.width) != nil }),
            let lane = Self.angleLane(of: target, unit.curve.width)
        else { return }
        let curve = unit.curve
        var turns = Tally()
        var largest = 0.0
        for key in 0..<max(0, curve.times.count - 1) where curve.goes(from: key) {
            let step = curve.values[(key + 1) * curve.width + lane] - curve.values[key * curve.width + lane]
            guard abs(step) >= Self.fullTurn, step.isFinite else { continue }
            turns.add(key)
            largest = max(largest, abs(step))
        }
        guard turns.count > 0 else { return }
        log.add(
            .animationFullTurn, at: unit.place,
            "\(target.quoted()) turns by up to \(largest)° from one key to the next, first after key \(turns.first); expected below \(Self.fullTurn)°",
            arguments: [
                .init("target", target), .init("degrees", "\(largest)"), .init("count", "\(turns.count)"),
                .init("key", "\(turns.first)"),
            ])
    }

    /// Which number of a value is an angle in degrees: the only one where the target names it, the fourth of a rotation.
    private static func angleLane(of target: String, _ width: Int) -> Int? {
        guard width == 1 || width == 4 else { return nil }
        let name = target.lowercased()
        if width == 1, name.hasSuffix(".angle") { return 0 }
        let last = name.utf8.split(separator: UInt8(ascii: "/")).last ?? name.utf8[...]
        guard last.starts(with: "rot".utf8) else { return nil }
        if width == 1 { return last.suffix(3).elementsEqual("(3)".utf8) ? 0 : nil }
        return last.contains(UInt8(ascii: ".")) || last.contains(UInt8(ascii: "(")) ? nil : 3
    }
}

extension AnimationCurve {
    /// Whether it passes through what lies between a key and the next.
    fileprivate func goes(from key: Int) -> Bool {
        switch interpolations {
        case .all(let one): one != .step
        case .each(let list): (key < list.count ? list[key] : list.last) != .step
        }
    }
}

/// Asks which keys of a curve say anything.
///
/// - Complexity: linear in the numbers.
struct CurveKeys {
    private let times: [Double]
    private let values: [Double]
    private let width: Int
    private let interpolations: AnimationInterpolations
    /// By which each number of a value may miss a straight line.
    private var tolerances: [Double] = []
    private var spread: [Double] = []
    private(set) var areFinite = true

    /// Of a group's largest number: sixteen times what a `Float` of it loses.
    private static let noise = 1e-6
    /// Of a group's range.
    private static let share = 1e-4

    init(_ curve: AnimationCurve) {
        times = curve.times.array
        values = curve.values.array
        width = curve.width
        interpolations = curve.interpolations
        measure()
    }

    var count: Int { times.count }

    var isConstant: Bool { (0..<width).allSatisfy { spread[$0] <= noises[$0] } }

    var isLinear: Bool {
        switch interpolations {
        case .all(let one): one == .linear
        case .each(let list): list.allSatisfy { $0 == .linear }
        }
    }

    private var noises: [Double] = []

    private mutating func measure() {
        var low = [Double](repeating: .infinity, count: width)
        var high = [Double](repeating: -.infinity, count: width)
        let values = values
        let numbers = values.span
        var lowest = low.mutableSpan
        var highest = high.mutableSpan
        // Zero times what is not finite is no number, and so is a sum with it.
        var notFinite = 0.0
        var at = 0
        for _ in times.indices {
            for lane in 0..<width {
                let value = numbers[at + lane]
                notFinite += value * 0
                if value < lowest[lane] { lowest[lane] = value }
                if value > highest[lane] { highest[lane] = value }
            }
            at += width
        }
        areFinite = notFinite == 0 && times.allSatisfy(\.isFinite)
        guard areFinite, !times.isEmpty else { return }
        spread = zip(high, low).map { $0 - $1 }
        noises = [Double](repeating: 0, count: width)
        tolerances = noises
        for group in Set((0..<width).map(group)) {
            let lanes = (0..<width).filter { self.group(of: $0) == group }
            let largest = lanes.reduce(0) { max($0, abs(low[$1]), abs(high[$1])) }
            let widest = lanes.reduce(0) { max($0, spread[$1]) }
            for lane in lanes {
                noises[lane] = Self.noise * largest
                tolerances[lane] = max(Self.noise * largest, Self.share * widest)
            }
        }
    }

    /// Numbers of a kind: a matrix's turning, its place and its last row; a rotation's axis and its angle.
    private func group(of lane: Int) -> Int {
        switch width {
        case 16: lane >= 12 ? 2 : lane % 4 == 3 ? 1 : 0
        case 4: lane == 3 ? 1 : 0
        default: 0
        }
    }

    // MARK: - Needed keys

    /// How many keys a curve of straight lines takes that misses none of the values by more than its tolerance: a line
    /// goes on from a key as long as one slope fits every key on its way.
    var needed: Int {
        guard count > 2 else { return count }
        var kept = 2
        var anchor = 0
        var low = [Double](repeating: -.infinity, count: width)
        var high = [Double](repeating: .infinity, count: width)
        let values = values.span
        let tolerances = tolerances.span
        var lowest = low.mutableSpan
        var highest = high.mutableSpan
        for key in 1..<count {
            var anchorAt = anchor * width
            let at = key * width
            var scale = slopeScale(from: anchor, to: key)
            var fits = true
            if let scale {
                for lane in 0..<width where fits {
                    let slope = (values[at + lane] - values[anchorAt + lane]) * scale
                    fits = slope >= lowest[lane] && slope <= highest[lane]
                }
            } else {
                fits = key == anchor + 1
            }
            if !fits {
                kept += 1
                anchor = key - 1
                anchorAt = anchor * width
                for lane in 0..<width { (lowest[lane], highest[lane]) = (-.infinity, .infinity) }
                scale = slopeScale(from: anchor, to: key)
            }
            // A jump: nothing is on its way.
            guard let scale else { continue }
            for lane in 0..<width {
                let rise = values[at + lane] - values[anchorAt + lane]
                lowest[lane] = max(lowest[lane], (rise - tolerances[lane]) * scale)
                highest[lane] = min(highest[lane], (rise + tolerances[lane]) * scale)
            }
        }
        return min(kept, count)
    }

    /// By which a rise becomes a slope; `nil` where there is no time between two keys.
    private func slopeScale(from anchor: Int, to key: Int) -> Double? {
        let scale = 1 / (times[key] - times[anchor])
        return scale > 0 && scale.isFinite ? scale : nil
    }
}
