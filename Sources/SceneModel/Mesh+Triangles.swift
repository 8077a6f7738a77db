extension Mesh {
    /// A primitive as triangles.
    public struct Triangles: Sendable, Equatable {
        /// Three a triangle: places of corners in the primitive, so that every stream's index follows.
        public var corners: [Int32]
        /// What was met on the way: degenerate triangles, concave polygons, …
        public var summary: Triangulation
    }

    /// Cuts a primitive into triangles; empty for lines. Every polygon gives its full count, degenerate ones included.
    ///
    /// - Parameter triangulator: Used again for each primitive, so that its room is.
    public func triangles(of primitive: Primitive, using triangulator: inout Triangulator) -> Triangles {
        var result = Triangles(corners: [], summary: Triangulation())
        switch primitive.kind {
        case .lines, .linestrips: break
        case .triangles:
            let whole = primitive.corners / 3 * 3
            result.corners = (0..<Int32(clamping: whole)).map { $0 }
            result.summary.triangles = whole / 3
        case .tristrips: unroll(primitive, into: &result) { StripsAndFans.unroll(strip: $0, into: &$1) }
        case .trifans: unroll(primitive, into: &result) { StripsAndFans.unroll(fan: $0, into: &$1) }
        case .polylist, .polygons: cut(primitive, into: &result, &triangulator)
        }
        return result
    }

    /// Unrolls each strip or fan of a primitive.
    private func unroll(
        _ primitive: Primitive, into result: inout Triangles, _ unroll: (Span<Int32>, inout [Int32]) -> Triangulation
    ) {
        let offset = positionInput(of: primitive)?.offset ?? 0
        var start = 0
        for count in primitive.cornerCounts {
            let end = start + max(0, Int(count))
            guard end <= primitive.corners else { return }
            let corners = (start..<end).map { primitive.indices[$0 * primitive.stride + offset] }
            let before = result.corners.count
            result.summary += unroll(corners.span, &result.corners)
            for place in before..<result.corners.count { result.corners[place] += Int32(clamping: start) }
            start = end
        }
    }

    /// The input whose positions polygons are cut by.
    package func positionInput(of primitive: Primitive) -> Primitive.Input? {
        primitive.inputs.first { streams[$0.stream].semantic == .position && $0.offset < primitive.stride }
    }

    private func cut(_ primitive: Primitive, into result: inout Triangles, _ triangulator: inout Triangulator) {
        guard let input = positionInput(of: primitive) else { return }
        let positions = tripled(streams[input.stream])
        let count = Int32(clamping: positions.count / 3)
        var corners: [Int32] = []
        var rings: [Range<Int>] = []
        var cut: [Int32] = []
        var start = 0
        var ring = 0
        var polygon = 0
        while ring < primitive.cornerCounts.count {
            let holes = polygon < primitive.holeCounts.count ? max(0, Int(primitive.holeCounts[polygon])) : 0
            let last = min(primitive.cornerCounts.count, ring + 1 + holes)
            corners.removeAll(keepingCapacity: true)
            rings.removeAll(keepingCapacity: true)
            for size in primitive.cornerCounts[ring..<last] {
                let end = corners.count + max(0, Int(size))
                guard start + end <= primitive.corners else { return }
                rings.append(corners.count..<end)
                for corner in start + corners.count..<start + end {
                    let index = primitive.indices[corner * primitive.stride + input.offset]
                    // An index beyond the source was told when it was read; the first position stands for it.
                    corners.append((0..<count).contains(index) ? index : 0)
                }
            }
            cut.removeAll(keepingCapacity: true)
            if count > 0 {
                let met =
                    rings.count == 1
                    ? triangulator.triangulate(corners: corners.span, positions: positions.span, into: &cut)
                    : triangulator.triangulate(
                        corners: corners.span, rings: rings.span, positions: positions.span, into: &cut)
                result.summary += met
                result.corners += cut.lazy.map { $0 + Int32(clamping: start) }
            }
            start += corners.count
            ring = last
            polygon += 1
        }
    }

    /// A stream's elements as x y z; the array itself where it is that already.
    private func tripled(_ stream: Stream) -> [Double] { stream.tripled.values }
}

extension Mesh.Stream {
    /// The same elements as x y z after x y z; itself where it is that already.
    package var tripled: Mesh.Stream {
        if offset == 0 && stride == 3 && lanes == [0, 1, 2] { return self }
        let values = (0..<count).flatMap { index in (0..<3).map { value(index, lane: $0) } }
        return Mesh.Stream(semantic: semantic, values: values, offset: 0, stride: 3, lanes: [0, 1, 2], count: count)
    }
}
