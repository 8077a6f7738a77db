import ColladaParser
import SceneModel
import XMLReader

extension ColladaDocument {
    /// Every address of an element or a file, with its place and the id of the element it is of. Targets that are paths
    /// of sids are no addresses.
    func forEachAddress(_ visit: (_ text: String, XMLPosition, _ id: String?) -> Void) {
        for image in images {
            if case .reference(let text) = image.content { visit(text, image.position, image.id) }
            for part in image.parts {
                if case .reference(let text) = part.content { visit(text, image.position, image.id) }
            }
        }
        for material in materials {
            if let effect = material.effect { visit(effect.text, effect.position, material.id) }
        }
        for index in geometries.indices {
            guard case .convexMesh(_, let hull?) = geometries[index].kind else { continue }
            visit(hull.text, hull.position, geometries[index].id)
        }
        for controller in controllers {
            switch controller.kind {
            case .skin(let skin): visit(skin.source.text, skin.source.position, controller.id)
            case .morph(let morph): visit(morph.source.text, morph.source.position, controller.id)
            case .empty: break
            }
        }
        for clip in animationClips {
            for reference in clip.animations { visit(reference.text, reference.position, clip.id) }
        }
        for index in nodes.indices {
            nodes[index].contents.forEachReference { visit($0.text, $0.position, nodes[index].id) }
        }
        if let shown = scene?.visualScene { visit(shown.text, shown.position, nil) }
    }
}
