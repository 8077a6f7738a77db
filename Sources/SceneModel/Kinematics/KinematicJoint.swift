/// What lets two links move against each other: an axis for each degree of freedom, in order.
public struct KinematicJoint: Sendable, Hashable {
    public var id: String?
    /// By which its model names it.
    public var sid: String?
    public var name: String?
    public var axes: [JointAxis]

    public init(id: String?, sid: String?, name: String?, axes: [JointAxis]) {
        self.id = id
        self.sid = sid
        self.name = name
        self.axes = axes
    }
}

/// One degree of freedom.
public struct JointAxis: Sendable, Hashable {
    public enum Kind: String, Sendable, CaseIterable {
        /// Slides along the axis.
        case prismatic
        /// Turns about the axis.
        case revolute
    }
    public var kind: Kind
    public var sid: String?
    public var name: String?
    /// Of any length; along z where the file's cannot be read.
    public var direction: SIMD3<Double>
    /// `nil` for an axis without limits.
    public var limits: JointLimits?

    public init(kind: Kind, sid: String?, name: String?, direction: SIMD3<Double>, limits: JointLimits?) {
        self.kind = kind
        self.sid = sid
        self.name = name
        self.direction = direction
        self.limits = limits
    }
}

/// How far an axis moves: degrees or a length. `nil` on a side that is free.
public struct JointLimits: Sendable, Hashable {
    public var min: Double?
    public var max: Double?

    public init(min: Double?, max: Double?) {
        self.min = min
        self.max = max
    }

    /// Whether the least value is above the greatest.
    public var isInverted: Bool {
        guard let min, let max else { return false }
        return min > max
    }
    /// Whether the axis cannot move at all.
    public var isFixed: Bool { min != nil && min == max }
}

/// An axis by its model, its joint there, and its place in the joint.
public struct JointAxisReference: Sendable, Hashable {
    public let model: SceneIndex<KinematicsModel>
    public let joint: SceneIndex<KinematicJoint>
    public let axis: SceneIndex<JointAxis>

    public init(model: SceneIndex<KinematicsModel>, joint: SceneIndex<KinematicJoint>, axis: SceneIndex<JointAxis>) {
        self.model = model
        self.joint = joint
        self.axis = axis
    }
}
