// What the builders of kinematics share, and what addresses mean to them.

import DaeDiagnostics
import DaeScene
import DaeXML

/// The kinematics of all documents, as their addresses lead through them.
struct KinematicsContext: DocumentSharing {
    let shared: SharedDocument
    let systems: AssetSystems
    let targets: KinematicsTargets
    let scopes: KinematicsScopes
    var references: MechanicsReferences
    var sids: KinematicSids

    init(_ shared: SharedDocument, _ table: ReferenceTable, _ systems: AssetSystems, limits: SearchLimits) {
        self.shared = shared
        self.systems = systems
        sids = KinematicSids(stepLimit: limits.kinematics)
        references = MechanicsReferences(table, code: .kinematicsBindUnresolved)
        targets = KinematicsTargets(shared.linked.document, &references)
        scopes = KinematicsScopes(shared.linked.document, targets, &sids)
    }

    // MARK: - Addresses

    /// The axis an address leads to; that of a joint is its first.
    mutating func axis(_ text: String, from scope: Int) -> (axis: JointAxisReference, instance: Int?)? {
        var text = text
        var scope = scope
        // An axis may be named by what another system says of it, which names it in turn.
        for _ in 0..<32 {
            guard let found = sids.resolve(text, from: scope) else { return nil }
            switch sids.entity(found) {
            case .axis(let axis):
                guard let joint = found.joint, hasAxis(axis, joint) else { return nil }
                return (.init(model: joint.model, joint: joint.joint, axis: SceneIndex(axis)), found.instance)
            case .joint(let joint):
                guard hasAxis(0, joint) else { return nil }
                return (.init(model: joint.model, joint: joint.joint, axis: SceneIndex(0)), found.instance)
            case .axisInfo(let system, let place):
                guard let info = document.articulatedSystems[system].axes[safely: place] else { return nil }
                text = info.axis.text
                scope = scopes.axisInfos[system][place]
            case .scene, .model, .system, .sharedJoint, .link, .formula, .parameter, .instance: return nil
            }
        }
        return nil
    }

    /// What the numbers of an axis are.
    func quantity(of axis: JointAxisReference) -> Quantity {
        guard let target = targets.joints[axis.model.value][axis.joint.value] else { return .plain }
        return Quantity(alongAxisOf: document.joints[target].axes[axis.axis.value].kind)
    }

    private func hasAxis(_ axis: Int, _ joint: JointReference) -> Bool {
        guard let target = targets.joints[joint.model.value][joint.joint.value] else { return false }
        return axis < document.joints[target].axes.count
    }

    mutating func link(_ text: String, from scope: Int) -> LinkReference? {
        guard let found = sids.resolve(text, from: scope), case .link(let link) = sids.entity(found) else { return nil }
        return link
    }

    mutating func joint(_ text: String, from scope: Int) -> JointReference? {
        guard let found = sids.resolve(text, from: scope) else { return nil }
        switch sids.entity(found) {
        case .joint(let joint): return joint
        case .axis, .sharedJoint: return found.joint
        case .scene, .model, .system, .link, .formula, .axisInfo, .parameter, .instance: return nil
        }
    }

    /// The first model that a system is built of.
    func firstModel(of system: Int) -> Int? {
        var system = system
        // Motions were cut where they lead back.
        while let next = targets.motions[system] { system = next }
        return targets.models[system].lazy.compactMap { $0 }.first
    }

    // MARK: - Values

    /// A number of the scene's unit.
    ///
    /// - Parameters:
    ///   - quantity: What it is; what a parameter holds is written where that stands.
    ///   - position: Where the operand is written.
    mutating func number(
        _ operand: ColladaDocument.Operand<Double>?, _ quantity: Quantity, from scope: Int, at position: XMLPosition
    ) -> Double? {
        switch operand {
        case .value(let value): return systems.change(at: position).converted(value, quantity)
        case .parameter(let reference):
            guard let (parameter, own) = parameter(reference, from: scope) else { return nil }
            let change = systems.change(at: own ?? position)
            switch parameter {
            case .real(let value): return change.converted(value, quantity)
            case .integer(let value): return change.converted(Double(value), quantity)
            case .bool, .sidref, .connected, .empty: return nil
            }
        case nil: return nil
        }
    }

