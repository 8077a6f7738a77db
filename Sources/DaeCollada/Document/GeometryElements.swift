package import DaeScene
package import DaeXML

extension ColladaDocument {
    package struct Geometry: Sendable {
        package var id: String?
        package var name: String?
        package var position: XMLPosition
        package var kind: Kind
        /// What its extras say; `nil` for nothing, and where only figures are read.
        package var sides: DaeScene.Material.Sides?
        /// The sources of texture coordinates, where a primitive has several sets of them.
        var texcoordSources: [TexcoordSource] = []
        /// The figures of its mesh; all 0 without one.
        package var measure = MeshMeasure()
        /// Its positions, x y z after x y z.
        package var positions: NumberArray<Double> = []
        /// Which of them its primitives use, as the scene has it.
        var usedPositions: [UInt64] = []
        /// Its mesh as a scene has it, its sources found; `nil` without one, and where only figures are wanted. It is built
        /// at the end of the geometry, so that sources and inputs do not outlive that, and nothing of them lies among the
        /// memory of what is kept.
        package var built: DaeScene.Mesh?

        /// A source as the inputs of primitives use it.
        struct TexcoordSource: Sendable, Equatable {
            var id: String
            var semantic: String
            var set: Int?
        }

        // What is rare lies elsewhere, so that meshes need no room for it.
        package enum Kind: Sendable {
            case mesh(Mesh)
            /// A convex hull, of its own mesh or of another geometry's.
            indirect case convexMesh(Mesh, hullOf: Reference?)
            indirect case spline(Spline)
            indirect case brep(Brep)
            /// None of the above within.
            case empty

            package var name: String {
                switch self {
                case .mesh: "mesh"
                case .convexMesh: "convex_mesh"
                case .spline: "spline"
                case .brep: "brep"
                case .empty: "empty"
                }
            }

            /// Of a mesh, or of a convex hull that has one.
            var mesh: Mesh? {
                switch self {
                case .mesh(let mesh), .convexMesh(let mesh, hullOf: _): mesh
                case .spline, .brep, .empty: nil
                }
            }
        }
    }

    /// What is left of a mesh at its end: it has no numbers then, which ``Geometry/built`` has; and where no examiner asks
    /// for it again, of its sources only those of words, where everything is kept.
    package struct Mesh: Sendable {
        package var sources: [Source] = []
        /// `nil` in a mesh without its sources.
        package var verticesID: String?
        /// Of `<vertices>`; every one has offset 0.
        package var vertices: [Input] = []
        package var primitives: [Primitive] = []
    }

    package struct Source: Sendable, Equatable {
        package var id: String?
        package var position: XMLPosition
        /// Its own; an accessor may read another source's.
        package var array: Values
        package var arrayID: String?
        /// `nil` when the file has none: then the array is read front to back.
        package var accessor: Accessor?

        package enum Values: Sendable, Equatable {
            case reals(NumberArray<Double>)
            /// A `Name_array`: names, and sids where they are those of joints.
            case names([String])
            /// An `IDREF_array`.
            case idrefs([String])
            /// A `SIDREF_array`, as 1.5 has it.
            case sidrefs([String])
            case none

            var count: Int {
                switch self {
                case .reals(let reals): reals.count
                case .names(let words), .idrefs(let words), .sidrefs(let words): words.count
                case .none: 0
                }
            }

            /// Whether it is of numbers.
            var isReals: Bool {
                switch self {
                case .reals: true
                case .names, .idrefs, .sidrefs, .none: false
                }
            }

            var isWords: Bool {
                switch self {
                case .names, .idrefs, .sidrefs: true
                case .reals, .none: false
                }
            }

            var words: [String]? {
                switch self {
                case .names(let words), .idrefs(let words), .sidrefs(let words): words
                case .reals, .none: nil
                }
            }
        }
    }

    /// How values are taken from an array: element i begins at `offset + i × stride`.
    package struct Accessor: Sendable, Equatable {
        /// Which array it reads.
        package enum Target: Sendable, Hashable {
            /// That of its own source, as nearly all do.
            case own
            /// The one at an address, which is as it is written.
            case at(String)
        }
        package var array: Target
        /// Elements, at least 0.
        package var count: Int
        /// From 0 into the array.
        package var offset: Int
        /// Values from one element to the next, at least 1.
        package var stride: Int
        /// The parameters' names in order; one without a name skips a value. One that has
        /// several values, such as a matrix, is here as often.
        package var params: [String?]

        /// Values that an array needs so that all elements can be read; `nil` where that overflows, or there are none.
        var neededValues: Int? {
            guard count > 0 else { return nil }
            let width = params.isEmpty ? min(3, stride) : params.count
            let (span, overflow) = (count - 1).multipliedReportingOverflow(by: stride)
            let (end, overflow2) = span.addingReportingOverflow(offset)
            let (needed, overflow3) = end.addingReportingOverflow(min(width, stride))
            return overflow || overflow2 || overflow3 ? nil : needed
        }

        /// How many elements an array holds.
        func elements(in array: Source.Values) -> Int {
            let width = params.isEmpty ? min(3, stride) : params.count
            let available = array.count - offset
            return available < width ? 0 : (available - width) / stride + 1
        }
    }

