import TestSupport
import Testing

/// What the program makes of materials, textures and lights as exporters of the field write them.
@Suite struct FieldLooksTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// What became of a source.
    private struct Made {
        let root: JSONNode
        let binary: [UInt8]
        let report: JSONNode

        var material: JSONNode? { root["materials"]?.elements.first }
        var base: JSONNode? { material?["pbrMetallicRoughness"]?["baseColorTexture"] }

        /// Whether something of a kind was changed so.
        func tells(_ change: String, _ subject: String) -> Bool {
            report["changes"]?.elements.contains {
                $0["change"]?.string == change && $0["subject"]?.string == subject
            } ?? false
        }

        func file(of texture: JSONNode?) -> [UInt8]? {
            guard let index = texture?["index"]?.number, let texture = root["textures"]?.elements[Int(index)],
                let source = texture["source"]?.number, let image = root["images"]?.elements[Int(source)],
                let place = image["bufferView"]?.number, let view = root["bufferViews"]?.elements[Int(place)],
                let count = view["byteLength"]?.number
            else { return nil }
            let start = Int(view["byteOffset"]?.number ?? 0)
            return Array(binary[start..<start + Int(count)])
        }

        /// Of the first primitive, the coordinates that a texture uses.
        func coordinates(of texture: JSONNode?) -> [[Double]] {
            let set = Int(texture?["texCoord"]?.number ?? 0)
            let primitive = root["meshes"]?.elements.first?["primitives"]?.elements.first
            guard let index = primitive?["attributes"]?["TEXCOORD_\(set)"]?.number else { return [] }
            let accessor = root["accessors"]?.elements[Int(index)]
            guard let place = accessor?["bufferView"]?.number, let count = accessor?["count"]?.number else { return [] }
            let view = root["bufferViews"]?.elements[Int(place)]
            let start = Int(view?["byteOffset"]?.number ?? 0) + Int(accessor?["byteOffset"]?.number ?? 0)
            let step = Int(view?["byteStride"]?.number ?? 8)
            return (0..<Int(count)).map { row in
                (0..<2).map { lane in
                    let at = start + row * step + lane * 4
                    let bits = (0..<4).reduce(UInt32(0)) { $0 | UInt32(binary[at + $1]) << UInt32(8 * $1) }
                    return Double(Float(bitPattern: bits))
                }
            }
        }
    }

    private func made(_ source: String, _ options: [String] = []) throws -> Made {
        let (output, report) = (folder.path + "/out.glb", folder.path + "/report.json")
        let outcome = try Program.run(["convert", "--force", source, "-o", output, "--report", report] + options)
        try #require(outcome.code == 0, "\(outcome.errors)")
        let bytes = try Repository.bytes(at: output)
        let length = (0..<4).reduce(0) { $0 | Int(bytes[12 + $1]) << (8 * $1) }
        return Made(
            root: try JSONNode(parsing: Array(bytes[20..<20 + length])), binary: Array(bytes[(28 + length)...]),
            report: try JSONNode(parsing: Repository.bytes(at: report)))
    }

    private func field(_ name: String) throws -> Made { try made(Repository.fixtures + "/field/" + name) }

    /// The same, changed, beside the pictures of its folder.
    private func changed(_ name: String, _ changes: [(String, String)]) throws -> Made {
        let path = "field/" + name
        var text = String(decoding: try Repository.fixture(path), as: UTF8.self)
        for (old, new) in changes {
            try #require(text.contains(old))
            text = text.replacing(old, with: new)
        }
        let source = String(path.prefix { $0 != "." })
        let home = source.split(separator: "/").dropLast().joined(separator: "/")
        for picture in ["t.png", "o.png", "h.png"] {
            if let bytes = try? Repository.fixture(home + "/" + picture) { try folder.write(bytes, to: picture) }
        }
        return try made(folder.write(text, to: "changed.dae"))
    }

    private func findings(_ name: String) throws -> [String] {
        let outcome = try Program.run(["validate", Repository.fixtures + "/field/" + name, "--format", "json"])
        let root = try JSONNode(parsing: outcome.output)
        return (root["findings"]?["messages"]?.elements ?? []).compactMap { $0["code"]?.string }
    }

    // MARK: - Sides

    @Test(arguments: [
        "geometry-maya", "geometry-in-front", "effect-no-profile", "effect-threejs", "effect-upper-case",
    ]) func whatIsSaidToHaveTwoSidesHasThem(_ name: String) throws {
        #expect(try field("A01-double-sided/\(name).dae").material?["doubleSided"] == true)
    }

    @Test(arguments: ["OpenCOLLADAMaya", "MAX3D", "fcollada", "GOOGLEEARTH", "SomebodysOwn"], [" 1 ", "TRUE", "True"])
    func everyProfileOfAGeometryMaySayIt(_ profile: String, _ word: String) throws {
        let made = try changed(
            "A01-double-sided/geometry-maya.dae",
            [("\"MAYA\"><double_sided>1<", "\"\(profile)\"><double_sided>\(word)<")])
        #expect(made.material?["doubleSided"] == true)
    }

    @Test func whatIsSaidToHaveOneSideHasOne() throws {
        let made = try changed("A01-double-sided/geometry-maya.dae", [("<double_sided>1<", "<double_sided>0<")])
        #expect(made.material?["doubleSided"] == nil)
        let version5 = try changed(
            "A01-double-sided/geometry-maya.dae", [("2005/11", "2008/03"), ("\"1.4.1\"", "\"1.5.0\"")])
        #expect(version5.material?["doubleSided"] == true)
    }

    // MARK: - Hidden nodes

    /// The size is of what a conversion draws; counts are of what the document has.
    @Test func whatIsHiddenHasNoPartInTheSize() throws {
        let source = Repository.fixtures + "/field/A16-report/visibility.dae"
        let scene = try JSONNode(parsing: Program.run(["inspect", "--format", "json", source]).output)["scene"]
        #expect(scene?["bounds"]?["min"]?.elements.last?.number == 3)
        #expect(scene?["bounds"]?["max"]?.elements.last?.number == 3)
        #expect(scene?["triangles"]?.number == 2)
    }

    // MARK: - Heights

    @Test(arguments: ["heightfield", "bump-is-diffuse", "grey-stored-as-rgb"])
    func aMapOfHeightsIsNoneOfNormals(_ name: String) throws {
        let made = try field("A02-height-map/\(name).dae")
        #expect(made.material?["normalTexture"] == nil)
        #expect(try made.file(of: made.base) == Repository.fixture("field/A02-height-map/t.png"))
        #expect(made.tells("dropped", "textures"))
    }

    static let bumps: [(String, String, Bool)] = [
        ("bumptype=\"HEIGHTFIELD\"", "bumptype=\"heightfield\"", false),
        ("bumptype=\"HEIGHTFIELD\"", "bumptype=\"NormalMap\"", true), ("bumptype=\"HEIGHTFIELD\"", "", true),
        (
            "profile=\"FCOLLADA\"><bump bumptype=\"HEIGHTFIELD\"", "profile=\"MAX3D\"><bump bumptype=\"Heightfield\"",
            false
        ),
        ("profile=\"FCOLLADA\"><bump bumptype=\"HEIGHTFIELD\"", "profile=\"OpenCOLLADA3dsMax\"><bump", true),
    ]

    @Test(arguments: bumps) func aBumpTypeDecidesInAnyCase(_ old: String, _ new: String, _ isNormal: Bool) throws {
        let made = try changed("A02-height-map/heightfield.dae", [(old, new)])
        #expect((made.material?["normalTexture"] != nil) == isNormal)
        #expect(made.tells("dropped", "textures") == !isNormal)
    }

    @Test(arguments: ["./t.png", "T.PNG", "C:\\\\maps\\\\t.png"])
    func theDiffusePictureIsNoMapOfNormalsByWhateverPath(_ path: String) throws {
        let made = try changed("A02-height-map/grey-stored-as-rgb.dae", [("<init_from>h.png<", "<init_from>\(path)<")])
        #expect(made.material?["normalTexture"] == nil && made.tells("dropped", "textures"))
        #expect(made.root["images"]?.elements.count == 1)
    }

    @Test func aBumpWithinAShaderIsRead() throws {
        let made = try field("A10-bump-in-shader/phong.dae")
        #expect(
            try made.file(of: made.material?["normalTexture"]) == Repository.fixture("field/A10-bump-in-shader/o.png"))
        for shader in ["blinn", "lambert"] {
            let other = try changed("A10-bump-in-shader/phong.dae", [("phong>", shader + ">")])
            #expect(other.material?["normalTexture"] != nil)
        }
        let heights = try changed("A10-bump-in-shader/phong.dae", [("<bump>", "<bump bumptype=\"HEIGHTFIELD\">")])
        #expect(heights.material?["normalTexture"] == nil && heights.tells("dropped", "textures"))
    }

    // MARK: - Opacity

    @Test(arguments: ["no-texcoord", "second-image-same-file"])
    func theAlphaOfTheDiffusePictureIsItsOpacity(_ name: String) throws {
        let made = try field("A04-opacity-texture/\(name).dae")
        #expect(made.material?["alphaMode"] == "BLEND")
        #expect(try made.file(of: made.base) == Repository.fixture("field/A04-opacity-texture/t.png"))
        #expect(!made.tells("dropped", "opacity") && made.root["images"]?.elements.count == 1)
    }

    @Test func setsOfOtherNamesMayBeTheSame() throws {
        let made = try changed(
            "A04-opacity-texture/second-image-same-file.dae",
            [
                ("\"t2\" texcoord=\"TEXCOORD\"", "\"t2\" texcoord=\"Other\""),
                (
                    "<bind_vertex_input ",
                    "<bind_vertex_input semantic=\"Other\" input_semantic=\"TEXCOORD\" input_set=\"0\"/><bind_vertex_input "
                ),
            ])
        #expect(made.material?["alphaMode"] == "BLEND" && !made.tells("dropped", "opacity"))
        #expect(try made.file(of: made.base) == Repository.fixture("field/A04-opacity-texture/t.png"))
    }

    // MARK: - Bindings

    @Test(arguments: [
        "primitive-without-material", "symbol-mismatch", "material-id", "loose-instance-material", "bound-on-the-node",
        "symbol-empty",
    ]) func aMaterialThatIsNotBoundToTheLetterIsFound(_ name: String) throws {
        let made = try field("A08-unbound-material/\(name).dae")
        let primitive = made.root["meshes"]?.elements.first?["primitives"]?.elements.first
        #expect(primitive?["material"] == 0 && made.material?["extras"]?["id"] == "m")
        let codes = try findings("A08-unbound-material/\(name).dae")
        #expect(!codes.contains("REF_UNUSED"), "\(codes)")
        let isTold = codes.contains { $0.hasPrefix("MATERIAL_") }
        #expect(isTold == (name != "symbol-empty"), "\(codes)")
    }

    @Test func whatCannotBeFoundIsALoss() throws {
        // Two symbols asked for, one other bound: nobody knows which is meant.
        let made = try changed(
            "A08-unbound-material/symbol-mismatch.dae",
            [
                (
                    "</triangles>",
                    "</triangles><triangles count=\"1\" material=\"z\"><input semantic=\"VERTEX\" source=\"#g-v\" offset=\"0\"/><p>0 1 2</p></triangles>"
                )
            ])
        #expect(made.material == nil && made.tells("dropped", "unbound-materials"))
    }

    // MARK: - Small ones

    @Test func wrapsAreReadInCapitals() throws {
        let clamped = try field("A09-wrap-in-capitals/wrapU-FALSE.dae").root["samplers"]?.elements.first
        #expect(clamped?["wrapS"] == 33071 && clamped?["wrapT"] == 10497)
        let mirrored = try field("A09-wrap-in-capitals/mirrorU-TRUE.dae").root["samplers"]?.elements.first
        #expect(mirrored?["wrapS"] == 33648)
    }

    static let flags: [(String, Double)] = [
        ("True", 33648), (" true ", 33648), ("1", 33648), ("FALSE", 10497), ("False", 10497),
    ]

    @Test(arguments: flags) func aFlagIsReadInEverySpelling(_ word: String, _ wrap: Double) throws {
        let made = try changed("A09-wrap-in-capitals/mirrorU-TRUE.dae", [("<mirrorU>TRUE<", "<mirrorU>\(word)<")])
        #expect(made.root["samplers"]?.elements.first?["wrapS"]?.number == wrap)
    }

    static let coordinates: [(String, [[Double]])] = [
        ("semantic-uv", [[0, 1], [1, 1], [0, 0]]), ("bind-of-1.4.0", [[0.5, 0.5], [0.75, 0.5], [0.5, 0.25]]),
        ("set-0-behind-set-1", [[0, 1], [1, 1], [0, 0]]),
    ]

    @Test(arguments: coordinates) func aTextureHasItsCoordinates(_ name: String, _ expected: [[Double]]) throws {
        let made = try field("A17-small/\(name).dae")
        #expect(try made.file(of: made.base) == Repository.fixture("field/A17-small/t.png"))
        #expect(made.coordinates(of: made.base) == expected)
    }

    @Test(arguments: ["uv", "UV0", "TEXCOORD1", "MAPPING"]) func coordinatesOfOtherNames(_ semantic: String) throws {
        let made = try changed("A17-small/semantic-uv.dae", [("\"UV\"", "\"\(semantic)\"")])
        #expect(made.coordinates(of: made.base) == [[0, 1], [1, 1], [0, 0]])
    }

    @Test(arguments: ["sampler-source-hash", "colour-and-texture", "data-uri"])
    func aTextureIsFound(_ name: String) throws {
        let made = try field("A17-small/\(name).dae")
        #expect(made.file(of: made.base)?.prefix(4) == [0x89, 0x50, 0x4E, 0x47])
        #expect(!made.tells("dropped", "images"))
    }

    @Test func aTextureMayNameItsSamplerWithAHash() throws {
        let made = try changed("A17-small/sampler-source-hash.dae", [("texture=\"t\"", "texture=\"#t\"")])
        #expect(made.base != nil)
    }

    @Test func aPictureTurnsAboutItsMiddle() throws {
        let made = try field("A16-report/rotate-uv.dae")
        let transform = made.base?["extensions"]?["KHR_texture_transform"]
        let rotation = try #require(transform?["rotation"]?.number)
        let offset = (transform?["offset"]?.elements ?? []).compactMap(\.number)
        try #require(offset.count == 2)
        #expect(abs(abs(rotation) - .pi / 2) < 1e-12)
        // A quarter turn as the extension has it, which leaves the middle where it is.
        let sine = rotation > 0 ? 1.0 : -1
        #expect(abs(sine * 0.5 + offset[0] - 0.5) < 1e-12 && abs(-sine * 0.5 + offset[1] - 0.5) < 1e-12)
        #expect(!made.tells("approximated", "texture-turns"))
    }

    @Test func aLightIsAsBrightAsItsIntensity() throws {
        func brightness(_ made: Made) -> Double? {
            made.root["extensions"]?["KHR_lights_punctual"]?["lights"]?.elements.first?["intensity"]?.number
        }
        let whole = try field("A16-report/intensity.dae")
        let bright = try #require(brightness(whole))
        for (old, new) in [("<intensity>2.5</intensity>", ""), ("\"FCOLLADA\"", "\"SomebodysOwn\"")] {
            let other = try changed("A16-report/intensity.dae", [(old, new)])
            let plain = try #require(brightness(other))
            #expect(abs(bright / plain - 2.5) < 1e-12)
        }
    }
}
