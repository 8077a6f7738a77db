public import SceneModel
public import XMLReader

extension ColladaDocument {
    public struct Geometry: Sendable {
        public var id: String?
        public var name: String?
        public var position: XMLPosition
        public var kind: Kind
        /// What its extras say; `nil` for nothing, and where only figures are read.
        public var sides: SceneModel.Material.Sides?
        /// The sources of texture coordinates, where a primitive has several sets of them.
        var texcoordSources: [TexcoordSource] = []
        /// The figures of its mesh; all 0 without one.
        public var measure = MeshMeasure()
        /// Its positions, x y z after x y z.
        public var positions: [Double] = []
        /// The same where only figures were asked for, and ``positions`` is empty.
        public var storedPositions: StoredPositions?
        /// Which of them its primitives use, as the scene has it.
        var usedPositions: [UInt64] = []
        /// Its mesh as a scene has it.
        public var built = BuiltMesh.none

        /// A mesh as a scene has it, its sources found. It is built at the end of the geometry, so that sources and inputs
        /// do not outlive that, and nothing of them lies among the memory of what is kept.
        public enum BuiltMesh: Sendable {
            case memory(SceneModel.Mesh)
            /// Where arrays are out of memory.
            case archive(ArchivedMesh)
            /// No mesh, or only its figures are wanted.
            case none
        }

        /// A source as the inputs of primitives use it.
        struct TexcoordSource: Sendable, Equatable {
            var id: String
            var semantic: String
            var set: Int?
        }

        // What is rare lies elsewhere, so that meshes need no room for it.
        public enum Kind: Sendable {
            case mesh(Mesh)
            /// A convex hull, of its own mesh or of another geometry's.
            indirect case convexMesh(Mesh, hullOf: Reference?)
            indirect case spline(Spline)
            indirect case brep(Brep)
            /// None of the above within.
            case empty

            public var name: String {
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
    public struct Mesh: Sendable {
        public var sources: [Source] = []
        /// `nil` in a mesh without its sources.
        public var verticesID: String?
        /// Of `<vertices>`; every one has offset 0.
        public var vertices: [Input] = []
        public var primitives: [Primitive] = []
    }

    public struct Source: Sendable, Equatable {
        public var id: String?
        public var position: XMLPosition
        /// Its own; an accessor may read another source's.
        public var array: Values
        public var arrayID: String?
        /// `nil` when the file has none: then the array is read front to back.
        public var accessor: Accessor?

        public enum Values: Sendable, Equatable {
            case reals([Double])
            /// A `Name_array`: names, and sids where they are those of joints.
            case names([String])
            /// An `IDREF_array`.
            case idrefs([String])
            /// A `SIDREF_array`, as 1.5 has it.
            case sidrefs([String])
            /// Numbers that are out of memory while their mesh is read for its figures.
            case stored(StoredNumbers)
            case none

            var count: Int {
                switch self {
                case .reals(let reals): reals.count
                case .names(let words), .idrefs(let words), .sidrefs(let words): words.count
                case .stored(let stored): stored.count
                case .none: 0
                }
            }

            /// Those in memory.
            var reals: [Double] {
                switch self {
                case .reals(let reals): reals
                case .names, .idrefs, .sidrefs, .stored, .none: []
                }
            }

            /// Whether it is of numbers, wherever they are.
            var isReals: Bool {
                switch self {
                case .reals, .stored: true
                case .names, .idrefs, .sidrefs, .none: false
                }
            }

            var isWords: Bool {
                switch self {
                case .names, .idrefs, .sidrefs: true
                case .reals, .stored, .none: false
                }
            }

            var words: [String]? {
                switch self {
                case .names(let words), .idrefs(let words), .sidrefs(let words): words
                case .reals, .stored, .none: nil
                }
            }
        }
    }

    /// How values are taken from an array: element i begins at `offset + i × stride`.
    public struct Accessor: Sendable, Equatable {
        /// Which array it reads.
        public enum Target: Sendable, Hashable {
            /// That of its own source, as nearly all do.
            case own
            /// The one at an address, which is as it is written.
            case at(String)
        }
        public var array: Target
        /// Elements, at least 0.
        public var count: Int
        /// From 0 into the array.
        public var offset: Int
        /// Values from one element to the next, at least 1.
        public var stride: Int
        /// The parameters' names in order; one without a name skips a value. One that has
        /// several values, such as a matrix, is here as often.
        public var params: [String?]

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

    public struct Input: Sendable, Equatable {
        public var semantic: String
        /// Empty and without a place in a mesh without its sources.
        public var source: Reference
        /// Which of the indices of a corner is its own, from 0.
        public var offset: Int
        public var set: Int?
    }

    /// One `<triangles>`, `<polylist>`, … of a mesh.
    public struct Primitive: Sendable, Equatable {
        public enum Kind: String, Sendable, CaseIterable {
            case triangles, polylist, polygons, tristrips, trifans, lines, linestrips
        }
        public var position: XMLPosition
        public var material: String?
        /// The `count` attribute; `nil` when missing or no number.
        public var count: Int?
        // Here, where it takes no room of its own.
        public var kind: Kind
        public var inputs: [Input]
        /// All `<p>` one after the other; each corner has ``stride`` of them.
        public var indices: [Int32]
        /// Corners of each polygon, strip or ring of a polygon, in order; empty for triangles and lines.
        public var cornerCounts: [Int32]
        /// Of each polygon, how many rings behind its first are holes; empty when no polygon has one.
        public var holeCounts: [Int32]
        /// Where the indices are while the mesh is read for its figures; ``indices`` is empty then.
        var stored: [StoredNumbers] = []
        /// What ``cornerCounts`` is else, of a polylist that is read for its figures.
        var packedCounts = CornerCounts()

        /// Corners of each polygon, wherever they are.
        var rings: CornerCounts { packedCounts.isEmpty ? CornerCounts(cornerCounts) : packedCounts }

        var hasRings: Bool { !cornerCounts.isEmpty || !packedCounts.isEmpty }

        /// In memory or stored.
        var indexCount: Int { stored.reduce(indices.count) { $0 + $1.count } }

        /// Indices of a corner: the largest offset of an input and one.
        public var stride: Int {
            var largest = 0
            for index in inputs.indices { largest = max(largest, inputs[index].offset) }
            return largest + 1
        }
    }
}
