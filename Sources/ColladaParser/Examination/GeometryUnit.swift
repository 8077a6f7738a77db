public import Diagnostics
public import SceneModel
import XMLReader

/// A geometry with its mesh, at its end tag. Valid during the call that hands it over.
public struct GeometryUnit {
    public let id: String?
    /// Every primitive element of the document, in its order; indices as they are written.
    public let mesh: Mesh
    /// What its measuring came to: the positions there are, the box of those in use, …
    public let measure: MeshMeasure
    private let document: ColladaDocument.Mesh
    private let element: ElementView

    /// - Parameters:
    ///   - mesh: One for which ``isForPeople(_:)`` holds.
    ///   - built: The same mesh as a scene has it, for which ``isForPeople(_:of:)`` holds.
    ///   - element: The `<mesh>` or `<convex_mesh>`.
    init(
        _ geometry: borrowing ColladaDocument.Geometry, mesh: ColladaDocument.Mesh, built: Mesh, element: ElementView
    ) {
        id = geometry.id
        measure = geometry.measure
        document = mesh
        self.mesh = built
        self.element = element
    }

    // To look at a mesh for which one of these does not hold would take too long; no file that shows anything has such.

    /// Whether its inputs are not very many among very many sources.
    static func isForPeople(_ mesh: ColladaDocument.Mesh) -> Bool {
        // In a span: what is taken out of a list would be copied.
        let primitives = mesh.primitives.span
        var inputs = mesh.vertices.count
        for index in primitives.indices { inputs += primitives[index].inputs.count * max(1, mesh.vertices.count) }
        return inputs <= mostLooks / max(1, mesh.sources.count)
    }

    /// Whether no arrays are read by very many streams.
    static func isForPeople(_ built: Mesh, of mesh: ColladaDocument.Mesh) -> Bool {
        let (sources, streams) = (mesh.sources.span, built.streams.span)
        var numbers = 0
        for index in sources.indices { numbers += sources[index].array.count }
        var read = 0
        for index in streams.indices { read += streams[index].values.count }
        return read <= mostReaders * (numbers + 64)
    }

    /// Sources that inputs are compared with.
    private static let mostLooks = 1 << 22
    /// Streams that read an array, on average.
    private static let mostReaders = 8

    /// The mesh's.
    public var place: Place { element.place }

    /// The same, to be kept.
    ///
    /// - Parameter previous: That of a geometry before it in the document.
    public func spot(after previous: GeometrySpot?) -> GeometrySpot { GeometrySpot(element, of: id, after: previous) }

    /// That of a primitive element, by its number in the mesh.
    public func place(ofPrimitive index: Int) -> Place {
        guard document.primitives.indices.contains(index) else { return place }
        return place(at: document.primitives[index].position)
    }

    /// That of the source which a primitive's first input of a semantic reads; the primitive's where there is none.
    public func place(ofSource semantic: Mesh.Semantic, inPrimitive index: Int) -> Place {
        guard document.primitives.indices.contains(index) else { return place }
        let inputs = document.primitives[index].inputs + document.vertices
        guard let input = inputs.first(where: { $0.semantic == semantic.name }),
            let source = ColladaDocument.source(of: input, in: document.sources)
        else { return place(ofPrimitive: index) }
        return place(at: source.position)
    }

    private func place(at position: XMLPosition) -> Place {
        element.children.first { $0.position.byte == position.byte }?.place ?? place
    }
}
