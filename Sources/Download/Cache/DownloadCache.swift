// Layout: `blobs/sha256/<2 digits>/<digest>` whole contents, `refs/<2>/<key>.json` which content an address gave,
// `locks/<2>/<key>.lock` who is fetching it, `partial/<key>.part` and `.json` what has come so far.

public import ContentHash
import Glibc

/// The folder that downloads go to, addressed by content and shared by any number of processes. Nothing is made in it
/// before the first download starts.
public struct DownloadCache: Sendable {
    public let folder: String
    /// How large it may grow; held after each download.
    public let sizeLimit: SizeLimit
    let files: FileSystem
    let usage = UsageEstimate()

    public init(folder: String, sizeLimit: SizeLimit = .standard) {
        self.init(folder: folder, sizeLimit: sizeLimit, files: FileSystem())
    }

    init(folder: String, sizeLimit: SizeLimit, files: FileSystem) {
        // The empty path would put the cache at the root of the file system.
        self.folder = folder.isEmpty ? "." : folder
        self.sizeLimit = sizeLimit
        self.files = files
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
}
