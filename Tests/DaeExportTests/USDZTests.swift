import DaeDiagnostics
import DaeExport
import DaeMesh
import DaeScene
import FoundationEssentials
import TestSupport
import Testing

/// What stands in a `.usdz`, as a reader of its own takes it apart; `scripts/gates/check-usdz` has OpenUSD read them.
@Suite struct USDZTests {
    private static func convert(
        _ document: SmallDocument, images: ExportImages = .none, options: ExportOptions = ExportOptions()
    ) throws -> (file: USDZFile, layer: CrateReader, report: FidelityReport) {
        try convert(document.bytes, images: images, options: options)
    }

    private static func convert(
        _ document: [UInt8], images: ExportImages = .none, options: ExportOptions = ExportOptions()
    ) throws -> (file: USDZFile, layer: CrateReader, report: FidelityReport) {
        let folder = try TemporaryFolder()
        let path = folder.path + "/out.usdz"
        let scene = try Conversion.scene(of: document)
        let report = try ExportFormat.usdz.write(scene, to: path, images: images, options: options)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["out.usdz"])
        let bytes = try Repository.bytes(at: path)
        #expect(bytes.count == report.bytes)
        let file = try USDZFile(bytes)
        return (file, file.layer, report)
    }

    // MARK: - The package

    @Test func filesAreStoredAtMultiplesOf64BytesTheLayerFirst() throws {
        var document = SmallDocument()
        document.libraries = SmallDocument.look(
            "<lambert><diffuse><texture texture=\"sampler\" texcoord=\"UV\"/></diffuse></lambert>",
            parameters: SmallDocument.sampler())
        document.nodes = SmallDocument.painted
        let images = ExportImages(content: { _ in .jpeg([0xFF, 0xD8, 1, 2, 3]) })
        let (file, layer, report) = try Self.convert(document, images: images)
        #expect(file.entries.map(\.name) == ["model.usdc", "textures/i.jpg"])
        #expect(file.entries.allSatisfy { $0.offset % 64 == 0 && $0.method == 0 && $0.flags == 0x0800 })
        #expect(file.entries[1].bytes == [0xFF, 0xD8, 1, 2, 3])
        #expect(report.contents.images == 1 && report.contents.materials == 1)
        let material = "/S/Materials/paint"
        #expect(try layer.token(material + "/base_texture.inputs:file") == "textures/i.jpg")
        #expect(try layer.token(material + "/base_texture.inputs:sourceColorSpace") == "sRGB")
        #expect(try layer.token(material + "/base_texture.inputs:wrapS") == "repeat")
        #expect(try layer.token(material + "/base_place.inputs:varname") == "st")
        let target = try layer.targets(material + "/surface.inputs:diffuseColor", "connectionPaths")
        #expect(target == [material + "/base_texture.outputs:rgb"])
        #expect(try layer.targets("/S/N/square_it_is.material:binding") == [material])
    }

    /// A turn about the picture's middle: what stands at 0 0 comes to (½, ½) − R (½, ½).
    @Test func texturesAreRepeatedAndTurned() throws {
        let extra = """
            <extra><technique profile="MAYA"><repeatU>2</repeatU><repeatV>3</repeatV><rotateUV>30</rotateUV></technique>
            </extra>
            """
        var document = SmallDocument()
        document.libraries = SmallDocument.look(
            "<lambert><diffuse><texture texture=\"sampler\" texcoord=\"UV\">\(extra)</texture></diffuse></lambert>",
            parameters: SmallDocument.sampler())
        document.nodes = SmallDocument.painted
        let (_, layer, _) = try Self.convert(document, images: ExportImages(content: { _ in .png([1]) }))
        let transform = "/S/Materials/paint/base_transform"
        #expect(abs(try layer.number(transform + ".inputs:rotation") - 30) < 1e-5)
        #expect(try layer.tuple(transform + ".inputs:scale", width: 2) == [2, 3])
        let shift = try layer.tuple(transform + ".inputs:translation", width: 2)
        #expect(abs(shift[0] - 0.316_987_3) < 1e-6 && abs(shift[1] + 0.183_012_7) < 1e-6, "\(shift)")
        let source = try layer.targets("/S/Materials/paint/base_texture.inputs:st", "connectionPaths")
        #expect(source == [transform + ".outputs:result"])
    }

    @Test func theSameSceneIsTheSameBytes() throws {
        let document = try Repository.fixture("documents/skin.dae")
        let files = try (0..<2).map { _ in try Self.convert(document).file.entries }
        #expect(files[0] == files[1])
    }

    @Test func aFileThatWouldBeTooLargeLeavesNothing() throws {
        let scene = try Conversion.scene(of: SmallDocument().bytes)
        let folder = try TemporaryFolder()
        var options = ExportOptions()
        for limit in [30, 1000] {
            options.byteLimit = limit
            let error = #expect(throws: SceneExportError.self) {
                try ExportFormat.usdz.write(scene, to: folder.path + "/out.usdz", options: options)
            }
            #expect(error?.code == .convertTooLarge)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }

    @Test func aSceneGoesToWhoeverTakesBytes() throws {
        let scene = try Conversion.scene(of: SmallDocument().bytes)
        var taken: [UInt8] = []
        _ = try ExportFormat.usdz.write(
            scene, to: .sink { taken += $0 }, images: .none, options: ExportOptions(), budget: ConversionBudget(),
            isCancelled: { false })
        #expect(try USDZFile(taken).entries.map(\.name) == ["model.usdc"])
    }

    // MARK: - Nodes and meshes

    @Test func aMeshIsAsTheDocumentHasIt() throws {
        let (_, layer, report) = try Self.convert(SmallDocument())
        let mesh = "/S/N/square_it_is"
        #expect(try layer.floats(mesh + ".points", width: 3) == [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0])
        #expect(try layer.floats(mesh + ".primvars:st", width: 2) == [0, 0, 1, 0, 1, 1, 0, 1])
        #expect(try layer.floats(mesh + ".normals", width: 3) == [0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1])
        #expect(try layer.floats(mesh + ".extent", width: 3) == [0, 0, 0, 1, 1, 0])
        #expect(try layer.integers(mesh + ".faceVertexIndices") == [0, 1, 2, 0, 2, 3])
        #expect(try layer.integers(mesh + ".faceVertexCounts") == [3, 3])
        #expect(try layer.token(mesh + ".subdivisionScheme") == "none")
        #expect(try layer.token(mesh, "displayName") == "square it is")
        #expect(try layer.token("/", "defaultPrim") == "S" && layer.token("/", "upAxis") == "Y")
        #expect(try layer.number("/", "metersPerUnit") == 1)
        #expect(report.contents.nodes == 1 && report.contents.meshes == 1 && report.contents.primitives == 1)
        #expect(report.losses.isEmpty)
    }

    @Test func oneNodeAboveAllMakesMetresWithYUp() throws {
        var document = SmallDocument()
        document.asset = "<unit meter=\"0.01\"/><up_axis>Z_UP</up_axis>"
        let (_, layer, report) = try Self.convert(document)
        let expected: [Double] = [0.01, 0, 0, 0, 0, 0, -0.01, 0, 0, 0.01, 0, 0, 0, 0, 0, 1]
        #expect(zip(try layer.doubles("/S.xformOp:transform"), expected).allSatisfy { abs($0 - $1) < 1e-12 })
        #expect(report.contents.nodes == 2)
        var options = ExportOptions()
        (options.units, options.upAxis) = (.kept, .kept)
        let kept = try Self.convert(document, options: options).layer
        #expect(try kept.token("/", "upAxis") == "Z" && kept.specs["/S.xformOp:transform"] == nil)
        #expect(try kept.number("/", "metersPerUnit") == 0.01)
    }

    @Test func whatIsShownTwiceIsWrittenOnce() throws {
        var document = SmallDocument()
        document.nodes = """
            <node id="A"><instance_geometry url="#square"/></node><node id="B"><instance_geometry url="#square"/></node>
            """
        let (_, layer, report) = try Self.convert(document)
        for node in ["/S/A", "/S/B"] {
            #expect(try layer.targets(node + "/square_it_is", "inheritPaths") == ["/S/Prototypes/square_it_is"])
            #expect(layer.specs[node + "/square_it_is"]?["instanceable"] != nil)
        }
        #expect(layer.specs.keys.count { $0.hasSuffix(".points") } == 1)
        #expect(report.contents.meshes == 1 && report.contents.nodes == 2)
    }

    @Test func partsOfAMeshAreSubsetsWithTheirMaterials() throws {
        var document = SmallDocument()
        func triangles(_ material: String, _ corners: String) -> String {
            """
            <triangles count="1" material="\(material)"><input semantic="VERTEX" source="#square-v" offset="0"/>
            <p>\(corners)</p></triangles>
            """
        }
        document.geometries = SmallDocument.square(
            "square", primitive: triangles("m", "0 1 2") + triangles("n", "0 2 3"))
        document.libraries = SmallDocument.look("<lambert/>").replacing(
            "</library_materials>",
            with: "<material id=\"O\" name=\"oil\"><instance_effect url=\"#E\"/></material></library_materials>")
        document.nodes = """
            <node id="N"><instance_geometry url="#square"><bind_material><technique_common>
            <instance_material symbol="m" target="#M"/><instance_material symbol="n" target="#O"/>
            </technique_common></bind_material></instance_geometry></node>
            """
        let (_, layer, report) = try Self.convert(document)
        let mesh = "/S/N/square_it_is"
        #expect(try layer.integers(mesh + ".faceVertexIndices") == [0, 1, 2, 3, 4, 5])
        #expect(try layer.token(mesh + ".subsetFamily:materialBind:familyType") == "nonOverlapping")
        for (part, material) in [(0, "paint"), (1, "oil")] {
            #expect(try layer.integers(mesh + "/part_\(part).indices") == [Int32(part)])
            #expect(try layer.targets(mesh + "/part_\(part).material:binding") == ["/S/Materials/\(material)"])
        }
        #expect(report.contents.primitives == 2 && report.contents.meshes == 1)
    }

    @Test func linesAndLightsAreToldOf() throws {
        let lines = try Self.convert(Repository.fixture("documents/lines.dae")).report
        #expect(lines.entries.contains { $0.change == .dropped && $0.subject == .lineStrips })
        let lights = try Self.convert(Repository.fixture("documents/lights.dae")).report
        #expect(lights.entries.contains { $0.change == .dropped && $0.subject == .lights && $0.count > 1 })
        #expect(lights.contents.lights == 0)
        var options = ExportOptions()
        options.usdProfile = .usd
        let kept = try Self.convert(Repository.fixture("documents/lights.dae"), options: options).report
        let ambient = kept.entries.first { $0.change == .dropped && $0.subject == .lights }?.count ?? 0
        #expect(kept.contents.lights > 1 && ambient == 1)
        #expect(kept.entries.contains { $0.subject == .lightFalloff })
    }

    // MARK: - Motion

    @Test func aNodeMovesAtItsOwnKeys() throws {
        var document = SmallDocument()
        document.nodes = """
            <node id="N"><translate sid="t">1 2 3</translate><instance_geometry url="#square"/></node>
            """
        let animation = SmallDocument.animation("a", "N/t.X", times: [0, 0.5, 2], values: [1, 5, 9], "LINEAR")
        document.libraries = "<library_animations>\(animation)</library_animations>"
        let (_, layer, report) = try Self.convert(document)
        let attribute = "/S/N.xformOp:translate"
        #expect(try layer.samples(attribute).map(\.time) == [0, 12, 48])
        #expect(try layer.tuples(attribute, width: 3) == [[1, 2, 3], [5, 2, 3], [9, 2, 3]])
        #expect(try layer.tuple(attribute, width: 3) == [1, 2, 3])
        #expect(try layer.number("/", "endTimeCode") == 48 && layer.number("/", "timeCodesPerSecond") == 24)
        #expect(report.contents.animations == 1 && report.losses.isEmpty)
    }

    @Test func stepsAreHeldUntilRightBeforeTheNext() throws {
        var document = SmallDocument()
        document.nodes = """
            <node id="N"><translate sid="t">0 0 0</translate><instance_geometry url="#square"/></node>
            """
        let animation = SmallDocument.animation("a", "N/t.X", times: [0, 1], values: [0, 8], "STEP")
        document.libraries = "<library_animations>\(animation)</library_animations>"
        let (_, layer, _) = try Self.convert(document)
        let samples = try layer.samples("/S/N.xformOp:translate")
        #expect(try layer.tuples("/S/N.xformOp:translate", width: 3).map { $0[0] } == [0, 0, 8])
        #expect(samples[2].time == 24 && samples[1].time < 24 && samples[1].time > 23.9)
    }

    @Test func aSkinHasItsJointsAndWhereTheyWereBound() throws {
        var document = SkinDocument()
        document.joints = ["J", "K"]
        document.influences = [0, 1, 1]
        document.inverseBinds = SkinDocument.identity + SkinDocument.translation(0, -2, 0)
        document.nodes =
            SkinDocument.joint(
                "A", sid: "J", "<node id=\"B\" sid=\"K\" type=\"JOINT\"><translate>0 3 0</translate></node>")
            + "<node id=\"N\">\(SkinDocument.instance())</node>"
        let (_, layer, report) = try Self.convert(document.bytes)
        let skeleton = try #require(layer.specs.keys.first { $0.hasSuffix(".bindTransforms") }).dropLast(15)
        #expect(try layer.tokenList(skeleton + ".joints") == ["A", "A/B"])
        #expect(
            try layer.doubles(skeleton + ".bindTransforms")[16...] == [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 2, 0, 1])
        #expect(
            try layer.doubles(skeleton + ".restTransforms")[16...] == [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 3, 0, 1])
        let mesh = try #require(layer.specs.keys.first { $0.hasSuffix(".points") }).dropLast(7)
        #expect(try layer.tokenList(mesh + ".skel:joints") == ["A", "A/B"])
        #expect(try layer.integers(mesh + ".primvars:skel:jointIndices") == [0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0])
        #expect(try layer.floats(mesh + ".primvars:skel:jointWeights", width: 1).reduce(0, +) == 3)
        #expect(try layer.targets(mesh + ".skel:skeleton") == [String(skeleton)])
        #expect(try layer.tokenList(String(mesh), "apiSchemas") == ["SkelBindingAPI"])
        #expect(report.contents.skins == 1 && report.losses.isEmpty, "\(report)")
    }

    /// Each of 300 joints within each other bears the names of all around it.
    @Test func namesOfJointsFarDownEndAtTheBytesThatMayBeWritten() throws {
        let name = String(repeating: "n", count: 64)
        var document = SkinDocument()
        document.joints = ["J", "K"]
        document.influences = [0, 1, 1]
        document.inverseBinds = SkinDocument.identity + SkinDocument.identity
        let inner = (0..<300).reduce(SkinDocument.joint("K", sid: "K")) { inside, _ in
            "<node name=\"\(name)\">\(inside)</node>"
        }
        document.nodes = SkinDocument.joint("A", sid: "J", inner) + "<node id=\"N\">\(SkinDocument.instance())</node>"
        let scene = try Conversion.scene(of: document.bytes)
        let folder = try TemporaryFolder()
        var limits = ConversionBudget.Limits()
        limits.output = 1_000_000
        let error = #expect(throws: SceneExportError.self) {
            try ExportFormat.usdz.write(scene, to: folder.path + "/out.usdz", budget: ConversionBudget(limits))
        }
        #expect(error?.code == .outputTooLarge)
    }

    @Test func aMorphHasItsTargetsAndWeights() throws {
        let (_, layer, report) = try Self.convert(Repository.fixture("documents/morph.dae"))
        let mesh = try #require(layer.specs.keys.first { $0.hasSuffix(".skel:blendShapeTargets") }).dropLast(23)
        let targets = try layer.targets(mesh + ".skel:blendShapeTargets")
        let names = try layer.tokenList(mesh + ".skel:blendShapes")
        #expect(targets.count == names.count && !targets.isEmpty)
        let animation = "/S/Skeletons/morphs/animation"
        let found = layer.specs.keys.first { $0.hasSuffix("/animation.blendShapes") } ?? animation
        #expect(try layer.tokenList(found) == names)
        let vertices = try layer.floats(mesh + ".points", width: 3).count
        for target in targets { #expect(try layer.floats(target + ".offsets", width: 3).count == vertices) }
        #expect(!report.entries.contains { $0.subject == .morphTargets })
    }
}
