// The row says how much is there, and is written behind the bytes: what a client was told is on the disk. A file that is
// longer than its row was being written when the process ended; the rest is cut off.

import DaeCore
import Daedalus
import Hummingbird
import Logging
import ServiceLifecycle
import Synchronization

/// Uploads that come in pieces, from their announcement to the asset that each becomes.
struct ResumableUploads: Sendable {
    let tools: ServiceTools

    /// Unfinished uploads at most.
    private static let limit = 1000
    /// Bytes after which what has come is made sure in the middle of a request.
    private static let stride: Int64 = 8 << 20

    /// - Parameter client: Whose it is, and the asset that it becomes.
    func begin(length: Int64, metadata: UploadMetadata?, by client: Client) async throws -> ResumableUpload {
        guard length > 0 else { throw Problem(.badRequest, nil, "Upload-Length is \(length); expected at least 1.") }
        guard length <= tools.settings.contentLimit else { throw UploadFile.tooLarge(tools.settings.contentLimit) }
        do throws(AssetDetailFault) {
            _ = try AssetDetails(metadata, now: AssetOperations.Instant.systemTime())
        } catch { throw Problem(error) }
        try await tools.disk.check(adding: length)
        let upload = ResumableUpload(
            id: .random(), name: FileName.clean(metadata?.name ?? ""), metadata: metadata?.text, length: length,
            received: 0, expires: expiry, phase: .open, addedBy: client.owner)
        let isAdded: Bool
        do { isAdded = try await tools.uploads.add(upload, limit: Self.limit) } catch let fault as QuotaFault {
            throw Problem(fault)
        }
        guard isAdded else {
            throw Problem(.tooManyRequests, nil, "\(Self.limit) uploads have begun already.", retryAfter: 60)
        }
        return upload
    }

    /// - Throws: ``Problem`` where there is none, or no longer.
    func upload(_ text: String) async throws -> ResumableUpload {
        guard let id = AssetID(text), let upload = try await tools.uploads.upload(id),
            upload.expires >= AssetOperations.Instant.systemTime()
        else { throw Problem(.notFound, nil, "There is no upload '\(text.prefix(64))'.") }
        return upload
    }

    func remove(_ text: String) async throws {
        let (file, upload) = try await locked(text)
        file.remove()
        try await tools.uploads.removeUpload(upload.id)
    }

    // MARK: - Pieces

    /// Takes the piece that begins at `offset`. One that breaks off stays as far as it came, unless it has a checksum.
    func take(
        _ body: RequestBody, of text: String, at offset: Int64, declared: Int64?, checksum: UploadChecksum?
    ) async throws -> ResumableUpload {
        var (file, upload) = try await locked(text)
        switch upload.phase {
        case .open: break
        case .finished:
            throw Problem(.conflict, nil, "The upload is whole already, and has become the asset \(upload.id.text).")
        }
        guard offset == upload.received else {
            throw Problem(.conflict, nil, "Upload-Offset is \(offset); expected \(upload.received).")
        }
        guard declared ?? 0 <= upload.length - offset else { throw Self.tooLong(upload) }
        guard file.size >= offset else { throw Problem(.gone, .ioError, "The bytes of this upload were lost.") }
        try file.cut(to: offset)
        var room = DiskRoom(disk: tools.disk)
        do {
            try await room.take(declared ?? 0)
            if let checksum {
                try await read(body, checksum, to: file, &upload)
            } else {
                try await read(body, to: file, &upload, &room)
            }
            try await keep(&upload, file)
            await room.giveBack()
        } catch {
            await room.giveBack()
            if error is Problem { try file.cut(to: upload.received) }
            throw error
        }
        if let declared, upload.received - offset < declared {
            throw Problem(
                .badRequest, .downloadTruncated, "\(upload.received - offset) of \(declared) bytes came, and are kept.")
        }
        return upload.received == upload.length ? try await finish(upload, file) : upload
    }

    private func read(
        _ body: RequestBody, to file: PartialFile, _ upload: inout ResumableUpload, _ room: inout DiskRoom
    ) async throws {
        var kept = upload.received
        do {
            for try await buffer in body {
                let bytes = Array(buffer: buffer)
                guard Int64(bytes.count) <= upload.length - upload.received else { throw Self.tooLong(upload) }
                try await file.write(bytes)
                upload.received += Int64(bytes.count)
                guard upload.received - kept >= Self.stride else { continue }
                try await keep(&upload, file)
                await room.settle(upload.received - kept)
                kept = upload.received
                // Of what was not announced nobody kept room.
                try await tools.disk.check(adding: 0)
            }
        } catch let error as Problem {
            upload.received = kept
            throw error
        } catch let error as StorageError {
            throw error
        } catch {
            // The connection broke; what came is told to whoever asks for the offset.
            tools.log.info(
                "upload interrupted",
                metadata: ["upload": "\(upload.id)", "offset": .stringConvertible(upload.received)])
        }
    }

