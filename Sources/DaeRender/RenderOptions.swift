/// What a picture is to be like.
package struct RenderOptions: Sendable {
    /// How a scene is shown.
    package enum Style: String, Sendable, CaseIterable {
        /// With the document's lights where it has some, and nothing black by accident.
        case lit
        /// As the Khronos conformance suite has it, to the letter.
        case suite
        /// Directions of surfaces as colours.
        case normals
        case wireframe
        /// Texture coordinates as colours.
        case uv
    }

    /// Which camera is looked through.
    package enum CameraChoice: Sendable, Equatable {
        /// The first that the scene instances, or ``fit`` where there is none.
        case automatic
        /// One that shows all of the scene.
        case fit
        /// As ``fit``, from so many degrees further to the right: as far away for every turn.
        case turned(Double)
        /// By the name or id of the camera, or of a node that shows it.
        case named(String)
    }

    /// Pixels.
    package var width = 512
    /// Pixels.
    package var height = 512
    package var style = Style.lit
    package var camera = CameraChoice.automatic
    /// In seconds; `nil` for the scene at rest.
    package var time: Double?
    /// Of a pixel: 1, 4 or 16.
    package var samples = 4
    /// Red, green, blue and alpha, 0...1, as a display shows them; `nil` for that of the style.
    package var background: SIMD4<Float>?
    /// How many threads work on it; the picture is the same with any number.
    package var threads = Workers.available
    package var limits = Limits()

    package init() {}

    /// What one picture may use.
    package struct Limits: Sendable {
        /// Pixels that are asked whether they are covered: those of the boxes around triangles, in the picture.
        package var coverage: Int64 = 3_000_000_000
        /// Triangles and lines.
        package var faces = 100_000_000
        /// Entries of all tiles: each face once for each tile that it touches.
        package var references = 60_000_000
        /// Pixels of all textures.
        package var texels = 128_000_000
        /// Samples that clear faces cover in one tile.
        package var fragments = 1 << 20
        package var lights = 64

        package init() {}
    }

    /// Pixels of a side.
    package static let sides = 1...8192
    package static let sampleCounts = [1, 4, 16]
}
