import DaeScene

extension ColladaWriter {
    mutating func geometry(_ geometry: Geometry) -> String {
        let attributes: KeyValuePairs = ["id": geometry.id, "name": geometry.name]
        guard let mesh = geometry.mesh else { return Markup.element("geometry", attributes) }
        // A hull of its own numbers is a mesh all the same.
        let element = dice.chance(0.1) ? "convex_mesh" : "mesh"
        return Markup.element("geometry", attributes, Markup.element(element, [:], content(of: mesh)))
    }

    private mutating func content(of mesh: DaeScene.Mesh) -> String {
        var list = SourceList.sharing
        var sources: [String] = []
        for (index, stream) in mesh.streams.enumerated() {
            // One source may be read as two things.
            let twin = mesh.streams[..<index].firstIndex { $0.reads(asMuchAs: stream) }
            if let twin, dice.chance(0.7) {
                sources.append(sources[twin])
            } else {
                sources.append(
                    addSource(
                        stream.values.array, offset: stream.offset, stride: stream.stride, count: stream.count,
                        params(of: stream), to: &list))
            }
        }
        let inVertices = mesh.streamsInVertices
        let vertices = newID()
        let vertexInputs = inVertices.map { input(mesh.streams[$0].semantic.name, sources[$0]) }
        let primitives = mesh.primitives.map { primitive in
            self.primitive(primitive, of: mesh, inVertices: inVertices.count, sources, vertices)
        }
        return list.text + Markup.element("vertices", ["id": vertices], vertexInputs.joined()) + primitives.joined()
    }

    /// Numbers that do not count have no name; those behind the last one that does are left out.
    private func params(of stream: DaeScene.Mesh.Stream) -> [Param] {
        var params = [Param](repeating: Param(), count: (stream.lanes.max() ?? 0) + 1)
        let isAxes = stream.semantic.isDirection && stream.lanes.count == 3
        let names = isAxes ? ["X", "Y", "Z"] : ["S", "T", "P", "Q"]
        for (lane, name) in zip(stream.lanes, names) { params[lane].name = name }
        return params
    }

    private mutating func primitive(
        _ primitive: DaeScene.Mesh.Primitive, of mesh: DaeScene.Mesh, inVertices: Int, _ sources: [String],
        _ vertices: String
    ) -> String {
        var content = ""
        var left = 0
        for shared in primitive.inputs {
            let stream = mesh.streams[shared.stream]
            if left > 0 {
                left -= 1
            } else if stream.semantic == .position {
                content += input("VERTEX", vertices, offset: shared.offset)
                left = inVertices - 1
            } else {
                content += input(
                    stream.semantic.name, sources[shared.stream], offset: shared.offset, set: shared.set)
            }
        }
        let corners = (0..<primitive.corners).map {
            Array(primitive.indices[$0 * primitive.stride..<($0 + 1) * primitive.stride])
        }
        let rings = primitive.rings(of: corners).map { $0.flatMap { $0 } }
        var count = rings.count
        switch primitive.kind {
        case .triangles, .lines: content += paragraphs(primitive.indices.array)
        case .polylist:
            content += Markup.element("vcount", [:], Markup.integers(primitive.cornerCounts))
            content += paragraphs(primitive.indices.array)
        case .tristrips, .trifans, .linestrips:
            content += rings.map { Markup.element("p", [:], Markup.integers($0)) }.joined()
        case .polygons:
            count = primitive.holeCounts.isEmpty ? rings.count : primitive.holeCounts.count
            content += polygons(rings, primitive.holeCounts)
        }
        return Markup.element(
            primitive.kind.rawValue, ["count": "\(count)", "material": primitive.material], content)
    }

    /// In one piece or in several.
    private mutating func paragraphs(_ indices: [Int32]) -> String {
        guard !indices.isEmpty else { return dice.chance(0.5) ? Markup.element("p") : "" }
        let cut = dice.chance(0.2) ? dice.int(0...indices.count) : 0
        return [indices[..<cut], indices[cut...]].filter { !$0.isEmpty }
            .map { Markup.element("p", [:], Markup.integers($0)) }.joined()
    }

    private func polygons(_ rings: [[Int32]], _ holeCounts: [Int32]) -> String {
        var content = ""
        var next = 0
        let holeCounts = holeCounts.isEmpty ? [Int32](repeating: 0, count: rings.count) : holeCounts
        for holes in holeCounts {
            let outer = Markup.element("p", [:], Markup.integers(rings[next]))
            let inner = rings[(next + 1)..<(next + 1 + Int(holes))]
            next += 1 + Int(holes)
            if inner.isEmpty {
                content += outer
            } else {
                let holes = inner.map { Markup.element("h", [:], Markup.integers($0)) }
                content += Markup.element("ph", [:], outer + holes.joined())
            }
        }
        return content
    }
}

extension DaeScene.Mesh {
    /// The streams that `<vertices>` is to have: positions, and what follows them in each primitive at the same offset
    /// without a set. Where there are no primitives, all.
    fileprivate var streamsInVertices: [Int] {
        let runs = primitives.map { primitive -> [Int] in
            guard let first = primitive.inputs.firstIndex(where: { streams[$0.stream].semantic == .position }) else {
                return []
            }
            let offset = primitive.inputs[first].offset
            return primitive.inputs[first...].prefix { $0.offset == offset && $0.set == nil }.map(\.stream)
        }
        guard let shortest = runs.min(by: { $0.count < $1.count }) else { return Array(streams.indices) }
        return Array(shortest.indices.prefix { place in runs.allSatisfy { $0[place] == shortest[place] } })
            .map { shortest[$0] }
    }
}

extension DaeScene.Mesh.Stream {
    /// Whether one source does for both: the same numbers by the same names for another semantic.
    fileprivate func reads(asMuchAs other: DaeScene.Mesh.Stream) -> Bool {
        guard semantic != other.semantic, semantic.isDirection == other.semantic.isDirection else { return false }
        var copy = self
        copy.semantic = other.semantic
        return copy == other
    }
}
