import Daedalus
import Synchronization

/// Takes the sources of a command through the pipeline and writes what comes of each, in the order given.
struct SourceRun {
    /// What came of one source.
    enum Result {
        case read(Model)
        case failed(InspectionFailure)
    }
    /// What is written of it.
    enum Rendering {
        case json(JSONValue)
        /// One of several models each.
        case jsonLines([JSONValue])
        /// A JSON text that is made piece by piece as it is written.
        case jsonPieces(@Sendable (JSONValue.Style, _ take: ([UInt8]) -> Bool) -> Void)
        case text(String)
        /// One that is made piece by piece as it is written.
        case textPieces(@Sendable (_ take: ([UInt8]) -> Bool) -> Void)
        /// A text that is too long to be copied.
        case bytes([UInt8])
        case nothing

        /// Whether it is for people, and there is some.
        var isText: Bool {
            switch self {
            case .text(let text): !text.isEmpty
            case .textPieces: true
            case .json, .jsonLines, .jsonPieces, .bytes, .nothing: false
            }
        }

        var isNothing: Bool {
            switch self {
            case .nothing: true
            case .json, .jsonLines, .jsonPieces, .textPieces: false
            case .text(let text): text.isEmpty
            case .bytes(let bytes): bytes.isEmpty
            }
        }
    }

    private let sources: [String]
    private let options: RunOptions
    private let jobs: Int
    private let isCompact: Bool
    /// Told behind the sources as if they were some.
    private let unread: [InspectionFailure]
    private let several: SeveralModels
    private let live: AssetOperations.LiveOptions
    /// What came of the only source: the program ends behind it, and need not give back a large scene piece by piece.
    private static let last = Mutex<(document: LinkedDocument?, product: Model?)>((nil, nil))

    /// - Parameter others: What else is written, behind all sources.
    init(
        _ options: SourceOptions, _ live: AssetOperations.LiveOptions, several: SeveralModels,
        unread: [InspectionFailure] = [], others: Int = 0
    ) throws {
        var live = live
        if options.sources.count == 1 { live.keeper = { document in Self.last.withLock { $0.document = document } } }
        try self.init(
            options.sources, options.run, live, several: several, jobs: options.jobs,
            isCompact: options.jsonl || options.sources.count + unread.count + others > 1, unread: unread)
    }

    init(
        _ sources: [String], _ options: RunOptions, _ live: AssetOperations.LiveOptions, several: SeveralModels,
        jobs: Int = 1, isCompact: Bool = false, unread: [InspectionFailure] = []
    ) throws {
        try OutputGuard.check(options.output, sources: sources)
        self.sources = sources
        self.options = options
        self.jobs = jobs
        self.isCompact = isCompact
        self.unread = unread
        self.several = several
        self.live = live
    }

    /// What is done with an asset that was read, before anything is written of it.
    typealias Work = @Sendable (AssetPipeline, AssetID, ProgressLine?) async throws -> Void

    /// - Parameters:
    ///   - work: What else is done with each source that was read; one that it fails of has failed.
    ///   - render: Called for each source, in their order.
    ///   - exit: The exit code that a source's findings ask for.
    ///   - end: What is written behind all of them.
    /// - Throws: ``DaeExit`` unless all is fine.
    func run(
        _ format: OutputFormat, work: @escaping Work = { _, _, _ in },
        render: @escaping @Sendable (Result) async -> Rendering,
        exit: @escaping @Sendable (Result) -> DaeExit, end: @escaping @Sendable () -> Rendering = { .nothing }
    ) async throws {
        let writer = ResultWriter(
            path: options.output, isCompact: isCompact, isSeparated: format == .text)
        let bundles = ModelBundles()
        var live = live
        live.several = several
        let told = live.onModels
        live.onModels = { source, models in
            bundles.note(source, models)
            told?(source, models)
        }
        let pipeline = AssetPipeline(operations: .live(live))
        let progress = ProgressLine.isWanted(quiet: options.quiet) ? ProgressLine(sources: sources.count) : nil
        let (options, settled, verbose) = (options, live, options.verbose)
        let isOnly = sources.count == 1
        let worst = Mutex(DaeExit.fine)
        let (sources, jobs) = (sources, jobs)
        @Sendable func deliver(_ outcome: BatchCoordinator.Outcome, _ source: String) async {
            var result = await Self.result(of: outcome, in: pipeline)
            if case .read = result {
                do { try await work(pipeline, outcome.asset, progress) } catch {
                    let isStopped = error is CancellationError
                    let failure: any Error = isStopped ? CodedFailure(.assetCancelled, "Stopped on request.") : error
                    let source = Inspection.Source(input: SourceAddress.display(outcome.source))
                    result = .failed(InspectionFailure(failure, source: source))
                }
            }
            let models = bundles.models(of: outcome.source)
            if let first = models.first {
                result.rename(SourceAddress.address(of: first, in: outcome.source))
                writer.beginSeveral()
            }
            progress?.clear()
            let code: DaeExit
            switch result {
            case .read(let product):
                if isOnly, models.isEmpty { Self.last.withLock { $0.product = product } }
                let inspection = product.inspection
                code = exit(result)
                if verbose {
                    complain("\(inspection.source.input): read, \(inspection.document.bytes) bytes of markup")
                }
            case .failed(let failure):
                code = max(exit(result), DaeExit(failure: failure.code))
            }
            let limit = options.outputLimit(of: result, outcome.source)
            if !writer.write(await Self.told(result, settled, render), within: limit) { await pipeline.end() }
            worst.withLock { $0 = max($0, code) }
            _ = try? await pipeline.perform(.remove(outcome.asset))
            // The bundle's other models come where the bundle stands among the sources.
            let others = models.dropFirst().map { SourceAddress.address(of: $0, in: source) }
            guard !others.isEmpty else { return }
            await BatchCoordinator(others.map(AssetSource.typed), in: pipeline, atMost: jobs) {
                await deliver($0, others[$0.index])
            }.start()
            settled.forgetModels(of: outcome.source)
        }
        let batch = BatchCoordinator(sources.map(AssetSource.typed), in: pipeline, atMost: jobs) {
            await deliver($0, sources[$0.index])
        }
        let unread = unread
        try await CommandRun(writer: writer, progress: progress).run {
            let watching = progress.map { line in Task { await line.follow(pipeline) } }
            await batch.start()
            watching?.cancel()
            progress?.clear()
            for failure in unread where !Task.isCancelled {
                worst.withLock { $0 = max($0, DaeExit(failure: failure.code)) }
                guard writer.write(await Self.told(.failed(failure), settled, render)) else { break }
            }
            if !Task.isCancelled { _ = writer.write(end()) }
            return worst.withLock { $0 }
        }
    }

