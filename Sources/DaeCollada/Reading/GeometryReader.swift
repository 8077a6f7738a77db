import DaeDiagnostics
import DaeScene
import DaeSchema

/// Reads geometries.
struct GeometryReader {
    typealias Document = ColladaDocument

    /// Whether arrays of the mesh that is being read have fewer values than they say.
    private var hasShortArrays = false

    /// Says that an array of the mesh being read has fewer values than it says: it is reported once it is known whether
    /// those that are missing are needed.
    mutating func noteShortArray() { hasShortArrays = true }

    /// - Parameter document: Takes the geometry next.
    mutating func geometry(
        _ view: ElementView, _ context: inout ReadingContext, in document: inout Document
    ) -> Document.Geometry {
        let id = context.common(.id, of: view)
        var geometry = Document.Geometry(
            id: id, name: context.name(of: view, id: id), position: view.position, kind: .empty)
        geometry.sides = sides(of: view)
        if let element = view.first(.mesh) {
            geometry.kind = .mesh(readMesh(element, into: &geometry, &context, in: &document))
        } else if let element = view.first(.convexMesh) {
            let mesh = readMesh(element, into: &geometry, &context, in: &document)
            geometry.kind = .convexMesh(mesh, hullOf: context.reference(element, .convexHullOf))
        } else if let other = view.children.first(where: { $0.name == .spline || $0.name == .brep }) {
            geometry.kind =
                other.name == .spline
                ? .spline(SplineReader.spline(other, &context)) : .brep(SplineReader.brep(other, &context))
            context.log.add(
                .geometryUnsupportedKind, at: other.place,
                "<\(other.name.rawValue)> is kept as structure, but nothing of it is drawn")
        }
        return geometry
    }

    /// Gives what is kept of a mesh.
    private mutating func readMesh(
        _ element: ElementView, into geometry: inout Document.Geometry, _ context: inout ReadingContext,
        in document: inout Document
    ) -> Document.Mesh {
        let mesh = mesh(element, &context)
        measure(mesh, of: element, into: &geometry, &context)
        examine(mesh, of: element, geometry, &context)
        geometry.texcoordSources = mesh.texcoordSources
        switch context.options.retention {
        case .figures: break
        case .everything: geometry.built = MeshBuilder(mesh).build()
        }
        return bare(mesh, &context, in: &document)
    }

    /// Exporters say it in front of the mesh, behind it or within.
    private func sides(of view: ElementView) -> Material.Sides? {
        let extras = view.extras + (view.first(.mesh)?.extras ?? [])
        return extras.isEmpty ? nil : MaterialExtras.sides(in: extras)
    }

    private func measure(
        _ mesh: Document.Mesh, of element: ElementView, into geometry: inout Document.Geometry,
        _ context: inout ReadingContext
    ) {
        var measurer = MeshMeasurer(
            mesh: mesh, element: element, geometryID: geometry.id, habits: habits(element, context))
        measurer.run(&context.log.findings)
        geometry.measure = measurer.measure
        geometry.usedPositions = measurer.usedPositions
        geometry.positions =
            switch context.options.retention {
            case .everything: measurer.positions
            case .figures: context.keptNumbers.keep(measurer.positions)
            }
    }

    /// What a mesh may be expected to have, by who wrote its document.
    private func habits(_ mesh: ElementView, _ context: borrowing ReadingContext) -> MeshMeasurer.Habits {
        guard context.repairs else { return .init() }
        // Where <vertices> are missing altogether the schema says so.
        let isReported = context.options.schema != .off && mesh.first(.vertices) == nil
        return .init(miscountsLines: context.isSketchUp, putsPositionsInPrimitives: !isReported && !context.isVersion13)
    }

    /// Hands a mesh over while it is whole.
    private func examine(
        _ mesh: Document.Mesh, of element: ElementView, _ geometry: borrowing Document.Geometry,
        _ context: inout ReadingContext
    ) {
        guard context.isExamined, GeometryUnit.isForPeople(mesh) else { return }
        let built = MeshBuilder(mesh).build()
        guard GeometryUnit.isForPeople(built, of: mesh) else { return }
        context.examine(GeometryUnit(geometry, mesh: mesh, built: built, element: element))
    }

