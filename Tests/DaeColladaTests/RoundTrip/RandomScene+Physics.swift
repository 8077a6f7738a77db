import DaeScene

extension RandomScene {
    mutating func addPhysics() {
        for _ in 0..<dice.int(0...2) { scene.physics.materials.append(physicsMaterial(id: newID("stuff"))) }
        for _ in 0..<dice.int(0...3) { addPhysicsModel() }
        for _ in 0..<dice.int(0...2) {
            scene.physics.scenes.append(
                PhysicsScene(
                    id: newID("physics"), name: maybeName(), gravity: dice.maybe(0.7) { $0.vector() },
                    timeStep: dice.maybe(0.5) { $0.positive() }, instances: instances(0...2)))
        }
        guard !scene.physics.scenes.isEmpty else { return }
        scene.physics.active = dice.list(0...2) { [scene] in SceneIndex($0.int(0...scene.physics.scenes.count - 1)) }
    }

    // MARK: - Materials

    private mutating func physicsMaterial(id: String?) -> PhysicsMaterial {
        PhysicsMaterial(
            id: id, name: maybeName(), dynamicFriction: dice.maybe(0.6) { $0.number() },
            restitution: dice.maybe(0.6) { $0.number() }, staticFriction: dice.maybe(0.6) { $0.number() })
    }

    /// One that is there, or a new one; those without an id must stand where they are used.
    private mutating func materialOfBody() -> SceneIndex<PhysicsMaterial>? {
        let named = scene.physics.materials.indices.filter { scene.physics.materials[$0].id != nil }
        switch dice.int(0...4) {
        case 0, 1: return nil
        case 2: return named.isEmpty ? nil : SceneIndex(dice.pick(named))
        default:  // integers
            let id = maybeID("stuff")
            scene.physics.materials.append(physicsMaterial(id: id))
            return SceneIndex(scene.physics.materials.count - 1)
        }
    }

    // MARK: - Models

    /// Each instances only those before it.
    private mutating func addPhysicsModel() {
        let index = SceneIndex<PhysicsModel>(scene.physics.models.count)
        var model = PhysicsModel(id: newID("model"), name: maybeName())
        for _ in 0..<dice.int(0...3) {
            model.bodies.append(
                RigidBody(
                    id: version == .v15 ? maybeID("body") : nil, sid: newID("body"), name: maybeName(),
                    properties: bodyProperties()))
        }
        scene.physics.models.append(model)
        scene.physics.models[index.value].constraints = (0..<dice.int(0...3)).map { _ in constraint(in: index) }
        let earlier = index.value == 0 ? [] : instances(0...2, before: index.value)
        scene.physics.models[index.value].instances = earlier
        // What may hang on the bodies of models within.
        guard !earlier.isEmpty, dice.chance(0.5) else { return }
        let late = constraint(in: index)
        scene.physics.models[index.value].constraints.append(late)
    }

    private mutating func bodyProperties() -> RigidBodyProperties {
        let motion: RigidBodyProperties.Motion? = dice.pick([nil, .dynamic, .fixed])
        return RigidBodyProperties(
            motion: motion,
            mass: dice.maybe(0.5) { motion == .dynamic ? $0.positive() : $0.number() },
            massFrame: dice.chance(0.3) ? frame() : nil, inertia: dice.maybe(0.3) { $0.vector() },
            material: materialOfBody(), shapes: (0..<dice.pick([0, 1, 1, 2])).map { _ in shape() })
    }

    private mutating func shape() -> PhysicsShape {
        let filling: PhysicsShape.Filling? = dice.pick([nil, .solid, .hollow])
        let (mass, density) = (dice.maybe(0.3) { $0.number() }, dice.maybe(0.3) { $0.number() })
        let material = materialOfBody()
        let form: PhysicsShape.Form =
            dice.chance(0.2)
            ? .geometry(SceneIndex(dice.int(0...scene.geometries.count - 1))) : .primitive(primitive())
        return PhysicsShape(
            form: form, filling: filling, mass: mass, density: density, material: material, matrix: frame())
    }

    /// A volume that either version has.
    private mutating func primitive() -> PhysicsPrimitive {
        func radii(_ dice: inout Dice) -> SIMD2<Double> { SIMD2(dice.positive(), dice.positive()) }
        let half = SIMD3(dice.positive(), dice.positive(), dice.positive())
        let height = dice.positive()
        switch (dice.int(0...6), version) {
        case (0, _): return .plane(normal: SIMD3(dice.number(), dice.number(), 1), offset: dice.number())
        case (1, _): return .box(halfExtents: half)
        case (2, _): return .sphere(radius: height)
        case (3, .v14): return .taperedCylinder(height: height, upper: radii(&dice), lower: .zero)
        case (4, .v14): return .taperedCapsule(height: height, upper: radii(&dice), lower: radii(&dice))
        case (3...5, _):
            return .capsule(
                height: height, radii: radii(&dice), cap: version == .v15 ? dice.maybe(0.6) { $0.positive() } : nil)
        default: return .cylinder(height: height, radii: radii(&dice))  // integers
        }
    }

