import DaeScene
import Testing

@testable import DaeMesh

/// What formats have differently is prepared as a format says.
@Suite struct ConventionTests {
    /// A triangle whose corners have texture coordinates and colours.
    private static let mesh = Mesh(
        streams: [
            stream(.position, [0, 0, 0, 1, 0, 0, 0, 1, 0], 3), stream(.texcoord, [0, 0, 1, 0, 0, 0.75], 2),
            stream(.color, [0, 0.5, 1, 0.5, 1, 1, 1, 1, 0, 0, 0, 0], 4),
        ],
        primitives: [
            Mesh.Primitive(
                kind: .triangles, material: nil,
                inputs: (0..<3).map { .init(stream: $0, offset: 0, set: nil) }, stride: 1, indices: [0, 1, 2],
                cornerCounts: [], holeCounts: [])
        ])

    private static func stream(_ semantic: Mesh.Semantic, _ values: [Double], _ width: Int) -> Mesh.Stream {
        Mesh.Stream(
            semantic: semantic, values: NumberArray(values), offset: 0, stride: width, lanes: Array(0..<width),
            count: values.count / width)
    }

    private static func packed(
        _ kind: VertexAttribute, as conventions: ExportConventions
    ) throws -> [Float] {
        var packer = MeshPacker(
            mesh, deformation: .none, targets: [], turned: [], place: nil, conventions: conventions)
        var (triangulator, report) = (Triangulator(), FidelityReport())
        let primitive = try #require(try packer.pack(0, using: &triangulator, &report))
        var values: [Float] = []
        let attribute = try #require(primitive.attributes.first { $0.kind == kind })
        attribute.put(0..<primitive.vertexCount, into: &values)
        return values
    }

    @Test func imagesHangFromTheTopOrStandOnTheBottom() throws {
        let top = ExportConventions(imageOrigin: .topLeft, colors: .display, curves: .cubic)
        #expect(try Self.packed(.texcoord(0), as: top) == [0, 1, 1, 1, 0, 0.25])
        let bottom = ExportConventions(imageOrigin: .bottomLeft, colors: .display, curves: .cubic)
        #expect(try Self.packed(.texcoord(0), as: bottom) == [0, 0, 1, 0, 0, 0.75])
        #expect(top.rise(0.5) == -0.5 && bottom.rise(0.5) == 0.5)
    }

    @Test func coloursAreLightOrWhatADisplayShows() throws {
        let display = ExportConventions(imageOrigin: .topLeft, colors: .display, curves: .cubic)
        #expect(try Self.packed(.color(0), as: display) == [0, 0.5, 1, 0.5, 1, 1, 1, 1, 0, 0, 0, 0])
        let linear = ExportConventions(imageOrigin: .topLeft, colors: .linear, curves: .cubic)
        let gray = Float(0.5.linearFromSRGB)
        #expect(try Self.packed(.color(0), as: linear) == [0, gray, 1, 0.5, 1, 1, 1, 1, 0, 0, 0, 0])
        #expect(gray > 0.2 && gray < 0.22)
    }
}
