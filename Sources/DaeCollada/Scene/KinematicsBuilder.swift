// Leads the references of a document's kinematics to what they mean.

import DaeDiagnostics
import DaeScene
import DaeXML

/// Builds the kinematics of a scene.
struct KinematicsBuilder {
    private var context: KinematicsContext
    private var models = KinematicsModelBuilder()
    private var kinematics = Kinematics()
    private let instances: InstanceTargets
    private let limits: SearchLimits

    var log: FindingLog { context.references.log }

    init(
        _ shared: SharedDocument, _ table: ReferenceTable, _ instances: InstanceTargets, _ systems: AssetSystems,
        limits: SearchLimits
    ) {
        context = KinematicsContext(shared, table, systems, limits: limits)
        self.instances = instances
        self.limits = limits
    }

    mutating func build(in scene: Scene) -> Kinematics {
        checkSettings()
        models.addFormulas(in: &context)
        for index in context.document.kinematicsModels.indices { models.addModel(index, in: &context) }
        // Behind all models, for one may move another's joint.
        for (index, model) in context.document.kinematicsModels.enumerated() {
            for use in model.formulas { models.add(use, from: context.scopes.models[index], in: &context) }
        }
        for index in context.document.articulatedSystems.indices { addSystem(index) }
        for index in context.document.kinematicsScenes.indices { addScene(index) }
        addActive(in: scene)
        context.references.log.reportLimit(of: context.sids.work, "addresses of kinematics pass more elements than")
        (kinematics.models, kinematics.formulas) = (models.models, models.formulas)
        return kinematics
    }

    // MARK: - Systems

    private mutating func addSystem(_ index: Int) {
        let given = context.document.articulatedSystems[index]
        let scope = context.scopes.systems[index]
        let change = context.systems.change(at: given.position)
        var system = ArticulatedSystem(
            id: given.id, name: given.name, kind: .empty, interface: given.openRAVE.interface)
        switch given.kind {
        case .kinematics(let kinematics):
            system.kind = .kinematics(
                models: zip(kinematics.models, context.targets.models[index]).map { Self.instance($0, of: $1) },
                frames: kinematics.frames.map { frame($0, from: scope, change) })
        case .motion(let motion):
            system.kind = .motion(
                of: context.targets.motions[index].map { SceneIndex($0) },
                effector: motion.effector.map { Self.speeds($0).converted(by: change) })
        case .empty: break
        }
        for (place, info) in given.axes.enumerated() {
            if let setting = setting(info, from: context.scopes.axisInfos[index][place]) { system.axes.append(setting) }
        }
        system.manipulators = given.openRAVE.manipulators.map { manipulator($0, from: scope, change) }
        kinematics.systems.append(system)
    }

    private static func instance(
        _ given: ColladaDocument.InstanceKinematics, of model: Int?
    ) -> KinematicsModelInstance {
        KinematicsModelInstance(sid: given.sid, name: given.name, model: model.map { SceneIndex($0) })
    }

    private mutating func frame(
        _ given: ColladaDocument.Frame, from scope: Int, _ change: SystemChange
    ) -> KinematicFrame {
        let link = given.link.flatMap { context.link($0.text, from: scope) }
        if let reference = given.link, link == nil {
            context.references.report(.kinematicsBindUnresolved, reference, expected: "link")
        }
        var frame = KinematicFrame(role: given.role, link: link, matrix: given.transforms.matrix)
        frame.convert(by: change)
        return frame
    }

    private mutating func setting(_ info: ColladaDocument.AxisInfo, from scope: Int) -> AxisSetting? {
        let axis = context.axis(info.axis.text, from: scope)?.axis
        for use in info.formulas { models.add(use, from: scope, axis: axis, in: &context) }
        guard let axis else {
            context.references.report(.kinematicsJointUnresolved, info.axis, expected: "joint's axis")
            return nil
        }
        let quantity = context.quantity(of: axis)
        var setting = AxisSetting(axis: axis)
        setting.isActive = context.flag(info.active, from: scope)
        setting.isLocked = context.flag(info.locked, from: scope)
        if let given = info.limits {
            let limits = JointLimits(
                min: context.number(given.min, quantity, from: scope, at: info.position).flatMap {
                    $0.isFinite ? $0 : nil
                },
                max: context.number(given.max, quantity, from: scope, at: info.position).flatMap {
                    $0.isFinite ? $0 : nil
                })
            if limits.isInverted, let min = limits.min, let max = limits.max {
                context.references.log.add(
                    .kinematicsLimitsInverted, at: Place(info.position),
                    "the least value is \(min), the greatest is \(max)",
                    arguments: [.init("min", "\(min)"), .init("max", "\(max)")])
            }
            setting.limits = limits
        }
        setting.speed = context.number(info.speed, quantity, from: scope, at: info.position)
        setting.acceleration = context.number(info.acceleration, quantity, from: scope, at: info.position)
        setting.deceleration = context.number(info.deceleration, quantity, from: scope, at: info.position)
        setting.jerk = context.number(info.jerk, quantity, from: scope, at: info.position)
        return setting
    }

