import DaeCore
import Daedalus
import Hummingbird
import Logging

/// How much room is taken, in bytes.
struct DiskUsage: Sendable {
    var originals: Int64 = 0
    /// As of the last look.
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
    private let database: any RowDatabase
    private let store: JobStore
    private let strays: ObjectSweep
    private let uploads: UploadStore
    private let metrics: ServiceMetrics
    private let log: Logger
    /// What results take and when they were last all looked at; in between each change is counted when it comes.
    private var account = ResultAccount()
    private var downloads: Int64 = 0
    private var changes = Changes()
    /// Milliseconds since 1970 of the last look at all, and at what downloads left.
    private var looked: (all: Int64, downloads: Int64) = (0, 0)
    /// Bytes that are on their way, by their senders' word, and not counted as kept yet.
    private var expected: Int64 = 0
    /// How often some of them came to be counted, or did not come.
    private var settlements = 0

    /// What was written or removed since the last look.
    private struct Changes {
        var contents: Set<SHA256Digest> = []
        var downloads = 0
    }

    /// Seconds for which what was just asked for stays: somebody is about to read it.
    private static let protection: Int64 = 2
    /// Milliseconds between two looks at all, which find what other processes did and what nothing names.
    private static let lookPause: Int64 = 600_000
    /// Of a store that is not on this disk.
    private static let remoteLookPause: Int64 = 86_400_000
    /// Milliseconds between two looks at what downloads left.
    private static let downloadPause: Int64 = 10_000
    /// Bytes that a worker may write to one file however little room there is: what it reads of a small model.
    private static let leastFile: Int64 = 64 << 20

    init(
        folder: ServiceFolder, limits: DiskLimits, database: any RowDatabase, store: JobStore,
        uploads: UploadStore, strays: ObjectSweep, metrics: ServiceMetrics, log: Logger
    ) {
        (self.folder, self.limits, self.metrics, self.log) = (folder, limits, metrics, log)
        (self.database, self.store, self.uploads, self.strays) = (database, store, uploads, strays)
    }

    private var results: EvictableResults? { strays.objects.evictable }
    private var lookPause: Int64 { results == nil ? Self.remoteLookPause : Self.lookPause }

    func usage() async throws -> DiskUsage {
        var usage = DiskUsage()
        usage.originals = try await store.originalBytes()
        (usage.results, usage.downloads) = (account.bytes, downloads)
        usage.database = database.bytes
        usage.free = Self.free(folder.path)
        return usage
    }