    mutating func flag(_ operand: ColladaDocument.Operand<Bool>?, from scope: Int) -> Bool? {
        switch operand {
        case .value(let value): return value
        case .parameter(let reference):
            guard case .bool(let value)? = parameter(reference, from: scope)?.value else { return nil }
            return value
        case nil: return nil
        }
    }

    private mutating func parameter(
        _ reference: ColladaDocument.Reference, from scope: Int
    ) -> (value: ColladaDocument.ParameterValue, position: XMLPosition?)? {
        if let found = sids.resolve(reference.text, from: scope), case .parameter(let value) = sids.entity(found) {
            return (value, sids.position(of: found.element))
        }
        references.report(.kinematicsBindUnresolved, reference, expected: "parameter with a value")
        return nil
    }

    // MARK: - Settings

    // Whether what instances set exists, and what their parameters name. A value that is set elsewhere would be lost without
    // a word, and so would a parameter that nothing asks for yet.

    mutating func checkSettings() {
        for (index, model) in document.kinematicsModels.enumerated() {
            check(model.parameters, from: scopes.models[index])
        }
        for (index, system) in document.articulatedSystems.enumerated() {
            let scope = scopes.systems[index]
            switch system.kind {
            case .kinematics(let kinematics):
                for (instance, target) in zip(kinematics.models, targets.models[index]) {
                    check(instance, of: target.map { scopes.models[$0] }, from: scope)
                }
            case .motion(let motion):
                if let instance = motion.system {
                    check(instance, of: targets.motions[index].map { scopes.systems[$0] }, from: scope)
                }
                if let effector = motion.effector { check(effector.setParameters, of: scope) }
            case .empty: break
            }
            for info in system.axes {
                check(info.setParameters, of: scope)
                check(info.newParameters, from: scope)
            }
        }
        for (index, scene) in document.kinematicsScenes.enumerated() {
            let found = targets.scenes[index]
            for (instance, target) in zip(scene.models, found) {
                check(instance, of: target.map { scopes.models[$0] }, from: scopes.scenes[index])
            }
            for (instance, target) in zip(scene.systems, found.dropFirst(scene.models.count)) {
                check(instance, of: target.map { scopes.systems[$0] }, from: scopes.scenes[index])
            }
        }
    }

    /// - Parameter instanced: `nil` where it does not exist, which was reported.
    private mutating func check(
        _ instance: ColladaDocument.InstanceKinematics, of instanced: Int?, from scope: Int
    ) {
        check(instance.setParameters, of: instanced)
        check(instance.newParameters, from: scope)
    }

    mutating func check(_ settings: [ColladaDocument.SetParameter], of instanced: Int?) {
        guard let instanced else { return }
        for setting in settings where !sids.isNamed(setting.reference.text, from: instanced) {
            references.report(.kinematicsBindUnresolved, setting.reference, expected: "parameter")
        }
    }

    /// Only the parameter that names nothing is reported, not those that name it in turn.
    mutating func check(_ parameters: [ColladaDocument.NewParameter], from scope: Int) {
        for parameter in parameters {
            switch parameter.value {
            case .sidref(let reference), .connected(let reference):
                let text = reference.text
                guard !sids.isNamed(text, from: scope), sids.resolve(text, from: scope) == nil else { continue }
                references.report(.kinematicsBindUnresolved, reference, expected: "address of sids")
            case .real, .integer, .bool, .empty: break
            }
        }
    }
}

extension ColladaDocument.ArticulatedSystem {
    var axes: [ColladaDocument.AxisInfo] {
        switch kind {
        case .kinematics(let kinematics): kinematics.axes
        case .motion(let motion): motion.axes
        case .empty: []
        }
    }
}

extension Array {
    fileprivate subscript(safely index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
