extension Dae {
    /// A mesh with what is known of it once it was read.
    public struct Geometry: Sendable, Equatable {
        /// The element's `id`; `nil` where it has none.
        public var id: String?
        /// The element's `name`, for people; `nil` where it has none.
        public var name: String?
        package var measure: MeshMeasure
        /// Its positions, x y z after x y z, in the document's units and axes: one for each element of the source.
        public var positions: NumberArray<Double>
        /// Which of the positions its primitives use: a bit each, those of the first in the lowest; empty where all are used.
        package var usedPositions: [UInt64] = []
        /// `nil` where only figures were read, and for what is no mesh.
        public var mesh: Mesh?
        /// For a convex mesh that is the hull of another geometry: the one at the end of the chain that has points.
        package var hullOf: SceneIndex<Geometry>?
        /// Which sides of its faces are seen, by what exporters say of the mesh; `nil` where nothing is said, and where only
        /// figures were read. A material may say it, too.
        package var sides: Material.Sides?

        package init(
            id: String?, name: String?, measure: MeshMeasure, positions: Dae.NumberArray<Double>, mesh: Dae.Mesh? = nil,
            hullOf: Dae.SceneIndex<Dae.Geometry>? = nil, sides: Dae.Material.Sides? = nil
        ) {
            self.id = id
            self.name = name
            self.measure = measure
            self.positions = positions
            self.mesh = mesh
            self.hullOf = hullOf
            self.sides = sides
        }

        /// Whether a primitive uses a position.
        func uses(_ position: Int) -> Bool {
            guard !usedPositions.isEmpty else { return true }
            guard position >> 6 < usedPositions.count else { return false }
            return usedPositions[position >> 6] >> UInt64(position & 63) & 1 == 1
        }
    }

    /// The numbers of a mesh as the file has them, with every source found.
    public struct Mesh: Sendable, Equatable {
        /// The numbers of positions, normals and the like, which primitives share.
        public var streams: [Stream]
        /// Faces and lines, in the document's order.
        public var primitives: [Primitive]

        package init(streams: [Stream], primitives: [Primitive]) {
            self.streams = streams
            self.primitives = primitives
        }

        /// What the elements of a stream are.
        public enum Semantic: Sendable, Hashable {
            case position, normal, texcoord, color, tangent, binormal, textangent, texbinormal
            case custom(String)

            /// By COLLADA's name; what is not known is kept as it is.
            package init(_ name: String) {
                self =
                    switch name {
                    case "POSITION": .position
                    case "NORMAL": .normal
                    case "TEXCOORD": .texcoord
                    case "COLOR": .color
                    case "TANGENT": .tangent
                    case "BINORMAL": .binormal
                    case "TEXTANGENT": .textangent
                    case "TEXBINORMAL": .texbinormal
                    default: .custom(name)
                    }
            }
        }

        /// Elements of a few numbers each: element i begins at `offset + i × stride` in `values`.
        public struct Stream: Sendable, Equatable {
            /// What the numbers are.
            public var semantic: Semantic
            /// The array that the numbers are in, with others perhaps.
            public var values: NumberArray<Double>
            @usableFromInline package var offset: Int
            @usableFromInline package var stride: Int
            /// Which numbers of an element count, as places from its beginning; x, y, z in this order for positions.
            @usableFromInline package var lanes: [Int]
            /// Elements that `values` really holds.
            public var count: Int

            package init(
                semantic: Semantic, values: NumberArray<Double>, offset: Int, stride: Int, lanes: [Int], count: Int
            ) {
                self.semantic = semantic
                self.values = values
                self.offset = offset
                self.stride = stride
                self.lanes = lanes
                self.count = count
            }

            /// The number of a lane of the element at `index` (0..<`count`); 0 beyond the lanes there are.
            @inlinable
            public func value(_ index: Int, lane: Int) -> Double {
                guard (0..<count).contains(index), lane < lanes.count else { return 0 }
                return values[offset + index * stride + lanes[lane]]
            }
        }

        /// One `<triangles>`, `<polylist>`, … : corners, each with one index a stream.
        public struct Primitive: Sendable, Equatable {
            /// What corners make; raw values are COLLADA's names.
            public enum Kind: String, Sendable, CaseIterable {
                case triangles, polylist, polygons, tristrips, trifans, lines, linestrips
            }
            /// Which stream a primitive takes numbers from, and by which of a corner's indices.
            public struct Input: Sendable, Equatable {
                /// Into the mesh's streams.
                public var stream: Int
                /// Which of a corner's indices is its own, from 0.
                public var offset: Int
                /// The number by which bindings tell several inputs of one kind apart; `nil` where none is written.
                public var set: Int?

