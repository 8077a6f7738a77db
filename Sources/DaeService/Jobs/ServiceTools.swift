import DaeCore
import Daedalus
import Logging
import NIOPosix
import Synchronization

/// What every part of the service works with.
struct ServiceTools: Sendable {
    let settings: ServiceSettings
    let tasks: Set<WorkerTask>
    let folder: ServiceFolder
    let database: any RowDatabase
    let store: JobStore
    let uploads: UploadStore
    let access: AccessStore
    let webhooks: WebhookStore
    let objects: any ObjectStore
    let puts: PendingPuts
    let pieces: any UploadPieces
    let localFiles: LocalFiles
    let liveness: OwnerLiveness
    let changes = ChangeNotifier()
    let phase = ServicePhase()
    let metrics: ServiceMetrics
    let disk: DiskGuard
    let places: WorkerPlaces
    let clients: ClientLedger
    let quotas = QuotaLedger()
    let log: Logger
    /// Of who did what.
    let audit = Logger(label: "audit")

    /// - Parameters:
    ///   - tasks: What of the work is done here.
    ///   - owner: Whose claims are made by them.
    init(
        _ settings: ServiceSettings, _ tasks: Set<WorkerTask>, _ folder: ServiceFolder, _ stores: ServiceStores,
        owner: AssetID, _ log: Logger
    ) {
        (self.settings, self.tasks, self.folder, self.log) = (settings, tasks, folder, log)
        (database, objects, pieces, liveness) = (stores.database, stores.objects, stores.pieces, stores.liveness)
        (store, uploads) = (JobStore(database), UploadStore(database))
        (access, webhooks) = (AccessStore(database), WebhookStore(database))
        (metrics, puts) = (ServiceMetrics(), PendingPuts(owner: owner))
        disk = DiskGuard(
            folder: folder, limits: settings.disk, database: database, store: store, uploads: uploads,
            strays: ObjectSweep(
                objects: objects, store: store, uploads: uploads, puts: puts, liveness: liveness, log: log),
            metrics: metrics, log: log)
        localFiles = LocalFiles(objects, folder: folder.newUpload(), limit: 4 << 30)
        places = WorkerPlaces(settings.workers)
        clients = ClientLedger(settings, database.dialect)
    }

    var sessions: Sessions { Sessions(store: access) }

    /// What stands before each path in the addresses that are given out.
    var base: BasePath { BasePath(settings.basePath) }

    /// Keeps in the log who did what: a line for each action, with nothing in it that lets anybody in.
    func note(_ action: AssetAction.Kind, _ asset: AssetID, _ context: ServiceContext) {
        note(action.rawValue, asset, context)
    }

    /// - Parameter action: One that is no action of the asset's.
    func note(_ action: String, _ asset: AssetID, _ context: ServiceContext) {
        note(action, ("asset", asset.text), context)
    }

    /// - Parameter object: What it was done to, with the name of its field.
    func note(_ action: String, _ object: (field: String, value: String), _ context: ServiceContext) {
        audit.info(
            "action",
            metadata: [
                "action": "\(action)", object.field: "\(object.value)", "request": "\(context.requestID)",
                "client": "\(context.client.logged)", "address": "\(context.address ?? "-")",
            ])
    }

    var results: ResultStore { ResultStore(objects: objects) }
    var derivations: DerivationRequests { DerivationRequests(database: database) }
    var intake: ContentIntake { ContentIntake(objects: objects, store: store, puts: puts) }

    /// A result that is there already when it is asked for; it counts as used then.
    func opened(_ result: ObjectKey) async throws -> (any ObjectReading)? {
        let file = try await objects.open(result)
        metrics.look(.results, isHit: file != nil)
        return file
    }

    /// A result that is asked for, made where it is not there.
    func opened(_ result: ObjectKey, making: () async throws -> Void) async throws -> any ObjectReading {
        if let file = try await opened(result) { return file }
        try await making()
        guard let file = try await objects.open(result) else { throw StorageError(result.text, ENOENT) }
        return file
    }

