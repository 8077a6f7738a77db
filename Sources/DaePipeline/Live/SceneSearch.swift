import DaeArchive
import DaeCollada
import DaeDiagnostics
import DaeResources

/// What is done about a bundle of several models of which no manifest names one.
package enum SeveralModels: Sendable, Hashable {
    /// The best is taken, and told which others there are.
    case best
    /// The first is taken; whoever asked is told of the others and asks for each.
    case each
    /// The same, also where a manifest names one.
    case all
    /// Nobody is there to choose: it is an error that names them.
    case refused

    /// Whether each is taken.
    fileprivate var areTaken: Bool {
        switch self {
        case .each, .all: true
        case .best, .refused: false
        }
    }

    fileprivate var documents: BundleManifest.Documents {
        switch self {
        case .each: .each
        case .all: .all
        case .best, .refused: .searched
        }
    }
}

/// Finds the scene that a source means: the entry that was named, the one that the bundle means, or that of the only
/// archive in a bundle which holds no document.
struct SceneSearch {
    /// Where it was found, and what is odd about the bundles on the way.
    struct Found {
        let bundle: Bundle
        let choice: SceneChoice
        let findings: FindingLog
        /// The entry that the source named; `nil` where it named the bundle.
        var named: Bundle.Entry?
    }

    /// One of several models: a document, or an archive in which there are some.
    struct Model: Sendable {
        /// From where the search began.
        let address: String
        let bundle: Bundle
        let entry: Bundle.Entry
    }

    /// The source as it is shown to people.
    let input: String
    /// What was odd before anything was opened.
    var findings: [Finding] = []
    var repairs = BundleManifest.Repairs.made
    var several = SeveralModels.best
    /// Told of several models, the one that is taken first.
    var models: ([Model]) -> Void = { _ in }

    private static let mostShown = 5

    /// Of a file that was opened.
    func scene(of file: AssetFile, in outermost: Bundle) throws -> Found {
        if let model = file.model { return try scene(of: model.model) }
        let start = try outermost.destination(of: file.entry ?? "", ending: .content)
        var found = try scene(from: start)
        found.named = start.entry
        return found
    }

    /// - Throws: ``CodedFailure``, with the findings until then.
    func scene(from start: Bundle.Destination) throws(CodedFailure) -> Found {
        var bundle = start.bundle
        var log = FindingLog()
        for finding in findings { log.add(finding) }
        // Archives that were opened, each ended by its mark.
        var opened = ""
        // Models behind the archive that was opened last.
        var others: [Model] = []
        while true {
            for finding in bundle.findings { log.add(finding) }
            let choice: SceneChoice
            switch attempt(bundle, given: start.entry?.path, &log) {
            case .success(let chosen): choice = chosen
            case .failure(let failure):
                guard failure.code == .bundleNoScene, bundle.entries.contains(where: { $0.role == .archive }) else {
                    log.merge(bundle.nestingFindings)
                    throw failure.within(findings: log)
                }
                let archives = try archives(of: bundle, opened, &log)
                others = archives.dropFirst() + others
                opened += archives[0].entry.path + SourceAddress.mark
                do { bundle = try open(archives[0].entry, of: bundle, log) } catch {
                    tell([archives[0]] + others)
                    throw error
                }
                continue
            }
            if choice.entry.isWithinArchive, choice.parts.isEmpty {
                tell([Model(address: opened + choice.entry.path, bundle: bundle, entry: choice.entry)] + others)
                return try scene(choice, withinArchivesOf: bundle, opened, log)
            }
            if start.entry == nil, choice.entry.role != .document, bundle.holdsArchive(choice.entry) {
                // Its own manifest says which document.
                opened += choice.entry.path + SourceAddress.mark
                bundle = try open(choice.entry, of: bundle, log)
                continue
            }
            if !opened.isEmpty { Self.tell(opened, choice, &log) }
            return try found(choice, in: bundle, opened, isNamed: start.entry != nil, others, log)
        }
    }

    /// Takes the model that was found for another one that came first.
    ///
    /// - Throws: ``CodedFailure``, with the findings until then.
    private func scene(of model: Model) throws -> Found {
        guard model.entry.role == .archive else {
            return Found(bundle: model.bundle, choice: .model(model.entry, .further), findings: FindingLog())
        }
        let bundle = try open(model.entry, of: model.bundle, FindingLog())
        return try scene(from: try bundle.destination(of: ""))
    }

