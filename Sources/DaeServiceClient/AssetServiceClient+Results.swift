import DaeCore
import DaeDiagnostics
import DaeDownload
public import DaeMesh
public import DaePipeline
import Synchronization

/// The forms of a report of findings. Raw values are what the service calls them.
public enum ServedReport: String, Sendable, CaseIterable {
    case json
    case sarif
    case markdown = "md"
}

/// The formats that a model is served in. Raw values are the endings of their addresses.
public enum ServedModel: String, Sendable, CaseIterable {
    /// Binary glTF 2.0.
    case glb
    /// USD in one package, for the viewers of Apple's devices.
    case usdz
    /// Binary STL: triangles alone.
    case stl
    /// Wavefront OBJ with its materials and textures, in one archive.
    case obj = "obj.zip"

    package var mediaType: String {
        switch self {
        case .glb: "model/gltf-binary"
        case .usdz: "model/vnd.usdz+zip"
        case .stl: "model/stl"
        case .obj: "application/zip"
        }
    }
}

extension AssetServiceClient {
    /// How long the service may take to make what is asked for the first time.
    private static let makingTime = Duration.seconds(1800)

    /// What `dae validate` says of the asset, in one of its forms. Also of an asset that failed.
    public func report(
        _ id: AssetID, _ form: ServedReport = .json
    ) async throws(AssetServiceError) -> [UInt8] {
        try await result("report?format=" + form.rawValue, of: id)
    }

    /// What is inside it.
    public func inspection(_ id: AssetID) async throws(AssetServiceError) -> Inspection {
        let bytes = try await inspectionJSON(id)
        do { return try JSONValue(text: bytes).decoded(Inspection.self) } catch {
            throw .notUnderstood("an inspection: \(error)")
        }
    }

    /// The bytes of `dae inspect --format json`.
    package func inspectionJSON(_ id: AssetID) async throws(AssetServiceError) -> [UInt8] {
        try await result("inspect", of: id)
    }

    /// What `dae tree --format json` says of it.
    public func tree(_ id: AssetID) async throws(AssetServiceError) -> [UInt8] {
        try await result("tree", of: id)
    }

    /// The files of the bundle.
    public func files(_ id: AssetID) async throws(AssetServiceError) -> [ServedFile] {
        let url = resultAddress("files", of: id)
        let json = try await json { () throws(AssetServiceError) in HTTPExchange(url) }
        guard let elements = json["files"]?.elements else { throw .notUnderstood("a list without files") }
        return elements.compactMap { element in
            element["path"]?.string.map { ServedFile(path: $0, size: element["bytes"]?.integer) }
        }
    }

    /// Fetches a file of the bundle. As ``model(_:to:as:compaction:progress:)``.
    public func file(_ path: String, of id: AssetID, to target: String) async throws(AssetServiceError) {
        try await fetch("files/" + PercentEncoding.encode(path, keeping: "/"), of: id, to: target)
    }

    /// Fetches the model in one of its formats, which is made where nobody asked for it before.
    ///
    /// The file appears when it is whole, in the place of one that is there; a transfer that breaks goes on where it
    /// stopped.
    ///
    /// - Parameters:
    ///   - compaction: Of a `.glb`; the others have none.
    ///   - progress: Told the bytes that are here, on the transfer's own thread.
    public func model(
        _ id: AssetID, to target: String, as format: ServedModel = .glb, compaction: ExportOptions.Compaction = .none,
        progress: @escaping @Sendable (Int64) -> Void = { _ in }
    ) async throws(AssetServiceError) {
        let query =
            switch compaction {
            case .none: ""
            case .quantized, .meshopt: "?compact=\(compaction.rawValue)"
            }
        try await fetch("model.\(format.rawValue)\(query)", of: id, to: target, progress: progress)
    }

    /// A picture of all of it, as PNG; made where nobody asked for it before.
    ///
    /// - Parameter size: Pixels of a side, 64 to 1024.
    public func thumbnail(_ id: AssetID, size: Int = 256) async throws(AssetServiceError) -> [UInt8] {
        try await result("thumbnail.png?size=\(size)", of: id)
    }

    /// Fetches the bytes that were uploaded or downloaded. As ``model(_:to:as:compaction:progress:)``.
    public func original(
        _ id: AssetID, to target: String, progress: @escaping @Sendable (Int64) -> Void = { _ in }
    ) async throws(AssetServiceError) {
        try await fetch("original", of: id, to: target, progress: progress)
    }

    /// Addresses of what was made of an asset, by which whoever holds one gets it without a token.
    ///
    /// - Parameters:
    ///   - seconds: From now, for which they hold: 1 to 2,592,000, which is 30 days.
    ///   - files: Paths of files of the bundle, 1000 at most.
    /// - Returns: Whole addresses, by `model.glb` and those of other formats, `thumbnail.png`, `original`, `report`, and `files/PATH` for each of the files.
    public func signedLinks(
        to id: AssetID, lasting seconds: Int64 = 3600, files: [String] = []
    ) async throws(AssetServiceError) -> [String: String] {
        let order: JSONValue = ["expiresIn": .integer(seconds), "files": .array(files.map { .string($0) })]
        let body = order.text(.compact)
        let url = resultAddress("links", of: id)
        let json = try await json { () throws(AssetServiceError) in
            HTTPExchange(url, .post(RequestBody(body), type: "application/json"))
        }
        guard case .object(let links)? = json["links"] else { throw .notUnderstood("links that are none") }
        return links.compactMapValues { $0.string.map { address(of: $0) } }
    }

