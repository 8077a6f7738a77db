import DaeScene
import DaeSchema

/// Finds the sources of a mesh; its arrays are shared.
struct MeshBuilder {
    private let mesh: ColladaDocument.Mesh
    private let table: SourceTable
    /// Sources by the ids of their arrays, where an accessor reads another source's; made for the first that does.
    private var holders: [String: Int]?
    private var streams: [Mesh.Stream] = []
    /// The source that each stream reads. A mesh has few.
    private var readSources: [Int] = []
    /// Streams by what they read and what for, where a mesh has many.
    private var known: [Key: Int] = [:]
    private static let few = 16

    private struct Key: Hashable {
        let source: Int
        let semantic: Mesh.Semantic
    }

    init(_ mesh: ColladaDocument.Mesh) {
        self.mesh = mesh
        table = SourceTable(mesh.sources)
    }

    consuming func build() -> Mesh { made() }

    private mutating func made() -> Mesh {
        streams.reserveCapacity(mesh.sources.count)
        readSources.reserveCapacity(mesh.sources.count)
        // By index: what is taken out of its list would be copied.
        var primitives: [Mesh.Primitive] = []
        primitives.reserveCapacity(mesh.primitives.count)
        for index in mesh.primitives.indices { primitives.append(primitive(at: index)) }
        // The target of a morph has positions, but need have no primitive that uses them.
        for index in mesh.vertices.indices { _ = stream(for: mesh.vertices, index) }
        return Mesh(streams: streams, primitives: primitives)
    }

    private mutating func primitive(at place: Int) -> Mesh.Primitive {
        let given = mesh.primitives[place].inputs
        var inputs: [Mesh.Primitive.Input] = []
        inputs.reserveCapacity(given.count)
        var stride = 1
        for index in given.indices {
            let (offset, set) = (given[index].offset, given[index].set)
            stride = max(stride, offset + 1)
            guard given[index].semantic == "VERTEX" else {
                if let stream = stream(for: given, index) {
                    inputs.append(.init(stream: stream, offset: offset, set: set))
                }
                continue
            }
            // VERTEX stands for all that <vertices> has, at its own offset.
            for one in mesh.vertices.indices {
                guard let stream = stream(for: mesh.vertices, one) else { continue }
                inputs.append(.init(stream: stream, offset: offset, set: set ?? mesh.vertices[one].set))
            }
        }
        return Mesh.Primitive(
            kind: Mesh.Primitive.Kind(mesh.primitives[place].kind), material: mesh.primitives[place].material,
            inputs: inputs, stride: stride, indices: mesh.primitives[place].indices,
            cornerCounts: mesh.primitives[place].cornerCounts, holeCounts: mesh.primitives[place].holeCounts)
    }

    /// That of one of some inputs.
    private mutating func stream(for inputs: [ColladaDocument.Input], _ place: Int) -> Int? {
        guard let index = sourceIndex(of: inputs, place) else { return nil }
        let semantic = Mesh.Semantic(inputs[place].semantic)
        if let known = knownStream(semantic, of: index) { return known }
        guard let stream = stream(semantic, of: index) else { return nil }
        streams.append(stream)
        readSources.append(index)
        if streams.count > Self.few { known[Key(source: index, semantic: semantic)] = streams.count - 1 }
        return streams.count - 1
    }

    private func knownStream(_ semantic: Mesh.Semantic, of source: Int) -> Int? {
        for stream in streams.indices.prefix(Self.few)
        where readSources[stream] == source && streams[stream].semantic == semantic {
            return stream
        }
        return streams.count > Self.few ? known[Key(source: source, semantic: semantic)] : nil
    }

    private func sourceIndex(of inputs: [ColladaDocument.Input], _ place: Int) -> Int? {
        let id = inputs[place].source.withoutHash
        // Nearly always one of the first few.
        for index in mesh.sources.indices.prefix(Self.few) where mesh.sources[index].id == id { return index }
        return table.place(of: inputs[place])
    }

    private mutating func stream(_ semantic: Mesh.Semantic, of index: Int) -> Mesh.Stream? {
        guard let accessor = mesh.sources[index].accessor else {
            guard case .reals(let values) = mesh.sources[index].array else { return nil }
            return Mesh.Stream(
                semantic: semantic, values: values, offset: 0, stride: 3, lanes: [0, 1, 2], count: values.count / 3)
        }
        let holder = holder(of: accessor, at: index)
        guard case .reals(let values) = mesh.sources[holder].array else { return nil }
        let lanes = Self.lanes(of: accessor, semantic)
        let reach = (lanes.max() ?? 0) + 1
        let available = values.count - accessor.offset - reach
        let count = available < 0 ? 0 : min(accessor.count, available / accessor.stride + 1)
        return Mesh.Stream(
            semantic: semantic, values: values, offset: accessor.offset, stride: accessor.stride, lanes: lanes,
            count: count)
    }

    /// The source whose array an accessor reads: usually its own.
    private mutating func holder(of accessor: ColladaDocument.Accessor, at index: Int) -> Int {
        switch accessor.array {
        case .own: return index
        case .at(let text):
            let id = text.hasPrefix("#") ? String(text.dropFirst()) : text
            if mesh.sources[index].arrayID == id { return index }
            let holders = self.holders ?? SourceTable.holders(of: mesh.sources)
            self.holders = holders
            return holders[id] ?? index
        }
    }

    /// Named params count; of positions and normals X, Y and Z in this order where they are named so.
    private static func lanes(of accessor: ColladaDocument.Accessor, _ semantic: Mesh.Semantic) -> [Int] {
        // Nearly all are plain, and then share their memory.
        if let lanes = lanesInOrder(of: accessor.params, semantic) { return lanes }
        let lanes = namedLanes(of: accessor, semantic)
        return plainLanes.first { $0 == lanes } ?? lanes
    }

    /// By their width.
    private static let plainLanes = [[], [0], [0, 1], [0, 1, 2], [0, 1, 2, 3]]

    /// Where all params are named, and those of positions and normals X, Y and Z; else `nil`.
    private static func lanesInOrder(of params: [String?], _ semantic: Mesh.Semantic) -> [Int]? {
        guard !params.isEmpty, params.count < plainLanes.count, params.allSatisfy({ $0 != nil }) else { return nil }
        switch semantic {
        case .position, .normal, .tangent, .binormal, .textangent, .texbinormal:
            guard params.count == 3, params[0] == "X", params[1] == "Y", params[2] == "Z" else { return nil }
        case .texcoord, .color, .custom: break
        }
        return plainLanes[params.count]
    }

    private static func namedLanes(of accessor: ColladaDocument.Accessor, _ semantic: Mesh.Semantic) -> [Int] {
        let named = accessor.params.indices.filter { accessor.params[$0] != nil }
        if named.isEmpty {
            let width = accessor.params.isEmpty ? min(accessor.stride, 4) : accessor.params.count
            return Array(0..<width)
        }
        switch semantic {
        case .position, .normal, .tangent, .binormal, .textangent, .texbinormal:
            let axes = ["X", "Y", "Z"].compactMap { axis in
                named.first { accessor.params[$0]?.uppercased() == axis }
            }
            return axes.count == 3 ? axes : named
        case .texcoord, .color, .custom: return named
        }
    }
}

extension Mesh.Primitive.Kind {
    init(_ kind: ColladaDocument.Primitive.Kind) {
        switch kind {
        case .triangles: self = .triangles
        case .polylist: self = .polylist
        case .polygons: self = .polygons
        case .tristrips: self = .tristrips
        case .trifans: self = .trifans
        case .lines: self = .lines
        case .linestrips: self = .linestrips
        }
    }
}
