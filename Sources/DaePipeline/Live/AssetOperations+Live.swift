public import DaeArchive
public import DaeCollada
import DaeCore
public import DaeDiagnostics
public import DaeDownload
public import DaeExport
public import DaeMesh
public import DaeResources
public import DaeScene
import Synchronization

extension AssetOperations {
    /// How assets are really fetched, opened and read.
    public struct LiveOptions: Sendable {
        /// Where downloads are kept.
        public var cache: DownloadCache
        /// What a download may take.
        public var downloadLimits = DownloadLimits()
        /// What an archive may ask for.
        public var archiveLimits = ArchiveLimits()
        /// How documents are read.
        public var collada = ColladaOptions()
        /// Whether the rules over the whole are held against what was read.
        public var validates = false
        /// Rules of one's own, held against each scene that was read, whether or not ``validates`` is set. Each is asked on
        /// the thread that reads; what it finds counts as all other findings do. Meshes have their numbers where they are
        /// kept: in ``Dae/load(_:options:)`` and with ``ColladaOptions/retention`` of everything.
        public var rules: [@Sendable (Dae.Scene, Inspection) -> [Finding]] = []
        /// For encrypted archives.
        public var password: String?
        /// Whether files outside the bundle may be looked at.
        public var policy = LocatorPolicy.bundleOnly
        /// What is done about images that a scene refers to by http or https.
        public var webImages = WebImages.reported
        /// What is taken for the bundle of a `.dae` of this machine that lies in no archive.
        package var loneDocuments = LoneDocuments.asPolicy
        /// The folder taken for a lone document's bundle; `nil` to look for its marks. Only where a folder is taken.
        package var root: String?
        /// How addresses are asked for.
        public var web = WebAccess()
        package var digests = Digests.computed
        /// What is done where a bundle has several models and no manifest names one.
        package var several = SeveralModels.best
        /// Told of the models of a source that has several, by their addresses in it; the first one is read.
        package var onModels: (@Sendable (_ source: String, _ models: [String]) -> Void)?
        /// Where the models of ready assets are written; `nil` for a pipeline that refuses to convert.
        public var conversion: Conversion?
        /// Whether models keep their bundle open, for the bytes of their images.
        package var keepsFiles = true
        /// Takes each model once it was read, on the thread that read it, so that work on several goes side by side; the
        /// pipeline keeps what it gives back. Asks its last argument whether to end soon.
        package var whenRead: (@Sendable (_ source: String, Model, _ isCancelled: () -> Bool) -> Model)?
        /// As ``Inspector/keeper``.
        package var keeper: (@Sendable (LinkedDocument) -> Void)?
        let opened = OpenedModels()

        /// Of which sources the SHA-256 is told. It takes nearly as long as reading a long mesh.
        package enum Digests: Sendable, Hashable {
            /// Of every file, and every download that was got whole.
            case computed
            /// Only where it is known before anything is read: of downloads.
            case known
        }

        package enum LoneDocuments: Sendable, Hashable {
            /// A folder where the policy allows host paths, and else the document alone.
            case asPolicy
            /// A folder, out of which nothing leads where the policy is ``LocatorPolicy/bundleOnly``.
            case inFolder
        }

        /// What is done about images that a scene refers to by http or https.
        public enum WebImages: Sendable, Hashable {
            /// They are named, and nobody is asked for them.
            case reported
            /// Got into the cache within ``downloadLimits`` and a budget of their own, and looked at.
            case fetched
        }

        /// The defaults of each property: documents lie alone, every address that is given is asked for.
        public init(cache: DownloadCache = DownloadCache(folder: DownloadCache.defaultFolder())) {
            self.cache = cache
        }

        /// Closes the archive of a source whose models were told by ``onModels``, when each of them was read.
        ///
        /// - Parameter source: As it was told.
        package func forgetModels(of source: String) { opened.forget(source) }
    }

    /// Real files, real network, real parser. Standard input is read once, however often it is asked for.
    public static func live(_ options: LiveOptions = LiveOptions()) -> AssetOperations {
        let live = LiveStages(options: options)
        let stages = Stages(
            download: { try await live.download($0, for: .parsing, $2) }, unzip: { try await live.unzip($1, $2) },
            parse: { _, file, bundle, report in try await live.parse(file, bundle, report) })
        guard let conversion = options.conversion else { return AssetOperations(stages: stages) }
        return AssetOperations(stages: stages) { try await conversion.convert($0, $1) }
    }

