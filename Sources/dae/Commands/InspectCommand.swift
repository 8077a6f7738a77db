import ArgumentParser
import Daedalus

struct InspectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Say what is in a bundle: its scene, its size, its textures, and how many faults it has.",
        discussion: """
            Prints one screen of text, or with --format json one object whose keys are described by the committed JSON \
            Schema. Several sources give one object a line, in the order given, and so does each model of a folder or an \
            archive in which no manifest.xml or doc.kml names one (see --folders).

            Examples:
              dae inspect model.zip
              dae inspect --full walker.zae
              dae inspect --format json https://example.org/chair.kmz | jq .counts
              cat chair.dae | dae inspect -
            """)

    @OptionGroup var options: SourceOptions
    @Option(help: FolderMeaning.help) var folders = FolderMeaning.auto
    @OptionGroup(title: "The web") var web: WebOptions

    @OptionGroup(title: "A service") var service: ServerOptions

    @Option(help: "The result's form: text (the default) or json; with --server json alone.")
    var format: OutputFormat?

    @Flag(
        help:
            "Add the SHA-256, and a table of the geometries, materials, images, controllers, animations and clips.")
    var full = false

    @Flag(help: "Show a picture of the scene above the text, on a terminal that can.")
    var picture = false

    @Option(
        help: ArgumentHelp(
            "How the terminal takes pictures, where it does not say so itself: kitty, iterm2 or sixel.",
            valueName: "protocol"))
    var pictureProtocol: TerminalProtocol?

    mutating func validate() throws {
        guard picture || pictureProtocol != nil else { return }
        if format == .json { throw ValidationError("--picture is for text; expected no --format json.") }
    }

    func run() async throws {
        if let client = try service.client(options.run, allowing: ["--format", "--jobs", "--jsonl"]) {
            return try await inspect(at: client)
        }
        let format = format ?? .text
        let full = full
        let style = options.run.style
        let width = options.output == nil ? TerminalWidth.standardOutput() : nil
        let (options, unread) = try options.expanded(by: folders)
        var live = web.applied(to: try options.live())
        // A screen without tables has no place for it.
        live.digests = format == .json || full ? .computed : .known
        let shown = shownProtocol
        if shown != nil {
            live.collada.retention = .everything
            live.keepsFiles = true
        }
        try await SourceRun(options, live, several: folders.several, unread: unread).run(format) { result in
            switch (format, result) {
            case (.json, .read(let product)): .jsonPieces { product.inspection.writeJSON($0, to: $1) }
            case (.json, .failed(let failure)): .json(failure.json)
            case (.text, .read(let product)):
                .text(
                    await Self.drawing(of: product, as: shown)
                        + InspectionScreen(product.inspection, style: style, width: width).text
                        + (full ? InspectionTables(product.inspection, style: style).text : ""))
            case (.text, .failed): .nothing
            }
        } exit: { _ in
            .fine
        }
    }

    /// `nil` where no picture is wanted, or none can be shown.
    private var shownProtocol: TerminalProtocol? {
        if let pictureProtocol { return pictureProtocol }
        guard picture else { return nil }
        let known = options.output == nil ? TerminalProtocol.ofStandardOutput() : nil
        if known == nil, !options.quiet {
            complain(
                "no picture: standard output is no terminal that says that it shows them; --picture-protocol names one")
        }
        return known
    }

    /// Pixels of a side of what is shown in a terminal.
    private static let side = 320

    /// Nothing where it cannot be drawn.
    private static func drawing(of model: Model, as shown: TerminalProtocol?) async -> String {
        guard let shown else { return "" }
        do { return try shown.text(of: try await model.picture(width: side, height: side, camera: "fit")) } catch {
            complain("no picture: \(error)")
            return ""
        }
    }

    private func inspect(at client: AssetServiceClient) async throws {
        try ServerOptions.check(format)
        try await ServedRun(client: client, sources: options.sources, options: options.run).run(
            isCompact: options.isCompact
        ) { client, settled throws(AssetServiceError) in
            let said = ServedJSON(bytes: try await client.inspectionJSON(settled.asset.id))
            return .init(rendering: .bytes(said.named(settled.source).bytes))
        }
    }
}
