import SceneModel
import TestSupport
import Testing

@testable import SceneExport

/// Meshes that are larger than what is packed of one at a time.
@Suite struct MeshPartsTests {
    private static let conventions = ExportConventions(imageOrigin: .topLeft, colors: .linear)

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
            Mesh.Stream(semantic: semantic, values: values, offset: 0, stride: 3, lanes: [0, 1, 2], count: count)
        }
        return Mesh(
            streams: [stream(.position, values), stream(.normal, normals)],
            primitives: [
                Mesh.Primitive(
                    kind: kind, material: nil,
                    inputs: [.init(stream: 0, offset: 1, set: nil), .init(stream: 1, offset: 0, set: nil)],
                    stride: stride, indices: indices, cornerCounts: rings, holeCounts: holes)
            ])
    }

    private static func archived(_ mesh: Mesh) -> ArchivedMesh {
        let archive = ListArchive()
        return ArchivedMesh(
            mesh, in: archive, reals: { archive.put($0) }, integers: { archive.put($0) })
    }

    @Test(arguments: Mesh.Primitive.Kind.allCases, [30, 4000])
    func theyAreCutAsAWhole(_ kind: Mesh.Primitive.Kind, reach: Int) throws {
        var numbers = SeededNumbers(seed: 11)
        let mesh = Self.mesh(kind, reach: reach, &numbers)
        var triangulator = Triangulator()
        let whole = mesh.triangles(of: mesh.primitives[0], using: &triangulator).corners
        for source in [MeshNumbers.memory(mesh), .archive(Self.archived(mesh))] {
            var parts = PrimitiveParts(0, of: source, .few)
            var cutter = PolygonCutter(of: source)
            var corners: [Int32] = []
            var (start, count) = (0, 0)
            while let part = try parts.next() {
                corners += try cutter.corners(of: part, using: &triangulator).map { $0 + Int32(start) }
                start += part.corners
                count += 1
            }
            #expect(corners == whole)
            switch kind {
            case .triangles, .polylist, .polygons, .tristrips, .trifans: #expect(count > 1)
            case .lines, .linestrips: #expect(count == 1)
            }
        }
    }

    @Test(arguments: Mesh.Primitive.Kind.allCases)
    func theyArePackedAsTheyAreInMemory(_ kind: Mesh.Primitive.Kind) throws {
        var numbers = SeededNumbers(seed: 12)
        var mesh = Self.mesh(kind, reach: 40, &numbers)
        for _ in 0..<20 {
            let place = Int.random(in: 0..<mesh.primitives[0].indices.count, using: &numbers)
            mesh.primitives[0].indices[place] = [-1, 5000, .max, 4999].randomElement(using: &numbers) ?? 0
        }
        var packed: [PackedPrimitive] = []
        var reports: [FidelityReport] = []
        for source in [MeshNumbers.memory(mesh), .archive(Self.archived(mesh))] {
            var packer = MeshPacker(
                source, deformation: .none, targets: [], turned: [], place: "here", conventions: Self.conventions)
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

    @Test func whatCannotBeReadBackIsAnError() throws {
        var numbers = SeededNumbers(seed: 13)
        let archive = ListArchive()
        let mesh = ArchivedMesh(
            Self.mesh(.polylist, reach: 30, &numbers), in: archive, reals: { archive.put($0) },
            integers: { archive.put($0) })
        archive.lose()
        var packer = MeshPacker(
            .archive(mesh), deformation: .none, targets: [], turned: [], place: nil, conventions: Self.conventions)
        var (triangulator, report) = (Triangulator(), FidelityReport())
        #expect(throws: SceneExportError.self) { try packer.pack(0, using: &triangulator, &report) }
    }
}
