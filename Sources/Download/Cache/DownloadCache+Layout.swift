// A cache of this layout says so in `version`. One that says a higher number was made by a newer program, which may keep
// things where this one would overlook or damage them: it is left alone.

import ContentHash
import Glibc

extension DownloadCache {
    /// The layout that this program reads and writes.
    static let layout = 1

    func blobFolder(of digest: SHA256Digest) -> String { "\(folder)/blobs/sha256/\(digest.hex.prefix(2))" }
    func referenceFolder(of key: CacheKey) -> String { "\(folder)/refs/\(key.hex.prefix(2))" }
    func referencePath(of key: CacheKey) -> String { "\(referenceFolder(of: key))/\(key.hex).json" }
    func lockFolder(of key: CacheKey) -> String { "\(folder)/locks/\(key.hex.prefix(2))" }
    func lockPath(of key: CacheKey) -> String { "\(lockFolder(of: key))/\(key.hex).lock" }
    func partialPath(of key: CacheKey) -> String { "\(folder)/partial/\(key.hex).part" }
    func recordPath(of key: CacheKey) -> String { "\(folder)/partial/\(key.hex).json" }
    /// Locked for the moment in which something is found and used, or found useless and removed.
    var gatePath: String { "\(folder)/locks/gate" }
    private var versionPath: String { "\(folder)/version" }

    /// Makes the folders where they are missing, and refuses a cache that cannot or must not be used.
    func prepare() throws(DownloadFailure) {
        let version = try checkedVersion()
        try files.makeFolder(folder)
        try checkOwner()
        for name in ["blobs", "blobs/sha256", "refs", "locks", "partial"] {
            try files.makeInnerFolder("\(folder)/\(name)")
        }
        guard version == nil else { return }
        try whileRemoving { () throws(DownloadFailure) in
            guard try checkedVersion() == nil else { return }
            try files.replace("\(folder)/CACHEDIR.TAG", with: Array(Self.tag.utf8))
            try files.replace(versionPath, with: Array("\(Self.layout)\n".utf8))
        }
    }

    /// The layout that the folder says it has; `nil` where it says nothing.
    @discardableResult
    func checkedVersion() throws(DownloadFailure) -> Int? {
        guard files.linkStatus(of: versionPath) != nil else { return nil }
        let text = files.content(of: versionPath, limit: 100).map { String(decoding: $0, as: UTF8.self) }
        guard let version = text.flatMap({ Int($0.prefix { $0 != "\n" }) }), version > 0 else {
            throw FileSystem.failure("use the cache", folder, "its file `version` cannot be understood")
        }
        guard version <= Self.layout else {
            throw FileSystem.failure(
                "use the cache", folder, "a newer program made it (layout \(version), known here is \(Self.layout))")
        }
        return version
    }

    /// Whoever owns the folder can put anything in it, so it must be the user or the system.
    private func checkOwner() throws(DownloadFailure) {
        let user = geteuid()
        guard let owner = files.status(of: folder)?.owner, owner != user, owner != 0, user != 0 else { return }
        throw FileSystem.failure("use the cache", folder, "it belongs to another user (number \(owner))")
    }

    /// What tells programs that make backups to leave the folder out; see the specification of cache directory tags.
    private static let tag = """
        Signature: 8a477f597d28d172789f06886806bc55
        # This file marks the folder as the download cache of Daedalus. All in it can be downloaded again.
        # What the mark means: https://bford.info/cachedir/

        """
}
