// Links, joints and formulas of models.

import DaeDiagnostics
import DaeScene
import DaeXML

extension KinematicsBuilder {
    mutating func addModel(_ index: Int) {
        let given = document.kinematicsModels[index]
        var model = KinematicsModel(
            id: given.id, name: given.name, joints: zip(given.joints, targets.joints[index]).map { joint($0, $1) })
        model.links = given.links.map { KinematicLink(sid: $0.sid, name: $0.name, matrix: $0.transforms.matrix) }
        let places = Dictionary(
            targets.joints[index].enumerated().compactMap { place, target in target.map { ($0, place) } },
            uniquingKeysWith: { first, _ in first })
        var tree = LinkTree(count: given.links.count)
        var starts: [Int: [LinkEnd]] = [:]
        var ends: [Int: [LinkEnd]] = [:]
        for (place, link) in given.links.enumerated() {
            for attachment in link.attachments {
                let joint = self.joint(of: attachment, in: index, places)
                let end = LinkEnd(link: place, matrix: attachment.transforms.matrix, joint: attachment.joint)
                switch attachment.kind {
                case .full(link: let carried?):
                    tree.hang(carried, on: place)
                    model.links[place].attachments.append(
                        .init(
                            role: .carries, joint: joint.map { SceneIndex($0) }, link: SceneIndex(carried),
                            matrix: end.matrix))
                case .full(link: nil):
                    references.log.add(
                        .schemaMissingElement, at: Place(attachment.joint.position), "<attachment_full> has no <link>")
                case .start: if let joint { starts[joint, default: []].append(end) }
                case .end: if let joint { ends[joint, default: []].append(end) }
                }
            }
        }
        join(starts, ends, in: &model, &tree)
        let change = systems.change(at: given.position)
        for link in model.links.indices { model.links[link].convert(by: change) }
        model.roots = given.links.indices.filter { tree.isRoot($0) }.map { SceneIndex($0) }
        kinematics.models.append(model)
        for text in given.openRAVE.noncolliding {
            if let link = link(text, from: scopes.models[index]), link.model.value == index {
                kinematics.models[index].noncolliding.append(link.link)
            }
        }
    }

    private func joint(_ joint: ColladaDocument.ModelJoint, _ target: Int?) -> KinematicJoint {
        let source = target.map { document.joints[$0] }
        var axes: [JointAxis] = []
        if let source {
            let change = systems.change(at: source.position)
            axes = source.axes.map { $0.converted(by: change) }
        }
        switch joint {
        case .own: return KinematicJoint(id: source?.id, sid: source?.sid, name: source?.name, axes: axes)
        case .instance(let sid, let name, _):
            return KinematicJoint(id: source?.id, sid: sid, name: name ?? source?.name, axes: axes)
        }
    }

    /// The joint of an attachment, among its own model's; reported where it is not.
    ///
    /// - Parameter places: Of the joints that the model instances.
    private mutating func joint(
        of attachment: ColladaDocument.Attachment, in model: Int, _ places: [Int: Int]
    ) -> Int? {
        let text = attachment.joint.text
        if let found = sids.resolve(text, from: scopes.models[model]) {
            switch sids.entity(found) {
            case .joint(let joint) where joint.model.value == model: return joint.joint.value
            case .sharedJoint(let target):
                // Named by its own id, not by the instance.
                if let place = places[target] { return place }
            case .joint, .scene, .model, .system, .axis, .link, .formula, .axisInfo, .parameter, .instance: break
            }
        }
        // Often only the model's id is written wrong: then the sid behind it still says which joint is meant.
        if let sid = text.split(separator: "/").last, sid.count < text.count,
            let found = sids.resolve("./\(sid)", from: scopes.models[model]),
            case .joint(let joint) = sids.entity(found),
            joint.model.value == model
        {
            references.log.add(
                .kinematicsJointUnresolved, at: Place(attachment.joint.position),
                "\(text.quoted()) leads to nothing; the model's own joint \(sid.quoted()) is taken",
                arguments: [.init("reference", text), .init("joint", String(sid))])
            return joint.joint.value
        }
        references.report(.kinematicsJointUnresolved, attachment.joint, expected: "joint of the model")
        return nil
    }

    // MARK: - Starts and ends

    struct LinkEnd {
        let link: Int
        let matrix: Matrix4
        let joint: ColladaDocument.Reference
    }

