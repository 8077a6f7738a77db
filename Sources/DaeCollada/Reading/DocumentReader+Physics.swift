import DaeDiagnostics
import DaeScene
import DaeSchema

extension DocumentReader {
    mutating func decodePhysicsMaterial(_ view: ElementView) -> ColladaDocument.PhysicsMaterial {
        let common = view.first(.techniqueCommon)
        return ColladaDocument.PhysicsMaterial(
            position: view.position,
            material: PhysicsMaterial(
                id: view.attribute(.id), name: view.attribute(.name),
                dynamicFriction: real(in: common?.first(.dynamicFriction)),
                restitution: real(in: common?.first(.restitution)),
                staticFriction: real(in: common?.first(.staticFriction))), extras: view.extras)
    }

    mutating func decodeForceField(_ view: ElementView) -> ColladaDocument.ForceField {
        ColladaDocument.ForceField(
            id: view.attribute(.id), name: view.attribute(.name), position: view.position, extras: view.extras)
    }

    mutating func decodePhysicsModel(_ view: ElementView) -> ColladaDocument.PhysicsModel {
        ColladaDocument.PhysicsModel(
            id: view.attribute(.id), name: view.attribute(.name), position: view.position,
            bodies: view.all(.rigidBody).map { decodeRigidBody($0) },
            constraints: view.all(.rigidConstraint).map { decodeRigidConstraint($0) },
            instances: view.all(.instancePhysicsModel).map { decodeInstancePhysicsModel($0) }, extras: view.extras)
    }

    private mutating func decodeRigidBody(_ view: ElementView) -> ColladaDocument.RigidBody {
        let properties = decodeBodyProperties(view.first(.techniqueCommon))
        // A mass of 0 is how exporters write a body that does not move.
        if let mass = properties.mass, mass <= 0, properties.motion == .dynamic {
            log.add(
                .physicsMassInvalid, at: view.place, "a dynamic body's mass is \(mass); expected a number above 0",
                arguments: [.init("mass", "\(mass)")])
        }
        return ColladaDocument.RigidBody(
            id: view.attribute(.id), sid: view.attribute(.sid), name: view.attribute(.name), position: view.position,
            properties: properties, extras: view.extras)
    }

    mutating func decodeBodyProperties(_ view: ElementView?) -> ColladaDocument.RigidBodyProperties {
        guard let view else { return ColladaDocument.RigidBodyProperties() }
        return ColladaDocument.RigidBodyProperties(
            motion: bool(in: view.first(.dynamic)).map { $0 ? .dynamic : .fixed },
            mass: real(in: view.first(.mass)), massFrame: view.first(.massFrame).map { placement(in: $0) },
            inertia: vector(in: view.first(.inertia)), material: materialOfBody(view),
            shapes: view.all(.shape).map { decodeShape($0) })
    }

    private mutating func materialOfBody(_ view: ElementView) -> ColladaDocument.MaterialOfBody? {
        if let own = view.first(.physicsMaterial)?.units.first { return .own(Int(own)) }
        return view.first(.instancePhysicsMaterial).map { .instance(requiredReference($0, .url)) }
    }

    // MARK: - Shapes

    private mutating func decodeShape(_ view: ElementView) -> ColladaDocument.Shape {
        ColladaDocument.Shape(
            position: view.position, form: decodeForm(view),
            filling: bool(in: view.first(.hollow)).map { $0 ? .hollow : .solid }, mass: real(in: view.first(.mass)),
            density: real(in: view.first(.density)), material: materialOfBody(view), transforms: placement(in: view),
            extras: view.extras)
    }

    private mutating func decodeForm(_ view: ElementView) -> ColladaDocument.Shape.Form {
        for child in view.children {
            if child.name == .instanceGeometry { return .geometry(requiredReference(child, .url)) }
            guard Self.primitives.contains(child.name) else { continue }
            guard let primitive = decodePrimitive(child) else { return .missing }
            if !primitive.isValid {
                log.add(
                    .physicsShapeInvalid, at: child.place,
                    "a <\(primitive.name)> has a length that is not above 0, or a direction that is none")
            }
            return .primitive(primitive)
        }
        log.add(.schemaMissingElement, at: view.place, "<shape> has no volume within")
        return .missing
    }

    private static let primitives: Set<ElementName> = [
        .plane, .box, .sphere, .ellipsoid, .cylinder, .capsule, .taperedCylinder, .taperedCapsule,
    ]

