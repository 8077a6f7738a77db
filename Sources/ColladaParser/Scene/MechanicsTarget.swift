import SceneModel
import XMLReader

/// What an id of physics or kinematics leads to: a place in the document's list of its kind.
enum MechanicsTarget: Hashable {
    case physicsMaterial(Int), forceField(Int), physicsModel(Int), physicsScene(Int)
    case joint(Int), kinematicsModel(Int), articulatedSystem(Int), kinematicsScene(Int), formula(Int)

    /// The element it is.
    var element: String {
        switch self {
        case .physicsMaterial: "physics_material"
        case .forceField: "force_field"
        case .physicsModel: "physics_model"
        case .physicsScene: "physics_scene"
        case .joint: "joint"
        case .kinematicsModel: "kinematics_model"
        case .articulatedSystem: "articulated_system"
        case .kinematicsScene: "kinematics_scene"
        case .formula: "formula"
        }
    }

    var index: Int {
        switch self {
        case .physicsMaterial(let index), .forceField(let index), .physicsModel(let index), .physicsScene(let index),
            .joint(let index), .kinematicsModel(let index), .articulatedSystem(let index),
            .kinematicsScene(let index), .formula(let index):
            index
        }
    }
}

extension ColladaDocument {
    /// Everything of physics and kinematics that may have an id.
    var mechanicsTargets: [(id: String?, target: MechanicsTarget, position: XMLPosition)] {
        var all: [(id: String?, target: MechanicsTarget, position: XMLPosition)] = []
        for (index, element) in physicsMaterials.enumerated() {
            all.append((element.material.id, .physicsMaterial(index), element.position))
        }
        for (index, element) in forceFields.enumerated() {
            all.append((element.id, .forceField(index), element.position))
        }
        for (index, element) in physicsModels.enumerated() {
            all.append((element.id, .physicsModel(index), element.position))
        }
        for (index, element) in physicsScenes.enumerated() {
            all.append((element.id, .physicsScene(index), element.position))
        }
        for (index, element) in joints.enumerated() { all.append((element.id, .joint(index), element.position)) }
        for (index, element) in kinematicsModels.enumerated() {
            all.append((element.id, .kinematicsModel(index), element.position))
        }
        for (index, element) in articulatedSystems.enumerated() {
            all.append((element.id, .articulatedSystem(index), element.position))
        }
        for (index, element) in kinematicsScenes.enumerated() {
            all.append((element.id, .kinematicsScene(index), element.position))
        }
        for (index, element) in formulas.enumerated() { all.append((element.id, .formula(index), element.position)) }
        return all
    }
}
