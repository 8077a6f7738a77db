// First it is counted what everything would cost, so that a scene that asks for too much is cut at the same place on any
// number of threads; then it is done.

import DaeMesh

/// Puts triangles and lines into the tiles that they touch.
struct Binning: Sendable {
    let frame: Frame

    /// Some triangles or lines of one draw.
    struct Chunk: Sendable {
        let draw: Int
        /// Within the draw.
        var faces: Range<Int>
    }

    struct Cost: Sendable {
        /// Pixels that are asked whether they are covered.
        var coverage: Int64 = 0
        /// Entries of tiles.
        var references = 0
    }

    private static let chunk = 8192

    /// All that there is to draw.
    var chunks: [Chunk] {
        var chunks: [Chunk] = []
        for (index, draw) in frame.draws.enumerated() {
            for start in stride(from: 0, to: draw.faces, by: Self.chunk) {
                chunks.append(Chunk(draw: index, faces: start..<min(draw.faces, start + Self.chunk)))
            }
        }
        return chunks
    }

    func cost(of chunk: Chunk) -> Cost {
        var cost = Cost()
        visit(chunk) { _, a, b, c in cost.add(box(a, b, c)) }
        return cost
    }

    /// The faces of a chunk that some cost is left for.
    func affordable(_ chunk: Chunk, _ left: Cost) -> Chunk {
        var cost = Cost()
        var end = chunk.faces.upperBound
        visit(chunk) { face, a, b, c in
            cost.add(box(a, b, c))
            if cost.coverage > left.coverage || cost.references > left.references {
                end = min(end, face - frame.draws[chunk.draw].firstFace)
            }
        }
        return Chunk(draw: chunk.draw, faces: chunk.faces.lowerBound..<max(chunk.faces.lowerBound, end))
    }

    func entries(of chunk: Chunk) -> TileEntries {
        var result = TileEntries()
        visit(chunk) { face, a, b, c, isPiece in
            guard let box = box(a, b, c) else { return }
            var entry = UInt32(truncatingIfNeeded: face)
            if isPiece {
                entry = TileLists.pieceBit | UInt32(truncatingIfNeeded: result.pieces.count)
                result.pieces.append(Piece(face: UInt32(truncatingIfNeeded: face), a: a, b: b, c: c))
            }
            let isLarge = box.tiles > 4
            for row in box.top / TileLists.side...box.bottom / TileLists.side {
                for column in box.left / TileLists.side...box.right / TileLists.side {
                    if isLarge, Self.misses(a, b, c, column, row) { continue }
                    result.tiles.append(UInt32(truncatingIfNeeded: row * frame.tiles.across + column))
                    result.entries.append(entry)
                }
            }
        }
        return result
    }

    // MARK: - What a chunk has on the screen

    private func visit(_ chunk: Chunk, _ body: (Int, ScreenVertex, ScreenVertex, ScreenVertex) -> Void) {
        visit(chunk) { face, a, b, c, _ in body(face, a, b, c) }
    }

    private func visit(_ chunk: Chunk, _ body: (Int, ScreenVertex, ScreenVertex, ScreenVertex, Bool) -> Void) {
        let draw = frame.draws[chunk.draw]
        let (indices, vertices, first) = (draw.part.indices, frame.vertices, draw.firstVertex)
        switch draw.part.topology {
        case .triangles:
            for face in chunk.faces {
                let a = vertices[first + Int(indices[3 * face])]
                let b = vertices[first + Int(indices[3 * face + 1])]
                let c = vertices[first + Int(indices[3 * face + 2])]
                if a.isOutside || b.isOutside || c.isOutside {
                    let corners = (0..<3).map { point(Int(indices[3 * face + $0]), draw) }
                    fan(Clipper.clip(corners)) { body(draw.firstFace + face, $0, $1, $2, true) }
                } else {
                    body(draw.firstFace + face, a, b, c, false)
                }
            }
        case .lines:
            for face in chunk.faces {
                let ends = Clipper.clip((0..<2).map { point(Int(indices[2 * face + $0]), draw) })
                guard ends.count == 2 else { continue }
                // From whichever end it is written, it covers the same samples.
                let (one, other) = (ScreenVertex(Self.onNear(ends[0])), ScreenVertex(Self.onNear(ends[1])))
                let isForth = (one.x, one.y, one.depth) <= (other.x, other.y, other.depth)
                band(isForth ? one : other, isForth ? other : one) { body(draw.firstFace + face, $0, $1, $2, true) }
            }
        }
    }

    private func point(_ vertex: Int, _ draw: Draw) -> SIMD4<Double> {
        draw.toScreen.homogeneous(draw.part.positions.triple(vertex))
    }

    private func fan(
        _ corners: [SIMD4<Double>], _ body: (ScreenVertex, ScreenVertex, ScreenVertex) -> Void
    ) {
        guard corners.count >= 3 else { return }
        let points = corners.map { ScreenVertex(Self.onNear($0)) }
        for index in 2..<points.count where !points[0].isOutside && !points[index - 1].isOutside {
            if !points[index].isOutside { body(points[0], points[index - 1], points[index]) }
        }
    }

