import DaeCore
import Daedalus
import Synchronization

/// Where the bytes are of uploads that come in pieces.
protocol UploadPieces: Sendable {
    /// Those of one upload, for whoever writes to them now; `nil` while another does.
    func acquire(_ upload: AssetID) async throws -> (any HeldPieces)?
}

/// The bytes of one upload, which nobody else changes until they are released, or this value is gone.
protocol HeldPieces: Sendable {
    /// How often the upload had been held when it was for them; `nil` where its row does not say who holds it.
    var holds: Int64? { get }
    /// How many bytes there are, from the first on.
    func size() async throws -> Int64
    /// Drops what lies behind the first `count` bytes; the next are written there.
    func cut(to count: Int64) throws
    func write(_ bytes: [UInt8]) async throws
    /// Returns when what was written outlives a machine that stops.
    func sync() async throws
    /// Makes a local file of all bytes, which is not there yet; they stay as they are.
    func assemble(toLocalFile file: String) async throws -> Upload
    func remove() async throws
    /// Lets others at them.
    func release() async
}

// MARK: - A file for each upload

/// Uploads as files of one folder, to which each piece is appended.
struct FolderUploadPieces: UploadPieces {
    let folder: ServiceFolder

    func acquire(_ upload: AssetID) throws -> (any HeldPieces)? {
        try PartialFile("\(folder.partials)/\(upload.text)")
    }
}

// Locked while it is written to: the lock ends with the process, and other processes on the same folder see it.

/// The bytes of an upload that has begun. A class because it owns the descriptor and the lock on it.
private final class PartialFile: HeldPieces {
    private let path: String
    private let descriptor: Int32

    /// `nil` while another request, here or in another process, holds it.
    init?(_ path: String) throws(StorageError) {
        self.path = path
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StorageError(path, errno) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return nil }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    var holds: Int64? { nil }

    func release() { flock(descriptor, LOCK_UN) }

    func size() -> Int64 { Int64(lseek(descriptor, 0, SEEK_END)) }

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

    func sync() async throws(StorageError) {
        let path = path
        try await Durable.sync(descriptor, path)
        // Its name, too.
        try await Thread.run { () throws(StorageError) in try Durable.sync(folderOf: path) }
    }

    func assemble(toLocalFile file: String) async throws(StorageError) -> Upload {
        let path = path
        return try await Thread.run { () throws(StorageError) in
            // Whoever has the upload changes it no more, as long as it is held.
            try FileCopy.share(path, as: file)
            return Upload(path: file, digest: try FileDigest.of(file), bytes: FileMetadata(file)?.size ?? 0)
        }
    }

    func remove() { unlink(path) }
}

// MARK: - An object for each piece

/// Uploads as objects, one for what came between two times that it was made sure of: any process goes on with them.
///
/// A lease in the upload's row keeps others out. Who stood still for longer than its lease may still put a piece: under a
/// key of its own, which does not count beside that of who held the upload after it.
struct ObjectUploadPieces: UploadPieces {
    let objects: any ObjectStore
    /// Where what comes lies until it is put.
    let folder: ServiceFolder
    let uploads: UploadStore

    func acquire(_ upload: AssetID) async throws -> (any HeldPieces)? {
        guard let holds = try await uploads.acquireLease(of: upload, lease: PieceObjects.lease) else { return nil }
        return PieceObjects(upload, holds, self)
    }
}

/// A class because it owns the file of what is not put yet, and the task that renews the lease.
private final class PieceObjects: HeldPieces {
    private struct State: ~Copyable {
        /// Where the next piece begins.
        var start: Int64 = 0
        /// There as soon as bytes are.
        var file: OpenFile?
        var bytes: Int64 = 0
    }

    /// Milliseconds for which an upload of a process that is gone waits for another.
    static let lease: Int64 = 6000

    private let upload: AssetID
    private let number: Int64
    private let place: ObjectUploadPieces
    private let path: String
    private let renewal: Task<Void, Never>
    private let state = Mutex(State())

    init(_ upload: AssetID, _ number: Int64, _ place: ObjectUploadPieces) {
        (self.upload, self.number, self.place, path) = (upload, number, place, place.folder.newUpload())
        renewal = Task {
            while (try? await Task.sleep(for: .milliseconds(Self.lease / 3))) != nil {
                // Where that fails another may go on, and what this one writes is not kept.
                try? await place.uploads.renew(upload, number, lease: Self.lease)
            }
        }
    }

    deinit {
        unlink(path)
        renewal.cancel()
    }

    var holds: Int64? { number }

    func release() async {
        renewal.cancel()
        // Also for a request that is cancelled.
        let (upload, number, uploads) = (upload, number, place.uploads)
        await Task { try? await uploads.renew(upload, number, lease: nil) }.value
    }

    func size() async throws -> Int64 { try await pieces().reduce(0) { $0 + $1.size } }

    func cut(to count: Int64) {
        // What was put behind it is put anew, by who holds the upload then, before anybody counts on it.
        state.withLock { $0 = State(start: count) }
        unlink(path)
    }

    func write(_ bytes: [UInt8]) async throws {
        try await Thread.run { [self] () throws(StorageError) in
            try state.withLock { state throws(StorageError) in
                if state.bytes == 0 {
                    unlink(path)
                    state.file = try OpenFile(path, .creating, permissions: 0o600)
                }
                try state.file?.write(bytes)
                state.bytes += Int64(bytes.count)
            }
        }
    }

    func sync() async throws {
        let (start, count) = state.withLock { ($0.start, $0.bytes) }
        guard count > 0 else { return }
        try await place.objects.put(localFile: path, at: .piece(of: upload, at: start, holds: number))
        unlink(path)
        state.withLock { $0 = State(start: start + count) }
    }

    func assemble(toLocalFile file: String) async throws -> Upload {
        let whole = try UploadFile(file, limit: .max)
        for piece in try await pieces() {
            guard let reading = try await place.objects.open(piece.key) else {
                throw StorageError(piece.key.text, ENOENT)
            }
            try await reading.read(0..<reading.size) { try await whole.write($0[...]) }
        }
        return try await whole.finish()
    }

    func remove() async throws { try await place.objects.removeAll(ObjectKey.pieces(of: upload)) }

    /// Those that follow each other without a gap, from the first byte on. Of two of one offset the one counts that was
    /// put by who held the upload later.
    private func pieces() async throws -> [StoredObject] {
        var all: [Int64: (holds: Int64, object: StoredObject)] = [:]
        try await place.objects.eachPage(ObjectKey.pieces(of: upload)) { page in
            for object in page {
                guard let (offset, holds) = object.key.piece, holds >= all[offset]?.holds ?? 0 else { continue }
                all[offset] = (holds, object)
            }
        }
        var (pieces, end): ([StoredObject], Int64) = ([], 0)
        while let next = all[end]?.object, next.size > 0 {
            let (sum, isOver) = end.addingReportingOverflow(next.size)
            guard !isOver else { break }
            pieces.append(next)
            end = sum
        }
        return pieces
    }
}