    /// Where converted models are written, and how.
    public struct Conversion: Sendable {
        /// The file of an asset's model, whose folder must exist, and its format.
        public var target: @Sendable (AssetID) -> (path: String, format: ExportFormat)
        /// How models are written.
        public var options = ExportOptions()
        package var limits = ConversionBudget.Limits()

        /// Models in the files that a closure names.
        public init(to target: @escaping @Sendable (AssetID) -> (path: String, format: ExportFormat)) {
            self.target = target
        }

        fileprivate func convert(_ asset: AssetID, _ product: Model) async throws -> FidelityReport {
            let target = target(asset)
            return try await WorkThread.run { cancellation in
                try product.write(to: target.path, as: target.format, options: options, limits: limits) {
                    cancellation.isCancelled
                }
            }
        }
    }
}

/// A class because all stages share what was read from standard input.
final class LiveStages: Sendable {
    private let options: AssetOperations.LiveOptions
    /// What standard input held; read at most once.
    private let input = Mutex<AssetSource.SharedReader?>(nil)
    /// All downloads share its connections.
    private let downloader: Downloader

    init(options: AssetOperations.LiveOptions) {
        self.options = options
        downloader = Downloader(
            cache: options.cache, limits: options.downloadLimits, policy: options.web.policy,
            options: options.web.requests)
    }

    // MARK: - Download

    /// What is done with a file after it came.
    enum Use {
        case listing
        /// A lone document's reading begins while it still arrives.
        case parsing
    }

    func download(
        _ source: AssetSource, for use: Use, _ report: @escaping AssetOperations.Report
    ) async throws -> AssetFile {
        let input = source.text
        switch source.kind {
        case .typed:
            if let file = options.opened.file(of: input) { return file }
            let address = SourceAddress(input) { access($0, F_OK) == 0 }
            switch address.location {
            case .path(let path): return try Self.file(at: path, of: input, entry: address.entry)
            case .url(let url):
                return try await fetch(
                    DownloadRequest(of: url, options.web), with: downloader, address.entry, of: input, for: use, report)
            case .standardInput:
                let limit = options.downloadLimits.bytes
                let reader = try await WorkThread.run { [self] cancellation in
                    try drainInput(limit: limit, report, cancellation)
                }
                return AssetFile(
                    name: "standard input", location: .reader(reader), input: input, entry: address.entry)
            }
        case .path(let path): return try Self.file(at: path, of: input, entry: source.entry)
        case .reader(let reader):
            return AssetFile(
                name: input.lastComponent, location: .reader(reader), bytes: reader.source.size, input: input,
                entry: source.entry)
        case .url(let web):
            return try await fetch(
                try DownloadRequest(of: web, options.web), with: downloader(for: web), source.entry, of: input,
                for: use, report)
        }
    }

    private static func file(at path: String, of input: String, entry: String?) throws -> AssetFile {
        try reach(path)
        return AssetFile(name: path.lastComponent, location: .path(path), input: input, entry: entry)
    }

    /// One of its own where headers are sent for one source alone.
    private func downloader(for source: AssetSource.WebSource) -> Downloader {
        guard !source.headers.isEmpty else { return downloader }
        var requests = options.web.requests
        requests.headers += source.headers
        return Downloader(
            cache: options.cache, limits: options.downloadLimits, policy: options.web.policy, options: requests)
    }

    private static func reach(_ path: String) throws(CodedFailure) {
        guard access(path, F_OK) != 0 else { return }
        let code = errno
        // An address that is not understood is taken for a path.
        let shown = SourceAddress.display(path)
        // Of any other code it is not known whether there is something.
        guard code != ENOENT, code != ENOTDIR else {
            if let scheme = SourceAddress.scheme(of: shown) {
                throw CodedFailure(
                    .sourceNotFound,
                    "\(shown): addresses of \(scheme):// are not read; expected http://, https:// or file://")
            }
            // Which bytes stood in an argument that was no UTF-8 is lost.
            let remark = shown.contains("\u{FFFD}") ? "; a path that is not UTF-8 cannot be given" : ""
            throw CodedFailure(.sourceNotFound, "\(shown): no such file or folder\(remark)")
        }
        throw CodedFailure(.ioError, SystemError(shown, code).description)
    }

