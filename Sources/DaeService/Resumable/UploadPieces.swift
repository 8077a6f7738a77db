import DaeCore
import Daedalus
import Synchronization

/// Where the bytes are of uploads that come in pieces.
protocol UploadPieces: Sendable {
    /// Those of one upload, for whoever writes to them now; `nil` while another does.
    func hold(_ upload: AssetID) throws -> (any HeldPieces)?
}

/// The bytes of one upload, which nobody else changes as long as this value is there.
protocol HeldPieces: Sendable {
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
}

// MARK: - A file for each upload

/// Uploads as files of one folder, to which each piece is appended.
struct FolderUploadPieces: UploadPieces {
    let folder: ServiceFolder

    func hold(_ upload: AssetID) throws -> (any HeldPieces)? {
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
/// Only requests to one process are kept apart here. Where two processes take pieces of one offset at once, the database
/// says whose counts, and the digest is that of the bytes which are put together in the end.
struct ObjectUploadPieces: UploadPieces {
    let objects: any ObjectStore
    /// Where what comes lies until it is put.
    let folder: ServiceFolder
    private let held = HeldUploads()

    init(objects: any ObjectStore, folder: ServiceFolder) { (self.objects, self.folder) = (objects, folder) }

    func hold(_ upload: AssetID) throws -> (any HeldPieces)? {
        guard held.begin(upload) else { return nil }
        return PieceObjects(upload, objects, folder, held)
    }
}

/// A class because all requests share it.
private final class HeldUploads: Sendable {
    private let uploads = Mutex<Set<AssetID>>([])

    func begin(_ upload: AssetID) -> Bool { uploads.withLock { $0.insert(upload).inserted } }
    func end(_ upload: AssetID) { uploads.withLock { _ = $0.remove(upload) } }
}

/// A class because it owns the file of what is not put yet, and keeps others out as long as it lives.
private final class PieceObjects: HeldPieces {
    private struct State: ~Copyable {
        /// Where the next piece begins.
        var start: Int64 = 0
        /// There as soon as bytes are.
        var file: OpenFile?
        var bytes: Int64 = 0
    }

    private let upload: AssetID
    private let objects: any ObjectStore
    private let held: HeldUploads
    private let path: String
    private let state = Mutex(State())

    init(_ upload: AssetID, _ objects: any ObjectStore, _ folder: ServiceFolder, _ held: HeldUploads) {
        (self.upload, self.objects, self.held, path) = (upload, objects, held, folder.newUpload())
    }

    deinit {
        unlink(path)
        held.end(upload)
    }

    func size() async throws -> Int64 { try await pieces().reduce(0) { $0 + $1.size } }

    func cut(to count: Int64) {
        // What was put behind it is put anew under the same keys before anybody counts on it.
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
        try await objects.put(localFile: path, at: .piece(of: upload, at: start))
        unlink(path)
        state.withLock { $0 = State(start: start + count) }
    }

    func assemble(toLocalFile file: String) async throws -> Upload {
        let whole = try UploadFile(file, limit: .max)
        for piece in try await pieces() {
            guard let reading = try await objects.open(piece.key) else { throw StorageError(piece.key.text, ENOENT) }
            try await reading.read(0..<reading.size) { try await whole.write($0[...]) }
        }
        return try await whole.finish()
    }

    func remove() async throws { try await objects.removeAll(ObjectKey.pieces(of: upload)) }

    /// Those that follow each other without a gap, from the first byte on.
    private func pieces() async throws -> [StoredObject] {
        var all: [String: StoredObject] = [:]
        try await objects.eachPage(ObjectKey.pieces(of: upload)) { page in
            for object in page { all[object.key.text] = object }
        }
        var (pieces, end): ([StoredObject], Int64) = ([], 0)
        while let next = all[ObjectKey.piece(of: upload, at: end).text], next.size > 0 {
            pieces.append(next)
            let (sum, isOver) = end.addingReportingOverflow(next.size)
            guard !isOver else { break }
            end = sum
        }
        return pieces
    }
}
