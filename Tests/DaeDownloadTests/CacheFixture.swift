import DaeCore
import FoundationEssentials
import Glibc
import Synchronization
import TestSupport

@testable import DaeDownload

/// A cache of its own, with a clock and a boot that the test decides.
struct CacheFixture {
    final class Clock: Sendable {
        private let seconds = Mutex<Int64>(1_000_000)
        var now: Int64 { seconds.withLock { $0 } }
        func advance(_ count: Int64) { seconds.withLock { $0 += count } }
    }

    let folder: TemporaryFolder
    let cache: DownloadCache
    let clock = Clock()

    init(sizeLimit: SizeLimit = .standard, boot: String? = "this boot") throws {
        folder = try TemporaryFolder()
        var calls = FileSystem.Calls.kernel
        calls.bootID = { boot }
        calls.now = { [clock] in clock.now }
        calls.sync = { _ in 0 }
        cache = DownloadCache(
            folder: folder.path + "/cache", sizeLimit: sizeLimit, files: FileSystem(calls: calls))
        try cache.prepare()
    }

    /// Fetches a content for an address as a downloader does.
    @discardableResult
    func add(_ bytes: [UInt8], url: String? = nil) throws -> SHA256Digest {
        let lock = try lock(url ?? "http://host/\(bytes.count)")
        let file = PartialFile(holding: lock)
        try file.begin(url: url ?? "", validators: Validators(), total: nil)
        try file.write(bytes)
        let (_, digest) = try file.commit()
        if let url { try cache.store(reference(to: bytes, url: url), holding: lock) }
        return digest
    }

    /// Leaves the beginning of a content that can be resumed.
    func keep(_ bytes: [UInt8], url: String) throws {
        let file = PartialFile(holding: try lock(url))
        try file.begin(url: url, validators: Validators(etag: "\"a\""), total: nil)
        try file.write(bytes)
        file.keep()
    }

    func reference(to bytes: [UInt8], url: String) -> CacheReference {
        CacheReference(
            url: url, finalURL: url, sha256: SHA256Digest(hashing: bytes), size: Int64(bytes.count),
            contentType: "model/vnd.collada+xml", suggestedName: "a \"b\".dae",
            validators: Validators(etag: "\"a\"", lastModified: nil), storedAt: clock.now, freshUntil: clock.now + 60)
    }

    func lock(_ url: String) throws -> CacheLock {
        try CacheLock.acquire(CacheKey(url: url), in: cache, isStopped: { false }, onWait: {})
    }

    /// All regular files, by their paths in the cache, but for those that every cache has.
    var files: [String] {
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: cache.folder)) ?? []
        return names.filter {
            cache.files.linkStatus(of: "\(cache.folder)/\($0)")?.kind != .folder
                && !["version", "CACHEDIR.TAG", "locks/gate"].contains($0)
        }.sorted()
    }

    /// The same without the locks.
    var contents: [String] { files.filter { !$0.hasPrefix("locks/") } }
}
