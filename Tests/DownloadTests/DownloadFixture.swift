import ContentHash
import Diagnostics
import Download
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

/// A downloader with a cache of its own.
struct DownloadFixture {
    let folder: TemporaryFolder
    let cache: DownloadCache
    private let downloader: Downloader

    init(limits: DownloadLimits = .forTests, caFile: String? = nil) throws {
        folder = try TemporaryFolder()
        cache = DownloadCache(folder: folder.path + "/cache")
        downloader = Downloader(cache: cache, limits: limits, userAgent: "daedalus-tests/1", caFile: caFile)
    }

    /// The files of the cache that hold something downloaded or say something of it, by their paths in it.
    var files: [String] {
        let manager = FileManager.default
        let paths = (try? manager.subpathsOfDirectory(atPath: cache.folder)) ?? []
        return paths.filter { path in
            guard !path.hasPrefix("locks/"), path != "version", path != "CACHEDIR.TAG" else { return false }
            var isFolder = false
            return manager.fileExists(atPath: cache.folder + "/" + path, isDirectory: &isFolder) && !isFolder
        }.sorted()
    }

    /// The folder stays until the download has ended, even if nothing else holds the fixture: the cache would make it
    /// again, and nobody would remove it.
    func download(
        _ url: String, progress: @escaping @Sendable (DownloadProgress) -> Void = { _ in }
    ) async throws(DownloadError) -> DownloadedFile {
        defer { withExtendedLifetime(folder) {} }
        return try await downloader.download(url, progress: progress)
    }

    /// The error that a download ends with, once the cache was seen to be without files.
    func failure(
        of url: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async -> DownloadError? {
        let error = await #expect(throws: DownloadError.self, sourceLocation: sourceLocation) {
            try await download(url)
        }
        #expect(files == [], sourceLocation: sourceLocation)
        return error
    }
}

extension DownloadLimits {
    /// Long times, so that no test ends by a time-out unless it is about one.
    static var forTests: DownloadLimits {
        var limits = DownloadLimits()
        limits.connectTimeout = .seconds(3600)
        limits.stallTimeout = .seconds(3600)
        return limits
    }
}

/// What a progress closure was told.
final class ProgressLog: Sendable {
    private let entries = Mutex<[DownloadProgress]>([])

    var all: [DownloadProgress] { entries.withLock { $0 } }

    func append(_ progress: DownloadProgress) { entries.withLock { $0.append(progress) } }
}

/// Bytes that look like no page and differ at every place.
func sampleBytes(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var state = seed
    return (0..<count).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(truncatingIfNeeded: state >> 33)
    }
}
