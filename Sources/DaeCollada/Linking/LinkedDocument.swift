// A document and those that it refers to: what they are together, and how they are found and read.

import DaeCore
package import DaeDiagnostics
package import DaeScene
import DaeXML

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
    /// - Throws: ``CodedFailure`` when instancing makes more nodes than the budget.
    package func scene(options: ColladaOptions = ColladaOptions()) throws(CodedFailure) -> (
        scene: Scene, log: FindingLog
    ) {
        try Self.scene(of: self, options: options)
    }

    static func scene(of linked: consuming LinkedDocument, options: ColladaOptions) throws(CodedFailure) -> (
        scene: Scene, log: FindingLog
    ) {
        let paths = linked.paths
        var builder = SceneBuilder(linked, options: options)
        let scene = try builder.build()
        if builder.log.counts.isEmpty { return (scene, builder.log) }
        var log = FindingLog(capPerCode: builder.log.capPerCode)
        // The first document's entry is for the caller to say: it may be read under another name.
        log.merge(builder.log, entries: [nil] + paths.dropFirst())
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

extension ColladaDocument {
    /// Reads the documents that this one refers to, those they refer to, and so on, each once.
    ///
    /// - Parameters:
    ///   - options: Those this document was read with; its path says where the others are looked for.
    ///   - loader: Finds and reads; with `nil` only references to this document by its own name are followed.
    ///   - shown: The models that make the scene together, this document's own among them; none for its own scene.
    /// - Throws: What the loader throws, unless it is about one document alone.
    package func linked(
        options: ColladaOptions = ColladaOptions(), by loader: DocumentLoader? = nil, shown: [ShownModel] = []
    ) throws -> LinkedDocument {
        precondition(number == 0, "documents are linked to the first of them")
        guard !otherDocuments.isEmpty || !shown.isEmpty else {
            return LinkedDocument(self, path: options.documentPath)
        }
        var linker = DocumentLinker(self, options: options, loader: loader)
        return try linker.link(shown)
    }
}

/// Documents refer to documents that refer to documents: a list of work, each document read once, in the order in which
/// its first reference was met.
private struct DocumentLinker {
    private var linked: LinkedDocument
    private let options: ColladaOptions
    private let loader: DocumentLoader?
    /// What became of each path, so that a file is opened once.
    private var known: [String: LinkedDocument.Link] = [:]
    /// References whose files are still to be looked for.
    private var work: [ColladaDocument.Reference]
    private var bytes: Int64 = 0
    private var documentLimit: Int

    init(_ document: ColladaDocument, options: ColladaOptions, loader: DocumentLoader?) {
        linked = LinkedDocument(document, path: options.documentPath)
        self.options = options
        self.loader = loader
        work = document.otherDocuments
        documentLimit = options.documentLimit
        if let path = options.documentPath { known[path] = .document(0) }
    }

    mutating func link(_ shown: [ShownModel]) throws -> LinkedDocument {
        // A manifest names what it shows, and a reference what it likes.
        documentLimit += Set(shown.map(\.path)).count
        for model in shown { try show(model) }
        var next = 0
        while next < work.count {
            let reference = work[next]
            next += 1
            guard let file = reference.file, let base = linked.paths[reference.document] else { continue }
            let link = try follow(file, from: base, at: reference)
            linked.links[.init(document: reference.document, name: file)] = link
        }
        return linked
    }

    private mutating func show(_ model: ShownModel) throws {
        let link: LinkedDocument.Link?
        if let known = known[model.path] {
            link = known
        } else {
            link = try loader.map { try open(model.path, model.bytes, by: $0) }
            known[model.path] = link
        }
        switch link {
        case .document(let number): linked.shown.append((model, number))
        case .unreadable(_, let reason): report(model, reason)
        case .blocked(let reason): report(model, "it \(reason)")
        case .missing, nil: report(model, "it is not there")
        }
    }

    private mutating func report(_ model: ShownModel, _ reason: String) {
        linked.log.add(
            .refExternalUnresolved, at: Place(entry: model.path),
            "\(model.path.prefix(200)) is shown in the scene, and cannot be read: \(reason)",
            arguments: [.init("path", model.path)], severity: .error)
    }

    private mutating func follow(
        _ file: String, from base: String, at reference: ColladaDocument.Reference
    ) throws -> LinkedDocument.Link? {
        if Self.isSame(file, as: base) { return .document(reference.document) }
        guard let loader else { return nil }
        switch loader.locate(file, base) {
        case .missing(let tried): return .missing(tried: tried)
        case .blocked(let reason): return .blocked(reason: reason)
        case .found(let path, let size, let remark):
            if let remark {
                let place = place(of: reference)
                linked.log.add(
                    .refByName, at: place, remark, arguments: [.init("reference", reference.text)])
            }
            if let link = known[path] { return link }
            let link = try open(path, size, by: loader)
            known[path] = link
            return link
        }
    }

    private mutating func open(
        _ path: String, _ size: Int64, by loader: DocumentLoader
    ) throws -> LinkedDocument.Link {
        guard linked.paths.count <= documentLimit else {
            return .blocked(reason: "is one of more than \(documentLimit) documents, the most allowed")
        }
        let (sum, overflow) = bytes.addingReportingOverflow(max(0, size))
        guard !overflow, sum <= options.documentBytes else {
            return .blocked(
                reason: "would make the documents larger than \(options.documentBytes) bytes, the most allowed")
        }
        var options = options
        options.documentPath = path
        options.document = linked.paths.count
        let reading: ColladaParser.Reading
        do { reading = try loader.read(path, options) } catch let error as any CodedError {
            return .unreadable(path: path, reason: error.description)
        }
        guard reading.document.number == options.document else {
            return .unreadable(path: path, reason: "it was read as another document than it was asked for")
        }
        bytes = sum
        linked.scenes[options.document] = reading.document.scene
        linked.add(reading, at: path)
        work += reading.document.otherDocuments
        return .document(options.document)
    }

    /// Whether a file is the document that it is named in.
    private static func isSame(_ file: String, as base: String) -> Bool {
        [file, PercentEncoding.decode(file)].contains { text in
            text.map { BundlePath.resolve($0, against: BundlePath.folder(of: base)) } == .file(base)
        }
    }

    private func place(of reference: ColladaDocument.Reference) -> Place {
        let place = Place(reference.position)
        return reference.document == 0 ? place : place.within(entry: linked.paths[reference.document])
    }
}

extension LinkedDocument {
    fileprivate mutating func add(_ reading: ColladaParser.Reading, at path: String) {
        paths.append(path)
        assets.append(DocumentAssets(own: reading.document.asset, nested: reading.document.nestedAssets))
        outlines.append(reading.document.outline)
        log.merge(reading.log, entry: path)
        document.append(reading.document)
    }
}

/// How the documents that a document refers to are found and read.
package struct DocumentLoader {
    package enum Location: Sendable, Hashable {
        /// The file at `path`, of so many bytes; `remark` says how it was found where it is not there as written.
        case found(path: String, bytes: Int64, remark: String?)
        /// `tried` is the path that was looked for.
        case missing(tried: String)
        /// Not to be opened; why, as a clause that follows "it".
        case blocked(reason: String)
    }

    /// Finds the file of a reference (as written, without `#` and what follows) that stands in the document at `base`.
    package var locate: (_ file: String, _ base: String) -> Location
    /// Reads the document at a path that ``locate`` gave, with the options handed in. A ``CodedError`` says that it
    /// cannot be read, and only that document is lost; any other error ends all reading.
    package var read: (_ path: String, _ options: ColladaOptions) throws -> ColladaParser.Reading

    package init(
        locate: @escaping (_ file: String, _ base: String) -> Location,
        read: @escaping (_ path: String, _ options: ColladaOptions) throws -> ColladaParser.Reading
    ) {
        self.locate = locate
        self.read = read
    }
}
