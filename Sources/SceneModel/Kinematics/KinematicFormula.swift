/// A formula, whose MathML the document holds; it is not evaluated.
public struct KinematicFormula: Sendable, Equatable {
    public var id: String?
    public var sid: String?
    public var name: String?
    /// What it computes, as written: a parameter's name or a joint's address. `nil` where the file gives none.
    public var target: String?
    /// Its own parameters.
    public var parameters: [String]
    /// What it refers to, each once, in order: the names in its `csymbol` and `ci`.
    public var symbols: [String]

    public init(
        id: String?, sid: String?, name: String?, target: String?, parameters: [String], symbols: [String]
    ) {
        self.id = id
        self.sid = sid
        self.name = name
        self.target = target
        self.parameters = parameters
        self.symbols = symbols
    }
}

/// A formula at work: a passive joint follows others by it.
public struct JointFormula: Sendable, Equatable {
    public var formula: SceneIndex<KinematicFormula>
    /// `nil` when what it moves is not a joint of the model.
    public var joint: SceneIndex<KinematicJoint>?
    /// The joints it reads, each once, in order.
    public var sources: [SceneIndex<KinematicJoint>]

    public init(
        formula: SceneIndex<KinematicFormula>, joint: SceneIndex<KinematicJoint>?,
        sources: [SceneIndex<KinematicJoint>]
    ) {
        self.formula = formula
        self.joint = joint
        self.sources = sources
    }
}
