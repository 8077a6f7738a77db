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
        try await locked(text) { pieces, upload in
            try await pieces.remove()
            try await tools.uploads.remove(upload)
        }
    }

    // MARK: - Pieces

    /// Takes the piece that begins at `offset`. One that breaks off stays as far as it came, unless it has a checksum.
    func append(
        _ body: RequestBody, of text: String, at offset: Int64, declared: Int64?, checksum: UploadChecksum?
    ) async throws -> ResumableUpload {
        try await locked(text) { pieces, upload in
            try await append(body, pieces, upload, at: offset, declared: declared, checksum: checksum)
        }
    }

    private func append(
        _ body: RequestBody, _ pieces: any HeldPieces, _ held: ResumableUpload, at offset: Int64, declared: Int64?,
        checksum: UploadChecksum?
    ) async throws -> ResumableUpload {
        var upload = held
        switch upload.phase {
        case .open: break
        case .finished:
            throw Problem(.conflict, nil, "The upload is whole already, and has become the asset \(upload.id.text).")
        }
        guard offset == upload.received else {
            throw Problem(.conflict, nil, "Upload-Offset is \(offset); expected \(upload.received).")
        }
        guard declared ?? 0 <= upload.length - offset else { throw Self.tooLong(upload) }
        guard try await pieces.size() >= offset else {
            throw Problem(.gone, .ioError, "The bytes of this upload were lost.")
        }
        try pieces.cut(to: offset)
        var room = DiskRoom(disk: tools.disk)
        do {
            try await room.reserve(declared ?? 0)
            if let checksum {
                try await read(body, checksum, to: pieces, &upload)
            } else {
                try await read(body, to: pieces, &upload, &room)
            }
            try await keep(&upload, pieces)
            await room.release()
        } catch {
            await room.release()
            if error is Problem { try pieces.cut(to: upload.received) }
            throw error
        }
        if let declared, upload.received - offset < declared {
            throw Problem(
                .badRequest, .downloadTruncated, "\(upload.received - offset) of \(declared) bytes came, and are kept.")
        }
        return upload.received == upload.length ? try await finish(upload, pieces) : upload
    }

    private func read(
        _ body: RequestBody, to pieces: any HeldPieces, _ upload: inout ResumableUpload, _ room: inout DiskRoom
    ) async throws {
        var kept = upload.received
        do {
            for try await buffer in body {
                let bytes = Array(buffer: buffer)
                guard Int64(bytes.count) <= upload.length - upload.received else { throw Self.tooLong(upload) }
                try await pieces.write(bytes)
                upload.received += Int64(bytes.count)
                guard upload.received - kept >= Self.stride else { continue }
                try await keep(&upload, pieces)
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
        _ body: RequestBody, _ checksum: UploadChecksum, to pieces: any HeldPieces, _ upload: inout ResumableUpload
    ) async throws {
        let before = upload.received
        let running = RunningChecksum(checksum.algorithm)
        do {
            for try await buffer in body {
                let bytes = Array(buffer: buffer)
                guard Int64(bytes.count) <= upload.length - upload.received else { throw Self.tooLong(upload) }
                await running.update(bytes)
                try await pieces.write(bytes)
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
    private func keep(_ upload: inout ResumableUpload, _ pieces: any HeldPieces) async throws {
        try await pieces.sync()
        upload.expires = expiry
        let (kept, store) = (upload, tools.uploads)
        guard try await Task(operation: { try await store.save(kept) }).value else { throw Problem.uploadIsHeld }
    }

    // MARK: - The whole

    /// Makes an asset of what is whole; where too many wait already that is done later.
    private func finish(_ upload: ResumableUpload, _ pieces: any HeldPieces) async throws -> ResumableUpload {
        var upload = upload
        if try await tools.store.asset(upload.id) == nil {
            let copy = tools.folder.newUpload()
            defer { unlink(copy) }
            // The pieces stay where they are until the asset is kept.
            var whole = try await pieces.assemble(toLocalFile: copy)
            guard whole.bytes == upload.length else { throw StorageError("the upload's bytes", EIO) }
            whole.counted = upload.length
            do {
                try await admit(whole, of: upload)
            } catch let problem as Problem where problem.status == .tooManyRequests {
                return upload
            }
        }
        upload.phase = .finished
        guard try await tools.uploads.save(upload) else { throw Problem.uploadIsHeld }
        try await pieces.remove()
        return upload
    }

    private func admit(_ whole: Upload, of upload: ResumableUpload) async throws {
        var admission = AssetAdmission(tools: tools, addedBy: upload.addedBy, upload: upload)
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
            // To try makes one file of all pieces first. What is whole is kept until there is room.
            let isWhole = due.phase == .open && due.received == due.length
            if isWhole, try await !tools.store.hasRoom(queueLimit: tools.settings.queueLimit) { continue }
            do { _ = try await holding(due.id) { try await tidy(due.id, $0) } } catch let error
                where !(error is CancellationError)
            {
                tools.log.error("upload: \(error)", metadata: ["upload": "\(due.id)"])
            }
        }
    }

    private func tidy(_ id: AssetID, _ pieces: any HeldPieces) async throws {
        guard let upload = try await tools.uploads.upload(id) else { return try await pieces.remove() }
        guard pieces.holds ?? upload.holds == upload.holds else { return }
        let isOver = upload.expires < AssetOperations.Instant.systemTime()
        if upload.phase == .open, upload.received == upload.length, try await pieces.size() == upload.length {
            do { return _ = try await finish(upload, pieces) } catch let problem as Problem {
                // Another node went on with it, to which it is left.
                if problem.status == .locked { return }
                guard isOver else { throw problem }
                // It found no room for as long as it was kept.
                tools.log.notice("upload dropped", metadata: ["upload": "\(upload.id)", "reason": "\(problem.detail)"])
            }
        }
        guard isOver else { return }
        try await pieces.remove()
        try await tools.uploads.remove(upload)
    }

    /// Has an upload as it is now that nobody else can change it.
    private func locked<Value: Sendable>(
        _ text: String, _ body: (any HeldPieces, ResumableUpload) async throws -> Value
    ) async throws -> Value {
        let value = try await holding(try await upload(text).id) { pieces in
            let upload: ResumableUpload
            do { upload = try await self.upload(text) } catch let problem as Problem {
                // Holding them may make a file where there was none.
                try await pieces.remove()
                throw problem
            }
            if upload.phase == .finished { try await pieces.remove() }
            guard pieces.holds ?? upload.holds == upload.holds else { throw Problem.uploadIsHeld }
            return try await body(pieces, upload)
        }
        guard let value else { throw Problem.uploadIsHeld }
        return value
    }

    /// `nil` where another has the bytes.
    private func holding<Value: Sendable>(
        _ id: AssetID, _ body: (any HeldPieces) async throws -> Value
    ) async throws -> Value? {
        guard let pieces = try await tools.pieces.acquire(id) else { return nil }
        do {
            let value = try await body(pieces)
            await pieces.release()
            return value
        } catch {
            await pieces.release()
            throw error
        }
    }

    private var expiry: Int64 { AssetOperations.Instant.systemTime() + Int64(tools.settings.uploadTime) * 1000 }

    private static func tooLong(_ upload: ResumableUpload) -> Problem {
        Problem(.contentTooLarge, nil, "More came than the \(upload.length) bytes that were announced.")
    }
}

extension HTTPResponse.Status {
    fileprivate static let locked = HTTPResponse.Status(code: 423, reasonPhrase: "Locked")
}

extension Problem {
    static var uploadIsHeld: Problem {
        Problem(.locked, nil, "Another request sends bytes of this upload.", retryAfter: 1)
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
    /// How often it was held by a process: what is written with an older number is not kept.
    var holds: Int64 = 0

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
