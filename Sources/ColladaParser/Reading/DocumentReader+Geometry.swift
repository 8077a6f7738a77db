import ColladaSchema
import Diagnostics
import SceneModel

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

    /// Whether a list is passed over since there is one already; reported where it is read all the same.
    private mutating func isFurther(_ view: ElementView, behind first: Bool) -> Bool {
        guard first else { return false }
        guard repairs else { return true }
        let (list, parent) = (view.name.rawValue, view.parent?.name.rawValue ?? "")
        log.add(
            .quirkSeveralIndexLists, at: view.place,
            "<\(parent)> has a further <\(list)>; expected one; it was read on from the first",
            arguments: [.init("element", list), .init("parent", parent)])
        return false
    }

    // MARK: - Inputs

    mutating func decodeInput(_ view: ElementView) -> ColladaDocument.Input {
        // 1.3 calls the offset idx.
        let offset = integer(view, .offset) ?? (repairs || isVersion13 ? integer(view, .idx) : nil) ?? 0
        let semantic = view.attribute(.semantic) ?? ""
        if semantic.isEmpty { reportMissing(.semantic, of: view) }
        if !(0...Self.largestOffset).contains(offset) {
            // The number itself may be cut.
            let written = view.trimmedAttribute(.offset) ?? view.trimmedAttribute(.idx) ?? "\(offset)"
            log.add(
                .inputOffsetTooLarge, at: view.place,
                "an input's offset is \(written.prefix(40)); expected 0 to \(Self.largestOffset); read as 0",
                arguments: [.init("offset", written), .init("largest", "\(Self.largestOffset)")])
        }
        return ColladaDocument.Input(
            semantic: semantic, source: requiredReference(view, .source),
            offset: (0...Self.largestOffset).contains(offset) ? offset : 0, set: integer(view, .set))
    }

    /// Larger offsets are absurd, and the product of offset and corners is what a reader has to hold.
    static let largestOffset = 64

    // MARK: - Primitives

    // Made in its list: one that is handed back is copied, with all it holds.
    private mutating func appendPrimitive(
        _ view: ElementView, _ kind: ColladaDocument.Primitive.Kind, to primitives: inout [ColladaDocument.Primitive]
    ) {
        primitives.append(
            .init(
                position: view.position, material: common(.material, of: view), count: integer(view, .count),
                kind: kind, inputs: view.all(.input).map { decodeInput($0) }, indices: [], cornerCounts: [],
                holeCounts: []))
        readLists(of: view, into: &primitives[primitives.count - 1])
    }

    private mutating func readLists(of view: ElementView, into primitive: inout ColladaDocument.Primitive) {
        var lists = PrimitiveLists(stride: primitive.stride, kind: primitive.kind)
        if !repairs, !isVersion13 { primitive.inputs.removeAll { $0.semantic == "POSITION" } }
        for child in view.children {
            switch child.name {
            case .p: add(child, to: &lists)
            case .ph: addHoled(child, to: &lists)
            case .vcount where primitive.kind == .polylist:
                guard !isFurther(child, behind: !lists.counts.allSatisfy(\.isEmpty)) else { continue }
                lists.counts.append(child.takeIntegers())
            default: break  // element names: inputs were read, extras are not
            }
        }
        primitive.indices = joined(lists.indices)
        primitive.cornerCounts =
            lists.rings.isEmpty ? joined(lists.counts) : numbers.keep(lists.rings.fitted())
        primitive.holeCounts = lists.holeCounts.fitted()
    }

    private mutating func joined(_ lists: [NumberArray<Int32>]) -> NumberArray<Int32> {
        // Nearly always there is one, which is kept as it is.
        lists.count < 2 ? lists.first ?? [] : numbers.joined(lists)
    }

    private mutating func add(_ view: ElementView, to lists: inout PrimitiveLists) {
        let hasOne = lists.kind.hasOneIndexList && !lists.indices.allSatisfy(\.isEmpty)
        guard !isFurther(view, behind: hasOne) else { return }
        let indices = view.takeIntegers()
        var left = 0
        switch lists.kind {
        case .triangles, .lines, .polylist: break
        case .polygons, .tristrips, .trifans, .linestrips:
            lists.rings.append(Int32(clamping: indices.count / lists.stride))
            if !lists.holeCounts.isEmpty { lists.holeCounts.append(0) }
            left = indices.count % lists.stride
            guard left > 0 else { break }
            log.add(
                .primitiveIndexCount, at: view.place,
                "<p> has \(indices.count) indices; expected a multiple of \(lists.stride)",
                arguments: [.init("indices", "\(indices.count)"), .init("stride", "\(lists.stride)")])
        }
        lists.indices.append(indices.part(0..<indices.count - left))
    }

    private mutating func addHoled(_ view: ElementView, to lists: inout PrimitiveLists) {
        guard lists.kind == .polygons, let outer = view.first(.p) else { return }
        if lists.holeCounts.isEmpty { lists.holeCounts = [Int32](repeating: 0, count: lists.rings.count) }
        // A hole without a corner is none.
        let holes = view.all(.h).map { $0.takeIntegers() }.filter { $0.count >= lists.stride }
        lists.holeCounts.append(Int32(clamping: holes.count))
        for indices in [outer.takeIntegers()] + holes {
            lists.rings.append(Int32(clamping: indices.count / lists.stride))
            lists.indices.append(indices.part(0..<indices.count - indices.count % lists.stride))
        }
    }
}

/// The lists of a primitive as its elements have them.
private struct PrimitiveLists {
    let stride: Int
    let kind: ColladaDocument.Primitive.Kind
    /// One of each `<p>` and `<h>`.
    var indices: [NumberArray<Int32>] = []
    /// One of each `<vcount>`.
    var counts: [NumberArray<Int32>] = []
    /// Corners of each `<p>` and `<h>`, where those are polygons or strips.
    var rings: [Int32] = []
    var holeCounts: [Int32] = []
}

extension ColladaDocument.Primitive.Kind {
    /// Whether all its indices stand in one `<p>`.
    var hasOneIndexList: Bool {
        switch self {
        case .triangles, .lines, .polylist: true
        case .polygons, .tristrips, .trifans, .linestrips: false
        }
    }
}

extension ColladaDocument.Mesh {
    /// Of the primitives that have several, each once, and no more than a few: each is held against every binding.
    fileprivate var texcoordSources: [ColladaDocument.Geometry.TexcoordSource] {
        var sources: [ColladaDocument.Geometry.TexcoordSource] = []
        // By index: what is taken out of its list would be copied.
        for index in primitives.indices where primitives[index].inputs.count > 2 {
            let found = primitives[index].inputs.filter { SceneModel.Mesh.Semantic($0.semantic).isTexcoord }
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

extension ElementName {
    var primitive: ColladaDocument.Primitive.Kind? {
        switch self {
        case .triangles: .triangles
        case .polylist: .polylist
        case .polygons: .polygons
        case .tristrips: .tristrips
        case .trifans: .trifans
        case .lines: .lines
        case .linestrips: .linestrips
        default: nil  // element names: every other one is no primitive
        }
    }
}
