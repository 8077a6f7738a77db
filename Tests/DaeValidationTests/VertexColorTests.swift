import DaeDiagnostics
import TestSupport
import Testing

/// Vertex colours that are all black, or beyond 0 to 1, are told.
@Suite struct VertexColorTests {
    private static func codes(_ name: String) -> Set<FindingCode> {
        Outcome(path: "\(Repository.fixtures)/field/A15-vertex-colours/\(name)", input: name).codes
    }

    @Test func allBlackOnesAreTold() {
        #expect(Self.codes("black.dae").contains(.meshColorsBlack))
        #expect(!Self.codes("black.dae").contains(.meshColorsRange))
    }

    @Test func bytesAreTold() {
        #expect(Self.codes("255.dae").contains(.meshColorsRange))
        #expect(!Self.codes("255.dae").contains(.meshColorsBlack))
    }

    @Test(arguments: [
        ("0 0 0 1 0 0 0 1", FindingCode.meshColorsBlack, 1), ("0.01 0 0", .meshColorsBlack, 0),
        ("0 0 0 0 0 0", .meshColorsBlack, 1), ("1.2 0 0", .meshColorsRange, 1), ("-0.5 1 1", .meshColorsRange, 1),
    ])
    func onlyWhatNoneCanMeanIsTold(_ numbers: String, _ code: FindingCode, _ count: Int) throws {
        let width = numbers.split(separator: " ").count % 4 == 0 ? 4 : 3
        let params = "RGBA".prefix(width).map { "<param name=\"\($0)\" type=\"float\"/>" }.joined()
        let values = numbers.split(separator: " ").count
        var mesh = MeshDocument.triangles([0, 0, 0, 1, 0, 0, 0, 1, 0], [0, 1, 2])
        mesh.sources = """
            <source id="c"><float_array id="c-array" count="\(values)">\(numbers)</float_array><technique_common>
            <accessor source="#c-array" count="\(values / width)" stride="\(width)">\(params)</accessor>
            </technique_common></source>
            """
        mesh.primitives = """
            <triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/>
            <input semantic="COLOR" source="#c" offset="1"/><p>0 0 1 0 2 0</p></triangles>
            """
        #expect(try mesh.messages(code).count == count)
    }
}
