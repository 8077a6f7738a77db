import DaeArchive
import DaeCollada
public import DaeDiagnostics
import DaeDownload
public import DaeExport
public import DaeMesh
import DaeResources
public import DaeScene

// One call for those who have one source and want one thing: the same pipeline, of one asset, gone when the call ends.

extension Dae {
    /// How sources are fetched, opened and read.
    public typealias Options = AssetOperations.LiveOptions

    /// Reads a source: its scene with all numbers, what is known about it, and the bytes of its images.
    ///
    /// Ends soon once its task is cancelled.
    /// - Throws: A ``CodedFailure`` that says what is wrong, where, and what was expected; `CancellationError`.
    public static func load(_ source: AssetSource, options: Options = Options()) async throws -> Model {
        var options = options
        options.collada.retention = .everything
        options.keepsFiles = true
        return try await run(source, options)
    }

    /// What a source holds: counts, images and how each was found, what is wrong with it. Keeps no numbers in memory, so that
    /// it takes no more of it for a larger document.
    ///
    /// - Throws: As ``load(_:options:)``.
    public static func inspect(_ source: AssetSource, options: Options = Options()) async throws -> Inspection {
        var options = options
        options.collada.retention = .figures
        options.keepsFiles = false
        return try await run(source, options).inspection
    }

    /// Holds a source against all rules.
    ///
    /// - Returns: What is wrong with it; without errors it is valid.
    /// - Throws: As ``load(_:options:)``, for what cannot be read at all.
    public static func validate(_ source: AssetSource, options: Options = Options()) async throws -> FindingLog {
        var options = options
        options.validates = true
        if options.collada.schema == .off { options.collada.schema = .lenient }
        return try await inspect(source, options: options).findings
    }

    /// Writes a source as another format, with its images.
    ///
    /// - Parameters:
    ///   - path: Of the file to be, whose folder must exist; one there before is replaced once the new one is whole.
    ///   - format: `nil` for what the path's ending says.
    /// - Returns: What was written, and what was changed on the way.
    /// - Throws: As ``load(_:options:)``; ``SceneExportError``, also for an ending that is no format's.
    @discardableResult
    public static func convert(
        _ source: AssetSource, to path: String, as format: ExportFormat? = nil,
        options: ExportOptions = ExportOptions(), reading: Options = Options()
    ) async throws -> FidelityReport {
        guard let format = format ?? ExportFormat(path: path) else {
            throw SceneExportError(.ioError, "\(path): its ending is no format's; expected \(ExportFormat.endings)")
        }
        var reading = reading
        // A pose is of all curves at once.
        reading.collada.arrays = options.time == nil ? .archive : .memory
        let model = try await load(source, options: reading)
        return try await WorkThread.run { cancellation in
            try model.write(to: path, as: format, options: options) { cancellation.isCancelled }
        }
    }

    private static func run(_ source: AssetSource, _ options: Options) async throws -> Model {
        let pipeline = AssetPipeline(operations: .live(options))
        let asset = try await pipeline.perform(.add(source))
        await pipeline.coordinator(of: asset).start()
        let (product, state) = (await pipeline.model(of: asset), await pipeline.state(of: asset))
        let findings = await pipeline.findings(of: asset)
        await pipeline.end()
        if let product { return product }
        guard let state, let failure = state.failure, !state.isCancelled else { throw CancellationError() }
        throw CodedFailure(failure.code, at: failure.place, failure.message).within(findings: findings)
    }
}

extension AssetOperations.LiveOptions {
    /// For a person's machine, who chose the source: a lone document's images are looked for in its folder, and whatever
    /// address was given is asked for.
    public static var person: Self {
        var options = Self()
        options.loneDocuments = .inFolder
        return options
    }

    /// For a service that takes sources from strangers: nothing outside the bundle is looked at, addresses are asked for
    /// only where they are public, at the usual ports, and what one source may take is bounded closer.
    public static var service: Self {
        var options = Self()
        options.policy = .bundleOnly
        options.webImages = .reported
        options.web.policy = .closed
        options.web.imagePolicy = .closed
        options.web.reading = .whole
        options.downloadLimits.bytes = 512 << 20
        options.archiveLimits.entryCount = 20_000
        return options
    }
}
