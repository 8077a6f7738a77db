import DaeCore
import Daedalus

/// The work of one order, in the worker's own process.
struct WorkerRun: Sendable {
    let order: WorkerOrder
    let report: WorkerReport

    func run() async {
        do {
            switch order.task {
            case .download(let download): try await DownloadWork(order: order, report: report).run(download)
            case .process(let download): try await AssetWork(order: order, report: report).run(download)
            case .report: try await ReportWork(order: order).run()
            case .model(let form): try await ModelWork(order: order, form: form).run()
            case .picture(let side): try await PictureWork(order: order, side: side).run()
            case .entry(let path): try await EntryWork(order: order, path: path).run()
            case .probe: report.send(.probed(SandboxProbe(order).run()))
            }
            report.send(.made)
        } catch {
            let reason = AssetState.Reason(error)
            if Self.isForWantOfRoom(error, reason.message) {
                return report.send(
                    .failed(code: FindingCode.storageFull.rawValue, message: "There is no room for what is made of it.")
                )
            }
            report.send(.failed(code: reason.code.rawValue, message: order.redacted(reason.message)))
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
    func redacted(_ message: String) -> String { message.replacing(data + "/", with: "") }

    /// How the service reads: nothing beyond the bundle is looked at, and no reference is followed into the web.
    func options() throws -> AssetOperations.LiveOptions {
        var options = AssetOperations.LiveOptions(cache: DownloadCache(folder: downloads))
        options.policy = .bundleOnly
        options.webImages = .reported
        options.collada.retention = .figures
        options.keepsFiles = false
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

/// Draws all of a scene.
private struct PictureWork: Sendable {
    let order: WorkerOrder
    /// In pixels.
    let side: Int

    func run() async throws {
        var settings = RenderOptions()
        (settings.width, settings.height) = (side, side)
        settings.camera = .fit
        let wanted = settings
        let file = try await order.model { model, isCancelled in
            try withoutActuallyEscaping(isCancelled) { isCancelled in
                try model.picture(wanted, isCancelled: isCancelled).png()
            }
        }
        try order.folder.write(file, as: ResultName.thumbnail(side: side))
    }
}

/// Copies one entry of a bundle.
private struct EntryWork: Sendable {
    let order: WorkerOrder
    let path: String

    func run() async throws {
        let opened = try await order.bundle(.content, try order.options())
        let (path, copy) = (path, order.folder.file(ResultName.entry(path)))
        try await opened.run { opened, isCancelled in
            guard let entry = opened.bundle.entry(at: path) else {
                throw CodedFailure(.sourceNotFound, "The bundle holds no file '\(path)'.")
            }
            let copy = try OpenFile(copy, .creating, permissions: 0o600)
            let reader = try opened.bundle.reader(for: entry)
            let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
            defer { chunk.deallocate() }
            while case let count = try reader.read(into: chunk), count > 0 {
                if isCancelled() { throw CancellationError() }
                try copy.write(UnsafeRawBufferPointer(rebasing: chunk[..<count]).bytes)
            }
        }
    }
}

extension WorkerOrder {
    /// What is made of the model of the file that is here, all of whose numbers are read.
    func model<Value: Sendable>(
        _ work: @escaping @Sendable (Model, _ isCancelled: () -> Bool) throws -> Value
    ) async throws -> Value {
        var options = try options()
        options.collada.retention = .everything
        return try await bundle(.scene, options).run { opened, isCancelled in
            try work(try opened.product(try opened.choice(), isCancelled: isCancelled), isCancelled)
        }
    }

    /// The bundle of the file that is here.
    func bundle(_ goal: LiveBundle.Goal, _ options: AssetOperations.LiveOptions) async throws -> LiveBundle {
        guard let file = assetFile else { throw StorageError("the asset's file", ENOENT) }
        return try await LiveBundle.open(file, goal: goal, options: options)
    }
}

/// Holds a file against all rules, and writes what `dae validate` says of it in each form.
private struct ReportWork: Sendable {
    let order: WorkerOrder

    func run() async throws {
        guard let file = order.assetFile else { return }
        var options = try order.options()
        options.validates = true
        options.collada.schema = .lenient
        let live = AssetOperations.live(options).stages
        var stages = live
        stages.download = { _, _, _ in file }
        let pipeline = AssetPipeline(operations: .init(stages: stages))
        try await pipeline.take(.first, source: .url(order.source), as: order.asset)
        await pipeline.coordinator(of: order.asset).start()
        if let inspection = await pipeline.model(of: order.asset)?.inspection {
            let source = ReportedSource(
                name: inspection.source.input, container: .init(inspection.source), scene: inspection.bundle.scenePath,
                log: inspection.findings, statistics: .init(inspection))
            try write(source, inspection.validationJSON)
        } else if let failure = await pipeline.state(of: order.asset)?.failure {
            let found = await pipeline.findings(of: order.asset)
            let whole = InspectionFailure(
                source: Inspection.Source(input: order.source), stage: .init(failure.stage), code: failure.code,
                message: failure.message, place: failure.place, findings: found)
            let source = ReportedSource(
                name: order.source, container: .init(whole.source), scene: failure.place.entry, log: found,
                failure: whole.finding)
            try write(source, whole.json)
        }
    }

    private func write(_ source: ReportedSource, _ whole: JSONValue) throws {
        var json = whole
        if case .object(var members) = whole {
            members["findings"] = source.findingsJSON
            json = .object(members)
        }
        for form in ReportForm.allCases { try order.folder.write(text(form, source, json), as: form.fileName) }
    }

    private func text(_ form: ReportForm, _ source: ReportedSource, _ json: JSONValue) -> [UInt8] {
        let newline = [UInt8(ascii: "\n")]
        return switch form {
        case .json: json.text(.indented) + newline
        case .sarif: SarifReport([source], tool: .daedalus).json.text(.indented) + newline
        case .markdown: Array(MarkdownReport([source]).text.utf8)
        }
    }
}