    package struct Input: Sendable, Equatable {
        package var semantic: String
        /// Empty and without a place in a mesh without its sources.
        package var source: Reference
        /// Which of the indices of a corner is its own, from 0.
        package var offset: Int
        package var set: Int?
    }

    /// One `<triangles>`, `<polylist>`, … of a mesh.
    package struct Primitive: Sendable, Equatable {
        package enum Kind: String, Sendable, CaseIterable {
            case triangles, polylist, polygons, tristrips, trifans, lines, linestrips
        }
        package var position: XMLPosition
        package var material: String?
        /// The `count` attribute; `nil` when missing or no number.
        package var count: Int?
        // Here, where it takes no room of its own.
        package var kind: Kind
        package var inputs: [Input]
        /// All `<p>` one after the other; each corner has ``stride`` of them.
        package var indices: NumberArray<Int32>
        /// Corners of each polygon, strip or ring of a polygon, in order; empty for triangles and lines.
        package var cornerCounts: NumberArray<Int32>
        /// Of each polygon, how many rings behind its first are holes; empty when no polygon has one.
        package var holeCounts: [Int32]

        /// Indices of a corner: the largest offset of an input and one.
        package var stride: Int {
            var largest = 0
            for index in inputs.indices { largest = max(largest, inputs[index].offset) }
            return largest + 1
        }
    }
}

// Accessors may leave out values before, between and behind those that count, and may read the array of another source
// of the same element. What they name is given without a copy where that is possible.

/// Reads the sources of one element by their accessors.
struct SourceReader {
    private let sources: [ColladaDocument.Source]
    private let table: SourceTable
    /// Sources by the ids of their arrays.
    private let holders: [String: Int]

    init(_ sources: [ColladaDocument.Source]) {
        self.sources = sources
        table = SourceTable(sources)
        holders = SourceTable.holders(of: sources)
    }

    /// The words that an accessor names.
    struct Words {
        enum Kind {
            case names, idrefs, sidrefs
        }
        var kind = Kind.names
        var words: [String] = []
        /// All that the array holds, where that is more than the accessor counts: words that belong together may have
        /// been torn apart by spaces.
        var torn: [String] = []
    }

    func words(of input: ColladaDocument.Input?) -> Words {
        guard let source = input.flatMap({ table.source(of: $0) }) else { return Words() }
        let array = array(of: source)
        guard let all = array.words else { return Words() }
        let kind = array.wordKind
        guard let accessor = source.accessor else { return Words(kind: kind, words: all) }
        let lane = accessor.params.firstIndex { $0 != nil } ?? 0
        if accessor.offset == 0, lane == 0, accessor.stride == 1 {
            if accessor.count >= all.count { return Words(kind: kind, words: all) }
            return Words(kind: kind, words: Array(all.prefix(accessor.count)), torn: all)
        }
        var words: [String] = []
        var (at, overflow) = accessor.offset.addingReportingOverflow(lane)
        while words.count < accessor.count, !overflow, at < all.count {
            words.append(all[at])
            (at, overflow) = at.addingReportingOverflow(accessor.stride)
        }
        return Words(kind: kind, words: words)
    }

    /// One number an element: that of the first parameter with a name.
    func numbers(of input: ColladaDocument.Input?) -> NumberList? {
        guard let source = input.flatMap({ table.source(of: $0) }), case .reals(let values) = array(of: source) else {
            return nil
        }
        guard let accessor = source.accessor else { return NumberList(values) }
        let lane = accessor.params.firstIndex { $0 != nil } ?? 0
        let (offset, overflow) = accessor.offset.addingReportingOverflow(lane)
        return NumberList(
            values, offset: overflow ? .max : offset, stride: accessor.stride, count: accessor.count)
    }

    /// Matrices, 16 numbers each row by row; `nil` without numbers. Not all of them need be finite.
    func matrices(of input: ColladaDocument.Input?) -> [Matrix4]? {
        guard let source = input.flatMap({ table.source(of: $0) }), case .reals(let values) = array(of: source) else {
            return nil
        }
        let count = source.accessor?.count ?? .max
        // A stride left out is 1, which no matrix can have.
        let stride = max(16, source.accessor?.stride ?? 16)
        var matrices: [Matrix4] = []
        var at = source.accessor?.offset ?? 0
        while matrices.count < count, at <= values.count - 16, let matrix = Matrix4(rows: values[at..<at + 16]) {
            matrices.append(matrix)
            let (next, overflow) = at.addingReportingOverflow(stride)
            if overflow { break }
            at = next
        }
        return matrices
    }

