import ArgumentParser
import Daedalus

struct InspectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Say what is in a bundle: its scene, its size, its textures, and how many faults it has.",
        discussion: """
            Prints one screen of text, or with --format json one object whose keys are described by the committed JSON \
            Schema. Several sources give one object a line, in the order given.

            Examples:
              dae inspect model.zip
              dae inspect --full walker.zae
              dae inspect --format json https://example.org/chair.kmz | jq .counts
              cat chair.dae | dae inspect -
            """)

    @OptionGroup var options: SourceOptions
    @OptionGroup(title: "The web") var web: WebOptions

    @Option(help: "The result's form: text or json.")
    var format = OutputFormat.text

    @Flag(help: "Add a table of the geometries, materials, images, controllers, animations and clips.")
    var full = false

    func run() async throws {
        let format = format
        let full = full
        let style = options.output == nil ? Style.standardOutput() : .plain
        let width = options.output == nil ? TerminalWidth.standardOutput() : nil
        try await SourceRun(options, web.applied(to: try options.live())).run(format) { result in
            switch (format, result) {
            case (.json, .read(let product)): .jsonText { product.inspection.jsonText($0) }
            case (.json, .failed(let failure)): .json(failure.json)
            case (.text, .read(let product)):
                .text(
                    InspectionScreen(product.inspection, style: style, width: width).text
                        + (full ? InspectionTables(product.inspection, style: style).text : ""))
            case (.text, .failed): .nothing
            }
        } exit: { _ in
            .fine
        }
    }
}
