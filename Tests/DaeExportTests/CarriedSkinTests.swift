import DaeCollada
import DaeDiagnostics
import DaeExport
import DaeMesh
import DaeScene
import TestSupport
import Testing

/// The node of a skin's instance moves what its joints pose, unless the skin's matrices have that already or the joints
/// move with it.
@Suite struct CarriedSkinTests {
    private static let up = "<translate>0 0 7</translate>"
    private static let scale = "<rotate>1 0 0 90</rotate><scale>15 15 15</scale>"

    private static func document(_ nodes: String) -> SkinDocument {
        var document = SkinDocument()
        document.nodes = nodes
        return document
    }

    private static func instance(_ transform: String, _ skeleton: String = "A") -> String {
        "<node id=\"n-\(skeleton)\">\(transform)\(SkinDocument.instance(skeleton: skeleton))</node>"
    }

    private static func bounds(_ document: SkinDocument) throws -> Bounds {
        let conversion = try Conversion(document.bytes)
        let played = try conversion.posedBounds()
        let box = try #require(SceneBounds(of: conversion.scene).box)
        #expect(near(box.min, played.min) && near(box.max, played.max), "\(box), played back \(played)")
        return played
    }

    private static func codes(_ document: SkinDocument) throws -> [FindingCode] {
        let parser = ColladaParser()
        try document.bytes.withUnsafeBytes { try parser.read($0) }
        return try parser.finish().document.scene().log.findings.map(\.code)
    }

    @Test func aNodeThatNoMatrixHasCarriesTheSkin() throws {
        let document = Self.document(SkinDocument.joint() + Self.instance(Self.scale))
        let box = try Self.bounds(document)
        #expect(near(box.min, [0, 0, 0]) && near(box.max, [15, 0, 15]))
        #expect(try Self.codes(document).contains(.skinNodeTransform))
    }

    @Test(arguments: ["1.4.1", "1.5.0"]) func twoInstancesOfOneSkeletonStandWhereTheirNodesAre(_ version: String) throws
    {
        var document = Self.document(
            SkinDocument.joint("A", sid: "J", "<rotate>0 0 1 20</rotate>")
                + "<node id=\"x\"><translate>-50 0 0</translate>\(SkinDocument.instance())</node>"
                + "<node id=\"y\"><translate>50 0 0</translate>\(SkinDocument.instance())</node>")
        document.version = version
        // Where it was bound, neither of the two.
        document.bindShape = SkinDocument.translation(0, 30, 0)
        let first = try Conversion(document.bytes).posed()
        #expect(first.count == 2)
        #expect(near(first[1].positions[0] - first[0].positions[0], [100, 0, 0]))
    }

    @Test func aBindShapeThatHasTheNodeIsAllThereIs() throws {
        var document = Self.document(SkinDocument.joint() + Self.instance(Self.up))
        document.bindShape = SkinDocument.translation(0, 0, 7)
        #expect(try Self.bounds(document).max == [1, 1, 7])
        #expect(try !Self.codes(document).contains(.skinNodeTransform))
    }

    @Test func inverseBindMatricesThatHaveTheNodeAreAllThereIs() throws {
        var document = Self.document(
            SkinDocument.joint("A", sid: "J", "<translate>3 0 0</translate>") + Self.instance(Self.up))
        document.inverseBinds = SkinDocument.translation(-3, 0, 7)
        #expect(try Self.bounds(document).max == [1, 1, 7])
        #expect(try !Self.codes(document).contains(.skinNodeTransform))
    }

    @Test func whatIsAroundTheJointsTooMovesOnce() throws {
        let document = Self.document(
            "<node id=\"Armature\">\(Self.up)\(SkinDocument.joint())\(Self.instance(""))</node>")
        #expect(try Self.bounds(document).max == [1, 1, 7])
        #expect(try !Self.codes(document).contains(.skinNodeTransform))
    }

    @Test func onlyWhatIsNotAroundTheJointsIsDoneAgain() throws {
        let document = Self.document(
            "<node id=\"all\"><translate>100 0 0</translate>\(SkinDocument.joint())\(Self.instance(Self.scale))</node>")
        let box = try Self.bounds(document)
        #expect(near(box.min, [100, 0, 0]) && near(box.max, [115, 0, 15]))
    }

    @Test func anotherUnitAndAxisCountOnce() throws {
        var document = Self.document(SkinDocument.joint() + Self.instance(Self.up))
        document.asset = "<unit name=\"centimeter\" meter=\"0.01\"/><up_axis>Z_UP</up_axis>"
        let played = try Conversion(document.bytes).posedBounds()
        #expect(near(played.max, [0.01, 0.07, 0]) && near(played.min, [0, 0.07, -0.01]))
    }

