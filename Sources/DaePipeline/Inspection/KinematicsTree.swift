package import DaeDiagnostics
package import DaeScene

/// A scene's kinematics for programs: flat lists, whose members name each other by their places.
package struct KinematicsTree: Sendable {
    private let scene: Scene
    private let kinematics: Kinematics
    private let axes: AxisFacts

    package init(_ scene: Scene) {
        self.scene = scene
        kinematics = scene.kinematics
        axes = AxisFacts(scene.kinematics)
    }

    package var json: JSONValue {
        [
            "models": .array(kinematics.models.indices.map { json(SceneIndex<KinematicsModel>($0)) }),
            "systems": .array(kinematics.systems.map(json)), "scenes": .array(kinematics.scenes.map(json)),
            "formulas": .array(kinematics.formulas.map(json)),
        ]
    }

    // MARK: - Models

    private func json(_ index: SceneIndex<KinematicsModel>) -> JSONValue {
        let model = kinematics.models[index]
        return [
            "id": JSONValue(model.id), "name": JSONValue(model.name),
            "nodes": .array(axes.nodes(of: index).map(json)),
            "joints": .array(
                model.joints.indices.map { json(model.joints[$0], .init(model: index, joint: SceneIndex($0))) }),
            "roots": .array(model.roots.map { JSONValue($0.value) }), "links": .array(model.links.map(json)),
            "formulas": .array(
                model.formulas.map { formula in
                    [
                        "formula": JSONValue(formula.formula.value), "joint": JSONValue(formula.joint?.value),
                        "sources": .array(formula.sources.map { JSONValue($0.value) }),
                    ]
                }), "noncolliding": .array(model.noncolliding.map { JSONValue($0.value) }),
        ]
    }

    private func json(_ joint: KinematicJoint, _ place: JointReference) -> JSONValue {
        [
            "id": JSONValue(joint.id), "sid": JSONValue(joint.sid), "name": JSONValue(joint.name),
            "axes": .array(
                joint.axes.indices.map {
                    json(joint.axes[$0], .init(model: place.model, joint: place.joint, axis: SceneIndex($0)))
                }),
        ]
    }

    private func json(_ axis: JointAxis, _ reference: JointAxisReference) -> JSONValue {
        let facts = axes[reference]
        return [
            "kind": .string(axis.kind.rawValue), "sid": JSONValue(axis.sid), "direction": JSONValue(axis.direction),
            "limits": json(facts.limits ?? axis.limits), "value": JSONValue(facts.value),
            "speed": JSONValue(facts.speed), "active": facts.isActive.map { .bool($0) } ?? .null,
            "locked": facts.isLocked.map { .bool($0) } ?? .null, "nodes": .array(facts.nodes.map(json)),
        ]
    }

    private func json(_ limits: JointLimits?) -> JSONValue {
        limits.map { ["min": JSONValue($0.min), "max": JSONValue($0.max)] } ?? .null
    }

    /// By its place in the nodes of `dae tree` without `--kinematics`, and by its id.
    private func json(_ node: SceneIndex<Node>) -> JSONValue {
        ["node": JSONValue(node.value), "id": JSONValue(scene.nodes[node].id)]
    }

    private func json(_ link: KinematicLink) -> JSONValue {
        [
            "sid": JSONValue(link.sid), "name": JSONValue(link.name), "matrix": json(link.matrix),
            "attachments": .array(
                link.attachments.map { attachment in
                    [
                        "closes": .bool(attachment.role == .closes), "joint": JSONValue(attachment.joint?.value),
                        "link": JSONValue(attachment.link.value), "matrix": json(attachment.matrix),
                        "end": attachment.end.map(json) ?? .null,
                    ]
                }),
        ]
    }

    private func json(_ matrix: Matrix4) -> JSONValue { .array(matrix.rows.map { .real($0) }) }

    // MARK: - Systems and scenes

    private func json(_ system: ArticulatedSystem) -> JSONValue {
        var kind = "empty"
        var models: [JSONValue] = []
        var other: Int?
        switch system.kind {
        case .kinematics(let instances, frames: _):
            kind = "kinematics"
            models = instances.map { JSONValue($0.model?.value) }
        case .motion(let target, effector: _):
            kind = "motion"
            other = target?.value
        case .empty: break
        }
        return [
            "id": JSONValue(system.id), "name": JSONValue(system.name), "kind": .string(kind), "models": .array(models),
            "system": JSONValue(other), "interface": JSONValue(system.interface),
            "manipulators": .array(system.manipulators.map(json)),
        ]
    }

    private func json(_ manipulator: Manipulator) -> JSONValue {
        [
            "name": JSONValue(manipulator.name), "origin": json(manipulator.origin), "tip": json(manipulator.tip),
            "gripperJoints": .array(
                manipulator.gripperJoints.map {
                    ["model": JSONValue($0.model.value), "joint": JSONValue($0.joint.value)]
                }),
        ]
    }

    private func json(_ link: LinkReference?) -> JSONValue {
        link.map { ["model": JSONValue($0.model.value), "link": JSONValue($0.link.value)] } ?? .null
    }

    private func json(_ scene: KinematicsScene) -> JSONValue {
        [
            "id": JSONValue(scene.id), "name": JSONValue(scene.name),
            "instances": .array(
                scene.instances.map { instance in
                    switch instance {
                    case .model(let model):
                        ["sid": JSONValue(model.sid), "model": JSONValue(model.model?.value), "system": .null]
                    case .system(let sid, name: _, let system):
                        ["sid": JSONValue(sid), "model": .null, "system": JSONValue(system?.value)]
                    }
                }),
        ]
    }

    private func json(_ formula: KinematicFormula) -> JSONValue {
        [
            "id": JSONValue(formula.id), "sid": JSONValue(formula.sid), "name": JSONValue(formula.name),
            "target": JSONValue(formula.target), "parameters": JSONValue(formula.parameters),
            "symbols": JSONValue(formula.symbols),
        ]
    }
}
