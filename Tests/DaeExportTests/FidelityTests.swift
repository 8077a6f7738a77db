import DaeExport
import DaeMesh
import DaeScene
import TestSupport
import Testing

/// What the report says of what is lost.
@Suite struct FidelityTests {
    private static func loss(_ subject: FidelitySubject, of document: SmallDocument) throws -> FidelityReport.Entry? {
        let report = try Conversion(document.bytes).report
        return report.losses.first { $0.subject == subject && $0.change == .dropped }
    }

    @Test func aChannelThatLeadsToNothingIsALoss() throws {
        var document = SmallDocument()
        func channel(_ id: String, _ target: String) -> String {
            SmallDocument.animation(id, target, times: [0, 1], values: [0, 1], "LINEAR")
        }
        document.libraries =
            "<library_animations>\(channel("A", "Gone/move.X"))\(channel("B", "N/move.X"))</library_animations>"
        document.nodes =
            "<node id=\"N\"><translate sid=\"move\">0 0 0</translate><instance_geometry url=\"#square\"/></node>"
        let loss = try #require(try Self.loss(.unresolvedChannels, of: document))
        #expect(loss.count == 1 && loss.places == ["Gone/move.X"])
    }

    @Test(arguments: [("1 0 0 0.5", 1), ("1 0 0 1", 0)])
    func theAlphaOfADiffuseColorIsALoss(_ color: String, _ count: Int) throws {
        var document = SmallDocument()
        document.libraries = SmallDocument.look("<lambert><diffuse><color>\(color)</color></diffuse></lambert>")
        document.nodes = SmallDocument.painted
        #expect(try Self.loss(.diffuseAlpha, of: document)?.count ?? 0 == count)
    }

    /// A morph of one target; both meshes have normals and tangents.
    private static func morph(method: String) -> SmallDocument {
        func geometry(_ id: String) -> String {
            let primitive = """
                \(SmallDocument.source("\(id)-g", [1, 0, 0], "XYZ"))<triangles count="1">
                <input semantic="VERTEX" source="#\(id)-v" offset="0"/>
                <input semantic="NORMAL" source="#\(id)-n" offset="1"/>
                <input semantic="TEXTANGENT" source="#\(id)-g" offset="1"/><p>0 0 1 0 2 0</p></triangles>
                """
            return SmallDocument.square(id, primitive: primitive)
        }
        var document = SmallDocument()
        document.geometries = geometry("square") + geometry("other")
        document.libraries = """
            <library_controllers><controller id="C"><morph source="#square" method="\(method)">
            \(SmallDocument.names("targets", ["other"]).replacing("Name_array", "IDREF_array"))
            \(SmallDocument.source("weights", [0.5], "W"))
            <targets><input semantic="MORPH_TARGET" source="#targets"/><input semantic="MORPH_WEIGHT" source="#weights"/>
            </targets></morph></controller></library_controllers>
            """
        document.nodes = "<node id=\"N\"><instance_controller url=\"#C\"/></node>"
        return document
    }

    @Test(arguments: ["NORMALIZED", "RELATIVE"])
    func theTangentsOfAMorphsTargetAreALoss(_ method: String) throws {
        let loss = try #require(try Self.loss(.morphTangents, of: Self.morph(method: method)))
        #expect(loss.count == 1 && loss.places == ["square"])
    }

    @Test(arguments: ["NORMALIZED", "RELATIVE"])
    func theNormalsOfAMorphsTargetAreNoLoss(_ method: String) throws {
        #expect(try Self.loss(.morphNormals, of: Self.morph(method: method)) == nil)
    }
}

extension String {
    fileprivate func replacing(_ old: String, _ new: String) -> String {
        split(separator: old, omittingEmptySubsequences: false).joined(separator: new)
    }
}
