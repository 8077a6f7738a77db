import DaeCollada
import DaeDiagnostics
import DaeValidation
import TestSupport
import Testing

/// A mesh far from the origin is judged by its own numbers, not by how far they are from 0.
@Suite struct FarMeshTests {
    private static let codes: [FindingCode] = [.meshBoundsDegenerate, .triangleDegenerate, .polygonSelfIntersecting]

    private static func codes(_ document: MeshDocument) throws -> [FindingCode] {
        try document.reading().log.findings.map(\.code).filter { codes.contains($0) }
    }

    private static func square(_ size: Double, at place: [Double]) -> [Double] {
        [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]].flatMap { corner in
            zip(corner, place).map { $0 * size + $1 }
        }
    }

    @Test(arguments: ["utm-quarter-metre", "ten-millimetres-at-50-km"])
    func theFieldsSquaresAreNoPoints(name: String) throws {
        var options = ColladaOptions()
        options.examiner = { DeepExaminer() }
        let bytes = try Repository.fixture("field/A03-large-coordinates/\(name).dae")
        let codes = try ColladaParser.read(bytes, options: options).log.findings.map(\.code)
        #expect(!codes.contains(.meshBoundsDegenerate) && !codes.contains(.triangleDegenerate))
    }

    @Test(arguments: [[4_500_000.125, 500_000.375, 0], [-7e6, 3e6, 1e6], [0, 0, 1e9]])
    func whateverItsFacesAre(place: [Double]) throws {
        let positions = Self.square(0.25, at: place)
        #expect(try Self.codes(.triangles(positions, [0, 1, 2, 0, 2, 3])).isEmpty)
        #expect(try Self.codes(.polygon(positions, [0, 1, 2, 3])).isEmpty)
        #expect(try Self.codes(.polygon(positions, [0, 1, 2])).isEmpty)
    }

    @Test func aFarLineIsALineStill() throws {
        let line = [4_500_000.0, 5, 6, 4_500_001, 5, 6, 4_500_002, 5, 6, 4_500_001, 5, 6]
        #expect(try Self.codes(.triangles(line, [0, 1, 2])) == [.triangleDegenerate, .meshBoundsDegenerate])
        #expect(try Self.codes(.polygon(line, [0, 1, 2, 3])) == [.triangleDegenerate, .meshBoundsDegenerate])
    }
}
