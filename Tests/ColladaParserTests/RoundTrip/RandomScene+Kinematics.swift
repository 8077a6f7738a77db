import SceneModel

extension RandomScene {
    /// Robots; only 1.5 has them.
    mutating func addKinematics() {
        switch version {
        case .v14: return
        case .v15: break
        }
        for _ in 0..<dice.int(0...2) {
            scene.kinematics.formulas.append(
                KinematicFormula(
                    id: newID("formula"), sid: nil, name: maybeName(), target: "part",
                    parameters: ["part", "whole", "other"],
                    symbols: ["whole", "other"]))
        }
        let shared = (0..<2).map { _ in joint(id: newID("joint")) }
        for _ in 0..<dice.int(0...3) { addModel(shared) }
        for _ in 0..<dice.int(0...3) { addSystem() }
        for _ in 0..<dice.int(0...2) { addKinematicsScene() }
        guard !scene.kinematics.scenes.isEmpty else { return }
        for _ in 0..<dice.int(0...2) { addActive() }
    }

    // MARK: - Models

    private mutating func joint(id: String?) -> KinematicJoint {
        KinematicJoint(
            id: id, sid: nil, name: maybeName(),
            axes: (0..<dice.pick([1, 1, 1, 3])).map { _ in
                JointAxis(
                    kind: dice.pick(JointAxis.Kind.allCases), sid: newID("axis"), name: maybeName(),
                    direction: dice.vector(), limits: dice.maybe(0.5) { $0.limits() })
            })
    }

    private mutating func addModel(_ shared: [KinematicJoint]) {
        var model = KinematicsModel(id: newID("robot"), name: maybeName())
        for _ in 0..<dice.int(1...4) {
            var joint = dice.chance(0.4) ? dice.pick(shared) : joint(id: maybeID("joint"))
            joint.sid = newID("joint")
            model.joints.append(joint)
        }
        let count = dice.int(1...6)
        // Each hangs on one on the way to the one before it, or on none.
        var path: [Int] = []
        var carriers = [Int?](repeating: nil, count: count)
        for index in 0..<count {
            model.links.append(KinematicLink(sid: newID("link"), name: maybeName(), matrix: frame()))
            path = Array(path.prefix(dice.int(0...path.count)))
            if let carrier = path.last {
                carriers[index] = carrier
                model.links[carrier].attachments.append(
                    LinkAttachment(
                        role: .carries, joint: SceneIndex(dice.int(0...model.joints.count - 1)),
                        link: SceneIndex(index), matrix: frame()))
            }
            path.append(index)
        }
        tie(&model, &carriers)
        model.roots = carriers.indices.filter { carriers[$0] == nil }.map { SceneIndex($0) }
        scene.kinematics.models.append(model)
        for _ in 0..<dice.int(0...2) { addFormula(to: SceneIndex(scene.kinematics.models.count - 1)) }
    }

    /// Links of two trees, by what is attached at two places.
    private mutating func tie(_ model: inout KinematicsModel, _ carriers: inout [Int?]) {
        func top(_ link: Int) -> Int {
            var here = link
            while let next = carriers[here] { here = next }
            return here
        }
        for joint in model.joints.indices where dice.chance(0.4) {
            let (start, end) = (dice.int(0...carriers.count - 1), dice.int(0...carriers.count - 1))
            // A circle is told of.
            guard top(start) != top(end) else { continue }
            let hangs = carriers[end] == nil
            if hangs { carriers[end] = start }
            model.links[start].attachments.append(
                LinkAttachment(
                    role: hangs ? .carries : .closes, joint: SceneIndex(joint), link: SceneIndex(end), matrix: frame(),
                    end: frame()))
        }
    }

