import DaeCore
import DaeMesh
import DaeScene

/// What an exporter does to texture coordinates, as a scale, then a turn, then a shift.
///
/// - Source: Maya's place2dTexture; Khronos, KHR_texture_transform.
struct TextureTransform {
    private(set) var offset: SIMD2<Double>
    private(set) var scale: SIMD2<Double>
    /// In radians, from the second axis to the first.
    private(set) var rotation = 0.0
    /// Whether the format has all of it.
    private(set) var isExact: Bool

    /// A point's way: (xx × x + yx × y + shift.x, xy × x + yy × y + shift.y).
    private struct Map {
        var x = SIMD2(1.0, 0.0)
        var y = SIMD2(0.0, 1.0)
        var shift = SIMD2(0.0, 0.0)

        mutating func move(_ by: SIMD2<Double>) { shift += by }

        mutating func scale(_ by: SIMD2<Double>) {
            x *= by
            y *= by
            shift *= by
        }

        /// About the picture's middle, from the first axis to the second.
        mutating func turn(degrees: Double) {
            guard degrees != 0, degrees.isFinite else { return }
            let (sine, cosine) = (sin(degrees * .pi / 180), cos(degrees * .pi / 180))
            func turned(_ point: SIMD2<Double>) -> SIMD2<Double> {
                SIMD2(cosine * point.x - sine * point.y, sine * point.x + cosine * point.y)
            }
            let middle = SIMD2(0.5, 0.5)
            (x, y, shift) = (turned(x), turned(y), turned(shift - middle) + middle)
        }
    }

    /// - Parameter origin: The corner of the picture from which the coordinates that are moved count.
    init(_ transform: Material.Texture.UVTransform, from origin: ExportConventions.ImageOrigin) {
        var map = Map()
        map.move(-transform.frameTranslation)
        map.turn(degrees: -transform.frameRotation)
        let coverage = transform.coverage
        let isCovered = coverage.x != 0 && coverage.y != 0
        if isCovered { map.scale(1 / coverage) }
        map.scale(transform.repetition)
        map.move(transform.offset)
        map.turn(degrees: transform.rotation)
        let (x, y): (SIMD2<Double>, SIMD2<Double>)
        switch origin {
        case .bottomLeft: (x, y, offset) = (map.x, map.y, map.shift)
        case .topLeft:
            // Upside down before and behind: what runs up is 1 less what runs down.
            (x, y) = (SIMD2(map.x.x, -map.x.y), SIMD2(-map.y.x, map.y.y))
            offset = SIMD2(map.shift.x + map.y.x, 1 - map.y.y - map.shift.y)
        }
        // Where the frame ends, the surface goes on without the picture.
        isExact = coverage == [1, 1]
        if x.y == 0, y.x == 0 {
            scale = SIMD2(x.x, y.y)
            return
        }
        let width = hypot(x.x, x.y)
        let (cosine, sine) = width > 0 ? (x.x / width, -x.y / width) : (1, 0)
        rotation = atan2(sine, cosine)
        scale = SIMD2(width, y.x * sine + y.y * cosine)
        // What turns after unequal scales, and before others, also leans.
        if abs(x.x * y.x + x.y * y.y) > 1e-9 * width * hypot(y.x, y.y) { isExact = false }
    }
}
