import DaeDiagnostics
import DaeScene
import DaeSchema

/// Reads physics materials, force fields, physics models and physics scenes.
enum PhysicsReader {
    typealias Document = ColladaDocument

    static func physicsMaterial(_ view: ElementView, _ context: inout ReadingContext) -> Document.PhysicsMaterial {
        let common = view.first(.techniqueCommon)
        return Document.PhysicsMaterial(
            position: view.position,
            material: PhysicsMaterial(
                id: view.attribute(.id), name: view.attribute(.name),
                dynamicFriction: context.real(in: common?.first(.dynamicFriction)),
                restitution: context.real(in: common?.first(.restitution)),
                staticFriction: context.real(in: common?.first(.staticFriction))), extras: view.extras)
    }

    static func forceField(_ view: ElementView) -> Document.ForceField {
        Document.ForceField(
            id: view.attribute(.id), name: view.attribute(.name), position: view.position, extras: view.extras)
    }

    static func physicsModel(_ view: ElementView, _ context: inout ReadingContext) -> Document.PhysicsModel {
        Document.PhysicsModel(
            id: view.attribute(.id), name: view.attribute(.name), position: view.position,
            bodies: view.all(.rigidBody).map { rigidBody($0, &context) },
            constraints: view.all(.rigidConstraint).map { rigidConstraint($0, &context) },
            instances: view.all(.instancePhysicsModel).map { instancePhysicsModel($0, &context) }, extras: view.extras)
    }

    private static func rigidBody(_ view: ElementView, _ context: inout ReadingContext) -> Document.RigidBody {
        let properties = bodyProperties(view.first(.techniqueCommon), &context)
        // A mass of 0 is how exporters write a body that does not move.
        if let mass = properties.mass, mass <= 0, properties.motion == .dynamic {
            context.log.add(
                .physicsMassInvalid, at: view.place, "a dynamic body's mass is \(mass); expected a number above 0",
                arguments: [.init("mass", "\(mass)")])
        }
        return Document.RigidBody(
            id: view.attribute(.id), sid: view.attribute(.sid), name: view.attribute(.name), position: view.position,
            properties: properties, extras: view.extras)
    }

    private static func bodyProperties(_ view: ElementView?, _ context: inout ReadingContext)
        -> Document.RigidBodyProperties
    {
        guard let view else { return Document.RigidBodyProperties() }
        return Document.RigidBodyProperties(
            motion: context.bool(in: view.first(.dynamic)).map { $0 ? .dynamic : .fixed },
            mass: context.real(in: view.first(.mass)),
            massFrame: view.first(.massFrame).map { TransformReader.placement(in: $0, &context) },
            inertia: context.vector(in: view.first(.inertia)), material: materialOfBody(view, &context),
            shapes: view.all(.shape).map { shape($0, &context) })
    }

    private static func materialOfBody(_ view: ElementView, _ context: inout ReadingContext) -> Document.MaterialOfBody?
    {
        if let own = view.first(.physicsMaterial)?.units.first { return .own(Int(own)) }
        return view.first(.instancePhysicsMaterial).map { .instance(context.requiredReference($0, .url)) }
    }

    // MARK: - Shapes

    private static func shape(_ view: ElementView, _ context: inout ReadingContext) -> Document.Shape {
        Document.Shape(
            position: view.position, form: form(view, &context),
            filling: context.bool(in: view.first(.hollow)).map { $0 ? .hollow : .solid },
            mass: context.real(in: view.first(.mass)), density: context.real(in: view.first(.density)),
            material: materialOfBody(view, &context), transforms: TransformReader.placement(in: view, &context),
            extras: view.extras)
    }

