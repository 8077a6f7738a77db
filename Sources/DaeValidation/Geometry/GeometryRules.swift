package import DaeCollada
package import DaeDiagnostics
import DaeMesh
import DaeScene

/// The rules over one geometry; keeps its room, and a hash of each geometry it saw.
struct GeometryRules {
    private var faces = FaceRules()
    private var duplicates = DuplicateGeometries()

    mutating func check(_ unit: GeometryUnit, _ log: inout FindingLog) {
        let mesh = unit.mesh
        let reach = unit.measure.bounds?.reach ?? 0
        var positions = MeshPositions(mesh)
        for index in mesh.primitives.indices {
            // By index: what is taken out of its list would be copied.
            if let input = mesh.primitives[index].positionInput(in: mesh.streams) {
                let values = positions.values(of: input.stream)
                faces.check(mesh.primitives[index], values.span, offset: input.offset, reach: reach)
                faces.report(of: mesh.primitives[index].kind, at: unit.place(ofPrimitive: index), &log)
            }
            TangentRules.check(mesh.primitives[index], of: mesh, at: unit.place(ofPrimitive: index), &log)
        }
        NormalRules.check(unit, &log)
        VertexColorRules.check(unit, &log)
        PositionRules.check(unit, &log)
        duplicates.check(unit, &log)
    }
}

extension Bounds {
    /// What the noise of a mesh's numbers is a share of: how far they are from one another where the mesh stands far from
    /// the origin, so that one in a map's coordinates is no point; what its numbers are rounded to there is noise in any
    /// case.
    var reach: Double {
        let largest = Swift.max(max.x, max.y, max.z, -min.x, -min.y, -min.z)
        let size = Swift.max(max.x - min.x, max.y - min.y, max.z - min.z)
        return Swift.max(Swift.min(largest, size), largest * 0x1p-26)
    }
}

/// The rules that need the numbers of a mesh, a skin or an animation: asked at each unit's end, before they are given
/// back.
package struct DeepExaminer: UnitExaminer {
    private var geometries = GeometryRules()
    private var skins = SkinRules()
    private var curves = CurveRules()
    private var inputs = InputRules()

    package init() {}

    package mutating func examine(_ geometry: GeometryUnit, _ log: inout FindingLog) {
        geometries.check(geometry, &log)
    }

    package mutating func examine(_ skin: SkinUnit, _ log: inout FindingLog) { skins.check(skin, &log) }

    package mutating func examine(_ sampler: SamplerUnit, _ log: inout FindingLog) { curves.check(sampler, &log) }

    /// Only where there is something to report, which comes behind what other rules report about the whole document.
    package mutating func asksAgain(of mesh: ColladaDocument.Mesh) -> Bool {
        SourceRules.haveFault(mesh.sources) || inputs.haveFault(in: mesh)
    }
}

/// The positions of a mesh as x y z after x y z; nearly always the document's array itself.
struct MeshPositions {
    private let streams: [Mesh.Stream]
    /// Those of the stream that was asked for last: primitives mostly share theirs.
    private var last: (stream: Int, values: NumberArray<Double>)?
    /// Of those before it, by stream.
    private var known: [Int: NumberArray<Double>] = [:]

    init(_ mesh: Mesh) { streams = mesh.streams }

    mutating func values(of stream: Int) -> NumberArray<Double> {
        if let last {
            if last.stream == stream { return last.values }
            known[last.stream] = last.values
        }
        let values = known[stream] ?? streams[stream].tripled.values.part(0..<3 * streams[stream].count)
        last = (stream, values)
        return values
    }
}

extension Mesh.Primitive {
    /// The first input of positions.
    func positionInput(in streams: [Mesh.Stream]) -> Input? {
        for index in inputs.indices where inputs[index].offset < stride {
            if case .position = streams[inputs[index].stream].semantic { return inputs[index] }
        }
        return nil
    }
}

extension Mesh.Stream {
    /// Whether its array holds nothing but three numbers an element, in their order.
    var isPlainTriples: Bool { offset == 0 && stride == 3 && values.count == 3 * count && hasPlainLanes }

    private var hasPlainLanes: Bool { lanes.count == 3 && lanes[0] == 0 && lanes[1] == 1 && lanes[2] == 2 }
}

/// Which elements of a stream are used: one bit each.
struct IndexMarks {
    let count: Int
    /// Corners marked, each as often as it came.
    private(set) var corners = 0
    private var words: [UInt64]

    init(count: Int) {
        self.count = count
        // One by one: the library's own way takes longer than to write the few that most have.
        words = []
        words.reserveCapacity((count + 63) / 64)
        for _ in 0..<(count + 63) / 64 { words.append(0) }
    }

    var used: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

    subscript(index: Int) -> Bool { (0..<count).contains(index) && words[index >> 6] >> UInt64(index & 63) & 1 == 1 }

    /// Indices that lead nowhere are passed over.
    ///
    /// - Parameters:
    ///   - list: Of all corners.
    ///   - step: Indices of a corner.
    mutating func mark(_ list: NumberArray<Int32>, offset: Int, step: Int) {
        list.forEachPart(of: step << 12) { part, _ in mark(part, offset: offset, step: step) }
    }

    private mutating func mark(_ indices: Span<Int32>, offset: Int, step: Int) {
        let limit = UInt32(clamping: count)
        var at = offset
        var marked = 0
        var words = words.mutableSpan
        while at < indices.count {
            let index = UInt32(bitPattern: indices[at])
            if index < limit {
                words[Int(index >> 6)] |= 1 &<< UInt64(index & 63)
                marked += 1
            }
            at += step
        }
        corners += marked
    }
}

/// Of the positions in use, how many differ. Of very many a sample is taken by their hashes, so that equal ones are in
/// it together; which takes the same memory for any mesh.
enum DistinctShare {
    private static let sampleSize = 1 << 15

    /// 0...1.
    static func of(_ positions: Mesh.Stream, _ used: IndexMarks) -> Double {
        let every = UInt64(max(1, used.corners / sampleSize))
        var seen: Set<UInt64> = []
        var sampled = 0
        for index in 0..<positions.count where used[index] {
            if index.isMultiple(of: 2 * sampleSize) { positions.values.giveBack() }
            var hash = ContentHash()
            for lane in 0..<3 { hash.add(positions.value(index, lane: lane).bitPattern) }
            guard hash.low % every == 0 else { continue }
            sampled += 1
            // Made for it, all may fall into the sample.
            if seen.count < 4 * sampleSize { seen.insert(hash.low) }
        }
        return sampled == 0 ? 1 : Double(seen.count) / Double(sampled)
    }
}
