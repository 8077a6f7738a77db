package import DaeDiagnostics
package import DaeScene
import DaeSchema
package import DaeXML

/// Looks at each geometry, controller and sampler of a document at its end, while all of its numbers are in memory.
///
/// One examiner sees one document, in the order in which its units end, so it may remember what it saw. What it finds
/// goes into the reading's log. Nothing has been mended but what a unit says: indices may lead anywhere.
package protocol UnitExaminer {
    mutating func examine(_ geometry: GeometryUnit, _ log: inout FindingLog)
    mutating func examine(_ skin: SkinUnit, _ log: inout FindingLog)
    mutating func examine(_ sampler: SamplerUnit, _ log: inout FindingLog)
    /// Whether the sources and inputs of a mesh, its numbers aside, are to be kept for rules over the whole document: the
    /// others go with their geometry, and what is asked of them is asked here.
    mutating func asksAgain(of mesh: ColladaDocument.Mesh) -> Bool
}

/// A geometry with its mesh, at its end tag. Valid during the call that hands it over.
package struct GeometryUnit {
    package let id: String?
    /// Every primitive element of the document, in its order; indices as they are written.
    package let mesh: Mesh
    /// What its measuring came to: the positions there are, the box of those in use, …
    package let measure: MeshMeasure
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
    package var place: Place { element.place }

    /// The same without a path, to be kept.
    package var position: XMLPosition { element.position }

    /// That of a primitive element, by its number in the mesh.
    package func place(ofPrimitive index: Int) -> Place {
        guard document.primitives.indices.contains(index) else { return place }
        return place(at: document.primitives[index].position)
    }

    /// That of the source which a primitive's first input of a semantic reads; the primitive's where there is none.
    package func place(ofSource semantic: Mesh.Semantic, inPrimitive index: Int) -> Place {
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

/// A sampler with its curve, at its animation's end tag, or at the document's where its sources stand elsewhere.
package struct SamplerUnit {
    package let curve: AnimationCurve
    /// What the animation's channels move by it, as they are written: `node/rotateX.ANGLE`.
    package let targets: [String]
    private let findPlace: () -> Place

    init(curve: AnimationCurve, targets: [String], place: @escaping () -> Place) {
        self.curve = curve
        self.targets = targets
        findPlace = place
    }

    package var place: Place { findPlace() }
}

/// A skin with its matrices and influences, at its controller's end tag. Valid during the call that hands it over.
package struct SkinUnit {
    /// `nil` where the file leaves it out.
    package let bindShape: Matrix4?
    /// As many as the document has, which need not be one a joint; not all of them need be finite.
    package let inverseBinds: [Matrix4]
    package let joints: Int
    package let influences: SkinInfluences
    private let element: ElementView

    /// - Parameter element: The `<skin>`.
    init(_ skin: ColladaDocument.Skin, element: ElementView) {
        let reader = SourceReader(skin.sources)
        bindShape = skin.bindShape
        joints = reader.words(of: skin.jointInput).words.count
        inverseBinds = reader.matrices(of: skin.inverseBindInput) ?? []
        influences = SkinInfluences(skin.weights, reader)
        self.element = element
    }

    package enum Part: Sendable {
        case bindShape, joints, weights
    }

    /// The skin's own where it lacks the part.
    package func place(of part: Part) -> Place {
        switch part {
        case .bindShape: (element.first(.bindShapeMatrix) ?? element).place
        case .joints: (element.first(.joints) ?? element).place
        case .weights: (element.first(.vertexWeights) ?? element).place
        }
    }
}

extension SkinInfluences {
    init(_ weights: ColladaDocument.VertexWeights?, _ reader: SourceReader) {
        guard let weights else {
            self = .none
            return
        }
        self.init(
            counts: weights.influenceCounts, indices: weights.indices, stride: weights.stride,
            jointOffset: weights.input("JOINT")?.offset, weightOffset: weights.input("WEIGHT")?.offset,
            weights: reader.numbers(of: weights.input("WEIGHT")) ?? NumberList([]))
    }
}