    private func drainInput(
        limit: Int64, _ report: @escaping AssetOperations.Report, _ cancellation: WorkThread.Cancellation
    ) throws -> AssetSource.SharedReader {
        try input.withLock { input in
            if let input { return input }
            let spool = try StandardInput.spool(
                limit: limit, progress: { report(StageProgress(done: $0)) }, isCancelled: { cancellation.isCancelled })
            let reader = AssetSource.SharedReader(spool)
            input = reader
            return reader
        }
    }

    /// What is told of files that arrive; `nil` where none of them is read before it is there.
    private func headStarts(for use: Use, _ slot: HeadStart.Slot) -> (@Sendable (ArrivingFile) -> Void)? {
        switch (use, options.web.overlap) {
        case (.listing, _), (.parsing, .never): return nil
        case (.parsing, .from(let least)):
            return { [options] file in
                guard file.source.size >= least else { return }
                slot.set(HeadStart(file, options, progress: options.web.readAhead))
            }
        }
    }

    private func fetch(
        _ request: DownloadRequest, with downloader: Downloader, _ entry: String?, of input: String, for use: Use,
        _ report: @escaping AssetOperations.Report
    ) async throws -> AssetFile {
        let slot = HeadStart.Slot()
        do {
            return try await fetch(
                request, with: downloader, entry, of: input, headStarts(for: use, slot), slot, report)
        } catch {
            await slot.take()?.end()
            throw error
        }
    }

    private func fetch(
        _ request: DownloadRequest, with downloader: Downloader, _ entry: String?, of input: String,
        _ arriving: (@Sendable (ArrivingFile) -> Void)?, _ slot: HeadStart.Slot,
        _ report: @escaping AssetOperations.Report
    ) async throws -> AssetFile {
        let notice = options.web.notice
        let progress: @Sendable (DownloadProgress) -> Void = {
            report(StageProgress(done: $0.received, of: $0.expected))
        }
        switch options.web.reading {
        case .whole:
            let file = try await downloader.download(
                request, progress: progress, notice: notice, arriving: arriving)
            return AssetFile(file, of: input, entry, slot.take())
        case .byRanges:
            let opened = try await downloader.open(
                request, where: { Bundle.canBeReadInParts(start: $0) }, progress: progress, notice: notice,
                arriving: arriving)
            switch opened {
            case .whole(let file): return AssetFile(file, of: input, entry, slot.take())
            case .remote(let file):
                return AssetFile(
                    name: file.suggestedName, location: .remote(file.url), bytes: file.source.size, sha256: nil,
                    input: input, entry: entry, findings: [], headStart: nil, remote: OpenedRemote(file))
            }
        }
    }

    /// Runs work on a thread of its own; where it waits for a server, cancelling the task ends the wait.
    func stopping<Value: Sendable>(
        _ file: AssetFile, _ work: @escaping @Sendable (WorkThread.Cancellation) throws -> Value
    ) async throws -> Value {
        guard let remote = file.remote?.file else { return try await WorkThread.run(work) }
        return try await withTaskCancellationHandler {
            let result: Result<Value, any Error>
            do { result = .success(try await WorkThread.run(work)) } catch { result = .failure(error) }
            // Work that bears files it cannot read must not bear a server that gave up.
            guard let failure = remote.source.failure else { return try result.get() }
            if failure.cause == .remote(.cancelled) { throw CancellationError() }
            throw CodedFailure.unreadable(failure)
        } onCancel: {
            remote.stop()
        }
    }

    /// Says how much of a file on a server was needed.
    func tellUsage(of file: AssetFile) {
        guard let remote = file.remote?.file else { return }
        options.web.notice(.readByRanges(url: remote.url, remote.source.usage))
    }

    // MARK: - Unzip

    func unzip(_ file: AssetFile, _ report: AssetOperations.Report) async throws -> OpenedBundle {
        let opened = try await stopping(file) { [self] _ in try open(file) }
        let count = Int64(opened.bundle.entries.count)
        report(StageProgress(done: count, of: count))
        return opened
    }

    private func open(_ file: AssetFile) throws -> OpenedBundle {
        let outermost = try bundle(of: file)
        let search = options.search(file) { [options] models in
            guard let onModels = options.onModels else { return }
            options.opened.note(models, of: file, in: outermost)
            onModels(file.input, models.map(\.address))
        }
        let found = try search.scene(of: file, in: outermost)
        return OpenedBundle(
            bundle: found.bundle, in: outermost, choice: found.choice, findings: found.findings)
    }

