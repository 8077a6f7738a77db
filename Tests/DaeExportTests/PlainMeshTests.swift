import DaeCore
import DaeDiagnostics
import DaeExport
import DaeMesh
import DaeScene
import FoundationEssentials
import TestSupport
import Testing

/// OBJ, STL and PLY: what stands in the world, in the bytes that readers expect.
@Suite struct PlainMeshTests {
    /// A square in centimetres with Z up, 7 above the ground; the format has metres and Y up.
    private static let raised: SmallDocument = {
        var document = SmallDocument()
        document.asset = "<unit meter=\"0.01\"/><up_axis>Z_UP</up_axis>"
        document.nodes =
            "<node id=\"N\" name=\"a square\"><translate>0 0 7</translate><instance_geometry url=\"#square\"/></node>"
        return document
    }()
    private static let pixel: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 1, 2, 3]

    private static func written(
        _ document: SmallDocument, as format: ExportFormat, images: ExportImages = .none,
        _ change: (inout ExportOptions) -> Void = { _ in }
    ) throws -> (files: [String: [UInt8]], report: FidelityReport) {
        var options = ExportOptions()
        options.generator = "A test"
        change(&options)
        let folder = try TemporaryFolder()
        let scene = try Conversion.scene(of: document.bytes)
        let report = try format.write(
            scene, to: folder.path + "/my model.\(format.ending)", images: images, options: options)
        var files: [String: [UInt8]] = [:]
        for name in try Repository.files(below: folder.path) {
            files[name] = try Repository.bytes(at: folder.path + "/" + name)
        }
        #expect(report.bytes == files.values.reduce(0) { $0 + $1.count })
        return (files, report)
    }

    private static func text(_ bytes: [UInt8]?) -> String { String(decoding: bytes ?? [], as: UTF8.self) }

    private static func floats(_ bytes: ArraySlice<UInt8>) -> [Float] {
        let bytes = Array(bytes)
        return stride(from: 0, to: bytes.count - 3, by: 4).map { start in
            Float(bitPattern: (0..<4).reduce(0) { $0 | UInt32(bytes[start + $1]) << UInt32(8 * $1) })
        }
    }

    private static func losses(_ report: FidelityReport) -> Set<FidelitySubject> { Set(report.losses.map(\.subject)) }

    // MARK: - STL

    @Test func trianglesOfAnSTLStandInTheWorld() throws {
        let (files, report) = try Self.written(Self.raised, as: .stl)
        let bytes = try #require(files["my model.stl"])
        #expect(bytes.count == 84 + 2 * 50 && Self.text(Array(bytes[..<14])) == "STL by A test\0")
        #expect(Array(bytes[80..<84]) == [2, 0, 0, 0])
        let height: Float = 0.07
        #expect(Self.floats(bytes[84..<132]) == [0, 1, 0, 0, height, 0, 0.01, height, 0, 0.01, height, -0.01])
        #expect(Self.floats(bytes[134..<182]) == [0, 1, 0, 0, height, 0, 0.01, height, -0.01, 0, height, -0.01])
        #expect(Array(bytes[132..<134]) == [0, 0] && report.contents.meshes == 1)
        #expect(Self.losses(report) == [.attributes, .hierarchy])
    }

    @Test func whatIsMirroredIsTurned() throws {
        var document = SmallDocument()
        document.nodes = "<node id=\"N\"><scale>-1 1 1</scale><instance_geometry url=\"#square\"/></node>"
        let bytes = try #require(try Self.written(document, as: .stl).files["my model.stl"])
        #expect(Self.floats(bytes[84..<132]) == [0, 0, 1, 0, 0, 0, -1, 1, 0, -1, 0, 0])
    }

    @Test func anInstanceIsWrittenForEachPlaceAndHiddenOnesAreTold() throws {
        var document = SmallDocument()
        document.nodes = (0..<3).map {
            "<node id=\"N\($0)\"><translate>\($0) 0 0</translate><instance_geometry url=\"#square\"/></node>"
        }.joined()
        let (files, report) = try Self.written(document, as: .stl)
        #expect(files["my model.stl"]?[80] == 6)
        #expect(report.losses.first { $0.subject == .hierarchy }?.count == 3)
    }

    @Test func nothingIsWrittenOfASceneWithoutTriangles() throws {
        var document = SmallDocument()
        let input = "<input semantic=\"VERTEX\" source=\"#square-v\" offset=\"0\"/>"
        document.geometries = SmallDocument.square(
            "square", primitive: "<lines count=\"2\">\(input)<p>0 1 2 3</p></lines>")
        for format in [ExportFormat.stl, .ply] {
            let error = try #require(throws: SceneExportError.self) { try Self.written(document, as: format) }
            #expect(error.code == .convertNothingDrawable, "\(error)")
        }
        let (files, report) = try Self.written(document, as: .obj)
        #expect(
            Self.text(files["my model.obj"]) == """
                # A test
                o N
                v 0 0 0
                v 1 0 0
                v 1 1 0
                v 0 1 0
                l 1 2
                l 3 4

                """)
        #expect(!Self.losses(report).contains(.lines))
    }

    // MARK: - PLY

    @Test func aPLYHasWhatItsVerticesHave() throws {
        let (files, report) = try Self.written(Self.raised, as: .ply)
        let bytes = try #require(files["my model.ply"])
        let header = """
            ply
            format binary_little_endian 1.0
            comment A test
            element vertex 4
            property float x
            property float y
            property float z
            property float nx
            property float ny
            property float nz
            property float s
            property float t
            element face 2
            property list uchar int vertex_indices
            end_header

            """
        #expect(Self.text(Array(bytes.prefix(header.utf8.count))) == header)
        let start = header.utf8.count
        #expect(bytes.count == start + 4 * 32 + 2 * 13)
        #expect(Self.floats(bytes[(start + 64)..<(start + 96)]) == [0.01, 0.07, -0.01, 0, 1, 0, 1, 1])
        #expect(
            Array(bytes[(start + 128)...]) == [
                3, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0,
            ])
        #expect(Self.losses(report) == [.hierarchy])
    }

    /// A square whose corners have colours, and one beside it that has none.
    private static let colored: SmallDocument = {
        var document = SmallDocument()
        let colors = SmallDocument.source("c", [1, 0, 0, 0.5, 0, 1, 0, 1, 0, 0, 1, 1, 1, 1, 1, 1], "RGBA")
        let primitive = """
            <triangles count="1"><input semantic="VERTEX" source="#square-v" offset="0"/>
            <input semantic="COLOR" source="#c" offset="1"/><p>0 0 1 1 2 2</p></triangles>
            """
        document.geometries =
            SmallDocument.square("square", primitive: primitive).replacing("<vertices", with: colors + "<vertices")
            + SmallDocument.square("plain")
        document.nodes =
            "<node id=\"N\"><instance_geometry url=\"#square\"/><instance_geometry url=\"#plain\"/></node>"
        return document
    }()

    @Test func coloursAreThoseOfTheDocumentAndWhiteWhereThereAreNone() throws {
        let (files, report) = try Self.written(Self.colored, as: .ply)
        let bytes = try #require(files["my model.ply"])
        let header = bytes.split(separator: UInt8(ascii: "\n")).prefix { !$0.elementsEqual("end_header".utf8) }
        let lines = header.map { String(decoding: $0, as: UTF8.self) }
        let start = lines.reduce(0) { $0 + $1.utf8.count + 1 } + "end_header\n".utf8.count
        #expect(lines.contains("property uchar alpha") && !lines.contains("property float nx"))
        #expect((0..<4).map { bytes[start + 12 + $0] } == [255, 0, 0, 128])
        #expect((0..<4).map { bytes[start + 3 * 16 + 12 + $0] } == [255, 255, 255, 255])
        // Normals and coordinates that only some have.
        #expect(report.losses.first { $0.subject == .attributes }?.places == ["plain it is"])
    }

    // MARK: - OBJ

    @Test func anOBJHasItsNodesAndItsLooks() throws {
        var document = Self.raised
        document.libraries = SmallDocument.look(
            """
            <phong><diffuse><color>0.8 0.5 0.25 1</color></diffuse><specular><color>1 1 1 1</color></specular>
            <shininess><float>20</float></shininess></phong>
            """)
        document.nodes = SmallDocument.painted.replacing(
            "<node id=\"N\">", with: "<node id=\"N\" name=\"a square\"><translate>0 0 7</translate>")
        let (files, report) = try Self.written(document, as: .obj)
        #expect(Set(files.keys) == ["my model.obj", "my model.mtl"])
        #expect(
            Self.text(files["my model.obj"]) == """
                # A test
                mtllib my model.mtl
                o a_square
                usemtl paint
                v 0 0.07 0
                v 0.01 0.07 0
                v 0.01 0.07 -0.01
                v 0 0.07 -0.01
                vt 0 0
                vt 1 0
                vt 1 1
                vt 0 1
                vn 0 1 0
                f 1/1/1 2/2/1 3/3/1
                f 1/1/1 3/3/1 4/4/1

                """)
        #expect(
            Self.text(files["my model.mtl"]) == """
                # A test

                newmtl paint
                Kd 0.8 0.5 0.25
                Ks 1 1 1
                Ns 20
                illum 2

                newmtl none
                Kd 1 1 1
                illum 1

                """)
        // The model of light is the format's own.
        #expect(Self.losses(report) == [.hierarchy])
        #expect(Self.losses(try Self.written(document, as: .stl).report) == [.hierarchy, .attributes, .materials])
    }

    @Test func equalPlacesOfAnObjectAreOneWhateverTheirNormals() throws {
        var document = SmallDocument()
        let primitive = """
            <triangles count="2"><input semantic="VERTEX" source="#square-v" offset="0"/>
            <input semantic="NORMAL" source="#square-n" offset="1"/><p>0 0 1 0 2 0 0 1 2 1 3 1</p></triangles>
            """
        document.geometries = SmallDocument.square("square", normal: [0, 0, 1, 0.6, 0, 0.8], primitive: primitive)
        let lines = Self.text(try Self.written(document, as: .obj).files["my model.obj"]).split(separator: "\n")
        #expect(lines.count { $0.hasPrefix("v ") } == 4 && lines.count { $0.hasPrefix("vn ") } == 2)
        #expect(lines.suffix(2) == ["f 1//1 2//1 3//1", "f 1//2 3//2 4//2"])
    }

    // MARK: - Poses

    @Test func aMomentIsPosedAndAnAnimationIsALoss() throws {
        var document = SmallDocument()
        let animation = SmallDocument.animation("A", "N/move.X", times: [0, 2], values: [0, 4], "LINEAR")
        document.libraries = "<library_animations>\(animation)</library_animations>"
        document.nodes = """
            <node id="N"><translate sid="move">0 0 0</translate><instance_geometry url="#square"/></node>
            """
        let (files, report) = try Self.written(document, as: .stl) { $0.time = 1 }
        #expect(Self.floats(try #require(files["my model.stl"])[96..<108]) == [2, 0, 0])
        #expect(Self.losses(report).contains(.animations))
        let error = try #require(throws: SceneExportError.self) {
            try Self.written(document, as: .stl) { $0.protected = [.animation] }
        }
        #expect(error.code == .convertLoss && error.message.contains("animations"), "\(error)")
    }

    // MARK: - Textures

    private static let textured: SmallDocument = {
        var document = SmallDocument()
        document.libraries = SmallDocument.look(
            "<lambert><diffuse><texture texture=\"sampler\" texcoord=\"UV\"/></diffuse></lambert>",
            parameters: SmallDocument.sampler())
        document.nodes = SmallDocument.painted
        return document
    }()

    @Test func texturesLieBesideATextAndAreNamedAfterIt() throws {
        let images = ExportImages(
            content: { _ in .png(Self.pixel) }, file: { _ in "textures/Ünsafe wood&.tga" })
        let (files, _) = try Self.written(Self.textured, as: .gltf, images: images)
        #expect(Set(files.keys) == ["my model.gltf", "my model.bin", "my-model-nsafe-wood.png"])
        #expect(files["my-model-nsafe-wood.png"] == Self.pixel)
        let root = try JSONNode(parsing: try #require(files["my model.gltf"]))
        #expect(root["images"]?.elements.map { $0["uri"]?.string } == ["my-model-nsafe-wood.png"])
        #expect(root["images"]?.elements.first?["bufferView"] == nil)

        let object = try Self.written(Self.textured, as: .obj, images: images).files
        #expect(Set(object.keys) == ["my model.obj", "my model.mtl", "my-model-nsafe-wood.png"])
        #expect(Self.text(object["my model.mtl"]).contains("\nmap_Kd my-model-nsafe-wood.png\n"))
    }

    @Test func filesThatAreThereStayUnlessTheyMayBeReplaced() throws {
        let folder = try TemporaryFolder()
        let (model, texture) = (folder.path + "/a.gltf", folder.path + "/a-a.png")
        try Data([7]).write(to: URL(filePath: texture))
        let scene = try Conversion.scene(of: Self.textured.bytes)
        let images = ExportImages(content: { _ in .png(Self.pixel) }, file: { _ in "a.png" })
        let error = try #require(throws: SceneExportError.self) {
            try ExportFormat.gltf.write(scene, to: model, existing: .refused, images: images)
        }
        #expect(error.code == .ioError && error.message == "\(texture): a file is there; --force replaces it")
        #expect(try Repository.files(below: folder.path) == ["a-a.png"] && Repository.bytes(at: texture) == [7])
        _ = try ExportFormat.gltf.write(scene, to: model, existing: .replaced, images: images)
        #expect(try Repository.bytes(at: texture) == Self.pixel)
        #expect(try Repository.files(below: folder.path).sorted() == ["a-a.png", "a.bin", "a.gltf"])
        // A texture that is there with the same bytes is that of the other format.
        _ = try ExportFormat.obj.write(scene, to: folder.path + "/a.obj", existing: .refused, images: images)
        #expect(try Repository.files(below: folder.path).count == 5)
    }

    // MARK: - Equal content

    @Test func equalNumbersAreWrittenOnce() throws {
        var document = SmallDocument()
        let one = try Conversion(document.bytes)
        document.geometries += SmallDocument.square("other")
        document.nodes += "<node id=\"M\"><instance_geometry url=\"#other\"/></node>"
        let two = try Conversion(document.bytes)
        #expect(two.checker.faults.isEmpty, "\(two.checker.faults)")
        let (file, single) = (try #require(two.checker.file), try #require(one.checker.file))
        #expect(file.list("meshes").count == 2 && file.list("nodes").compactMap { $0["mesh"]?.int } == [0, 1])
        for list in ["bufferViews", "accessors"] { #expect(file.list(list).count == single.list(list).count) }
        #expect(file.list("buffers")[0]["byteLength"]?.int == single.list("buffers")[0]["byteLength"]?.int)
        #expect(file.list("meshes")[0]["primitives"] == file.list("meshes")[1]["primitives"])
    }

    @Test func imagesOfTheSameBytesAreOne() throws {
        var document = Self.textured
        let second = SmallDocument.sampler().replacing("surface\"", with: "surface2\"").replacing(
            "sampler\"", with: "sampler2\""
        ).replacing(">surface<", with: ">surface2<").replacing(">I<", with: ">J<")
        document.libraries = SmallDocument.look(
            """
            <lambert><emission><texture texture="sampler2" texcoord="UV"/></emission>
            <diffuse><texture texture="sampler" texcoord="UV"/></diffuse></lambert>
            """, parameters: SmallDocument.sampler() + second
        ).replacing(
            "</library_images>", with: "<image id=\"J\"><init_from>b.png</init_from></image></library_images>")
        let conversion = try Conversion(document.bytes, images: ExportImages(content: { _ in .png(Self.pixel) }))
        let file = try #require(conversion.checker.file)
        #expect(file.list("images").count == 1 && file.list("textures").count == 1)
        let material = try #require(file.list("materials").first)
        #expect(
            material["emissiveTexture"]?["index"] == material["pbrMetallicRoughness"]?["baseColorTexture"]?["index"])
        let entry = conversion.report.entries.first { $0.subject == .images && $0.change == .merged }
        #expect(entry?.count == 1 && entry?.places == ["J"])
    }
}