    private func bare(
        _ mesh: Document.Mesh, _ context: inout ReadingContext, in document: inout Document
    ) -> Document.Mesh {
        if context.isExamined, context.asksAgain(of: mesh) {
            // The geometry comes next in the list.
            document.meshesAskedAgain.append(document.geometries.count)
            return withoutNumbers(mesh, &context)
        }
        // Nobody looks at more of it than what it asks of its instances.
        for source in mesh.sources.indices {
            if let id = mesh.sources[source].id { document.sourceIDs.append(id) }
        }
        var bare = Document.Mesh()
        bare.sources = keptSources(of: mesh, &context)
        bare.vertices = context.lists.bare(mesh.vertices)
        bare.primitives.reserveCapacity(mesh.primitives.count)
        // By index: what is taken out of its list would be copied.
        for index in mesh.primitives.indices {
            bare.primitives.append(mesh.barePrimitive(at: index, context.lists.bare(mesh.primitives[index].inputs)))
        }
        return bare
    }

    private func withoutNumbers(_ mesh: Document.Mesh, _ context: inout ReadingContext) -> Document.Mesh {
        var bare = mesh
        let keepsWords = context.options.retention == .everything
        for index in bare.sources.indices where !(keepsWords && bare.sources[index].array.isWords) {
            bare.sources[index].array = .none
        }
        for index in bare.primitives.indices {
            bare.primitives[index] = mesh.barePrimitive(at: index, mesh.primitives[index].inputs)
        }
        return bare
    }

    /// Words are no part of the mesh that is built.
    private func keptSources(of mesh: Document.Mesh, _ context: inout ReadingContext) -> [Document.Source] {
        guard context.options.retention == .everything else { return [] }
        var kept: [Document.Source] = []
        for index in mesh.sources.indices where mesh.sources[index].array.isWords { kept.append(mesh.sources[index]) }
        return kept
    }

    private mutating func mesh(_ view: ElementView, _ context: inout ReadingContext) -> Document.Mesh {
        DataFlowReader.checkArrays(in: view, &context)
        var mesh = Document.Mesh()
        mesh.sources = DataFlowReader.sources(in: view, &context)
        if hasShortArrays { reportShortArrays(of: mesh.sources, in: view, &context) }
        for child in view.children {
            if let kind = child.name.primitive {
                PrimitiveReader.appendPrimitive(child, kind, to: &mesh.primitives, &context)
            } else if child.name == .vertices {
                mesh.verticesID = context.common(.id, of: child)
                mesh.vertices = DataFlowReader.inputs(of: child, &context)
            }
        }
        return mesh
    }

    /// Reports the arrays of a mesh that have fewer values than they say.
    private mutating func reportShortArrays(
        of sources: [Document.Source], in mesh: ElementView, _ context: inout ReadingContext
    ) {
        hasShortArrays = false
        for (source, element) in zip(sources, mesh.all(.source)) {
            let found = source.array.count
            guard let array = element.first(.floatArray) ?? element.first(.intArray), let count = array.integer(.count),
                count > found
            else {
                continue
            }
            guard let needed = source.accessor?.neededValues, found < needed, needed <= count else {
                DataFlowReader.reportCount(count, of: array, found: found, &context)
                continue
            }
            context.log.add(
                .arrayTruncated, at: array.place,
                "count is \(count) and the accessor needs \(needed) values, but the array has \(found)",
                arguments: [
                    .init("count", "\(count)"), .init("needed", "\(needed)"), .init("values", "\(found)"),
                ])
        }
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

extension ElementView {
    /// Whether it is an array of a source of a mesh.
    var isMeshArray: Bool {
        guard let source = parent, source.name == .source, let mesh = source.parent else { return false }
        return mesh.name == .mesh || mesh.name == .convexMesh
    }
}