    private static func form(_ view: ElementView, _ context: inout ReadingContext) -> Document.Shape.Form {
        for child in view.children {
            if child.name == .instanceGeometry { return .geometry(context.requiredReference(child, .url)) }
            guard Self.primitives.contains(child.name) else { continue }
            guard let primitive = primitive(child, &context) else { return .missing }
            if !primitive.isValid {
                context.log.add(
                    .physicsShapeInvalid, at: child.place,
                    "a <\(primitive.name)> has a length that is not above 0, or a direction that is none")
            }
            return .primitive(primitive)
        }
        context.log.add(.schemaMissingElement, at: view.place, "<shape> has no volume within")
        return .missing
    }

    private static let primitives: Set<ElementName> = [
        .plane, .box, .sphere, .ellipsoid, .cylinder, .capsule, .taperedCylinder, .taperedCapsule,
    ]

    /// `nil`, and reported, when a number it needs is not there.
    private static func primitive(_ view: ElementView, _ context: inout ReadingContext) -> PhysicsPrimitive? {
        switch view.name {
        case .plane:
            context.quadruple(in: context.needed(.equation, in: view)).map {
                .plane(normal: SIMD3($0.x, $0.y, $0.z), offset: $0.w)
            }
        case .box: context.vector(in: context.needed(.halfExtents, in: view)).map { .box(halfExtents: $0) }
        case .sphere: context.real(in: context.needed(.radius, in: view)).map { .sphere(radius: $0) }
        case .ellipsoid: context.vector(in: context.needed(.size, in: view)).map { .ellipsoid(size: $0) }
        case .cylinder:
            context.real(in: context.needed(.height, in: view)).flatMap { height in
                radii(.radius, in: view, 1...2, &context).map { .cylinder(height: height, radii: $0.ends) }
            }
        case .capsule:
            context.real(in: context.needed(.height, in: view)).flatMap { height in
                radii(.radius, in: view, 1...3, &context).map {
                    .capsule(height: height, radii: $0.ends, cap: $0.count == 3 ? $0[1] : nil)
                }
            }
        case .taperedCylinder: tapered(view, &context).map { .taperedCylinder(height: $0, upper: $1, lower: $2) }
        case .taperedCapsule: tapered(view, &context).map { .taperedCapsule(height: $0, upper: $1, lower: $2) }
        default: nil  // element names: every other one is no volume
        }
    }

    private static func tapered(
        _ view: ElementView, _ context: inout ReadingContext
    ) -> (Double, SIMD2<Double>, SIMD2<Double>)? {
        guard let height = context.real(in: context.needed(.height, in: view)),
            let first = radii(.radius1, in: view, 1...2, &context),
            let second = radii(.radius2, in: view, 1...2, &context)
        else { return nil }
        return (height, first.ends, second.ends)
    }

    /// One number is taken for a circle, as many exporters write it.
    private static func radii(
        _ name: ElementName, in view: ElementView, _ counts: ClosedRange<Int>, _ context: inout ReadingContext
    ) -> [Double]? {
        context.needed(name, in: view).flatMap { element in
            guard element.wordCount == 1, context.repairs else {
                return context.reals(in: element, 2...counts.upperBound)
            }
            guard let radii = context.reals(in: element, 1...1) else { return nil }
            context.log.add(
                .quirkShapeRadius, at: element.place,
                "<\(name.rawValue)> has 1 number; expected \(counts.upperBound); it was taken for all of them",
                arguments: [.init("values", "1"), .init("expected", "\(counts.upperBound)")])
            return radii
        }
    }

    // MARK: - Constraints

    private static func rigidConstraint(_ view: ElementView, _ context: inout ReadingContext)
        -> Document.RigidConstraint
    {
        Document.RigidConstraint(
            sid: view.attribute(.sid), name: view.attribute(.name), position: view.position,
            reference: view.first(.refAttachment).map { bodyAttachment($0, &context) },
            attachment: view.first(.attachment).map { bodyAttachment($0, &context) },
            settings: constraintSettings(view.first(.techniqueCommon), &context), extras: view.extras)
    }

