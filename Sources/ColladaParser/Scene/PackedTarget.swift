// A table of ids has an entry for each of a document's elements, and lies beside document and scene at their largest.

/// What an id leads to, in eight bytes instead of sixteen.
struct PackedTarget: BitwiseCopyable {
    private enum Kind: UInt8 {
        case geometry, controller, effect, material, image, camera, light, node, visualScene, animation, animationClip
        case physicsMaterial, forceField, physicsModel, physicsScene
        case joint, kinematicsModel, articulatedSystem, kinematicsScene, formula

        init(_ target: MechanicsTarget) {
            self =
                switch target {
                case .physicsMaterial: .physicsMaterial
                case .forceField: .forceField
                case .physicsModel: .physicsModel
                case .physicsScene: .physicsScene
                case .joint: .joint
                case .kinematicsModel: .kinematicsModel
                case .articulatedSystem: .articulatedSystem
                case .kinematicsScene: .kinematicsScene
                case .formula: .formula
                }
        }
    }

    /// More elements than fit would need hundreds of gigabytes.
    private let place: UInt32
    private let kind: Kind

    private init(_ kind: Kind, _ place: Int) {
        self.kind = kind
        self.place = UInt32(truncatingIfNeeded: place)
    }

    init(_ target: ReferenceTable.Target) {
        switch target {
        case .geometry(let place): self.init(.geometry, place)
        case .controller(let place): self.init(.controller, place)
        case .effect(let place): self.init(.effect, place)
        case .material(let place): self.init(.material, place)
        case .image(let place): self.init(.image, place)
        case .camera(let place): self.init(.camera, place)
        case .light(let place): self.init(.light, place)
        case .node(let place): self.init(.node, place)
        case .visualScene(let place): self.init(.visualScene, place)
        case .animation(let place): self.init(.animation, place)
        case .animationClip(let place): self.init(.animationClip, place)
        case .mechanics(let target): self.init(Kind(target), target.index)
        }
    }

    var target: ReferenceTable.Target {
        let place = Int(place)
        return switch kind {
        case .geometry: .geometry(place)
        case .controller: .controller(place)
        case .effect: .effect(place)
        case .material: .material(place)
        case .image: .image(place)
        case .camera: .camera(place)
        case .light: .light(place)
        case .node: .node(place)
        case .visualScene: .visualScene(place)
        case .animation: .animation(place)
        case .animationClip: .animationClip(place)
        case .physicsMaterial: .mechanics(.physicsMaterial(place))
        case .forceField: .mechanics(.forceField(place))
        case .physicsModel: .mechanics(.physicsModel(place))
        case .physicsScene: .mechanics(.physicsScene(place))
        case .joint: .mechanics(.joint(place))
        case .kinematicsModel: .mechanics(.kinematicsModel(place))
        case .articulatedSystem: .mechanics(.articulatedSystem(place))
        case .kinematicsScene: .mechanics(.kinematicsScene(place))
        case .formula: .mechanics(.formula(place))
        }
    }
}
