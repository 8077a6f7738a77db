import ArgumentParser
import Daedalus

struct ResolveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resolve",
        abstract:
            "Say where each texture and further document of a scene was found, by which rule, and what was tried.",
        discussion: """
            With a reference, only that one is followed, as if it stood in the scene. Exits with 1 when something is \
            missing, blocked or could be several files, or with --fetch could not be fetched.

            Behind a file that was found stands how, then in brackets the rule's name as JSON has it, and how sure it is.

            Examples:
              dae resolve model.zip
              dae resolve --missing robot/meshes/base.dae
              dae resolve model.kmz '../images/Wood%20Dark.JPG'
            """)

    @Argument(
        help: ArgumentHelp("A bundle, a document, or an entry of an archive.", valueName: "source"),
        transform: SourceArgument.text)
    var source: String

    @Argument(help: ArgumentHelp("A reference as a document may write it.", valueName: "reference"))
    var reference: String?

    @OptionGroup var options: RunOptions
    @OptionGroup(title: "Where files are looked for") var places: PlaceOptions
    @OptionGroup(title: "The web") var web: WebOptions

    @Option(help: "The result's form: text or json.")
    var format = OutputFormat.text

    @Flag(help: "Only what was not found.")
    var missing = false

    mutating func validate() throws { try options.check(source) }

    func run() async throws {
        let (format, missing, reference) = (format, missing, reference)
        let style = options.style
        let live = web.applied(to: places.applied(to: try options.live()))
        try await BundleRun([source], options, live).run(.scene, isCompact: false, format: format) {
            opened, isCancelled in
            let choice = try opened.choice()
            let references: [FollowedReference]
            if let reference {
                let base = choice.entry.path
                let resolution = try opened.resolve(reference, from: base, isCancelled: isCancelled)
                references = [FollowedReference(kind: .image, base: base, resolution: resolution)]
            } else {
                let result = try opened.inspect(choice, isCancelled: isCancelled)
                references = result.references
                Self.tellLink(result.inspection)
            }
            let traces = ResolutionList(
                opened, choice, references, shows: missing ? .failures : .all, style: style)
            return .init(
                rendering: format == .json ? .json(traces.json) : .text(traces.text),
                exit: references.contains(where: \.resolution.isFailure) ? .findings : .fine)
        }
    }

    /// Says that the places looked at are not those around the path that was given.
    private static func tellLink(_ inspection: Inspection) {
        for finding in inspection.findings.findings where finding.code == .resourceDocumentLink {
            complain("\(finding.message) [\(finding.code.rawValue)]")
        }
    }
}

extension Resolution {
    /// Whether it leads to no file where it should.
    var isFailure: Bool {
        switch outcome {
        case .missing, .blocked, .ambiguous, .unfetched: true
        case .found, .outside, .fetched, .embedded, .remote: false
        }
    }
}
