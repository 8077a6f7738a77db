/// One animation of the document, with what it moves.
public struct Animation: Sendable, Equatable {
    public var id: String?
    public var name: String?
    /// Empty where only figures were read.
    public var channels: [AnimationChannel]
    /// Its parts.
    public var children: [SceneIndex<Animation>]
    /// What channels are to move that leads to nothing that can be moved, as the document writes it.
    public var unresolvedTargets: [String] = []

    public init(id: String?, name: String?, channels: [AnimationChannel], children: [SceneIndex<Animation>]) {
        self.id = id
        self.name = name
        self.channels = channels
        self.children = children
    }
}

/// A named stretch of time in which some animations play.
public struct AnimationClip: Sendable, Hashable {
    public var id: String?
    public var name: String?
    /// Seconds.
    public var start: Double
    /// Seconds; `nil` without keys to tell by.
    public var end: Double?
    public var animations: [SceneIndex<Animation>]

    public init(id: String?, name: String?, start: Double, end: Double?, animations: [SceneIndex<Animation>]) {
        self.id = id
        self.name = name
        self.start = start
        self.end = end
        self.animations = animations
    }
}
