import ArgumentParser
import Daedalus

struct TreeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tree",
        abstract: "Draw the scene graph: nodes, their transforms, and what hangs on them.",
        discussion: """
            A node that is instanced several times is drawn once. With --format json the nodes are a flat list whose \
            children are places in it.

            Examples:
              dae tree robot.zae
              dae tree --depth 2 model.zip
            """)

    @OptionGroup var options: SourceOptions

    @Option(help: "The result's form: text or json.")
    var format = OutputFormat.text

    @Option(help: ArgumentHelp("Levels of nodes to draw.", valueName: "n"))
    var depth = Int.max

    mutating func validate() throws {
        if depth < 1 { throw ValidationError("--depth is \(depth); expected 1 or more.") }
    }

    func run() async throws {
        let format = format
        let depth = depth
        let style = options.output == nil ? Style.standardOutput() : .plain
        try await SourceRun(options).run(format) { result in
            switch (format, result) {
            case (.json, .read(let product)):
                .json([
                    "schemaVersion": JSONValue(Inspection.schemaVersion), "source": product.inspection.source.json,
                    "scene": SceneTree(product.scene).json,
                ])
            case (.json, .failed(let failure)): .json(failure.json)
            case (.text, .read(let product)): .text(TreeText(product.scene, depth: depth, style: style).text)
            case (.text, .failed): .nothing
            }
        } exit: { _ in
            .fine
        }
    }
}
