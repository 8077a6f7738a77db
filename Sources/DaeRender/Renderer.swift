package import DaeDiagnostics
package import DaeImages
package import DaeMesh
package import DaeScene
import Synchronization

/// Draws a scene on the processor.
package struct Renderer {
    /// The pixels of an image, or why they cannot be had.
    package typealias Images = (SceneIndex<Image>) -> Result<DecodedImage, CodedFailure>

    private let scene: Scene
    private let drawing: Drawing
    private let options: RenderOptions
    private let images: Images
    private let isCancelled: () -> Bool
    private var findings: [Finding] = []
    private let workers: Workers

    /// How a drawing that is to be rendered is made.
    package static func drawingOptions(of scene: Scene, _ options: RenderOptions) -> Drawing.Options {
        var drawing = Drawing.Options()
        drawing.system = CoordinateSystem(metersPerUnit: scene.metersPerUnit, upAxis: .y)
        drawing.textureOrigin = .bottomLeft
        if options.style == .suite {
            drawing.creaseAngle = 60
            drawing.invisibleSurfaces = .asWritten
        }
        return drawing
    }

    /// Draws a scene; works on the calling thread, and others, until it is done.
    ///
    /// - Parameters:
    ///   - scene: At the moment that the options name.
    ///   - drawing: Of that scene, by ``drawingOptions(of:_:)``.
    ///   - images: Asked for each image that is seen, once.
    ///   - isCancelled: Asked now and then.
    package static func picture(
        of scene: Scene, _ drawing: Drawing, options: RenderOptions, images: @escaping Images,
        isCancelled: @escaping () -> Bool = { false }
    ) throws(RenderError) -> RenderedPicture {
        guard RenderOptions.sides.contains(options.width), RenderOptions.sides.contains(options.height) else {
            throw RenderError(reason: .badSize(width: options.width, height: options.height))
        }
        guard RenderOptions.sampleCounts.contains(options.samples) else {
            throw RenderError(reason: .badSamples(options.samples))
        }
        var renderer = Renderer(scene, drawing, options, images, isCancelled)
        return try renderer.render()
    }

    private init(
        _ scene: Scene, _ drawing: Drawing, _ options: RenderOptions, _ images: @escaping Images,
        _ isCancelled: @escaping () -> Bool
    ) {
        self.scene = scene
        self.drawing = drawing
        self.options = options
        self.images = images
        self.isCancelled = isCancelled
        workers = Workers(threads: max(1, options.threads))
    }

    private mutating func render() throws(RenderError) -> RenderedPicture {
        let posed = PosedParts(drawing, morphNormals: options.style == .suite ? .initial : .renewed)
        let optics = drawing.optics(of: scene)
        let chosen = try CameraChooser(scene, drawing, optics.cameras, options).choose(posed.box)
        var frame = Frame(
            view: chosen.view, style: options.style, samples: options.samples, background: background)
        frame.mostFragments = options.limits.fragments
        frame.illumination = illumination(optics.lights, chosen, posed.box)
        addDraws(posed.parts, to: &frame)
        try placeVertices(&frame)
        try bin(&frame)
        let pixels = try paint(frame)
        return RenderedPicture(
            width: options.width, height: options.height, pixels: pixels, camera: chosen.note, findings: findings,
            faces: frame.draws.reduce(0) { $0 + $1.faces })
    }

    private var background: SIMD4<Float> {
        if let background = options.background { return background }
        switch options.style {
        case .suite: return SIMD4(0, 0, 0, 1)
        case .lit, .normals, .wireframe, .uv: return SIMD4(0.22, 0.23, 0.25, 1)
        }
    }

    private mutating func note(_ code: FindingCode, _ message: String) {
        findings.append(Finding(code, message, severity: code == .workLimitExceeded ? .warning : nil))
    }

    // MARK: - Light

    private mutating func illumination(
        _ lights: [DrawnOptic<Light>], _ chosen: CameraChooser.Choice, _ box: Bounds?
    ) -> Illumination {
        var placed = lights.compactMap { PlacedLight(scene.lights[$0.shown], world: $0.world) }
        if placed.count > options.limits.lights {
            note(
                .workLimitExceeded,
                "The scene has \(placed.count) lights; the first \(options.limits.lights) are used.")
            placed.removeSubrange(options.limits.lights...)
        }
        var result = Illumination(lights: placed)
        switch options.style {
        case .suite:
            // The template has both a camera and a light.
            if chosen.isTemplate {
                let direction = Vector(Float(Functions.sine(degrees: 15)), 0, Float(Functions.cosine(degrees: 15)))
                result.lights = [PlacedLight(kind: .directional(direction), color: Vector(repeating: 1))]
            }
        case .lit, .normals, .wireframe, .uv:
            result.fill = 0.25
            // In the middle of the scene: exporters write strengths from a thousandth to thousands.
            let middle = box.map { Vector(narrowing: $0.min + ($0.max - $0.min) / 2) } ?? .zero
            let strength = placed.reduce(0) { $0 + ($1.arriving(at: middle)?.amount ?? 0) * $1.color.max() }
            if chosen.isFit || !(strength > 0.1) {
                // From above the viewer's shoulder.
                let view = chosen.view
                let direction = Vector(narrowing: (view.back + view.up * 0.35 - view.right * 0.25).unit)
                result.lights = [PlacedLight(kind: .directional(direction), color: Vector(repeating: 0.75))]
            } else if strength > 1 {
                result.lights = placed.map { PlacedLight(kind: $0.kind, color: $0.color / strength) }
            }
        }
        return result
    }

    // MARK: - Surfaces

    private mutating func addDraws(_ parts: [PosedParts.Part], to frame: inout Frame) {
        var textures = TextureLoader(images: images, scene: scene, limit: options.limits.texels)
        let usesColors: Bool =
            switch options.style {
            case .lit, .suite: true
            case .normals, .wireframe, .uv: false
            }
        if usesColors {
            for surface in drawing.surfaces {
                guard let material = surface.material.map({ scene.materials[$0] }) else { continue }
                for property in LookMaker.properties {
                    if let texture = material[property]?.texture { textures.load(texture.image) }
                }
            }
        }
        let maker = LookMaker(scene: scene, style: options.style, textures: textures.known)
        frame.looks = drawing.surfaces.map { maker.look(of: $0) } + [maker.look(of: nil)]
        let projection = frame.view.projection
        var (vertices, faces) = (0, 0)
        for part in parts {
            let look = part.surface ?? frame.looks.count - 1
            if usesColors, frame.looks[look].isInvisible { continue }
            let draw = Draw(
                part.part, look: look, isClear: usesColors && frame.looks[look].isClear, toWorld: part.toWorld,
                projection: projection, firstVertex: vertices, firstFace: faces)
            guard draw.faces > 0 else { continue }
            guard faces + draw.faces <= options.limits.faces else {
                note(
                    .workLimitExceeded,
                    "The scene has more than \(options.limits.faces) triangles and lines; the others are not drawn.")
                break
            }
            vertices += part.part.vertexCount
            faces += draw.faces
            frame.draws.append(draw)
        }
        frame.textures = textures.textures
        findings += textures.findings
    }

    // MARK: - Stages

    private func placeVertices(_ frame: inout Frame) throws(RenderError) {
        let step = 16_384
        var pieces: [(draw: Int, range: Range<Int>)] = []
        for (index, draw) in frame.draws.enumerated() {
            for start in stride(from: 0, to: draw.part.vertexCount, by: step) {
                pieces.append((index, start..<min(draw.part.vertexCount, start + step)))
            }
        }
        let (draws, settled) = (frame.draws, pieces)
        let placed = workers.map(settled.count, isStopped: isCancelled) {
            { piece in
                let (draw, range) = settled[piece]
                let (matrix, positions) = (draws[draw].toScreen, draws[draw].part.positions)
                return range.map { ScreenVertex(matrix.homogeneous(positions.triple($0))) }
            }
        }
        guard let placed else { throw RenderError(reason: .stopped) }
        frame.vertices.reserveCapacity(placed.reduce(0) { $0 + $1.count })
        for vertices in placed { frame.vertices += vertices }
    }

    private mutating func bin(_ frame: inout Frame) throws(RenderError) {
        frame.tiles = TileLists(width: options.width, height: options.height)
        let binning = Binning(frame: frame)
        let chunks = binning.chunks
        let costs = workers.map(chunks.count, isStopped: isCancelled) { { binning.cost(of: chunks[$0]) } }
        guard let costs else { throw RenderError(reason: .stopped) }
        var left = Binning.Cost(coverage: options.limits.coverage, references: options.limits.references)
        var affordable: [Binning.Chunk] = []
        for (chunk, cost) in zip(chunks, costs) {
            guard cost.coverage <= left.coverage, cost.references <= left.references else {
                affordable.append(binning.affordable(chunk, left))
                note(
                    .workLimitExceeded,
                    "The triangles cover more than \(options.limits.coverage) pixels, those behind each other counted; those beyond that are not drawn."
                )
                break
            }
            left.coverage -= cost.coverage
            left.references -= cost.references
            affordable.append(chunk)
        }
        let settled = affordable
        let entries = workers.map(settled.count, isStopped: isCancelled) { { binning.entries(of: settled[$0]) } }
        guard let entries else { throw RenderError(reason: .stopped) }
        frame.tiles.fill(entries)
        frame.pieces = entries.flatMap(\.pieces)
    }

    private mutating func paint(_ frame: Frame) throws(RenderError) -> [UInt8] {
        let hasDropped = Dropped()
        let tiles = workers.map(frame.tiles.count, isStopped: isCancelled) {
            let painter = Painter(frame)
            return { tile in
                let pixels = painter.paint(tile)
                if painter.hasDropped { hasDropped.note() }
                return pixels
            }
        }
        guard let tiles else { throw RenderError(reason: .stopped) }
        if hasDropped.isNoted {
            note(
                .workLimitExceeded,
                "More clear surfaces lie over each other than can be drawn: above \(options.limits.fragments) samples in \(TileLists.side) × \(TileLists.side) pixels."
            )
        }
        var pixels = [UInt8](repeating: 0, count: options.width * options.height * 4)
        for (tile, bytes) in tiles.enumerated() {
            let left = tile % frame.tiles.across * TileLists.side
            let top = tile / frame.tiles.across * TileLists.side
            let width = min(TileLists.side, options.width - left)
            for row in 0..<bytes.count / (width * 4) {
                let place = ((top + row) * options.width + left) * 4
                pixels.replaceSubrange(
                    place..<place + width * 4, with: bytes[row * width * 4..<(row + 1) * width * 4])
            }
        }
        return pixels
    }

    /// A class since a thread keeps it between its tiles.
    private final class Painter {
        private var painter: TilePainter

        init(_ frame: Frame) { painter = TilePainter(frame) }

        var hasDropped: Bool { painter.hasDropped }

        func paint(_ tile: Int) -> [UInt8] { painter.paint(tile) }
    }

    /// A class since all threads have it.
    private final class Dropped: Sendable {
        private let flag = Atomic(false)

        var isNoted: Bool { flag.load(ordering: .relaxed) }

        func note() { flag.store(true, ordering: .relaxed) }
    }
}
