import DaeExport
import DaeMesh
import DaeScene
import TestSupport
import Testing

/// Scenes that draw no mesh: nodes, cameras and lights are a model too.
@Suite struct MeshlessTests {
    private static func scene(_ nodes: String, _ libraries: String = "", geometries: String = "") -> SmallDocument {
        var document = SmallDocument()
        document.geometries = geometries
        document.libraries = libraries
        document.nodes = nodes
        return document
    }

    private static func converted(_ document: SmallDocument, version: String = "1.4.1") throws -> Conversion {
        var text = String(decoding: document.bytes, as: UTF8.self)
        if version == "1.5.0" { text = text.replacing("2005/11", with: "2008/03").replacing("1.4.1", with: version) }
        let conversion = try Conversion(Array(text.utf8))
        #expect(conversion.checker.faults.isEmpty, "\(conversion.checker.faults)")
        return conversion
    }

    private static let cameras = """
        <library_cameras><camera id="C"><optics><technique_common><perspective><yfov>40</yfov><aspect_ratio>1.5\
        </aspect_ratio><znear>0.1</znear><zfar>100</zfar></perspective></technique_common></optics></camera>\
        </library_cameras>
        """
    private static let lights = """
        <library_lights><light id="L"><technique_common><directional><color>1 1 1</color></directional>\
        </technique_common></light></library_lights>
        """

    @Test(arguments: ["1.4.1", "1.5.0"]) func camerasAndLightsAreWrittenByThemselves(_ version: String) throws {
        let nodes = """
            <node id="A"><instance_camera url="#C"/></node><node id="B"><translate>0 2 0</translate>\
            <instance_light url="#L"/><instance_camera url="#C"/></node>
            """
        let conversion = try Self.converted(Self.scene(nodes, Self.cameras + Self.lights), version: version)
        let file = try #require(conversion.checker.file)
        #expect(file.list("cameras").count == 1 && file.list("meshes").isEmpty && file.list("buffers").isEmpty)
        #expect(file.list("nodes").compactMap { $0["camera"]?.int } == [0, 0])
        let contents = conversion.report.contents
        #expect((contents.cameras, contents.lights, contents.meshes) == (1, 1, 0))
        #expect(contents.bytes == conversion.bytes.count)
    }

    @Test func nodesAloneKeepTheirPlacesAndMotion() throws {
        let animation = SmallDocument.animation("A", "N/move.X", times: [0, 1], values: [0, 1], "LINEAR")
        let nodes = "<node id=\"N\"><translate sid=\"move\">0 0 0</translate><node id=\"M\" type=\"JOINT\"/></node>"
        let document = Self.scene(nodes, "<library_animations>\(animation)</library_animations>")
        let file = try #require(try Self.converted(document).checker.file)
        #expect(file.list("nodes").count == 2 && file.list("animations").count == 1)
    }

    @Test func aTextWithoutNumbersHasNoFileBesideIt() throws {
        let folder = try TemporaryFolder()
        let scene = try Conversion.scene(of: Self.scene("<node id=\"N\"/>").bytes)
        _ = try ExportFormat.gltf.write(scene, to: folder.path + "/a.gltf")
        #expect(try Repository.files(below: folder.path) == ["a.gltf"])
        #expect(try JSONNode(parsing: Repository.bytes(at: folder.path + "/a.gltf"))["buffers"] == nil)
    }

    /// A mesh of points that no primitive joins, one whose corners are nowhere, and a spline.
    @Test(arguments: [
        SmallDocument.square("square", primitive: ""),
        SmallDocument.square(
            "square",
            primitive: """
                <triangles count="1"><input semantic="VERTEX" source="#square-v" offset="0"/><p>7 8 9</p></triangles>
                """),
    ]) func ofWhatDrawsNothingTheNodeStaysAndItIsTold(_ geometry: String) throws {
        let nodes = "<node id=\"N\"><instance_geometry url=\"#square\"/></node>"
        let conversion = try Self.converted(Self.scene(nodes, geometries: geometry))
        let file = try #require(conversion.checker.file)
        #expect(file.list("nodes").count == 1 && file.list("meshes").isEmpty)
        let loss = try #require(conversion.report.losses.first { $0.subject == .emptyMeshes })
        #expect(loss.count == 1 && loss.places == ["square"])
    }

    @Test func ofASceneWithoutANodeNothingIsWritten() throws {
        #expect(throws: SceneExportError.self) { try Conversion(Self.scene("").bytes) }
    }
}