    /// Says which others there are where it was not named.
    private func found(
        _ choice: SceneChoice, in bundle: Bundle, _ opened: String, isNamed: Bool, _ others: [Model], _ log: FindingLog
    ) throws(CodedFailure) -> Found {
        var log = log
        let isChosen = !isNamed && bundle.kind != .dae && !choice.isOfManifest
        let documents = choice.models.isEmpty ? [choice.entry.path] : choice.models
        switch several {
        case .refused:
            if choice.models.count > 1 {
                let what = "\(bundle.name) holds \(documents.count) models"
                throw refusal(.bundleMultipleScenes, what, documents.map { opened + $0 }, log)
            }
        case .best:
            guard isChosen else { break }
            let inner = InnerArchives(of: bundle, atMost: Self.mostShown + 1)
            inner.tell(opened, &log)
            let archives = inner.models.map(\.path)
            if !archives.isEmpty {
                let shown = archives.prefix(Self.mostShown).joined(separator: ", ")
                log.add(
                    .bundleMultipleScenes,
                    """
                    \(choice.entry.path) was chosen (\(choice.rule.title())), and archives that hold models are not \
                    looked at: \(shown)\(archives.count > Self.mostShown ? ", …" : "")
                    """)
            }
        case .each, .all:
            var entries = documents.compactMap { bundle.entry(at: $0) }
            if isChosen {
                let inner = InnerArchives(of: bundle)
                inner.tell(opened, &log)
                entries += inner.models
            }
            let all = entries.map { Model(address: opened + $0.path, bundle: bundle, entry: $0) } + others
            tell(all)
            guard all.count > 1, let first = all.first else { break }
            let isOne = choice.models.count < 2
            return Found(bundle: bundle, choice: isOne ? choice.asFirst : .model(first.entry, .first), findings: log)
        }
        return Found(bundle: bundle, choice: choice, findings: log)
    }

    private func tell(_ all: [Model]) {
        if all.count > 1 { models(all) }
    }

    /// The archives of a bundle without a document in which the scenes are to be looked for: one, or several of which each
    /// is taken.
    private func archives(of bundle: Bundle, _ opened: String, _ log: inout FindingLog) throws(CodedFailure) -> [Model]
    {
        let all = bundle.entries.filter { $0.role == .archive }
        var taken: [Bundle.Entry] = []
        if all.count > 1, several.areTaken {
            let inner = InnerArchives(of: bundle)
            inner.tell(opened, &log)
            taken = inner.models
        }
        guard all.count == 1 || !taken.isEmpty else {
            let what = "\(bundle.name) has no COLLADA document (.dae) of its own, but \(all.count) archives"
            throw refusal(.bundleNoScene, what, all.map { opened + $0.path }, log)
        }
        return (taken.isEmpty ? all : taken).map { Model(address: opened + $0.path, bundle: bundle, entry: $0) }
    }

    private func attempt(
        _ bundle: Bundle, given: String?, _ log: inout FindingLog
    ) -> Result<SceneChoice, CodedFailure> {
        let locator = ResourceLocator(bundle: bundle)
        do throws(CodedFailure) {
            let (choice, findings) = try BundleManifest.scene(
                of: bundle, given: given, repairs: repairs, documents: several.documents
            ) { reference, manifest in
                let resolution = locator.resolve(reference, from: manifest, as: .document)
                guard case .found(let path, let rule, _) = resolution.outcome else { return nil }
                return (path, rule.rawValue)
            }
            log.merge(findings)
            return .success(choice)
        } catch { return .failure(error) }
    }

    /// The scene that lies in an archive within the bundle, through which a path leads.
    private func scene(
        _ choice: SceneChoice, withinArchivesOf bundle: Bundle, _ opened: String, _ log: FindingLog
    ) throws(CodedFailure) -> Found {
        var log = log
        do throws(CodedFailure) {
            let (inner, entry, archives) = try bundle.innermost(of: choice.entry)
            for finding in inner.findings { log.add(finding) }
            let choice = choice.within(entry)
            Self.tell(opened + archives.map { $0 + SourceAddress.mark }.joined(), choice, &log)
            return Found(bundle: inner, choice: choice, findings: log)
        } catch { throw error.within(findings: log) }
    }

    private func open(_ entry: Bundle.Entry, of bundle: Bundle, _ log: FindingLog) throws(CodedFailure) -> Bundle {
        do { return try bundle.open(nested: entry) } catch { throw error.within(findings: log) }
    }

