package import DaeArchive
import DaeCollada
package import DaeDiagnostics
import DaeDownload
package import DaeResources
package import DaeScene
import Synchronization

/// The bundle of a source, without its scene: for those who list or copy its files.
package struct LiveBundle: Sendable {
    /// What the end of an address means, and where to look for what it does not name.
    package enum Goal: Sendable {
        /// The file that it names, be it an archive.
        case file
        /// What is in it, where it names an archive.
        case content
        /// The scene; also in the only archive of a bundle that holds no document.
        case scene
    }

    package let file: AssetFile
    /// The source itself, or the archive within it that the address leads to.
    package let bundle: Bundle
    /// The entry that the source named; `nil` where it named the bundle.
    package let entry: Bundle.Entry?
    /// The source itself, as it is written to JSON; without a digest that is not known yet.
    package let source: Inspection.Source
    /// Of a scene that was looked for: which one it is.
    private let found: SceneChoice?
    /// Where the bundle has several models.
    private let models: [SceneSearch.Model]
    private let outermost: Bundle
    private let options: AssetOperations.LiveOptions
    private let live: LiveStages

    /// Fetches and opens a source.
    ///
    /// - Parameters:
    ///   - source: It may lead into archives in archives.
    ///   - report: Told how far the download has come.
    /// - Throws: A ``CodedError``, or `CancellationError`.
    package static func open(
        _ source: AssetSource, goal: Goal = .file, options: AssetOperations.LiveOptions = .init(),
        report: @escaping @Sendable (AssetState.Download) -> Void = { _ in }
    ) async throws -> LiveBundle {
        let live = LiveStages(options: options)
        let file = try await live.download(source, for: .listing) {
            report(AssetState.Download(attempt: .first, bytes: $0))
        }
        return try await open(file, goal, options, live)
    }

    /// Opens a file that is here already.
    package static func open(
        _ file: AssetFile, goal: Goal = .file, options: AssetOperations.LiveOptions = .init()
    ) async throws -> LiveBundle {
        try await open(file, goal, options, LiveStages(options: options))
    }

    private static func open(
        _ file: AssetFile, _ goal: Goal, _ options: AssetOperations.LiveOptions, _ live: LiveStages
    ) async throws -> LiveBundle {
        try await live.stopping(file) { _ in try opened(file, goal, options, live) }
    }

    private static func opened(
        _ file: AssetFile, _ goal: Goal, _ options: AssetOperations.LiveOptions, _ live: LiveStages
    ) throws -> LiveBundle {
        let outermost = try live.bundle(of: file)
        let source = Inspection.Source(file, outermost, sha256: file.sha256)
        let address = file.entry ?? ""
        switch goal {
        case .file, .content:
            let found = try outermost.destination(of: address, ending: goal == .file ? .file : .content)
            return LiveBundle(
                file: file, bundle: found.bundle, entry: found.entry, source: source, found: nil, models: [],
                outermost: outermost, options: options, live: live)
        case .scene:
            var models: [SceneSearch.Model] = []
            let found = try options.search(file) { models = $0 }.scene(of: file, in: outermost)
            return LiveBundle(
                file: file, bundle: found.bundle, entry: found.named, source: source, found: found.choice,
                models: models, outermost: outermost, options: options, live: live)
        }
    }

    /// Whether there are several models, and each was asked for.
    package var isSeveral: Bool { models.count > 1 }

    /// Hands on each model with its source, one after the other, where there are several and each was asked for; else
    /// this one.
    package func each(_ body: (_ source: String, _ bundle: Result<LiveBundle, any Error>) throws -> Void) rethrows {
        guard let first = models.first, isSeveral else { return try body(file.input, .success(self)) }
        let own = file.naming(first, in: outermost)
        let opened = LiveBundle(
            file: own, bundle: bundle, entry: entry, source: .init(own, outermost, sha256: own.sha256), found: found,
            models: [], outermost: outermost, options: options, live: live)
        try body(own.input, .success(opened))
        for model in models.dropFirst() {
            let file = file.naming(model, in: outermost)
            let opened = Result { try Self.opened(file, .scene, options, live) }
            switch opened {
            case .success(let bundle): try bundle.each(body)
            case .failure: try body(file.input, opened)
            }
        }
    }

    /// Runs work that takes time on a thread of its own.
    ///
    /// - Parameter work: Asks its last argument now and then, and ends soon once that is true: the task was cancelled.
    package func run<Value: Sendable>(
        _ work: @escaping @Sendable (LiveBundle, _ isCancelled: () -> Bool) throws -> Value
    ) async throws -> Value {
        defer { live.tellUsage(of: file) }
        return try await live.stopping(file) { cancellation in try work(self) { cancellation.isCancelled } }
    }

    /// The document that is the scene: the entry that was named, else the one that the bundle's manifest means.
    package func choice() throws(CodedFailure) -> SceneChoice {
        if let found { return found }
        return try BundleManifest.scene(of: bundle, given: entry?.path, documents: .unread).choice
    }

    /// Finds files that a document means, in the bundle and where the options allow it.
    package func locator() throws -> ResourceLocator { try options.locator(of: file, bundle) }

    /// Follows one reference, and asks the web for it where the options say so.
    package func resolve(
        _ reference: String, from base: String, isCancelled: () -> Bool = { false }
    ) throws -> Resolution {
        let resolution = try locator().resolve(reference, from: base)
        guard let fetch = options.webFetch, let url = resolution.webAddress else { return resolution }
        switch fetch.get(url, fetch.bytes, isCancelled) {
        case .file: return resolution.after(.done)
        case .failed(_, let message, _): return resolution.after(.failed(reason: message))
        }
    }

    /// Reads the scene and nothing that it refers to.
    package func scene(_ choice: SceneChoice, isCancelled: () -> Bool = { false }) throws -> Scene {
        let inspector = try options.inspector(of: file, bundle)
        let reading = try inspector.read(choice.entry, of: bundle, progress: { _ in }, isCancelled: isCancelled)
        var collada = options.collada
        collada.documentPath = choice.entry.path
        return try reading.document.scene(options: collada).scene
    }

    /// Reads the scene without the digest of the source, and keeps how each image was found.
    package func inspect(
        _ choice: SceneChoice, isCancelled: () -> Bool = { false }
    ) throws -> Inspector.Result {
        var inspector = try options.inspector(of: file, bundle)
        inspector.keepsResolutions = true
        return try inspector.inspect(bundle, choice, input: file.input, digest: .none, isCancelled: isCancelled)
    }

    /// Reads the scene without the digest of the source, with the files of its images.
    package func product(
        _ choice: SceneChoice, isCancelled: () -> Bool = { false }
    ) throws -> Model {
        let result = try inspect(choice, isCancelled: isCancelled)
        return Model(
            inspection: result.inspection, scene: result.scene, files: try options.imageFiles(of: file, bundle, choice))
    }
}

