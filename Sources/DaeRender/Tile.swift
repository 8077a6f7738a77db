// Coverage is whole numbers throughout: of two triangles that share an edge each sample belongs to exactly one.

import DaeMesh

/// Draws one tile after the other; each thread has its own.
struct TilePainter {
    /// A sample that a clear face covers.
    private struct Fragment {
        let depth: Float
        let face: UInt32
        /// Of the tile.
        let sample: UInt32
    }

    private let frame: Frame
    private var shader: Shader
    private let offsets: [SampleOffset]
    /// Nearest so far, of each sample; 0 is endlessly far.
    private var depths: [Float]
    /// Which face that is.
    private var faces: [UInt32]
    private var fragments: [Fragment] = []
    /// Whether more clear faces lay over each other than can be kept.
    private(set) var hasDropped = false
    /// Of the tile, in pixels.
    private var left = 0
    private var top = 0
    private var width = 0
    private var height = 0

    /// 256ths of a pixel from its upper left.
    private struct SampleOffset {
        let x: Int64
        let y: Int64
    }

    private static let nothing = UInt32.max
    private static let middle = SampleOffset(x: 128, y: 128)

    init(_ frame: Frame) {
        self.frame = frame
        shader = Shader(frame)
        offsets = Self.offsets(frame.samples)
        let count = TileLists.side * TileLists.side * frame.samples
        depths = [Float](repeating: 0, count: count)
        faces = [UInt32](repeating: Self.nothing, count: count)
    }

    /// Rooks on a chess board: none shares a row or column with another.
    private static func offsets(_ samples: Int) -> [SampleOffset] {
        switch samples {
        case 1: [SampleOffset(x: 128, y: 128)]
        case 4: [(96, 32), (224, 96), (32, 160), (160, 224)].map { SampleOffset(x: $0.0, y: $0.1) }
        default:
            (0..<16).map { index in
                // The columns in the order of their reversed bits, row after row.
                let column = (index & 1) << 3 | (index & 2) << 1 | (index & 4) >> 1 | (index & 8) >> 3
                return SampleOffset(x: Int64(column * 16 + 8), y: Int64(index * 16 + 8))
            }
        }
    }

    /// The pixels of a tile, its upper row first, red, green, blue and alpha of each.
    mutating func paint(_ tile: Int) -> [UInt8] {
        left = tile % frame.tiles.across * TileLists.side
        top = tile / frame.tiles.across * TileLists.side
        width = min(TileLists.side, frame.view.width - left)
        height = min(TileLists.side, frame.view.height - top)
        let range = frame.tiles.range(tile)
        for index in depths.indices { (depths[index], faces[index]) = (frame.view.farDepth, Self.nothing) }
        fragments.removeAll(keepingCapacity: true)
        let hasClear = cover(range, clear: false)
        if hasClear { _ = cover(range, clear: true) }
        return resolve()
    }

    // MARK: - Coverage

    /// - Returns: Whether there are clear faces.
    private mutating func cover(_ range: Range<Int>, clear: Bool) -> Bool {
        var hasClear = false
        let (entries, vertices) = (frame.tiles.entries, frame.vertices)
        var (first, end, base) = (0, 0, 0)
        var (isClear, isWhole) = (false, false)
        var indices: [UInt32] = []
        for place in range {
            let entry = entries[place]
            let piece = entry & TileLists.pieceBit != 0 ? frame.pieces[Int(entry & ~TileLists.pieceBit)] : nil
            let face = Int(piece?.face ?? entry)
            if face < first || face >= end {
                let draw = frame.draw(of: face)
                first = frame.draws[draw].firstFace
                end = first + frame.draws[draw].faces
                base = frame.draws[draw].firstVertex
                isClear = frame.draws[draw].isClear
                isWhole = frame.hasWholeLines && frame.draws[draw].part.topology == .lines
                indices = frame.draws[draw].part.indices
            }
            hasClear = hasClear || isClear
            guard isClear == clear else { continue }
            if let piece {
                cover(piece.a, piece.b, piece.c, piece.face, clear: clear, whole: isWhole)
            } else {
                let corner = 3 * (face - first)
                cover(
                    vertices[base + Int(indices[corner])], vertices[base + Int(indices[corner + 1])],
                    vertices[base + Int(indices[corner + 2])], entry, clear: clear, whole: false)
            }
        }
        return hasClear
    }

