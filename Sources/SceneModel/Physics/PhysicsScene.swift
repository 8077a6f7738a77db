/// Models that move together under one gravity.
public struct PhysicsScene: Sendable, Equatable {
    public var id: String?
    public var name: String?
    /// A length a second, each second; `nil` where the file gives none.
    public var gravity: SIMD3<Double>?
    /// Seconds.
    public var timeStep: Double?
    public var instances: [PhysicsModelInstance]

    public init(
        id: String?, name: String?, gravity: SIMD3<Double>?, timeStep: Double?, instances: [PhysicsModelInstance] = []
    ) {
        self.id = id
        self.name = name
        self.gravity = gravity
        self.timeStep = timeStep
        self.instances = instances
    }
}
