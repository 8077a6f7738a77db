// Layout: `blobs/sha256/<2 digits>/<digest>` whole contents, `refs/<2>/<key>.json` which content an address gave,
// `locks/<2>/<key>.lock` who is fetching it, `partial/<key>.part` and `.json` what has come so far.

package import DaeCore
import Synchronization

/// The folder that downloads go to, addressed by content and shared by any number of processes. Nothing is made in it
/// before the first download starts.
public struct DownloadCache: Sendable {
    package let folder: String
    /// How large it may grow; held after each download.
    package let sizeLimit: SizeLimit
    let files: FileSystem
    let usage = UsageEstimate()

    /// A cache that grows to 20 GiB.
    ///
    /// - Parameter folder: Made when the first download starts; the present folder for an empty path.
    public init(folder: String) { self.init(folder: folder, sizeLimit: .standard) }

    package init(folder: String, sizeLimit: SizeLimit) {
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
    package static func defaultFolder(environment: [String: String]) -> String {
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
    package func path(of digest: SHA256Digest) -> String {
        blobFolder(of: digest) + "/" + digest.hex
    }
}

// A cache of this layout says so in `version`. One that says a higher number was made by a newer program, which may keep
// things where this one would overlook or damage them: it is left alone.

extension DownloadCache {
    /// The layout that this program reads and writes.
    static let layout = 1

    func blobFolder(of digest: SHA256Digest) -> String { "\(folder)/blobs/sha256/\(digest.hex.prefix(2))" }
    private func referenceFolder(of key: CacheKey) -> String { "\(folder)/refs/\(key.hex.prefix(2))" }
    func referencePath(of key: CacheKey) -> String { "\(referenceFolder(of: key))/\(key.hex).json" }
    func lockFolder(of key: CacheKey) -> String { "\(folder)/locks/\(key.hex.prefix(2))" }
    func lockPath(of key: CacheKey) -> String { "\(lockFolder(of: key))/\(key.hex).lock" }
    func partialPath(of key: CacheKey) -> String { "\(folder)/partial/\(key.hex).part" }
    func recordPath(of key: CacheKey) -> String { "\(folder)/partial/\(key.hex).json" }
    /// Locked for the moment in which something is found and used, or found useless and removed.
    private var gatePath: String { "\(folder)/locks/gate" }
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

/// A whole content in the cache.
struct DownloadedBlob: Sendable, Hashable {
    let path: String
    let size: Int64
    let sha256: SHA256Digest
}

extension DownloadCache {
    private enum Look {
        case absent
        case sound(CacheReference)
        /// Refers to a blob that is not there, or that both cannot be right about.
        case unsound(blob: SHA256Digest?)
    }

    /// What an address gave before, with its blob marked as used; `nil` where nothing is known that can be relied on. A
    /// reference that cannot is removed.
    func reference(for key: CacheKey) -> CacheReference? {
        guard (try? checkedVersion()) != nil else { return nil }
        let found = try? whileUsing {
            let found = look(at: key)
            if case .sound(let reference) = found { touch(reference.sha256) }
            return found
        }
        switch found {
        case nil, .absent: return nil
        case .sound(let reference): return reference
        case .unsound:
            removeUnsoundReference(of: key)
            return nil
        }
    }

    /// Remembers what an address gave. Its blob has to be in the cache; ``PartialFile/commit(verifying:)`` puts it there.
    func store(_ reference: CacheReference, holding lock: CacheLock) throws(DownloadFailure) {
        try whileUsing { () throws(DownloadFailure) in
            let blob = path(of: reference.sha256)
            guard files.size(ofFile: blob) == reference.size else {
                throw FileSystem.failure("refer to", blob, "it was removed meanwhile")
            }
            try files.makeInnerFolder(referenceFolder(of: lock.key))
            try files.replace(referencePath(of: lock.key), with: reference.bytes(under: lock.key))
        }
    }

    /// A content by its digest, marked as used; `nil` where it is not in the cache. Its bytes are not looked at.
    func blob(of digest: SHA256Digest) -> DownloadedBlob? {
        guard (try? checkedVersion()) != nil else { return nil }
        return try? whileUsing {
            guard let size = files.size(ofFile: path(of: digest)) else { return nil }
            touch(digest)
            return DownloadedBlob(path: path(of: digest), size: size, sha256: digest)
        }
    }

    /// Marks a blob as used now. Where the folder is not ours to write in nobody prunes either.
    private func touch(_ digest: SHA256Digest) {
        _ = files.calls.setTime(path(of: digest), files.calls.now())
    }

    /// Removes a reference unless it can be relied on; whether it was removed. Of a blob and a reference that disagree on
    /// its size both go, as one of them lies.
    @discardableResult
    func removeUnsoundReference(of key: CacheKey) -> Bool {
        let isRemoved = try? whileRemoving {
            guard case .unsound(let blob) = look(at: key) else { return false }
            if let blob { files.remove(path(of: blob)) }
            return files.remove(referencePath(of: key))
        }
        return isRemoved ?? false
    }

    private func look(at key: CacheKey) -> Look {
        let path = referencePath(of: key)
        guard files.linkStatus(of: path) != nil else { return .absent }
        guard let reference = CacheReference(of: key, at: path, files) else { return .unsound(blob: nil) }
        guard let size = files.size(ofFile: self.path(of: reference.sha256)) else { return .unsound(blob: nil) }
        return size == reference.size ? .sound(reference) : .unsound(blob: reference.sha256)
    }
}

/// What an answer is kept under: the SHA-256 of the address and of what else of the request makes answers differ.
struct CacheKey: Sendable, Hashable {
    private let digest: SHA256Digest

    /// - Parameters:
    ///   - url: Without fragment.
    ///   - variant: Other parts of the request, in an order of their own. Each counts as a whole.
    init(url: String, variant: [String] = []) {
        var hasher = SHA256Hasher()
        for part in [url] + variant {
            // The lengths keep parts apart that would read the same when joined.
            hasher.update(Array("\(part.utf8.count):".utf8) + Array(part.utf8))
        }
        digest = hasher.finish()
    }

    /// Reads the name of a file in the cache; `nil` for any other.
    init?(hex: some StringProtocol) {
        guard let digest = SHA256Digest(hex: hex), digest.hex == hex else { return nil }
        self.digest = digest
    }

    /// 64 lower-case digits.
    var hex: String { digest.hex }
}

/// How large a cache may grow.
package enum SizeLimit: Sendable, Hashable {
    case unlimited
    /// At least 0.
    case bytes(Int64)

    /// 20 GiB.
    package static let standard = SizeLimit.bytes(20 << 30)

    /// Reads what `$DAE_CACHE_LIMIT` may say: `unlimited`, or a whole number of bytes with an optional `K`, `M`, `G` or `T`
    /// (powers of 1024; `GB` and `GiB` mean the same as `G`). `nil` for any other text.
    package init?(_ text: String) {
        let text = text.lowercased()
        guard text != "unlimited" else {
            self = .unlimited
            return
        }
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        var unit = text.dropFirst(digits.count).drop { $0 == " " }
        for ending in ["ib", "b"] where unit.hasSuffix(ending) {
            unit = unit.dropLast(ending.count)
            break
        }
        let shifts: [Substring: Int64] = ["": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40]
        guard let count = Int64(digits), let factor = shifts[unit] else { return nil }
        let (bytes, isTooLarge) = count.multipliedReportingOverflow(by: factor)
        guard !isTooLarge else { return nil }
        self = .bytes(bytes)
    }
}

/// How large a cache was when this process last counted, and what the process has added since, so that not every
/// download counts all files anew. A class because all copies of a cache share it.
final class UsageEstimate: Sendable {
    /// `nil` until counted.
    private let bytes = Mutex<Int64?>(nil)

    /// The estimate with what was added now.
    func adding(_ count: Int64) -> Int64? {
        bytes.withLock { bytes in
            guard let known = bytes else { return nil }
            let (sum, isTooLarge) = known.addingReportingOverflow(count)
            bytes = isTooLarge ? .max : sum
            return bytes
        }
    }

    func set(_ count: Int64?) { bytes.withLock { $0 = count } }
}

// Between finding a blob and marking it as used, another process could remove it as the one unused for longest. So
// finding and marking is done under a shared lock of one file, looking again and removing under its exclusive one. Both
// last for a few system calls, never for a transfer.

extension DownloadCache {
    /// Runs what finds or makes things visible; nothing is removed from `blobs` and `refs` meanwhile.
    func whileUsing<Value>(_ body: () throws(DownloadFailure) -> Value) throws(DownloadFailure) -> Value {
        try withGate(LOCK_SH, body)
    }

    /// Runs what removes; nobody is about to use what it finds.
    func whileRemoving<Value>(_ body: () throws(DownloadFailure) -> Value) throws(DownloadFailure) -> Value {
        try withGate(LOCK_EX, body)
    }

    private func withGate<Value>(
        _ kind: Int32, _ body: () throws(DownloadFailure) -> Value
    ) throws(DownloadFailure) -> Value {
        // Without the file there is no cache yet, or one that nobody can remove from.
        let file = (try? files.openForWriting(gatePath)) ?? (try? files.openForReading(gatePath))
        if let file { while flock(file.descriptor, kind) != 0, errno == EINTR {} }
        defer { withExtendedLifetime(file) {} }
        return try body()
    }
}