    private static func speeds(_ info: ColladaDocument.EffectorInfo) -> EffectorSpeeds {
        func value(_ operand: ColladaDocument.Operand<SIMD2<Double>>?) -> SIMD2<Double>? {
            // Parameters of kinematics hold one number at most, so none can be meant.
            guard case .value(let value)? = operand else { return nil }
            return value
        }
        var speeds = EffectorSpeeds()
        speeds.speed = value(info.speed)
        speeds.acceleration = value(info.acceleration)
        speeds.deceleration = value(info.deceleration)
        speeds.jerk = value(info.jerk)
        return speeds
    }

    private mutating func manipulator(
        _ given: ColladaDocument.OpenRAVEExtension.Manipulator, from scope: Int, _ change: SystemChange
    ) -> Manipulator {
        var manipulator = Manipulator(
            name: given.name, origin: given.origin.flatMap { context.link($0, from: scope) },
            tip: given.tip.flatMap { context.link($0, from: scope) }, tool: given.tool.matrix,
            direction: given.direction,
            gripperJoints: given.gripperJoints.compactMap { context.joint($0, from: scope) })
        manipulator.convert(by: change)
        return manipulator
    }

    // MARK: - Scenes

    private mutating func addScene(_ index: Int) {
        let given = context.document.kinematicsScenes[index]
        let found = context.targets.scenes[index]
        kinematics.scenes.append(
            KinematicsScene(
                id: given.id, name: given.name,
                instances: zip(given.models, found).map { .model(Self.instance($0, of: $1)) }
                    + zip(given.systems, found.dropFirst(given.models.count)).map {
                        .system(sid: $0.sid, name: $0.name, $1.map { SceneIndex($0) })
                    }))
    }

    private mutating func addActive(in scene: Scene) {
        let instances = context.document.scene?.kinematicsScenes ?? []
        guard !instances.isEmpty else { return }
        var nodes = NodeSids(context.shared, scene, self.instances, stepLimit: limits.nodes)
        for given in instances {
            let target = context.references.find(given.target, .kinematicsScene)
            let scope = context.sids.add(.scene, instanced: target.map { context.scopes.scenes[$0] })
            context.sids.add(given.newParameters, given.setParameters, below: scope)
            check(given.setParameters, of: target.map { context.scopes.scenes[$0] })
            check(given.newParameters, from: scope)
            var instance = KinematicsSceneInstance(scene: target.map { SceneIndex($0) })
            for binding in given.models {
                guard let node = node(binding.node, in: &nodes)?.node else { continue }
                guard let (model, place) = model(binding, from: scope) else { continue }
                instance.models.append(.init(model: SceneIndex(model), instance: place, node: SceneIndex(node)))
            }
            for binding in given.axes {
                let node = node(binding.target, in: &nodes)
                guard let (axis, place) = axis(binding, from: scope) else { continue }
                let value = context.number(binding.value, context.quantity(of: axis), from: scope, at: binding.position)
                instance.axes.append(
                    .init(
                        axis: axis, instance: place, node: node.map { SceneIndex($0.node) },
                        transform: node?.transform, value: value))
            }
            kinematics.active.append(instance)
        }
        context.references.log.reportLimit(
            of: nodes.work, "addresses of what kinematics moves pass more nodes than")
    }

    private mutating func node(_ reference: ColladaDocument.Reference?, in nodes: inout NodeSids) -> NodeSids.Found? {
        guard let reference, !reference.text.isEmpty else { return nil }
        if let node = context.references.node(id: reference.id, of: reference) {
            return .init(node: node, transform: nil)
        }
        if let address = TargetAddress(reference.text),
            let root = context.references.node(id: address.id, of: reference),
            let found = nodes.find(address, below: root)
        {
            return found
        }
        context.references.report(.kinematicsBindUnresolved, reference, expected: "node or a transform of one")
        return nil
    }

