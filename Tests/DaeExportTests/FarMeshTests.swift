import DaeExport
import DaeMesh
import DaeScene
import TestSupport
import Testing

/// A mesh far from the origin keeps the distances between its points.
@Suite struct FarMeshTests {
    @Test(arguments: [
        ("utm-quarter-metre", SIMD3(0.25, 0, 0.25), SIMD3(4_500_000.125, 0, -500_000.625)),
        ("ten-millimetres-at-50-km", SIMD3(0.01, 0, 0.01), nil),
    ])
    func aFarSquareKeepsItsSize(name: String, size: SIMD3<Double>, corner: SIMD3<Double>?) throws {
        let conversion = try Conversion(Repository.fixture("field/A03-large-coordinates/\(name).dae"))
        let played = try #require(conversion.played)
        #expect(conversion.checker.faults.isEmpty)
        #expect(played.size().isNear(size, 1e-4 * size.max()), "\(played.size())")
        if let corner { #expect(played.points().contains { $0.isNear(corner) }, "\(played.points())") }
        #expect(conversion.report.losses.isEmpty)
    }

    private static let far = SIMD3<Double>(4_500_000.125, 12, -500_000.625)

    /// A square of a quarter metre, far away.
    private static func square(_ id: String, moved: SIMD3<Double> = .zero) -> String {
        let corners: [SIMD3<Double>] = [[0, 0, 0], [0.25, 0, 0], [0.25, 0.25, 0], [0, 0.25, 0]]
        let numbers = corners.map { $0 + far + moved }.flatMap { [$0.x, $0.y, $0.z] }
        return """
            <geometry id="\(id)"><mesh>\(SmallDocument.source("\(id)-p", numbers, "XYZ"))
            <vertices id="\(id)-v"><input semantic="POSITION" source="#\(id)-p"/></vertices>
            <triangles count="2"><input semantic="VERTEX" source="#\(id)-v" offset="0"/><p>0 1 2 0 2 3</p></triangles>
            </mesh></geometry>
            """
    }

    private static func converted(_ nodes: String, _ libraries: String = "", asset: String? = nil) throws -> Conversion
    {
        var document = SmallDocument()
        if let asset { document.asset = asset }
        document.geometries = square("square") + square("other", moved: [0, 0, 0.5])
        document.nodes = nodes
        document.libraries = libraries
        let conversion = try Conversion(document.bytes)
        #expect(conversion.checker.faults.isEmpty, "\(conversion.checker.faults)")
        return conversion
    }

    @Test func aNodeThatMovesItBackDoesNotBringRoundedNumbersToLight() throws {
        let conversion = try Self.converted(
            "<node id=\"N\"><translate>-4500000 0 500000</translate><instance_geometry url=\"#square\"/></node>")
        let points = try #require(conversion.played?.points())
        #expect(
            points.contains { $0.isNear([0.125, 12, -0.625]) } && points.contains { $0.isNear([0.375, 12.25, -0.625]) })
    }

    @Test func severalInstancesAndOtherUnitsKeepTheirsToo() throws {
        let conversion = try Self.converted(
            """
            <node id="N"><instance_geometry url="#square"/><instance_geometry url="#other"/></node>
            <node id="M"><rotate>0 0 1 90</rotate><instance_geometry url="#square"/></node>
            """, asset: "<unit meter=\"0.01\"/><up_axis>Z_UP</up_axis>")
        let points = try #require(conversion.played?.points())
        #expect(points.count == 12)
        for start in [0, 4, 8] {
            let sides = [1, 2, 3].map { points[start + $0] - points[start] }
            #expect(sides.contains { abs(($0 * $0).sum().squareRoot() - 0.0025) < 1e-8 }, "\(sides)")
        }
    }

    @Test func belowANodeThatMovesItKeepsItsSize() throws {
        let conversion = try Self.converted(
            "<node id=\"N\"><translate sid=\"t\">0 0 0</translate><instance_geometry url=\"#square\"/></node>",
            "<library_animations>\(SmallDocument.animation("a", "N/t.X", times: [0, 1], values: [0, 2], "LINEAR"))</library_animations>"
        )
        let played = try #require(conversion.played)
        #expect(played.size(at: 1).isNear([0.25, 0.25, 0]))
        #expect(played.points(at: 1).contains { $0.isNear(Self.far + [2, 0, 0]) })
        #expect(conversion.report.losses.isEmpty, "\(conversion.report.losses)")
    }

