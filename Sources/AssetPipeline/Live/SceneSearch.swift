import Archive
import BundleManifest
import ColladaParser
import Diagnostics
import ResourceLocator

/// What is done about a bundle of several models of which no manifest names one.
public enum SeveralModels: Sendable, Hashable {
    /// The best is taken, and told which others there are.
    case best
    /// The first is taken; whoever asked is told of the others and asks for each.
    case each
    /// Nobody is there to choose: it is an error that names them.
    case refused
}

/// Finds the scene that a source means: the entry that was named, the one that the bundle means, or that of the only
/// archive in a bundle which holds no document.
struct SceneSearch {
    /// Where it was found, and what is odd about the bundles on the way.
    struct Found {
        let bundle: Bundle
        let choice: SceneChoice
        let findings: FindingLog
    }

    /// The source as it is shown to people.
    let input: String
    /// What was odd before anything was opened.
    var findings: [Finding] = []
    var repairs = BundleManifest.Repairs.made
    var several = SeveralModels.best
    /// Told of several models: their addresses in the source, the one that is taken first.
    var models: ([String]) -> Void = { _ in }

    private static let mostShown = 5

    /// - Throws: ``StageError``, with the findings until then.
    func scene(from start: Bundle.Destination) throws(StageError) -> Found {
        var bundle = start.bundle
        var log = FindingLog()
        for finding in findings { log.add(finding) }
        // Archives that were opened, each ended by its mark.
        var opened = ""
        while true {
            for finding in bundle.findings { log.add(finding) }
            let choice: SceneChoice
            switch attempt(bundle, given: start.entry?.path, &log) {
            case .success(let chosen): choice = chosen
            case .failure(let failure):
                let archives = bundle.entries.filter { $0.role == .archive }
                guard failure.code == .bundleNoScene, let first = archives.first else {
                    log.merge(bundle.nestingFindings)
                    throw StageError(failure, findings: log)
                }
                guard archives.count == 1 else {
                    let what =
                        "\(bundle.name) has no COLLADA document (.dae) of its own, but \(archives.count) archives"
                    throw refusal(.bundleNoScene, what, archives.map { opened + $0.path }, log)
                }
                opened += first.path + AssetSource.mark
                bundle = try open(first, of: bundle, log)
                continue
            }
            if choice.entry.isWithinArchive, choice.parts.isEmpty {
                return try scene(choice, withinArchivesOf: bundle, opened, log)
            }
            if start.entry == nil, choice.entry.role != .document, bundle.holdsArchive(choice.entry) {
                // Its own manifest says which document.
                opened += choice.entry.path + AssetSource.mark
                bundle = try open(choice.entry, of: bundle, log)
                continue
            }
            if !opened.isEmpty { Self.tell(opened, choice, &log) }
            guard choice.models.count > 1 else { return Found(bundle: bundle, choice: choice, findings: log) }
            let paths = choice.models.map { opened + $0 }
            switch several {
            case .best: return Found(bundle: bundle, choice: choice, findings: log)
            case .refused:
                throw refusal(.bundleMultipleScenes, "\(bundle.name) holds \(paths.count) models", paths, log)
            case .each:
                models(paths)
                switch attempt(bundle, given: choice.models[0], &log) {
                case .success(let first): return Found(bundle: bundle, choice: first, findings: log)
                case .failure(let failure): throw StageError(failure, findings: log)
                }
            }
        }
    }

    private func attempt(
        _ bundle: Bundle, given: String?, _ log: inout FindingLog
    ) -> Result<SceneChoice, BundleManifestError> {
        let locator = ResourceLocator(bundle: bundle)
        do throws(BundleManifestError) {
            let (choice, findings) = try BundleManifest.scene(
                of: bundle, given: given, repairs: repairs, documents: several == .each ? .each : .searched
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
    ) throws(StageError) -> Found {
        var log = log
        do throws(ArchiveError) {
            let (inner, entry, archives) = try bundle.innermost(of: choice.entry)
            for finding in inner.findings { log.add(finding) }
            let choice = choice.within(entry)
            Self.tell(opened + archives.map { $0 + AssetSource.mark }.joined(), choice, &log)
            return Found(bundle: inner, choice: choice, findings: log)
        } catch { throw StageError(error, findings: log) }
    }

    private func open(_ entry: Bundle.Entry, of bundle: Bundle, _ log: FindingLog) throws(StageError) -> Bundle {
        do { return try bundle.open(nested: entry) } catch { throw StageError(error, findings: log) }
    }

    private static func tell(_ opened: String, _ choice: SceneChoice, _ log: inout FindingLog) {
        let archive = String(opened.dropLast(AssetSource.mark.count))
        let scene = opened + choice.entry.path
        log.add(
            .bundleNestedArchive, at: Place(entry: archive),
            choice.rule == .zaeManifest || choice.rule == .kmzModelLink
                ? "the scene lies in the archive \(archive); \(scene) is read"
                : "there is no document (.dae) beside the archive \(archive); \(scene) is read",
            arguments: [.init("archive", archive), .init("scene", scene)])
    }

    private func refusal(_ code: FindingCode, _ what: String, _ paths: [String], _ log: FindingLog) -> StageError {
        let addresses = paths.prefix(Self.mostShown).map { AssetSource.address(of: $0, in: input) }
        let more = paths.count > Self.mostShown ? ", …" : ""
        return StageError(code, "\(what); name one of them: \(addresses.joined(separator: ", "))\(more)", findings: log)
    }
}

extension AssetOperations.LiveOptions {
    /// Finds the scene of a file as these options say.
    ///
    /// - Parameter models: Told of several models.
    func search(_ file: AssetFile, models: @escaping ([String]) -> Void) -> SceneSearch {
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