    /// One of the library, or one that stands in the model.
    private mutating func addFormula(to model: SceneIndex<KinematicsModel>) {
        let joints = scene.kinematics.models[model.value].joints.indices.map { SceneIndex<KinematicJoint>($0) }
        let library = scene.kinematics.formulas.indices.filter { !scene.kinematics.formulas[$0].parameters.isEmpty }
        let joint = dice.pick(joints)
        if !library.isEmpty, dice.chance(0.5) {
            scene.kinematics.models[model.value].formulas.append(
                JointFormula(formula: SceneIndex(dice.pick(library)), joint: joint, sources: [dice.pick(joints)]))
        } else {
            let sources = Array(dice.shuffled(joints).prefix(dice.int(0...2)))
            scene.kinematics.formulas.append(
                KinematicFormula(
                    id: maybeID("formula"), sid: maybeID("sid"), name: maybeName(), target: address(joint, of: model),
                    parameters: [], symbols: sources.map { address($0, of: model) }))
            scene.kinematics.models[model.value].formulas.append(
                JointFormula(
                    formula: SceneIndex(scene.kinematics.formulas.count - 1), joint: joint, sources: sources))
        }
    }

    private func address(_ joint: SceneIndex<KinematicJoint>, of model: SceneIndex<KinematicsModel>) -> String {
        let model = scene.kinematics.models[model.value]
        return (model.id ?? "") + "/" + (model.joints[joint.value].sid ?? "")
    }

    // MARK: - Systems

    private mutating func addSystem() {
        let systems = scene.kinematics.systems
        let models = scene.kinematics.models.indices
        var system = ArticulatedSystem(id: newID("system"), name: maybeName(), kind: .empty)
        if !systems.isEmpty, dice.chance(0.5) {
            let other = SceneIndex<ArticulatedSystem>(dice.int(0...systems.count - 1))
            system.kind = .motion(of: other, effector: dice.chance(0.5) ? speeds() : nil)
            let known = systems[other.value].axes.map(\.axis) + axes(of: Array(models))
            if !known.isEmpty { system.axes = (0..<dice.int(0...2)).map { _ in motion(of: dice.pick(known)) } }
        } else {
            let used = models.isEmpty ? [] : dice.list(0...2) { $0.int(0...models.count - 1) }
            let instances = used.map {
                KinematicsModelInstance(sid: newID("use"), name: maybeName(), model: SceneIndex($0))
            }
            system.kind = .kinematics(
                models: instances,
                frames: KinematicFrame.Role.allCases.filter { _ in dice.chance(0.5) }.map { frame($0) })
            let known = axes(of: used)
            if !known.isEmpty { system.axes = (0..<dice.int(0...3)).map { _ in setting(of: dice.pick(known)) } }
        }
        scene.kinematics.systems.append(system)
    }

    private func axes(of models: [Int]) -> [JointAxisReference] {
        models.flatMap { model in
            scene.kinematics.models[model].joints.enumerated().flatMap { place, joint in
                joint.axes.indices.map {
                    JointAxisReference(model: SceneIndex(model), joint: SceneIndex(place), axis: SceneIndex($0))
                }
            }
        }
    }

    private mutating func setting(of axis: JointAxisReference) -> AxisSetting {
        var setting = AxisSetting(axis: axis)
        setting.isActive = dice.maybe(0.5) { $0.chance(0.5) }
        setting.isLocked = dice.maybe(0.5) { $0.chance(0.5) }
        setting.limits = dice.maybe(0.5) { $0.limits() }
        return setting
    }

    private mutating func motion(of axis: JointAxisReference) -> AxisSetting {
        var setting = AxisSetting(axis: axis)
        setting.speed = dice.maybe(0.5) { $0.number() }
        setting.acceleration = dice.maybe(0.5) { $0.number() }
        setting.deceleration = dice.maybe(0.5) { $0.number() }
        setting.jerk = dice.maybe(0.5) { $0.number() }
        return setting
    }

    private mutating func speeds() -> EffectorSpeeds {
        func maybe(_ dice: inout Dice) -> SIMD2<Double>? { dice.maybe(0.5) { SIMD2($0.number(), $0.number()) } }
        var speeds = EffectorSpeeds()
        speeds.speed = maybe(&dice)
        speeds.acceleration = maybe(&dice)
        speeds.deceleration = maybe(&dice)
        speeds.jerk = maybe(&dice)
        return speeds
    }

