import ArgumentParser
import DaeCore
import Daedalus
import Synchronization

struct ValidateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "validate",
        abstract: "Name every fault of a bundle, with its place.",
        discussion: """
            Prints one line a finding, file:line:column: severity: message [CODE], and below it the line it is about; the \
            file as it was given, an archive's entry as bundle.zip!/entry. `dae explain CODE` says more. Exits with 1 when \
            there is a finding at or above --fail-on.

            Where manifest.xml or doc.kml at the top of a folder or archive names the scene, or there is but one model, it \
            is one bundle; of any other folder each .dae, .zae, .kmz and .zip below it is a source, of any other archive \
            each document (see --folders), but for documents that others refer to. What cannot be read there is told as \
            IO_ERROR, and the program exits with 3. Links to folders are not followed.

            In a folder with package.xml or model.config the .urdf, .sdf and .xacro files are sources, too, behind the \
            models: whether the meshes are there that they name.

            What .daelint.json says, the nearest upwards from each source, holds where the command line says nothing: \
            an object of ignore, only, override, failOn, maxFindings, minSeverity, profile and baseline.

            Examples:
              dae validate model.zip
              dae validate --fail-on warning --ignore 'PHYSICS_*' models/
              dae validate --min-severity error models/
              dae validate --format sarif models/ -o findings.sarif
              dae validate --baseline old.json model.zip
              dae validate --schema strict model.dae
            """)

    @OptionGroup var options: SourceOptions
    @Option(help: FolderMeaning.help) var folders = FolderMeaning.auto
    @OptionGroup(title: "Which findings count") var control: ControlOptions
    @OptionGroup(title: "The web") var web: WebOptions

    @OptionGroup(title: "A service") var service: ServerOptions

    @Option(
        help:
            "The result's form: text (the default), json, sarif, md, junit, github or gltf-report; with --server json (the default there), sarif or md."
    )
    var format: ReportFormat?

    @Flag(
        help:
            "Mend nothing that exporters are known to write otherwise than it should be: QUIRK_* and what is found by another name."
    )
    var strict = false

    @Option(
        help: ArgumentHelp(
            "The schema of COLLADA: strict for every departure from the letter as an error, lenient, or off.",
            valueName: "how"))
    var schema = SchemaChoice.lenient

    @Option(
        help: ArgumentHelp(
            "Let libxml2 hold each document against a schema besides; the schema loads nothing beyond its folder.",
            valueName: "file"))
    var xsd: String?

    func run() async throws {
        let allowed = ["--format", "--jobs", "--jsonl", "--fail-on"]
        if let client = try service.client(options.run, allowing: allowed) { return try await validate(at: client) }
        let format = format ?? .text
        let contents = try folders.contents(of: options.sources, options.places)
        let found = try FolderRobots(below: options.sources, options.places.robots, known: contents.robots)
        let robots = contents.robots + found.robots
        let unread = contents.faults.map(\.failure) + found.failures
        var options = options
        options.sources = contents.sources.filter { !found.withoutModels.contains($0) }
        let judge: ValidationControl
        do {
            judge = try ValidationControl(control, sources: options.sources + robots.map(\.path))
        } catch let error as ControlError {
            complain(error.description)
            throw DaeExit.usage
        }
        try OutputGuard.check(
            options.output, sources: options.sources,
            files: judge.files + robots.map(\.path) + (xsd.map { [$0] } ?? []))
        var live = web.applied(to: try options.live())
        live.validates = true
        live.digests = format == .json ? .computed : .known
        live.collada.schema = schema.checking
        if strict { live.collada.repairs = .refused }
        if let xsd {
            do { try live.collada.useXSD(path: xsd) } catch {
                complain("--xsd: \(error.message)")
                throw DaeExit.usage
            }
        }
        let writer = ReportWriter(
            format: format, style: options.run.style,
            width: options.output == nil ? TerminalWidth.standardOutput() : nil, live: live)
        let run = try SourceRun(
            options, live, several: folders.several, unread: unread, others: robots.count)
        let reported = robots.map { ($0, ReportedSource($0, judge.judgement(of: $0.path))) }
        let fails = reported.contains { $1.findings.has(atLeast: $1.failOn) }
        var exit = fails ? DaeExit.findings : .fine
        do {
            try await run.run(format == .text ? .text : .json) { result in
                let source = ReportedSource(result, judge.judgement(of: result.input))
                return await writer.rendering(of: source, result)
            } exit: { result in
                let judgement = judge.judgement(of: result.input)
                let source = ReportedSource(result, judgement)
                return source.findings.has(atLeast: judgement.failOn) ? .findings : .fine
            } end: {
                writer.end(with: reported)
            }
        } catch let error as DaeExit { exit = max(exit, error) }
        if exit != .fine { throw exit }
    }
}

