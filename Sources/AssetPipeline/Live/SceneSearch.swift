import Archive
import BundleManifest
import ColladaParser
import Diagnostics

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
            let failure: BundleManifestError
            do throws(BundleManifestError) {
                let (choice, findings) = try BundleManifest.scene(
                    of: bundle, given: start.entry?.path, repairs: repairs)
                log.merge(findings)
                if !opened.isEmpty { Self.tell(opened, choice, &log) }
                return Found(bundle: bundle, choice: choice, findings: log)
            } catch { failure = error }
            let archives = bundle.entries.filter { $0.role == .archive }
            guard failure.code == .bundleNoScene, let only = archives.first else {
                throw StageError(failure, findings: log)
            }
            guard archives.count == 1 else { throw several(archives, in: bundle, opened, log) }
            do { bundle = try bundle.open(nested: only) } catch { throw StageError(error, findings: log) }
            opened += only.path + AssetSource.mark
        }
    }

    private static func tell(_ opened: String, _ choice: SceneChoice, _ log: inout FindingLog) {
        let archive = String(opened.dropLast(AssetSource.mark.count))
        let scene = opened + choice.entry.path
        log.add(
            .bundleNestedArchive, at: Place(entry: archive),
            "there is no document (.dae) beside the archive \(archive); \(scene) is read",
            arguments: [.init("archive", archive), .init("scene", scene)])
    }

    private func several(
        _ archives: [Bundle.Entry], in bundle: Bundle, _ opened: String, _ log: FindingLog
    ) -> StageError {
        let addresses = archives.prefix(Self.mostShown).map { AssetSource.address(of: opened + $0.path, in: input) }
        let more = archives.count > Self.mostShown ? ", …" : ""
        return StageError(
            .bundleNoScene,
            """
            \(bundle.name) has no COLLADA document (.dae) of its own, but \(archives.count) archives; name one of them: \
            \(addresses.joined(separator: ", "))\(more)
            """, findings: log)
    }
}

extension AssetOperations.LiveOptions {
    /// What holds for documents holds for manifests.
    var manifestRepairs: BundleManifest.Repairs {
        switch collada.repairs {
        case .made: .made
        case .refused: .refused
        }
    }
}