/// Archives of several models that are open: the models behind the first are read from them as they are, so that none is
/// opened as often as it has models. A class since all who read with the same options share them.
final class OpenedModels: Sendable {
    private struct Archive {
        let file: AssetFile
        let outermost: Bundle
        /// By how people see their addresses.
        let models: [String: SceneSearch.Model]
        /// Of the file; `nil` until it is known.
        var sha256: String?
        /// How often it was noted, for it may be given twice.
        var uses: Int
    }

    private let archives = Mutex<[String: Archive]>([:])

    /// Keeps what turned out to hold several models, until as many times ``forget(_:)`` is called.
    func note(_ models: [SceneSearch.Model], of file: AssetFile, in outermost: Bundle) {
        archives.withLock { archives in
            let uses = archives[file.input]?.uses ?? 0
            guard uses == 0 else {
                archives[file.input]?.uses = uses + 1
                return
            }
            let addresses = models.map { (SourceAddress.address(of: $0.address, in: file.input), $0) }
            archives[file.input] = Archive(
                file: file, outermost: outermost, models: Dictionary(addresses) { first, _ in first },
                sha256: file.sha256, uses: 1)
        }
    }

    /// - Parameter source: As it is shown to people.
    func forget(_ source: String) {
        archives.withLock { archives in
            guard let uses = archives[source]?.uses else { return }
            if uses > 1 { archives[source]?.uses = uses - 1 } else { archives[source] = nil }
        }
    }

    /// Tells what the file of an archive, or of one of its models, hashes to.
    func note(sha256: String, of source: String) {
        archives.withLock { archives in
            for (input, archive) in archives where input == source || archive.models[source] != nil {
                archives[input]?.sha256 = sha256
            }
        }
    }

    /// The file of a model, with what was opened.
    ///
    /// - Parameter source: Its address, as a person may have given it.
    func file(of source: String) -> AssetFile? {
        let shown = SourceAddress.display(source)
        return archives.withLock { archives in
            for archive in archives.values {
                guard let model = archive.models[shown] else { continue }
                return archive.file.naming(model, in: archive.outermost, sha256: archive.sha256)
            }
            return nil
        }
    }
}

/// One of the models of an archive that is open. A class so that files which have it can be compared.
final class OpenedModel: Sendable {
    let model: SceneSearch.Model
    let outermost: Bundle

    init(_ model: SceneSearch.Model, in outermost: Bundle) {
        self.model = model
        self.outermost = outermost
    }
}

extension OpenedModel: Hashable {
    static func == (left: OpenedModel, right: OpenedModel) -> Bool { left === right }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