    /// - Parameter whole: Whether a pixel is covered as its middle is.
    @inline(__always)
    private mutating func cover(
        _ a: ScreenVertex, _ one: ScreenVertex, _ other: ScreenVertex, _ face: UInt32, clear: Bool, whole: Bool
    ) {
        let twice = Edge(a, one).value(Int64(other.x), Int64(other.y))
        guard twice != 0 else { return }
        let (b, c) = twice > 0 ? (one, other) : (other, one)
        let x0 = max(left, Int(min(a.x, b.x, c.x)) >> 8)
        let x1 = min(left + width - 1, Int(max(a.x, b.x, c.x)) >> 8)
        let y0 = max(top, Int(min(a.y, b.y, c.y)) >> 8)
        let y1 = min(top + height - 1, Int(max(a.y, b.y, c.y)) >> 8)
        guard x0 <= x1, y0 <= y1 else { return }
        let (ab, bc, ca) = (Edge(a, b), Edge(b, c), Edge(c, a))
        // The depth is a plane over the screen.
        let area = Double(abs(twice))
        let (rise1, rise2) = (Double(b.depth) - Double(a.depth), Double(c.depth) - Double(a.depth))
        let slopeX = (rise1 * Double(-ca.dy) - rise2 * Double(ab.dy)) / area
        let slopeY = (rise2 * Double(ab.dx) - rise1 * Double(-ca.dx)) / area
        let (least, most) = (min(a.depth, b.depth, c.depth), max(a.depth, b.depth, c.depth))
        let samples = frame.samples
        for y in y0...y1 {
            let py = Int64(y) << 8
            for x in x0...x1 {
                let px = Int64(x) << 8
                let e0 = ab.value(px, py) &+ ab.bias
                let e1 = bc.value(px, py) &+ bc.bias
                let e2 = ca.value(px, py) &+ ca.bias
                // A pixel that lies beyond one edge altogether.
                if e0 &+ ab.most < 0 || e1 &+ bc.most < 0 || e2 &+ ca.most < 0 { continue }
                let start = ((y - top) * TileLists.side + x - left) * samples
                let base = Double(a.depth) + slopeX * Double(px - Int64(a.x)) + slopeY * Double(py - Int64(a.y))
                for index in 0..<samples {
                    let offset = whole ? Self.middle : offsets[index]
                    let inside =
                        (e0 &+ ab.dx &* offset.y &- ab.dy &* offset.x)
                        | (e1 &+ bc.dx &* offset.y &- bc.dy &* offset.x)
                        | (e2 &+ ca.dx &* offset.y &- ca.dy &* offset.x)
                    guard inside >= 0 else { continue }
                    let exact = base + slopeX * Double(offset.x) + slopeY * Double(offset.y)
                    let depth = min(max(Float(exact), least), most)
                    let sample = start + index
                    let known = depths[sample]
                    if clear {
                        guard depth > known else { continue }
                        guard fragments.count < frame.mostFragments else {
                            hasDropped = true
                            return
                        }
                        fragments.append(
                            Fragment(depth: depth, face: face, sample: UInt32(truncatingIfNeeded: sample)))
                    } else if depth > known || (depth == known && face > faces[sample]) {
                        depths[sample] = depth
                        faces[sample] = face
                    }
                }
            }
        }
    }

    // MARK: - Colours

    private mutating func resolve() -> [UInt8] {
        let samples = frame.samples
        var pixels = [UInt8](repeating: 0, count: width * height * 4)
        let behind = frame.background
        let ground = SIMD4(behind.x * behind.w, behind.y * behind.w, behind.z * behind.w, behind.w)
        let groups = FragmentGroups(fragments.map(\.sample), pixels: TileLists.side * TileLists.side, samples: samples)
        // Of the samples of one pixel, colours times alpha.
        var colors = [SIMD4<Float>](repeating: ground, count: samples)
        for y in 0..<height {
            for x in 0..<width {
                let pixel = y * TileLists.side + x
                let place = SIMD2(Double(left + x), Double(top + y))
                let isCovered = fillOpaque(pixel, place, ground, &colors)
                let clear = groups.range(pixel)
                guard isCovered || !clear.isEmpty else {
                    pixels.put(ground, at: (y * width + x) * 4)
                    continue
                }
                if !clear.isEmpty { blend(groups.order[clear], pixel, place, &colors) }
                var sum = SIMD4<Float>.zero
                for color in colors { sum += color }
                pixels.put(sum / Float(samples), at: (y * width + x) * 4)
            }
        }
        return pixels
    }