    /// Removes bytes that no asset has any more, and what was made of them. What is left where this fails the next look at
    /// the disk finds.
    func discard(_ unused: UnusedContent) async {
        do {
            try await objects.remove(unused.object)
            // Another asset with such bytes may be there by now; what goes all the same is made again.
            if try await store.object(of: unused.digest) == nil { try await results.remove(unused.digest) }
        } catch { log.error("removing what no asset has: \(error)", metadata: ["sha256": "\(unused.digest.hex)"]) }
        await disk.changed(unused.digest)
    }

    /// Hands over what a worker is told of an asset. The file in it stays until `body` returns.
    func order<Value: Sendable>(
        _ task: WorkerOrder.Task, _ asset: AssetRecord, isolation: isolated (any Actor)? = #isolation,
        _ body: (WorkerOrder) async throws -> Value
    ) async throws -> Value {
        guard let content = asset.content, let object = try await intake.object(of: content) else {
            return try await body(try await order(task, asset, nil))
        }
        return try await localFiles.with(object) { path in
            let file = path.map {
                WorkerOrder.SourceFile(
                    path: $0, name: content.name, bytes: content.bytes, sha256: content.digest.hex)
            }
            return try await body(try await order(task, asset, file))
        }
    }

    private func order(
        _ task: WorkerOrder.Task, _ asset: AssetRecord, _ file: WorkerOrder.SourceFile?
    ) async throws -> WorkerOrder {
        var order = WorkerOrder(
            task: task, asset: asset.id, source: asset.source, file: file, data: folder.path,
            folder: WorkerFolder(path: folder.newUpload()), downloads: folder.downloads(of: asset.id),
            limits: settings.worker, fileLimit: try await disk.fileLimit(), contentLimit: settings.contentLimit,
            allowedBlocks: settings.allowedBlocks)
        if file == nil {
            order.download = try await store.download(of: asset.id)
            order.contentLimit = min(order.contentLimit, try await access.bytesLeft(to: asset.addedBy))
        }
        return order
    }
}

enum FileName {
    /// A name without folders and controls, at most 200 bytes; `model` where nothing is left of it.
    static func clean(_ text: String) -> String {
        let last = text.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last.map(String.init) ?? ""
        var name = ""
        for scalar in last.unicodeScalars where !scalar.isControl {
            guard name.utf8.count + 4 <= 200 else { break }
            name.unicodeScalars.append(scalar)
        }
        return name.isEmpty || name == "." || name == ".." || name == "-" ? "model" : name
    }
}

// A disk that is busy or asleep answers late, and Swift's own few threads are all requests'.

/// Threads for what waits: all reading, writing and hashing of files that a request asks for. To look at a name, a size or a
/// time, or to open a file, is no reading.
enum Thread {
    private static let pool: NIOThreadPool = {
        let pool = NIOThreadPool(numberOfThreads: 16)
        pool.start()
        return pool
    }()

    /// What `body` gives, from one of these threads. It runs to its end, also where the task is cancelled.
    static func run<Value: Sendable, Failure: Error>(
        _ body: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let outcome: Result<Value, Failure> = await withCheckedContinuation { continuation in
            // The pool is never stopped, and so drops nothing.
            pool.submit { _ in continuation.resume(returning: Result(catching: body)) }
        }
        return try outcome.get()
    }
}

/// Whether the service takes new work. A class because all share it.
final class ServicePhase: Sendable {
    enum Phase: Sendable {
        case serving, stopping
    }

    private let phase = Mutex(Phase.serving)

    var isStopping: Bool {
        switch phase.withLock({ $0 }) {
        case .serving: false
        case .stopping: true
        }
    }

    /// Whether this is the first time that somebody wants it to stop.
    func stop() -> Bool {
        phase.withLock { phase in
            defer { phase = .stopping }
            switch phase {
            case .serving: return true
            case .stopping: return false
            }
        }
    }
}