    func bundle(of file: AssetFile) throws -> Bundle {
        if let model = file.model { return model.outermost }
        let (limits, password) = (options.archiveLimits, options.password)
        switch file.location {
        case .path(let path): return try Bundle.open(path: path, limits: limits, password: password)
        case .cached(let path):
            return try Bundle.open(FileByteSource(path: path), name: file.name, limits: limits, password: password)
        case .remote:
            guard let remote = file.remote?.file else {
                throw CodedFailure(.ioError, "\(file.input): was not opened")
            }
            return try Bundle.open(remote.source, name: file.name, limits: limits, password: password)
        case .reader(let reader):
            return try Bundle.open(reader.source, name: file.name, limits: limits, password: password)
        }
    }

    // MARK: - Parse

    func parse(
        _ file: AssetFile, _ opened: OpenedBundle, _ report: @escaping AssetOperations.Report
    ) async throws -> Model {
        let inspector = try options.inspector(of: file, opened.bundle)
        let isNested = opened.bundle !== opened.outermost
        let size = opened.choice.entry.size
        let steps = ProgressSteps(of: size)
        let progress: @Sendable (Int64) -> Void = { if steps.isNext($0) { report(StageProgress(done: $0, of: size)) } }
        let early = await file.headStart?.reading(of: opened.outermost, opened.choice.entry, progress: progress)
        return try await stopping(file) { [self] cancellation in
            let digest = digest(of: file)
            var result = try inspector.inspect(
                opened.bundle, opened.choice, input: file.input, digest: isNested ? .none : digest,
                findings: opened.findings,
                reading: early, progress: progress, isCancelled: { cancellation.isCancelled })
            // The source is the file that was given, not the archive within it.
            if isNested {
                let sha256: String? =
                    switch digest {
                    case .known(let known): known
                    case .none: nil
                    case .computed: try Inspector.sha256(of: opened.outermost, result.inspection.findings)
                    }
                result.inspection.source = Inspection.Source(file, opened.outermost, sha256: sha256)
            }
            if let sha256 = result.inspection.source.sha256 { options.opened.note(sha256: sha256, of: file.input) }
            tellUsage(of: file)
            let files =
                !options.keepsFiles && options.conversion == nil
                ? nil : try options.imageFiles(of: file, opened.bundle, opened.choice)
            let model = Model(inspection: result.inspection, scene: result.scene, files: files)
            return options.whenRead.map { $0(file.input, model) { cancellation.isCancelled } } ?? model
        }
    }

    private func digest(of file: AssetFile) -> Inspector.Digest {
        if let known = file.sha256 { return .known(known) }
        if file.isRemote { return .none }
        return switch options.digests {
        case .computed: .computed
        case .known: .none
        }
    }
}

extension Inspection.Source {
    /// What is said of a file that was opened as `bundle`.
    init(_ file: AssetFile, _ bundle: Bundle, sha256: String?) {
        self.init(input: file.input, kind: bundle.kind, bytes: bundle.size, sha256: sha256)
    }
}

extension AssetFile {
    /// - Parameter headStart: Is dropped where it read other bytes.
    fileprivate init(_ file: DownloadedFile, of source: String, _ entry: String?, _ headStart: HeadStart?) {
        self.init(
            name: file.suggestedName, location: .cached(file.path), bytes: file.size, sha256: file.sha256.hex,
            input: source, entry: entry, findings: file.findings,
            headStart: headStart.flatMap { $0.isOf(file) ? $0 : nil }, remote: nil)
    }
}

extension String {
    /// What is behind the last slash; the text itself when there is nothing.
    fileprivate var lastComponent: String { split(separator: "/").last.map(String.init) ?? self }
}

/// A file on a server that is read by ranges. A class so that each opening is one of its own.
final class OpenedRemote: Sendable {
    let file: RemoteFile

    init(_ file: RemoteFile) { self.file = file }
}

extension OpenedRemote: Hashable {
    static func == (left: OpenedRemote, right: OpenedRemote) -> Bool { left === right }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// Which counts of a stage that is through with a chunk in no time are worth telling: each one told wakes another thread.
final class ProgressSteps: Sendable {
    private let total: Int64
    private let next = Atomic<Int64>(0)

    init(of total: Int64) { self.total = total }

    /// A share that can be seen, or a mebibyte, where that is less.
    private var step: Int64 { min(total / 128, 1 << 20) }

    /// Whether this many are to be told; from then on what is a step further. The end always is.
    func isNext(_ done: Int64) -> Bool {
        guard done >= next.load(ordering: .relaxed) || done >= total else { return false }
        next.store(done &+ step, ordering: .relaxed)
        return true
    }
}
