/// The kinematics of a document: robots as links and joints, the systems built of them, and what they move.
///
/// Angles are degrees; lengths and directions are the scene's, in whatever unit and axes the file wrote each part.
public struct Kinematics: Sendable, Equatable {
    public var models: [KinematicsModel] = []
    public var systems: [ArticulatedSystem] = []
    public var scenes: [KinematicsScene] = []
    /// Those of the library, and those that stand within models and systems.
    public var formulas: [KinematicFormula] = []
    /// What `<scene>` puts to use, with the nodes it moves.
    public var active: [KinematicsSceneInstance] = []

    public init() {}

    public var isEmpty: Bool { models.isEmpty && systems.isEmpty && scenes.isEmpty && formulas.isEmpty }
}
