import ArgumentParser
import Daedalus

struct ConvertCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert",
        abstract: "Write a scene as glTF 2.0, and say what the format could not hold.",
        discussion: """
            The ending of the output says how: .glb for one file, .gltf for a text with a .bin beside it. Units become \
            metres and Y points up; textures are taken along. The file appears when it is whole.

            What was changed on the way is written to standard output, or as JSON with --report to a file. With \
            --lossless nothing is written when anything would be lost, and the exit code is 7.

            Examples:
              dae convert model.zip -o model.glb
              dae convert --lossless robot.zae -o robot.glb
              dae convert chair.dae -o chair.gltf --report chair.json
            """)

    @Argument(
        help: ArgumentHelp("A bundle, a document, or an entry of an archive.", valueName: "source"),
        transform: SourceArgument.text)
    var source: String

    @OptionGroup var options: RunOptions
    @OptionGroup(title: "Where files are looked for") var places: PlaceOptions

    @Flag(help: "Write nothing when anything would be lost.")
    var lossless = false

    @Option(help: ArgumentHelp("Write what was changed to a file, as JSON.", valueName: "file"))
    var report: String?

    @Option(help: ArgumentHelp("Joints of a vertex at most: 4, which every engine reads, or 8.", valueName: "n"))
    var influences = 4

    mutating func validate() throws {
        try options.check(source)
        guard let output = options.output else { throw ValidationError("Name the file to write with --output (-o).") }
        guard Self.container(of: output) != nil else {
            throw ValidationError("--output is \(output); expected a name that ends in .glb or .gltf.")
        }
        if GLTFOptions.Influences(rawValue: influences) == nil {
            throw ValidationError("--influences is \(influences); expected 4 or 8.")
        }
    }

    func run() async throws {
        guard let output = options.output, let container = Self.container(of: output) else { throw DaeExit.usage }
        var gltf = GLTFOptions()
        gltf.container = container
        gltf.influences = GLTFOptions.Influences(rawValue: influences) ?? .four
        gltf.isLossless = lossless
        gltf.generator = "Daedalus \(Dae.version)"
        var options = options
        options.output = nil
        var live = places.applied(to: try options.live())
        live.collada.retention = .everything
        let (settings, report, isQuiet) = (gltf, report, options.quiet)
        try await BundleRun([source], options, live).run(.scene, isCompact: false, format: .text) {
            opened, isCancelled in
            let choice = try opened.choice()
            let result = try opened.inspect(choice, isCancelled: isCancelled)
            let images = try opened.images(of: result, choice)
            let fidelity = try GLTFExport.write(
                result.scene, to: output, images: images, options: settings, isCancelled: isCancelled)
            if let report { try Self.write(fidelity, to: report) }
            return .init(rendering: isQuiet ? .nothing : .text(FidelityText(fidelity, output: output).text))
        }
    }

    private static func container(of output: String) -> GLTFOptions.Container? {
        let name = output.lowercased()
        if name.hasSuffix(".glb") { return .binary }
        return name.hasSuffix(".gltf") ? .text : nil
    }

    private static func write(_ fidelity: FidelityReport, to path: String) throws(DaeExit) {
        let stream = try OutputStream(path: path)
        try stream.write(fidelity.json.text(.indented) + [UInt8(ascii: "\n")])
        try stream.finish()
    }
}
