import DaeScene

/// The libraries of physics stand in one order: materials within bodies come behind those of their library.
extension ColladaWriter {
    /// By document.
    mutating func physics() -> [[String]] {
        let inline = firstInlineMaterial()
        inlineMaterials = Set(inline..<scene.physics.materials.count)
        var libraries = spread("library_physics_models", .physicsModel, scene.physics.models.indices) {
            $0.physicsModel($1)
        }.map { [$0] }
        let materials = scene.physics.materials[..<inline].map { physicsMaterial($0) }
        libraries[0].insert(library("library_physics_materials", materials), at: 0)
        libraries[0].append(library("library_physics_scenes", scene.physics.scenes.map { physicsScene($0) }))
        return libraries
    }

    // MARK: - Materials

    /// From which on materials stand where they are first used: those without an id must, and their order is that of
    /// their first uses.
    private mutating func firstInlineMaterial() -> Int {
        let isSpread = scene.physics.models.indices.contains { split.document(of: .physicsModel, $0) > 0 }
        guard !isSpread else { return scene.physics.materials.count }
        var order: [Int] = []
        let properties =
            scene.physics.models.flatMap { model in
                model.bodies.map(\.properties) + model.instances.flatMap(\.bodies).map(\.overrides)
            } + scene.physics.scenes.flatMap(\.instances).flatMap(\.bodies).map(\.overrides)
        for properties in properties {
            for use in [properties.material] + properties.shapes.map(\.material) {
                guard let use, !order.contains(use.value) else { continue }
                order.append(use.value)
            }
        }
        let materials = scene.physics.materials
        var first = materials.count
        while first > 0 {
            let place = order.firstIndex(of: first - 1)
            let next = first == materials.count ? order.count : order.firstIndex(of: first) ?? 0
            guard let place, place < next else { break }
            first -= 1
        }
        let nameless = materials.firstIndex { $0.id == nil } ?? materials.count
        return dice.int(min(first, nameless)...nameless)
    }

    private func physicsMaterial(_ material: PhysicsMaterial) -> String {
        Markup.element(
            "physics_material", ["id": material.id, "name": material.name],
            Markup.element(
                "technique_common", [:],
                number("dynamic_friction", material.dynamicFriction) + number("restitution", material.restitution)
                    + number("static_friction", material.staticFriction)))
    }

    private mutating func material(_ index: SceneIndex<PhysicsMaterial>?) -> String {
        guard let index else { return "" }
        let material = scene.physics.materials[index.value]
        if inlineMaterials.remove(index.value) != nil { return physicsMaterial(material) }
        return Markup.element(
            "instance_physics_material", ["url": material.id.map { split.reference(to: $0, in: 0, from: home) }])
    }

    // MARK: - Models

    private mutating func physicsModel(_ index: Int) -> String {
        let model = scene.physics.models[index]
        var content = ""
        for body in model.bodies {
            content += Markup.element(
                "rigid_body", ["id": body.id, "sid": body.sid, "name": body.name],
                Markup.element("technique_common", [:], bodyProperties(body.properties)))
        }
        for constraint in model.constraints { content += self.constraint(constraint, in: index) }
        for instance in model.instances { content += self.instance(instance) }
        return Markup.element("physics_model", ["id": model.id, "name": model.name], content)
    }

    private mutating func bodyProperties(_ properties: RigidBodyProperties) -> String {
        var content = ""
        switch properties.motion {
        case .dynamic: content += Markup.element("dynamic", [:], dice.pick(["true", "1"]))
        case .fixed: content += Markup.element("dynamic", [:], dice.pick(["false", "0"]))
        case nil: break
        }
        content += number("mass", properties.mass)
        if let frame = properties.massFrame { content += Markup.element("mass_frame", [:], placement(frame)) }
        if let inertia = properties.inertia { content += Markup.element("inertia", [:], Markup.numbers(inertia.array)) }
        content += material(properties.material)
        for shape in properties.shapes { content += self.shape(shape) }
        return content
    }

    private mutating func shape(_ shape: PhysicsShape) -> String {
        var content = ""
        switch shape.filling {
        case .hollow: content += Markup.element("hollow", [:], "true")
        case .solid: content += Markup.element("hollow", [:], "false")
        case nil: break
        }
        content += number("mass", shape.mass) + number("density", shape.density) + material(shape.material)
        switch shape.form {
        case .primitive(let primitive): content += Markup.element(primitive.name, [:], numbers(of: primitive))
        case .geometry(let geometry):
            content += Markup.element("instance_geometry", ["url": reference(.geometry, geometry.value)])
        case .missing: break
        }
        return Markup.element("shape", [:], content + placement(shape.matrix))
    }

    private func numbers(of primitive: PhysicsPrimitive) -> String {
        func list(_ name: String, _ numbers: [Double]) -> String {
            Markup.element(name, [:], Markup.numbers(numbers))
        }
        return switch primitive {
        case .plane(let normal, let offset): list("equation", normal.array + [offset])
        case .box(let half): list("half_extents", half.array)
        case .sphere(let radius): list("radius", [radius])
        case .ellipsoid(let size): list("size", size.array)
        case .cylinder(let height, let radii): list("height", [height]) + list("radius", radii.array)
        case .capsule(let height, let radii, let cap):
            list("height", [height]) + list("radius", [radii.x] + [cap].compactMap { $0 } + [radii.y])
        case .taperedCylinder(let height, let upper, let lower), .taperedCapsule(let height, let upper, let lower):
            list("height", [height]) + list("radius1", upper.array) + list("radius2", lower.array)
        }
    }