    /// The array that a source's accessor reads: usually its own.
    private func array(of source: ColladaDocument.Source) -> ColladaDocument.Source.Values {
        switch source.accessor?.array {
        case nil, .own: return source.array
        case .at(let text):
            let id = text.hasPrefix("#") ? String(text.dropFirst()) : text
            if source.arrayID == id { return source.array }
            return holders[id].map { sources[$0].array } ?? source.array
        }
    }
}

extension ColladaDocument.Source.Values {
    fileprivate var wordKind: SourceReader.Words.Kind {
        switch self {
        case .names, .reals, .none: .names
        case .idrefs: .idrefs
        case .sidrefs: .sidrefs
        }
    }
}

extension ColladaDocument {
    /// A boundary representation: exact curves and surfaces, and the topology that cuts solids out of them.
    package struct Brep: Sendable, Equatable {
        /// The space curves of edges.
        package var curves: [Curve] = []
        /// Curves in the parameters of a surface.
        package var surfaceCurves: [Curve] = []
        package var surfaces: [Surface] = []
        /// Without their numbers when only figures were asked for.
        package var sources: [Source] = []
        package var verticesID: String?
        package var vertices: [Input] = []
        /// At most one of each kind, in the file's order.
        package var topologies: [Topology] = []

        package func topology(_ kind: Topology.Kind) -> Topology? { topologies.first { $0.kind == kind } }
    }

    /// Where a curve or surface lies: turned by each `orient` in order, then moved to `origin`.
    package struct Placement: Sendable, Equatable {
        /// Axis and degrees.
        package var orients: [SIMD4<Double>] = []
        /// `nil` where the file leaves it out: 0 0 0.
        package var origin: SIMD3<Double>?
    }

    package struct Curve: Sendable, Equatable {
        package enum Form: Sendable, Equatable {
            case line(origin: SIMD3<Double>, direction: SIMD3<Double>)
            case circle(radius: Double)
            case ellipse(radii: SIMD2<Double>)
            case parabola(focal: Double)
            case hyperbola(radii: SIMD2<Double>)
            case nurbs(Nurbs)
            /// None that is known, or without its numbers; a spline from before 1.5 was settled among them.
            case unknown
        }
        package var sid: String?
        package var name: String?
        package var position: XMLPosition
        package var form: Form
        package var placement: Placement
    }

    package struct Nurbs: Sendable, Equatable {
        /// Along u, and for a surface along v.
        package var degrees: [Int]
        package var ends: [Spline.Ends]
        package var sources: [Source]
        package var controlVertices: [Input]
    }

    package struct Surface: Sendable, Equatable {
        package enum Form: Sendable, Equatable {
            /// The four numbers a b c d of ax + by + cz + d = 0.
            case plane(equation: SIMD4<Double>)
            case sphere(radius: Double)
            /// From the centre to the tube's, then the tube's own.
            case torus(radii: SIMD2<Double>)
            case cylinder(radius: Double)
            /// Half the opening, in degrees.
            case cone(radius: Double, angle: Double)
            case nurbs(Nurbs)
            case swept(Sweep)
            case unknown
        }
        package var sid: String?
        package var name: String?
        package var position: XMLPosition
        package var form: Form
        package var placement: Placement
    }

    /// A curve moved along a direction or around an axis.
    package struct Sweep: Sendable, Equatable {
        package enum Path: Sendable, Equatable {
            case extrusion(direction: SIMD3<Double>)
            case revolution(origin: SIMD3<Double>, axis: SIMD3<Double>)
            case unknown
        }
        package var curve: Curve?
        package var path: Path
    }

    /// One level of a brep: edges of curves and vertices, wires of edges, faces of surfaces and wires, …
    package struct Topology: Sendable, Equatable {
        package enum Kind: String, Sendable, CaseIterable {
            case edges, wires, faces, pcurves, shells, solids
        }
        package var kind: Kind
        package var id: String?
        package var name: String?
        package var position: XMLPosition
        /// The `count` attribute; `nil` when missing or no number.
        package var count: Int?
        package var inputs: [Input]
        /// Parts of each element; empty for edges, and when only figures were asked for, as is ``indices``.
        package var partCounts: [Int32]
        package var indices: [Int32]
        /// Elements by what is written: by the indices for edges, else by `vcount`.
        package var elements: Int
    }
}

extension ColladaDocument {
    /// A curve through or by control vertices, described by its inputs: POSITION, INTERPOLATION, IN_TANGENT, …
    package struct Spline: Sendable {
        package enum Ends: Sendable {
            /// The last control vertex is joined to the first.
            case closed
            case open
        }
        package var ends: Ends
        /// Without their numbers when only figures were asked for.
        package var sources: [Source]
        package var controlVertices: [Input]

        /// The interpolations of its segments, as written; empty where their source is missing.
        package var interpolations: [String] {
            guard let input = controlVertices.first(where: { $0.semantic == "INTERPOLATION" }),
                case .names(let names)? = ColladaDocument.source(of: input, in: sources)?.array
            else { return [] }
            return names
        }
    }
}