    /// Refuses what there is no room for: neither now nor when all results were gone.
    func check(adding bytes: Int64) async throws {
        guard let fault = try await fault(adding: bytes) else { return }
        throw Problem.noRoom(fault)
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

    /// Bytes of the largest file that a worker may write.
    func fileLimit() async throws -> Int64 {
        var room = Self.free(folder.path) - limits.free
        if limits.total > 0 { room = min(room, limits.total - (try await store.originalBytes())) }
        return max(room, Self.leastFile)
    }

    // MARK: - The account

    /// Says that something was made of some bytes, or removed with them.
    func changed(_ digest: SHA256Digest) { changes.contents.insert(digest) }

    /// Says that a link led to a file.
    func downloaded() { changes.downloads += 1 }

    /// Counts what changed, and makes room where it is too much.
    func sweep() async {
        let now = AssetOperations.Instant.systemTime()
        let isDue = now - looked.all >= lookPause
        guard isDue || !changes.contents.isEmpty || changes.downloads > 0 else { return }
        do {
            if isDue { try await lookAtAll(now) } else { await count() }
            if changes.downloads > 0, now - looked.downloads >= Self.downloadPause { await countDownloads(now) }
            guard limits.total > 0 else { return }
            if try await usage().total > limits.total { try await makeRoom() }
        } catch is CancellationError {
            // The service ends.
        } catch { log.error("looking at the disk: \(error)") }
    }

    private func count() async {
        let digests = changes.contents
        changes.contents = []
        guard let results else { return }
        let sizes = await Thread.run { digests.map { ($0, results.bytes(of: $0)) } }
        for (digest, bytes) in sizes { account.set(digest, to: bytes) }
    }

    private func countDownloads(_ now: Int64) async {
        looked.downloads = now
        changes.downloads = 0
        let folder = folder
        downloads = await Thread.run { Self.downloads(folder) }
    }

    private func lookAtAll(_ now: Int64) async throws {
        try await strays.run(now: now, sharedEvery: lookPause)
        changes.contents = []
        let (folder, results) = (folder, results)
        // Looked at first: what comes between the two questions is somebody's.
        let downloads = await Thread.run { ServiceFolder.names(in: folder.downloads) }
        let assets = try await store.assetsWithoutContent()
        let files = await Thread.run {
            UnfinishedDownloads(folder).remove(downloads.filter { !assets.contains($0) })
            let files = results?.all() ?? []
            for file in files where file.isAbandoned(now / 1000) { unlink(file.path) }
            return files
        }
        account = ResultAccount(files)
        await countDownloads(now)
        looked.all = now
    }

    // MARK: - Making room

    private func makeRoom() async throws {
        let (folder, now) = (folder, AssetOperations.Instant.systemTime() / 1000)
        downloads = max(0, downloads - (await Thread.run { UnfinishedDownloads(folder).prune() }))
        // A little more than has to go, so that not each new file has all of them looked at.
        var excess = try await usage().total - limits.total
        guard excess > 0 else { return }
        excess += limits.total / 20
        guard let results else { return }
        let files = await Thread.run { results.all().sorted { ($0.used, $0.path) < ($1.used, $1.path) } }
        for file in files where excess > 0 {
            guard case .derived = file.kind else { continue }
            guard now - file.used > Self.protection else {
                // Its time comes.
                if let digest = file.digest { changes.contents.insert(digest) }
                continue
            }
            guard unlink(file.path) == 0 else { continue }
            excess -= file.bytes
            if let digest = file.digest { account.subtract(file.bytes, from: digest) }
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
                    case .file, .link, .pipe, .socket, .device, .other: bytes += metadata.links == 1 ? metadata.size : 0
                    }
                }
            }
            folders = deeper
        }
        return bytes
    }
}

/// What downloads that broke off left for their next attempt, in a folder for each asset.
private struct UnfinishedDownloads {
    private let folder: ServiceFolder

    init(_ folder: ServiceFolder) { self.folder = folder }

    /// Removes what no download is at; gives the bytes.
    func prune() -> Int64 {
        ServiceFolder.names(in: folder.downloads).reduce(0) { bytes, name in
            let cache = DownloadCache(folder: "\(folder.downloads)/\(name)")
            return bytes + ((try? cache.prune(to: 0))?.bytes ?? 0)
        }
    }

    /// Removes those of assets that have no need of them, and what other versions left there.
    func remove(_ names: [String]) {
        for name in names { ServiceFolder.discard("\(folder.downloads)/\(name)") }
    }
}

/// How much may be kept.
struct DiskLimits: Sendable {
    /// Bytes of all that is kept; 0 for as much as the disk takes.
    var total: Int64 = 0
    /// Bytes of the disk that stay free.
    var free: Int64 = 64 << 20
}

/// Room that is kept for bytes on their way.
struct DiskRoom {
    let disk: DiskGuard
    private var bytes: Int64 = 0

    init(disk: DiskGuard) { self.disk = disk }

    /// - Throws: ``Problem`` where there is none.
    mutating func reserve(_ more: Int64) async throws {
        guard more > 0 else { return }
        try await disk.expect(more)
        bytes += more
    }

    /// Of bytes that are counted as kept from now on.
    mutating func settle(_ kept: Int64) async {
        let settled = min(bytes, max(0, kept))
        bytes -= settled
        await disk.settle(settled)
    }

    /// Of all that did not come, or is kept now.
    mutating func release() async { await settle(bytes) }
}
