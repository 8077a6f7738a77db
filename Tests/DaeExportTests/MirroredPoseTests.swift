import DaeExport
import DaeMesh
import DaeScene
import TestSupport
import Testing

/// Triangles of a skin turn the way of their normals in its pose, whatever mirrors them on the way.
@Suite struct MirroredPoseTests {
    private static let mirror: [Double] = [-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]

    private static func document(_ joint: String = "") -> SkinDocument {
        var document = SkinDocument()
        document.nodes = SkinDocument.joint("A", sid: "J", joint) + "<node id=\"n\">\(SkinDocument.instance())</node>"
        return document
    }

    /// Whether all that is drawn is seen from where its normals point.
    private static func isSeen(_ document: [UInt8]) throws -> Bool {
        try Conversion(document).posed().allSatisfy { mesh in
            mesh.sides.enumerated().allSatisfy { index, side in
                (side * mesh.normals[mesh.indices[3 * index]]).sum() > 0
            }
        }
    }

    @Test func aMirroredBindShapeIsTurnedBack() throws {
        let bytes = try Repository.fixture("field/A12-mirrored-bind-shape/mirrored-x.dae")
        let mesh = try #require(try Conversion(bytes).posed().first)
        #expect(mesh.normals.allSatisfy { near($0, [0, 0, 1]) })
        #expect(mesh.sides.allSatisfy { $0.z > 0 })
        #expect(Set(mesh.positions.map(\.x)) == [0, -1])
    }

    @Test func whatTheJointMirrorsBackIsNotTurned() throws {
        var document = Self.document("<scale>-1 1 1</scale>")
        document.bindShape = Self.mirror
        let mesh = try #require(try Conversion(document.bytes).posed().first)
        #expect(mesh.indices == [0, 1, 2])
        #expect(mesh.sides.allSatisfy { $0.z > 0 })
    }

    @Test func aJointThatMirrorsTurnsWhatItMoves() throws {
        #expect(try Self.isSeen(Self.document("<scale>1 -1 1</scale>").bytes))
        #expect(try Self.isSeen(Self.document("<matrix>0 1 0 3 1 0 0 0 0 0 1 0 0 0 0 1</matrix>").bytes))
    }

    @Test func anInverseBindMatrixMayMirror() throws {
        var document = Self.document()
        document.inverseBinds = Self.mirror
        #expect(try Self.isSeen(document.bytes))
        document.bindShape = Self.mirror
        #expect(try Self.isSeen(document.bytes))
    }

    @Test func instancesWithOtherPosesHaveTrianglesOfTheirOwn() throws {
        var document = SkinDocument(version: "1.5.0")
        document.nodes = """
            <node>\(SkinDocument.joint("A"))<node>\(SkinDocument.instance())</node></node>
            <node>\(SkinDocument.joint("B", sid: "J", "<scale>1 1 -1</scale>"))
            <node>\(SkinDocument.instance(skeleton: "B"))</node></node>
            <node>\(SkinDocument.joint("C"))<node>\(SkinDocument.instance(skeleton: "C"))</node></node>
            """
        let conversion = try Conversion(document.bytes)
        #expect(try Self.isSeen(document.bytes))
        #expect(conversion.checker.file?.list("meshes").count == 2)
    }

    @Test func aMeshWithoutASkinIsLeftToItsNode() throws {
        var document = SmallDocument()
        document.nodes = "<node><scale>-1 1 1</scale><instance_geometry url=\"#square\"/></node>"
        let mesh = try #require(try Conversion(document.bytes).posed().first)
        // Engines turn it by the sign of its node.
        #expect(mesh.sides.allSatisfy { $0.z < 0 })
    }
}
