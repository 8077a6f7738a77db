import DaeCore
import Daedalus
import Synchronization

/// Takes an asset from its state to its end, by the library's own pipeline.
struct AssetWork: Sendable {
    let order: WorkerOrder
    let report: WorkerReport
    let goAhead: AsyncStream<Void>
    private let folder: ServiceFolder
    private let results: KnownResults

    init(order: WorkerOrder, report: WorkerReport, goAhead: AsyncStream<Void>) {
        self.order = order
        self.report = report
        self.goAhead = goAhead
        folder = order.serviceFolder
        results = KnownResults(folder: folder)
    }

    /// Ends soon after its task was cancelled.
    func run(_ download: AssetState.Download) async throws {
        let content = FoundContent(order.file)
        let pipeline = AssetPipeline(operations: .init(stages: try stages(content)))
        try await pipeline.take(download, source: try order.assetSource(), as: order.asset)
        let watching = Task {
            for await state in await pipeline.states(of: order.asset) where !state.isSettled {
                report.tell(state)
            }
        }
        await pipeline.coordinator(of: order.asset).start()
        await watching.value
        guard let end = await pipeline.state(of: order.asset) else { return }
        if let product = await pipeline.model(of: order.asset) {
            try write(product, content)
        } else if let failure = end.failure, !end.isCancelled {
            try write(failure, await pipeline.findings(of: order.asset), content)
        }
        if let key = content.file?.content?.key { try results.keep(end, of: key) }
        report.tell(try told(end))
    }

    /// A state whose message names nothing of where things lie here.
    private func told(_ state: AssetState) throws -> AssetState {
        guard let message = state.failure?.message, order.told(message) != message else { return state }
        return try StateText.read(AssetState.self, order.told(try StateText.text(state)))
    }

    private func stages(_ content: FoundContent) throws -> AssetOperations.Stages {
        let live = AssetOperations.live(try order.options()).stages
        let (order, report, goAhead) = (order, report, goAhead)
        let handOver = handOver
        var stages = live
        stages.download = { source, download, tally in
            if let file = content.file {
                return AssetFile(
                    name: file.name, location: .cached(file.path), bytes: file.bytes, sha256: file.sha256,
                    input: order.source)
            }
            let file = try await live.download(source, download, tally)
            guard let own = try handOver(file) else { return file }
            // Bytes that were read before, or are being read for another asset, are not read again.
            for await _ in goAhead { break }
            try Task.checkCancellation()
            content.set(own)
            return file
        }
        // Said here and not by an observer, to whom only the newest of fast states comes.
        stages.unzip = { unzip, file, tally in
            report.tell(.unzipping(unzip))
            let opened = try await live.unzip(unzip, file, tally)
            content.set(files: opened.outermost.entries)
            return opened
        }
        stages.parse = { parse, file, bundle, tally in
            report.tell(.parsing(parse))
            return try await live.parse(parse, file, bundle, tally)
        }
        return stages
    }

    /// Gives the parent a file of its own; the cache may drop its at any time.
    private func handOver(_ file: AssetFile) throws -> WorkerOrder.SourceFile? {
        guard case .cached(let path) = file.location, let hex = file.sha256, let digest = SHA256Digest(hex: hex),
            let bytes = file.bytes
        else { return nil }
        // The name that the asset's bytes have from here on, here as there.
        let name = FileName.clean(file.name)
        let target = folder.newUpload()
        if link(path, target) != 0 {
            let place = folder.place(of: target)
            try FileCopy.copy(path, to: place)
            guard rename(place, target) == 0 else { throw StorageError(target, errno) }
        }
        let key = ContentKey(digest: digest, name: name, file: path)
        report.tell(.content(file: target, sha256: hex, bytes: bytes, name: name))
        return WorkerOrder.SourceFile(path: path, name: name, bytes: bytes, sha256: hex, key: key.text)
    }

    // MARK: - What was read

    private func write(_ product: Model, _ content: FoundContent) throws {
        let inspection = product.inspection
        let members: [String: JSONValue] = [
            "schemaVersion": JSONValue(Inspection.schemaVersion), "source": inspection.source.json,
        ]
        try write("tree.json", content) { take in
            SceneTree(product.scene).writeJSON(.indented, members, as: "scene", to: take)
        }
        try write("inspect.json", content) { inspection.writeJSON(.indented, to: $0) }
        try write("files.json", content) { _ = $0(content.files.text(.indented)) }
    }

    private func write(_ failure: AssetState.Failure, _ findings: FindingLog, _ content: FoundContent) throws {
        let source = Inspection.Source(input: SourceAddress.display(order.source))
        let whole = InspectionFailure(
            source: source, stage: InspectionFailure.Stage(failure.stage), code: failure.code,
            message: failure.message, place: failure.place, findings: findings)
        try write("inspect.json", content) { _ = $0(whole.json.text(.indented)) }
    }

    /// Writes a result piece by piece, within what may be written of a source.
    private func write(
        _ name: String, _ content: FoundContent, _ make: (_ take: ([UInt8]) -> Bool) -> Void
    ) throws {
        guard let file = content.file, let key = file.content?.key else { return }
        try ServiceFolder.make(folder.results(key))
        let path = results.path(name, of: key)
        let limit = ConversionBudget.outputLimit(read: file.bytes)
        try WholeFile.write(to: path, by: folder.place(of: path), limit: limit, make)
    }
}

/// The asset's bytes, once they are here. A class since stages find them and the end asks for them.
private final class FoundContent: Sendable {
    private struct Found {
        var file: WorkerOrder.SourceFile?
        var files: [JSONValue] = []
    }

    private let found: Mutex<Found>

    init(_ file: WorkerOrder.SourceFile?) { found = Mutex(Found(file: file)) }

    var file: WorkerOrder.SourceFile? { found.withLock { $0.file } }
    /// A list of what is in the bundle.
    var files: JSONValue { ["files": .array(found.withLock { $0.files })] }

    func set(_ file: WorkerOrder.SourceFile) { found.withLock { $0.file = file } }

    func set(files entries: [Bundle.Entry]) {
        let files: [JSONValue] = entries.map { ["path": .string($0.path), "bytes": .integer($0.size)] }
        found.withLock { $0.files = files }
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