    @Test func aNodeThatMovesFarAwayKeepsItsSteps() throws {
        var document = SmallDocument()
        document.nodes = """
            <node id="N"><translate sid="t">4500000 0 0</translate><rotate sid="r">0 0 1 0</rotate>
            <instance_geometry url="#square"/></node>
            """
        document.libraries =
            "<library_animations>\(SmallDocument.animation("a", "N/t.X", times: [0, 1], values: [4_500_000.125, 4_500_000.375], "LINEAR"))</library_animations>"
        let conversion = try Conversion(document.bytes)
        let played = try #require(conversion.played)
        let (start, end) = (played.points(at: 0), played.points(at: 1))
        #expect(
            start[0].isNear([4_500_000.125, 0, 0]) && end[0].isNear([4_500_000.375, 0, 0]), "\(start[0]) \(end[0])")
        #expect(conversion.report.losses.isEmpty)
    }

    @Test func whatMovesFurtherThanNumbersReachIsTold() throws {
        var document = SmallDocument()
        document.nodes =
            "<node id=\"N\"><translate sid=\"t\">0 0 0</translate><instance_geometry url=\"#square\"/></node>"
        document.libraries =
            "<library_animations>\(SmallDocument.animation("a", "N/t.X", times: [0, 1], values: [0, 4_500_000], "LINEAR"))</library_animations>"
        let told = try Conversion(document.bytes).report.losses.first { $0.subject == .farMotion }
        #expect(told?.deviation ?? 0 > 0.2)
    }

    @Test func aSkinFarAwayKeepsItsSize() throws {
        let place = "1 0 0 4500000 0 1 0 0 0 0 1 -500000 0 0 0 1"
        let inverse = [1, 0, 0, -4_500_000, 0, 1, 0, 0, 0, 0, 1, 500_000, 0, 0, 0, 1].map(Double.init)
        let skin = """
            <library_controllers><controller id="c"><skin source="#square">\(SmallDocument.names("jn", ["j"]))
            <source id="ib"><float_array id="iba" count="16">\(inverse.map { String($0) }.joined(separator: " "))</float_array>
            <technique_common><accessor source="#iba" count="1" stride="16"><param type="float4x4"/></accessor>
            </technique_common></source>\(SmallDocument.source("w", [1], "W"))
            <joints><input semantic="JOINT" source="#jn"/><input semantic="INV_BIND_MATRIX" source="#ib"/></joints>
            <vertex_weights count="4"><input semantic="JOINT" source="#jn" offset="0"/>
            <input semantic="WEIGHT" source="#w" offset="1"/><vcount>1 1 1 1</vcount><v>0 0 0 0 0 0 0 0</v></vertex_weights>
            </skin></controller></library_controllers>
            """
        let conversion = try Self.converted(
            """
            <node id="J" sid="j" type="JOINT"><matrix sid="m">\(place)</matrix></node>
            <node id="N"><instance_controller url="#c"><skeleton>#J</skeleton></instance_controller></node>
            """, skin)
        let points = try #require(conversion.played?.points())
        #expect(points.contains { $0.isNear(Self.far) }, "\(points)")
        #expect(try #require(conversion.played).size().isNear([0.25, 0.25, 0]))
    }

    @Test func aMorphFarAwayKeepsItsSize() throws {
        let morph = """
            <library_controllers><controller id="c"><morph source="#square"><source id="m"><IDREF_array id="ma" count="1">other
            </IDREF_array><technique_common><accessor source="#ma" count="1"><param type="IDREF"/></accessor>
            </technique_common></source>\(SmallDocument.source("w", [0], "W"))
            <targets><input semantic="MORPH_TARGET" source="#m"/><input semantic="MORPH_WEIGHT" source="#w"/></targets>
            </morph></controller></library_controllers>
            """
        let conversion = try Self.converted("<node id=\"N\"><instance_controller url=\"#c\"/></node>", morph)
        #expect(try #require(conversion.played).size().isNear([0.25, 0.25, 0]))
        let targets = conversion.checker.file?.list("meshes").first?["primitives"]?.elements.first?["targets"]
        let differences = targets?.elements.first?["POSITION"]?.int.flatMap { conversion.checker.accessors[$0] }
        #expect(differences.map { Array($0.row(0)) } == [0, 0, 0.5])
    }

    @Test func whatIsNearGetsNoNodeOfItsOwn() throws {
        let conversion = try Conversion(SmallDocument().bytes)
        #expect(conversion.checker.file?.list("nodes").count == 1)
    }
}
