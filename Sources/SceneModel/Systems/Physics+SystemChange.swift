// A body's space, a shape's and a mass frame's are all taken into the new system. A constraint's frame and the space of
// a shape that stands along y keep their axes, which have a meaning there; so their matrices take the whole turn.

extension PhysicsScene {
    package mutating func convert(by change: SystemChange) {
        guard !change.isIdentity else { return }
        gravity = gravity.map { change.converted($0, .gravity) }
        for index in instances.indices { instances[index].convert(by: change) }
    }
}

extension PhysicsModel {
    package mutating func convert(by change: SystemChange) {
        guard !change.isIdentity else { return }
        for index in bodies.indices { bodies[index].properties.convert(by: change) }
        for index in constraints.indices { constraints[index].convert(by: change) }
        for index in instances.indices { instances[index].convert(by: change) }
    }
}

extension PhysicsModelInstance {
    fileprivate mutating func convert(by change: SystemChange) {
        for index in bodies.indices {
            bodies[index].velocity = change.converted(bodies[index].velocity, .velocity)
            bodies[index].angularVelocity = change.converted(bodies[index].angularVelocity, .angularVelocity)
            bodies[index].overrides.convert(by: change)
        }
    }
}

extension RigidBodyProperties {
    fileprivate mutating func convert(by change: SystemChange) {
        massFrame = massFrame.map { change.converted($0) }
        inertia = inertia.map { change.converted($0, .inertia) }
        for index in shapes.indices { shapes[index].convert(by: change) }
    }
}

extension PhysicsShape {
    fileprivate mutating func convert(by change: SystemChange) {
        density = density.map { change.converted($0, .density) }
        switch form {
        case .primitive(let primitive):
            matrix =
                primitive.standsAlongY ? change.convertedKeepingInnerAxes(matrix) : change.converted(matrix)
            form = .primitive(primitive.converted(by: change))
        case .geometry:
            // The mesh keeps its numbers.
            matrix = change.source.conversion(to: change.target) * matrix
        case .missing: matrix = change.converted(matrix)
        }
    }
}

extension PhysicsPrimitive {
    fileprivate var standsAlongY: Bool {
        switch self {
        case .plane, .box, .sphere, .ellipsoid: false
        case .cylinder, .capsule, .taperedCylinder, .taperedCapsule: true
        }
    }

    fileprivate func converted(by change: SystemChange) -> PhysicsPrimitive {
        func radii(_ pair: SIMD2<Double>) -> SIMD2<Double> {
            SIMD2(change.converted(pair.x, .radius), change.converted(pair.y, .radius))
        }
        switch self {
        case .plane(let normal, let offset):
            return .plane(
                normal: change.converted(normal, .planeNormal), offset: change.converted(offset, .planeOffset))
        case .box(let half): return .box(halfExtents: change.converted(half, .size))
        case .sphere(let radius): return .sphere(radius: change.converted(radius, .radius))
        case .ellipsoid(let size): return .ellipsoid(size: change.converted(size, .size))
        case .cylinder(let height, let pair):
            return .cylinder(height: change.converted(height, .height), radii: radii(pair))
        case .capsule(let height, let pair, let cap):
            return .capsule(
                height: change.converted(height, .height), radii: radii(pair),
                cap: cap.map { change.converted($0, .radius) })
        case .taperedCylinder(let height, let upper, let lower):
            return .taperedCylinder(
                height: change.converted(height, .height), upper: radii(upper), lower: radii(lower))
        case .taperedCapsule(let height, let upper, let lower):
            return .taperedCapsule(
                height: change.converted(height, .height), upper: radii(upper), lower: radii(lower))
        }
    }
}

// MARK: - Constraints

extension RigidConstraint {
    fileprivate mutating func convert(by change: SystemChange) {
        reference.matrix = change.convertedKeepingInnerAxes(reference.matrix)
        attachment.matrix = change.convertedKeepingInnerAxes(attachment.matrix)
        settings.convert(by: change)
    }
}

extension RigidConstraintSettings {
    fileprivate mutating func convert(by change: SystemChange) {
        linear = linear.map { range in
            let factor = change.factor(Quantity.linearLimit.lengths)
            return Range(min: range.min * factor, max: range.max * factor)
        }
        angularSpring = angularSpring.map { spring in
            Spring(
                stiffness: change.converted(spring.stiffness, .angularStiffness),
                damping: change.converted(spring.damping, .angularDamping),
                target: change.converted(spring.target, .plain))
        }
        linearSpring = linearSpring.map { spring in
            Spring(
                stiffness: change.converted(spring.stiffness, .linearStiffness),
                damping: change.converted(spring.damping, .linearDamping),
                target: change.converted(spring.target, .length))
        }
    }
}
