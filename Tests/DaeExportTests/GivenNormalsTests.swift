import DaeExport
import DaeMesh
import DaeScene
import TestSupport
import Testing

/// Triangles whose given normals nearly all oppose the way they are written are turned, and told.
@Suite struct GivenNormalsTests {
    private static func document(_ normal: [Double], node: String = "") -> SmallDocument {
        var document = SmallDocument()
        document.geometries = SmallDocument.square("square", normal: normal)
        document.nodes = "<node>\(node)<instance_geometry url=\"#square\"/></node>"
        return document
    }

    private static func told(_ conversion: Conversion) -> Int {
        conversion.report.entries.first { $0.subject == .winding }?.count ?? 0
    }

    @Test(arguments: ["", "<scale>-1 1 1</scale>", "<rotate>1 0 0 90</rotate>"])
    func whatTheyOpposeIsTurned(_ node: String) throws {
        let conversion = try Conversion(Self.document([0, 0, -1], node: node).bytes)
        let isMirrored = node.contains("-1")
        for mesh in try conversion.posed() {
            for (index, side) in mesh.sides.enumerated() {
                // A node that mirrors is made up for by engines.
                let along = (side * mesh.normals[mesh.indices[3 * index]]).sum()
                #expect(isMirrored ? along < 0 : along > 0)
            }
        }
        #expect(Self.told(conversion) == 2)
    }

    @Test func whatTheyFollowStays() throws {
        let conversion = try Conversion(Self.document([0, 0, 1]).bytes)
        #expect(Self.told(conversion) == 0)
        #expect(try conversion.posed().first?.indices == [0, 1, 2, 0, 2, 3])
    }

    @Test func normalsThatDisagreeTurnNothing() throws {
        let triangles = """
            <triangles count="2"><input semantic="VERTEX" source="#square-v" offset="0"/>
            <input semantic="NORMAL" source="#square-n" offset="1"/><p>0 0 1 0 2 0 0 1 2 1 3 1</p></triangles>
            """
        var document = SmallDocument()
        document.geometries = SmallDocument.square(
            "square", normal: [0, 0, 1, 0, 0, -1], primitive: triangles)
        #expect(Self.told(try Conversion(document.bytes)) == 0)
    }

    @Test func aSkinIsTurnedOnce() throws {
        for bindShape in [SkinDocument.identity, [-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]] {
            var document = SkinDocument()
            document.normals = [0, 0, -1]
            document.bindShape = bindShape
            document.nodes = SkinDocument.joint() + "<node>\(SkinDocument.instance())</node>"
            let conversion = try Conversion(document.bytes)
            let mesh = try #require(try conversion.posed().first)
            #expect(mesh.sides.allSatisfy { $0.z < 0 })
            #expect(mesh.normals.allSatisfy { $0.z < 0 })
            #expect(Self.told(conversion) == 1)
        }
    }
}
