import ArgumentParser
import DaeCore
import Daedalus
import Synchronization

struct ConvertCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert",
        abstract: "Write a scene as glTF 2.0, and say what the format could not hold.",
        discussion: """
            The ending of the output says how: .glb for one file, .gltf for a text with a .bin beside it. Units become \
            metres and Y points up, by one node above all (--units and --up leave that be); textures are taken along. \
            The file appears when it is whole.

            --time writes the pose at one moment, and no animation: skins stay, and whoever loads the file can move \
            them. --fps bounds how many keys a second are added where a curve has to be sampled.

            What was changed on the way is written to standard output, or as JSON with --report to a file. With \
            --lossless nothing but the report is written when anything would be lost, and the exit code is 7; with \
            --protect only where it is of the classes named: a scene that is lit by COLLADA's own models loses something \
            of its materials on the way, and rarely more.

            Examples:
              dae convert model.zip -o model.glb
              dae convert --protect geometry,node,animation robot.zae -o robot.glb
              dae convert chair.dae -o chair.gltf --report chair.json
              dae convert walk.dae -o pose.glb --time 1.5
            """)

    @Argument(
        help: ArgumentHelp("A bundle, a document, or an entry of an archive.", valueName: "source"),
        transform: SourceArgument.text)
    var source: String

    @OptionGroup var options: RunOptions
    @OptionGroup(title: "Where files are looked for") var places: PlaceOptions

    @OptionGroup(title: "The web") var web: WebOptions

    @OptionGroup(title: "A service") var service: ServerOptions

    @Flag(help: "Write nothing when anything would be lost.")
    var lossless = false

    @Option(
        help: ArgumentHelp(
            "Write nothing when anything of these classes would be lost, parted by commas: geometry, node, animation, material, image, light, camera, metadata.",
            valueName: "classes"))
    var protect: [String] = []

    @Flag(help: "Replace files that are there.")
    var force = false

    @Option(help: ArgumentHelp("Write what was changed to a file, as JSON.", valueName: "file"))
    var report: String?

    @Option(help: ArgumentHelp("Joints of a vertex at most: 4, which every engine reads, or 8.", valueName: "n"))
    var influences = 4

    @Option(
        help: ArgumentHelp(
            "The visual scene to write, by its name or id; the one that the document instances when not given.",
            valueName: "name"))
    var scene: String?

    @Option(
        help: ArgumentHelp(
            "Write the pose at this moment, and no animation; one before 0 as --time=-5.", valueName: "seconds"))
    var time: Double?

    @Option(
        help: ArgumentHelp("Keys a second that are added at most where curves are sampled: 1 to 1000.", valueName: "n"))
    var fps: Double?

    @Option(help: ArgumentHelp("meters, as glTF wants it, or keep.", valueName: "unit"))
    var units = "meters"

    @Option(help: ArgumentHelp("The axis that points up: Y, as glTF wants it, Z or keep.", valueName: "axis"))
    var up = "Y"

    @Flag(
        name: .customLong("keep-invisible"),
        help: "Write what by the letter cannot be seen at all with an opacity of 0; without it, it is opaque.")
    var keepsInvisible = false

    @Option(
        help: ArgumentHelp(
            "Write numbers of few bits: quantized, which many loaders read, or meshopt, which is compressed and needs a decoder.",
            valueName: "way"))
    var compact: String?

    mutating func validate() throws {
        try options.check(source)
        guard let output = options.output else { throw ValidationError("Name the file to write with --output (-o).") }
        guard let format = ExportFormat(path: output) else {
            throw ValidationError("--output is \(output); expected a name that ends in .glb or .gltf.")
        }
        if let report, Self.places(of: output).contains(OutputStream.place(of: report)) {
            throw ValidationError("--report is \(report), which --output writes; expected a file of its own.")
        }
        _ = try protectedClasses()
        if ExportOptions.Influences(rawValue: influences) == nil {
            throw ValidationError("--influences is \(influences); expected 4 or 8.")
        }
        if let scene, scene.isEmpty { throw ValidationError("--scene is empty; expected the name or id of a scene.") }
        if let time, !time.isFinite { throw ValidationError("--time is \(time); expected a number of seconds.") }
        if let fps, !(1...1000).contains(fps) { throw ValidationError("--fps is \(fps); expected 1 to 1000.") }
        if Self.unit(named: units) == nil { throw ValidationError("--units is \(units); expected meters or keep.") }
        if let compact, Self.compaction(named: compact) == nil {
            throw ValidationError("--compact is \(compact.withoutControls); expected quantized or meshopt.")
        }
        if compact != nil, !format.canBeCompact {
            throw ValidationError("--compact is of .glb and .gltf; --output is \(output).")
        }
        if Self.upAxis(named: up) == nil { throw ValidationError("--up is \(up); expected Y, Z or keep.") }
    }

    private static func compaction(named name: String) -> ExportOptions.Compaction? {
        switch name.lowercased() {
        case "quantized": .quantized
        case "meshopt": .meshopt
        default: nil
        }
    }

    private func protectedClasses() throws -> Set<FidelityClass> {
        if lossless { return Set(FidelityClass.allCases) }
        let names = protect.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
        return Set(
            try names.map { name in
                if let known = FidelityClass(rawValue: name.lowercased()) { return known }
                let all = FidelityClass.allCases.map(\.rawValue).joined(separator: ", ")
                throw ValidationError("--protect: unknown class \(name.withoutControls); expected one of \(all).")
            })
    }

    private static func unit(named name: String) -> ExportOptions.Units? {
        switch name.lowercased() {
        case "meters", "metres": .meters
        case "keep": .kept
        default: nil
        }
    }

    private static func upAxis(named name: String) -> ExportOptions.UpAxis? {
        switch name.lowercased() {
        case "y": .y
        case "z": .z
        case "keep": .kept
        default: nil
        }
    }

    func run() async throws {
        guard let output = options.output, let format = ExportFormat(path: output) else { throw DaeExit.usage }
        try OutputGuard.check(output, sources: [source])
        try OutputGuard.check(report, option: "--report", sources: [source])
        try refuseWhatIsThere(output)
        // A link stays one: what it leads to is replaced.
        let target = OutputStream.target(of: output)
        if let client = try service.client(options, allowing: ["--force"]) {
            guard format == .glb else {
                throw ValidationError("--output is \(output); with --server expected a name that ends in .glb.")
            }
            return try await convert(at: client, to: target)
        }
        if let report { try OutputStream.check(report) }
        var settings = ExportOptions()
        settings.influences = ExportOptions.Influences(rawValue: influences) ?? .four
        settings.protected = try protectedClasses()
        settings.units = Self.unit(named: units) ?? .meters
        settings.upAxis = Self.upAxis(named: up) ?? .y
        settings.time = time
        settings.compaction = compact.flatMap(Self.compaction) ?? .none
        settings.samplingRate = fps
        settings.invisibleSurfaces = keepsInvisible ? .asWritten : .opaque
        settings.generator = "Daedalus \(Dae.version)"
        var options = options
        options.output = nil
        var live = web.applied(to: places.applied(to: try options.live()))
        live.digests = .known
        live.collada.retention = .everything
        // A pose is of all curves at once.
        live.collada.arrays = time == nil ? .archive : .memory
        live.collada.visualScene = scene
        var conversion = AssetOperations.Conversion { _ in (target, format) }
        conversion.options = settings
        conversion.limits.output = options.maxOutput
        live.conversion = conversion
        let outcome = Mutex(Outcome())
        let (report, isQuiet, style) = (report, options.quiet, options.style)
        try await SourceRun([source], options, live, several: .refused).run(.text) { pipeline, asset, progress in
            progress?.show("writing \(output)")
            do {
                let fidelity = try await pipeline.coordinator(of: asset).convert()
                outcome.withLock { $0.fidelity = fidelity }
                if let report, let fidelity { try Self.write(fidelity, to: report) }
            } catch let exit as DaeExit {
                outcome.withLock { $0 = Outcome(exit: exit) }
            } catch let error as SceneExportError {
                var exit = error.code == .ioError ? DaeExit.cannotWrite : .fine
                // What would be lost is what somebody wants to know then.
                if let report, let lost = error.report {
                    do throws(DaeExit) { try Self.write(lost, to: report) } catch { exit = error }
                }
                outcome.withLock { [exit] in $0.exit = exit }
                throw error
            }
        } render: { _ in
            guard !isQuiet, let fidelity = outcome.withLock({ $0.fidelity }) else { return .nothing }
            return .text(FidelityText(fidelity, output: output, style: style).text)
        } exit: { _ in
            outcome.withLock { $0.exit }
        }
    }

    /// What came of the conversion.
    private struct Outcome {
        var fidelity: FidelityReport?
        var exit = DaeExit.fine
    }

    private func convert(at client: AssetServiceClient, to output: String) async throws {
        var options = options
        options.output = nil
        try await ServedRun(client: client, sources: [source], options: options).run {
            client, settled throws(AssetServiceError) in
            if settled.asset.state.isReady { try await client.model(settled.asset.id, to: output) }
            return .init(rendering: .nothing)
        }
    }

    /// Nothing that somebody has made is replaced unasked.
    private func refuseWhatIsThere(_ output: String) throws(DaeExit) {
        for path in Self.files(of: output) + [report].compactMap(\.self) where path != "-" {
            guard let kind = ControlFile.kind(path) else { continue }
            if kind == .folder {
                complain("\(path): a folder is there")
            } else {
                // Into a pipe or a device a report is written.
                if force || path == report && kind != .file { continue }
                complain("\(path): a file is there; --force replaces it")
            }
            throw .cannotWrite
        }
    }

    private static func files(of output: String) -> [String] {
        ExportFormat(path: output)?.files(of: output) ?? [output]
    }

    /// Where the files of an output are.
    private static func places(of output: String) -> [String] { files(of: output).map(OutputStream.place) }

    private static func write(_ fidelity: FidelityReport, to path: String) throws(DaeExit) {
        let stream = try OutputStream(path: path)
        try stream.write(fidelity.json.text(.indented) + [UInt8(ascii: "\n")])
        try stream.finish()
    }
}

