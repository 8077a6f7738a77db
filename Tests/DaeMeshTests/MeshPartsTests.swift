import DaeScene
import TestSupport
import Testing

@testable import DaeMesh

/// Meshes that are larger than what is packed of one at a time.
@Suite struct MeshPartsTests {
    private static let conventions = ExportConventions(imageOrigin: .topLeft, colors: .linear, curves: .cubic)

    /// Rings of a few corners each, some of none, whose indices may end too early or lead nowhere.
    private static func mesh(_ kind: Mesh.Primitive.Kind, reach: Int, _ numbers: inout SeededNumbers) -> Mesh {
        let stride = 2
        var rings: [Int32] = []
        var holes: [Int32] = []
        switch kind {
        case .triangles, .lines: break
        case .polylist, .tristrips, .trifans, .linestrips:
            rings = (0..<12_000).map { _ in Int32.random(in: -1...6, using: &numbers) }
        case .polygons:
            holes = (0..<6000).map { _ in Int32.random(in: 0...20, using: &numbers) / 19 }
            rings = (0..<6000 + holes.reduce(0) { $0 + Int($1) }).map { _ in Int32.random(in: 3...6, using: &numbers) }
        }
        let needed = rings.isEmpty ? 40_000 : rings.reduce(0) { $0 + max(0, Int($1)) }
        let corners = needed - Int.random(in: 0...7, using: &numbers)
        let count = 5000
        let indices = (0..<corners * stride).map { place in
            // Neighbours have neighbouring positions, but for a few.
            let near = place * (count - reach) / (corners * stride)
            return Int32(near + Int.random(in: 0..<reach, using: &numbers))
        }
        let values = (0..<3 * count).map { _ in Double.random(in: -1...1, using: &numbers) }
        let normals = (0..<3 * count).map { _ in Double(Int.random(in: -1...1, using: &numbers)) }
        func stream(_ semantic: Mesh.Semantic, _ values: [Double]) -> Mesh.Stream {
            Mesh.Stream(
                semantic: semantic, values: NumberArray(values), offset: 0, stride: 3, lanes: [0, 1, 2], count: count)
        }
        return Mesh(
            streams: [stream(.position, values), stream(.normal, normals)],
            primitives: [
                Mesh.Primitive(
                    kind: kind, material: nil,
                    inputs: [.init(stream: 0, offset: 1, set: nil), .init(stream: 1, offset: 0, set: nil)],
                    stride: stride, indices: NumberArray(indices), cornerCounts: NumberArray(rings),
                    holeCounts: holes)
            ])
    }

    @Test(arguments: Mesh.Primitive.Kind.allCases, [30, 4000])
    func theyAreCutAsAWhole(_ kind: Mesh.Primitive.Kind, reach: Int) {
        var numbers = SeededNumbers(seed: 11)
        let mesh = Self.mesh(kind, reach: reach, &numbers)
        var triangulator = Triangulator()
        let whole = mesh.triangles(of: mesh.primitives[0], using: &triangulator).corners
        var parts = PrimitiveParts(mesh.primitives[0], .few)
        var cutter = PolygonCutter(of: mesh)
        var corners: [Int32] = []
        var (start, count) = (0, 0)
        while let part = parts.next() {
            corners += cutter.corners(of: part, using: &triangulator).map { $0 + Int32(start) }
            start += part.corners
            count += 1
        }
        #expect(corners == whole)
        switch kind {
        case .triangles, .polylist, .polygons, .tristrips, .trifans: #expect(count > 1)
        case .lines, .linestrips: #expect(count == 1)
        }
    }

    /// Elements of parts are looked up in a few or in all, by how far apart they are.
    @Test(arguments: Mesh.Primitive.Kind.allCases)
    func cornersThatLeadNowhereAreTheSameHoweverFarOthersAre(_ kind: Mesh.Primitive.Kind) throws {
        var numbers = SeededNumbers(seed: 12)
        var mesh = Self.mesh(kind, reach: 40, &numbers)
        var indices = mesh.primitives[0].indices.array
        for _ in 0..<20 {
            let place = Int.random(in: 0..<indices.count, using: &numbers)
            indices[place] = [-1, 5000, .max, 4999].randomElement(using: &numbers) ?? 0
        }
        mesh.primitives[0].indices = NumberArray(indices)
        var packed: [PackedPrimitive] = []
        var reports: [FidelityReport] = []
        // A target that changes normals has all of the primitive packed at once.
        let target = ShapeTarget(geometry: SceneIndex(0), mesh: mesh, method: .normalized)
        for targets in [[], [target]] {
            var packer = MeshPacker(
                mesh, deformation: .none, targets: targets, turned: [], place: "here", conventions: Self.conventions)
            var (triangulator, report) = (Triangulator(), FidelityReport())
            packed.append(try #require(try packer.pack(0, using: &triangulator, &report)))
            reports.append(report)
        }
        #expect(packed[0].indices == packed[1].indices && packed[0].vertexCount == packed[1].vertexCount)
        for (left, right) in zip(packed[0].attributes, packed[1].attributes) {
            var values: ([Float], [Float]) = ([], [])
            left.put(0..<packed[0].vertexCount, into: &values.0)
            right.put(0..<packed[1].vertexCount, into: &values.1)
            #expect(left.kind == right.kind && values.0 == values.1)
        }
        #expect(reports[0] == reports[1] && !reports[0].entries.isEmpty)
    }
}
