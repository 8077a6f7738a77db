import DaeDiagnostics
import DaeScene
import DaeSchema

extension DocumentReader {
    mutating func decodePhysicsScene(_ view: ElementView) -> ColladaDocument.PhysicsScene {
        let common = view.first(.techniqueCommon)
        return ColladaDocument.PhysicsScene(
            id: view.attribute(.id), name: view.attribute(.name), position: view.position,
            gravity: vector(in: common?.first(.gravity)), timeStep: real(in: common?.first(.timeStep)),
            forceFields: forceFields(of: view),
            instances: view.all(.instancePhysicsModel).map { decodeInstancePhysicsModel($0) }, extras: view.extras)
    }

    private mutating func forceFields(of view: ElementView) -> [ColladaDocument.Reference] {
        view.all(.instanceForceField).map { requiredReference($0, .url) }
    }

    mutating func decodeInstancePhysicsModel(_ view: ElementView) -> ColladaDocument.InstancePhysicsModel {
        ColladaDocument.InstancePhysicsModel(
            sid: view.attribute(.sid), name: view.attribute(.name), model: requiredReference(view, .url),
            parent: reference(view, .parent), forceFields: forceFields(of: view),
            bodies: view.all(.instanceRigidBody).map { decodeInstanceRigidBody($0) },
            constraints: view.all(.instanceRigidConstraint).map {
                .init(
                    sid: $0.attribute(.sid), name: $0.attribute(.name), constraint: requiredReference($0, .constraint),
                    extras: $0.extras)
            }, extras: view.extras)
    }

    private mutating func decodeInstanceRigidBody(_ view: ElementView) -> ColladaDocument.InstanceRigidBody {
        let common = view.first(.techniqueCommon)
        return ColladaDocument.InstanceRigidBody(
            sid: view.attribute(.sid), name: view.attribute(.name), body: requiredReference(view, .body),
            target: requiredReference(view, .target), velocity: vector(in: common?.first(.velocity)),
            angularVelocity: vector(in: common?.first(.angularVelocity)), overrides: decodeBodyProperties(common),
            extras: view.extras)
    }
}
