import DaeExport
import DaeMesh
import DaeScene
import TestSupport
import Testing

/// Materials and textures in glTF's terms.
@Suite struct LookTests {
    private static let pixel: [UInt8] = [
        0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 1, 0, 0, 0, 1, 8,
        2,
        0, 0, 0, 0x90, 0x77, 0x53, 0xDE, 0, 0, 0, 12, 0x49, 0x44, 0x41, 0x54, 0x08, 0xD7, 0x63, 0xF8, 0xCF, 0xC0, 0, 0,
        3, 1, 1, 0, 0x18, 0xDD, 0x8D, 0xB0, 0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82,
    ]
    private static let texture = "<texture texture=\"sampler\" texcoord=\"UV\"/>"

    private static func converted(_ library: String) throws -> (root: GLTFFile, conversion: Conversion) {
        var document = SmallDocument()
        document.libraries = library
        document.nodes = SmallDocument.painted
        let conversion = try Conversion(document.bytes, images: ExportImages(content: { _ in .png(Self.pixel) }))
        let checker = conversion.checker
        #expect(checker.faults.isEmpty, "\(checker.faults)")
        return (try #require(checker.file), conversion)
    }

    private static func material(_ library: String) throws -> JSONNode {
        try #require(try converted(library).root.list("materials").first)
    }

    private static func extensions(_ file: GLTFFile) -> [String?] {
        (file.root["extensionsUsed"]?.elements ?? []).map(\.string)
    }

    @Test func constantShadingIsUnlit() throws {
        let (file, _) = try Self.converted(
            SmallDocument.look("<constant><emission><color>1 0 0 1</color></emission></constant>"))
        let material = try #require(file.list("materials").first)
        #expect(material["extensions"]?["KHR_materials_unlit"] != nil)
        #expect(material["pbrMetallicRoughness"]?["baseColorFactor"]?.numbers == [1, 0, 0, 1])
        #expect(Self.extensions(file) == ["KHR_materials_unlit"])
        #expect(material["name"] == "paint" && material["extras"]?["id"] == "M")
    }

    @Test func aMaterialThatOnlyAnotherProfileDescribesIsALoss() throws {
        let library = """
            <library_effects><effect id="E"><profile_CG><technique sid="t"/></profile_CG></effect></library_effects>
            <library_materials><material id="M"><instance_effect url="#E"/></material></library_materials>
            """
        let (file, conversion) = try Self.converted(library)
        let loss = try #require(conversion.report.losses.first { $0.subject == .shading })
        #expect(loss.change == .dropped && loss.count == 1 && loss.places == ["M"])
        #expect(conversion.report.entries.filter { $0.subject == .shading }.count == 1)
        #expect(file.list("materials").first?["pbrMetallicRoughness"]?["baseColorFactor"] == nil)
    }

    @Test func emissionAndRoughnessComeFromTheShading() throws {
        let shading = """
            <phong><emission><color>0 1 0 1</color></emission><diffuse><color>1 1 1 1</color></diffuse>
            <specular><color>1 1 1 1</color></specular><shininess><float>30</float></shininess></phong>
            """
        let material = try Self.material(SmallDocument.look(shading))
        #expect(material["emissiveFactor"]?.numbers == [0, 1, 0])
        let roughness = try #require(material["pbrMetallicRoughness"]?["roughnessFactor"]?.number)
        #expect(abs(roughness - 0.5) < 1e-12)
        #expect(material["pbrMetallicRoughness"]?["metallicFactor"] == 0)
    }

    @Test func whatLetsLightThroughIsBlended() throws {
        let clear = try Self.material(
            SmallDocument.look(
                """
                <lambert><diffuse><color>1 1 1 1</color></diffuse><transparent opaque="A_ONE"><color>1 1 1 1</color>
                </transparent><transparency><float>0.25</float></transparency></lambert>
                """))
        #expect(clear["alphaMode"] == "BLEND")
        #expect(clear["pbrMetallicRoughness"]?["baseColorFactor"]?.numbers == [1, 1, 1, 0.25])
        let whole = try Self.material(
            SmallDocument.look("<lambert><diffuse><color>1 1 1 1</color></diffuse></lambert>"))
        #expect(whole["alphaMode"] == nil && whole["doubleSided"] == nil)
    }

    @Test func texturesKeepTheirSamplersAndTransforms() throws {
        let transformed = """
            <texture texture="sampler" texcoord="UV"><extra><technique profile="MAYA"><repeatU>2</repeatU>
            <repeatV>3</repeatV><offsetU>0.25</offsetU></technique></extra></texture>
            """
        let settings = """
            <wrap_s>CLAMP</wrap_s><wrap_t>MIRROR</wrap_t><minfilter>LINEAR_MIPMAP_LINEAR</minfilter>
            <magfilter>NEAREST</magfilter>
            """
        let (file, _) = try Self.converted(
            SmallDocument.look(
                "<lambert><diffuse>\(transformed)</diffuse></lambert>", parameters: SmallDocument.sampler(settings)))
        let sampler = try #require(file.list("samplers").first)
        #expect(sampler["wrapS"] == 33071 && sampler["wrapT"] == 33648)
        #expect(sampler["minFilter"] == 9987 && sampler["magFilter"] == 9728)
        let info = file.list("materials").first?["pbrMetallicRoughness"]?["baseColorTexture"]
        let transform = info?["extensions"]?["KHR_texture_transform"]
        #expect(transform?["scale"]?.numbers == [2, 3] && transform?["offset"]?.numbers.first == 0.25)
        #expect(Self.extensions(file) == ["KHR_texture_transform"])
        #expect(file.list("images").first?["mimeType"] == "image/png")
    }

    @Test func extrasOfExportersGiveNormalsOcclusionAndBothSides() throws {
        let extra = """
            <extra><technique profile="FCOLLADA"><bump bumptype="NORMALMAP">\(Self.texture)</bump></technique>
            <technique profile="GOOGLEEARTH"><double_sided>1</double_sided></technique>
            <technique profile="OpenCOLLADA3dsMax"><ambient_occlusion>\(Self.texture)</ambient_occlusion></technique></extra>
            """
        let material = try Self.material(
            SmallDocument.look(
                "<lambert><diffuse>\(Self.texture)</diffuse></lambert>", parameters: SmallDocument.sampler(),
                extra: extra))
        #expect(material["normalTexture"]?["index"] == 0 && material["occlusionTexture"]?["index"] == 0)
        #expect(material["doubleSided"] == true)
    }

    @Test func aMissingImageIsTold() throws {
        var document = SmallDocument()
        document.libraries = SmallDocument.look(
            "<lambert><diffuse>\(Self.texture)</diffuse></lambert>", parameters: SmallDocument.sampler())
        document.nodes = SmallDocument.painted
        let conversion = try Conversion(document.bytes)
        #expect(conversion.checker.faults.isEmpty)
        let entry = try #require(conversion.report.entries.first { $0.subject == .images })
        #expect(entry.change == .dropped && entry.count == 1 && entry.places == ["I"])
        #expect(conversion.checker.file?.list("images").isEmpty == true)
    }

    // MARK: - Meshes without coordinates

    /// Two meshes in one material; those named in `bare` have no texture coordinates.
    private static func dressed(_ library: String, bare: Set<String>) throws -> Conversion {
        var document = SmallDocument()
        document.libraries = library
        let plain = """
            <triangles count="1" material="m"><input semantic="VERTEX" source="#ID-v" offset="0"/><p>0 1 2</p></triangles>
            """
        document.geometries = ["square", "other"].map { id in
            SmallDocument.square(id, primitive: bare.contains(id) ? plain.replacing("ID", with: id) : nil)
        }.joined()
        document.nodes =
            SmallDocument.painted
            + SmallDocument.painted.replacing("#square", with: "#other").replacing("\"N\"", with: "\"O\"")
        let conversion = try Conversion(document.bytes, images: ExportImages(content: { _ in .png(Self.pixel) }))
        #expect(conversion.checker.faults.isEmpty, "\(conversion.checker.faults)")
        return conversion
    }

    @Test(arguments: ["square", "other"]) func aTextureIsWhereThereAreCoordinates(_ bare: String) throws {
        let library = SmallDocument.look(
            "<lambert><diffuse>\(Self.texture)</diffuse></lambert>", parameters: SmallDocument.sampler())
        let file = try #require(try Self.dressed(library, bare: [bare]).checker.file)
        let primitives = file.list("meshes").flatMap { $0["primitives"]?.elements ?? [] }
        #expect(primitives.count == 2)
        for primitive in primitives {
            let material = try #require(primitive["material"]?.int.map { file.list("materials")[$0] })
            let hasTexture = material["pbrMetallicRoughness"]?["baseColorTexture"] != nil
            #expect(hasTexture == (primitive["attributes"]?["TEXCOORD_0"] != nil))
        }
        // A material without textures needs no second one.
        let plain = SmallDocument.look("<lambert><diffuse><color>1 0 0 1</color></diffuse></lambert>")
        #expect(try Self.dressed(plain, bare: [bare]).checker.file?.list("materials").count == 1)
    }

    @Test func whatGlowsByATextureDoesNotGlowWithoutIt() throws {
        let library = SmallDocument.look(
            "<lambert><emission>\(Self.texture)</emission></lambert>", parameters: SmallDocument.sampler())
        let bare = try #require(try Self.dressed(library, bare: ["square", "other"]).checker.file)
        #expect(bare.list("materials").first?["emissiveFactor"] == nil)
        var document = SmallDocument()
        document.libraries = library
        document.nodes = SmallDocument.painted
        let missing = try #require(try Conversion(document.bytes).checker.file)
        #expect(missing.list("materials").first?["emissiveFactor"] == nil)
        let whole = try #require(try Self.dressed(library, bare: []).checker.file)
        #expect(whole.list("materials").first?["emissiveFactor"]?.numbers == [1, 1, 1])
    }

    // MARK: - Opacity

    private static func opacityTold(
        _ transparency: String, parameters: String = "", hasAlpha: Bool = true
    ) throws -> FidelityReport.Entry? {
        var document = SmallDocument()
        document.libraries = SmallDocument.look(
            "<lambert><diffuse>\(texture)</diffuse>\(transparency)</lambert>",
            parameters: SmallDocument.sampler() + parameters)
        document.nodes = SmallDocument.painted
        let images = ExportImages(content: { _ in .png(Self.pixel) }, hasAlpha: { _ in hasAlpha })
        return try Conversion(document.bytes, images: images).report.losses.first { $0.subject == .opacity }
    }

    @Test func theAlphaOfATextureBesideAnOpacityIsTold() throws {
        let half = "<transparency><float>0.5</float></transparency>"
        #expect(try Self.opacityTold(half)?.change == .approximated)
        #expect(try Self.opacityTold(half, hasAlpha: false) == nil)
    }

    @Test func aSurfaceThatWouldNotBeSeenIsOpaqueAndTold() throws {
        #expect(try Self.opacityTold("<transparency><float>0</float></transparency>")?.change == .approximated)
    }

    @Test func anOpacityOfOtherSettingsIsApproximated() throws {
        let own = "<transparent opaque=\"A_ONE\">\(Self.texture)</transparent>"
        #expect(try Self.opacityTold(own) == nil)
        // Whatever it is called, the mesh has but one set.
        #expect(try Self.opacityTold(own.replacing("\"UV\"", with: "\"UV2\"")) == nil)
        let clamped = SmallDocument.sampler("<wrap_s>CLAMP</wrap_s>").replacing("\"sampler\"", with: "\"other\"")
            .replacing("sid=\"surface\"", with: "sid=\"face\"").replacing(">surface<", with: ">face<")
        #expect(
            try Self.opacityTold(own.replacing("\"sampler\"", with: "\"other\""), parameters: clamped)?.change
                == .approximated)
    }
}
