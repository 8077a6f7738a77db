import ArgumentParser
import DaeCore
import Daedalus
import Synchronization

/// Writes many models below a folder, each where it was read, so that several are written side by side.
struct ConvertBatch {
    let folder: String
    let format: ExportFormat
    let writing: ConvertWriting
    /// What files are made with, where those that are as the last time are skipped.
    let fingerprint: String?
    let report: String?

    /// What is written, and what cannot be read.
    struct Work {
        fileprivate let items: [Item]
        fileprivate let faults: [InspectionFailure]
        /// Descriptions among the sources.
        let robots: [DescribedRobot]
    }

    /// A source and the path of its model below the folder, without an ending.
    fileprivate struct Item {
        let source: String
        let name: String
    }

    func run(
        _ work: Work, _ options: RunOptions, _ live: AssetOperations.LiveOptions, folders: FolderMeaning, jobs: Int
    ) async throws {
        let (items, faults) = (work.items, work.faults)
        try makeFolder()
        let manifest = ConvertManifest(folder: folder, fingerprint: fingerprint, scales: writing.scales)
        let log = ConvertLog(report: report)
        let outputs = ConvertOutputs(
            folder: folder, format: format, names: items.map { (SourceAddress.display($0.source), $0.name) })
        let waiting = items.filter { item in
            let path = outputs.path(of: item.name)
            if manifest.isUnchanged(item.source) {
                log.skip(item.source, path)
            } else if writing.existing == .refused, let file = taken(path), !manifest.owns(path) {
                complain("\(file): a file is there; --force replaces it")
                log.fail(item.source, SceneExportError(.ioError, "\(file): a file is there"))
            } else {
                return true
            }
            return false
        }
        var live = live
        live.onModels = { outputs.note($1, of: $0) }
        live.whenRead = { [writing, format] source, model, isCancelled in
            outputs.write(model, source, writing, format, manifest, isCancelled)
            return model.withoutScene
        }
        let (style, isQuiet) = (options.style, options.quiet)
        var exit = log.hasFailed ? DaeExit.cannotWrite : .fine
        do {
            try await SourceRun(
                waiting.map(\.source), options, live, several: folders.several, jobs: jobs, unread: faults
            ).run(.json) { result in
                switch result {
                case .failed(let failure):
                    log.fail(result.input, failure)
                    manifest.forget(result.input)
                case .read:
                    switch outputs.outcome(of: result.input) {
                    case .written(let path, let fidelity, let scale):
                        log.add(result.input, path, fidelity)
                        let told = scale.isEmpty ? "" : style.marks(" · ") + scale
                        if !isQuiet {
                            return .text(FidelityText(fidelity, output: path, style: style).headline + told + "\n")
                        }
                    case .failed(let error):
                        complain(SourceRun.text(of: InspectionFailure(error, source: .init(input: result.input))))
                        log.fail(result.input, error)
                        manifest.forget(result.input)
                    case nil: break
                    }
                }
                return .nothing
            } exit: { result in
                guard case .read = result, case .failed(let error) = outputs.outcome(of: result.input) else {
                    return .fine
                }
                return error.code == .ioError ? .cannotWrite : DaeExit(failure: error.code)
            } end: {
                isQuiet ? .nothing : .text(log.summary)
            }
        } catch let error as DaeExit { exit = max(exit, error) }
        try manifest.save()
        try log.finish()
        if exit != .fine { throw exit }
    }

    private func taken(_ path: String) -> String? { format.files(of: path).first { ControlFile.kind($0) != nil } }

    static func work(
        of given: [String], _ folders: FolderMeaning, _ places: PlaceOptions, as format: ExportFormat
    ) throws -> Work {
        var (items, faults, robots): ([Item], [InspectionFailure], [DescribedRobot]) = ([], [], [])
        var known: [String: String] = [:]
        for source in given {
            let contents = try folders.contents(of: [source], places)
            faults += contents.failures
            robots += contents.robots
            let top = source.hasSuffix("/") ? source : source + "/"
            for found in contents.sources {
                let within = found != source && found.hasPrefix(top) ? String(found.dropFirst(top.count)) : nil
                let below = contents.tops[found] ?? within
                let name = below.map(ConvertTarget.withoutEnding) ?? ConvertTarget.stem(of: found) ?? "model"
                if let other = known.updateValue(found, forKey: name) {
                    // Several descriptions may name one mesh.
                    if other == found, contents.tops[found] != nil { continue }
                    let sources = "\(SourceAddress.display(other)) and \(SourceAddress.display(found))"
                    throw ValidationError(
                        "\(sources) would both be \(name).\(format.ending); convert one of them to another folder."
                            .withoutControls)
                }
                items.append(Item(source: found, name: name))
            }
        }
        return Work(items: items, faults: faults, robots: robots)
    }

    private func makeFolder() throws(DaeExit) {
        if let error = Folders.make(folder) {
            complain("\(folder): cannot be made: \(error.reason)")
            throw .cannotWrite
        }
        guard access(folder, W_OK) == 0 else {
            complain("\(folder): cannot be written to: \(SystemError(folder).reason)")
            throw .cannotWrite
        }
    }
}

/// Folders that are made when something is to be written into them.
enum Folders {
    /// Makes a folder, and those that it lies in.
    ///
    /// - Returns: Why that cannot be.
    static func make(_ path: String) -> SystemError? {
        var end = path.startIndex
        while end < path.endIndex {
            end = path[path.index(after: end)...].firstIndex(of: "/") ?? path.endIndex
            let place = String(path[..<end])
            guard mkdir(place, 0o777) != 0, ControlFile.kind(place) != .folder else { continue }
            return errno == EEXIST ? SystemError(place, ENOTDIR) : SystemError(place)
        }
        return nil
    }
}

