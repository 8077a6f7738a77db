import DaeScene

/// A picture with its smaller versions, each half as wide and high, down to one pixel.
struct TextureImage: Sendable {
    struct Level: Sendable {
        let width: Int
        let height: Int
        /// Into the bytes.
        let start: Int
    }

    /// Red, green, blue and alpha; the top row first.
    private var bytes: [UInt8]
    private var levels: [Level]
    /// Of the largest, in pixels.
    let size: SIMD2<Float>

    /// - Parameter bytes: width × height × 4.
    init(width: Int, height: Int, bytes: [UInt8]) {
        self.bytes = bytes
        levels = [Level(width: width, height: height, start: 0)]
        size = SIMD2(Float(width), Float(height))
        self.bytes.reserveCapacity(bytes.count + bytes.count / 3 + 64)
        while let last = levels.last, last.width > 1 || last.height > 1 { halve(last) }
    }

    private mutating func halve(_ from: Level) {
        let to = Level(width: max(1, from.width / 2), height: max(1, from.height / 2), start: bytes.count)
        bytes.append(contentsOf: repeatElement(0, count: to.width * to.height * 4))
        var out = bytes.mutableSpan
        for y in 0..<to.height {
            // Of an odd size the last row or column goes into its neighbour's.
            let (top, bottom) = (from.height == 1 ? 0 : 2 * y, from.height == 1 ? 0 : 2 * y + 1)
            for x in 0..<to.width {
                let (left, right) = (from.width == 1 ? 0 : 2 * x, from.width == 1 ? 0 : 2 * x + 1)
                let a = from.start + (top * from.width + left) * 4
                let b = from.start + (top * from.width + right) * 4
                let c = from.start + (bottom * from.width + left) * 4
                let d = from.start + (bottom * from.width + right) * 4
                let target = to.start + (y * to.width + x) * 4
                for channel in 0..<4 {
                    let (upper, lower) = (
                        UInt16(out[a + channel]) + UInt16(out[b + channel]),
                        UInt16(out[c + channel]) + UInt16(out[d + channel])
                    )
                    out[target + channel] = UInt8(truncatingIfNeeded: (upper + lower + 2) / 4)
                }
            }
        }
        levels.append(to)
    }
}

/// How a picture goes on beyond its edges, and between its pixels.
struct TextureSampling: Sendable {
    enum Edge: Sendable {
        case wrap, mirror, mirrorOnce, clamp
        /// With the border's colour.
        case border
    }

    enum Levels: Sendable {
        case first, nearest, blended
    }

    var across = Edge.wrap
    var down = Edge.wrap
    /// Between pixels, where the picture is made smaller and larger.
    var isSmoothSmaller = true
    var isSmoothLarger = true
    var levels = Levels.blended
    var border = SIMD4<Float>.zero

    init() {}

    /// - Parameter isLiteral: Whether what is not said is as the specification has it, rather than as looks best.
    init(_ sampler: Material.Texture.Sampler, isLiteral: Bool) {
        across = Edge(sampler.wrapS)
        down = Edge(sampler.wrapT)
        if let color = sampler.borderColor {
            border = SIMD4(Float(color.x), Float(color.y), Float(color.z), Float(color.w))
        }
        switch sampler.minFilter {
        case nil, .some(.none): if isLiteral { levels = .first }
        case .nearest: (isSmoothSmaller, levels) = (false, .first)
        case .linear: levels = isLiteral ? .first : .blended
        case .anisotropic, .linearMipmapLinear: break
        case .nearestMipmapNearest: (isSmoothSmaller, levels) = (false, .nearest)
        case .linearMipmapNearest: levels = .nearest
        case .nearestMipmapLinear: isSmoothSmaller = false
        }
        switch sampler.mipFilter {
        case nil: break
        case .some(.none): if sampler.minFilter != nil { levels = .first }
        case .nearest, .nearestMipmapNearest, .linearMipmapNearest: levels = .nearest
        case .linear, .anisotropic, .nearestMipmapLinear, .linearMipmapLinear: levels = .blended
        }
        switch sampler.magFilter {
        case .nearest, .nearestMipmapNearest, .nearestMipmapLinear: isSmoothLarger = false
        case nil, .some(.none), .linear, .anisotropic, .linearMipmapNearest, .linearMipmapLinear: break
        }
    }
}