extension ValidateCommand {
    private func validate(at client: AssetServiceClient) async throws {
        let form: ServedReport
        switch format {
        case .json, nil: form = .json
        case .sarif: form = .sarif
        case .md: form = .markdown
        case .text, .junit, .github, .gltfReport:
            throw ValidationError("--format with --server is json, sarif or md.")
        }
        if form != .json, options.sources.count > 1 {
            throw ValidationError("--server gives one report of --format sarif or md for each source; name one.")
        }
        let worst = control.failOn?.severity ?? .error
        try await ServedRun(client: client, sources: options.sources, options: options.run).run(
            isCompact: form == .json && options.isCompact
        ) { client, settled throws(AssetServiceError) in
            let json = ServedJSON(bytes: try await client.report(settled.asset.id))
            let bytes =
                form == .json ? json.named(settled.source).bytes : try await client.report(settled.asset.id, form)
            let names = [
                (Severity.error, "errors"), (.warning, "warnings"), (.info, "infos"), (.hint, "hints"),
            ]
            let isFound = names.contains { $0.0 >= worst && (json.number("findings", $0.1) ?? 0) > 0 }
            return .init(rendering: .bytes(bytes), exit: isFound ? .findings : .fine)
        }
    }
}

enum SchemaChoice: String, ExpressibleByArgument, CaseIterable {
    case strict, lenient, off

    var checking: SchemaChecking {
        switch self {
        case .strict: .strict
        case .lenient: .lenient
        case .off: .off
        }
    }
}

extension SourceRun.Result {
    /// The source as it is shown.
    var input: String {
        switch self {
        case .read(let product): product.inspection.source.input
        case .failed(let failure): failure.source.input
        }
    }
}

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
            judgements[SourceAddress.display(source)] = Judgement(
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
        switch SourceAddress(source, exists: { ControlFile.kind($0) != nil }).location {
        case .path(let path):
            if ControlFile.kind(path) == .folder { return path }
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

extension ReportedSource {
    init(_ robot: DescribedRobot, _ judgement: ValidationControl.Judgement) {
        self.init(
            name: robot.path, container: .document, scene: robot.entry, log: robot.findings, rules: judgement.rules,
            baseline: judgement.baseline?.source(robot.path), failOn: judgement.failOn)
    }

    init(_ result: SourceRun.Result, _ judgement: ValidationControl.Judgement) {
        switch result {
        case .read(let product):
            let inspection = product.inspection
            self.init(
                name: inspection.source.input, container: Container(inspection.source),
                scene: inspection.bundle.scenePath, log: inspection.findings, rules: judgement.rules,
                baseline: judgement.baseline?.source(inspection.source.input), failOn: judgement.failOn,
                statistics: Statistics(inspection))
        case .failed(let failure):
            self.init(
                name: failure.source.input, container: Container(failure.source), scene: failure.place.entry,
                log: failure.findings, rules: judgement.rules,
                baseline: judgement.baseline?.source(failure.source.input), failOn: judgement.failOn,
                failure: failure.finding)
        }
    }
}
