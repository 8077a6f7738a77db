import Daedalus
import Glibc

/// The work of one order, in the worker's own process.
struct WorkerRun: Sendable {
    let order: WorkerOrder
    let report: WorkerReport
    /// Has an element once the parent knows what bytes came, and wants them to be read.
    let goAhead: AsyncStream<Void>

    func run() async {
        do {
            switch order.task {
            case .process(let download):
                try await AssetWork(order: order, report: report, goAhead: goAhead).run(download)
            case .report: try await ReportWork(order: order).run()
            case .model: try await ModelWork(order: order).run()
            case .entry(let path): try await EntryWork(order: order, path: path).run()
            }
            report.tell(.made)
        } catch {
            let reason = AssetState.Reason(error)
            if Self.isForWantOfRoom(error, reason.message) {
                return report.tell(
                    .failed(code: FindingCode.storageFull.rawValue, message: "There is no room for what is made of it.")
                )
            }
            report.tell(.failed(code: reason.code.rawValue, message: order.told(reason.message)))
        }
    }

    /// Whether the disk, or what a worker may take of it, was full. Errors of other modules say it in the system's words
    /// alone.
    private static func isForWantOfRoom(_ error: any Error, _ message: String) -> Bool {
        if let error = error as? StorageError { return error.isFull }
        return StorageError.fullCodes.contains { message.hasSuffix(String(cString: strerror($0))) }
    }
}

extension WorkerOrder {
    /// A message without the folder of all that is kept: where that lies is no client's to know.
    func told(_ message: String) -> String { message.replacing(folder + "/", with: "") }

    /// Where all that is kept lies, and what this worker makes of it until it is whole.
    var serviceFolder: ServiceFolder { ServiceFolder(path: folder, owner: owner, scratch: scratch) }

    /// How the service reads: nothing beyond the bundle is looked at, and no reference is followed into the web.
    func options() throws -> AssetOperations.LiveOptions {
        var options = AssetOperations.LiveOptions(cache: DownloadCache(folder: ServiceFolder(path: folder).downloads))
        options.policy = .bundleOnly
        options.webImages = .reported
        options.collada.retention = .figures
        options.downloadLimits.bytes = contentLimit
        var settings = ServiceSettings()
        settings.allowedBlocks = allowedBlocks
        options.web.policy = try settings.networkPolicy()
        options.web.reading = .whole
        options.web.overlap = .never
        return options
    }

    /// The file that is here; as one of the cache, since it lies among no files of its own.
    var assetFile: AssetFile? {
        file.map {
            AssetFile(
                name: $0.name, location: .cached($0.path), bytes: $0.bytes, sha256: $0.sha256, input: source)
        }
    }
}
