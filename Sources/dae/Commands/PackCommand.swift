import ArgumentParser
import DaeCore
import Daedalus

struct PackCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pack",
        abstract: "Put a scene and all that it uses into one clean archive.",
        discussion: """
            The documents and images that the scene uses are taken along, those that lie elsewhere too, under plain names; \
            what names them in a document is exchanged, and nothing else of it. What nothing uses stays behind. The ending \
            of the output says what the archive is: .zae has a manifest.xml, .kmz a doc.kml, .zip neither where it needs \
            none. The same scene gives the same bytes.

            What became of each file is written to standard output. What is named and was not found stays as it is \
            written, and the exit code is 1.

            Examples:
              dae pack model.dae -o model.zae
              dae pack downloads/old-bundle.zip -o clean.zip --format json
            """)

    @Argument(
        help: ArgumentHelp("A bundle, a document, or an entry of an archive.", valueName: "source"),
        transform: SourceArgument.text)
    var source: String

    @OptionGroup var options: RunOptions
    @OptionGroup(title: "Where files are looked for") var places: PlaceOptions

    @Flag(help: "Replace a file that is there.")
    var force = false

    @Option(help: "The account's form: text (the default) or json.")
    var format = OutputFormat.text

    mutating func validate() throws {
        try options.check(source)
        guard let output = options.output else {
            throw ValidationError("Name the archive to write with --output (-o).")
        }
        guard Packer.Form(path: output) != nil else {
            let known = Packer.Form.allCases.map { "." + $0.rawValue }.joined(separator: ", ")
            throw ValidationError(
                "--output is \(output.withoutControls); expected a name that ends in one of \(known).")
        }
    }

    func run() async throws {
        guard let output = options.output, let form = Packer.Form(path: output) else { throw DaeExit.usage }
        try OutputGuard.check(output, sources: [source])
        if let kind = ControlFile.kind(output), kind == .folder || !force {
            complain("\(output): \(kind == .folder ? "a folder is there" : "a file is there; --force replaces it")")
            throw DaeExit.cannotWrite
        }
        try OutputStream.check(output)
        // A link stays one: what it leads to is replaced.
        let target = OutputStream.target(of: output)
        var options = options
        options.output = nil
        var live = places.applied(to: try options.live())
        live.several = .refused
        let (format, style, isQuiet) = (format, options.style, options.quiet)
        try await BundleRun([source], options, live).run(.scene, isCompact: false, format: format) {
            opened, isCancelled in
            let report: Packer.Report
            do { report = try Packer(opened, as: form).write(to: target, isCancelled: isCancelled) } catch let failure
                as CodedFailure where failure.code == .ioError
            {
                complain("\(failure)")
                throw DaeExit.cannotWrite
            }
            var outcome = BundleRun.Outcome(rendering: .nothing)
            switch format {
            case .json: outcome.rendering = .json(report.json)
            case .text where isQuiet: break
            case .text: outcome.rendering = .text(PackText(report, output: output, style: style).text)
            }
            if !report.absences.isEmpty { outcome.exit = .findings }
            return outcome
        }
    }
}

/// What is in an archive that was made, for people.
private struct PackText {
    let text: String

    /// Lines of one kind at most: a folder may hold very many files that nothing uses.
    private static let most = 20

    init(_ report: Packer.Report, output: String, style: Style) {
        let arrow = style.marks(" → ")
        var lines = [
            "\(output.withoutControls)   \(Figures.bytes(report.bytes))\(style.marks(" · "))\(Figures.count(report.files.count, "file"))"
        ]
        func add(_ title: String, _ rows: [String]) {
            lines += rows.prefix(Self.most).map { "  " + title.padded(to: 12) + $0.withoutControls }
            if rows.count > Self.most {
                lines.append("  " + title.padded(to: 12) + "and \(rows.count - Self.most) more")
            }
        }
        add(
            "rewritten",
            report.rewritings.map { rewriting in
                let rule = rewriting.rule.map { "   (\($0.title))" } ?? ""
                return "\(rewriting.from)\(arrow)\(rewriting.to)\(rule)"
            })
        add("not found", report.absences.map { "\($0.reference)   (\($0.status.rawValue))" })
        add("left out", report.unused)
        text = lines.joined(separator: "\n") + "\n"
    }
}