    /// The whole address of a path that the service gives. Below a path of its own it may know that path, or not.
    private func address(of path: String) -> String {
        let start = server.firstRange(of: "://")?.upperBound ?? server.startIndex
        let base = server[start...].drop { $0 != "/" }
        let isWhole = !base.isEmpty && path.hasPrefix(base + "/")
        return (isWhole ? String(server.dropLast(base.count)) : server) + path
    }

    private func resultAddress(_ name: String, of id: AssetID) -> String { "\(server)/v1/assets/\(id.text)/\(name)" }

    /// Of bytes that the service would else send to its store for: whom it asks, nobody else is told.
    private func ownAddress(_ name: String, of id: AssetID) -> String {
        resultAddress(name, of: id) + (name.contains("?") ? "&" : "?") + "redirect=off"
    }

    private func result(_ name: String, of id: AssetID) async throws(AssetServiceError) -> [UInt8] {
        let url = ownAddress(name, of: id)
        return try await bytes { () throws(AssetServiceError) in
            var exchange = HTTPExchange(url)
            exchange.patience = Self.makingTime
            return exchange
        }
    }

    private func fetch(
        _ name: String, of id: AssetID, to target: String, progress: @escaping @Sendable (Int64) -> Void = { _ in }
    ) async throws(AssetServiceError) {
        var exchange = HTTPExchange(ownAddress(name, of: id))
        exchange.patience = Self.makingTime
        let file = try ArrivingTarget(target, progress: progress)
        var (left, failures) = (patience, 0)
        while true {
            exchange.resume = file.nextRequest()
            let before = file.size
            let broken: DownloadError?
            do throws(DownloadError) {
                try await http.run(exchange, to: file.receiver)
                broken = nil
            } catch { broken = error }
            if let failure = file.failure { throw failure }
            if let problem = file.problem {
                guard let pause = problem.pause, pause <= left else { throw .refused(problem) }
                left -= max(1, pause)
                try await Self.wait(.seconds(max(1, pause)))
            } else if let error = broken {
                guard !error.isCancelled else { throw .cancelled }
                failures = file.size > before ? 1 : failures + 1
                guard failures <= retries.attempts, file.size > 0 else { throw .unreachable(error) }
                try await Self.wait(.seconds(retries.pause(after: failures, chance: .random(in: 0..<1))))
            } else {
                return try file.finish()
            }
        }
    }
}

/// A file that is being fetched, and put in its place when it is whole. A class because it owns the file.
private final class ArrivingTarget: Sendable {
    private enum Phase {
        /// No answer yet, or the last one broke off.
        case waiting
        case writing
        /// An answer that is not the file, of which some bytes are kept.
        case refused(HTTPAnswerHead, [UInt8])
        case failed(AssetServiceError)
        case finished
    }

    private struct Contents {
        var phase = Phase.waiting
        var size: Int64 = 0
        var tag: String?
    }

    private let target: AtomicFile
    private let contents = Mutex(Contents())
    private let progress: @Sendable (Int64) -> Void

    /// Of what explains a refusal.
    private static let problemLimit = 64 << 10

    init(_ path: String, progress: @escaping @Sendable (Int64) -> Void) throws(AssetServiceError) {
        self.progress = progress
        do throws(SystemError) { target = try AtomicFile(path) } catch { throw Self.failure(error) }
    }

    private static func failure(_ error: SystemError) -> AssetServiceError {
        .cannotWrite(path: error.subject, reason: error.reason)
    }

    /// Bytes that are here.
    var size: Int64 { contents.withLock { $0.size } }

    /// Waits for another answer: what the last one was counts no more.
    ///
    /// - Returns: Where the request goes on; `nil` for the beginning.
    func nextRequest() -> (from: Int64, tag: String)? {
        contents.withLock { contents in
            contents.phase = .waiting
            guard contents.size > 0, let tag = contents.tag, !tag.hasPrefix("W/") else { return nil }
            return (contents.size, tag)
        }
    }

    var problem: ServiceProblem? {
        contents.withLock { contents in
            guard case .refused(let head, let body) = contents.phase else { return nil }
            return ServiceProblem(status: head.status, phrase: head.phrase, body: body, retryAfter: head.retryAfter)
        }
    }

    var failure: AssetServiceError? {
        contents.withLock { if case .failed(let error) = $0.phase { error } else { nil } }
    }

    var receiver: HTTPClient.Receiver { .init(head: { self.begin($0) }, body: { self.take($0) }) }

    private func begin(_ head: HTTPAnswerHead) {
        contents.withLock { contents in
            switch head.status {
            case 206 where head.partStart == contents.size: contents.phase = .writing
            case 200:
                // The whole, since it is the first request or there are other bytes now.
                contents.size = 0
                contents.tag = head.etag
                do throws(SystemError) {
                    try target.file.truncate(to: 0)
                    contents.phase = .writing
                } catch { contents.phase = .failed(Self.failure(error)) }
            default: contents.phase = .refused(head, [])
            }
        }
    }

    private func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let size: Int64? = contents.withLock { contents in
            switch contents.phase {
            case .writing:
                do throws(SystemError) { try target.file.write(bytes.bytes, at: contents.size) } catch {
                    contents.phase = .failed(Self.failure(error))
                    return nil
                }
                contents.size += Int64(bytes.count)
                return contents.size
            case .refused(let head, let body):
                contents.phase = .refused(head, body + bytes.prefix(Self.problemLimit - body.count))
                return contents.size
            case .waiting, .failed, .finished: return nil
            }
        }
        guard let size else { return false }
        progress(size)
        return true
    }

    /// Puts the file in its place.
    func finish() throws(AssetServiceError) {
        do throws(SystemError) { try target.place(.bytes) } catch { throw Self.failure(error) }
        contents.withLock { $0.phase = .finished }
    }
}
