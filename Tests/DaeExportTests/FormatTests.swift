import DaeCollada
import DaeDiagnostics
import DaeExport
import DaeMesh
import DaeScene
import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// What a scene consists of, in glTF's terms.
@Suite struct FormatTests {
    private static func converted(
        _ document: SmallDocument, _ change: (inout ExportOptions) -> Void = { _ in }
    ) throws -> (file: GLTFFile, checker: GLTFChecker, report: FidelityReport) {
        var options = ExportOptions()
        change(&options)
        let conversion = try Conversion(document.bytes, options: options)
        let checker = conversion.checker
        #expect(checker.faults.isEmpty, "\(checker.faults)")
        return (try #require(checker.file), checker, conversion.report)
    }

    private static func primitives(_ file: GLTFFile) -> [JSONNode] {
        file.list("meshes").flatMap { $0["primitives"]?.elements ?? [] }
    }

    // MARK: - Meshes

    @Test func linesAndLineStripsStayWhatTheyAre() throws {
        var document = SmallDocument()
        let input = "<input semantic=\"VERTEX\" source=\"#square-v\" offset=\"0\"/>"
        document.geometries = SmallDocument.square(
            "square",
            primitive:
                "<lines count=\"2\">\(input)<p>0 1 2 3</p></lines><linestrips count=\"1\">\(input)<p>0 1 2</p></linestrips>"
        )
        let (file, _, _) = try Self.converted(document)
        #expect(Self.primitives(file).map { $0["mode"]?.int } == [1, 3])
        let counts = Self.primitives(file).map { file.list("accessors")[$0["indices"]?.int ?? 0]["count"]?.int }
        #expect(counts == [4, 3])
    }

    @Test func whatIsInstancedTwiceIsWrittenOnce() throws {
        var document = SmallDocument()
        document.nodes = (0..<3).map { "<node id=\"N\($0)\" sid=\"s\"><instance_geometry url=\"#square\"/></node>" }
            .joined()
        let (file, _, _) = try Self.converted(document) { $0.generator = "A test" }
        #expect(file.list("meshes").count == 1 && file.list("nodes").compactMap { $0["mesh"]?.int } == [0, 0, 0])
        #expect(file.list("nodes").map { $0["extras"]?["id"]?.string } == ["N0", "N1", "N2"])
        #expect(file.list("nodes")[0]["extras"]?["sid"] == "s" && file.list("nodes")[0]["name"] == "N0")
        #expect(file.list("meshes")[0]["name"] == "square it is" && file.list("meshes")[0]["extras"]?["id"] == "square")
        #expect(file.root["asset"]?["generator"] == "A test")
    }

    /// A square bound to six joints, all of which hold its first corner.
    private static let skinned: SmallDocument = {
        var document = SmallDocument()
        let joints = (0..<6).map { "J\($0)" }
        let identity: [Double] = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
        let weights = [0.3, 0.25, 0.2, 0.1, 0.1, 0.05, 1]
        document.libraries = """
            <library_controllers><controller id="C"><skin source="#square">
            \(SmallDocument.names("C-j", joints))
            \(SmallDocument.source("C-b", joints.flatMap { _ in identity }, "ABCDEFGHIJKLMNOP"))
            \(SmallDocument.source("C-w", weights, "W"))
            <joints><input semantic="JOINT" source="#C-j"/><input semantic="INV_BIND_MATRIX" source="#C-b"/></joints>
            <vertex_weights count="4"><input semantic="JOINT" source="#C-j" offset="0"/>
            <input semantic="WEIGHT" source="#C-w" offset="1"/><vcount>6 1 1 1</vcount>
            <v>0 0 1 1 2 2 3 3 4 4 5 5 0 6 1 6 2 6</v></vertex_weights></skin></controller></library_controllers>
            """
        document.nodes =
            joints.map { "<node id=\"\($0)\" sid=\"\($0)\" type=\"JOINT\"/>" }.joined()
            + "<node id=\"N\"><instance_controller url=\"#C\"/></node>"
        return document
    }()

    @Test func fourInfluencesOrEight() throws {
        let (four, _, report) = try Self.converted(Self.skinned)
        #expect(Self.primitives(four)[0]["attributes"]?["JOINTS_1"] == nil)
        #expect(report.entries.first { $0.subject == .influences }?.count == 2)
        let (eight, checker, whole) = try Self.converted(Self.skinned) { $0.influences = .eight }
        #expect(!whole.entries.contains { $0.subject == .influences })
        let attributes = try #require(Self.primitives(eight)[0]["attributes"])
        let first = try #require(attributes["WEIGHTS_0"]?.int.flatMap { checker.accessors[$0] })
        let second = try #require(attributes["WEIGHTS_1"]?.int.flatMap { checker.accessors[$0] })
        let weights = (Array(first.row(0)) + Array(second.row(0))).map { ($0 * 1000).rounded() / 1000 }
        #expect(weights == [0.3, 0.25, 0.2, 0.1, 0.1, 0.05, 0, 0])
        #expect(eight.list("skins").first?["joints"]?.elements.count == 6)
    }

    /// A square with a raised one as its morph target, whose weight a curve moves.
    private static func morphed(_ animation: String = "") -> SmallDocument {
        var document = SmallDocument()
        document.geometries =
            SmallDocument.square("square") + SmallDocument.square("raised", raised: 2, normal: [1, 0, 0])
        document.libraries = """
            <library_controllers><controller id="C"><morph source="#square">
            <source id="C-t"><IDREF_array id="C-t-a" count="1">raised</IDREF_array><technique_common>
            <accessor source="#C-t-a" count="1"><param type="IDREF"/></accessor></technique_common></source>
            \(SmallDocument.source("C-w", [0.5], "W"))<targets><input semantic="MORPH_TARGET" source="#C-t"/>
            <input semantic="MORPH_WEIGHT" source="#C-w"/></targets></morph></controller></library_controllers>
            <library_animations>\(animation)</library_animations>
            """
        document.nodes = "<node id=\"N\"><instance_controller url=\"#C\"/></node>"
        return document
    }

    @Test func morphTargetsHaveTheirNormals() throws {
        let (file, checker, _) = try Self.converted(Self.morphed())
        let target = try #require(Self.primitives(file)[0]["targets"]?.elements.first)
        let positions = try #require(target["POSITION"]?.int.flatMap { checker.accessors[$0] })
        let normals = try #require(target["NORMAL"]?.int.flatMap { checker.accessors[$0] })
        #expect((0..<4).map { Array(positions.row($0)) }.filter { $0 == [0, 0, 2] }.count == 1)
        #expect((0..<4).allSatisfy { Array(normals.row($0)) == [1, 0, -1] })
        #expect(file.list("meshes")[0]["weights"]?.numbers == [0.5])
    }

    @Test func weightsMoveByTheCubicsOfTheDocument() throws {
        let animation = SmallDocument.animation(
            "A", "C-w(0)", times: [0, 3], values: [0, 1], "BEZIER",
            tangents: (incoming: [-1, 0, 2, 1], outgoing: [1, 0, 4, 1]))
        let (file, checker, report) = try Self.converted(Self.morphed(animation))
        #expect(!report.entries.contains { $0.subject == .curves })
        let sampler = try #require(file.list("animations").first?["samplers"]?.elements.first)
        #expect(sampler["interpolation"] == "CUBICSPLINE")
        #expect(file.list("animations")[0]["channels"]?.elements.first?["target"]?["path"] == "weights")
        let output = try #require(sampler["output"]?.int.flatMap { checker.accessors[$0] })
        #expect((0..<6).map { output.row($0).first } == [0, 0, 0, 0, 1, 0])
    }

    // MARK: - Cameras and lights

    @Test func lightsAreThoseOfTheExtension() throws {
        var document = SmallDocument()
        let kinds = [
            "<directional><color>1 1 1</color></directional>",
            """
            <point><color>1 0 0</color><constant_attenuation>0</constant_attenuation>
            <quadratic_attenuation>1</quadratic_attenuation></point>
            """,
            "<spot><color>1 1 1</color><falloff_angle>60</falloff_angle></spot>",
            "<ambient><color>1 1 1</color></ambient>",
        ]
        document.libraries =
            "<library_lights>"
            + kinds.enumerated().map {
                "<light id=\"L\($0)\"><technique_common>\($1)</technique_common></light>"
            }.joined() + "</library_lights>"
        document.nodes += (0..<4).map { "<node id=\"H\($0)\"><instance_light url=\"#L\($0)\"/></node>" }.joined()
        let (file, _, report) = try Self.converted(document)
        let lights = try #require(file.root["extensions"]?["KHR_lights_punctual"]?["lights"]?.elements)
        #expect(lights.map { $0["type"]?.string } == ["directional", "point", "spot"])
        #expect(lights[1]["color"]?.numbers == [1, 0, 0] && lights[1]["intensity"]?.number == .pi)
        let cone = try #require(lights[2]["spot"]?["outerConeAngle"]?.number)
        #expect(abs(cone - .pi / 6) < 1e-9)
        #expect(report.entries.first { $0.subject == .lights }?.count == 1)
        #expect(file.root["extensionsUsed"]?.elements == ["KHR_lights_punctual"])
    }

    @Test func camerasHaveRadiansAndMetres() throws {
        var document = SmallDocument()
        document.asset = "<unit meter=\"0.01\"/><up_axis>Y_UP</up_axis>"
        document.libraries = """
            <library_cameras><camera id="P"><optics><technique_common><perspective><yfov>90</yfov>
            <aspect_ratio>2</aspect_ratio><znear>10</znear><zfar>1000</zfar></perspective></technique_common></optics>
            </camera><camera id="O"><optics><technique_common><orthographic><xmag>200</xmag><ymag>100</ymag>
            <znear>10</znear><zfar>1000</zfar></orthographic></technique_common></optics></camera></library_cameras>
            """
        document.nodes += """
            <node id="A"><instance_camera url="#P"/></node><node id="B"><instance_camera url="#O"/></node>
            """
        let cameras = try Self.converted(document).file.list("cameras")
        let perspective = try #require(cameras[0]["perspective"])
        #expect(abs((perspective["yfov"]?.number ?? 0) - .pi / 2) < 1e-12 && perspective["aspectRatio"] == 2)
        #expect(perspective["znear"] == 0.1 && perspective["zfar"] == 10)
        #expect(cameras[1]["orthographic"]?["xmag"] == 2 && cameras[1]["orthographic"]?["ymag"] == 1)
    }

    /// Below a root that takes it from another unit, a lens is in that of the document all the same.
    @Test(arguments: ["", "<node id=\"Other\"/>"])
    func lengthsOfCamerasAreThoseOfTheDocumentWhateverUnitTheSceneIsIn(_ otherRoot: String) throws {
        var document = SmallDocument()
        document.asset = "<unit meter=\"0.01\"/><up_axis>Y_UP</up_axis>"
        document.libraries = """
            <library_cameras><camera id="P"><optics><technique_common><perspective><yfov>90</yfov>
            <aspect_ratio>2</aspect_ratio><znear>10</znear><zfar>1000</zfar></perspective></technique_common></optics>
            </camera></library_cameras>
            """
        document.nodes = """
            <asset><unit meter="1"/></asset><node id="N"><instance_geometry url="#square"/>
            <instance_camera url="#P"/></node>\(otherRoot)
            """
        let camera = try #require(Self.converted(document).file.list("cameras").first?["perspective"])
        #expect(camera["znear"] == 0.1 && camera["zfar"] == 10)
    }

    // MARK: - Animation

    private static func turning(clips: String = "", degrees: Double = 720) -> SmallDocument {
        var document = SmallDocument()
        let turn = SmallDocument.animation("T", "N/turn.ANGLE", times: [0, 2], values: [0, degrees], "LINEAR")
        let shift = SmallDocument.animation(
            "X", "N/shift.X", times: [0, 3], values: [0, 1], "BEZIER",
            tangents: (incoming: [-1, 0, 2, 1], outgoing: [1, 0, 4, 1]))
        document.libraries = "<library_animations>\(turn)\(shift)</library_animations>\(clips)"
        document.nodes = """
            <node id="N"><translate sid="shift">0 5 0</translate><rotate sid="turn">0 0 1 0</rotate>
            <instance_geometry url="#square"/></node>
            """
        return document
    }

    @Test func whatShiftsAndWhatTurnsHaveTheirOwnKeys() throws {
        let (file, checker, report) = try Self.converted(Self.turning())
        let samplers = try #require(file.list("animations").first?["samplers"]?.elements)
        #expect(samplers.map { $0["interpolation"]?.string } == ["CUBICSPLINE", "LINEAR"])
        let times = samplers.compactMap { $0["input"]?.int.flatMap { checker.accessors[$0] }?.values }
        #expect(times[0] == [0, 3])
        // Two whole turns in pieces of 120 degrees.
        #expect(times[1].count == 8 && times[1].last == 3)
        #expect(!report.entries.contains { $0.subject == .curves })
    }

    @Test func clipsAreAnimationsFromTheirBeginning() throws {
        let clips = """
            <library_animation_clips><animation_clip id="a" start="0" end="1"><instance_animation url="#T"/>
            </animation_clip><animation_clip id="b" name="second" start="1" end="2"><instance_animation url="#T"/>
            <instance_animation url="#X"/></animation_clip></library_animation_clips>
            """
        let (file, checker, _) = try Self.converted(Self.turning(clips: clips, degrees: 90))
        let animations = file.list("animations")
        #expect(animations.map { $0["name"]?.string } == ["a", "second"])
        #expect(animations.map { $0["channels"]?.elements.count } == [1, 2])
        for animation in animations {
            for sampler in animation["samplers"]?.elements ?? [] {
                let times = try #require(sampler["input"]?.int.flatMap { checker.accessors[$0] }?.values)
                #expect(times.first == 0 && times.last == 1, "\(times)")
            }
        }
    }

    @Test func aMomentIsAPoseWithoutAnimation() throws {
        let (file, _, report) = try Self.converted(Self.turning(degrees: 90)) { $0.time = 1 }
        #expect(file.list("animations").isEmpty)
        #expect(report.entries.first { $0.subject == .animations }?.count == 2)
        let node = try #require(file.list("nodes").firstIndex { $0["extras"]?["id"] == "N" })
        let world = file.worlds[node]
        let cubic = 7.0 / 27
        #expect((world.columns.3 - SIMD4(cubic, 5, 0, 1)).max() < 1e-9, "\(world)")
        #expect(abs(world.columns.0.x - cos(.pi / 4)) < 1e-9 && abs(world.columns.0.y - sin(.pi / 4)) < 1e-9)
    }

    // MARK: - Options

    @Test(arguments: [
        (ExportOptions.Units.meters, ExportOptions.UpAxis.y, 0.01, 1), (.meters, .z, 0.01, 2), (.kept, .y, 1, 1),
        (.meters, .kept, 0.01, 2), (.kept, .kept, 1, 2),
    ]) func unitsAndUpAreThoseAskedFor(
        _ units: ExportOptions.Units, _ up: ExportOptions.UpAxis, _ scale: Double, _ axis: Int
    ) throws {
        var document = SmallDocument()
        document.asset = "<unit meter=\"0.01\"/><up_axis>Z_UP</up_axis>"
        document.nodes = "<node id=\"N\"><translate>0 0 7</translate><instance_geometry url=\"#square\"/></node>"
        let (file, _, _) = try Self.converted(document) {
            $0.units = units
            $0.upAxis = up
        }
        let node = try #require(file.list("nodes").firstIndex { $0["extras"]?["id"] == "N" })
        #expect(abs(file.worlds[node].columns.3[axis] - 7 * scale) < 1e-12, "\(file.worlds[node])")
        // Below the root every number is the document's.
        #expect(file.list("nodes")[node]["matrix"]?.numbers[14] == 7)
    }

    @Test func aVisualSceneIsChosenByItsIdOrName() throws {
        let document = String(decoding: SmallDocument().bytes, as: UTF8.self).replacing(
            "</library_visual_scenes>",
            with:
                "<visual_scene id=\"other\" name=\"The other\"><node id=\"M\"/></visual_scene></library_visual_scenes>")
        func scene(_ wanted: String?) throws -> Scene {
            var options = ColladaOptions()
            options.visualScene = wanted
            let parser = ColladaParser(options: options)
            try Array(document.utf8).withUnsafeBytes { try parser.read($0) }
            return try parser.finish().document.scene(options: options).scene
        }
        #expect(try [nil, "S", "other", "The other"].map { try scene($0).id } == ["S", "S", "other", "other"])
        let error = try #require(throws: CodedFailure.self) { try scene("none") }
        #expect(error.code == .sceneInstanceUnresolved && error.message.contains("\"S\", \"other\""), "\(error)")
    }

    @Test func aFileThatWouldBeTooLargeLeavesNothing() throws {
        let scene = try Conversion.scene(of: SmallDocument().bytes)
        var options = ExportOptions()
        let folder = try TemporaryFolder()
        let path = folder.path + "/out.glb"
        _ = try ExportFormat.glb.write(scene, to: path, options: options)
        let size = try Repository.bytes(at: path).count
        options.byteLimit = size - 1
        let smaller = folder.path + "/smaller.glb"
        do {
            _ = try ExportFormat.glb.write(scene, to: smaller, options: options)
            Issue.record("written in spite of its size")
        } catch {
            #expect(error.code == .convertTooLarge && error.message.contains("\(size - 1) at most"), "\(error)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["out.glb"])
        // Numbers alone that are too many are told of before the text is made.
        options.byteLimit = 30
        #expect(throws: SceneExportError.self) { try ExportFormat.glb.write(scene, to: smaller, options: options) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["out.glb"])
        options.byteLimit = size
        _ = try ExportFormat.glb.write(scene, to: smaller, options: options)
        #expect(try Repository.bytes(at: smaller).count == size)
    }

    @Test func aFormatIsKnownByTheEndOfAName() {
        #expect(ExportFormat(path: "a/b.GLB")?.ending == "glb" && ExportFormat(path: "a.gltf")?.ending == "gltf")
        #expect(ExportFormat(path: "glb") == nil && ExportFormat(path: "a.glb.zip") == nil)
        #expect(ExportFormat.glb.files(of: "a/b.glb") == ["a/b.glb"])
        #expect(ExportFormat.gltf.files(of: "a/b.gltf") == ["a/b.gltf", "a/b.bin"])
    }

    @Test func aConversionThatIsStoppedLeavesNothing() throws {
        let scene = try Conversion.scene(of: Repository.fixture("documents/skin.dae"))
        for asked in 1...3 {
            let folder = try TemporaryFolder()
            var left = asked
            #expect(throws: SceneExportError.self) {
                try ExportFormat.glb.write(scene, to: folder.path + "/out.glb") {
                    left -= 1
                    return left == 0
                }
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
        }
    }
}
