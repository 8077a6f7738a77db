// Frames of links, joints and tools are all taken into the new system, and the axes of joints turn with them; so an axis
// stands where it stood by the same number, in another unit where it slides.

extension KinematicLink {
    package mutating func convert(by change: SystemChange) {
        guard !change.isIdentity else { return }
        matrix = change.converted(matrix)
        for index in attachments.indices {
            attachments[index].matrix = change.converted(attachments[index].matrix)
            attachments[index].end = attachments[index].end.map { change.converted($0) }
        }
    }
}

extension JointAxis {
    package func converted(by change: SystemChange) -> JointAxis {
        guard !change.isIdentity else { return self }
        var axis = self
        axis.direction = change.converted(direction, .axisDirection)
        let along = Quantity(alongAxisOf: kind)
        axis.limits = limits.map { limits in
            JointLimits(
                min: limits.min.map { change.converted($0, along) }, max: limits.max.map { change.converted($0, along) }
            )
        }
        return axis
    }
}

extension EffectorSpeeds {
    package func converted(by change: SystemChange) -> EffectorSpeeds {
        guard !change.isIdentity else { return self }
        func converted(_ pair: SIMD2<Double>?) -> SIMD2<Double>? {
            pair.map { SIMD2(change.converted($0.x, .effectorWay), $0.y) }
        }
        var speeds = EffectorSpeeds()
        speeds.speed = converted(speed)
        speeds.acceleration = converted(acceleration)
        speeds.deceleration = converted(deceleration)
        speeds.jerk = converted(jerk)
        return speeds
    }
}

extension KinematicFrame {
    package mutating func convert(by change: SystemChange) { matrix = change.converted(matrix) }
}

extension Manipulator {
    package mutating func convert(by change: SystemChange) {
        tool = change.converted(tool)
        direction = direction.map { change.converted($0, .toolDirection) }
    }
}

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

/// Where each number of a transform goes in another system, and what it is multiplied by.
///
/// Whole transforms and single numbers of them are taken over by the same map, and so are the keys of a curve and their
/// tangents: all interpolations are linear in the values.
package struct ComponentMap: Sendable, Hashable {
    private(set) var places: [Int]
    private(set) var factors: [Double]

    /// The identity of so many numbers.
    private init(count: Int) {
        places = Array(0..<count)
        factors = Array(repeating: 1, count: count)
    }

    init(for transform: Transform, by change: SystemChange) {
        self.init(count: transform.kind.count)
        switch transform {
        case .translate: put(.offset, at: 0, change)
        case .scale: put(.scaling, at: 0, change)
        case .rotate: put(.rotationAxis, at: 0, change)
        case .skew:
            put(.skewAxis, at: 1, change)
            put(.skewAxis, at: 4, change)
        case .lookat:
            put(.point, at: 0, change)
            put(.point, at: 3, change)
            put(.upDirection, at: 6, change)
        case .matrix: putMatrix(change)
        }
    }

    /// A single number.
    init(_ quantity: Quantity, by change: SystemChange) {
        places = [0]
        factors = [change.factor(quantity.lengths)]
    }

    private mutating func put(_ quantity: Quantity, at start: Int, _ change: SystemChange) {
        let factor = change.factor(quantity.lengths)
        for axis in 0..<3 {
            switch quantity.kind {
            case .number: places[start + axis] = start + axis
            case .vector, .extents: places[start + axis] = start + change.axes[axis]
            }
            switch quantity.kind {
            case .number, .extents: factors[start + axis] = factor
            case .vector: factors[start + axis] = factor * change.signs[axis]
            }
        }
    }

    /// C·M·C⁻¹: the last column has lengths, the last row their inverse.
    private mutating func putMatrix(_ change: SystemChange) {
        for row in 0..<4 {
            for column in 0..<4 {
                let place = row * 4 + column
                places[place] = Self.axis(row, change) * 4 + Self.axis(column, change)
                var factor = Self.sign(row, change) * Self.sign(column, change)
                if row < 3, column == 3 { factor *= change.factor(1) }
                if row == 3, column < 3 { factor *= change.factor(-1) }
                factors[place] = factor
            }
        }
    }

    private static func axis(_ index: Int, _ change: SystemChange) -> Int { index < 3 ? change.axes[index] : index }

    private static func sign(_ index: Int, _ change: SystemChange) -> Double { index < 3 ? change.signs[index] : 1 }

    var isIdentity: Bool { places == Array(places.indices) && factors.allSatisfy { $0 == 1 } }

    /// Of one number alone.
    func only(_ place: Int) -> ComponentMap {
        var map = ComponentMap(count: 1)
        map.factors[0] = factors[place]
        return map
    }
}

