import DaeScene

/// Which words of a vertex record are what.
struct VertexLayout {
    /// One attribute of a vertex.
    struct Attribute {
        enum Kind: Equatable {
            case position, normal, tangent
            /// Numbered from 0 in the order of the primitive's inputs.
            case texcoord(Int)
            case color(Int)
        }
        let kind: Kind
        /// Which of the mesh's streams it is.
        let source: Int
        /// Which of a corner's indices is its own.
        let offset: Int
        /// Where its words begin in a record.
        let start: Int

        var width: Int { kind.width }
    }

    private(set) var attributes: [Attribute] = []
    /// The stream of directions that says on which side the bitangent lies.
    private(set) var binormal: (source: Int, offset: Int)?
    /// By place in the primitive's inputs, which set of texture coordinates it became.
    private(set) var texcoordSets: [Int: Int] = [:]
    /// Words of all attributes.
    private(set) var width = 0
    var hasNormals: Bool { attributes.contains { $0.kind == .normal } }

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

    /// Inputs that have no name in the format.
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
            let kind: Attribute.Kind
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

    private mutating func add(_ kind: Attribute.Kind, _ input: Mesh.Primitive.Input) {
        attributes.append(Attribute(kind: kind, source: input.stream, offset: input.offset, start: width))
        width += kind.width
    }
}

extension VertexLayout.Attribute.Kind {
    /// Numbers of one element.
    var width: Int {
        switch self {
        case .position, .normal: 3
        case .tangent, .color: 4
        case .texcoord: 2
        }
    }

    /// The order in which attributes are written.
    fileprivate var rank: Int {
        switch self {
        case .position: 0
        case .normal: 1
        case .tangent: 2
        case .texcoord(let set): 100 + set
        case .color(let set): 10_000 + set
        }
    }
}

/// What becomes of what morph targets have beside positions.
enum TargetLosses {
    /// Tells what a primitive's targets have and the file does not.
    ///
    /// - Parameters:
    ///   - targets: In the morph's order.
    ///   - packed: The base, as it is written.
    static func note(
        _ targets: [ShapeTarget], _ packed: PackedPrimitive, _ report: inout FidelityReport, at place: String?
    ) {
        guard !targets.isEmpty else { return }
        let kinds = packed.attributes.map(\.kind)
        // Without them in the base they have nothing to be added to.
        if kinds.contains(.normal), !packed.targetAttributes.contains(where: { $0.kind == .normal }) {
            report.add(.dropped, .morphNormals, count: targets.count { $0.mesh?.has([.normal]) == true }, at: place)
        }
        if kinds.contains(.tangent) {
            report.add(
                .dropped, .morphTangents, count: targets.count { $0.mesh?.has([.tangent, .textangent]) == true },
                at: place)
        }
        report.add(.dropped, .morphColors, count: packed.targetsWithoutTwin, at: place)
    }
}

extension Mesh {
    fileprivate func has(_ semantics: [Semantic]) -> Bool {
        primitives.contains { primitive in
            primitive.inputs.contains { input in
                streams.indices.contains(input.stream) && semantics.contains(streams[input.stream].semantic)
            }
        }
    }
}
