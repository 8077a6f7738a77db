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

        /// Whether it lies in a list of its kind, so that its id is found at once.
        var hasPlace: Bool {
            switch self {
            case .geometry, .controller, .effect, .material, .image, .camera, .light, .node, .visualScene, .animation,
                .animationClip:
                true
            case .mechanics: false
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
    /// Where an element that a reference leads to begins, and its id.
    func position(of target: ReferenceTable.Target) -> (XMLPosition, id: String?) {
        switch target {
        case .geometry(let index): (geometries[index].position, geometries[index].id)
        case .controller(let index): (controllers[index].position, controllers[index].id)
        case .effect(let index): (effects[index].position, effects[index].id)
        case .material(let index): (materials[index].position, materials[index].id)
        case .image(let index): (images[index].position, images[index].id)
        case .camera(let index): (cameras[index].position, cameras[index].camera.id)
        case .light(let index): (lights[index].position, lights[index].light.id)
        case .node(let index): (nodes[index].position, nodes[index].id)
        case .visualScene(let index): (visualScenes[index].position, visualScenes[index].id)
        case .animation(let index): (animations[index].position, animations[index].id)
        case .animationClip(let index): (animationClips[index].position, animationClips[index].id)
        case .mechanics(let wanted):
            mechanicsTargets.first { $0.target == wanted }.map { ($0.position, $0.id) } ?? (XMLPosition(), nil)
        }
    }

    /// How many elements a reference may lead to; one more than there is room for would double the room.
    var targetCount: Int {
        let few = cameras.count + lights.count + visualScenes.count + animationClips.count + mechanicsTargets.count
        return geometries.count + controllers.count + effects.count + materials.count + images.count + nodes.count
            + animations.count + few
    }

    /// Every element that a reference may lead to, kind by kind, with its id and name.
    func forEachTarget(
        _ visit: (ReferenceTable.Target, XMLPosition, _ id: String?, _ name: () -> String?) -> Void
    ) {
        // In spans: an element taken out of its list would be copied, with all it holds.
        let (geometries, controllers, effects) = (geometries.span, controllers.span, effects.span)
        for index in geometries.indices {
            visit(.geometry(index), geometries[index].position, geometries[index].id) { geometries[index].name }
        }
        for index in controllers.indices {
            visit(.controller(index), controllers[index].position, controllers[index].id) { controllers[index].name }
        }
        for index in effects.indices {
            visit(.effect(index), effects[index].position, effects[index].id) { effects[index].name }
        }
        let (materials, images, nodes) = (materials.span, images.span, nodes.span)
        for index in materials.indices {
            visit(.material(index), materials[index].position, materials[index].id) { materials[index].name }
        }
        for index in images.indices {
            visit(.image(index), images[index].position, images[index].id) { images[index].name }
        }
        for index in cameras.indices {
            visit(.camera(index), cameras[index].position, cameras[index].camera.id) { cameras[index].camera.name }
        }
        for index in lights.indices {
            visit(.light(index), lights[index].position, lights[index].light.id) { lights[index].light.name }
        }
        for index in nodes.indices {
            visit(.node(index), nodes[index].position, nodes[index].record.id) { nodes[index].record.name }
        }
        for index in visualScenes.indices {
            visit(.visualScene(index), visualScenes[index].position, visualScenes[index].id) {
                visualScenes[index].name
            }
        }
        for index in animations.indices {
            visit(.animation(index), animations[index].position, animations[index].id) { animations[index].name }
        }
        for index in animationClips.indices {
            visit(.animationClip(index), animationClips[index].position, animationClips[index].id) {
                animationClips[index].name
            }
        }
        for one in mechanicsTargets { visit(.mechanics(one.target), one.position, one.id) { nil } }
    }
}
