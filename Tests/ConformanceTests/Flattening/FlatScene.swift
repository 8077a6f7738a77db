import Daedalus

/// What a scene draws at one moment, in metres and with y up: no nodes, no instances, no sharing.
struct FlatScene {
    var triangles: [FlatTriangle] = []
    var segments: [FlatSegment] = []
    var lights: [FlatLight] = []
    var cameras: [FlatCamera] = []
    /// Exact shapes, which are not cut into triangles, by what they are made of.
    var shapes: [String] = []
}

struct FlatVertex {
    /// Metres, y up.
    var position: SIMD3<Double>
    /// Of length 1; zero for the end of a line, and where a triangle has no area.
    var normal = SIMD3<Double>.zero
    /// The colour, and the texture coordinates that the surface's textures use.
    var attributes: [Double] = []
}

struct FlatTriangle {
    var corners: [FlatVertex]
    var surface: FlatSurface
}

struct FlatSegment {
    var ends: [FlatVertex]
    var surface: FlatSurface
}

/// How a surface looks, in values that can be held against each other.
struct FlatSurface: Hashable {
    /// By name: numbers.
    var numbers: [String: [Double]] = [:]
    /// By name: pictures, ways to wrap, and the like.
    var words: [String: String] = [:]

    /// A picture by its file.
    struct Picture: Sendable {
        /// A hash of its bytes; else what it refers to.
        var content: String
        /// Red, green and blue of a picture that has them everywhere.
        var onlyColor: [Double]?
    }

    static let unbound = FlatSurface(words: ["material": "none"])
}

struct FlatLight {
    var kind: String
    var color: SIMD3<Double>
    /// Metres, y up; `nil` where the kind of light has none.
    var position: SIMD3<Double>?
    var direction: SIMD3<Double>?
    /// Attenuation by metres and falloff.
    var numbers: [Double]
}

struct FlatCamera {
    /// Metres, y up.
    var position: SIMD3<Double>
    var direction: SIMD3<Double>
    var up: SIMD3<Double>
    var kind: String
    /// Both angles in degrees or both half sizes in metres, then the near and the far plane in metres.
    var numbers: [Double]
}

extension FlatScene {
    /// The box around what is drawn; `nil` for nothing.
    var bounds: Bounds? {
        let points = (triangles.flatMap(\.corners) + segments.flatMap(\.ends)).map(\.position)
        guard let first = points.first else { return nil }
        var bounds = Bounds(first)
        for point in points { bounds.formUnion(point) }
        return bounds
    }
}
