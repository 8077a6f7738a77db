import DaeCore
import Daedalus
import Hummingbird
import Synchronization

/// A file that a client sent, whole and on the disk.
struct Upload: Sendable {
    let path: String
    let digest: SHA256Digest
    let bytes: Int64
    /// How many of them count as kept already.
    var counted: Int64 = 0
}

/// What a request brings: a file's bytes, and what the client calls it.
struct ReceivedFile {
    let upload: Upload
    let name: String?

    /// Refuses a body that is too long by its own word.
    static func checkLength(_ request: Request, limit: Int64) throws(Problem) {
        guard let declared = declared(request) else { return }
        // Forms have little beside the file.
        let other = isForm(request) ? Int64(UploadForm.otherLimit) : 0
        guard declared - other <= limit else { throw UploadFile.tooLarge(limit) }
    }

    /// Bytes of the file at least, by the request's own word.
    static func leastBytes(_ request: Request) -> Int64 {
        max(0, (declared(request) ?? 0) - (isForm(request) ? Int64(UploadForm.otherLimit) : 0))
    }

    /// Takes the file from the body, or from the first part of a form that is one.
    static func receive(_ request: Request, limit: Int64, to path: String) async throws -> ReceivedFile {
        guard isForm(request) else { return try await whole(request, to: UploadFile(path, limit: limit)) }
        let type = request.headers[.contentType] ?? ""
        guard let reader = MultipartReader(contentType: type) else {
            throw Problem(
                .unsupportedMediaType, nil,
                "'\(type.prefix(100))' is no multipart/form-data with a boundary of 1 to 70 characters.")
        }
        var form = UploadForm(reader: reader, path: path, limit: limit)
        try await request.body.take { try await form.read(Array(buffer: $0)) }
        return try await form.finish()
    }

    private static func whole(_ request: Request, to file: UploadFile) async throws -> ReceivedFile {
        try await request.body.take { try await file.write(Array(buffer: $0)[...]) }
        if let declared = declared(request), file.bytes != declared {
            throw Problem(.badRequest, .downloadTruncated, "\(file.bytes) of \(declared) bytes came.")
        }
        let name =
            request.uri.queryParameters["name"].map(String.init)
            ?? request.headers[.contentDisposition].flatMap { SuggestedName.name(in: Array($0.utf8)) }
        if file.opening == UInt8(ascii: "{"), !isDeclaredFile(request, name) {
            throw Problem(
                .unsupportedMediaType, nil,
                "The body looks like JSON. To add an address send it with 'Content-Type: application/json'.")
        }
        return ReceivedFile(upload: try await file.finish(), name: name)
    }

    /// Whether the request says that its body is a file, by its name or by its type. curl's own type says nothing.
    private static func isDeclaredFile(_ request: Request, _ name: String?) -> Bool {
        let type = request.headers[.contentType]?.prefix { $0 != ";" }.lowercased() ?? ""
        if type == ContentTypes.unknown || ContentTypes.isKnown(type) { return true }
        return name.map { ContentTypes.type(of: $0) != ContentTypes.unknown } ?? false
    }

    private static func isForm(_ request: Request) -> Bool {
        request.headers[.contentType]?.lowercased().hasPrefix("multipart/") ?? false
    }

    private static func declared(_ request: Request) -> Int64? {
        request.headers[.contentLength].flatMap { Int64($0) }
    }
}

/// Bytes on their way to a file of their own, while their digest is computed. A class because it owns the file: what
/// was not finished is gone with it.
final class UploadFile: Sendable {
    private struct State: ~Copyable {
        var descriptor: Int32
        var hasher: SHA256Hasher? = SHA256Hasher()
        var bytes: Int64 = 0
        var opening: UInt8?
    }

    private let path: String
    private let limit: Int64
    private let state: Mutex<State>

    /// - Parameter limit: Bytes at most.
    init(_ path: String, limit: Int64) throws(StorageError) {
        self.path = path
        self.limit = limit
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        state = Mutex(State(descriptor: descriptor))
        guard descriptor >= 0 else { throw StorageError(path, errno) }
    }

    deinit {
        let descriptor = state.withLock { $0.descriptor }
        guard descriptor >= 0 else { return }
        close(descriptor)
        unlink(path)
    }

    var bytes: Int64 { state.withLock { $0.bytes } }
    /// The first byte that is no white space.
    var opening: UInt8? { state.withLock { $0.opening } }

    func write(_ chunk: ArraySlice<UInt8>) async throws {
        try await Thread.run { [self] in
            try state.withLock { state in
                state.bytes += Int64(chunk.count)
                guard state.bytes <= limit else { throw Self.tooLarge(limit) }
                if state.opening == nil { state.opening = chunk.first { !" \t\r\n".utf8.contains($0) } }
                chunk.withUnsafeBytes { state.hasher?.update($0) }
                try WholeFile.write(chunk, to: state.descriptor, path)
            }
        }
    }

    /// The file is the caller's from here on.
    func finish() async throws -> Upload {
        guard bytes > 0 else { throw Problem(.badRequest, nil, "There are no bytes; expected a file's.") }
        // An answer says that it is kept; a machine that stops right after must not make that untrue.
        try await Durable.sync(state.withLock { $0.descriptor }, path)
        return try state.withLock { state in
            guard let digest = state.hasher.take()?.finish() else { throw StorageError(path, EBADF) }
            close(state.descriptor)
            state.descriptor = -1
            return Upload(path: path, digest: digest, bytes: state.bytes)
        }
    }

    static func tooLarge(_ limit: Int64) -> Problem {
        Problem(.contentTooLarge, .downloadTooLarge, "There are more than \(limit) bytes, the most that is taken.")
    }
}