// The one table of what depends on units and axes. Nodes, meshes and what deforms them are not in it: they keep their
// numbers, and nodes that convert stand above them.

/// How a number or vector of a scene depends on the unit and the axes it is written in.
package struct Quantity: Sendable {
    enum Kind: Sendable {
        /// Along no axis of the system.
        case number
        /// Points somewhere: turned with the axes.
        case vector
        /// One number an axis, without a side: goes with its axis and keeps its sign.
        case extents
    }
    let kind: Kind
    /// How often a length is a factor of it: −1 where it is a divisor.
    let lengths: Int

    private init(_ kind: Kind, lengths: Int = 0) {
        self.kind = kind
        self.lengths = lengths
    }

    /// Angles, masses, times, shares, and what has no dimension.
    package static let plain = Quantity(.number)
    package static let length = Quantity(.number, lengths: 1)
    static let point = Quantity(.vector, lengths: 1)
    static let direction = Quantity(.vector)
}

// MARK: - Transforms

extension Quantity {
    static let offset = point
    static let rotationAxis = direction
    static let scaling = Quantity(.extents)
    static let skewAxis = direction
    static let upDirection = direction
}

// MARK: - Cameras and lights

extension Quantity {
    static let clippingDistance = length
    static let magnification = length
    /// The light of a point falls by constant + linear × d + quadratic × d², which has no dimension.
    static let linearAttenuation = Quantity(.number, lengths: -1)
    static let quadraticAttenuation = Quantity(.number, lengths: -2)

    init(_ parameter: AnimationTarget.CameraParameter) {
        switch parameter {
        case .xfov, .yfov, .aspectRatio: self = .plain
        case .xmag, .ymag: self = .magnification
        case .znear, .zfar: self = .clippingDistance
        }
    }

    init(_ parameter: AnimationTarget.LightParameter) {
        switch parameter {
        case .color, .constantAttenuation, .falloffAngle, .falloffExponent: self = .plain
        case .linearAttenuation: self = .linearAttenuation
        case .quadraticAttenuation: self = .quadraticAttenuation
        }
    }
}

// MARK: - Physics

extension Quantity {
    static let gravity = point
    static let velocity = point
    /// About an axis: turns as a direction does, for all systems are right-handed.
    static let angularVelocity = direction
    static let density = Quantity(.number, lengths: -3)
    /// Mass × length², about each axis of the mass frame.
    static let inertia = Quantity(.extents, lengths: 2)
    static let planeNormal = direction
    static let planeOffset = length
    static let size = Quantity(.extents, lengths: 1)
    static let radius = length
    static let height = length
    /// Along the axes of the constraint's own frame, which are not turned.
    static let linearLimit = length
    /// A force is mass × length ÷ time²: for each length of the way, and for each length a second, no length is left.
    static let linearStiffness = plain
    static let linearDamping = plain
    /// A torque is mass × length² ÷ time².
    static let angularStiffness = Quantity(.number, lengths: 2)
    static let angularDamping = Quantity(.number, lengths: 2)
}

// MARK: - Kinematics

extension Quantity {
    static let axisDirection = direction
    static let toolDirection = direction
    static let effectorWay = length

    /// Of where an axis stands, its limits, and how fast it may go.
    package init(alongAxisOf kind: JointAxis.Kind) {
        switch kind {
        case .prismatic: self = .length
        case .revolute: self = .plain
        }
    }
}
