// Documents that the chosen one refers to, of its bundle and of the web.

import DaeArchive
import DaeCollada
import DaeCore
package import DaeDiagnostics
package import DaeResources
import DaeScene

/// Finds and reads the documents that belong to one. A class since it keeps what it found from being asked for its place to
/// being asked for its bytes.
final class BundleDocuments {
    private let bundle: Bundle
    private let locator: ResourceLocator
    /// `nil` where nothing is fetched.
    private let web: WebFiles?
    /// Of the chosen document.
    private let path: String
    private let chunkSize: Int?
    private let isCancelled: () -> Bool
    /// What was found, by its path.
    private var located: [String: Resolution] = [:]
    /// What was got from the web, by its address.
    private var fetched: [String: any ByteSource] = [:]
    /// Each file that a document names, once.
    private(set) var references: [FollowedReference] = []
    private var reported: Set<[String]> = []
    /// Addresses from which nothing came, which was reported.
    private var failed: Set<String> = []
    /// What is wrong with files that were found.
    private(set) var log = FindingLog()

    init(
        bundle: Bundle, locator: ResourceLocator, web: WebFiles?, path: String, chunkSize: Int?,
        isCancelled: @escaping () -> Bool
    ) {
        self.bundle = bundle
        self.locator = locator
        self.web = web
        self.path = path
        self.chunkSize = chunkSize
        self.isCancelled = isCancelled
    }

    var loader: DocumentLoader {
        DocumentLoader(locate: locate, read: read)
    }

    private func locate(_ file: String, from base: String) -> DocumentLoader.Location {
        var resolution = locator.resolve(file, from: base, as: .document)
        if let url = resolution.webAddress, let fetch = fetch(url, for: base) { resolution = resolution.after(fetch) }
        if reported.insert([base, file]).inserted {
            references.append(FollowedReference(kind: .document, base: base, resolution: resolution))
            for finding in resolution.outsideFindings(at: Place(entry: base)) { log.add(finding) }
        }
        switch resolution.outcome {
        case .found(let path, let rule, let confidence):
            return found(file, path, rule, confidence, resolution)
        case .outside(let host, let rule, let confidence):
            return found(file, host.shown, rule, confidence, resolution)
        case .fetched(let url):
            // What is beside the document that all began with may name it in turn.
            if locator.isOwnAddress(url) {
                return .found(path: path, bytes: bundle.file(at: path)?.size ?? 0, remark: nil)
            }
            return .found(path: url, bytes: fetched[url]?.size ?? 0, remark: nil)
        case .unfetched(_, let reason): return .blocked(reason: "could not be fetched: \(reason)")
        case .remote: return .blocked(reason: "is on the web, and was not asked for")
        case .embedded: return .blocked(reason: "is no file")
        case .blocked(let reason): return .blocked(reason: reason.text)
        case .ambiguous(_, let count, _): return .blocked(reason: "could be any of \(count) files")
        case .missing: return .missing(tried: resolution.trace.first?.path ?? file)
        }
    }

    /// - Returns: `nil` where nothing is asked for.
    private func fetch(_ url: String, for base: String) -> Resolution.Fetch? {
        if locator.isOwnAddress(url) { return .done }
        switch web?.get(url, isCancelled) {
        case .file(let source):
            fetched[url] = source
            return .done
        case .failed(let code, let message, _):
            if failed.insert(url).inserted { log.add(code, at: Place(entry: base), message, severity: .warning) }
            return .failed(reason: message)
        case nil: return nil
        }
    }

    private func found(
        _ file: String, _ path: String, _ rule: ResolutionRule, _ confidence: Resolution.Confidence,
        _ resolution: Resolution
    ) -> DocumentLoader.Location {
        located[path] = resolution
        // What cannot be opened here cannot be read later either, and is reported then.
        let source = try? locator.source(of: resolution)
        let remark = "\(file.quoted()) was found as \(path) (\(rule.rawValue))"
        return .found(
            path: path, bytes: source?.size ?? bundle.file(at: path)?.size ?? 0,
            remark: confidence == .certain ? nil : remark)
    }

    /// `nil` for an entry of the bundle.
    private func source(at path: String) throws(ByteSourceError) -> (any ByteSource)? {
        if let source = fetched[path] { return source }
        guard let resolution = located[path] else { return nil }
        return try locator.source(of: resolution)
    }

