import ArgumentParser
import Daedalus

struct ResolveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resolve",
        abstract: "Say where each texture of a scene was found, by which rule, and what else was tried.",
        discussion: """
            With a reference, only that one is followed, as if it stood in the scene. Exits with 1 when something is \
            missing, blocked or could be several files, or with --fetch could not be fetched.

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

    mutating func validate() throws { try RunOptions.check(source) }

    func run() async throws {
        let (format, missing, reference) = (format, missing, reference)
        let style = options.output == nil ? Style.standardOutput() : .plain
        let live = web.applied(to: places.applied(to: try options.live()))
        try await BundleRun([source], options, live).run(.scene, isCompact: false, format: format) {
            opened, isCancelled in
            let choice = try opened.choice()
            let resolutions: [Resolution]
            if let reference {
                resolutions = [
                    try opened.resolve(reference, from: choice.entry.path, isCancelled: isCancelled)
                ]
            } else {
                resolutions = try opened.inspect(choice, isCancelled: isCancelled).resolutions
            }
            let traces = ResolutionList(
                opened, choice, resolutions, shows: missing ? .failures : .all, style: style)
            return .init(
                rendering: format == .json ? .json(traces.json) : .text(traces.text),
                exit: resolutions.contains(where: \.isFailure) ? .findings : .fine)
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
