import DaeScene

extension RandomScene {
    mutating func addSystem() {
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

    mutating func addKinematicsScene() {
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

    mutating func addActive() {
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
