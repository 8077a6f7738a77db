import Daedalus
import Glibc
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
        let content = FoundContent(order.file.map { ReadFile($0, results) })
        if try await read(download, content) { return }
        // It names itself: what that leads to is known by its own name alone.
        guard let file = content.file?.own else { return }
        _ = try await read(download, FoundContent(ReadFile(file, as: .own)))
    }

    /// - Returns: Whether what was read is true under the asset's own name; the end is said only then.
    private func read(_ download: AssetState.Download, _ content: FoundContent) async throws -> Bool {
        let pipeline = AssetPipeline(operations: .init(stages: try stages(content)))
        try await pipeline.take(download, as: order.asset)
        let watching = Task {
            for await state in await pipeline.states(of: order.asset) where !state.isSettled {
                report.tell(content.named(state))
            }
        }
        await pipeline.coordinator(of: order.asset).start()
        await watching.value
        guard let end = await pipeline.state(of: order.asset) else { return true }
        let findings: FindingLog
        var inspect: [UInt8] = []
        if let product = await pipeline.product(of: order.asset) {
            findings = product.inspection.findings
            inspect = try write(product, content)
        } else {
            findings = await pipeline.findings(of: order.asset)
            if let failure = end.failure, !end.isCancelled { inspect = try write(failure, findings, content) }
        }
        switch content.file?.reading {
        case .own(let key): try results.keep(end, of: key)
        case .neutral(let neutral):
            let outcome = NeutralOutcome(state: end, mentions: findings.mentions(in: inspect, of: neutral))
            try results.keep(outcome, of: neutral)
            guard outcome.isTrue(of: neutral.own) || !KnownResults.isLasting(end) else { return false }
        case nil: break
        }
        report.tell(try told(content.named(end)))
        return true
    }

    /// A state whose message names nothing of where things lie here.
    private func told(_ state: AssetState) throws -> AssetState {
        guard let message = state.failure?.message, order.told(message) != message else { return state }
        return try StateText.read(AssetState.self, order.told(try StateText.text(state)))
    }

    private func stages(_ content: FoundContent) throws -> AssetOperations.Stages {
        let live = AssetOperations.live(try order.options()).stages
        let (order, report, results, goAhead) = (order, report, results, goAhead)
        let handOver = handOver
        var stages = live
        stages.download = { download, tally in
            if let file = content.file { return file.assetFile(order) }
            let file = try await live.download(download, tally)
            guard let own = try handOver(file) else { return file }
            // Bytes that were read before, or are being read for another asset, are not read again.
            for await _ in goAhead { break }
            try Task.checkCancellation()
            // What was odd on this way is in what is read: it is this asset's alone.
            let read = file.findings.isEmpty ? ReadFile(own, results) : ReadFile(own, as: .own)
            content.set(read)
            return read.neutral == nil ? file : read.assetFile(order)
        }
        // Said here and not by an observer, to whom only the newest of fast states comes.
        stages.unzip = { unzip, file, tally in
            report.tell(content.named(.unzipping(unzip)))
            let opened = try await live.unzip(unzip, file, tally)
            content.set(files: opened.outermost.entries)
            return opened
        }
        stages.parse = { parse, file, bundle, tally in
            report.tell(content.named(.parsing(parse)))
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

    /// - Returns: The text of the inspection, where a name stands in it that is not the asset's.
    private func write(_ product: AssetProduct, _ content: FoundContent) throws -> [UInt8] {
        let inspection = product.inspection
        let members: [String: JSONValue] = [
            "schemaVersion": JSONValue(Inspection.schemaVersion), "source": inspection.source.json,
        ]
        _ = try write("tree.json", content) { take in
            SceneTree(product.scene).writeJSON(.indented, members, as: "scene", to: take)
        }
        let text = try write("inspect.json", content) { inspection.writeJSON(.indented, to: $0) }
        _ = try write("files.json", content) { _ = $0(content.files.text(.indented)) }
        return text
    }

    private func write(
        _ failure: AssetState.Failure, _ findings: FindingLog, _ content: FoundContent
    ) throws -> [UInt8] {
        let source = Inspection.Source(input: AssetSource.display(content.file?.neutral?.name ?? order.source))
        let whole = InspectionFailure(
            source: source, stage: InspectionFailure.Stage(failure.stage), code: failure.code,
            message: failure.message, place: failure.place, findings: findings)
        return try write("inspect.json", content) { _ = $0(whole.json.text(.indented)) }
    }

    /// Writes a result piece by piece, within what may be written of a source.
    ///
    /// - Returns: Its text, where a name stands in it that is not the asset's; else nothing.
    private func write(
        _ name: String, _ content: FoundContent, _ make: (_ take: ([UInt8]) -> Bool) -> Void
    ) throws -> [UInt8] {
        guard let file = content.file, let reading = file.reading else { return [] }
        try ServiceFolder.make(folder.results(reading.key))
        let path = results.path(name, of: reading)
        let limit = ConversionBudget.outputLimit(read: file.own.bytes)
        try WholeFile.write(to: path, by: folder.place(of: path), limit: limit, make)
        return file.neutral == nil ? [] : try TextFile.bytes(path)
    }
}

/// A file, and under which name it is read.
private struct ReadFile: Sendable {
    /// As the asset has it.
    let own: WorkerOrder.SourceFile
    /// `nil` where nothing can be kept of it.
    let reading: ReadingName?

    enum Choice { case own }

    init(_ file: WorkerOrder.SourceFile, _ results: KnownResults) {
        own = file
        reading = file.content.map { results.reading(of: $0) }
    }

    init(_ file: WorkerOrder.SourceFile, as choice: Choice) {
        own = file
        reading = file.content.map { .own($0.key) }
    }

    var neutral: NeutralName? {
        switch reading {
        case .neutral(let name): name
        case .own, nil: nil
        }
    }

    func assetFile(_ order: WorkerOrder) -> AssetFile {
        AssetFile(
            name: neutral?.name ?? own.name, location: .cached(own.path), bytes: own.bytes, sha256: own.sha256,
            input: neutral?.name ?? order.source)
    }
}

/// The asset's bytes, once they are here. A class since stages find them and the end asks for them.
private final class FoundContent: Sendable {
    private struct Found {
        var file: ReadFile?
        var files: [JSONValue] = []
    }

    private let found: Mutex<Found>

    init(_ file: ReadFile?) { found = Mutex(Found(file: file)) }

    var file: ReadFile? { found.withLock { $0.file } }
    /// A list of what is in the bundle.
    var files: JSONValue { ["files": .array(found.withLock { $0.files })] }

    func set(_ file: ReadFile) { found.withLock { $0.file = file } }

    func set(files entries: [Bundle.Entry]) {
        let files: [JSONValue] = entries.map { ["path": .string($0.path), "bytes": .integer($0.size)] }
        found.withLock { $0.files = files }
    }

    /// A state as the asset has it.
    func named(_ state: AssetState) -> AssetState {
        guard let neutral = file?.neutral, let named = try? neutral.named(state) else { return state }
        return named
    }
}

extension FindingLog {
    /// The files that a reading's findings and resources name; `nil` where not all of them are told.
    fileprivate func mentions(in inspect: [UInt8], of neutral: NeutralName) -> FileMentions? {
        guard suppressed(.refExternalUnresolved) == 0, suppressed(.refExternalBlocked) == 0 else { return nil }
        return FileMentions(in: inspect, ending: neutral.ending, except: neutral.name)
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