    /// A matrix of translations and rotations, as elements without a `<matrix>` may say it.
    mutating func frame() -> Matrix4 {
        guard dice.chance(0.5) else { return .identity }
        let transforms = dice.list(1...3) { dice -> Transform in
            let vector = SIMD3(dice.tame(), dice.tame(), dice.tame())
            return dice.chance(0.5) ? .translate(vector) : .rotate(axis: vector, degrees: dice.tame())
        }
        frames[transforms.matrix.rows] = transforms
        return transforms.matrix
    }

    // MARK: - Constraints

    private mutating func constraint(in model: SceneIndex<PhysicsModel>) -> RigidConstraint {
        var settings = RigidConstraintSettings()
        settings.isEnabled = dice.chance(0.8)
        settings.interpenetrates = dice.chance(0.3)
        settings.swingConeAndTwist = dice.maybe(0.4) { $0.range() }
        settings.linear = dice.maybe(0.4) { $0.range() }
        settings.angularSpring = dice.maybe(0.4) { $0.spring() }
        settings.linearSpring = dice.maybe(0.4) { $0.spring() }
        return RigidConstraint(
            sid: newID("constraint"), name: maybeName(),
            reference: .init(anchor: anchor(in: model), matrix: frame()),
            attachment: .init(anchor: anchor(in: model), matrix: frame()), settings: settings)
    }

    private mutating func anchor(in model: SceneIndex<PhysicsModel>) -> RigidConstraint.Anchor {
        let bodies = scene.bodies(within: model)
        switch dice.int(0...4) {
        case 0: return .world
        case 1: return .node(anchorNode())
        default: return bodies.isEmpty ? .world : .body(dice.pick(bodies))  // integers
        }
    }

    private mutating func anchorNode() -> SceneIndex<Node> {
        let node = SceneIndex<Node>(dice.int(0...scene.nodes.count - 1))
        _ = id(of: node)
        return node
    }

    // MARK: - Instances

    private mutating func instances(_ counts: ClosedRange<Int>, before: Int? = nil) -> [PhysicsModelInstance] {
        let models = before ?? scene.physics.models.count
        guard models > 0 else { return [] }
        return (0..<dice.int(counts)).map { _ in instance(of: SceneIndex(dice.int(0...models - 1))) }
    }

    private mutating func instance(of model: SceneIndex<PhysicsModel>) -> PhysicsModelInstance {
        var instance = PhysicsModelInstance(
            sid: maybeID("instance"), name: maybeName(), model: model, parent: dice.chance(0.5) ? anchorNode() : nil)
        let bodies = scene.bodies(within: model)
        if !bodies.isEmpty {
            instance.bodies = (0..<dice.int(0...2)).map { _ in
                RigidBodyInstance(
                    sid: maybeID("instance"), name: maybeName(), body: dice.pick(bodies),
                    node: dice.chance(0.8) ? anchorNode() : nil, velocity: dice.chance(0.5) ? dice.vector() : .zero,
                    angularVelocity: dice.chance(0.5) ? dice.vector() : .zero,
                    overrides: dice.chance(0.4)
                        ? bodyProperties()
                        : RigidBodyProperties(
                            motion: nil, mass: nil, massFrame: nil, inertia: nil, material: nil, shapes: []))
            }
        }
        let constraints = scene.models(within: model).flatMap { model in
            scene.physics.models[model].constraints.indices.map {
                RigidConstraintReference(model: model, constraint: SceneIndex($0))
            }
        }
        if !constraints.isEmpty { instance.constraints = dice.list(0...2) { $0.pick(constraints) } }
        return instance
    }
}

extension Dice {
    fileprivate mutating func range() -> RigidConstraintSettings.Range {
        let ends: [Double] = [.infinity, -.infinity]
        func vector(_ dice: inout Dice) -> SIMD3<Double> {
            SIMD3(dice.number(), dice.chance(0.3) ? dice.pick(ends) : dice.number(), dice.number())
        }
        return .init(min: vector(&self), max: vector(&self))
    }

    fileprivate mutating func spring() -> RigidConstraintSettings.Spring {
        .init(stiffness: number(), damping: number(), target: number())
    }
}

extension Scene {
    /// A model and those it instances, those they instance, and so on.
    fileprivate func models(within model: SceneIndex<PhysicsModel>) -> [SceneIndex<PhysicsModel>] {
        var found = [model]
        var next = 0
        while next < found.count {
            for inner in physics.models[found[next]].instances.compactMap(\.model) where !found.contains(inner) {
                found.append(inner)
            }
            next += 1
        }
        return found
    }

    fileprivate func bodies(within model: SceneIndex<PhysicsModel>) -> [RigidBodyReference] {
        models(within: model).flatMap { model in
            physics.models[model].bodies.indices.map { RigidBodyReference(model: model, body: SceneIndex($0)) }
        }
    }
}