    private func read(_ path: String, _ options: ColladaOptions) throws -> ColladaParser.Reading {
        let parser = ColladaParser(options: options)
        do {
            if let source = try source(at: path) {
                return try parser.read(
                    source.size, chunkSize: chunkSize, progress: { _ in }, isCancelled: isCancelled
                ) {
                    try source.read(at: $0, into: $1)
                }
            }
        } catch let error as ByteSourceError {
            throw CodedFailure(.ioError, at: Place(entry: path), error.description)
        }
        guard let entry = bundle.file(at: path) else {
            throw CodedFailure(.sourceNotFound, at: Place(entry: path), "there is no such entry")
        }
        return try parser.read(
            entry, of: bundle, chunkSize: chunkSize, progress: { _ in }, isCancelled: isCancelled)
    }
}

extension ColladaParser {
    /// Reads a whole entry.
    ///
    /// - Parameters:
    ///   - chunkSize: Bytes read at a time; `nil` for as many as are best.
    /// - Throws: ``CodedFailure``, or `CancellationError` when `isCancelled` said so.
    func read(
        _ entry: Bundle.Entry, of bundle: Bundle, chunkSize: Int?,
        progress: (Int64) -> Void, isCancelled: () -> Bool
    ) throws -> Reading {
        guard bundle.unpacksAhead(entry) else {
            var reader: EntryReader?
            return try read(
                entry.size, chunkSize: chunkSize, progress: progress, isCancelled: isCancelled
            ) { at, buffer in
                let current = try at == 0 ? bundle.reader(for: entry) : reader ?? bundle.reader(for: entry)
                reader = current
                return try current.read(into: buffer)
            }
        }
        try bundle.read(entry, chunkSize: chunkSize ?? Self.chunkSize) { chunk in
            if isCancelled() { throw CancellationError() }
            try read(chunk)
            progress(bytesRead)
        }
        return try finish()
    }

    /// Reads what `next` puts into the buffer from a place on, until that is nothing.
    ///
    /// - Parameter bytes: That come, as far as that is known: what is short needs no room for long chunks.
    func read(
        _ bytes: Int64, chunkSize: Int?, progress: (Int64) -> Void, isCancelled: () -> Bool,
        next: (Int64, UnsafeMutableRawBufferPointer) throws -> Int
    ) throws -> Reading {
        let size = max(1, min(chunkSize ?? Self.chunkSize, Int(clamping: bytes)))
        let buffer = UnsafeMutableRawBufferPointer.readBuffer(byteCount: size)
        defer { buffer.deallocate() }
        var at: Int64 = 0
        while true {
            let count = try next(at, buffer)
            if count == 0 { break }
            at += Int64(count)
            if isCancelled() { throw CancellationError() }
            try read(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            progress(bytesRead)
        }
        return try finish()
    }
}

/// A file that a document names, and how it was looked for.
package struct FollowedReference: Sendable, Hashable {
    package enum Kind: String, Sendable, CaseIterable {
        case image, document
    }

    package let kind: Kind
    /// The image's; `nil` of a document.
    package let id: String?
    package let name: String?
    /// The path of the document that names the file.
    package let base: String
    /// Its reference is empty where an image names no file.
    package let resolution: Resolution

    package init(kind: Kind, id: String? = nil, name: String? = nil, base: String, resolution: Resolution) {
        self.kind = kind
        self.id = id
        self.name = name
        self.base = base
        self.resolution = resolution
    }
}

extension FollowedReference {
    /// What ``Resolution/json`` has, with `kind`, `id`, `name` and `document`, the path of the one that names the file.
    package var json: JSONValue {
        guard case .object(var members) = resolution.json else { return .null }
        members["kind"] = .string(kind.rawValue)
        members["id"] = JSONValue(id)
        members["name"] = JSONValue(name)
        members["document"] = .string(base)
        return .object(members)
    }
}

extension SceneChoice {
    /// The models that a manifest shows together, as they are put into one scene. The first one lies where the scene does.
    var shownModels: [ShownModel] {
        guard let origin = parts.first?.placement else { return [] }
        return parts.map { part in
            ShownModel(
                path: part.entry.path, bytes: part.entry.size, name: part.name,
                transforms: part.placement.transforms(from: origin))
        }
    }
}

extension KMLPlacement {
    /// Outermost first; none where the model stays as it is.
    fileprivate func transforms(from origin: KMLPlacement) -> [Transform] {
        let offset = offset(from: origin)
        var transforms: [Transform] = []
        if offset != [0, 0, 0] { transforms.append(.translate(offset)) }
        if heading != 0 { transforms.append(.rotate(axis: [0, 0, 1], degrees: -heading)) }
        if tilt != 0 { transforms.append(.rotate(axis: [1, 0, 0], degrees: -tilt)) }
        if roll != 0 { transforms.append(.rotate(axis: [0, 1, 0], degrees: -roll)) }
        if scale != [1, 1, 1] { transforms.append(.scale(scale)) }
        return transforms
    }
}
