import ArgumentParser
import DaeCore
import Daedalus
import Synchronization

struct ConvertCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert",
        abstract: "Write scenes as glTF 2.0, USDZ, OBJ, STL or PLY, and say what the format could not hold.",
        discussion: """
            The ending of the output, or --to, says how: .glb for one file, .gltf for a text with its numbers (.bin) and \
            textures beside it, .usdz for the viewers of Apple's devices, .obj with its materials (.mtl) and textures beside it, .stl for triangles alone, .ply for \
            one mesh with normals, colours and texture coordinates. The last three have no nodes: each mesh is written \
            where it stands, in its pose at rest or at --time. Without an output a .glb of the source's name is written \
            in the present folder; -o - is standard output, for formats of one file.

            Units become metres and Y points up (--units and --up leave that be). Files appear when they are whole, all \
            of a model or none, and replace others only with --force.

            With -o FOLDER/, also several sources, folders and archives of several models are written, each below it by \
            its own name, those of folders and archives by their paths in them. One that fails stops no other. --update \
            skips sources whose bytes, images and options are those of the last time, as .dae-convert.json in that folder \
            has them; whatever else it names there is replaced.

            --time writes the pose at one moment, and no animation; in glTF skins stay. --fps bounds how many keys a \
            second are added where a curve has to be sampled.

            A robot's .urdf, .sdf or .xacro stands for the models that it names, each with the scale that it gives. \
            --scale-from-urdf asks the descriptions in the package of any mesh; two that give it different scales are \
            an error.

            What was changed on the way is written to standard output, or as JSON with --report to a file. With \
            --lossless nothing but the report is written when anything would be lost, and the exit code is 7; with \
            --protect only where it is of the classes named: a scene that is lit by COLLADA's own models loses something \
            of its materials on the way, and rarely more.

            Examples:
              dae convert model.zip model.glb
              dae convert --protect geometry,node,animation robot.zae -o robot.glb
              dae convert chair.dae chair.obj --report chair.json
              dae convert --to stl robot.zae -o - | slicer
              dae convert downloads/ -o models/ --update --jobs 4
              dae convert robot/urdf/robot.urdf -o models/
            """)

    @Argument(
        help: ArgumentHelp(
            "A bundle, a document, or an entry of an archive; several with -o FOLDER/. The last may be the output, by its ending.",
            valueName: "source"),
        transform: SourceArgument.text)
    var arguments: [String]

    @OptionGroup var options: RunOptions
    @OptionGroup(title: "Where files are looked for") var places: PlaceOptions

    @OptionGroup(title: "The web") var web: WebOptions

    @OptionGroup(title: "A service") var service: ServerOptions

    @Option(
        help: ArgumentHelp(
            "The format, where the output's name does not say it: \(ExportFormat.names).", valueName: "format"))
    var to: String?

    @Option(help: ArgumentHelp("How many sources to work on at once.", valueName: "n"))
    var jobs = 2

    @Option(help: FolderMeaning.help) var folders = FolderMeaning.auto

    @Flag(help: "With -o FOLDER/, skip sources that are as they were the last time.")
    var update = false

    @Flag(
        name: .customLong("scale-from-urdf"),
        help: "Apply the scale that the .urdf, .sdf and .xacro files of a mesh's package give it.")
    var scalesFromURDF = false

    @Flag(help: "Write nothing when anything would be lost.")
    var lossless = false

    @Option(
        help: ArgumentHelp(
            "Write nothing when anything of these classes would be lost, parted by commas: geometry, node, animation, material, image, light, camera, metadata.",
            valueName: "classes"))
    var protect: [String] = []

    @Flag(help: "Replace files that are there.")
    var force = false

    @Option(
        help: ArgumentHelp(
            "Write what was changed to a file, as JSON; one line a model with -o FOLDER/.", valueName: "file"))
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

    @Option(
        name: .customLong("texture-size"),
        help: ArgumentHelp("Pixels of a texture's side at most; larger ones are made smaller.", valueName: "n"))
    var textureSize: Int?

    @Option(
        help: ArgumentHelp(
            "What textures are written as: kept, webp, which is of glTF alone, or jpeg, which those without alpha become.",
            valueName: "kind"))
    var textures = "kept"

    @Option(
        help: ArgumentHelp(
            "For whom a .usdz is: quicklook, which refuses lights, or usd, for all else that reads USD.",
            valueName: "who"))
    var profile = "quicklook"

    mutating func validate() throws {
        if arguments.isEmpty { throw ValidationError("Name at least one source.") }
        let conversion = try conversion()
        for source in conversion.sources { try options.check(source) }
        if !(1...256).contains(jobs) { throw ValidationError("--jobs is \(jobs); expected 1 to 256.") }
        switch conversion.target {
        case .file(let output, let format):
            if let report, format.files(of: output).map(OutputStream.place).contains(OutputStream.place(of: report)) {
                throw ValidationError("--report is \(report), which --output writes; expected a file of its own.")
            }
        case .standardOutput:
            if report == "-" { throw ValidationError("--report is -, which --output is, too; expected a file.") }
        case .folder: break
        }
        if update, !conversion.target.isFolder {
            throw ValidationError("--update is for several models; expected --output FOLDER/.")
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
        let format = conversion.target.format
        if compact != nil, !format.isGLTF {
            throw ValidationError("--compact is of .glb and .gltf; the output is a .\(format.ending).")
        }
        try checkTextures(of: format)
        guard let profile = ExportOptions.USDProfile(rawValue: profile.lowercased()) else {
            throw ValidationError("--profile is \(profile.withoutControls); expected quicklook or usd.")
        }
        if profile != .quickLook, format.ending != "usdz" {
            throw ValidationError("--profile is of .usdz; the output is a .\(format.ending).")
        }
        if Self.upAxis(named: up) == nil { throw ValidationError("--up is \(up); expected Y, Z or keep.") }
    }

    private func checkTextures(of format: ExportFormat) throws {
        if let textureSize, !(1...16_384).contains(textureSize) {
            throw ValidationError("--texture-size is \(textureSize); expected 1 to 16384 pixels.")
        }
        guard let encoding = ExportOptions.TextureEncoding(rawValue: textures.lowercased()) else {
            throw ValidationError("--textures is \(textures.withoutControls); expected kept, webp or jpeg.")
        }
        if encoding == .webp, !format.isGLTF {
            throw ValidationError("--textures webp is of .glb and .gltf; the output is a .\(format.ending).")
        }
        if textureSize != nil || encoding != .kept, !format.hasTextures {
            throw ValidationError("A .\(format.ending) has no textures; expected no --textures and --texture-size.")
        }
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

    private func conversion() throws -> (sources: [String], target: ConvertTarget) {
        try ConvertTarget.of(arguments, output: options.output, to: to)
    }

    func run() async throws {
        let (sources, target) = try conversion()
        try OutputGuard.check(report, option: "--report", sources: sources)
        var options = options
        options.output = nil
        if let client = try service.client(options, allowing: ["--force", "--to", "--compact"]) {
            guard case .file(let output, let format) = target, let served = ServedModel(rawValue: format.ending)
            else {
                let known = ServedModel.allCases.map(\.rawValue).filter { ExportFormat(ending: $0) != nil }
                let endings = known.map { "." + $0 }.joined(separator: ", ")
                throw ValidationError("With --server expected an output whose name ends in one of \(endings).")
            }
            try OutputGuard.check(output, sources: sources)
            try refuse(target.files + [report].compactMap(\.self))
            return try await convert(sources, at: client, to: OutputStream.target(of: output), as: served)
        }
        func writing(_ robots: [DescribedRobot]) throws -> ConvertWriting {
            ConvertWriting(
                options: try exportOptions(), maxOutput: options.maxOutput, existing: force ? .replaced : .refused,
                scales: ConvertScales(robots, scalesFromURDF ? .packages : .named, places.robots))
        }
        var live = web.applied(to: places.applied(to: try options.live()))
        live.digests = .known
        live.keepsFiles = true
        live.collada.retention = .everything
        // A pose is of all curves at once.
        live.collada.arrays = time == nil ? .archive : .memory
        live.collada.visualScene = scene
        switch target {
        case .folder(let folder, let format):
            try refuse([report].compactMap(\.self))
            let work = try ConvertBatch.work(of: sources, folders, places, as: format)
            try await ConvertBatch(
                folder: folder, format: format, writing: try writing(work.robots),
                fingerprint: update ? fingerprint(of: format) : nil, report: report
            ).run(work, options, live, folders: folders, jobs: jobs)
        case .file(let output, _):
            try OutputGuard.check(output, sources: sources)
            try refuse(target.files + [report].compactMap(\.self))
            if let report { try OutputStream.check(report) }
            let (sources, robots) = try folders.only(of: sources, places, else: "--output (-o) FOLDER/")
            try await convert(sources, live, options, try writing(robots), to: target)
        case .standardOutput:
            try refuse([report].compactMap(\.self))
            if let report { try OutputStream.check(report) }
            let (sources, robots) = try folders.only(of: sources, places, else: "--output (-o) FOLDER/")
            try await convert(sources, live, options, try writing(robots), to: target)
        }
    }

    private func exportOptions() throws -> ExportOptions {
        var settings = ExportOptions()
        settings.influences = ExportOptions.Influences(rawValue: influences) ?? .four
        settings.protected = try protectedClasses()
        settings.units = Self.unit(named: units) ?? .meters
        settings.upAxis = Self.upAxis(named: up) ?? .y
        settings.time = time
        settings.compaction = compact.flatMap(Self.compaction) ?? .none
        settings.textureSize = textureSize
        settings.textureEncoding = ExportOptions.TextureEncoding(rawValue: textures.lowercased()) ?? .kept
        settings.usdProfile = ExportOptions.USDProfile(rawValue: profile.lowercased()) ?? .quickLook
        settings.samplingRate = fps
        settings.invisibleSurfaces = keepsInvisible ? .asWritten : .opaque
        settings.generator = "Daedalus \(Dae.version)"
        return settings
    }

    /// What files are made with, so that others make other ones.
    private func fingerprint(of format: ExportFormat) -> String {
        let choices = [
            Dae.version, format.ending, "\(influences)", units, up, time.map { "\($0)" } ?? "",
            fps.map { "\($0)" } ?? "", keepsInvisible ? "invisible" : "", scene ?? "", compact ?? "",
            textureSize.map { "\($0)" } ?? "", textures, profile,
        ]
        return choices.joined(separator: " ")
    }

    /// One source, to a file or to standard output.
    private func convert(
        _ sources: [String], _ live: AssetOperations.LiveOptions, _ options: RunOptions, _ writing: ConvertWriting,
        to target: ConvertTarget
    ) async throws {
        let outcome = Mutex(Outcome())
        let (report, isQuiet, style) = (report, options.quiet, options.style)
        let source = sources.first ?? ""
        try await SourceRun(sources, options, live, several: .refused).run(.text) { pipeline, asset, progress in
            progress?.show("writing \(target.shown)")
            guard let model = await pipeline.model(of: asset) else { return }
            do {
                let fidelity = try await WorkThread.run { cancellation in
                    try writing.write(model, of: source, to: target) { cancellation.isCancelled }
                }
                let scale = writing.scale(of: model, source).text
                outcome.withLock {
                    $0.fidelity = fidelity
                    $0.scale = scale
                }
                if let report { try Self.write(fidelity, to: report) }
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
            let outcome = outcome.withLock { $0 }
            guard !isQuiet, let fidelity = outcome.fidelity else { return .nothing }
            let scale = outcome.scale.isEmpty ? "" : "  \(outcome.scale)\n"
            let text = FidelityText(fidelity, output: target.shown, style: style).text + scale
            switch target {
            case .file, .folder: return .text(text)
            case .standardOutput:
                writeToStandardError(text)
                return .nothing
            }
        } exit: { _ in
            outcome.withLock { $0.exit }
        }
    }

    /// What came of the conversion.
    private struct Outcome {
        var fidelity: FidelityReport?
        /// What is told of its scale.
        var scale = ""
        var exit = DaeExit.fine
    }

    private func convert(
        _ sources: [String], at client: AssetServiceClient, to output: String, as format: ServedModel
    ) async throws {
        var options = options
        options.output = nil
        let compaction = compact.flatMap(Self.compaction) ?? .none
        try await ServedRun(client: client, sources: sources, options: options).run {
            client, settled throws(AssetServiceError) in
            if settled.asset.state.isReady {
                try await client.model(settled.asset.id, to: output, as: format, compaction: compaction)
            }
            return .init(rendering: .nothing)
        }
    }

    /// Nothing that somebody has made is replaced unasked.
    private func refuse(_ paths: [String]) throws(DaeExit) {
        for path in paths where path != "-" {
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

    private static func write(_ fidelity: FidelityReport, to path: String) throws(DaeExit) {
        let stream = try OutputStream(path: path)
        try stream.write(fidelity.json.text(.indented) + [UInt8(ascii: "\n")])
        try stream.finish()
    }
}
