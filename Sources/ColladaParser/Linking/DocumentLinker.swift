// Documents refer to documents that refer to documents: a list of work, each document read once, in the order in which
// its first reference was met.

import Diagnostics
import URIReference
import XMLReader

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