    private static func bodyAttachment(_ view: ElementView, _ context: inout ReadingContext)
        -> Document.RigidConstraint.Attachment
    {
        .init(
            rigidBody: context.reference(view, .rigidBody), transforms: TransformReader.placement(in: view, &context),
            extras: view.extras)
    }

    private static func constraintSettings(_ view: ElementView?, _ context: inout ReadingContext)
        -> RigidConstraintSettings
    {
        var settings = RigidConstraintSettings()
        settings.isEnabled = context.bool(in: view?.first(.enabled)) ?? true
        settings.interpenetrates = context.bool(in: view?.first(.interpenetrate)) ?? false
        settings.swingConeAndTwist = view?.first(.limits, .swingConeAndTwist).map { range($0, &context) }
        settings.linear = view?.first(.limits, .linear).map { range($0, &context) }
        settings.angularSpring = view?.first(.spring, .angular).map { spring($0, &context) }
        settings.linearSpring = view?.first(.spring, .linear).map { spring($0, &context) }
        return settings
    }

    private static func range(_ view: ElementView, _ context: inout ReadingContext) -> RigidConstraintSettings.Range {
        .init(min: context.vector(in: view.first(.min)) ?? .zero, max: context.vector(in: view.first(.max)) ?? .zero)
    }

    private static func spring(_ view: ElementView, _ context: inout ReadingContext) -> RigidConstraintSettings.Spring {
        .init(
            stiffness: context.real(in: view.first(.stiffness)) ?? 1,
            damping: context.real(in: view.first(.damping)) ?? 0,
            target: context.real(in: view.first(.targetValue)) ?? 0)
    }

    // MARK: - Scenes and instances

    static func physicsScene(_ view: ElementView, _ context: inout ReadingContext) -> Document.PhysicsScene {
        let common = view.first(.techniqueCommon)
        return Document.PhysicsScene(
            id: view.attribute(.id), name: view.attribute(.name), position: view.position,
            gravity: context.vector(in: common?.first(.gravity)), timeStep: context.real(in: common?.first(.timeStep)),
            forceFields: forceFields(of: view, &context),
            instances: view.all(.instancePhysicsModel).map { instancePhysicsModel($0, &context) }, extras: view.extras)
    }

    private static func forceFields(of view: ElementView, _ context: inout ReadingContext) -> [Document.Reference] {
        view.all(.instanceForceField).map { context.requiredReference($0, .url) }
    }

    private static func instancePhysicsModel(_ view: ElementView, _ context: inout ReadingContext)
        -> Document.InstancePhysicsModel
    {
        Document.InstancePhysicsModel(
            sid: view.attribute(.sid), name: view.attribute(.name), model: context.requiredReference(view, .url),
            parent: context.reference(view, .parent), forceFields: forceFields(of: view, &context),
            bodies: view.all(.instanceRigidBody).map { instanceRigidBody($0, &context) },
            constraints: view.all(.instanceRigidConstraint).map {
                .init(
                    sid: $0.attribute(.sid), name: $0.attribute(.name),
                    constraint: context.requiredReference($0, .constraint), extras: $0.extras)
            }, extras: view.extras)
    }

    private static func instanceRigidBody(_ view: ElementView, _ context: inout ReadingContext)
        -> Document.InstanceRigidBody
    {
        let common = view.first(.techniqueCommon)
        return Document.InstanceRigidBody(
            sid: view.attribute(.sid), name: view.attribute(.name), body: context.requiredReference(view, .body),
            target: context.requiredReference(view, .target), velocity: context.vector(in: common?.first(.velocity)),
            angularVelocity: context.vector(in: common?.first(.angularVelocity)),
            overrides: bodyProperties(common, &context), extras: view.extras)
    }
}

extension [Double] {
    /// The first and the last of one to three radii: those along x and z.
    fileprivate var ends: SIMD2<Double> { SIMD2(first ?? 0, last ?? 0) }
}
