// daed.sqlite; what the keys of ObjectKey name; downloads/<asset> (unfinished); uploads/<owner>.… (on their way, and the
// folders of workers, removed when their owner is gone); partials/<upload>; owners/<name> (locked by the process it names).

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

    /// A file that is nobody else's.
    func newUpload() -> String { uploads + "/" + (owner.map { $0 + "." } ?? "") + AssetID.random().text }

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

/// What the system said of the files that are kept.
typealias StorageError = SystemError

extension SystemError {
    var isFull: Bool { Self.fullCodes.contains(code) }

    /// A worker's file may be too large for what it may take.
    static let fullCodes = [ENOSPC, EDQUOT, EFBIG]
}
