import Daedalus
import Glibc
import Synchronization

/// Takes an asset from its state to its end, by the library's own pipeline.
struct AssetWork: Sendable {
    let order: WorkerOrder
    let report: WorkerReport
    private let goAhead: AsyncStream<Void>
    private let content: FoundContent

    init(order: WorkerOrder, report: WorkerReport, goAhead: AsyncStream<Void>) {
        self.goAhead = goAhead
        self.order = order
        self.report = report
        content = FoundContent(order.file)
    }

    /// Ends soon after its task was cancelled.
    func run(_ download: AssetState.Download) async throws {
        let pipeline = AssetPipeline(operations: .init(stages: try stages()))
        try await pipeline.take(download, as: order.asset)
        let watching = Task {
            for await state in await pipeline.states(of: order.asset) where !state.isSettled { report.tell(state) }
        }
        await pipeline.coordinator(of: order.asset).start()
        await watching.value
        guard let end = await pipeline.state(of: order.asset) else { return }
        if let product = await pipeline.product(of: order.asset) {
            try write(product)
        } else if let failure = end.failure, !end.isCancelled {
            try write(failure, await pipeline.findings(of: order.asset))
        }
        report.tell(end)
    }

    private func stages() throws -> AssetOperations.Stages {
        let live = AssetOperations.live(try order.options()).stages
        let (order, report, content, goAhead) = (order, report, content, goAhead)
        var stages = live
        stages.download = { download, tally in
            if let file = order.assetFile { return file }
            let file = try await live.download(download, tally)
            content.set(try Self.handOver(file, order, report))
            // Bytes that were read before, or are being read for another asset, are not read again.
            for await _ in goAhead { break }
            try Task.checkCancellation()
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
    private static func handOver(
        _ file: AssetFile, _ order: WorkerOrder, _ report: WorkerReport
    ) throws -> WorkerOrder.SourceFile? {
        guard case .cached(let path) = file.location, let hex = file.sha256, let digest = SHA256Digest(hex: hex),
            let bytes = file.bytes
        else { return nil }
        // The name that the asset's bytes have from here on, here as there.
        let name = FileName.clean(file.name)
        let target = ServiceFolder(path: order.folder, owner: order.owner).newUpload()
        if link(path, target) != 0 { try FileCopy.copy(path, to: target) }
        let key = ContentKey(digest: digest, name: name, file: path)
        report.tell(.content(file: target, sha256: hex, bytes: bytes, name: name))
        return WorkerOrder.SourceFile(path: path, name: name, bytes: bytes, sha256: hex, key: key.text)
    }

    // MARK: - What was read

    private func write(_ product: AssetProduct) throws {
        let inspection = product.inspection
        try write("inspect.json", inspection.json)
        let tree: JSONValue = [
            "schemaVersion": JSONValue(Inspection.schemaVersion), "source": inspection.source.json,
            "scene": SceneTree(product.scene).json,
        ]
        try write("tree.json", tree)
        try write("files.json", content.files)
    }

    private func write(_ failure: AssetState.Failure, _ findings: FindingLog) throws {
        let source = Inspection.Source(input: AssetSource.display(order.source))
        let whole = InspectionFailure(
            source: source, stage: InspectionFailure.Stage(failure.stage), code: failure.code,
            message: failure.message, place: failure.place, findings: findings)
        try write("inspect.json", whole.json)
    }

    private func write(_ name: String, _ value: JSONValue) throws {
        guard let file = content.file, let digest = SHA256Digest(hex: file.sha256),
            let key = ContentKey(digest: digest, text: file.key)
        else { return }
        let folder = ServiceFolder(path: order.folder).results(key)
        try ServiceFolder.make(folder)
        try WholeFile.write(value.text(.indented) + [UInt8(ascii: "\n")], to: folder + "/" + name)
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

    func set(_ file: WorkerOrder.SourceFile?) { found.withLock { $0.file = file } }

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