    /// `nil`, and reported, when a number it needs is not there.
    private mutating func decodePrimitive(_ view: ElementView) -> PhysicsPrimitive? {
        switch view.name {
        case .plane:
            quadruple(in: needed(.equation, in: view)).map {
                .plane(normal: SIMD3($0.x, $0.y, $0.z), offset: $0.w)
            }
        case .box: vector(in: needed(.halfExtents, in: view)).map { .box(halfExtents: $0) }
        case .sphere: real(in: needed(.radius, in: view)).map { .sphere(radius: $0) }
        case .ellipsoid: vector(in: needed(.size, in: view)).map { .ellipsoid(size: $0) }
        case .cylinder:
            real(in: needed(.height, in: view)).flatMap { height in
                radii(.radius, in: view, 1...2).map { .cylinder(height: height, radii: $0.ends) }
            }
        case .capsule:
            real(in: needed(.height, in: view)).flatMap { height in
                radii(.radius, in: view, 1...3).map {
                    .capsule(height: height, radii: $0.ends, cap: $0.count == 3 ? $0[1] : nil)
                }
            }
        case .taperedCylinder: tapered(view).map { .taperedCylinder(height: $0, upper: $1, lower: $2) }
        case .taperedCapsule: tapered(view).map { .taperedCapsule(height: $0, upper: $1, lower: $2) }
        default: nil  // element names: every other one is no volume
        }
    }

    private mutating func tapered(_ view: ElementView) -> (Double, SIMD2<Double>, SIMD2<Double>)? {
        guard let height = real(in: needed(.height, in: view)), let first = radii(.radius1, in: view, 1...2),
            let second = radii(.radius2, in: view, 1...2)
        else { return nil }
        return (height, first.ends, second.ends)
    }

    /// One number is taken for a circle, as many exporters write it.
    private mutating func radii(_ name: ElementName, in view: ElementView, _ counts: ClosedRange<Int>) -> [Double]? {
        needed(name, in: view).flatMap { element in
            guard element.wordCount == 1, repairs else { return reals(in: element, 2...counts.upperBound) }
            guard let radii = reals(in: element, 1...1) else { return nil }
            log.add(
                .quirkShapeRadius, at: element.place,
                "<\(name.rawValue)> has 1 number; expected \(counts.upperBound); it was taken for all of them",
                arguments: [.init("values", "1"), .init("expected", "\(counts.upperBound)")])
            return radii
        }
    }

    mutating func needed(_ name: ElementName, in view: ElementView) -> ElementView? {
        if let child = view.first(name) { return child }
        log.add(
            .schemaMissingElement, at: view.place, "<\(view.name.rawValue)> has no <\(name.rawValue)>",
            arguments: [.init("element", name.rawValue)])
        return nil
    }

    // MARK: - Constraints

    private mutating func decodeRigidConstraint(_ view: ElementView) -> ColladaDocument.RigidConstraint {
        ColladaDocument.RigidConstraint(
            sid: view.attribute(.sid), name: view.attribute(.name), position: view.position,
            reference: view.first(.refAttachment).map { decodeBodyAttachment($0) },
            attachment: view.first(.attachment).map { decodeBodyAttachment($0) },
            settings: decodeConstraintSettings(view.first(.techniqueCommon)), extras: view.extras)
    }

    private mutating func decodeBodyAttachment(_ view: ElementView) -> ColladaDocument.RigidConstraint.Attachment {
        .init(
            rigidBody: reference(view, .rigidBody), transforms: placement(in: view), extras: view.extras)
    }

    private mutating func decodeConstraintSettings(_ view: ElementView?) -> RigidConstraintSettings {
        var settings = RigidConstraintSettings()
        settings.isEnabled = bool(in: view?.first(.enabled)) ?? true
        settings.interpenetrates = bool(in: view?.first(.interpenetrate)) ?? false
        settings.swingConeAndTwist = view?.first(.limits, .swingConeAndTwist).map { decodeRange($0) }
        settings.linear = view?.first(.limits, .linear).map { decodeRange($0) }
        settings.angularSpring = view?.first(.spring, .angular).map { decodeSpring($0) }
        settings.linearSpring = view?.first(.spring, .linear).map { decodeSpring($0) }
        return settings
    }

    private mutating func decodeRange(_ view: ElementView) -> RigidConstraintSettings.Range {
        .init(min: vector(in: view.first(.min)) ?? .zero, max: vector(in: view.first(.max)) ?? .zero)
    }

    private mutating func decodeSpring(_ view: ElementView) -> RigidConstraintSettings.Spring {
        .init(
            stiffness: real(in: view.first(.stiffness)) ?? 1, damping: real(in: view.first(.damping)) ?? 0,
            target: real(in: view.first(.targetValue)) ?? 0)
    }
}

extension [Double] {
    /// The first and the last of one to three radii: those along x and z.
    fileprivate var ends: SIMD2<Double> { SIMD2(first ?? 0, last ?? 0) }
}
