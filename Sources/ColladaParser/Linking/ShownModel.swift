public import SceneModel

/// A document that a manifest shows in the scene, and where: several of them make one scene together.
public struct ShownModel: Sendable {
    /// The document's path, by which the loader reads it.
    public var path: String
    /// Of the document.
    public var bytes: Int64
    /// What the manifest calls it.
    public var name: String?
    /// Above the whole model, outermost first: metres, east being x, north y and up z.
    public var transforms: [Transform]

    public init(path: String, bytes: Int64, name: String?, transforms: [Transform]) {
        self.path = path
        self.bytes = bytes
        self.name = name
        self.transforms = transforms
    }
}