    private mutating func axis(
        _ binding: ColladaDocument.InstanceKinematicsScene.AxisBinding, from scope: Int
    ) -> (axis: JointAxisReference, instance: Int?)? {
        guard let reference = binding.axis?.reference else {
            context.references.log.add(
                .schemaMissingElement, at: Place(binding.position), "<bind_joint_axis> has no <axis>")
            return nil
        }
        if let found = context.axis(reference.text, from: scope) { return found }
        context.references.report(.kinematicsBindUnresolved, reference, expected: "joint's axis")
        return nil
    }

    /// The model that is bound: a system's is the first it is built of.
    private mutating func model(
        _ binding: ColladaDocument.InstanceKinematicsScene.ModelBinding, from scope: Int
    ) -> (model: Int, instance: Int?)? {
        guard let reference = binding.model?.reference else {
            context.references.log.add(
                .schemaMissingElement, at: Place(binding.position), "<bind_kinematics_model> has no <SIDREF> or <param>"
            )
            return nil
        }
        if let found = context.sids.resolve(reference.text, from: scope) {
            switch context.sids.entity(found) {
            case .model(let model), .instance(model: let model?, system: _, place: _): return (model, found.instance)
            case .system(let system), .instance(model: nil, system: let system?, place: _):
                if let model = context.firstModel(of: system) { return (model, found.instance) }
            case .instance(model: nil, system: nil, place: _), .scene, .joint, .sharedJoint, .axis, .link, .formula,
                .axisInfo, .parameter:
                break
            }
        }
        context.references.report(.kinematicsBindUnresolved, reference, expected: "kinematics_model that is instanced")
        return nil
    }

    // MARK: - Settings

    // Whether what instances set exists, and what their parameters name. A value that is set elsewhere would be lost without
    // a word, and so would a parameter that nothing asks for yet.

    private mutating func checkSettings() {
        for (index, model) in context.document.kinematicsModels.enumerated() {
            check(model.parameters, from: context.scopes.models[index])
        }
        for (index, system) in context.document.articulatedSystems.enumerated() {
            let scope = context.scopes.systems[index]
            switch system.kind {
            case .kinematics(let kinematics):
                for (instance, target) in zip(kinematics.models, context.targets.models[index]) {
                    check(instance, of: target.map { context.scopes.models[$0] }, from: scope)
                }
            case .motion(let motion):
                if let instance = motion.system {
                    check(instance, of: context.targets.motions[index].map { context.scopes.systems[$0] }, from: scope)
                }
                if let effector = motion.effector { check(effector.setParameters, of: scope) }
            case .empty: break
            }
            for info in system.axes {
                check(info.setParameters, of: scope)
                check(info.newParameters, from: scope)
            }
        }
        for (index, scene) in context.document.kinematicsScenes.enumerated() {
            let found = context.targets.scenes[index]
            for (instance, target) in zip(scene.models, found) {
                check(instance, of: target.map { context.scopes.models[$0] }, from: context.scopes.scenes[index])
            }
            for (instance, target) in zip(scene.systems, found.dropFirst(scene.models.count)) {
                check(instance, of: target.map { context.scopes.systems[$0] }, from: context.scopes.scenes[index])
            }
        }
    }

    /// - Parameter instanced: `nil` where it does not exist, which was reported.
    private mutating func check(_ instance: ColladaDocument.InstanceKinematics, of instanced: Int?, from scope: Int) {
        check(instance.setParameters, of: instanced)
        check(instance.newParameters, from: scope)
    }

    private mutating func check(_ settings: [ColladaDocument.SetParameter], of instanced: Int?) {
        guard let instanced else { return }
        for setting in settings where !context.sids.isNamed(setting.reference.text, from: instanced) {
            context.references.report(.kinematicsBindUnresolved, setting.reference, expected: "parameter")
        }
    }

    /// Only the parameter that names nothing is reported, not those that name it in turn.
    private mutating func check(_ parameters: [ColladaDocument.NewParameter], from scope: Int) {
        for parameter in parameters {
            switch parameter.value {
            case .sidref(let reference), .connected(let reference):
                let text = reference.text
                guard !context.sids.isNamed(text, from: scope), context.sids.resolve(text, from: scope) == nil else {
                    continue
                }
                context.references.report(.kinematicsBindUnresolved, reference, expected: "address of sids")
            case .real, .integer, .bool, .empty: break
            }
        }
    }
}

extension ColladaDocument.Operand<ColladaDocument.Reference> {
    /// What is named, by its address or by a parameter.
    fileprivate var reference: ColladaDocument.Reference {
        switch self {
        case .value(let reference), .parameter(let reference): reference
        }
    }
}