                package init(stream: Int, offset: Int, set: Int?) {
                    self.stream = stream
                    self.offset = offset
                    self.set = set
                }
            }
            /// What its corners make.
            public var kind: Kind
            /// The symbol that an instance binds a material to.
            public var material: String?
            /// What a corner has, in the document's order.
            public var inputs: [Input]
            /// Indices of a corner.
            public var stride: Int
            /// Of all corners, ``stride`` numbers each: into the stream of each input, at its offset.
            public var indices: NumberArray<Int32>
            /// Corners of each polygon, strip or ring; empty for triangles and lines.
            public var cornerCounts: NumberArray<Int32>
            /// Of each polygon, how many rings behind its first are holes; empty when no polygon has one.
            public var holeCounts: [Int32]

            package init(
                kind: Kind, material: String?, inputs: [Input], stride: Int, indices: NumberArray<Int32>,
                cornerCounts: NumberArray<Int32>, holeCounts: [Int32]
            ) {
                self.kind = kind
                self.material = material
                self.inputs = inputs
                self.stride = stride
                self.indices = indices
                self.cornerCounts = cornerCounts
                self.holeCounts = holeCounts
            }

            /// Whole corners in `indices`.
            @inlinable
            public var corners: Int { indices.count / max(1, stride) }
        }
    }
}

extension Mesh.Semantic {
    /// COLLADA's name.
    package var name: String {
        switch self {
        case .position: "POSITION"
        case .normal: "NORMAL"
        case .texcoord: "TEXCOORD"
        case .color: "COLOR"
        case .tangent: "TANGENT"
        case .binormal: "BINORMAL"
        case .textangent: "TEXTANGENT"
        case .texbinormal: "TEXBINORMAL"
        case .custom(let name): name
        }
    }
}

/// The figures of one mesh. Document, scene and report all have them, and share their memory.
package struct MeshMeasure: Sendable, Equatable {
    private var shared = Shared.none

    private indirect enum Shared: Sendable {
        case none
        /// As nearly all are, in two thirds of the memory.
        case plain(PlainFigures)
        case figures(Figures)

        init(_ figures: Figures) { self = PlainFigures(figures).map { .plain($0) } ?? .figures(figures) }

        var figures: Figures {
            switch self {
            case .none: Figures()
            case .plain(let plain): plain.figures
            case .figures(let figures): figures
            }
        }
    }

    package struct Figures: Sendable, Equatable {
        package var submeshes = 0
        package var triangles = 0
        package var faceCorners = 0
        package var positions = 0
        package var lines = 0
        package var degenerateFaces = 0
        package var bounds: Bounds?

        package init() {}
    }

    /// Of triangles and polygons that are sound, and not more than 32 bits count.
    private struct PlainFigures: Sendable {
        private let submeshes, triangles, faceCorners, positions: UInt32
        private let bounds: Bounds

        init?(_ figures: Figures) {
            guard figures.lines == 0, figures.degenerateFaces == 0, let bounds = figures.bounds,
                let submeshes = UInt32(exactly: figures.submeshes), let triangles = UInt32(exactly: figures.triangles),
                let faceCorners = UInt32(exactly: figures.faceCorners),
                let positions = UInt32(exactly: figures.positions)
            else { return nil }
            (self.submeshes, self.triangles, self.faceCorners) = (submeshes, triangles, faceCorners)
            (self.positions, self.bounds) = (positions, bounds)
        }

        var figures: Figures {
            var figures = Figures()
            (figures.submeshes, figures.triangles) = (Int(submeshes), Int(triangles))
            (figures.faceCorners, figures.positions) = (Int(faceCorners), Int(positions))
            figures.bounds = bounds
            return figures
        }
    }

    package init() {}

    package init(_ figures: Figures) { shared = Shared(figures) }

    private(set) var figures: Figures {
        get { shared.figures }
        set { shared = Shared(newValue) }
    }

    /// Primitive elements with at least one primitive, lines too.
    package var submeshes: Int {
        get { figures.submeshes }
        set { figures.submeshes = newValue }
    }
    /// After triangulation: a polygon of n corners gives n − 2; strips and fans unrolled.
    package var triangles: Int {
        get { figures.triangles }
        set { figures.triangles = newValue }
    }
    /// Corners as written for polygons, three for each triangle of strips and fans.
    package var faceCorners: Int {
        get { figures.faceCorners }
        set { figures.faceCorners = newValue }
    }
    /// Positions in its source, used or not.
    package var positions: Int {
        get { figures.positions }
        set { figures.positions = newValue }
    }
    /// Segments of lines and line strips.
    package var lines: Int {
        get { figures.lines }
        set { figures.lines = newValue }
    }
    /// Triangles and polygons that have a corner twice in a row, strips and fans aside.
    package var degenerateFaces: Int {
        get { figures.degenerateFaces }
        set { figures.degenerateFaces = newValue }
    }
    /// Over the positions its primitives use; `nil` without any.
    package var bounds: Bounds? {
        get { figures.bounds }
        set { figures.bounds = newValue }
    }
}

extension MeshMeasure {
    /// By their figures: none are the same as all 0.
    package static func == (left: MeshMeasure, right: MeshMeasure) -> Bool { left.figures == right.figures }
}