/// What a conversion wrote and what it changed, for people: losses first.
private struct FidelityText {
    let text: String

    init(_ report: FidelityReport, output: String, style: Style) {
        let losses = report.losses
        let sum = Self.sum(of: report.contents) + (losses.isEmpty ? ["nothing was lost"] : [])
        var lines = ["\(output.withoutControls)   " + sum.joined(separator: style.marks(" · "))]
        let others = report.entries.filter { !$0.change.isLoss }
        for entry in losses + others {
            let places = entry.places.prefix(3).map(\.withoutControls).joined(separator: ", ")
            let more = entry.places.count > 3 ? style.marks(", …") : ""
            let deviation = entry.deviation.flatMap { deviation in
                entry.subject.measure.map { ", at most \(Self.amount(deviation, of: $0))" }
            }
            lines.append(
                "  \(entry.change.rawValue.padded(to: 13))\(entry.count)" + style.marks(" × ")
                    + entry.subject.title(of: entry.change) + (deviation ?? "")
                    + (places.isEmpty ? "" : ": \(places)\(more)"))
        }
        text = lines.joined(separator: "\n") + "\n"
    }

    /// Such as `24 kB`, `5 nodes`, `1 mesh in 2 draw calls`, `2 materials`.
    private static func sum(of contents: FidelityReport.Contents) -> [String] {
        let calls = Figures.count(contents.primitives, "draw call")
        let count = Figures.count(contents.meshes, "mesh", "meshes")
        let meshes = contents.meshes == 0 ? "no mesh" : "\(count) in \(calls)"
        let others = [
            (contents.materials, "material"), (contents.images, "image"), (contents.skins, "skin"),
            (contents.animations, "animation"), (contents.cameras, "camera"), (contents.lights, "light"),
        ]
        return
            [Figures.bytes(Int64(contents.bytes)), Figures.count(contents.nodes, "node"), meshes]
            + others.filter { $0.0 > 0 }.map { Figures.count($0.0, $0.1) }
    }

    /// Such as `0.002 % of the scene's size`, or `1.0 s`.
    private static func amount(_ deviation: Double, of measure: String) -> String {
        switch measure {
        case "seconds": "\((deviation * 1000).rounded() / 1000) s"
        case "degrees": "\((deviation * 1000).rounded(.up) / 1000)°"
        default: "\(share(deviation)) \(measure)"
        }
    }

    /// Such as `0.002 %`.
    private static func share(_ value: Double) -> String {
        let percent = value * 100
        return percent < 0.001 ? "0.001 %" : "\((percent * 1000).rounded(.up) / 1000) %"
    }
}
