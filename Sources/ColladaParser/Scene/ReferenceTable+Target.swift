import SceneModel
import XMLReader

extension ReferenceTable {
    /// An element that a reference may lead to, by its place in the document's list of its kind.
    enum Target: Hashable {
        case geometry(Int), controller(Int), effect(Int), material(Int), image(Int), camera(Int), light(Int)
        case node(Int), visualScene(Int), animation(Int), animationClip(Int)
        case mechanics(MechanicsTarget)

        /// The element it is.
        var element: String {
            switch self {
            case .geometry: "geometry"
            case .controller: "controller"
            case .effect: "effect"
            case .material: "material"
            case .image: "image"
            case .camera: "camera"
            case .light: "light"
            case .node: "node"
            case .visualScene: "visual_scene"
            case .animation: "animation"
            case .animationClip: "animation_clip"
            case .mechanics(let target): target.element
            }
        }
    }
    enum Result {
        case found(Target)
        case missing
        case external(Absence)
    }

    /// Why another document's element is not there.
    enum Absence {
        /// Other documents were not asked for.
        case notRead
        case noFile(tried: String)
        case unreadable(path: String, reason: String)
        /// Why, as a clause that follows "it".
        case blocked(reason: String)
        /// The document was read and has no such id.
        case noID(path: String)
    }
}

extension ColladaDocument {
    /// Every element that a reference may lead to, kind by kind, with its id and name.
    func forEachTarget(
        _ visit: (ReferenceTable.Target, XMLPosition, _ id: String?, _ name: String?) -> Void
    ) {
        for (index, one) in geometries.enumerated() { visit(.geometry(index), one.position, one.id, one.name) }
        for (index, one) in controllers.enumerated() { visit(.controller(index), one.position, one.id, one.name) }
        for (index, one) in effects.enumerated() { visit(.effect(index), one.position, one.id, one.name) }
        for (index, one) in materials.enumerated() { visit(.material(index), one.position, one.id, one.name) }
        for (index, one) in images.enumerated() { visit(.image(index), one.position, one.id, one.name) }
        for (index, one) in cameras.enumerated() { visit(.camera(index), one.position, one.camera.id, one.camera.name) }
        for (index, one) in lights.enumerated() { visit(.light(index), one.position, one.light.id, one.light.name) }
        for (index, one) in nodes.enumerated() { visit(.node(index), one.position, one.id, one.name) }
        for (index, one) in visualScenes.enumerated() { visit(.visualScene(index), one.position, one.id, one.name) }
        for (index, one) in animations.enumerated() { visit(.animation(index), one.position, one.id, one.name) }
        for (index, one) in animationClips.enumerated() {
            visit(.animationClip(index), one.position, one.id, one.name)
        }
        for one in mechanicsTargets { visit(.mechanics(one.target), one.position, one.id, nil) }
    }
}
