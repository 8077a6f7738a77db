import DaeScene
import DaeXML
import Testing

@testable import DaeCollada
@testable import DaeValidation

@Suite struct ElementUseTests {
    private func effects(_ effects: [(id: String?, name: String?)], of materials: [String?]) -> [Bool] {
        var document = ColladaDocument()
        document.effects = effects.map {
            .init(
                id: $0.id, name: $0.name, position: XMLPosition(), common: nil, profiles: [], parameters: [:],
                extras: [])
        }
        document.materials = materials.map { effect in
            .init(
                id: nil, name: nil, position: XMLPosition(),
                effect: effect.map { .init(text: $0, position: XMLPosition()) }, settings: [:], extras: [])
        }
        let use = ElementUse(document, Scene())
        return effects.indices.map { use.contains(.effect, $0) }
    }

    @Test func anEffectIsInUseWhicheverMaterialHasIt() {
        let all: [(id: String?, name: String?)] = [("a", nil), ("b", nil), ("c d", nil), (nil, "e")]
        #expect(effects(all, of: ["#a", "#b", "#c%20d", "#e"]) == [true, true, true, true])
        #expect(effects(all, of: ["#b", nil, "#a"]) == [true, true, false, false])
        #expect(effects(all, of: ["#e", "#x", "#b", "#b", "#b"]) == [false, true, false, true])
        #expect(effects(all, of: []) == [false, false, false, false])
        #expect(effects([], of: ["#a"]).isEmpty)
    }
}