    /// What is written of a source; a failure of which no text tells is said on standard error.
    private static func told(
        _ result: Result, _ live: AssetOperations.LiveOptions, _ render: @Sendable (Result) async -> Rendering
    ) async -> Rendering {
        guard case .failed(let failure) = result else { return await render(result) }
        let rendering = await render(result)
        // Who stopped the run knows why.
        if failure.code == .assetCancelled { return rendering.isText ? .nothing : rendering }
        if !rendering.isText {
            complain(text(of: failure))
            for line in await SourceExcerpts.lines(about: failure, options: live) { writeToStandardError(line + "\n") }
        }
        return rendering
    }

    private static func result(of outcome: BatchCoordinator.Outcome, in pipeline: AssetPipeline) async -> Result {
        if let product = await pipeline.model(of: outcome.asset) { return .read(product) }
        let findings = await pipeline.findings(of: outcome.asset)
        let source = Inspection.Source(input: outcome.source)
        switch outcome.state {
        case .failed(let failure):
            return .failed(
                InspectionFailure(
                    source: source, stage: InspectionFailure.Stage(failure.stage), code: failure.code,
                    message: failure.message, place: failure.place, findings: findings))
        case .downloading, .unzipping, .parsing, .ready:
            return .failed(
                InspectionFailure(
                    source: source, stage: .parse, code: .assetCancelled, message: "Stopped on request.",
                    place: Place(), findings: findings))
        }
    }

    /// `source:line:column: message [CODE]`, the entry between where it is not the source itself.
    static func text(of failure: InspectionFailure) -> String {
        var place = failure.place
        if let entry = place.entry, failure.source.input.hasSuffix(entry) { place.entry = nil }
        let source = failure.source.input
        // Messages about a whole file begin with its name.
        let name = failure.message.hasPrefix(source) ? "" : source + (place.description.isEmpty ? ": " : ":")
        let within = place.description.isEmpty ? "" : "\(place.description): "
        return "\(name)\(within)\(failure.message)\(help(for: failure.finding)) [\(failure.code.rawValue)]"
    }

    /// Which option of this program may help.
    static func help(for failure: Finding) -> String {
        // Where the encryption is of an unknown kind, a password does not.
        failure.code == .archiveEncrypted && failure.message.contains("password") ? "; see --password" : ""
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

/// Sources that turned out to hold several models. A class since the stages tell and the run asks.
private final class ModelBundles: Sendable {
    private let models = Mutex<[String: [String]]>([:])

    func note(_ source: String, _ addresses: [String]) { models.withLock { $0[source] = addresses } }

    func models(of source: String) -> [String] { models.withLock { $0[source] } ?? [] }
}

extension SourceRun.Result {
    /// Gives the source another name.
    fileprivate mutating func rename(_ input: String) {
        switch self {
        case .read(var product):
            product.inspection.source.input = input
            self = .read(product)
        case .failed(var failure):
            failure.source.input = input
            self = .failed(failure)
        }
    }
}
