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
