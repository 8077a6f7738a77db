import DaeArchive
import DaeDiagnostics
import Synchronization

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
            let addresses = models.map { (AssetSource.address(of: $0.address, in: file.input), $0) }
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
        let shown = AssetSource.display(source)
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