/// Where each model goes, and what came of it. A class, for the threads that read models write them.
final class ConvertOutputs: Sendable {
    enum Outcome {
        /// `scale` is what is told of it.
        case written(path: String, FidelityReport, scale: String)
        case failed(SceneExportError)
    }

    private struct State {
        /// By source as it is shown, the path of its model without an ending.
        var names: [String: String]
        /// Which source has a name.
        var owners: [String: String]
        /// Of sources that turned out to hold several models, the first one's address.
        var first: [String: String] = [:]
        var outcomes: [String: Outcome] = [:]
    }
    private let state: Mutex<State>
    private let folder: String
    private let format: ExportFormat

    init(folder: String, format: ExportFormat, names: [(source: String, name: String)]) {
        self.folder = folder
        self.format = format
        state = Mutex(
            State(
                names: Dictionary(names.map { ($0.source, $0.name) }) { first, _ in first },
                owners: Dictionary(names.map { ($0.name, $0.source) }) { first, _ in first }))
    }

    func path(of name: String) -> String { folder + (folder.hasSuffix("/") ? "" : "/") + "\(name).\(format.ending)" }

    /// Gives names to the models of a source: those that they have in it, in a folder that is named after it.
    func note(_ models: [String], of source: String) {
        state.withLock { state in
            guard let own = state.names[source], let first = models.first else { return }
            state.first[source] = SourceAddress.address(of: first, in: source)
            for model in models {
                let address = SourceAddress.address(of: model, in: source)
                let name = own + "/" + Self.safe(ConvertTarget.withoutEnding(model))
                if let other = state.owners[name] {
                    state.outcomes[address] = .failed(
                        SceneExportError(.ioError, "\(other) would be \(name).\(format.ending), too"))
                } else {
                    state.owners[name] = address
                    state.names[address] = name
                }
            }
        }
    }

    /// A path below a folder, of entries that an archive may call anything.
    private static func safe(_ entry: String) -> String {
        let parts = entry.split(separator: "/").map { part in
            String(part.hasSuffix("!") ? part.dropLast() : part).withoutControls
        }
        return parts.filter { !["", ".", ".."].contains($0) }.joined(separator: "/")
    }

    func outcome(of source: String) -> Outcome? { state.withLock { $0.outcomes[source] } }

    func write(
        _ model: Model, _ source: String, _ writing: ConvertWriting, _ format: ExportFormat,
        _ manifest: ConvertManifest, _ isCancelled: () -> Bool
    ) {
        let (address, name) = state.withLock { state in
            let address = state.first[source] ?? source
            return (address, state.outcomes[address] == nil ? state.names[address] : nil)
        }
        guard let name else { return }
        let path = path(of: name)
        let outcome: Outcome
        do throws(SceneExportError) {
            if let error = Folders.make(FolderReading.folder(of: path)) {
                throw SceneExportError(.ioError, "\(error.subject): cannot be made: \(error.reason)")
            }
            let target = ExportTarget.file(path, existing: manifest.owns(path) ? .replaced : writing.existing)
            let report = try writing.write(model, of: source, to: target, as: format, isCancelled)
            manifest.note(path, of: source, model)
            outcome = .written(path: path, report, scale: writing.scale(of: model, source).text)
        } catch { outcome = .failed(error) }
        state.withLock { $0.outcomes[address] = outcome }
    }
}

/// Counts what came of sources, and writes it as lines of JSON where that is asked for. A class because all of a run tell it.
final class ConvertLog: Sendable {
    private struct Counts {
        var (written, unchanged, failed) = (0, 0, 0)
    }
    private let counts = Mutex(Counts())
    private let lines: ResultWriter?

    init(report: String?) {
        lines = report.map { ResultWriter(path: $0, isCompact: true, isSeparated: false) }
    }

    var hasFailed: Bool { counts.withLock { $0.failed > 0 } }

    var summary: String {
        let counts = counts.withLock { $0 }
        let parts = [(counts.written, "written"), (counts.unchanged, "unchanged"), (counts.failed, "failed")]
        let all = Figures.count(counts.written + counts.unchanged + counts.failed, "model")
        let told = parts.filter { $0.0 > 0 }.map { "\(Figures.count($0.0)) \($0.1)" }
        return told.isEmpty ? "\(all)\n" : "\(all): \(told.joined(separator: ", "))\n"
    }

    func add(_ source: String, _ path: String, _ report: FidelityReport) {
        counts.withLock { $0.written += 1 }
        put(source, ["status": "written", "output": .string(path), "fidelity": report.json])
    }

    func skip(_ source: String, _ path: String) {
        counts.withLock { $0.unchanged += 1 }
        put(SourceAddress.display(source), ["status": "unchanged", "output": .string(path)])
    }

    func fail(_ source: String, _ error: SceneExportError) {
        var members: [String: JSONValue] = [
            "status": "failed", "code": .string(error.code.rawValue), "message": .string(error.message),
        ]
        if let report = error.report { members["fidelity"] = report.json }
        fail(source, members)
    }

    func fail(_ source: String, _ failure: InspectionFailure) {
        fail(
            source,
            ["status": "failed", "code": .string(failure.code.rawValue), "message": .string(failure.message)])
    }

    private func fail(_ source: String, _ members: [String: JSONValue]) {
        counts.withLock { $0.failed += 1 }
        put(SourceAddress.display(source), members)
    }

    private func put(_ source: String, _ members: [String: JSONValue]) {
        guard let lines else { return }
        _ = lines.write(.json(.object(members.merging(["source": .string(source)]) { $1 })))
    }

    /// Puts the lines into their place.
    func finish() throws(DaeExit) { try lines?.finish() }
}