    /// Joins what is attached in two places; what would close a circle is kept beside the tree.
    private mutating func join(
        _ starts: [Int: [LinkEnd]], _ ends: [Int: [LinkEnd]], in model: inout KinematicsModel, _ tree: inout LinkTree
    ) {
        for joint in Set(starts.keys).union(ends.keys).sorted() {
            let left = starts[joint] ?? []
            let right = ends[joint] ?? []
            for (start, end) in zip(left, right) {
                let role: LinkAttachment.Role
                switch tree.join(end.link, to: start.link) {
                case .hung: role = .carries
                case .tied: role = .closes
                case .circle:
                    role = .closes
                    references.log.add(
                        .kinematicsLinkCycle, at: Place(start.joint.position),
                        "the attachments of \(start.joint.text.quoted()) close a circle of links; it is kept beside the tree",
                        arguments: [.init("joint", start.joint.text)])
                }
                model.links[start.link].attachments.append(
                    .init(
                        role: role, joint: SceneIndex(joint), link: SceneIndex(end.link), matrix: start.matrix,
                        end: end.matrix))
            }
            for lone in left.dropFirst(right.count) + right.dropFirst(left.count) {
                references.log.add(
                    .kinematicsJointUnresolved, at: Place(lone.joint.position),
                    "\(lone.joint.text.quoted()) is attached at one end only",
                    arguments: [.init("joint", lone.joint.text)])
            }
        }
    }
}

/// Which link hangs on which, so far.
struct LinkTree {
    enum Joined {
        /// It had hung on none, and hangs on the other now.
        case hung
        /// It hangs in another tree already.
        case tied
        /// Both are in one tree already.
        case circle
    }
    private var carriers: [Int?]
    /// Links of one tree lead to the same one; shortened while they are walked.
    private var leaders: [Int]

    init(count: Int) {
        carriers = Array(repeating: nil, count: count)
        leaders = Array(0..<count)
    }

    func isRoot(_ link: Int) -> Bool { carriers[link] == nil }

    mutating func hang(_ link: Int, on carrier: Int) {
        carriers[link] = carrier
        leaders[leader(of: link)] = leader(of: carrier)
    }

    mutating func join(_ link: Int, to carrier: Int) -> Joined {
        guard leader(of: link) != leader(of: carrier) else { return .circle }
        guard isRoot(link) else { return .tied }
        hang(link, on: carrier)
        return .hung
    }

    private mutating func leader(of link: Int) -> Int {
        var here = link
        while leaders[here] != here {
            leaders[here] = leaders[leaders[here]]
            here = leaders[here]
        }
        return here
    }
}

// Articulated systems and kinematics scenes.

extension KinematicsBuilder {
    mutating func addSystem(_ index: Int) {
        let given = document.articulatedSystems[index]
        let scope = scopes.systems[index]
        let change = systems.change(at: given.position)
        var system = ArticulatedSystem(
            id: given.id, name: given.name, kind: .empty, interface: given.openRAVE.interface)
        switch given.kind {
        case .kinematics(let kinematics):
            system.kind = .kinematics(
                models: zip(kinematics.models, targets.models[index]).map { instance($0, of: $1) },
                frames: kinematics.frames.map { frame($0, from: scope, change) })
        case .motion(let motion):
            system.kind = .motion(
                of: targets.motions[index].map { SceneIndex($0) },
                effector: motion.effector.map { speeds($0).converted(by: change) })
        case .empty: break
        }
        for (place, info) in given.axes.enumerated() {
            if let setting = setting(info, from: scopes.axisInfos[index][place]) { system.axes.append(setting) }
        }
        system.manipulators = given.openRAVE.manipulators.map { manipulator($0, from: scope, change) }
        kinematics.systems.append(system)
    }

    private func instance(
        _ given: ColladaDocument.InstanceKinematics, of model: Int?
    ) -> KinematicsModelInstance {
        KinematicsModelInstance(sid: given.sid, name: given.name, model: model.map { SceneIndex($0) })
    }

    private mutating func frame(
        _ given: ColladaDocument.Frame, from scope: Int, _ change: SystemChange
    ) -> KinematicFrame {
        let link = given.link.flatMap { self.link($0.text, from: scope) }
        if let reference = given.link, link == nil {
            references.report(.kinematicsBindUnresolved, reference, expected: "link")
        }
        var frame = KinematicFrame(role: given.role, link: link, matrix: given.transforms.matrix)
        frame.convert(by: change)
        return frame
    }

    private mutating func setting(_ info: ColladaDocument.AxisInfo, from scope: Int) -> AxisSetting? {
        let axis = axis(info.axis.text, from: scope)?.axis
        for use in info.formulas { add(use, from: scope, axis: axis) }
        guard let axis else {
            references.report(.kinematicsJointUnresolved, info.axis, expected: "joint's axis")
            return nil
        }
        let quantity = quantity(of: axis)
        var setting = AxisSetting(axis: axis)
        setting.isActive = flag(info.active, from: scope)
        setting.isLocked = flag(info.locked, from: scope)
        if let given = info.limits {
            let limits = JointLimits(
                min: number(given.min, quantity, from: scope, at: info.position).flatMap { $0.isFinite ? $0 : nil },
                max: number(given.max, quantity, from: scope, at: info.position).flatMap { $0.isFinite ? $0 : nil })
            if limits.isInverted, let min = limits.min, let max = limits.max {
                references.log.add(
                    .kinematicsLimitsInverted, at: Place(info.position),
                    "the least value is \(min), the greatest is \(max)",
                    arguments: [.init("min", "\(min)"), .init("max", "\(max)")])
            }
            setting.limits = limits
        }
        setting.speed = number(info.speed, quantity, from: scope, at: info.position)
        setting.acceleration = number(info.acceleration, quantity, from: scope, at: info.position)
        setting.deceleration = number(info.deceleration, quantity, from: scope, at: info.position)
        setting.jerk = number(info.jerk, quantity, from: scope, at: info.position)
        return setting
    }

