import Diagnostics
public import XMLReader

/// How a document is read.
public struct ColladaOptions: Sendable {
    /// What is kept of meshes.
    public enum Retention: Sendable, Hashable {
        /// Every array; those of meshes in ``ColladaDocument/Geometry/built``.
        case everything
        /// Figures, and what the bounds of a scene are made of: positions in use and influences, which are stored out of
        /// memory where there is a ``spool``. Arrays are given back at the end of each geometry.
        case figures
    }
    public var retention = Retention.everything
    /// Where the arrays of meshes and curves lie of which everything is kept.
    public enum ArrayPlace: Sendable, Hashable {
        case memory
        /// Out of memory where there is a ``spool``: a scene has ``SceneModel/ArchivedMesh`` in place of meshes, and curves
        /// that have to be loaded (``SceneModel/AnimationCurve/loaded()``).
        case archive
    }
    public var arrays = ArrayPlace.memory
    /// Where numbers go that only figures are made of and that memory is too dear for; `nil` to keep them in memory.
    public var spool: NumberSpool?
    /// Whether the bytes can be had a second time. ``ColladaParser/wantsToReadAgain`` may then ask for them, in return
    /// for which hardly any number is stored where only figures are wanted.
    public var canReadAgain = false  // an option
    public var limits = XMLLimits()
    /// Elements of a document that are kept, at most: lists of indices count only while their mesh is read.
    public var elementLimit = 5_000_000
    public var schema = SchemaChecking.off
    /// What becomes of what exporters write otherwise than it should be, in ways that are known.
    public enum Repairs: Sendable, Hashable {
        /// It is read as it was meant, and told.
        case made
        /// It is a fault like any other: what depends on it is left out.
        case refused
    }
    public var repairs = Repairs.made
    /// A schema that libxml2 holds the document against besides.
    public var xsd: XMLSchemaFile?
    /// Nodes after instancing, at most; and as many instances of geometries and controllers.
    public var nodeLimit = 10_000_000
    /// The visual scene that is wanted, by its id or its name; `nil` for the one that the document instances.
    public var visualScene: String?
    /// The document's own path in its bundle, or its file name: it may refer to itself by that, and other documents are
    /// looked for beside it.
    public var documentPath: String?
    /// Which of several documents that are read into one it is; 0 is the first.
    public var document = 0
    /// Other documents that are read for a scene, at most; and how many bytes they may have together.
    public var documentLimit = 256
    public var documentBytes: Int64 = 4 << 30

    /// Makes what looks at each unit at its end; its numbers stay in memory until then. `nil` to look at none.
    public var examiner: (@Sendable () -> any UnitExaminer)?

    public init() {}

    /// Lets libxml2 hold documents against a schema of XML Schema besides (``xsd``). Of what the schema includes, files
    /// of its own folder are loaded and nothing else.
    public mutating func useXSD(path: String) throws(ColladaError) {
        do { xsd = try XMLSchemaFile(path: path) } catch {
            throw ColladaError(.schemaXSD, at: Place(), error.description)
        }
    }
}
