public import XMLReader

/// How a document is read.
public struct ColladaOptions: Sendable {
    /// What is kept of meshes.
    public enum Retention: Sendable, Hashable {
        /// Every array.
        case everything
        /// Figures and the positions in use; arrays are given back at the end of each geometry.
        case figures
    }
    public var retention = Retention.everything
    public var limits = XMLLimits()
    /// Nodes after instancing, at most; and as many instances of geometries and controllers.
    public var nodeLimit = 10_000_000
    /// The document's own file name, by which it may refer to itself.
    public var documentName: String?

    public init() {}
}
