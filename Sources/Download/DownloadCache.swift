// Layout: `partial/<unique>` while bytes arrive, `blobs/sha256/<first two digits>/<digest>` once they are whole. The
// locks and the references by address that a later step brings get folders of their own beside these.

public import ContentHash
import Glibc

/// The folder that downloads go to, addressed by content. Nothing is made in it before the first bytes arrive.
public struct DownloadCache: Sendable, Hashable {
    public let folder: String

    public init(folder: String) {
        // The empty path would put the cache at the root of the file system.
        self.folder = folder.isEmpty ? "." : folder
    }

    /// `$DAE_CACHE`, else `$XDG_CACHE_HOME/daedalus`, else `~/.cache/daedalus`. A variable that is empty counts as unset,
    /// and so does an `XDG_CACHE_HOME` that is no absolute path. Without a home the present folder stands for it.
    public static func defaultFolder(environment: [String: String]) -> String {
        if let folder = environment["DAE_CACHE"], !folder.isEmpty { return folder }
        if let folder = environment["XDG_CACHE_HOME"], folder.hasPrefix("/") { return folder + "/daedalus" }
        guard let home = environment["HOME"], !home.isEmpty else { return ".cache/daedalus" }
        return home + "/.cache/daedalus"
    }

    /// The same by this process's environment.
    public static func defaultFolder() -> String {
        var environment: [String: String] = [:]
        for name in ["DAE_CACHE", "XDG_CACHE_HOME", "HOME"] {
            environment[name] = getenv(name).map { String(cString: $0) }
        }
        return defaultFolder(environment: environment)
    }

    /// Where the whole content of a digest lies, if it is in the cache.
    public func path(of digest: SHA256Digest) -> String {
        blobFolder(of: digest) + "/" + digest.hex
    }

    func blobFolder(of digest: SHA256Digest) -> String {
        folder + "/blobs/sha256/" + digest.hex.prefix(2)
    }

    var partialFolder: String { folder + "/partial" }
}
