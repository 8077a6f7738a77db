package import DaeScene

/// What one attribute of a vertex is.
package enum VertexAttribute: Equatable {
    /// x y z, in the units and axes of the document.
    case position
    /// x y z; of length 1.
    case normal
    /// x y z of length 1, and 1 or −1: on which side of normal and tangent the bitangent lies.
    case tangent
    /// u v, from the corner of ``ExportConventions/ImageOrigin``. Numbered from 0 in the order of the primitive's inputs.
    case texcoord(Int)
    /// Red, green, blue and alpha, 0...1, as ``ExportConventions/Colors`` has them.
    case color(Int)

    /// Numbers of one element.
    var width: Int {
        switch self {
        case .position, .normal: 3
        case .tangent, .color: 4
        case .texcoord: 2
        }
    }

    /// The order of the attributes of a vertex.
    var rank: Int {
        switch self {
        case .position: 0
        case .normal: 1
        case .tangent: 2
        case .texcoord(let set): 100 + set
        case .color(let set): 10_000 + set
        }
    }
}

extension Mesh {
    /// Whether a primitive has an input of one of some kinds.
    func has(_ semantics: [Semantic]) -> Bool {
        primitives.contains { primitive in semantics.contains { primitive.input(of: $0, in: self) != nil } }
    }
}

extension Mesh.Primitive {
    /// The first input of a kind.
    func input(of semantic: Mesh.Semantic, in mesh: Mesh) -> Input? {
        inputs.first { input in
            mesh.streams.indices.contains(input.stream) && input.offset < stride
                && mesh.streams[input.stream].semantic == semantic
        }
    }

    /// By place in the inputs, which set of texture coordinates it becomes.
    package func texcoordSets(in mesh: Mesh) -> [Int: Int] { VertexLayout(self, of: mesh)?.texcoordSets ?? [:] }
}

/// Which words of a vertex record are what.
struct VertexLayout {
    struct Attribute {
        let kind: VertexAttribute
        /// Which of the mesh's streams it is.
        let source: Int
        /// Which of a corner's indices is its own.
        let offset: Int
        /// Where its words begin in a record.
        let start: Int

    }

    private(set) var attributes: [Attribute] = []
    /// The stream of directions that says on which side the bitangent lies.
    private(set) var binormal: (source: Int, offset: Int)?
    /// By place in the primitive's inputs, which set of texture coordinates it became.
    private(set) var texcoordSets: [Int: Int] = [:]
    /// Words of all attributes.
    private(set) var width = 0

    /// Steps that one corner of a morph target takes, and the attributes that it may change.
    var targetCost: (steps: Int, attributes: Int) {
        attributes.reduce((0, 0)) { sum, attribute in
            switch attribute.kind {
            case .position, .texcoord: (sum.0 + 1, sum.1 + 1)
            case .normal: (sum.0 + 4, sum.1 + 1)
            // Each number of a colour is raised to a power.
            case .color: (sum.0 + 16, sum.1 + 1)
            case .tangent: sum
            }
        }
    }

    /// Inputs that no attribute is made of.
    private(set) var unnamed = 0

    /// - Returns: `nil` for a primitive without positions.
    init?(_ primitive: Mesh.Primitive, of mesh: Mesh) {
        var (hasPosition, hasNormal) = (false, false)  // facts about the inputs so far
        var colors = 0
        var tangents: [(semantic: Mesh.Semantic, input: Mesh.Primitive.Input)] = []
        for (place, input) in primitive.inputs.enumerated() {
            guard mesh.streams.indices.contains(input.stream), input.offset < primitive.stride else { continue }
            let stream = mesh.streams[input.stream]
            guard stream.count > 0 else { continue }
            let kind: VertexAttribute
            switch stream.semantic {
            // Of positions and normals the first counts.
            case .position where hasPosition, .normal where hasNormal:
                unnamed += 1
                continue
            case .custom where !stream.semantic.isTexcoord:
                unnamed += 1
                continue
            case .position:
                kind = .position
                hasPosition = true
            case .normal:
                kind = .normal
                hasNormal = true
            case .texcoord, .custom:
                kind = .texcoord(texcoordSets.count)
                texcoordSets[place] = texcoordSets.count
            case .color:
                kind = .color(colors)
                colors += 1
            case .tangent, .textangent, .binormal, .texbinormal:
                tangents.append((stream.semantic, input))
                continue
            }
            add(kind, input)
        }
        guard hasPosition else { return nil }
        attributes.sort { $0.kind.rank < $1.kind.rank }
        if hasNormal { addTangents(tangents) }
    }

