import DaeScene
import DaeSchema

/// The indices of one input among the interleaved ones of a primitive, looked at as they pass.
struct IndexStream {
    struct Faults {
        /// The first one too large.
        var outOfBounds: Int32?
        var outOfBoundsCount = 0
        var negative: Int32?
        var negativeCount = 0

        mutating func add(_ index: Int32) {
            if index < 0 {
                negative = negative ?? index
                negativeCount += 1
            } else {
                outOfBounds = outOfBounds ?? index
                outOfBoundsCount += 1
            }
        }
    }

    /// Which faces are looked for that have one index twice in a row (the last and the first corner are in a row, too):
    /// they have no area.
    enum Faces {
        case none
        case triangles
        case rings(RingWalk)

        /// Strips and fans are left out: exporters join strips by triangles without area.
        init(of primitive: borrowing ColladaDocument.Primitive) {
            let counts = primitive.cornerCounts
            self =
                switch primitive.kind {
                case .triangles: .triangles
                case .polylist, .polygons: counts.isEmpty ? .triangles : .rings(RingWalk(counts))
                case .tristrips, .trifans, .lines, .linestrips: .none
                }
        }
    }

    private(set) var faults = Faults()
    private(set) var degenerateFaces = 0
    let offset: Int
    private let stride: Int
    private let limit: UInt32
    private var faces: Faces

    init(offset: Int, stride: Int, limit: Int, faces: Faces = .none) {
        self.offset = offset
        self.stride = stride
        self.limit = UInt32(clamping: limit)
        self.faces = faces
    }

    /// - Parameter piece: Whole triangles, where those are looked for, but for the last piece.
    mutating func check(_ piece: Span<Int32>) {
        var at = offset
        while at < piece.count {
            if UInt32(bitPattern: piece[at]) >= limit { faults.add(piece[at]) }
            at += stride
        }
    }

    /// Checks, marks what is used, and counts faces.
    mutating func mark(_ piece: Span<Int32>, in used: inout UsedPositions) {
        var words = used.words.mutableSpan
        var at = offset
        while at < piece.count {
            let index = UInt32(bitPattern: piece[at])
            if index < limit {
                words[Int(index &>> 6)] |= 1 &<< UInt64(index & 63)
            } else {
                faults.add(piece[at])
            }
            at += stride
        }
        switch faces {
        case .none: break
        case .triangles: countTriangles(piece)
        case .rings(var walk):
            walk.pass(piece, offset: offset, stride: stride)
            degenerateFaces = walk.degenerate
            faces = .rings(walk)
        }
    }

    private mutating func countTriangles(_ piece: Span<Int32>) {
        var at = offset
        while at + 2 * stride < piece.count {
            let (first, second, third) = (piece[at], piece[at + stride], piece[at + 2 * stride])
            if first == second || second == third || third == first { degenerateFaces += 1 }
            at += 3 * stride
        }
    }
}

/// Where in the faces of a primitive the corners that pass are.
struct RingWalk {
    private(set) var degenerate = 0
    /// Corners of each face.
    private let rings: NumberArray<Int32>
    /// Faces that were begun.
    private var begun = 0
    /// Corners of the present face that are still to come.
    private var left: Int32 = 0
    private var first: Int32 = 0
    private var before: Int32 = 0
    private var isDegenerate = false

    init(_ rings: NumberArray<Int32>) { self.rings = rings }

    mutating func pass(_ piece: Span<Int32>, offset: Int, stride: Int) {
        // A copy, as the walk itself changes.
        let list = rings
        let rings = list.span
        var at = offset
        while at < piece.count {
            let index = piece[at]
            at += stride
            if left > 0 {
                isDegenerate = isDegenerate || index == before
            } else {
                while left <= 0, begun < rings.count {
                    left = rings[begun]
                    begun += 1
                }
                guard left > 0 else { return }
                first = index
                isDegenerate = false
            }
            before = index
            left -= 1
            if left == 0, isDegenerate || before == first { degenerate += 1 }
        }
    }
}
