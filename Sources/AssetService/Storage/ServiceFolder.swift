// daed.sqlite; blobs/<2>/<digest>; results/<2>/<content key>/…; downloads/ (the cache); uploads/ (on their way); partials/<upload>;
// owners/<name> (locked by the process it names).

import Daedalus
import Glibc

/// Where things lie below the folder of all that is kept.
struct ServiceFolder: Sendable {
    let path: String

    var database: String { path + "/daed.sqlite" }
    var blobs: String { path + "/blobs" }
    var downloads: String { path + "/downloads" }
    var uploads: String { path + "/uploads" }
    /// Uploads that come in pieces.
    var partials: String { path + "/partials" }
    var owners: String { path + "/owners" }

    /// The folder of what was read of some bytes.
    func results(_ key: ContentKey) -> String { "\(path)/results/\(key.digest.hex.prefix(2))/\(key.text)" }

    /// A file that is nobody else's.
    func newUpload() -> String { uploads + "/" + AssetID.random().text }

    /// Makes the folders that are not there.
    func prepare() throws(StorageError) {
        for folder in [path, blobs, path + "/results", downloads, uploads, partials, owners] {
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

    /// Removes what is in a folder and the folder; only of folders that this program made, whose depth it knows.
    static func remove(_ folder: String) {
        guard let entries = opendir(folder) else { return }
        while let entry = readdir(entries) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard name != ".", name != ".." else { continue }
            if unlink("\(folder)/\(name)") != 0, errno == EISDIR || errno == EPERM { remove("\(folder)/\(name)") }
        }
        closedir(entries)
        rmdir(folder)
    }
}