    /// Each face once, in the middle of the samples that it covers.
    private mutating func fillOpaque(
        _ pixel: Int, _ place: SIMD2<Double>, _ ground: SIMD4<Float>, _ colors: inout [SIMD4<Float>]
    ) -> Bool {
        let samples = frame.samples
        let start = pixel * samples
        let first = faces[start]
        var (isCovered, isSame) = (first != Self.nothing, true)
        for sample in 1..<max(1, samples) {
            let face = faces[start + sample]
            if face != first { isSame = false }
            if face != Self.nothing { isCovered = true }
        }
        guard isCovered else {
            for sample in 0..<samples { colors[sample] = ground }
            return false
        }
        if isSame {
            let color = shader.shade(first, at: place + 0.5)
            for sample in 0..<samples { colors[sample] = SIMD4(color.x, color.y, color.z, 1) }
            return true
        }
        var done: UInt32 = 0
        for sample in 0..<samples where done & 1 << UInt32(sample) == 0 {
            let face = faces[start + sample]
            guard face != Self.nothing else {
                colors[sample] = ground
                continue
            }
            var (count, middle) = (0.0, SIMD2<Double>.zero)
            var mask: UInt32 = 0
            for other in sample..<samples where faces[start + other] == face {
                mask |= 1 << UInt32(other)
                count += 1
                middle += SIMD2(Double(offsets[other].x), Double(offsets[other].y))
            }
            let color = shader.shade(face, at: place + middle / (256 * count))
            for other in sample..<samples where mask & 1 << UInt32(other) != 0 {
                colors[other] = SIMD4(color.x, color.y, color.z, 1)
            }
            done |= mask
        }
        return true
    }

    /// Lays clear faces over what is behind them, the farthest first.
    private mutating func blend(
        _ order: ArraySlice<UInt32>, _ pixel: Int, _ place: SIMD2<Double>, _ colors: inout [SIMD4<Float>]
    ) {
        let samples = frame.samples
        let byFace = order.sorted {
            let (one, other) = (fragments[Int($0)], fragments[Int($1)])
            return (one.face, one.sample) < (other.face, other.sample)
        }
        var shades: [(fragment: Fragment, color: SIMD4<Float>)] = []
        shades.reserveCapacity(byFace.count)
        var start = 0
        while start < byFace.count {
            let face = fragments[Int(byFace[start])].face
            var end = start
            var middle = SIMD2<Double>.zero
            while end < byFace.count, fragments[Int(byFace[end])].face == face {
                let offset = offsets[Int(fragments[Int(byFace[end])].sample) - pixel * samples]
                middle += SIMD2(Double(offset.x), Double(offset.y))
                end += 1
            }
            let color = shader.shade(face, at: place + middle / (256 * Double(end - start)))
            for index in start..<end { shades.append((fragments[Int(byFace[index])], color)) }
            start = end
        }
        shades.sort { one, other in
            let (a, b) = (one.fragment, other.fragment)
            return (a.sample, a.depth, a.face) < (b.sample, b.depth, b.face)
        }
        for (fragment, color) in shades {
            let sample = Int(fragment.sample) - pixel * samples
            let opacity = color.w
            let over = SIMD4(color.x * opacity, color.y * opacity, color.z * opacity, opacity)
            colors[sample] = over + colors[sample] * (1 - opacity)
        }
    }
}

extension Edge {
    /// By how much a point of a pixel may be above its upper left.
    @inline(__always)
    fileprivate var most: Int64 { max(0, dx &* 256) &+ max(0, 0 &- dy &* 256) }
}

extension [UInt8] {
    /// Puts a colour that is multiplied by its alpha.
    @inline(__always)
    fileprivate mutating func put(_ color: SIMD4<Float>, at place: Int) {
        var plain = color
        if color.w > 0, color.w < 1 { plain = SIMD4(color.x, color.y, color.z, color.w * color.w) / color.w }
        for channel in 0..<4 {
            self[place + channel] = UInt8(Swift.min(255, Swift.max(0, plain[channel] * 255 + 0.5)))
        }
    }
}

/// Numbers of fragments by the pixel that they are in.
private struct FragmentGroups {
    private var starts: [Int32] = []
    private(set) var order: [UInt32] = []

    init(_ sampled: [UInt32], pixels: Int, samples: Int) {
        guard !sampled.isEmpty else { return }
        starts = [Int32](repeating: 0, count: pixels + 1)
        for sample in sampled { starts[Int(sample) / samples + 1] += 1 }
        for pixel in 0..<pixels { starts[pixel + 1] += starts[pixel] }
        var next = starts
        order = [UInt32](repeating: 0, count: sampled.count)
        for (index, sample) in sampled.enumerated() {
            let pixel = Int(sample) / samples
            order[Int(next[pixel])] = UInt32(truncatingIfNeeded: index)
            next[pixel] += 1
        }
    }

    func range(_ pixel: Int) -> Range<Int> {
        starts.isEmpty ? 0..<0 : Int(starts[pixel])..<Int(starts[pixel + 1])
    }
}
