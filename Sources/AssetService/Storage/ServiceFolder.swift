// daed.sqlite; blobs/<2>/<digest>; results/<2>/<content key>/…; downloads/ (the cache); uploads/<owner>.… (on their way,
// and the folders of workers, removed when their owner is gone); partials/<upload>; owners/<name> (locked by the process it names).

import Daedalus
import FileMetadata
import Glibc

/// Where things lie below the folder of all that is kept.
struct ServiceFolder: Sendable {
    let path: String
    /// Whose files are on their way.
    var owner: String?
    /// A worker's own, where what it makes lies until it is whole; it goes with the worker.
    var scratch: String?

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
    func place(of path: String) -> String {
        scratch.map { "\($0)/\(AssetID.random().text)" } ?? path + "." + AssetID.random().text
    }

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
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StorageError(path, errno) }
        defer { close(descriptor) }
        guard fchmod(descriptor, 0o600) == 0 || errno == EPERM else { throw StorageError(path, errno) }
    }

    /// Removes what is in a folder and the folder; only of folders that this program made, whose depth it knows.
    static func remove(_ folder: String) {
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
    static func names(in folder: String) -> [String] {
        guard let entries = opendir(folder) else { return [] }
        defer { closedir(entries) }
        var names: [String] = []
        while let entry = readdir(entries) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    static func isFolder(_ path: String) -> Bool {
        guard case .folder = FileMetadata(path)?.kind else { return false }
        return true
    }
}