    private static func tell(_ opened: String, _ choice: SceneChoice, _ log: inout FindingLog) {
        let archive = String(opened.dropLast(SourceAddress.mark.count))
        let scene = opened + choice.entry.path
        log.add(
            .bundleNestedArchive, at: Place(entry: archive),
            choice.isOfManifest
                ? "the scene lies in the archive \(archive); \(scene) is read"
                : "there is no document (.dae) beside the archive \(archive); \(scene) is read",
            arguments: [.init("archive", archive), .init("scene", scene)])
    }

    private func refusal(_ code: FindingCode, _ what: String, _ paths: [String], _ log: FindingLog) -> CodedFailure {
        let addresses = paths.prefix(Self.mostShown).map { SourceAddress.address(of: $0, in: input) }
        let more = paths.count > Self.mostShown ? ", …" : ""
        return CodedFailure(code, "\(what); name one of them: \(addresses.joined(separator: ", "))\(more)")
            .within(findings: log)
    }
}

extension SceneChoice {
    /// Whether a manifest says that it is the scene.
    fileprivate var isOfManifest: Bool { rule == .zaeManifest || rule == .kmzModelLink }
}

/// The archives in a bundle that hold models: those into which its documents lead hold parts of theirs.
private struct InnerArchives {
    private(set) var models: [Bundle.Entry] = []
    /// Those that cannot be opened.
    private var faults: [(archive: Bundle.Entry, error: CodedFailure)] = []

    private enum Contents {
        case models, other
        case unreadable(CodedFailure)
    }

    /// - Parameter limit: Archives that hold models, behind which no further one is opened.
    init(of bundle: Bundle, atMost limit: Int = .max) {
        let archives = bundle.entries.filter { $0.role == .archive }
        guard !archives.isEmpty else { return }
        let targets = DocumentReferences.targets(in: bundle).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        for entry in archives where models.count < limit {
            guard !Self.leads(any: targets, into: entry.path) else { continue }
            // Of entries with the same path one is meant by it.
            guard bundle.entry(at: entry.path).map({ $0 == entry }) ?? true else { continue }
            switch Self.contents(of: entry, in: bundle) {
            case .models: models.append(entry)
            case .other: break
            case .unreadable(let error): faults.append((entry, error))
            }
        }
    }

    /// - Parameter targets: Paths in lower case, in the order of their bytes: there may be as many as archives.
    private static func leads(any targets: [String], into archive: String) -> Bool {
        let inside = (archive.lowercased() + "/").utf8
        var (low, high) = (0, targets.count)
        while low < high {
            let middle = low + (high - low) / 2
            if targets[middle].utf8.lexicographicallyPrecedes(inside) { low = middle + 1 } else { high = middle }
        }
        return low < targets.count && targets[low].utf8.starts(with: inside)
    }

    private static func contents(of archive: Bundle.Entry, in bundle: Bundle) -> Contents {
        let inner: Bundle
        do throws(CodedFailure) { inner = try bundle.open(nested: archive) } catch { return .unreadable(error) }
        if inner.kind == .dae { return .models }
        var contents = Contents.other
        for entry in inner.entries {
            switch entry.role {
            case .document: return .models
            case .archive:
                switch self.contents(of: entry, in: inner) {
                case .models: return .models
                case .unreadable(let error): contents = .unreadable(error)
                case .other: break
                }
            case .image, .manifest, .junk, .other: break
            }
        }
        return contents
    }

    /// Says which cannot be opened: there may be models in them.
    ///
    /// - Parameter opened: What leads to the bundle.
    func tell(_ opened: String, _ log: inout FindingLog) {
        for (archive, error) in faults {
            log.add(
                error.code, at: Place(entry: opened + archive.path),
                "what the archive \(archive.path) holds is not looked at: \(error.message)")
        }
    }
}

extension AssetOperations.LiveOptions {
    /// Finds the scene of a file as these options say.
    ///
    /// - Parameter models: Told of several models.
    func search(_ file: AssetFile, models: @escaping ([SceneSearch.Model]) -> Void) -> SceneSearch {
        SceneSearch(
            input: file.input, findings: file.findings, repairs: manifestRepairs, several: several, models: models)
    }

    /// What holds for documents holds for manifests.
    var manifestRepairs: BundleManifest.Repairs {
        switch collada.repairs {
        case .made: .made
        case .refused: .refused
        }
    }
}
