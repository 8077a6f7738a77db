import DaeCore
import Daedalus

/// Writing of all bytes.
enum WholeFile {
    static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32, _ path: String) throws(StorageError) {
        try OpenFile(borrowing: descriptor, name: path).write(bytes)
    }
}

/// What has to be on the disk before a row of the database names it.
enum Durable {
    /// Writes a file's bytes, or a folder's names, to the disk.
    static func sync(_ path: String) throws(StorageError) { try OpenFile(path, .reading).sync() }

    /// Writes an open file's bytes to the disk, which may take long, on a thread of its own.
    static func sync(_ descriptor: Int32, _ path: String) async throws(StorageError) {
        try await Thread.run { () throws(StorageError) in try OpenFile(borrowing: descriptor, name: path).sync() }
    }

    static func sync(folderOf path: String) throws(StorageError) { try AtomicFile.sync(folderOf: path) }
}

/// Reading of files that are longer than what should be in memory at once.
enum FilePieces {
    /// Hands over all of a file's bytes, piece by piece, in their order.
    static func read(
        _ path: String, size: Int = 1 << 16, _ take: (ArraySlice<UInt8>) throws(StorageError) -> Void
    ) throws(StorageError) {
        try OpenFile(path, .reading).readPieces(size: size, take)
    }
}

enum TextFile {
    /// The whole of a file that this program wrote.
    static func read(_ path: String) throws(StorageError) -> String { String(decoding: try bytes(path), as: UTF8.self) }

    static func bytes(_ path: String) throws(StorageError) -> [UInt8] {
        var bytes: [UInt8] = []
        try FilePieces.read(path) { bytes += $0 }
        return bytes
    }
}

enum FileCopy {
    /// Has the same bytes at another place: as a link where the disk is the same. For files that never change.
    static func share(_ path: String, as target: String) throws(StorageError) {
        if link(path, target) != 0 { try copy(path, to: target) }
    }

    /// Copies bytes to a file that is not there yet; on an error nothing of it stays.
    static func copy(_ path: String, to target: String) throws(StorageError) {
        let copy = try OpenFile(target, .creating, permissions: 0o600)
        do throws(StorageError) {
            try FilePieces.read(path) { piece throws(StorageError) in try copy.write(piece) }
        } catch {
            unlink(target)
            throw error
        }
    }
}