extension TextureSampling.Edge {
    fileprivate init(_ wrap: Material.Texture.Wrap?) {
        switch wrap {
        case nil, .wrap: self = .wrap
        case .mirror: self = .mirror
        case .mirrorOnce: self = .mirrorOnce
        case .clamp: self = .clamp
        // Beyond the edge there is no picture.
        case .border, .some(.none): self = .border
        }
    }

    /// Where a pixel is found that may lie beyond the edge; `nil` for the border.
    @inline(__always)
    func settled(_ place: Int, _ count: Int) -> Int? {
        if place >= 0, place < count { return place }
        switch self {
        case .wrap:
            let rest = place % count
            return rest < 0 ? rest + count : rest
        case .mirror:
            let rest = place % (2 * count)
            let forth = rest < 0 ? rest + 2 * count : rest
            return forth < count ? forth : 2 * count - 1 - forth
        case .mirrorOnce:
            let forth = place < 0 ? -1 - place : place
            return Swift.min(forth, count - 1)
        case .clamp: return place < 0 ? 0 : count - 1
        case .border: return nil
        }
    }
}

extension TextureImage {
    /// The colour at a place, 0...1 each.
    ///
    /// - Parameters:
    ///   - place: To the right and up, 0...1 within the picture.
    ///   - level: log2 of pixels of the picture in one of the screen.
    func sample(_ place: SIMD2<Float>, level: Float, _ sampling: TextureSampling) -> SIMD4<Float> {
        guard place.x.isFinite, place.y.isFinite, abs(place.x) < 1e6, abs(place.y) < 1e6 else { return sampling.border }
        if level <= 0 { return sample(place, levels[0], sampling, isSmooth: sampling.isSmoothLarger) }
        let smooth = sampling.isSmoothSmaller
        let last = levels.count - 1
        switch sampling.levels {
        case .first: return sample(place, levels[0], sampling, isSmooth: smooth)
        case .nearest:
            let chosen = min(last, Int(min(64, level + 0.5)))
            return sample(place, levels[chosen], sampling, isSmooth: smooth)
        case .blended:
            let level = min(level, Float(last))
            let lower = min(last, Int(level))
            let share = level - Float(lower)
            let one = sample(place, levels[lower], sampling, isSmooth: smooth)
            guard share > 0, lower < last else { return one }
            return one * (1 - share) + sample(place, levels[lower + 1], sampling, isSmooth: smooth) * share
        }
    }

    private func sample(
        _ place: SIMD2<Float>, _ level: Level, _ sampling: TextureSampling, isSmooth: Bool
    ) -> SIMD4<Float> {
        let x = place.x * Float(level.width)
        let y = (1 - place.y) * Float(level.height)
        guard isSmooth else {
            return pixel(Int(x.rounded(.down)), Int(y.rounded(.down)), level, sampling)
        }
        let (left, top) = ((x - 0.5).rounded(.down), (y - 0.5).rounded(.down))
        let (right, bottom) = (x - 0.5 - left, y - 0.5 - top)
        let (x0, y0) = (Int(left), Int(top))
        let upper =
            pixel(x0, y0, level, sampling) * (1 - right) + pixel(x0 + 1, y0, level, sampling) * right
        let lower =
            pixel(x0, y0 + 1, level, sampling) * (1 - right) + pixel(x0 + 1, y0 + 1, level, sampling) * right
        return upper * (1 - bottom) + lower * bottom
    }

    @inline(__always)
    private func pixel(_ x: Int, _ y: Int, _ level: Level, _ sampling: TextureSampling) -> SIMD4<Float> {
        guard let x = sampling.across.settled(x, level.width), let y = sampling.down.settled(y, level.height) else {
            return sampling.border
        }
        let start = level.start + (y * level.width + x) * 4
        let words = SIMD4(bytes[start], bytes[start + 1], bytes[start + 2], bytes[start + 3])
        return SIMD4<Float>(words) * (1 / 255)
    }
}
