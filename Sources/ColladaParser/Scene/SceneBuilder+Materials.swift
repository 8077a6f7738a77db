// What the material elements mean.

import Diagnostics
import SceneModel
import XMLReader

extension SceneBuilder {
    mutating func resolved(_ material: ColladaDocument.Material) -> Material {
        var found: Int?
        if let reference = material.effect {
            switch find(reference, ["effect"], severity: .error) {
            case .effect(let index): found = index
            case .some(let other): tellWrongType(reference, other, expected: "effect")
            case nil: break
            }
        }
        let effect = found.map { document.effects[$0] }
        return Material(
            id: material.id, name: material.name, effectID: effect?.id, shading: effect?.common?.shading,
            images: found.map { images(of: $0, settings: material.settings) } ?? [])
    }

    /// The images an effect's textures lead to, each once, in the order of its properties.
    mutating func images(
        of index: Int, settings: [String: ColladaDocument.Parameter]
    ) -> [SceneIndex<Image>] {
        let effect = document.effects[index]
        table.home = effect.position.document
        let isFirst = toldEffects.insert(index).inserted
        var found: [Int] = []
        for slot in ColladaDocument.Technique.Slot.allCases {
            guard let texture = effect.common?.slots[slot]?.texture else { continue }
            switch image(of: texture.sampler, in: { settings[$0] ?? effect.parameters[$0] }) {
            case .success(let image): if let image, !found.contains(image) { found.append(image) }
            case .failure(let fault): if isFirst { tell(fault, of: effect) }
            }
        }
        return found.map { SceneIndex($0) }
    }
}