    /// Rounding may leave a cut corner a little before the near plane.
    private static func onNear(_ point: SIMD4<Double>) -> SIMD4<Double> {
        SIMD4(point.x, point.y, min(point.z, point.w), point.w)
    }

    /// A line as a band of two triangles.
    private func band(
        _ start: ScreenVertex, _ end: ScreenVertex, _ body: (ScreenVertex, ScreenVertex, ScreenVertex) -> Void
    ) {
        guard !start.isOutside, !end.isOutside else { return }
        let (dx, dy) = (Double(end.x) - Double(start.x), Double(end.y) - Double(start.y))
        let length = (dx * dx + dy * dy).squareRoot()
        // One without a length is a point.
        let along = length > 0 ? SIMD2(dx / length, dy / length) : SIMD2(1, 0)
        let half: Double
        let across: SIMD2<Double>
        if frame.hasWholeLines {
            half = 128
            across = abs(along.x) >= abs(along.y) ? SIMD2(0, along.x < 0 ? -1 : 1) : SIMD2(along.y < 0 ? 1 : -1, 0)
        } else {
            half = Frame.halfLine
            across = SIMD2(-along.y, along.x)
        }
        func corner(_ vertex: ScreenVertex, _ forth: Double, _ side: Double) -> ScreenVertex {
            let shift = (along * forth + across * side) * half
            return ScreenVertex(
                x: vertex.x &+ Int32(shift.x.rounded()), y: vertex.y &+ Int32(shift.y.rounded()), depth: vertex.depth)
        }
        let room = length > 0 ? 0.0 : 1.0
        let (a, b) = (corner(start, -room, 1), corner(start, -room, -1))
        let (c, d) = (corner(end, room, 1), corner(end, room, -1))
        body(a, b, c)
        body(c, b, d)
    }

    // MARK: - Boxes

    struct Box {
        /// Pixels, both ends within the picture.
        let left: Int
        let right: Int
        let top: Int
        let bottom: Int

        var tiles: Int {
            (right / TileLists.side - left / TileLists.side + 1) * (bottom / TileLists.side - top / TileLists.side + 1)
        }
        var pixels: Int64 { Int64(right - left + 1) * Int64(bottom - top + 1) }
    }

    /// `nil` for a triangle without an area, or that is not in the picture.
    private func box(_ a: ScreenVertex, _ b: ScreenVertex, _ c: ScreenVertex) -> Box? {
        let left = max(0, Int(min(a.x, b.x, c.x)) >> 8)
        let right = min(frame.view.width - 1, Int(max(a.x, b.x, c.x)) >> 8)
        let top = max(0, Int(min(a.y, b.y, c.y)) >> 8)
        let bottom = min(frame.view.height - 1, Int(max(a.y, b.y, c.y)) >> 8)
        guard left <= right, top <= bottom else { return nil }
        return Box(left: left, right: right, top: top, bottom: bottom)
    }

    /// Whether all of a tile lies on the outer side of one edge.
    private static func misses(_ a: ScreenVertex, _ b: ScreenVertex, _ c: ScreenVertex, _ column: Int, _ row: Int)
        -> Bool
    {
        let side = Int64(TileLists.side * 256)
        let (left, top) = (Int64(column) * side, Int64(row) * side)
        let isTurned = Edge(a, b).value(Int64(c.x), Int64(c.y)) < 0
        let edges = isTurned ? [Edge(b, a), Edge(c, b), Edge(a, c)] : [Edge(a, b), Edge(b, c), Edge(c, a)]
        return edges.contains { edge in
            let most = edge.value(edge.dy < 0 ? left + side : left, edge.dx > 0 ? top + side : top)
            return most < 0
        }
    }
}

extension Binning.Cost {
    fileprivate mutating func add(_ box: Binning.Box?) {
        guard let box else { return }
        coverage += box.pixels
        references += box.tiles
    }
}

/// The side of a triangle: 0 or more on its inner side, where the triangle is turned so.
struct Edge {
    let dx: Int64
    let dy: Int64
    private let x: Int64
    private let y: Int64
    /// 0 where a point on the edge belongs to this triangle, −1 where it is its neighbour's.
    let bias: Int64

    @inline(__always)
    init(_ from: ScreenVertex, _ to: ScreenVertex) {
        (x, y) = (Int64(from.x), Int64(from.y))
        (dx, dy) = (Int64(to.x) - x, Int64(to.y) - y)
        // The two that share an edge go along it in opposite directions.
        bias = dy < 0 || (dy == 0 && dx > 0) ? 0 : -1
    }

    /// Of a point in 256ths of a pixel. Numbers within the guard band cannot leave the range.
    @inline(__always)
    func value(_ px: Int64, _ py: Int64) -> Int64 { dx &* (py &- y) &- dy &* (px &- x) }
}
