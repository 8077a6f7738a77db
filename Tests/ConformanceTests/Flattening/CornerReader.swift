import Daedalus

/// Gathers what a corner of a primitive has in the mesh's streams.
struct CornerReader {
    struct Corner {
        var position: SIMD3<Double>
        /// `nil` where the primitive has none.
        var normal: SIMD3<Double>?
        var rest: [Double]

        var plain: FlatVertex { FlatVertex(position: position, attributes: rest) }
    }
    private let mesh: Mesh
    private let primitive: Mesh.Primitive
    private let positions: [SIMD3<Double>]
    private let normals: Matrix4?
    private let positionInput: Mesh.Primitive.Input?
    private let normalInput: Mesh.Primitive.Input?
    private let otherInputs: [Mesh.Primitive.Input]

    /// - Parameters:
    ///   - positions: Of the mesh's position stream, where they are drawn.
    ///   - normals: From the mesh's normals to the world's; `nil` where those of facets stand for them.
    ///   - texcoords: Which of the primitive's inputs the surface's textures read.
    init(
        _ mesh: Mesh, _ primitive: Mesh.Primitive, positions: [SIMD3<Double>], normals: Matrix4?, texcoords: [Int]
    ) {
        self.mesh = mesh
        self.primitive = primitive
        self.positions = positions
        self.normals = normals
        func inputs(_ semantic: Mesh.Semantic) -> [Mesh.Primitive.Input] {
            primitive.inputs.filter { mesh.streams[$0.stream].semantic == semantic }
        }
        positionInput = inputs(.position).first
        normalInput = inputs(.normal).first
        otherInputs = inputs(.color) + texcoords.map { primitive.inputs[$0] }
    }

    func vertex(_ corner: Int) -> Corner {
        func index(_ input: Mesh.Primitive.Input) -> Int {
            let at = corner * primitive.stride + input.offset
            return primitive.indices.indices.contains(at) ? Int(primitive.indices[at]) : 0
        }
        func values(_ input: Mesh.Primitive.Input, at most: Int) -> [Double] {
            let stream = mesh.streams[input.stream]
            return (0..<min(most, stream.lanes.count)).map { stream.value(index(input), lane: $0) }
        }
        let place = positionInput.map(index) ?? 0
        var result = Corner(position: positions.indices.contains(place) ? positions[place] : .zero, rest: [])
        for input in otherInputs { result.rest += values(input, at: 4) }
        if let normalInput, let normals {
            let written = values(normalInput, at: 3)
            if written.count == 3 {
                result.normal = normals.transform(point: SIMD3(written[0], written[1], written[2])).unit
            }
        }
        return result
    }

    /// With normals: where a corner has none, that of the triangle.
    func shaded(_ corners: [Corner]) -> [FlatVertex] {
        let facet = corners.map(\.position).facetNormal
        return corners.map { corner in
            FlatVertex(position: corner.position, normal: corner.normal ?? facet, attributes: corner.rest)
        }
    }
}
