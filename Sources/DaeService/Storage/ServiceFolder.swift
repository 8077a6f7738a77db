// daed.sqlite; blobs/<2>/<digest>; results/<2>/<content key>/…; downloads/<asset> (unfinished); uploads/<owner>.… (on their
// way, and the folders of workers, removed when their owner is gone); partials/<upload>; owners/<name> (locked by the process it names).

import DaeCore
import Daedalus

/// Where things lie below the folder of all that is kept.
struct ServiceFolder: Sendable {
    let path: String
    /// Whose files are on their way.
    var owner: String?

    var database: String { path + "/daed.sqlite" }
    var blobs: String { path + "/blobs" }
    var downloads: String { path + "/downloads" }
    var uploads: String { path + "/uploads" }
    /// Uploads that come in pieces.
    var partials: String { path + "/partials" }
    var owners: String { path + "/owners" }
    var results: String { path + "/results" }

    /// The files on their way whose owner is so and so.
    func uploads(of owner: String) -> [String] {
        Self.names(in: uploads).filter { $0.hasPrefix(owner + ".") }.map { uploads + "/" + $0 }
    }

    /// The folder of what was read of some bytes.
    func results(_ key: ContentKey) -> String { "\(results(of: key.digest))/\(key.text)" }

    /// The folder that has it among others.
    func results(of digest: SHA256Digest) -> String { "\(results)/\(digest.hex.prefix(2))" }

    /// A file that is nobody else's.
    func newUpload() -> String { uploads + "/" + (owner.map { $0 + "." } ?? "") + AssetID.random().text }

    /// Where a file lies until it is whole.
    func place(of path: String) -> String { path + "." + AssetID.random().text }

    /// Where an asset's unfinished download is kept for the next attempt.
    func downloads(of asset: AssetID) -> String { "\(downloads)/\(asset.text)" }

    /// Makes the folders that are not there.
    func prepare() throws(StorageError) {
        for folder in [path, blobs, results, downloads, uploads, partials, owners] {
            try Self.make(folder)
        }
    }

    /// Makes a folder and those above it, for this user alone.
    static func make(_ folder: String) throws(StorageError) {
        var path = folder.hasPrefix("/") ? "" : "."
        for part in folder.split(separator: "/") {
            path += "/" + part
            if mkdir(path, 0o700) != 0, errno != EEXIST, errno != EISDIR {
                let code = errno
                guard access(path, F_OK) == 0 else { throw StorageError(path, code) }
            }
        }
    }

    /// Makes a file that this user alone reads, or makes it so; SQLite gives the files beside it the same mode.
    static func makePrivate(_ path: String) throws(StorageError) {
        let file = try OpenFile(path, .updating, permissions: 0o600)
        do throws(StorageError) { try file.setPermissions(0o600) } catch {
            guard error.code == EPERM else { throw error }
        }
    }

    /// Removes what is in a folder and the folder; only of folders that this program made, whose depth it knows.
    static func remove(_ folder: String) {
        // A worker may have closed it.
        chmod(folder, 0o700)
        for name in names(in: folder) {
            if unlink("\(folder)/\(name)") != 0, errno == EISDIR || errno == EPERM { remove("\(folder)/\(name)") }
        }
        rmdir(folder)
    }

    /// Removes a file, or a folder that this program made.
    static func discard(_ path: String) {
        if unlink(path) != 0 { remove(path) }
    }

    /// What is in a folder, in the order of the names; nothing of one that cannot be read.
    static func names(in folder: String) -> [String] { (try? FolderReading.names(in: folder)) ?? [] }

    static func isFolder(_ path: String) -> Bool {
        FileMetadata(path)?.kind == .folder
    }
}

/// Keeps contents under their SHA-256.
///
/// A folder is one answer to it; a store that is reached over a network is another, which gives copies as files.
protocol BlobStore: Sendable {
    /// Takes a file in, which is then gone from where it was; equal bytes are kept once. Not to be called twice at once.
    func adopt(_ file: String, as digest: SHA256Digest) throws(StorageError)
    /// A file with the bytes of a digest; `nil` where there are none.
    func file(_ digest: SHA256Digest) throws(StorageError) -> String?
    func remove(_ digest: SHA256Digest) throws(StorageError)
    /// All that is kept.
    func digests() -> [SHA256Digest]
}

/// What the system said of the files that are kept.
typealias StorageError = SystemError

extension SystemError {
    var isFull: Bool { Self.fullCodes.contains(code) }

    /// A worker's file may be too large for what it may take.
    static let fullCodes = [ENOSPC, EDQUOT, EFBIG]
}

/// Contents as files of one folder.
struct FolderBlobStore: BlobStore {
    let folder: String

    func adopt(_ file: String, as digest: SHA256Digest) throws(StorageError) {
        let target = path(digest)
        // A worker may be about to read what is there: its sandbox knows that file, and no other in its place.
        if let kept = FileMetadata(target), kept.kind == .file, kept.size == FileMetadata(file)?.size,
            access(target, R_OK) == 0
        {
            unlink(file)
            return
        }
        try ServiceFolder.make(parent(digest))
        try Durable.sync(file)
        guard rename(file, target) == 0 else { throw StorageError(target, errno) }
        try Durable.sync(parent(digest))
        try Durable.sync(folder)
    }

    func file(_ digest: SHA256Digest) throws(StorageError) -> String? {
        let file = path(digest)
        return access(file, R_OK) == 0 ? file : nil
    }

    func remove(_ digest: SHA256Digest) throws(StorageError) {
        guard unlink(path(digest)) == 0 || errno == ENOENT else { throw StorageError(path(digest), errno) }
    }

    func digests() -> [SHA256Digest] {
        ServiceFolder.names(in: folder).flatMap { group in
            ServiceFolder.names(in: "\(folder)/\(group)").compactMap { SHA256Digest(hex: $0) }
        }
    }

    private func parent(_ digest: SHA256Digest) -> String { "\(folder)/\(digest.hex.prefix(2))" }
    private func path(_ digest: SHA256Digest) -> String { "\(parent(digest))/\(digest.hex)" }
}
