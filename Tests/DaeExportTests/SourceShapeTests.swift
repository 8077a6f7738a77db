import DaeCollada
import DaeDiagnostics
import DaeExport
import DaeMesh
import DaeScene
import TestSupport
import Testing

/// Sources that are written otherwise than most: integers, strides left out, none of any.
@Suite struct SourceShapeTests {
    private static let places: Set<SIMD3<Double>> = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]

    private static func codes(_ bytes: [UInt8], figures: Bool = false) throws -> [FindingCode] {
        var options = ColladaOptions()
        options.retention = figures ? .figures : .everything
        let reading = try ColladaParser.read(bytes, options: options)
        let built = try reading.document.scene()
        return (reading.log.findings + built.log.findings).map(\.code)
    }

    private static func drawn(_ bytes: [UInt8]) throws -> Set<SIMD3<Double>> {
        Set(try Conversion(bytes).posed().flatMap(\.positions))
    }

    private static func document(array: String, accessor: String) -> [UInt8] {
        var document = SmallDocument()
        document.geometries = """
            <geometry id="square"><mesh><source id="p">\(array)<technique_common>\(accessor)</technique_common></source>
            <vertices id="v"><input semantic="POSITION" source="#p"/></vertices><triangles count="1">
            <input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles></mesh></geometry>
            """
        return document.bytes
    }

    private static let params =
        "<param name=\"X\" type=\"float\"/><param name=\"Y\" type=\"float\"/><param name=\"Z\" type=\"float\"/>"

    @Test(arguments: ["int-array", "no-stride", "morph-empty"]) func theTriangleIsDrawn(_ name: String) throws {
        let bytes = try Repository.fixture("field/A17-small/\(name).dae")
        #expect(try Self.drawn(bytes) == Self.places)
        let codes = try Self.codes(bytes)
        #expect(!codes.contains(.primitiveIndexOutOfBounds) && !codes.contains(.accessorNoSource), "\(codes)")
        #expect(try Self.codes(bytes, figures: true).filter { $0 == .primitiveIndexOutOfBounds }.isEmpty)
    }

    @Test func aStrideIsTakenOnlyWhereTheValuesAreAsMany() throws {
        let array = "<float_array id=\"p-a\" count=\"9\">0 0 0 1 0 0 0 1 0</float_array>"
        for stride in ["", "stride=\"1\""] {
            let accessor = "<accessor source=\"#p-a\" count=\"3\" \(stride)>\(Self.params)</accessor>"
            let bytes = Self.document(array: array, accessor: accessor)
            #expect(try Self.drawn(bytes) == Self.places)
            #expect(try Self.codes(bytes).filter { $0 == .accessorStrideTooSmall }.count == 1)
        }
        // Of seven values three params a number apart may be meant.
        let other = "<float_array id=\"p-a\" count=\"7\">0 0 0 1 0 0 0</float_array>"
        let accessor = "<accessor source=\"#p-a\" count=\"3\">\(Self.params)</accessor>"
        #expect(try Self.codes(Self.document(array: other, accessor: accessor)).contains(.accessorStrideTooSmall))
    }

    @Test(arguments: [4, 5]) func integersAreReadWithAnOffsetToo(_ offset: Int) throws {
        let pad = [String](repeating: "7", count: offset).joined(separator: " ")
        let bytes = Self.document(
            array: "<int_array id=\"p-a\" count=\"\(9 + offset)\">\(pad) 0 0 0 1 0 0 0 1 0</int_array>",
            accessor:
                "<accessor source=\"#p-a\" count=\"3\" offset=\"\(offset)\" stride=\"3\">\(Self.params)</accessor>")
        #expect(try Self.drawn(bytes) == Self.places)
    }

    @Test func weightsMayBeIntegers() throws {
        var document = SkinDocument()
        document.nodes =
            SkinDocument.joint("A", sid: "J", "<translate>0 0 3</translate>")
            + "<node>\(SkinDocument.instance())</node>"
        let text = String(decoding: document.bytes, as: UTF8.self)
        let integers = text.replacing(
            "<float_array id=\"c-w-a\" count=\"1\">1.0</float_array>",
            with: "<int_array id=\"c-w-a\" count=\"1\">1</int_array>")
        #expect(integers != text)
        #expect(try Conversion(Array(integers.utf8)).posedBounds().max == [1, 1, 3])
    }

    @Test func aSkinWithoutAnyJointIsHarmless() throws {
        var document = SkinDocument()
        document.joints = []
        document.inverseBinds = []
        document.nodes = "<node>\(SkinDocument.instance(skeleton: nil))</node>"
        #expect(try !Self.codes(document.bytes).contains(.accessorNoSource))
        #expect(try Self.drawn(document.bytes) == Self.places)
    }
}