    @Test func joinsThatMoveAreCarriedWhileTheyDo() throws {
        var document = Self.document(
            SkinDocument.joint("A", sid: "J", "<translate sid=\"t\">0 0 0</translate>") + Self.instance(Self.scale))
        document.libraries = """
            <library_animations>\(SmallDocument.animation("w", "A/t.X", times: [0, 1], values: [0, 3], "LINEAR"))
            </library_animations>
            """
        let file = try #require(try Conversion(document.bytes).checker.file)
        let joints = (file.list("skins").first?["joints"]?.elements ?? []).compactMap(\.int)
        #expect(joints.count == 1)
        let moved = (file.list("animations").first?["channels"]?.elements ?? []).compactMap {
            $0["target"]?["node"]?.int
        }
        #expect(Set(joints).isSubset(of: Set(moved)))
        var options = ExportOptions()
        options.time = 1
        let posed = try Conversion(document.bytes, options: options).posedBounds()
        #expect(near(posed.max, [60, 0, 15]))
    }

    @Test func aMorphBelowTheSkinIsCarriedToo() throws {
        var document = Self.document(
            SkinDocument.joint() + "<node>\(Self.scale)\(SkinDocument.instance(of: "s"))</node>")
        document.geometries = SkinDocument.triangle("t", [0, 0, 0, 3, 0, 0, 0, 1, 0], normals: [0, 0, 1])
        document.controllers = """
            <controller id="m"><morph source="#g" method="NORMALIZED"><source id="m-t"><IDREF_array id="m-ta" count="1">t
            </IDREF_array><technique_common><accessor source="#m-ta" count="1"><param type="IDREF"/></accessor>
            </technique_common></source>\(SmallDocument.source("m-w", [0.5], "W"))<targets>
            <input semantic="MORPH_TARGET" source="#m-t"/><input semantic="MORPH_WEIGHT" source="#m-w"/></targets></morph>
            </controller><controller id="s"><skin source="#m">\(SmallDocument.names("s-j", ["J"]))
            \(SmallDocument.source("s-b", SkinDocument.identity, "ABCDEFGHIJKLMNOP"))\(SmallDocument.source("s-w", [1], "W"))
            <joints><input semantic="JOINT" source="#s-j"/><input semantic="INV_BIND_MATRIX" source="#s-b"/></joints>
            <vertex_weights count="3"><input semantic="JOINT" source="#s-j" offset="0"/>
            <input semantic="WEIGHT" source="#s-w" offset="1"/><vcount>1 1 1</vcount><v>0 0 0 0 0 0</v></vertex_weights>
            </skin></controller>
            """
        #expect(near(try Self.bounds(document).max, [30, 0, 15]))
    }

    // MARK: - Skeletons that stand nowhere

    @Test func aSkeletonInALibraryComesAlong() throws {
        var document = Self.document("<node id=\"n\">\(SkinDocument.instance())</node>")
        document.libraries = """
            <library_nodes><node id="rig"><translate>0 0 4</translate>\(SkinDocument.joint())</node></library_nodes>
            """
        #expect(try Self.bounds(document).max == [1, 1, 4])
        #expect(try Self.codes(document).contains(.skinSkeletonUnplaced))
        let report = try Conversion(document.bytes).report
        #expect(!report.entries.contains { $0.subject == .joints })
    }

    @Test func twoInstancesBringTheirSkeletonOnce() throws {
        var document = Self.document(
            "<node id=\"n\">\(SkinDocument.instance())</node><node id=\"o\">\(SkinDocument.instance())</node>")
        document.version = "1.5.0"
        document.libraries = "<library_nodes>\(SkinDocument.joint())</library_nodes>"
        let file = try #require(try Conversion(document.bytes).checker.file)
        #expect(file.list("nodes").count { $0["name"]?.string == "A" } == 1)
    }

    @Test func whatTheSceneDoesNotShowStaysOutOfIt() throws {
        var document = Self.document("<node id=\"n\">\(SkinDocument.instance())</node>")
        document.libraries = """
            <library_nodes><node id="rig"><node id="other"><instance_geometry url="#g"/></node>\(SkinDocument.joint())</node>
            </library_nodes>
            """
        #expect(try Conversion(document.bytes).posed().count == 1)
    }

    @Test func aSkeletonThatStandsInTheSceneIsNotBroughtAgain() throws {
        var document = Self.document(SkinDocument.joint() + "<node id=\"n\">\(SkinDocument.instance())</node>")
        document.libraries = "<library_nodes>\(SkinDocument.joint("B", sid: "K"))</library_nodes>"
        #expect(try !Self.codes(document).contains(.skinSkeletonUnplaced))
        let file = try #require(try Conversion(document.bytes).checker.file)
        #expect(!file.list("nodes").contains { $0["name"]?.string == "B" })
    }
}