    private mutating func frame(_ role: KinematicFrame.Role) -> KinematicFrame {
        let models = scene.kinematics.models
        var link: LinkReference?
        if !models.isEmpty, dice.chance(0.7) {
            let model = dice.int(0...models.count - 1)
            link = LinkReference(
                model: SceneIndex(model), link: SceneIndex(dice.int(0...models[model].links.count - 1)))
        }
        return KinematicFrame(role: role, link: link, matrix: frame())
    }

    // MARK: - Scenes

    private mutating func addKinematicsScene() {
        var given = KinematicsScene(id: newID("stage"), name: maybeName())
        let (models, systems) = (scene.kinematics.models.count, scene.kinematics.systems.count)
        for _ in 0..<(models > 0 ? dice.int(0...2) : 0) {
            given.instances.append(
                .model(.init(sid: newID("use"), name: maybeName(), model: SceneIndex(dice.int(0...models - 1)))))
        }
        for _ in 0..<(systems > 0 ? dice.int(0...2) : 0) {
            given.instances.append(
                .system(sid: newID("use"), name: maybeName(), SceneIndex(dice.int(0...systems - 1))))
        }
        scene.kinematics.scenes.append(given)
    }

    private mutating func addActive() {
        let index = SceneIndex<KinematicsScene>(dice.int(0...scene.kinematics.scenes.count - 1))
        let instances = scene.kinematics.scenes[index.value].instances
        var active = KinematicsSceneInstance(scene: index)
        for (place, instance) in instances.enumerated() where dice.chance(0.7) {
            guard let model = scene.kinematics.model(of: instance) else { continue }
            active.models.append(
                .init(model: model, instance: dice.chance(0.7) ? place : nil, node: SceneIndex(anyNode())))
        }
        for (place, instance) in instances.enumerated() {
            guard let model = scene.kinematics.model(of: instance) else { continue }
            let known = axes(of: [model.value])
            for _ in 0..<dice.int(0...2) {
                let (node, transform) = moved()
                active.axes.append(
                    .init(
                        axis: dice.pick(known), instance: dice.chance(0.7) ? place : nil, node: node,
                        transform: transform, value: dice.maybe(0.6) { $0.number() }))
            }
        }
        scene.kinematics.active.append(active)
    }

    private mutating func anyNode() -> Int {
        let node = SceneIndex<Node>(dice.int(0...scene.nodes.count - 1))
        _ = id(of: node)
        return node.value
    }

    /// A node, and maybe a transform that can be addressed.
    private mutating func moved() -> (node: SceneIndex<Node>?, transform: Int?) {
        guard dice.chance(0.8) else { return (nil, nil) }
        let node = anyNode()
        let transforms = scene.nodes[node].transforms
        guard !transforms.isEmpty, dice.chance(0.7) else { return (SceneIndex(node), nil) }
        if scene.nodes[node].transformSIDs.isEmpty { scene.nodes[node].transformSIDs = transforms.map { _ in nil } }
        let place = dice.int(0...transforms.count - 1)
        if scene.nodes[node].transformSIDs[place] == nil { scene.nodes[node].transformSIDs[place] = newID("step") }
        return (SceneIndex(node), place)
    }
}

extension Dice {
    fileprivate mutating func limits() -> JointLimits {
        let (one, other) = (number(), number())
        switch int(0...2) {
        case 0: return JointLimits(min: one, max: nil)
        case 1: return JointLimits(min: nil, max: other)
        default: return JointLimits(min: min(one, other), max: max(one, other))  // integers
        }
    }
}

extension Kinematics {
    /// The model of an instance: of a system the first that it is built of.
    func model(of instance: KinematicsScene.Instance) -> SceneIndex<KinematicsModel>? {
        switch instance {
        case .model(let model): return model.model
        case .system(sid: _, name: _, let system):
            var next = system
            while let here = next {
                switch systems[here.value].kind {
                case .kinematics(let models, frames: _): return models.first?.model
                case .motion(let other, effector: _): next = other
                case .empty: return nil
                }
            }
            return nil
        }
    }
}