    private func read(
        _ body: RequestBody, _ checksum: UploadChecksum, to file: PartialFile, _ upload: inout ResumableUpload
    ) async throws {
        let before = upload.received
        let running = RunningChecksum(checksum.algorithm)
        do {
            for try await buffer in body {
                let bytes = Array(buffer: buffer)
                guard Int64(bytes.count) <= upload.length - upload.received else { throw Self.tooLong(upload) }
                await running.update(bytes)
                try await file.write(bytes)
                upload.received += Int64(bytes.count)
            }
            guard running.finish() == checksum.expected else {
                throw Problem(
                    .init(code: 460, reasonPhrase: "Checksum Mismatch"), .downloadChecksumMismatch,
                    "The bytes that came have another \(checksum.algorithm.rawValue).")
            }
        } catch {
            upload.received = before
            if error is Problem || error is StorageError { throw error }
            throw Problem(.badRequest, .downloadTruncated, "The connection broke; nothing of this piece is kept.")
        }
    }

    /// Makes sure of what came, whether or not who sent it still listens.
    private func keep(_ upload: inout ResumableUpload, _ file: PartialFile) async throws {
        try await file.sync()
        upload.expires = expiry
        let (kept, store) = (upload, tools.uploads)
        try await Task { try await store.save(kept) }.value
    }

    // MARK: - The whole

    /// Makes an asset of what is whole; where too many wait already that is done later.
    private func finish(_ upload: ResumableUpload, _ file: PartialFile) async throws -> ResumableUpload {
        var upload = upload
        if try await tools.store.asset(upload.id) == nil {
            let copy = tools.folder.newUpload()
            // The bytes stay where they are until the asset is kept.
            guard link(file.path, copy) == 0 else { throw StorageError(copy, errno) }
            defer { unlink(copy) }
            let whole = Upload(
                path: copy, digest: try await PartialFile.digest(copy), bytes: upload.length, counted: upload.length)
            do {
                try await admit(whole, of: upload)
            } catch let problem as Problem where problem.status == .tooManyRequests {
                return upload
            }
        }
        upload.phase = .finished
        try await tools.uploads.save(upload)
        file.remove()
        return upload
    }

    private func admit(_ whole: Upload, of upload: ResumableUpload) async throws {
        var admission = AssetAdmission(tools: tools, addedBy: upload.addedBy)
        do {
            admission.details = try AssetDetails(try upload.metadata.map { try UploadMetadata($0) }, now: nil)
            _ = try await admission.admit(whole, name: upload.name, id: upload.id)
        } catch let fault as AssetDetailFault { throw Problem(fault) } catch let fault as QuotaFault {
            throw Problem(fault)
        }
    }

    /// Drops uploads whose time is over, and finishes those that had to wait.
    func tidy() async throws {
        for due in try await tools.uploads.dueUploads(at: AssetOperations.Instant.systemTime()) {
            do { try await tidy(due.id) } catch let error where !(error is CancellationError) {
                tools.log.error("upload: \(error)", metadata: ["upload": "\(due.id)"])
            }
        }
    }

    private func tidy(_ id: AssetID) async throws {
        guard let file = try PartialFile(path(id)) else { return }
        guard let upload = try await tools.uploads.upload(id) else { return file.remove() }
        let isOver = upload.expires < AssetOperations.Instant.systemTime()
        if upload.phase == .open, upload.received == upload.length, file.size == upload.length {
            do { return _ = try await finish(upload, file) } catch let problem as Problem where isOver {
                // It found no room for as long as it was kept.
                tools.log.notice("upload dropped", metadata: ["upload": "\(upload.id)", "reason": "\(problem.detail)"])
            }
        }
        guard isOver else { return }
        file.remove()
        try await tools.uploads.removeUpload(upload.id)
    }

    /// An upload as it is now that nobody else can change it.
    private func locked(_ text: String) async throws -> (PartialFile, ResumableUpload) {
        guard let file = try PartialFile(path(try await upload(text).id)) else {
            throw Problem(
                .init(code: 423, reasonPhrase: "Locked"), nil, "Another request sends bytes of this upload.",
                retryAfter: 1)
        }
        do {
            let upload = try await upload(text)
            // Locking makes a file where there was none.
            if upload.phase == .finished { file.remove() }
            return (file, upload)
        } catch {
            file.remove()
            throw error
        }
    }

    private func path(_ id: AssetID) -> String { tools.folder.partials + "/" + id.text }

    private var expiry: Int64 { AssetOperations.Instant.systemTime() + Int64(tools.settings.uploadTime) * 1000 }

    private static func tooLong(_ upload: ResumableUpload) -> Problem {
        Problem(.contentTooLarge, nil, "More came than the \(upload.length) bytes that were announced.")
    }
}

/// A file that comes in pieces.
struct ResumableUpload: Sendable {
    /// Of the upload, and of the asset that it becomes.
    let id: AssetID
    let name: String
    /// What the client said of it, as it said it.
    let metadata: String?
    /// Bytes of the whole file.
    let length: Int64
    /// Bytes that are on the disk.
    var received: Int64
    /// Milliseconds since 1970, UTC.
    var expires: Int64
    var phase: Phase
    /// As of the asset that it becomes.
    var addedBy: String?