    // MARK: - Constraints

    private mutating func constraint(_ constraint: RigidConstraint, in model: Int) -> String {
        let settings = constraint.settings
        var content = ""
        if !settings.isEnabled || dice.chance(0.3) {
            content += Markup.element("enabled", [:], settings.isEnabled.description)
        }
        if settings.interpenetrates || dice.chance(0.3) {
            content += Markup.element("interpenetrate", [:], settings.interpenetrates.description)
        }
        content += group(
            "limits", [("swing_cone_and_twist", settings.swingConeAndTwist), ("linear", settings.linear)]
        ) {
            Markup.element("min", [:], Markup.reals($0.min.array))
                + Markup.element("max", [:], Markup.reals($0.max.array))
        }
        content += group("spring", [("angular", settings.angularSpring), ("linear", settings.linearSpring)]) {
            number("stiffness", $0.stiffness) + number("damping", $0.damping) + number("target_value", $0.target)
        }
        return Markup.element(
            "rigid_constraint", ["sid": constraint.sid, "name": constraint.name],
            attachment("ref_attachment", constraint.reference, in: model)
                + attachment("attachment", constraint.attachment, in: model)
                + Markup.element("technique_common", [:], content))
    }

    private func group<Value>(
        _ name: String, _ parts: [(name: String, value: Value?)], _ write: (Value) -> String
    ) -> String {
        let content = parts.compactMap { part in part.value.map { Markup.element(part.name, [:], write($0)) } }
        return content.isEmpty ? "" : Markup.element(name, [:], content.joined())
    }

    private mutating func attachment(
        _ name: String, _ attachment: RigidConstraint.Attachment, in model: Int
    ) -> String {
        let address: String? =
            switch attachment.anchor {
            case .body(let body): self.address(of: body, in: model)
            case .node(let node): reference(.node, node.value)
            case .world, .lost: dice.chance(0.5) ? nil : ""
            }
        return Markup.element(name, ["rigid_body": address], placement(attachment.matrix))
    }

    /// By its sid, by its id, or by both its model's id and its sid.
    private mutating func address(of body: RigidBodyReference, in model: Int) -> String {
        let owner = scene.physics.models[body.model.value]
        let (id, sid) = (owner.bodies[body.body.value].id, owner.bodies[body.body.value].sid ?? "")
        guard split.document(of: .physicsModel, body.model.value) == home else { return sid }
        switch dice.int(0...2) {
        case 0 where id != nil: return "#" + (id ?? "")
        case 1: return (owner.id ?? "") + "/" + sid
        default: return sid  // integers
        }
    }

    // MARK: - Scenes

    private mutating func physicsScene(_ scene: PhysicsScene) -> String {
        var instances = ""
        for instance in scene.instances { instances += self.instance(instance) }
        var content = ""
        if let gravity = scene.gravity { content += Markup.element("gravity", [:], Markup.numbers(gravity.array)) }
        content += number("time_step", scene.timeStep)
        return Markup.element(
            "physics_scene", ["id": scene.id, "name": scene.name],
            instances + Markup.element("technique_common", [:], content))
    }

    private mutating func instance(_ instance: PhysicsModelInstance) -> String {
        var content = ""
        for body in instance.bodies { content += self.instance(body) }
        for constraint in instance.constraints {
            content += Markup.element(
                "instance_rigid_constraint",
                [
                    "constraint": scene.physics.models[constraint.model.value].constraints[constraint.constraint.value]
                        .sid
                ])
        }
        return Markup.element(
            "instance_physics_model",
            [
                "sid": instance.sid, "name": instance.name,
                "url": instance.model.flatMap { reference(.physicsModel, $0.value) },
                "parent": instance.parent.flatMap { reference(.node, $0.value) },
            ], content)
    }

    private mutating func instance(_ instance: RigidBodyInstance) -> String {
        var content = ""
        if instance.angularVelocity != .zero {
            content += Markup.element("angular_velocity", [:], Markup.numbers(instance.angularVelocity.array))
        }
        if instance.velocity != .zero {
            content += Markup.element("velocity", [:], Markup.numbers(instance.velocity.array))
        }
        content += bodyProperties(instance.overrides)
        let body = instance.body.flatMap { scene.physics.models[$0.model.value].bodies[$0.body.value].sid }
        return Markup.element(
            "instance_rigid_body",
            [
                "sid": instance.sid, "name": instance.name, "body": body,
                "target": instance.node.flatMap { reference(.node, $0.value) } ?? "",
            ], Markup.element("technique_common", [:], content))
    }

    // MARK: - Shared

    private func number(_ name: String, _ value: Double?) -> String {
        value.map { Markup.element(name, [:], Markup.reals([$0])) } ?? ""
    }

    /// As translations and rotations.
    func placement(_ matrix: Matrix4) -> String {
        (frames[matrix.rows] ?? []).map { Markup.element($0.element, [:], Markup.numbers($0.numbers)) }.joined()
    }
}
