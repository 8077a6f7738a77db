import DaeCollada
import DaeDiagnostics
import DaeScene
import DaeXML

/// The colours of effects.
enum ColorRules {
    static func check(_ subject: SceneRules.Subject, _ log: inout FindingLog) {
        let effects = subject.linked.document.effects
        // By index: an effect taken out of the list would be copied, with all it holds.
        for index in effects.indices where effects[index].common?.slots.mayBeReported == true {
            let effect = effects[index]
            guard let technique = effect.common, technique.shading != nil else { continue }
            for slot in ColladaDocument.Technique.Slot.allCases {
                guard let color = effect.color(of: slot), color.isOutOfRange else { continue }
                log.add(
                    .colorOutOfRange, at: Place(technique.position(of: slot) ?? technique.position, of: effect.id),
                    "\(slot.rawValue) is \(color.text); expected numbers from 0 to 1",
                    arguments: [.init("property", slot.rawValue), .init("color", color.text)])
            }
            if effect.color(of: .emission)?.isWhite == true, effect.color(of: .ambient)?.isWhite == true {
                log.add(
                    .materialEmissionAmbientFull, at: Place(technique.position, of: effect.id),
                    "emission and ambient are both 1 1 1: whatever else the effect says, it shows white")
            }
        }
    }
}

extension SmallDictionary where Value == ColladaDocument.Technique.Value {
    /// Whether one of the values may be unusual, as few are.
    fileprivate var mayBeReported: Bool {
        var found = false
        forEachValue { value in
            switch value {
            case .color(let color): found = found || color.isOutOfRange || color.isWhite
            case .parameter: found = true
            case .number, .texture: break
            }
        }
        return found
    }
}

extension ColladaDocument.Effect {
    /// Given in place, or by a parameter of the effect.
    fileprivate func color(of slot: ColladaDocument.Technique.Slot) -> SIMD4<Double>? {
        switch common?.slots[slot] {
        case .color(let color): return color
        case .parameter(let sid):
            guard case .numbers(let numbers)? = parameters[sid], numbers.count >= 3 else { return nil }
            return SIMD4(numbers[0], numbers[1], numbers[2], numbers.count > 3 ? numbers[3] : 1)
        case .number, .texture, nil: return nil
        }
    }
}

extension SIMD4<Double> {
    /// What rounding may add.
    private static var tolerance: Double { 1e-4 }

    fileprivate var isOutOfRange: Bool { self.min() < -Self.tolerance || self.max() > 1 + Self.tolerance }

    fileprivate var isWhite: Bool { x >= 1 && y >= 1 && z >= 1 }

    fileprivate var text: String { "\(x) \(y) \(z) \(w)" }
}
