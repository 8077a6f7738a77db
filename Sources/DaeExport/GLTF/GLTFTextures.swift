import DaeCore
import DaeScene

/// How a texture is sampled, in glTF's numbers (those of OpenGL).
struct GLTFSampler: Hashable {
    private let wrapS: Int
    private let wrapT: Int
    private let magFilter: Int?
    private let minFilter: Int?
    /// Whether the document asks for something that has no number.
    let isApproximate: Bool  // a finding about the document

    init(_ sampler: Material.Texture.Sampler) {
        let (s, t) = (Self.wrap(sampler.wrapS), Self.wrap(sampler.wrapT))
        wrapS = s.number
        wrapT = t.number
        magFilter = sampler.magFilter.map { Self.magnification($0) }
        minFilter = sampler.minFilter.map { Self.minification($0, sampler.mipFilter) }
        isApproximate =
            !s.isExact || !t.isExact || sampler.mipBias.map { $0 != 0 } == true
            || sampler.mipMinLevel.map { $0 > 0 } == true
    }

    var object: JSONObject {
        JSONObject { object in
            if let magFilter { object.put("magFilter", magFilter) }
            if let minFilter { object.put("minFilter", minFilter) }
            object.put("wrapS", wrapS)
            object.put("wrapT", wrapT)
        }
    }

    private static func wrap(_ wrap: Material.Texture.Wrap?) -> (number: Int, isExact: Bool) {
        switch wrap {
        case .some(.wrap), nil: (10497, true)
        case .some(.mirror): (33648, true)
        case .some(.clamp): (33071, true)
        case .some(.none), .some(.border): (33071, false)
        case .some(.mirrorOnce): (33648, false)
        }
    }

    private static func magnification(_ filter: Material.Texture.Filter) -> Int {
        switch filter {
        case .nearest, .nearestMipmapNearest, .nearestMipmapLinear: 9728
        case .none, .linear, .anisotropic, .linearMipmapNearest, .linearMipmapLinear: 9729
        }
    }

    private static func minification(_ filter: Material.Texture.Filter, _ mip: Material.Texture.Filter?) -> Int {
        switch (filter, mip) {
        case (.nearestMipmapNearest, _), (.nearest, .nearest): 9984
        case (.linearMipmapNearest, _), (.linear, .nearest), (.anisotropic, .nearest): 9985
        case (.nearestMipmapLinear, _), (.nearest, .linear): 9986
        case (.linearMipmapLinear, _), (.linear, .linear), (.anisotropic, .linear), (.anisotropic, _): 9987
        case (.nearest, _): 9728
        case (.linear, _), (.none, _): 9729
        }
    }
}

/// What an exporter does to texture coordinates, in the terms of KHR_texture_transform: a scale, then a turn, then a shift,
/// of coordinates that run down.
///
/// - Source: Maya's place2dTexture; Khronos, KHR_texture_transform.
struct GLTFTextureTransform {
    private(set) var offset: SIMD2<Double>
    private(set) var scale: SIMD2<Double>
    /// In radians.
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

    init(_ transform: Material.Texture.UVTransform) {
        var map = Map()
        map.move(-transform.frameTranslation)
        map.turn(degrees: -transform.frameRotation)
        let coverage = transform.coverage
        let isCovered = coverage.x != 0 && coverage.y != 0
        if isCovered { map.scale(1 / coverage) }
        map.scale(transform.repetition)
        map.move(transform.offset)
        map.turn(degrees: transform.rotation)
        // Upside down before and behind: what runs up is 1 less what runs down.
        let (x, y) = (SIMD2(map.x.x, -map.x.y), SIMD2(-map.y.x, map.y.y))
        offset = SIMD2(map.shift.x + map.y.x, 1 - map.y.y - map.shift.y)
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
