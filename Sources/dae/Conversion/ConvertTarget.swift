import ArgumentParser
import DaeCore
import Daedalus
import Synchronization

/// Where a conversion goes.
enum ConvertTarget {
    case file(String, ExportFormat)
    case standardOutput(ExportFormat)
    /// Each model to a file of its own below it.
    case folder(String, ExportFormat)

    var isFolder: Bool {
        switch self {
        case .folder: true
        case .file, .standardOutput: false
        }
    }

    var format: ExportFormat {
        switch self {
        case .file(_, let format), .standardOutput(let format), .folder(_, let format): format
        }
    }

    /// For people.
    var shown: String {
        switch self {
        case .file(let path, _), .folder(let path, _): path
        case .standardOutput: "standard output"
        }
    }

    /// What is known to be written.
    var files: [String] {
        switch self {
        case .file(let path, let format): format.files(of: path)
        case .standardOutput, .folder: []
        }
    }

    /// Parts what was named on the command line.
    ///
    /// - Parameters:
    ///   - arguments: The last of several may be the output.
    ///   - output: That of `--output`.
    ///   - name: That of `--to`.
    static func of(
        _ arguments: [String], output: String?, to name: String?
    ) throws -> (sources: [String], target: ConvertTarget) {
        let wanted = try name.map { name in
            guard let format = ExportFormat(ending: name) else {
                throw ValidationError("--to is \(name.withoutControls); expected \(ExportFormat.names).")
            }
            return format
        }
        var (sources, output) = (arguments, output)
        if output == nil, sources.count > 1, let last = sources.last, isOutput(last) { output = sources.removeLast() }
        guard let output else {
            guard sources.count == 1, let source = sources.first else {
                if let last = sources.last, sources.count == 2, isNothing(last) {
                    throw ValidationError(
                        "\(last.withoutControls) is no source that is there, nor an output; expected a name that ends in \(ExportFormat.endings)."
                    )
                }
                throw ValidationError(
                    "\(sources.count) sources are named; name the folder to write them to with --output (-o) FOLDER/.")
            }
            guard let stem = stem(of: source) else {
                throw ValidationError("Name the file to write with --output (-o).")
            }
            let format = wanted ?? .glb
            return (sources, .file("\(stem).\(format.ending)", format))
        }
        let target = try of(output, wanted)
        if !target.isFolder, sources.count > 1 {
            throw ValidationError(
                "\(sources.count) sources are named, and --output is \(output.withoutControls); expected a folder, as FOLDER/."
            )
        }
        return (sources, target)
    }

    private static func of(_ output: String, _ wanted: ExportFormat?) throws -> ConvertTarget {
        let shown = output.withoutControls
        if output == "-" {
            guard let wanted, wanted.isOneFile else {
                let known = ExportFormat.builtIn.filter(\.isOneFile).map(\.ending).joined(separator: ", ")
                throw ValidationError("--output is -; expected --to with a format of one file: \(known).")
            }
            return .standardOutput(wanted)
        }
        let named = ExportFormat(path: output)
        if output.hasSuffix("/") || named == nil && ControlFile.kind(output) == .folder {
            return .folder(output, wanted ?? .glb)
        }
        switch (named, wanted) {
        case (let named?, let wanted?) where named.ending != wanted.ending:
            throw ValidationError("--output is \(shown), and --to is \(wanted.ending); expected one format.")
        case (let format?, _), (nil, let format?): return .file(output, format)
        case (nil, nil):
            throw ValidationError("--output is \(shown); expected a name that ends in \(ExportFormat.endings).")
        }
    }

    /// Whether an argument behind the sources names what is to be written.
    private static func isOutput(_ argument: String) -> Bool {
        !argument.contains("://") && ExportFormat(path: argument) != nil && ControlFile.kind(argument) != .folder
    }

    private static func isNothing(_ argument: String) -> Bool {
        argument != "-" && !argument.contains("://") && !argument.contains("!/")
            && Bundle.Kind(named: argument) == nil && ControlFile.kind(argument) == nil
    }

    /// What a source's model is called: its last name without the ending; `nil` where it has none.
    static func stem(of source: String) -> String? {
        let address = SourceAddress(source, exists: { ControlFile.kind($0) != nil })
        let path: String
        switch address.location {
        case .standardInput where address.entry == nil: return nil
        case .standardInput: path = ""
        case .path(let given):
            path =
                (try? RealPath.of(given)).map { real in
                    // A link is called as it is named, and `.` as what it is.
                    [".", ".."].contains(lastName(of: given)) ? real : given
                } ?? given
        case .url(let url):
            let place = url.split(separator: "://", maxSplits: 1).last.map(String.init) ?? url
            path = PercentEncoding.decodeStrictly(place.prefix { $0 != "?" && $0 != "#" }) ?? place
        }
        let name = lastName(of: address.entry ?? path)
        return withoutEnding(name).isEmpty ? nil : withoutEnding(name)
    }

    static func lastName(of path: String) -> String { path.split(separator: "/").last.map(String.init) ?? "" }

    static func withoutEnding(_ path: String) -> String {
        guard Bundle.Kind(named: path) != nil || RobotDescription.Format(named: path) != nil,
            let point = path.lastIndex(of: ".")
        else { return path }
        return String(path[..<point])
    }
}

/// How models are written.
struct ConvertWriting: Sendable {
    let options: ExportOptions
    /// Bytes; `nil` for what the source's size allows.
    let maxOutput: Int?
    let existing: AtomicFile.Existing
    let scales: ConvertScales

    /// - Parameter source: As it was read.
    /// - Throws: ``SceneExportError``; ``DaeExit`` where standard output took no more, which was told by then.
    func write(
        _ model: Model, of source: String, to target: ConvertTarget, isCancelled: () -> Bool
    ) throws -> FidelityReport {
        switch target {
        case .file(let path, let format):
            return try write(model, of: source, to: .file(path, existing: existing), as: format, isCancelled)
        case .folder: throw DaeExit.usage
        case .standardOutput(let format):
            let refusal = Mutex<DaeExit?>(nil)
            do {
                return try write(
                    model, of: source,
                    to: .sink { piece in
                        do throws(DaeExit) { try OutputStream(path: nil).write(piece) } catch {
                            refusal.withLock { $0 = error }
                            throw error
                        }
                    }, as: format, isCancelled)
            } catch { throw refusal.withLock { $0 } ?? error }
        }
    }

    func write(
        _ model: Model, of source: String, to target: ExportTarget, as format: ExportFormat, _ isCancelled: () -> Bool
    ) throws(SceneExportError) -> FidelityReport {
        var options = options
        switch scale(of: model, source) {
        case .unasked, .unnamed: break
        case .given(let given): options.scale = given.factors
        case .refused(let failure): throw SceneExportError(failure.code, failure.message)
        }
        var limits = ConversionBudget.Limits()
        limits.output = maxOutput
        var target = target
        // A link stays one: what it leads to is replaced.
        if case .file(let path, let existing) = target {
            target = .file(OutputStream.target(of: path), existing: existing)
        }
        return try model.write(to: target, as: format, options: options, limits: limits, isCancelled: isCancelled)
    }

    func scale(of model: Model, _ source: String) -> ConvertScales.Scale {
        scales.scale(of: source, scene: model.inspection.bundle.scenePath)
    }
}