    /// Those of a texture before those of the parametrisation; a second pair has no place.
    private mutating func addTangents(
        _ found: [(semantic: Mesh.Semantic, input: Mesh.Primitive.Input)]
    ) {
        func first(_ wanted: Mesh.Semantic) -> Mesh.Primitive.Input? { found.first { $0.semantic == wanted }?.input }
        guard let tangent = first(.textangent) ?? first(.tangent) else { return }
        add(.tangent, tangent)
        if let other = first(.texbinormal) ?? first(.binormal) {
            binormal = (other.stream, other.offset)
        }
    }

    private mutating func add(_ kind: VertexAttribute, _ input: Mesh.Primitive.Input) {
        attributes.append(Attribute(kind: kind, source: input.stream, offset: input.offset, start: width))
        width += kind.width
    }
}

extension SIMD3<Double> {
    @inline(__always)
    var largest: Double { Swift.max(abs(x), abs(y), abs(z)) }

    /// Its length; of very long and very short ones too.
    package var size: Double {
        let largest = largest
        guard largest > 0, largest.isFinite else { return largest }
        let near = self / largest
        return near.dot(near).squareRoot() * largest
    }

    /// `nil` without a direction.
    var unit: SIMD3<Double>? {
        let square = dot(self)
        // Nothing in it was lost nor ran over, as with nearly all.
        if square > 1e-200, square < 1e200 { return self / square.squareRoot() }
        let largest = largest
        guard largest > 0, largest.isFinite else { return nil }
        let near = self / largest
        return near / near.dot(near).squareRoot()
    }
}

extension SIMD4<Double> {
    var spatial: SIMD3<Double> { SIMD3(x, y, z) }
}

extension Matrix4 {
    init(translation: SIMD3<Double>) {
        self = .identity
        columns.3 = SIMD4(translation, 1)
    }

    var withoutTranslation: Matrix4 {
        Matrix4(columns: (columns.0, columns.1, columns.2, [0, 0, 0, 1]))
    }

    /// With a last row of 0 0 0 1; the identity where a number is none.
    package var settled: Matrix4 {
        let (x, y, z, origin) = (columns.0.spatial, columns.1.spatial, columns.2.spatial, columns.3.spatial)
        guard x.isFinite, y.isFinite, z.isFinite, origin.isFinite else { return .identity }
        return Matrix4(columns: (SIMD4(x, 0), SIMD4(y, 0), SIMD4(z, 0), SIMD4(origin, 1)))
    }

    /// The length of its longest axis.
    package var largestScale: Double { max(columns.0.spatial.size, columns.1.spatial.size, columns.2.spatial.size) }

    /// Whether it turns left to right.
    var isMirroring: Bool { columns.0.spatial.cross(columns.1.spatial).dot(columns.2.spatial) < 0 }

    /// Moves directions that stand upright on a surface as the matrix moves the surface; up to their length.
    var normalMatrix: Matrix4 {
        let (x, y, z) = (columns.0.spatial, columns.1.spatial, columns.2.spatial)
        let side = x.cross(y)
        let sign: Double = side.dot(z) < 0 ? -1 : 1
        return Matrix4(
            columns: (
                SIMD4(y.cross(z) * sign, 0), SIMD4(z.cross(x) * sign, 0), SIMD4(side * sign, 0), [0, 0, 0, 1]
            ))
    }
}
