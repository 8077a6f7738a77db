import Daedalus
import FileMetadata
import Glibc
import Hummingbird
import Logging

/// How much room is taken, in bytes.
struct DiskUsage: Sendable {
    var originals: Int64 = 0
    /// As of the last look: all of them are looked at in turn.
    var results: Int64 = 0
    /// What downloads left that nothing else holds, and uploads that are not whole.
    var downloads: Int64 = 0
    var database: Int64 = 0
    var free: Int64 = 0

    var total: Int64 { originals + results + downloads + database }
}

/// Holds what is kept within its limit: what can be made again goes, the longest unused first, and originals never.
actor DiskGuard {
    private let folder: ServiceFolder
    private let limits: DiskLimits
    private let store: any JobStore
    private let uploads: any UploadStore
    private let metrics: ServiceMetrics
    private let log: Logger
    private var looked: (results: Int64, downloads: Int64) = (0, 0)
    private var news = News.some
    /// Bytes that are on their way, by their senders' word, and not counted as kept yet.
    private var expected: Int64 = 0
    /// How often some of them came to be counted, or did not come.
    private var settlements = 0

    private enum News {
        case none
        /// Something was written since the last look.
        case some
    }

    /// Seconds for which what was just asked for stays: somebody is about to read it.
    private static let protection: Int64 = 2
    /// Seconds after which a file that is not whole has nobody who writes it.
    private static let unfinishedTime: Int64 = 6 * 3600

    init(
        folder: ServiceFolder, limits: DiskLimits, store: any JobStore, uploads: any UploadStore,
        metrics: ServiceMetrics, log: Logger
    ) {
        (self.folder, self.limits, self.metrics, self.log) = (folder, limits, metrics, log)
        (self.store, self.uploads) = (store, uploads)
    }

    func usage() async throws -> DiskUsage {
        var usage = DiskUsage()
        usage.originals = try await store.originalBytes()
        (usage.results, usage.downloads) = looked
        for ending in ["", "-wal", "-shm"] { usage.database += FileMetadata(folder.database + ending)?.size ?? 0 }
        usage.free = Self.free(folder.path)
        return usage
    }

    /// Refuses what there is no room for: neither now nor when all results were gone.
    func check(adding bytes: Int64) async throws {
        guard let fault = try await fault(adding: bytes) else { return }
        throw Problem(.init(code: 507, reasonPhrase: "Insufficient Storage"), .storageFull, fault)
    }

    /// Keeps room for so many bytes beside all others that are on their way, until they are settled.
    func expect(_ bytes: Int64) async throws {
        try await check(adding: bytes)
        expected += bytes
    }

    /// Says of bytes that were expected that they are kept now, or will not come.
    func settle(_ bytes: Int64) {
        expected -= bytes
        settlements += 1
    }

    /// Why so many bytes find no room; `nil` where they do.
    ///
    /// - Parameter others: What else counts. Who is on the way keeps out who comes later, and not what is here already.
    func fault(adding bytes: Int64, beside others: Others = .all) async throws -> String? {
        let free = Self.free(folder.path)
        guard free - max(0, bytes) >= limits.free else {
            return "\(free) bytes of the disk are free, of which \(limits.free) are kept free."
        }
        guard limits.total > 0 else { return nil }
        var (originals, partial): (Int64, Int64) = (0, 0)
        var seen: Int
        // What is settled meanwhile would be in neither.
        repeat {
            seen = settlements
            originals = try await store.originalBytes()
            partial = try await uploads.partialBytes()
        } while seen != settlements
        let coming =
            switch others {
            case .all: partial + expected
            case .originals: Int64(0)
            }
        let (sum, isOver) = (originals + coming).addingReportingOverflow(max(0, bytes))
        guard isOver || sum > limits.total else { return nil }
        let others = coming > 0 ? ", and what is being uploaded \(coming)" : ""
        return "The originals take \(originals) of \(limits.total) bytes\(others)."
    }

    enum Others {
        case all, originals
    }

    /// Says that something was written.
    func wrote() { news = .some }

    /// Looks at what there is, and makes room where it is too much.
    func sweep() async {
        guard case .some = news else { return }
        news = .none
        do { try await makeRoom() } catch { log.error("making room: \(error)") }
    }

    private func makeRoom() async throws {
        let folder = folder
        var files = try await Thread.run { ResultFile.all(folder) }
        let now = AssetOperations.Instant.systemTime() / 1000
        for file in files {
            guard case .unfinished = file.kind, now - file.used > Self.unfinishedTime else { continue }
            unlink(file.path)
        }
        files.sort { ($0.used, $0.path) < ($1.used, $1.path) }
        looked = (files.reduce(0) { $0 + $1.bytes }, try await Thread.run { Self.downloads(folder) })
        guard limits.total > 0, try await usage().total > limits.total else { return }
        let cache = DownloadCache(folder: folder.downloads)
        looked.downloads -= try await Thread.run { (try? cache.prune(to: 0))?.bytes ?? 0 }
        looked.downloads = max(0, looked.downloads)
        var excess = try await usage().total - limits.total
        for file in files where excess > 0 {
            guard case .derived = file.kind else { continue }
            guard now - file.used > Self.protection else {
                news = .some
                continue
            }
            guard unlink(file.path) == 0 else { continue }
            excess -= file.bytes
            looked.results -= file.bytes
            metrics.count(.evicted)
            metrics.count(.evictedBytes, by: file.bytes)
            log.info("evicted", metadata: ["file": "\(file.path.dropFirst(folder.path.utf8.count + 1))"])
        }
    }

    // MARK: - The disk

    /// What the system does not say counts as enough.
    static func free(_ path: String) -> Int64 { FileMetadata.freeBytes(at: path) ?? .max }

    /// Bytes of files that are not originals as well.
    private static func downloads(_ folder: ServiceFolder) -> Int64 {
        var (bytes, folders): (Int64, [String]) = (0, [folder.downloads, folder.partials])
        // As deep as the cache lays its folders.
        for _ in 0..<4 {
            var deeper: [String] = []
            for place in folders {
                for name in ServiceFolder.names(in: place) {
                    guard let metadata = FileMetadata("\(place)/\(name)") else { continue }
                    switch metadata.kind {
                    case .folder: deeper.append("\(place)/\(name)")
                    case .file, .other: bytes += metadata.links == 1 ? metadata.size : 0
                    }
                }
            }
            folders = deeper
        }
        return bytes
    }
}

/// How much may be kept.
struct DiskLimits: Sendable {
    /// Bytes of all that is kept; 0 for as much as the disk takes.
    var total: Int64 = 0
    /// Bytes of the disk that stay free.
    var free: Int64 = 64 << 20
}
