import DaeScene

extension DaeScene.Mesh {
    /// With the streams in the order in which primitives use them, each used one once, and those of `<vertices>` last.
    ///
    /// - Parameter inVertices: How many of the streams, from the first, stand in `<vertices>`.
    func normalised(inVertices: Int) -> DaeScene.Mesh {
        var order: [Int] = []
        var places: [Int: Int] = [:]
        for stream in primitives.flatMap({ $0.inputs.map(\.stream) }) + (0..<inVertices) where places[stream] == nil {
            places[stream] = order.count
            order.append(stream)
        }
        var mesh = self
        mesh.streams = order.map { streams[$0] }
        for primitive in mesh.primitives.indices {
            for input in mesh.primitives[primitive].inputs.indices {
                let stream = mesh.primitives[primitive].inputs[input].stream
                mesh.primitives[primitive].inputs[input].stream = places[stream] ?? 0
            }
        }
        return mesh
    }
}

// MARK: - Figures, told from the finished mesh and not as the parser does it

extension DaeScene.Mesh {
    /// What a reader is to find: its figures, its positions, and which of them its primitives use.
    var figures: (measure: MeshMeasure, positions: NumberArray<Double>, used: [UInt64]) {
        var measure = MeshMeasure()
        guard let stream = streams.first(where: { $0.semantic == .position }) else { return (measure, [], []) }
        measure.positions = stream.count
        var used: Set<Int32> = []
        for primitive in primitives where primitive.corners > 0 {
            let offset = primitive.inputs.first { streams[$0.stream].semantic == .position }?.offset ?? 0
            let corners = (0..<primitive.corners).map { primitive.indices[$0 * primitive.stride + offset] }
            used.formUnion(corners)
            measure.submeshes += 1
            let rings = primitive.rings(of: corners)
            switch primitive.kind {
            case .lines, .linestrips: measure.lines += rings.reduce(0) { $0 + $1.count - 1 }
            case .tristrips, .trifans:
                let triangles = rings.reduce(0) { $0 + $1.count - 2 }
                measure.triangles += triangles
                measure.faceCorners += 3 * triangles
            case .triangles, .polylist, .polygons:
                let holes = primitive.holeCounts.reduce(0) { $0 + Int($1) }
                // A hole adds its corners and the two ends of the bridge to it.
                measure.triangles += corners.count + 2 * holes - 2 * (rings.count - holes)
                measure.faceCorners += corners.count
                measure.degenerateFaces += rings.count { ring in
                    zip(ring, ring.dropFirst() + ring.prefix(1)).contains { $0 == $1 }
                }
            }
        }
        let points = used.sorted().map { index in
            SIMD3(
                stream.value(Int(index), lane: 0), stream.value(Int(index), lane: 1),
                stream.value(Int(index), lane: 2))
        }
        for point in points {
            if measure.bounds == nil { measure.bounds = Bounds(point) }
            measure.bounds?.formUnion(point)
        }
        let positions = NumberArray(
            (0..<stream.count).flatMap { index in (0..<3).map { stream.value(index, lane: $0) } })
        guard used.count < stream.count else { return (measure, positions, []) }
        var bits = [UInt64](repeating: 0, count: (stream.count + 63) / 64)
        for index in used { bits[Int(index) / 64] |= 1 << UInt64(index % 64) }
        return (measure, positions, bits)
    }
}

extension DaeScene.Mesh.Primitive {
    /// The corners of each face, ring, strip or segment.
    func rings<Corner>(of corners: [Corner]) -> [ArraySlice<Corner>] {
        let counts: [Int]
        switch kind {
        case .triangles: counts = [Int](repeating: 3, count: corners.count / 3)
        case .lines: counts = [Int](repeating: 2, count: corners.count / 2)
        case .polylist, .polygons, .tristrips, .trifans, .linestrips: counts = cornerCounts.map(Int.init)
        }
        var start = 0
        return counts.map { count in
            defer { start += count }
            return corners[start..<start + count]
        }
    }
}
