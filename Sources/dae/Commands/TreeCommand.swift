import ArgumentParser
import Daedalus

struct TreeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tree",
        abstract: "Draw the scene graph: nodes, their transforms, and what hangs on them.",
        discussion: """
            A node that is instanced several times is drawn once. With --format json the nodes are a flat list whose \
            children are places in it. Below 64 levels a line tells its level in place of the lines that lead to it. \
            --kinematics draws a robot's links instead, with the joints between them: their \
            axes, limits and values, and the nodes they move.

            Examples:
              dae tree robot.zae
              dae tree --depth 2 model.zip
              dae tree --kinematics robot.zae
            """)

    @OptionGroup var options: SourceOptions
    @Option(help: FolderMeaning.help) var folders = FolderMeaning.auto

    @OptionGroup(title: "A service") var service: ServerOptions

    @Option(help: "The result's form: text (the default) or json; with --server json alone.")
    var format: OutputFormat?

    @Flag(help: "Draw robots: links, joints, and what they move.")
    var kinematics = false

    @Option(help: ArgumentHelp("Levels of nodes, or of links, to draw; all when not given.", valueName: "n"))
    var depth: Int?

    @Flag(help: "Show numbers with all their digits, and each of a node's transforms.")
    var exact = false

    mutating func validate() throws {
        if let depth, depth < 1 { throw ValidationError("--depth is \(depth); expected 1 or more.") }
    }

    func run() async throws {
        if let client = try service.client(options.run, allowing: ["--format", "--jobs", "--jsonl"]) {
            return try await draw(at: client)
        }
        let format = format ?? .text
        let depth = depth ?? .max
        let kinematics = kinematics
        let precision = exact ? TreeText.Precision.exact : .short
        let style = options.run.style
        let (options, unread) = try options.expanded(by: folders)
        try await SourceRun(options, try options.live(), several: folders.several, unread: unread).run(format) {
            result in
            switch (format, result) {
            case (.json, .read(let product)):
                Self.json(product, depth: depth, kinematics: kinematics)
            case (.json, .failed(let failure)): .json(failure.json)
            case (.text, .read(let product)):
                if kinematics {
                    .text(KinematicsText(product.scene, depth: depth, style: style).text)
                } else {
                    .textPieces {
                        TreeText(product.scene, depth: depth, precision: precision, style: style).write(to: $0)
                    }
                }
            case (.text, .failed): .nothing
            }
        } exit: { _ in
            .fine
        }
    }

    private static func json(_ product: AssetProduct, depth: Int, kinematics: Bool) -> SourceRun.Rendering {
        let members = [
            "schemaVersion": JSONValue(Inspection.schemaVersion), "source": product.inspection.source.json,
        ]
        guard !kinematics else {
            return .json(.object(members.merging(["kinematics": KinematicsTree(product.scene).json]) { $1 }))
        }
        return .jsonPieces { SceneTree(product.scene, depth: depth).writeJSON($0, members, as: "scene", to: $1) }
    }

    private func draw(at client: AssetServiceClient) async throws {
        try ServerOptions.check(format)
        try await ServedRun(client: client, sources: options.sources, options: options.run).run(
            isCompact: options.isCompact
        ) { client, settled throws(AssetServiceError) in
            let id = settled.asset.id
            // Of what failed there is no tree, and the same is said as of an inspection.
            let bytes = settled.asset.state.isReady ? try await client.tree(id) : try await client.inspection(id)
            return .init(rendering: .bytes(ServedJSON(bytes: bytes).named(settled.source).bytes))
        }
    }
}
