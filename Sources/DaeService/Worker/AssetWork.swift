import DaeCore
import Daedalus
import Synchronization

/// Reads an asset's bytes to the asset's end, by the library's own pipeline.
struct AssetWork: Sendable {
    let order: WorkerOrder
    let report: WorkerReport

    /// Ends soon after its task was cancelled.
    func run(_ download: AssetState.Download) async throws {
        let entries = FoundEntries()
        let pipeline = AssetPipeline(operations: .init(stages: try stages(entries)))
        try await pipeline.settle(download, order, report)
        guard let end = await pipeline.state(of: order.asset) else { return }
        if let product = await pipeline.model(of: order.asset) {
            try write(product, entries)
        } else if let failure = end.failure, !end.isCancelled {
            try write(failure, await pipeline.findings(of: order.asset))
        }
        report.send(try order.redacted(end))
    }

    private func stages(_ entries: FoundEntries) throws -> AssetOperations.Stages {
        guard let file = order.assetFile else { throw StorageError("the asset's file", ENOENT) }
        let live = AssetOperations.live(try order.options()).stages
        let report = report
        var stages = live
        stages.download = { _, _, _ in file }
        // Said here and not by an observer, to whom only the newest of fast states comes.
        stages.unzip = { unzip, file, tally in
            report.send(.unzipping(unzip))
            let opened = try await live.unzip(unzip, file, tally)
            entries.set(opened.outermost.entries)
            return opened
        }
        stages.parse = { parse, file, bundle, tally in
            report.send(.parsing(parse))
            return try await live.parse(parse, file, bundle, tally)
        }
        return stages
    }

    // MARK: - What was read

    private func write(_ product: Model, _ entries: FoundEntries) throws {
        let inspection = product.inspection
        let members: [String: JSONValue] = [
            "schemaVersion": JSONValue(Inspection.schemaVersion), "source": inspection.source.json,
        ]
        try write("tree.json") { take in
            SceneTree(product.scene).writeJSON(.indented, members, as: "scene", to: take)
        }
        try write("inspect.json") { inspection.writeJSON(.indented, to: $0) }
        try write("files.json") { _ = $0(entries.json.text(.indented)) }
    }

    private func write(_ failure: AssetState.Failure, _ findings: FindingLog) throws {
        let source = Inspection.Source(input: SourceAddress.display(order.source))
        let whole = InspectionFailure(
            source: source, stage: InspectionFailure.Stage(failure.stage), code: failure.code,
            message: failure.message, place: failure.place, findings: findings)
        try write("inspect.json") { _ = $0(whole.json.text(.indented)) }
    }

    /// Writes a result piece by piece, within what may be written of a source.
    private func write(_ name: String, _ make: (_ take: ([UInt8]) -> Bool) -> Void) throws {
        let limit = ConversionBudget.outputLimit(read: order.file?.bytes ?? 0)
        try order.folder.write(as: name, limit: limit, make)
    }
}

/// Brings an asset's bytes here, and has another process read them: this one has the network.
struct DownloadWork: Sendable {
    let order: WorkerOrder
    let report: WorkerReport

    func run(_ download: AssetState.Download) async throws {
        let live = AssetOperations.live(try order.options()).stages
        let (order, report) = (order, report)
        var stages = live
        stages.download = { source, download, tally in
            let file = try await live.download(source, download, tally)
            guard case .cached(let path) = file.location else { throw StorageError("the asset's file", ENOENT) }
            // Out of the cache, which then has no other name for the bytes.
            guard rename(path, order.folder.file(WorkerFolder.content)) == 0 else {
                throw StorageError("the asset's file", errno)
            }
            report.send(.content(name: file.name))
            // All is done that is this process's; its pipeline would go on to read them.
            _exit(0)
        }
        let pipeline = AssetPipeline(operations: .init(stages: stages))
        try await pipeline.settle(download, order, report)
        if let end = await pipeline.state(of: order.asset) { report.send(try order.redacted(end)) }
    }
}

extension AssetPipeline {
    /// Takes an order's asset to its end, and says of each state on the way.
    fileprivate func settle(
        _ download: AssetState.Download, _ order: WorkerOrder, _ report: WorkerReport
    ) async throws {
        try take(download, source: try order.assetSource(), as: order.asset)
        let watching = Task {
            for await state in states(of: order.asset) where !state.isSettled { report.send(state) }
        }
        await coordinator(of: order.asset).start()
        await watching.value
    }
}

extension WorkerOrder {
    /// A state whose message names nothing of where things lie here.
    fileprivate func redacted(_ state: AssetState) throws -> AssetState {
        guard let message = state.failure?.message, redacted(message) != message else { return state }
        return try StateText.read(AssetState.self, redacted(try StateText.text(state)))
    }
}

/// What is in the bundle, once it is opened. A class since a stage finds it and the end asks for it.
private final class FoundEntries: Sendable {
    private let files = Mutex<[JSONValue]>([])

    var json: JSONValue { ["files": .array(files.withLock { $0 })] }

    func set(_ entries: [Bundle.Entry]) {
        let found: [JSONValue] = entries.map { ["path": .string($0.path), "bytes": .integer($0.size)] }
        files.withLock { $0 = found }
    }
}

extension InspectionFailure.Stage {
    init(_ stage: AssetStage) {
        switch stage {
        case .download: self = .download
        case .unzip: self = .unzip
        case .parse: self = .parse
        }
    }
}
