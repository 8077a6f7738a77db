import DaeCore
import DaeDiagnostics
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import DaeDownload

/// A downloader with a cache of its own.
struct DownloadFixture {
    let folder: TemporaryFolder
    let cache: DownloadCache
    private let downloader: Downloader

    /// Pauses take no time.
    init(
        limits: DownloadLimits = .forTests, caFile: String? = nil, policy: NetworkPolicy = .open,
        now: @escaping @Sendable () -> Int64 = { 1_800_000_000 }
    ) throws {
        folder = try TemporaryFolder()
        cache = DownloadCache(folder: folder.path + "/cache")
        var options = RequestOptions()
        options.userAgent = "daedalus-tests/1"
        options.caFile = caFile
        let log = pauses
        downloader = Downloader(
            cache: cache, limits: limits, policy: policy, options: options,
            environment: FetchEnvironment(now: now, chance: { 0 }, pause: { seconds, _, _ in log.append(seconds) }))
    }

    /// The pauses between requests so far, in seconds.
    let pauses = PauseLog()

    /// The contents of the cache that somebody may find, by their paths in it.
    var files: [String] {
        let manager = FileManager.default
        let paths = (try? manager.subpathsOfDirectory(atPath: cache.folder)) ?? []
        return paths.filter { path in
            guard !["locks/", "partial/", "refs/"].contains(where: { path.hasPrefix($0) }), path != "version",
                path != "CACHEDIR.TAG"
            else { return false }
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
        var request = DownloadRequest(url)
        request.retries = .never
        return try await downloader.download(request, progress: progress)
    }

    /// The same with all that a request may say.
    func download(
        _ request: DownloadRequest, notice: @escaping @Sendable (DownloadNotice) -> Void = { _ in }
    ) async throws(DownloadError) -> DownloadedFile {
        defer { withExtendedLifetime(folder) {} }
        return try await downloader.download(request, notice: notice)
    }

    func open(_ request: DownloadRequest) async throws(DownloadError) -> OpenedAddress {
        defer { withExtendedLifetime(folder) {} }
        return try await downloader.open(request, where: { _ in true })
    }

    /// What lies in the cache of transfers that did not end.
    var partials: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: cache.folder + "/partial")) ?? []).sorted()
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

/// How long a downloader meant to wait.
final class PauseLog: Sendable {
    private let entries = Mutex<[Double]>([])

    var all: [Double] { entries.withLock { $0 } }

    func append(_ seconds: Double) { entries.withLock { $0.append(seconds) } }
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
