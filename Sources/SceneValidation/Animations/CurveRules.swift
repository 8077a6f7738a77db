import ColladaParser
import Diagnostics
import SceneModel

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
