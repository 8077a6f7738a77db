/// The physics of a document: what bodies are made of, how they hang together, and in which scenes they move.
///
/// Lengths and directions are the scene's, in whatever unit and axes the file wrote each part; angles are degrees, masses
/// and times as the file has them (kilograms and seconds). The space of a body is that of its node, taken into the
/// scene's unit and axes.
public struct Physics: Sendable, Equatable {
    /// Those of the library, and those that stand within a body or shape.
    public var materials: [PhysicsMaterial] = []
    public var models: [PhysicsModel] = []
    public var scenes: [PhysicsScene] = []
    /// The scenes that `<scene>` instances, in order.
    public var active: [SceneIndex<PhysicsScene>] = []

    public init() {}

    public var isEmpty: Bool { materials.isEmpty && models.isEmpty && scenes.isEmpty }
}

/// How a surface slides and bounces.
public struct PhysicsMaterial: Sendable, Equatable {
    public var id: String?
    public var name: String?
    public var dynamicFriction: Double?
    /// Share of the speed that is left after a bounce, usually 0...1.
    public var restitution: Double?
    public var staticFriction: Double?

    public init(
        id: String?, name: String?, dynamicFriction: Double?, restitution: Double?, staticFriction: Double?
    ) {
        self.id = id
        self.name = name
        self.dynamicFriction = dynamicFriction
        self.restitution = restitution
        self.staticFriction = staticFriction
    }
}