    enum Phase: Int64, Sendable {
        case open = 0
        /// It became an asset.
        case finished = 1
    }

    var path: String { "/v1/uploads/\(id.text)" }
    var assetPath: String? {
        switch phase {
        case .open: nil
        case .finished: "/v1/assets/\(id.text)"
        }
    }

    func json(_ base: BasePath) -> JSONValue {
        var links: [String: JSONValue] = ["self": .string(base.link(path))]
        if let assetPath { links["asset"] = .string(base.link(assetPath)) }
        return [
            "id": .string(id.text), "name": .string(name), "length": .integer(length), "offset": .integer(received),
            "expires": .integer(expires), "asset": JSONValue(assetPath == nil ? nil : id.text), "links": .object(links),
        ]
    }
}

/// What is kept of uploads that come in pieces.
protocol UploadStore: Sendable {
    /// - Parameter limit: Unfinished uploads at most.
    /// - Returns: Whether there was room.
    func add(_ upload: ResumableUpload, limit: Int) async throws -> Bool
    func upload(_ id: AssetID) async throws -> ResumableUpload?
    func save(_ upload: ResumableUpload) async throws
    func removeUpload(_ id: AssetID) async throws
    /// What the unfinished ones have on the disk.
    func partialBytes() async throws -> Int64
    /// Those whose time is over, and those that are whole but no asset yet.
    func dueUploads(at now: Int64) async throws -> [ResumableUpload]
}

// Locked while it is written to: the lock ends with the process, and other processes on the same folder see it.

/// The bytes of an upload that has begun. A class because it owns the descriptor and the lock on it.
private final class PartialFile: Sendable {
    let path: String
    private let descriptor: Int32

    /// `nil` while another request, here or in another process, holds it.
    init?(_ path: String) throws(StorageError) {
        self.path = path
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StorageError(path, errno) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return nil }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    var size: Int64 { Int64(lseek(descriptor, 0, SEEK_END)) }

    /// Drops what lies behind the first `count` bytes; the next are written there.
    func cut(to count: Int64) throws(StorageError) {
        guard ftruncate(descriptor, off_t(count)) == 0, lseek(descriptor, off_t(count), SEEK_SET) >= 0 else {
            throw StorageError(path, errno)
        }
    }

    func write(_ bytes: [UInt8]) async throws(StorageError) {
        try await Thread.run { [self] () throws(StorageError) in
            try WholeFile.write(bytes[...], to: descriptor, path)
        }
    }

    /// Returns when the bytes, and the file's name, outlive a machine that stops.
    func sync() async throws(StorageError) {
        let path = path
        try await Durable.sync(descriptor, path)
        try await Thread.run { () throws(StorageError) in try Durable.sync(folderOf: path) }
    }

    func remove() { unlink(path) }

    /// The digest of all bytes; takes long for many.
    static func digest(_ path: String) async throws(StorageError) -> SHA256Digest {
        try await Thread.run { () throws(StorageError) in try FileDigest.of(path) }
    }
}

enum FileDigest {
    static func of(_ path: String) throws(StorageError) -> SHA256Digest {
        var hasher = SHA256Hasher()
        try FilePieces.read(path, size: 1 << 18) { piece in piece.withUnsafeBytes { hasher.update($0) } }
        return hasher.finish()
    }
}

/// The digest of what comes in one request. A class because threads fill it, one after the other.
private final class RunningChecksum: Sendable {
    private struct Hashers: ~Copyable {
        var sha256: SHA256Hasher?
        var sha1: SHA1Hasher?
    }

    private let hashers: Mutex<Hashers>

    init(_ algorithm: UploadChecksum.Algorithm) {
        switch algorithm {
        case .sha256: hashers = Mutex(Hashers(sha256: SHA256Hasher(), sha1: nil))
        case .sha1: hashers = Mutex(Hashers(sha256: nil, sha1: SHA1Hasher()))
        }
    }

    func update(_ bytes: [UInt8]) async {
        await Thread.run { [self] in
            hashers.withLock { hashers in
                hashers.sha256?.update(bytes)
                bytes.withUnsafeBytes { hashers.sha1?.update($0) }
            }
        }
    }

    func finish() -> [UInt8]? {
        hashers.withLock { hashers in hashers.sha256.take()?.finish().bytes ?? hashers.sha1.take()?.finish() }
    }
}

/// Looks after uploads that nobody goes on with.
struct UploadKeeper: Service {
    private let tools: ServiceTools

    init(_ tools: ServiceTools) { self.tools = tools }

    func run() async throws {
        let pause = min(tools.settings.uploadTime, 5)
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do { try await ResumableUploads(tools: tools).tidy() } catch is CancellationError { return } catch {
                    tools.log.error("uploads: \(error)")
                }
                try? await Task.sleep(for: .seconds(pause))
            }
        }
    }
}
