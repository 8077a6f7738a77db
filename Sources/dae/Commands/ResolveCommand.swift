import ArgumentParser
import DaeCore
import Daedalus

struct ResolveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resolve",
        abstract:
            "Say where each texture and further document of a scene was found, by which rule, and what was tried.",
        discussion: """
            With a reference, only that one is followed, as if it stood in the scene. Exits with 1 when something is \
            missing, blocked or could be several files, or with --fetch could not be fetched.

            Of a folder or an archive of several models, of which no manifest names one, each is looked at (see --folders).

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
    @Option(help: FolderMeaning.help) var folders = FolderMeaning.auto
    @OptionGroup(title: "The web") var web: WebOptions

    @Option(help: "The result's form: text or json.")
    var format = OutputFormat.text

    @Flag(help: "Only what was not found.")
    var missing = false

    mutating func validate() throws { try options.check(source) }

    func run() async throws {
        let (format, missing, reference) = (format, missing, reference)
        let style = options.style
        var live = web.applied(to: places.applied(to: try options.live()))
        live.several = folders.several
        let contents = try folders.contents(of: [source], places)
        for failure in contents.failures { complain(SourceRun.text(of: failure)) }
        let isOne = contents.sources.count == 1
        try await BundleRun(contents.sources, options, live).run(.scene, isCompact: !isOne, format: format) {
            opened, isCancelled in
            var outcome = BundleRun.Outcome(rendering: .nothing)
            var values: [JSONValue] = []
            var texts: [String] = []
            try opened.each { input, model in
                do {
                    let opened = try model.get()
                    let choice = try opened.choice()
                    let references = try Self.references(reference, of: opened, choice, isCancelled)
                    let list = ResolutionList(
                        opened, choice, references, shows: missing ? .failures : .all, style: style)
                    values.append(list.json)
                    texts.append(list.text)
                    if references.contains(where: \.resolution.isFailure) {
                        outcome.exit = max(outcome.exit, .findings)
                    }
                } catch {
                    guard opened.isSeveral, !(error is CancellationError) else { throw error }
                    // The others are looked at all the same.
                    let failed = BundleRun.outcome(of: error, input, format)
                    if case .json(let value) = failed.rendering { values.append(value) }
                    if let complaint = failed.complaint { complain(complaint) }
                    outcome.exit = max(outcome.exit, failed.exit)
                }
            }
            switch format {
            case .json: outcome.rendering = values.count == 1 ? .json(values[0]) : .jsonLines(values)
            case .text: outcome.rendering = .text(texts.joined(separator: "\n"))
            }
            return outcome
        }
        if !contents.failures.isEmpty { throw DaeExit.notFound }
    }

    private static func references(
        _ reference: String?, of opened: LiveBundle, _ choice: SceneChoice, _ isCancelled: () -> Bool
    ) throws -> [FollowedReference] {
        if let reference {
            let base = choice.entry.path
            let resolution = try opened.resolve(reference, from: base, isCancelled: isCancelled)
            return [FollowedReference(kind: .image, base: base, resolution: resolution)]
        }
        let result = try opened.inspect(choice, isCancelled: isCancelled)
        tellLink(result.inspection)
        return result.references
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

/// How the references of a scene were followed.
private struct ResolutionList {
    enum Selection {
        case all, failures
    }

    private let opened: LiveBundle
    private let choice: SceneChoice
    private let references: [FollowedReference]
    private let shown: [FollowedReference]
    private let style: Style

    init(
        _ opened: LiveBundle, _ choice: SceneChoice, _ references: [FollowedReference], shows: Selection, style: Style
    ) {
        self.opened = opened
        self.choice = choice
        self.references = references
        switch shows {
        case .all: shown = references
        case .failures: shown = references.filter(\.resolution.isFailure)
        }
        self.style = style
    }

    var text: String {
        let name = style(.bold, opened.file.input.withoutControls)
        let failures = references.count(where: \.resolution.isFailure)
        let sum =
            references.isEmpty
            ? "no references"
            : "\(Figures.count(references.count, "reference")), "
                + (failures == 0 ? "none missing" : style(.red, "\(failures) missing"))
        return shown.map(block).joined() + "\(name): \(sum)\n"
    }

    private func block(_ reference: FollowedReference) -> String {
        let resolution = reference.resolution
        let lines = resolution.description.split(separator: "\n", maxSplits: 1)
        let head = label(of: reference) + (lines.first.map(String.init) ?? "")
        let rest = lines.dropFirst().map { "\n" + style(.dim, String($0)) }.joined()
        let isForeign = reference.base != choice.entry.path
        let base = isForeign ? "\n" + style(.dim, "  named in \(reference.base.withoutControls)") : ""
        return (resolution.isFailure ? style(.red, head) : head) + base + rest + "\n"
    }

    /// What stands before the reference as written.
    private func label(of reference: FollowedReference) -> String {
        switch reference.kind {
        case .document: "document "
        case .image where reference.resolution.reference.isEmpty:
            "image \((reference.id ?? reference.name ?? "without an id").withoutControls), which names no file"
        case .image: ""
        }
    }

    var json: JSONValue {
        [
            "schemaVersion": JSONValue(Inspection.schemaVersion),
            "source": opened.source.json, "scene": .string(choice.entry.path), "references": .array(shown.map(\.json)),
        ]
    }
}
