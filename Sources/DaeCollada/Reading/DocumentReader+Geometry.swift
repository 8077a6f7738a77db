// Geometries, and the meshes that they have: decoded, measured and built.

import DaeDiagnostics
import DaeScene
import DaeSchema

extension DocumentReader {
    mutating func decodeGeometry(_ view: ElementView) -> ColladaDocument.Geometry {
        let id = common(.id, of: view)
        var geometry = ColladaDocument.Geometry(
            id: id, name: name(of: view, id: id), position: view.position, kind: .empty)
        geometry.sides = sides(of: view)
        if let element = view.first(.mesh) {
            let mesh = decodeMesh(element)
            measure(mesh, of: element, into: &geometry)
            examine(mesh, of: element, geometry)
            geometry.texcoordSources = mesh.texcoordSources
            geometry.kind = .mesh(kept(mesh, of: &geometry))
        } else if let element = view.first(.convexMesh) {
            let mesh = decodeMesh(element)
            measure(mesh, of: element, into: &geometry)
            examine(mesh, of: element, geometry)
            geometry.kind = .convexMesh(kept(mesh, of: &geometry), hullOf: reference(element, .convexHullOf))
        } else if let other = view.children.first(where: { $0.name == .spline || $0.name == .brep }) {
            geometry.kind = other.name == .spline ? .spline(decodeSpline(other)) : .brep(decodeBrep(other))
            log.add(
                .geometryUnsupportedKind, at: other.place,
                "<\(other.name.rawValue)> is kept as structure, but nothing of it is drawn")
        }
        return geometry
    }

    /// Exporters say it in front of the mesh, behind it or within.
    private mutating func sides(of view: ElementView) -> Material.Sides? {
        let extras = view.extras + (view.first(.mesh)?.extras ?? [])
        return extras.isEmpty ? nil : MaterialExtras.sides(in: extras)
    }

    private mutating func measure(
        _ mesh: ColladaDocument.Mesh, of element: ElementView, into geometry: inout ColladaDocument.Geometry
    ) {
        var measurer = MeshMeasurer(
            mesh: mesh, element: element, geometryID: geometry.id, habits: habits(element))
        measurer.run(&log.findings)
        geometry.measure = measurer.measure
        geometry.usedPositions = measurer.usedPositions
        geometry.positions =
            switch options.retention {
            case .everything: measurer.positions
            case .figures: keptNumbers.keep(measurer.positions)
            }
    }

    /// Hands a mesh over while it is whole.
    private mutating func examine(
        _ mesh: ColladaDocument.Mesh, of element: ElementView, _ geometry: borrowing ColladaDocument.Geometry
    ) {
        guard isExamined, GeometryUnit.isForPeople(mesh) else { return }
        let built = MeshBuilder(mesh).build()
        guard GeometryUnit.isForPeople(built, of: mesh) else { return }
        examiner?.examine(GeometryUnit(geometry, mesh: mesh, built: built, element: element), &log.findings)
    }

    private mutating func kept(
        _ mesh: ColladaDocument.Mesh, of geometry: inout ColladaDocument.Geometry
    ) -> ColladaDocument.Mesh {
        switch options.retention {
        case .figures: break
        case .everything: geometry.built = MeshBuilder(mesh).build()
        }
        return bare(mesh)
    }

    private mutating func bare(_ mesh: ColladaDocument.Mesh) -> ColladaDocument.Mesh {
        if isExamined, examiner?.asksAgain(of: mesh) == true {
            // The geometry comes next in the list.
            document.meshesAskedAgain.append(document.geometries.count)
            return withoutNumbers(mesh)
        }
        // Nobody looks at more of it than what it asks of its instances.
        for source in mesh.sources.indices {
            if let id = mesh.sources[source].id { document.sourceIDs.append(id) }
        }
        var bare = ColladaDocument.Mesh()
        bare.sources = keptSources(of: mesh)
        bare.vertices = lists.bare(mesh.vertices)
        bare.primitives.reserveCapacity(mesh.primitives.count)
        // By index: what is taken out of its list would be copied.
        for index in mesh.primitives.indices {
            bare.primitives.append(mesh.barePrimitive(at: index, lists.bare(mesh.primitives[index].inputs)))
        }
        return bare
    }

    private mutating func withoutNumbers(_ mesh: ColladaDocument.Mesh) -> ColladaDocument.Mesh {
        var bare = mesh
        let keepsWords = options.retention == .everything
        for index in bare.sources.indices where !(keepsWords && bare.sources[index].array.isWords) {
            bare.sources[index].array = .none
        }
        for index in bare.primitives.indices {
            bare.primitives[index] = mesh.barePrimitive(at: index, mesh.primitives[index].inputs)
        }
        return bare
    }

    /// Words are no part of the mesh that is built.
    private mutating func keptSources(of mesh: ColladaDocument.Mesh) -> [ColladaDocument.Source] {
        var kept: [ColladaDocument.Source] = []
        switch options.retention {
        case .everything:
            for index in mesh.sources.indices where mesh.sources[index].array.isWords {
                kept.append(mesh.sources[index])
            }
        case .figures: break
        }
        return kept
    }

    private mutating func decodeMesh(_ view: ElementView) -> ColladaDocument.Mesh {
        checkArrays(in: view)
        var mesh = ColladaDocument.Mesh()
        mesh.sources = decodeSources(in: view)
        if hasShortArrays { reportShortArrays(of: mesh.sources, in: view) }
        for child in view.children {
            if let kind = child.name.primitive {
                appendPrimitive(child, kind, to: &mesh.primitives)
            } else if child.name == .vertices {
                mesh.verticesID = common(.id, of: child)
                mesh.vertices = child.all(.input).map { decodeInput($0) }
            }
        }
        return mesh
    }
}

extension ColladaDocument.Mesh {
    /// Of the primitives that have several, each once, and no more than a few: each is held against every binding.
    fileprivate var texcoordSources: [ColladaDocument.Geometry.TexcoordSource] {
        var sources: [ColladaDocument.Geometry.TexcoordSource] = []
        // By index: what is taken out of its list would be copied.
        for index in primitives.indices where primitives[index].inputs.count > 2 {
            let found = primitives[index].inputs.filter { DaeScene.Mesh.Semantic($0.semantic).isTexcoord }
            guard found.count > 1 else { continue }
            for input in found where sources.count < 16 {
                let source = ColladaDocument.Geometry.TexcoordSource(
                    id: input.source.withoutHash, semantic: input.semantic, set: input.set)
                if !sources.contains(source) { sources.append(source) }
            }
        }
        return sources
    }

    /// A primitive without its numbers, and with other inputs.
    fileprivate func barePrimitive(at index: Int, _ inputs: [ColladaDocument.Input]) -> ColladaDocument.Primitive {
        // By index: what is taken out of its list would be copied.
        .init(
            position: primitives[index].position, material: primitives[index].material,
            count: primitives[index].count, kind: primitives[index].kind, inputs: inputs, indices: [],
            cornerCounts: [], holeCounts: [])
    }
}

/// Finds the sources of a mesh; its arrays are shared.
private struct MeshBuilder {
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