/// A form of which the first file is wanted; what else is in it is passed over.
private struct UploadForm {
    private enum Part {
        case none
        case passedOver
        case file(UploadFile, name: String)
    }

    /// Bytes at most of all that is no file's.
    static let otherLimit = 1 << 20

    private var reader: MultipartReader
    private let path: String
    private let limit: Int64
    private var part = Part.none
    private var found: (file: UploadFile, name: String)?
    private var other = 0

    init(reader: MultipartReader, path: String, limit: Int64) {
        (self.reader, self.path, self.limit) = (reader, path, limit)
    }

    mutating func read(_ bytes: [UInt8]) async throws {
        var events: [MultipartReader.Event] = []
        do { try reader.read(bytes) { events.append($0) } } catch let fault as MultipartReader.Fault {
            throw Problem(.badRequest, nil, Self.text(fault))
        }
        for event in events { try await take(event) }
    }

    /// - Throws: ``Problem`` where the form does not end, or holds no file.
    func finish() async throws -> ReceivedFile {
        guard reader.isComplete else {
            throw Problem(.badRequest, .downloadTruncated, "The form ends without its last boundary.")
        }
        guard let found else {
            throw Problem(.badRequest, nil, "The form holds no file: no part of it has a filename.")
        }
        return ReceivedFile(upload: try await found.file.finish(), name: found.name)
    }

    private mutating func take(_ event: MultipartReader.Event) async throws {
        switch event {
        case .part(let disposition):
            part = .passedOver
            guard found == nil, let name = SuggestedName.name(in: disposition) else { return }
            let file = try UploadFile(path, limit: limit)
            found = (file, name)
            part = .file(file, name: name)
        case .bytes(let bytes):
            switch part {
            case .file(let file, _): try await file.write(bytes)
            case .none, .passedOver:
                other += bytes.count
                guard other <= Self.otherLimit else {
                    throw Problem(
                        .contentTooLarge, nil, "The form has more than \(Self.otherLimit) bytes beside its file.")
                }
            }
        }
    }

    private static func text(_ fault: MultipartReader.Fault) -> String {
        switch fault {
        case .headTooLong: "A part of the form has a header of more than \(MultipartReader.headLimit) bytes."
        case .malformedHead: "A part of the form has a header that is none, or no Content-Disposition."
        case .malformedDelimiter: "A boundary of the form is followed by neither a line end nor two hyphens."
        case .tooManyParts: "The form has more than \(MultipartReader.partLimit) parts."
        case .preambleTooLong: "The form does not begin with its boundary."
        }
    }
}

/// The way in for new assets: kept with a job, or turned away.
struct AssetAdmission: Sendable {
    let tools: ServiceTools
    /// Whose it is, by the client's ``Client/owner``; `nil` where that is not known.
    var addedBy: String?
    /// Of the request that brings it.
    var key: RequestKey?
    /// What it came by in pieces.
    var upload: ResumableUpload?
    var details = AssetDetails()

    /// What a request brought.
    enum Outcome {
        case added(AssetRecord)
        /// By the same request, when it was sent before.
        case wasAdded(AssetRecord)
    }

    /// Whether the request was sent before, and only has to be answered.
    var isRepeated: Bool {
        get async throws {
            guard let key else { return false }
            return try await tools.store.isKnown(key)
        }
    }

    /// An asset of a file that lies among the uploads; what was read of equal bytes before is its state at once.
    func admit(_ upload: Upload, name: String, id: AssetID = .random()) async throws -> Outcome {
        let state = AssetState.downloading(.first)
        let content = await Thread.run {
            StoredContent(digest: upload.digest, bytes: upload.bytes, name: name, in: upload.path)
        }
        let presence = try await tools.intake.presence(content)
        var known: AssetState?
        if presence.isHere {
            known = try await tools.results.state(of: content, after: [state], source: name)
        } else if try await !isRepeated {
            try await tools.disk.check(adding: upload.bytes - upload.counted)
        }
        if known != nil { tools.metrics.look(.contents, isHit: true) }
        let now = AssetOperations.Instant.systemTime()
        let asset = described(
            AssetRecord(
                id: id, name: name, origin: .upload, content: content,
                state: known ?? state, created: now, changed: now, addedBy: addedBy))
        let admission = try await tools.intake.put(content, from: upload.path, presence) {
            try await keep(asset, $0)
        }
        return try outcome(admission, of: asset)
    }

    /// An asset of a link.
    func admit(_ asset: AssetRecord) async throws -> Outcome {
        let asset = described(asset)
        return try outcome(try await keep(asset, .known), of: asset)
    }

    /// With what the request says of it.
    private func described(_ asset: AssetRecord) -> AssetRecord {
        var asset = asset
        asset.details = details
        if details.expires == nil, tools.settings.expireAfter > 0 {
            asset.details.expires = asset.created + Int64(tools.settings.expireAfter) * 1000
        }
        return asset
    }

    private func keep(_ asset: AssetRecord, _ bytes: ContentBytes) async throws -> Admission {
        try await tools.store.add(
            asset, bytes: bytes, key: key, upload: upload, queueLimit: tools.settings.queueLimit)
    }

    private func outcome(_ admission: Admission, of asset: AssetRecord) throws -> Outcome {
        switch admission {
        case .added:
            tools.changes.notify()
            return .added(asset)
        case .wasAdded(let known): return .wasAdded(known)
        case .queueIsFull:
            throw Problem(
                .tooManyRequests, nil, "\(tools.settings.queueLimit) assets wait already.", retryAfter: 10)
        case .notHeld: throw Problem.uploadIsHeld
        case .lacksBytes: throw StorageError("the asset's bytes", ENOENT)
        }
    }
}