    private func speeds(_ info: ColladaDocument.EffectorInfo) -> EffectorSpeeds {
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
            name: given.name, origin: given.origin.flatMap { link($0, from: scope) },
            tip: given.tip.flatMap { link($0, from: scope) }, tool: given.tool.matrix, direction: given.direction,
            gripperJoints: given.gripperJoints.compactMap { joint($0, from: scope) })
        manipulator.convert(by: change)
        return manipulator
    }

    // MARK: - Scenes

    mutating func addScene(_ index: Int) {
        let given = document.kinematicsScenes[index]
        let found = targets.scenes[index]
        kinematics.scenes.append(
            KinematicsScene(
                id: given.id, name: given.name,
                instances: zip(given.models, found).map { .model(instance($0, of: $1)) }
                    + zip(given.systems, found.dropFirst(given.models.count)).map {
                        .system(sid: $0.sid, name: $0.name, $1.map { SceneIndex($0) })
                    }))
    }

    mutating func addActive(in scene: Scene) {
        let instances = document.scene?.kinematicsScenes ?? []
        guard !instances.isEmpty else { return }
        var nodes = NodeSids(shared, scene, self.instances, stepLimit: limits.nodes)
        for given in instances {
            let target = references.find(given.target, .kinematicsScene)
            let scope = sids.add(.scene, instanced: target.map { scopes.scenes[$0] })
            add(given.newParameters, given.setParameters, below: scope)
            check(given.setParameters, of: target.map { scopes.scenes[$0] })
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
                let value = number(binding.value, quantity(of: axis), from: scope, at: binding.position)
                instance.axes.append(
                    .init(
                        axis: axis, instance: place, node: node.map { SceneIndex($0.node) },
                        transform: node?.transform, value: value))
            }
            kinematics.active.append(instance)
        }
        if nodes.isExhausted {
            references.log.reportLimit(limits.nodes, "addresses of what kinematics moves pass more nodes than")
        }
    }

    private mutating func node(
        _ reference: ColladaDocument.Reference?, in nodes: inout NodeSids
    ) -> NodeSids.Found? {
        guard let reference, !reference.text.isEmpty else { return nil }
        if let node = references.node(id: reference.id, of: reference) { return .init(node: node, transform: nil) }
        if let address = TargetAddress(reference.text), let root = references.node(id: address.id, of: reference),
            let found = nodes.find(address, below: root)
        {
            return found
        }
        references.report(.kinematicsBindUnresolved, reference, expected: "node or a transform of one")
        return nil
    }

    private mutating func axis(
        _ binding: ColladaDocument.InstanceKinematicsScene.AxisBinding, from scope: Int
    ) -> (axis: JointAxisReference, instance: Int?)? {
        guard let reference = binding.axis?.reference else {
            references.log.add(.schemaMissingElement, at: Place(binding.position), "<bind_joint_axis> has no <axis>")
            return nil
        }
        if let found = axis(reference.text, from: scope) { return found }
        references.report(.kinematicsBindUnresolved, reference, expected: "joint's axis")
        return nil
    }

    /// The model that is bound: a system's is the first it is built of.
    private mutating func model(
        _ binding: ColladaDocument.InstanceKinematicsScene.ModelBinding, from scope: Int
    ) -> (model: Int, instance: Int?)? {
        guard let reference = binding.model?.reference else {
            references.log.add(
                .schemaMissingElement, at: Place(binding.position), "<bind_kinematics_model> has no <SIDREF> or <param>"
            )
            return nil
        }
        if let found = sids.resolve(reference.text, from: scope) {
            switch sids.entity(found) {
            case .model(let model), .instance(model: let model?, system: _, place: _): return (model, found.instance)
            case .system(let system), .instance(model: nil, system: let system?, place: _):
                if let model = firstModel(of: system) { return (model, found.instance) }
            case .instance(model: nil, system: nil, place: _), .scene, .joint, .sharedJoint, .axis, .link, .formula,
                .axisInfo, .parameter:
                break
            }
        }
        references.report(.kinematicsBindUnresolved, reference, expected: "kinematics_model that is instanced")
        return nil
    }

    private func firstModel(of system: Int) -> Int? {
        var system = system
        // Motions were cut where they lead back.
        while let next = targets.motions[system] { system = next }
        return targets.models[system].lazy.compactMap { $0 }.first
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
