import DaeScene

extension RandomScene {
    mutating func addGeometries() {
        for _ in 0..<dice.int(1...4) {
            var geometry = Geometry(id: newID("geometry"), name: maybeName(), measure: .init(), positions: [])
            if dice.chance(0.95) {
                // Often as many as another one has, so that there are targets for morphs.
                let others = scene.geometries.map(\.measure.positions).filter { $0 > 0 }
                let count = !others.isEmpty && dice.chance(0.6) ? dice.pick(others) : dice.int(1...7)
                let mesh = mesh(positions: count)
                (geometry.measure, geometry.positions, geometry.usedPositions) = mesh.figures
                geometry.mesh = mesh
            }
            scene.geometries.append(geometry)
        }
    }

    private mutating func mesh(positions count: Int) -> DaeScene.Mesh {
        var mesh = DaeScene.Mesh(streams: [stream(.position, count: count)], primitives: [])
        // What stands in <vertices>, positions first.
        let inVertices = 1 + dice.int(0...2)
        for _ in 1..<inVertices { mesh.streams.append(stream(semantic(), count: dice.int(1...6))) }
        for _ in 0..<dice.int(0...3) { mesh.streams.append(stream(semantic(), count: dice.int(1...6))) }
        for _ in 0..<dice.int(0...3) {
            let kind = dice.pick(DaeScene.Mesh.Primitive.Kind.allCases)
            mesh.primitives.append(primitive(kind, inVertices, of: mesh.streams))
        }
        return mesh.normalised(inVertices: inVertices)
    }

    // MARK: - Streams

    private mutating func semantic() -> DaeScene.Mesh.Semantic {
        dice.pick([
            .normal, .texcoord, .texcoord, .color, .tangent, .binormal, .textangent, .texbinormal, .custom("WEIGHT_2"),
            .custom("UV<1>"),
        ])
    }

    /// With values before, between and behind those that count.
    private mutating func stream(_ semantic: DaeScene.Mesh.Semantic, count: Int) -> DaeScene.Mesh.Stream {
        let width =
            switch semantic {
            case .position: 3
            case .normal, .tangent, .binormal, .textangent, .texbinormal: dice.pick([3, 3, 3, 2, 4])
            case .texcoord, .color, .custom: dice.int(1...4)
            }
        let stride = width + dice.pick([0, 0, 1, 2])
        var lanes = Array(dice.shuffled(Array(0..<stride)).prefix(width))
        if !(semantic.isDirection && width == 3) { lanes.sort() }
        let offset = dice.pick([0, 0, 1, 4])
        let needed = offset + (count - 1) * stride + (lanes.max() ?? 0) + 1
        return DaeScene.Mesh.Stream(
            semantic: semantic, values: NumberArray(dice.numbers(needed + dice.pick([0, 0, 3]))), offset: offset,
            stride: stride,
            lanes: lanes, count: count)
    }

    // MARK: - Primitives

    private mutating func primitive(
        _ kind: DaeScene.Mesh.Primitive.Kind, _ inVertices: Int, of streams: [DaeScene.Mesh.Stream]
    ) -> DaeScene.Mesh.Primitive {
        let vertexOffset = dice.int(0...2)
        let vertex = (0..<inVertices).map {
            DaeScene.Mesh.Primitive.Input(stream: $0, offset: vertexOffset, set: nil)
        }
        var inputs: [DaeScene.Mesh.Primitive.Input] = []
        for stream in streams.indices.dropFirst(inVertices) where dice.chance(0.7) {
            inputs.append(.init(stream: stream, offset: dice.int(0...3), set: dice.maybe(0.5) { $0.int(0...3) }))
        }
        inputs.insert(contentsOf: vertex, at: dice.int(0...inputs.count))
        var primitive = DaeScene.Mesh.Primitive(
            kind: kind, material: dice.maybe(0.6) { $0.pick(["red", "blue", "a<b"]) }, inputs: inputs,
            stride: (inputs.map(\.offset).max() ?? 0) + 1, indices: [], cornerCounts: [], holeCounts: [])
        let corners = layOut(&primitive)
        // The positions' indices count by themselves: what else is in <vertices> need not be as long.
        let limits = (0..<primitive.stride).map { offset in
            inputs.filter { $0.offset == offset && ($0.stream == 0 || $0.stream >= inVertices) }
                .map { streams[$0.stream].count }.min()
        }
        var indices: [Int32] = []
        for _ in 0..<corners { for limit in limits { indices.append(Int32(dice.int(0...(limit ?? 100_000) - 1))) } }
        primitive.indices = NumberArray(indices)
        return primitive
    }

    /// Decides on corners of faces, strips and rings; gives the corners in all.
    private mutating func layOut(_ primitive: inout DaeScene.Mesh.Primitive) -> Int {
        let count = dice.chance(0.1) ? 0 : dice.int(1...4)
        switch primitive.kind {
        case .triangles: return 3 * count
        case .lines: return 2 * count
        case .linestrips: primitive.cornerCounts = NumberArray((0..<count).map { _ in Int32(dice.int(2...5)) })
        case .tristrips, .trifans, .polylist:
            primitive.cornerCounts = NumberArray((0..<count).map { _ in Int32(dice.int(3...6)) })
        case .polygons:
            let holes = (0..<count).map { _ in Int32(dice.pick([0, 0, 1, 2])) }
            if holes.contains(where: { $0 > 0 }) { primitive.holeCounts = holes }
            primitive.cornerCounts = NumberArray(
                holes.flatMap { hole in (0...hole).map { _ in Int32(dice.int(3...5)) } })
        }
        return primitive.cornerCounts.reduce(0) { $0 + Int($1) }
    }
}

extension DaeScene.Mesh.Semantic {
    /// Whether its numbers are x, y and z by name.
    var isDirection: Bool {
        switch self {
        case .position, .normal, .tangent, .binormal, .textangent, .texbinormal: true
        case .texcoord, .color, .custom: false
        }
    }
}
