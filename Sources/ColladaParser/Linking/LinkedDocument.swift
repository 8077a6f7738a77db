package import Diagnostics
package import SceneModel

/// A document with all documents it refers to, put together: what a ``Scene`` is built of.
///
/// Every element, reference and place knows which of them it is from (`position.document`), so ids and names of
/// different documents do not mix.
package struct LinkedDocument: Sendable {
    /// The elements of all. Those of the first document come first in every list, so that its indices stay; all that is
    /// no list is the first document's.
    package internal(set) var document: ColladaDocument
    /// Where each document's file is in the bundle; `nil` where that was not said.
    package internal(set) var paths: [String?]
    /// What was wrong in the other documents, with their entries. What is wrong with references is reported by the scene.
    package internal(set) var log = FindingLog()
    /// By document.
    var assets: [DocumentAssets]
    /// By document.
    var outlines: [DocumentOutline?]
    /// What the `<scene>` of other documents instances, by document; of those that are shown.
    var scenes: [Int: ColladaDocument.SceneReference] = [:]
    /// Models that are shown together, each of a document; empty where it is the first document's scene as it is.
    var shown: [(model: ShownModel, document: Int)] = []
    /// Where the files lead that references name.
    var links: [File: Link] = [:]

    /// A file as a reference in one of the documents names it.
    struct File: Hashable {
        let document: Int
        let name: String
    }

    enum Link {
        case document(Int)
        case missing(tried: String)
        case unreadable(path: String, reason: String)
        /// Why, as a clause that follows "it".
        case blocked(reason: String)
    }

    /// What one document says of units and axes.
    struct DocumentAssets {
        let own: ColladaDocument.Asset?
        let nested: [ColladaDocument.NestedAsset]
    }

    /// A document by itself: references into others lead nowhere.
    init(_ document: ColladaDocument, path: String?) {
        self.document = document
        paths = [path]
        assets = [DocumentAssets(own: document.asset, nested: document.nestedAssets)]
        outlines = [document.outline]
    }

    /// Gives the memory of all nodes back, once the scene was built of them.
    package mutating func forgetNodes() {
        document.nodes = []
        document.instanceSIDs = [:]
    }

    /// The scene that the documents mean.
    ///
    /// - Returns: The scene, and what was wrong in what they refer to; places name their entries where known.
    /// - Throws: ``ColladaError`` when instancing makes more nodes than the budget.
    package func scene(options: ColladaOptions = ColladaOptions()) throws(ColladaError) -> (
        scene: Scene, log: FindingLog
    ) {
        try Self.scene(of: self, options: options)
    }

    static func scene(of linked: consuming LinkedDocument, options: ColladaOptions) throws(ColladaError) -> (
        scene: Scene, log: FindingLog
    ) {
        var builder = SceneBuilder(linked, options: options)
        let scene = try builder.build()
        if builder.log.counts.isEmpty { return (scene, builder.log) }
        var log = FindingLog(capPerCode: builder.log.capPerCode)
        // The first document's entry is for the caller to say: it may be read under another name.
        log.merge(builder.log, entries: [nil] + builder.paths.dropFirst())
        return (scene, log)
    }
}

/// Documents put together, for all that lead their references: a value of so many lists is dear to copy.
final class SharedDocument: Sendable {
    let linked: LinkedDocument

    init(_ linked: consuming LinkedDocument) { self.linked = linked }
}

protocol DocumentSharing {
    var shared: SharedDocument { get }
}

extension DocumentSharing {
    /// Of all documents; for channels with the animations of one.
    // Lent: a getter would hand out a copy.
    var document: ColladaDocument { _read { yield shared.linked.document } }
}

/// A document that a manifest shows in the scene, and where: several of them make one scene together.
package struct ShownModel: Sendable {
    /// The document's path, by which the loader reads it.
    package var path: String
    /// Of the document.
    package var bytes: Int64
    /// What the manifest calls it.
    package var name: String?
    /// Above the whole model, outermost first: metres, east being x, north y and up z.
    package var transforms: [Transform]

    package init(path: String, bytes: Int64, name: String?, transforms: [Transform]) {
        self.path = path
        self.bytes = bytes
        self.name = name
        self.transforms = transforms
    }
}
