import Daedalus
import Glibc

/// The rules that hold for each source: the command line's over those of its `.daelint.json` over the profile's.
///
/// All files are read before the first source is, so that a mistake in one costs no waiting.
struct ValidationControl: Sendable {
    /// What holds for one source.
    struct Judgement: Sendable {
        var rules = FindingRules()
        var failOn = Severity.error
        var baseline: Baseline?
    }

    /// By the source as it is shown.
    private var judgements: [String: Judgement] = [:]
    /// The paths of all files that say so.
    let files: [String]

    init(_ options: ControlOptions, sources: [String]) throws {
        let given = try options.rules()
        var reader = Reader()
        let fixed = try options.config.map { try reader.configuration($0) }
        for source in sources {
            let file: Reader.File? =
                if let fixed {
                    fixed
                } else if options.noConfig {
                    nil
                } else {
                    try ControlFile.nearest(above: Self.folder(of: source)).map { try reader.configuration($0) }
                }
            let configuration = file?.configuration ?? LintConfiguration()
            let profile = options.profile ?? configuration.profile ?? .standard
            let baseline = options.baseline ?? file?.baseline
            judgements[AssetSource.display(source)] = Judgement(
                rules: profile.rules.overlaid(by: configuration.rules).overlaid(by: given),
                failOn: options.failOn?.severity ?? configuration.failOn ?? .error,
                baseline: try baseline.map { try reader.baseline($0) })
        }
        files = reader.paths
    }

    /// Of a source, or of one of the models in it.
    func judgement(of source: String) -> Judgement {
        var name = Substring(source)
        while true {
            if let judgement = judgements[String(name)] { return judgement }
            guard let mark = name.lastIndex(of: "!") else { return Judgement() }
            name = name[..<mark]
        }
    }

    /// Where a source lies; where the program was started for what lies nowhere.
    private static func folder(of source: String) -> String {
        switch AssetSource(source, exists: { ControlFile.kind($0) != nil }).location {
        case .path(let path):
            if ControlFile.kind(path) == S_IFDIR { return path }
            guard let slash = path.lastIndex(of: "/") else { return "." }
            return slash == path.startIndex ? "/" : String(path[..<slash])
        case .standardInput, .url: return "."
        }
    }

    /// Reads each file once.
    private struct Reader {
        struct File {
            let configuration: LintConfiguration
            /// Its path from where the program runs.
            let baseline: String?
        }
        private var files: [String: File] = [:]
        private var baselines: [String: Baseline] = [:]

        var paths: [String] { files.keys.sorted() + baselines.keys.sorted() }

        mutating func configuration(_ path: String) throws -> File {
            if let file = files[path] { return file }
            let configuration = try LintConfiguration(
                parsing: try ControlFile.bytes(path, limit: 1 << 20), file: path)
            let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
            let file = File(
                configuration: configuration,
                baseline: configuration.baseline.map { ControlFile.path($0, from: folder) })
            files[path] = file
            return file
        }

        mutating func baseline(_ path: String) throws -> Baseline {
            if let baseline = baselines[path] { return baseline }
            let baseline = try Baseline(parsing: try ControlFile.bytes(path, limit: 256 << 20), file: path)
            baselines[path] = baseline
            return baseline
        }
    }
}
