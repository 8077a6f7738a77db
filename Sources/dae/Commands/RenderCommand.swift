import ArgumentParser
import DaeCore
import Daedalus
import Synchronization

struct RenderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "render",
        abstract: "Draw a scene as a PNG picture, without a graphics card.",
        discussion: """
            Seen through the first camera that the scene shows, or the one that --camera names; without one, or with \
            --camera fit, from a place that shows all of it. Which one it was is said on standard error.

            --style lit shows it as a viewer does, and nothing is black by accident; suite draws by the letter, as the \
            Khronos conformance suite has it; normals, wireframe and uv show how a mesh is made.

            --turntable shows one model from all around, --sheet many models, each with its name; a folder stands for \
            the models in it.

            The same bytes come out on every machine. With -o - they go to standard output.

            Examples:
              dae render model.zip -o model.png
              dae render --size 1024x768 --camera fit chair.dae -o chair.png
              dae render walk.dae -o pose.png --time 1.5 --background transparent
              dae render walker.zae -o around.png --turntable 12
              dae render --sheet downloads/ -o overview.png
            """)

    @Argument(
        help: ArgumentHelp(
            "A bundle, a document, or an entry of an archive; several with --sheet.", valueName: "source"),
        transform: SourceArgument.text)
    var sources: [String]

    @OptionGroup var options: RunOptions
    @OptionGroup(title: "Where files are looked for") var places: PlaceOptions

    @OptionGroup(title: "The web") var web: WebOptions

    @Option(
        help: ArgumentHelp(
            "Pixels, 1 to 8192 a side: one number, or width x height; 512, and 256 of each picture of a sheet, when not given.",
            valueName: "size"))
    var size: String?

    @Option(
        help: ArgumentHelp(
            "The name or id of a camera or of a node that shows one, or fit for a view of all.", valueName: "name"))
    var camera: String?

    @Option(help: ArgumentHelp("Show the pose at this moment; one before 0 as --time=-5.", valueName: "seconds"))
    var time: Double?

    @Option(help: ArgumentHelp("Samples of a pixel: 1, 4 or 16.", valueName: "n"))
    var samples = 4

    @Option(
        help: ArgumentHelp("transparent, or a colour as RRGGBB or RRGGBBAA; that of the style when not given."))
    var background: String?

    @Option(help: ArgumentHelp("lit, suite, normals, wireframe or uv.", valueName: "style"))
    var style = "lit"

    @Option(
        help: ArgumentHelp(
            "The visual scene to draw, by its name or id; the one that the document instances when not given.",
            valueName: "name"))
    var scene: String?

    @Option(
        help: ArgumentHelp("Show the model from so many sides, 2 to 360, on one sheet.", valueName: "views"))
    var turntable: Int?

    @Flag(help: "Show several models on one sheet, each with its name.")
    var sheet = false

    @Option(help: FolderMeaning.help) var folders = FolderMeaning.auto

    mutating func validate() throws {
        guard !sources.isEmpty else { throw ValidationError("Name a source.") }
        for source in sources { try options.check(source) }
        if sources.count > 1, !sheet {
            throw ValidationError("\(sources.count) sources are named; expected one, or --sheet.")
        }
        if let turntable {
            guard (2...360).contains(turntable) else {
                throw ValidationError("--turntable is \(turntable); expected 2 to 360.")
            }
            if sheet { throw ValidationError("--turntable and --sheet exclude each other.") }
            if let camera, camera != "fit" {
                throw ValidationError("--turntable shows the model from all around; expected --camera fit, or none.")
            }
        }
        guard options.output != nil else {
            throw ValidationError("Name the file to write with --output (-o), or - for standard output.")
        }
        if let scene, scene.isEmpty { throw ValidationError("--scene is empty; expected the name or id of a scene.") }
        let settings = try settings()
        if let turntable, !ContactSheet.fits(turntable, width: settings.width, height: settings.height) {
            throw ValidationError(Self.tooLarge(turntable))
        }
    }

    private func settings() throws -> RenderOptions {
        var settings = RenderOptions()
        (settings.width, settings.height) = try Self.sides(size ?? (sheet || turntable != nil ? "256" : "512"))
        guard let style = RenderOptions.Style(rawValue: style.lowercased()) else {
            let known = RenderOptions.Style.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("--style is \(style.withoutControls); expected one of \(known).")
        }
        settings.style = style
        guard RenderOptions.sampleCounts.contains(samples) else {
            throw ValidationError("--samples is \(samples); expected 1, 4 or 16.")
        }
        settings.samples = samples
        if let time, !time.isFinite { throw ValidationError("--time is \(time); expected a number of seconds.") }
        settings.time = time
        if let background { settings.background = try Self.color(background) }
        switch camera {
        // An overview shows all of each.
        case nil: settings.camera = sheet ? .fit : .automatic
        case "fit": settings.camera = .fit
        case let name?:
            if name.isEmpty { throw ValidationError("--camera is empty; expected a camera's name or id, or fit.") }
            settings.camera = .named(name)
        }
        return settings
    }

    /// Such as `512x512`, or `512` for both.
    private static func sides(_ text: String) throws -> (width: Int, height: Int) {
        let parts = text.lowercased().split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        let bounds = RenderOptions.sides
        let sides = parts.compactMap(\.self)
        guard (1...2).contains(parts.count), sides.count == parts.count, sides.allSatisfy(bounds.contains) else {
            throw ValidationError(
                "--size is \(text.withoutControls); expected \(bounds.lowerBound) to \(bounds.upperBound) pixels a side, such as 512x512."
            )
        }
        return (sides[0], sides[sides.count - 1])
    }

    /// Red, green, blue and alpha, 0...1.
    private static func color(_ text: String) throws -> SIMD4<Float> {
        if text.lowercased() == "transparent" { return .zero }
        let digits = text.hasPrefix("#") ? text.dropFirst() : text[...]
        guard [6, 8].contains(digits.utf8.count), digits.allSatisfy(\.isHexDigit),
            let number = UInt32(digits, radix: 16)
        else {
            throw ValidationError(
                "--background is \(text.withoutControls); expected transparent, or a colour such as 336699 or 336699FF."
            )
        }
        let bytes = digits.utf8.count == 6 ? number << 8 | 0xFF : number
        return SIMD4(
            Float(bytes >> 24), Float(bytes >> 16 & 0xFF), Float(bytes >> 8 & 0xFF), Float(bytes & 0xFF)) / 255
    }

    func run() async throws {
        let settings = try settings()
        if let output = options.output, output != "-" { try OutputStream.check(output) }
        var live = web.applied(to: places.applied(to: try options.live()))
        live.digests = .known
        live.collada.retention = .everything
        live.keepsFiles = true
        live.collada.visualScene = scene
        if sheet { try await drawSheet(settings, live) } else { try await draw(settings, live) }
    }

    private func draw(_ settings: RenderOptions, _ live: AssetOperations.LiveOptions) async throws {
        let outcome = Mutex(Outcome())
        let (isQuiet, views) = (options.quiet, turntable)
        let sources = try folders.only(of: sources, places, else: "--sheet").sources
        try await SourceRun(sources, options, live, several: .refused).run(.text) { pipeline, asset, progress in
            progress?.show("drawing")
            guard let model = await pipeline.model(of: asset) else { return }
            do {
                let drawn = try await Self.drawn(model, settings, views)
                progress?.clear()
                outcome.withLock { $0.file = drawn.file }
                if !isQuiet, let camera = drawn.camera { complain("camera: \(camera)") }
                for finding in drawn.findings { complain("\(finding.message) [\(finding.code.rawValue)]") }
            } catch let error as RenderError {
                progress?.clear()
                complain("--camera: \(error)")
                outcome.withLock { $0.exit = .usage }
            }
        } render: { _ in
            outcome.withLock { $0.file }.map { .bytes($0) } ?? .nothing
        } exit: { _ in
            outcome.withLock { $0.exit }
        }
    }

    private static func drawn(
        _ model: Model, _ settings: RenderOptions, _ views: Int?
    ) async throws -> (file: [UInt8], camera: String?, findings: [Finding]) {
        try await WorkThread.run { cancellation in
            guard let views else {
                let picture = try model.picture(settings) { cancellation.isCancelled }
                return (try picture.png(), picture.camera, picture.findings)
            }
            let turning = try model.turntable(settings, views: views) { cancellation.isCancelled }
            return (try turning.sheet.png(), nil, turning.findings)
        }
    }

    private static func tooLarge(_ count: Int) -> String {
        let most = ContactSheet.mostPixels / 1_000_000
        return
            "A sheet of \(count) pictures of this size has more than \(most) million pixels; expected a smaller --size."
    }

    /// One model after the other, in their order: each is drawn on all cores.
    private func drawSheet(_ settings: RenderOptions, _ live: AssetOperations.LiveOptions) async throws {
        let contents = try folders.contents(of: sources, places)
        let count = contents.sources.count + contents.failures.count
        guard let empty = ContactSheet(count: count, width: settings.width, height: settings.height) else {
            throw ValidationError(Self.tooLarge(count))
        }
        let sheet = Mutex((pictures: empty, next: 0, exit: DaeExit.fine))
        @Sendable func place(_ picture: RenderedPicture?, _ source: String) {
            let name = SourceAddress.display(source).withoutControls.split(separator: "/").last.map(String.init)
            sheet.withLock { sheet in
                sheet.pictures.place(picture, caption: name ?? source, at: sheet.next)
                sheet.next += 1
            }
        }
        try await SourceRun(
            contents.sources, options, live, several: .best, unread: contents.failures
        ).run(.text) { result in
            switch result {
            case .failed(let failure): place(nil, failure.source.input)
            case .read(let model):
                let source = model.inspection.source.input
                do {
                    let picture = try await WorkThread.run { cancellation in
                        try model.picture(settings) { cancellation.isCancelled }
                    }
                    place(picture, source)
                    for finding in picture.findings {
                        complain("\(source): \(finding.message) [\(finding.code.rawValue)]")
                    }
                } catch {
                    place(nil, source)
                    guard !(error is CancellationError) else { return .nothing }
                    complain("\(source): \(error)")
                    sheet.withLock { $0.exit = .usage }
                }
            }
            return .nothing
        } exit: { _ in
            sheet.withLock { $0.exit }
        } end: {
            let pictures = sheet.withLock { $0.pictures }
            do { return .bytes(try pictures.png()) } catch {
                complain("\(error)")
                return .nothing
            }
        }
    }

    /// What came of the drawing.
    private struct Outcome {
        var file: [UInt8]?
        var exit = DaeExit.fine
    }
}
