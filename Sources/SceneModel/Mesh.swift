/// The numbers of a mesh as the file has them, with every source found.
public struct Mesh: Sendable, Equatable {
    public var streams: [Stream]
    public var primitives: [Primitive]

    @inlinable public init(streams: [Stream], primitives: [Primitive]) {
        self.streams = streams
        self.primitives = primitives
    }

    /// What the elements of a stream are.
    public enum Semantic: Sendable, Hashable {
        case position, normal, texcoord, color, tangent, binormal, textangent, texbinormal
        case custom(String)

        /// By COLLADA's name; what is not known is kept as it is.
        public init(_ name: String) {
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
                default: .custom(name)  // strings
                }
        }
    }

    /// Elements of a few numbers each: element i begins at `offset + i × stride` in `values`.
    public struct Stream: Sendable, Equatable {
        public var semantic: Semantic
        public var values: [Double]
        public var offset: Int
        public var stride: Int
        /// Which numbers of an element count, as places from its beginning; x, y, z in this order for positions.
        public var lanes: [Int]
        /// Elements that `values` really holds.
        public var count: Int

        @inlinable public init(semantic: Semantic, values: [Double], offset: Int, stride: Int, lanes: [Int], count: Int)
        {
            self.semantic = semantic
            self.values = values
            self.offset = offset
            self.stride = stride
            self.lanes = lanes
            self.count = count
        }

        /// The number of a lane of the element at `index` (0..<`count`); 0 beyond the lanes there are.
        public func value(_ index: Int, lane: Int) -> Double {
            guard (0..<count).contains(index), lane < lanes.count else { return 0 }
            return values[offset + index * stride + lanes[lane]]
        }
    }

    /// One `<triangles>`, `<polylist>`, … : corners, each with one index a stream.
    public struct Primitive: Sendable, Equatable {
        public enum Kind: String, Sendable, CaseIterable {
            case triangles, polylist, polygons, tristrips, trifans, lines, linestrips
        }
        public struct Input: Sendable, Equatable {
            /// Into the mesh's streams.
            public var stream: Int
            /// Which of a corner's indices is its own, from 0.
            public var offset: Int
            public var set: Int?

            @inlinable public init(stream: Int, offset: Int, set: Int?) {
                self.stream = stream
                self.offset = offset
                self.set = set
            }
        }
        public var kind: Kind
        /// The symbol that an instance binds a material to.
        public var material: String?
        public var inputs: [Input]
        /// Indices of a corner.
        public var stride: Int
        public var indices: [Int32]
        /// Corners of each polygon, strip or ring; empty for triangles and lines.
        public var cornerCounts: [Int32]
        /// Of each polygon, how many rings behind its first are holes; empty when no polygon has one.
        public var holeCounts: [Int32]

        @inlinable public init(
            kind: Kind, material: String?, inputs: [Input], stride: Int, indices: [Int32], cornerCounts: [Int32],
            holeCounts: [Int32]
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
        public var corners: Int { indices.count / max(1, stride) }
    }
}

extension Mesh.Semantic {
    /// COLLADA's name.
    public var name: String {
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
