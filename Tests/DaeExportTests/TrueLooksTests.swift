import DaeDiagnostics
import DaeExport
import DaeMesh
import DaeScene
import Synchronization
import TestSupport
import Testing

/// What a viewer of glTF shows is what the document means.
@Suite struct TrueLooksTests {
    /// What a PNG begins with.
    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47]

    private static func file(
        _ document: SmallDocument, images: ExportImages = .none, _ change: (inout ExportOptions) -> Void = { _ in }
    ) throws -> (file: GLTFFile, conversion: Conversion) {
        var options = ExportOptions()
        change(&options)
        let conversion = try Conversion(document.bytes, images: images, options: options)
        let checker = conversion.checker
        #expect(checker.faults.isEmpty, "\(checker.faults)")
        return (try #require(checker.file), conversion)
    }

    private static func painted(_ shading: String, parameters: String = "") -> SmallDocument {
        var document = SmallDocument()
        document.libraries = SmallDocument.look(shading, parameters: parameters)
        document.nodes = SmallDocument.painted
        return document
    }

    private static func tells(
        _ conversion: Conversion, _ change: FidelityReport.Change, _ subject: FidelitySubject
    ) -> Bool { conversion.report.entries.contains { $0.change == change && $0.subject == subject } }

    // MARK: - Cameras

    private static func camera(_ placement: String, unit: String = "0.01") throws -> (GLTFFile, Matrix4) {
        var document = SmallDocument()
        document.asset = "<unit meter=\"\(unit)\"/><up_axis>Z_UP</up_axis>"
        document.libraries = """
            <library_cameras><camera id="C"><optics><technique_common><perspective><yfov>40</yfov><znear>1</znear>
            <zfar>100</zfar></perspective></technique_common></optics></camera></library_cameras>
            """
        document.nodes +=
            "<node id=\"P\">\(placement)<node id=\"Q\"><translate>1 2 3</translate><rotate>1 0 0 30</rotate><instance_camera url=\"#C\"/></node></node>"
        let (file, _) = try file(document)
        let place = try #require(file.list("nodes").firstIndex { $0["camera"] != nil })
        return (file, file.worlds[place])
    }

    private static func length(_ column: SIMD4<Double>) -> Double {
        (column.x * column.x + column.y * column.y + column.z * column.z).squareRoot()
    }

    static let placements: [(String, String)] = [
        ("", "0.01"), ("", "0.0254"), ("<scale>3 3 3</scale>", "1"), ("<scale>2 0.5 7</scale>", "0.001"),
        ("<scale>-1 1 1</scale>", "1"),
    ]

    @Test(arguments: placements) func aCameraHasAScaleOfOne(_ placement: String, _ unit: String) throws {
        let (file, world) = try Self.camera(placement, unit: unit)
        for column in [world.columns.0, world.columns.1, world.columns.2] {
            #expect(abs(Self.length(column) - 1) < 1e-9, "\(world)")
        }
        let scene = try Conversion.scene(of: SmallDocument().bytes)
        #expect(scene.cameras.isEmpty && file.list("cameras").count == 1)
    }

    @Test func aCameraLooksWhereItDid() throws {
        let (_, world) = try Self.camera("<scale>2 2 2</scale>", unit: "0.01")
        let (_, plain) = try Self.camera("", unit: "1")
        for (one, other) in [(world.columns.2, plain.columns.2), (world.columns.1, plain.columns.1)] {
            #expect(Self.length(one - other) < 1e-9)
        }
        #expect(Self.length(world.columns.3 - plain.columns.3 * 0.02) < 1e-9)
    }

    @Test func aCameraOfNoScaleStaysOnItsNode() throws {
        let (file, _) = try Self.camera("", unit: "1")
        #expect(file.list("nodes").first { $0["camera"] != nil }?["extras"]?["id"] == "Q")
    }

    // MARK: - Diffuse

    static let shadings: [(String, Bool)] = [
        ("<lambert><emission><color>0 0 1 1</color></emission></lambert>", true),
        ("<phong><specular><color>1 1 1 1</color></specular><shininess><float>20</float></shininess></phong>", true),
        ("<phong><emission><color>0 0 0 1</color></emission></phong>", false),
        ("<lambert><ambient><color>1 1 1 1</color></ambient></lambert>", false),
        ("<phong><diffuse><color>1 0</color></diffuse><specular><color>1 1 1 1</color></specular></phong>", false),
        (
            "<phong><diffuse><texture texture=\"nothing\" texcoord=\"UV\"/></diffuse><specular><color>1 1 1 1</color></specular></phong>",
            false
        ),
        ("<blinn><diffuse><color>1 1 1 1</color></diffuse><emission><color>1 0 0 1</color></emission></blinn>", false),
    ]

    @Test(arguments: shadings) func withoutADiffuseColourNothingIsLit(_ shading: String, _ isBlack: Bool) throws {
        let (file, conversion) = try Self.file(Self.painted(shading))
        let base = file.list("materials").first?["pbrMetallicRoughness"]?["baseColorFactor"]?.numbers
        #expect((base == [0, 0, 0, 1]) == isBlack, "\(base ?? [])")
        #expect(Self.tells(conversion, .approximated, .diffuse) == isBlack)
    }

    // MARK: - Lights

    /// A light 3 units over the middle of the square, whose corners are 0 0 0 and 1 1 0.
    private static func light(_ kind: String, unit: String = "1", scale: Double = 3) throws -> (JSONNode, Conversion) {
        var document = SmallDocument()
        document.asset = "<unit meter=\"\(unit)\"/><up_axis>Y_UP</up_axis>"
        document.libraries =
            "<library_lights><light id=\"L\"><technique_common>\(kind)</technique_common></light></library_lights>"
        document.nodes +=
            "<node id=\"O\"><translate>0.5 0.5 \(scale)</translate><instance_light url=\"#L\"/></node>"
        let (file, conversion) = try file(document)
        return (
            try #require(file.root["extensions"]?["KHR_lights_punctual"]?["lights"]?.elements.first), conversion
        )
    }

    @Test func aWhiteDirectionalLightIsPiLux() throws {
        let (light, conversion) = try Self.light("<directional><color>1 1 1</color></directional>")
        #expect(light["intensity"]?.number == .pi)
        #expect(!Self.tells(conversion, .approximated, .lightFalloff))
    }

    @Test(arguments: [
        [1.0, 0, 0, 1], [0.0, 1, 0, 1], [1.0, 0.5, 0.25, 0.01], [0.0, 0.3, 0, 0.0254], [2.0, 0, 1, 10],
    ])
    func aPointLightIsAsBrightAtTheMiddleAsTheDocumentHasIt(_ numbers: [Double]) throws {
        let (constant, linear, quadratic, unit) = (numbers[0], numbers[1], numbers[2], "\(numbers[3])")
        let (light, conversion) = try Self.light(
            """
            <point><color>1 1 1</color><constant_attenuation>\(constant)</constant_attenuation>
            <linear_attenuation>\(linear)</linear_attenuation><quadratic_attenuation>\(quadratic)</quadratic_attenuation>
            </point>
            """, unit: unit)
        let meters = try #require(Double(unit)) * 3
        let shown = try #require(light["intensity"]?.number) / (meters * meters) / .pi
        let meant = 1 / (constant + 3 * linear + 9 * quadratic)
        #expect(abs(shown - meant) < 1e-9 * meant)
        #expect(Self.tells(conversion, .approximated, .lightFalloff))
    }

    @Test func aLightThatFallsOffByTheSquareIsExact() throws {
        let kind = """
            <spot><color>1 1 1</color><constant_attenuation>0</constant_attenuation>
            <quadratic_attenuation>2</quadratic_attenuation></spot>
            """
        let (light, conversion) = try Self.light(kind, unit: "0.01")
        let intensity = try #require(light["intensity"]?.number)
        #expect(abs(intensity - .pi * 1e-4 / 2) < 1e-12)
        #expect(!Self.tells(conversion, .approximated, .lightFalloff))
    }

    @Test func aLightInTwoPlacesIsAsBrightInBoth() throws {
        var document = SmallDocument()
        document.libraries = """
            <library_lights><light id="L"><technique_common><point><color>1 1 1</color></point></technique_common></light>
            </library_lights>
            """
        for (id, height) in [("A", 2), ("B", 4), ("C", 2)] {
            document.nodes +=
                "<node id=\"\(id)\"><translate>0.5 0.5 \(height)</translate><instance_light url=\"#L\"/></node>"
        }
        let (file, _) = try Self.file(document)
        let lights = file.root["extensions"]?["KHR_lights_punctual"]?["lights"]?.elements ?? []
        #expect(lights.compactMap { $0["intensity"]?.number } == [4 * .pi, 16 * .pi])
    }

    // MARK: - Opacity

    private static let half = "<transparent opaque=\"A_ONE\"><color>0 0 0 0</color></transparent>"

    @Test func whatCannotBeSeenIsWrittenSoWhereItIsAskedFor() throws {
        let document = Self.painted("<lambert><diffuse><color>1 1 1 1</color></diffuse>\(Self.half)</lambert>")
        let (usual, told) = try Self.file(document)
        #expect(usual.list("materials").first?["alphaMode"] == nil && Self.tells(told, .approximated, .opacity))
        let (kept, conversion) = try Self.file(document) { $0.invisibleSurfaces = .asWritten }
        let material = kept.list("materials").first
        #expect(material?["alphaMode"] == "BLEND")
        #expect(material?["pbrMetallicRoughness"]?["baseColorFactor"]?.numbers == [1, 1, 1, 0])
        #expect(!Self.tells(conversion, .approximated, .opacity))
    }

    /// Notes what is put together of what.
    private static func images(_ merged: @escaping @Sendable (SceneIndex<Image>?, Opacity.Map) -> [UInt8]?)
        -> ExportImages
    {
        ExportImages(
            content: { _ in .png(signature) },
            merged: { colors, map, _ in merged(colors, map).map { .file($0, .png) } ?? .unavailable(map.texture.image) }
        )
    }

    @Test(arguments: ["A_ONE", "A_ZERO", "RGB_ONE", "RGB_ZERO"])
    func anOpacityInAPictureIsPutBesideAColour(_ mode: String) throws {
        let shading = """
            <lambert><diffuse><color>1 0 0 1</color></diffuse><transparent opaque="\(mode)">
            <texture texture="sampler" texcoord="UV"/></transparent><transparency><float>0.5</float></transparency></lambert>
            """
        let images = Self.images { colors, map in
            // 0.25 of grey or of alpha.
            let texel = mode.hasPrefix("A") ? SIMD4(1, 1, 1, 0.25) : SIMD4(0.25, 0.25, 0.25, 1)
            return colors == nil ? Self.signature + Array("\(map.opacity(at: texel))".utf8) : nil
        }
        let (file, conversion) = try Self.file(
            Self.painted(shading, parameters: SmallDocument.sampler()), images: images)
        let material = try #require(file.list("materials").first)
        #expect(material["alphaMode"] == "BLEND")
        #expect(material["pbrMetallicRoughness"]?["baseColorFactor"]?.numbers == [1, 0, 0, 1])
        let view = try #require(file.list("images").first?["bufferView"]?.int.map { file.list("bufferViews")[$0] })
        let start = view["byteOffset"]?.int ?? 0
        let bytes = file.binary[start..<start + (view["byteLength"]?.int ?? 0)]
        let written = try #require(Double(String(decoding: bytes.dropFirst(4), as: UTF8.self)))
        #expect(abs(written - (mode.hasSuffix("ONE") ? 0.125 : 0.875)) < 1e-6)
        #expect(!Self.tells(conversion, .dropped, .opacity))
    }

    private static let second = """
        <newparam sid="other"><sampler2D><source>I2</source></sampler2D></newparam>
        """

    private static func twoPictures(_ opacity: String) -> SmallDocument {
        let shading = """
            <lambert><diffuse><texture texture="sampler" texcoord="UV"/></diffuse>\(opacity)</lambert>
            """
        var document = Self.painted(shading, parameters: SmallDocument.sampler() + second)
        document.libraries = document.libraries.replacing(
            "</library_images>", with: "<image id=\"I2\"><init_from>b.png</init_from></image></library_images>")
        return document
    }

    @Test func anOpacityInAPictureOfItsOwnIsPutIntoTheDiffuseOne() throws {
        let document = Self.twoPictures(
            "<transparent opaque=\"RGB_ZERO\"><texture texture=\"other\" texcoord=\"UV\"/></transparent>")
        let images = Self.images { colors, map in
            colors?.value == 0 && map.texture.image.value == 1 ? Self.signature : nil
        }
        let (file, conversion) = try Self.file(document, images: images)
        #expect(file.list("materials").first?["alphaMode"] == "BLEND" && file.list("images").count == 1)
        #expect(Self.tells(conversion, .approximated, .opacity) && !Self.tells(conversion, .dropped, .opacity))
        // Without their pixels it is a loss.
        let (plain, told) = try Self.file(document, images: Self.images { _, _ in nil })
        #expect(plain.list("materials").first?["alphaMode"] == nil && Self.tells(told, .dropped, .opacity))
    }

    @Test func anOpacityElsewhereOnTheMeshCannotBePutIntoIt() throws {
        var document = Self.twoPictures(
            "<transparent opaque=\"RGB_ZERO\"><texture texture=\"other\" texcoord=\"UV2\"/></transparent>")
        document.geometries = document.geometries.replacing(
            "<p>0 0 0 1 0 1 2 0 2 0 0 0 2 0 2 3 0 3</p>",
            with:
                "<input semantic=\"TEXCOORD\" source=\"#square-t\" offset=\"0\" set=\"1\"/><p>0 0 0 1 0 1 2 0 2 0 0 0 2 0 2 3 0 3</p>"
        )
        document.nodes = document.nodes.replacing(
            "<bind_vertex_input",
            with: "<bind_vertex_input semantic=\"UV2\" input_semantic=\"TEXCOORD\" input_set=\"1\"/><bind_vertex_input")
        let (_, conversion) = try Self.file(document, images: Self.images { _, _ in Self.signature })
        #expect(Self.tells(conversion, .dropped, .opacity))
    }

    // MARK: - Moments

    private static func moving(_ target: String, _ value: Double) -> String {
        let animation = SmallDocument.animation("A", target, times: [0, 2], values: [0, value], "LINEAR")
        return "<library_animations>\(animation)</library_animations>"
    }

    @Test(arguments: [("M/tint.R", 0), ("E/tint.R", 0), ("M/tint(1)", 1), ("E/t/lambert/diffuse/tint.B", 2)])
    func aMomentHasTheColoursOfMaterials(_ target: String, _ lane: Int) throws {
        var document = Self.painted("<lambert><diffuse><color sid=\"tint\">0 0 0 1</color></diffuse></lambert>")
        document.libraries += Self.moving(target, 2)
        let (file, conversion) = try Self.file(document) { $0.time = 1 }
        var expected = [0.0, 0, 0, 1]
        expected[lane] = 1
        #expect(
            file.list("materials").first?["pbrMetallicRoughness"]?["baseColorFactor"]?.numbers == expected)
        #expect(!Self.tells(conversion, .dropped, .channels))
        #expect(Self.tells(try Self.file(document).conversion, .dropped, .channels))
    }

    @Test func aMomentHasTheOpacityOfMaterials() throws {
        let shading = """
            <lambert><diffuse><color>1 1 1 1</color></diffuse><transparent opaque="RGB_ZERO"><color>1 1 1 1</color>
            </transparent><transparency><float sid="alpha">0</float></transparency></lambert>
            """
        var document = Self.painted(shading)
        document.libraries += Self.moving("E/alpha", 0.5)
        let (file, _) = try Self.file(document) { $0.time = 1 }
        let base = file.list("materials").first?["pbrMetallicRoughness"]?["baseColorFactor"]?.numbers
        #expect(abs((base?.last ?? 0) - 0.75) < 1e-6)
    }

    // MARK: - Sides

    private static let sided = "<extra><technique profile=\"MAYA\"><double_sided>1</double_sided></technique></extra>"

    /// Two meshes in one material, the second of which is seen from both sides.
    private static func twoMeshes() -> SmallDocument {
        var document = painted("<lambert><diffuse><color>1 0 0 1</color></diffuse></lambert>")
        document.geometries += SmallDocument.square("other").replacing("</mesh>", with: "</mesh>\(sided)")
        document.nodes += SmallDocument.painted.replacing("#square", with: "#other").replacing("\"N\"", with: "\"O\"")
        return document
    }

    @Test func aMaterialOfTwoMeshesIsWrittenTwiceWhereTheyDiffer() throws {
        let (file, conversion) = try Self.file(Self.twoMeshes())
        #expect(file.list("materials").map { $0["doubleSided"] } == [nil, true])
        let used = file.list("meshes").compactMap { $0["primitives"]?.elements.first?["material"]?.int }
        #expect(used == [0, 1])
        // What is lost of it is told once.
        #expect(conversion.report.entries.first { $0.subject == .shading }?.count == 1)
    }

    @Test func aMeshWithoutAMaterialHasItsSides() throws {
        var document = SmallDocument()
        document.geometries = document.geometries.replacing("</mesh>", with: "\(Self.sided)</mesh>")
        let (file, _) = try Self.file(document)
        #expect(file.list("materials").map { $0["doubleSided"] } == [true])
        #expect(file.list("meshes").first?["primitives"]?.elements.first?["material"] == 0)
    }

    @Test func aMorphAndASkinHaveTheSidesOfTheirMesh() throws {
        var document = Self.twoMeshes()
        let weights = SmallDocument.source("w", [0.5], "W")
        document.libraries += """
            <library_controllers><controller id="K"><morph source="#other">\(weights)
            <source id="t"><IDREF_array id="t-a" count="1">square</IDREF_array><technique_common>
            <accessor source="#t-a" count="1"><param name="T" type="IDREF"/></accessor></technique_common></source>
            <targets><input semantic="MORPH_TARGET" source="#t"/><input semantic="MORPH_WEIGHT" source="#w"/></targets>
            </morph></controller></library_controllers>
            """
        document.nodes = SmallDocument.painted.replacing(
            "<instance_geometry url=\"#square\">", with: "<instance_controller url=\"#K\">"
        ).replacing("</instance_geometry>", with: "</instance_controller>")
        let (file, _) = try Self.file(document)
        #expect(file.list("materials").map { $0["doubleSided"] } == [true])
    }

    // MARK: - The rest

    @Test func whoClaimsADocumentIsInTheFile() throws {
        var document = SmallDocument()
        document.asset = """
            <contributor><copyright>Copyright 2006 Sony</copyright></contributor>
            <contributor><author>somebody</author></contributor><contributor><copyright> © 2020 Ada </copyright></contributor>
            <contributor><copyright>Copyright 2006 Sony</copyright></contributor>
            """
        let (file, _) = try Self.file(document)
        #expect(file.root["asset"]?["copyright"] == "Copyright 2006 Sony; © 2020 Ada")
        #expect(try Self.file(SmallDocument()).file.root["asset"]?["copyright"] == nil)
    }

    @Test func textureCoordinatesThatAreNoNumbersAreTold() throws {
        var document = SmallDocument()
        document.geometries = document.geometries.replacing(
            "1.0 1.0 0.0 1.0</float_array>", with: "NaN 1.0 0.0 INF</float_array>")
        let (_, conversion) = try Self.file(document)
        let entry = conversion.report.losses.first { $0.subject == .textureCoordinateNumbers }
        #expect(entry?.change == .approximated && entry?.count == 3)
    }

    /// What a document says, and what becomes of it.
    struct Move: Sendable {
        let terms: String
        var offset: [Double] = []
        var scale: [Double] = [1, 1]
        var rotation = 0.0
        var isExact = true
    }
    static let moves: [Move] = [
        Move(
            terms: "<repeatU>2</repeatU><repeatV>3</repeatV><offsetU>0.25</offsetU>", offset: [0.25, -2], scale: [2, 3]),
        Move(terms: "<rotateUV>180</rotateUV>", offset: [1, 1], rotation: Double.pi),
        Move(terms: "<rotateFrame>-90</rotateFrame>", offset: [0, 1], rotation: Double.pi / 2),
        Move(terms: "<repeatU>2</repeatU><rotateFrame>45</rotateFrame>", isExact: false),
        Move(terms: "<coverageU>0.5</coverageU>", offset: [0, 0], scale: [2, 1], isExact: false),
    ]

    @Test(arguments: moves) func whatMovesAPictureIsWritten(_ move: Move) throws {
        let (terms, offset, scale, rotation) = (move.terms, move.offset, move.scale, move.rotation)
        let shading = """
            <lambert><diffuse><texture texture="sampler" texcoord="UV"><extra><technique profile="MAYA">\(terms)</technique>
            </extra></texture></diffuse></lambert>
            """
        let document = Self.painted(shading, parameters: SmallDocument.sampler())
        let images = ExportImages(content: { _ in .png(Self.signature) })
        let (file, conversion) = try Self.file(document, images: images)
        let written = file.list("materials").first?["pbrMetallicRoughness"]?["baseColorTexture"]?["extensions"]?[
            "KHR_texture_transform"]
        #expect(Self.tells(conversion, .approximated, .textureTurns) == !move.isExact)
        guard !offset.isEmpty else { return }
        let transform = try #require(written)
        let (place, size) = (try #require(transform["offset"]?.numbers), try #require(transform["scale"]?.numbers))
        #expect(place.count == 2 && size.count == 2)
        for (one, other) in zip(place + size, offset + scale) { #expect(abs(one - other) < 1e-12) }
        #expect(abs((transform["rotation"]?.number ?? 0) - rotation) < 1e-12)
    }

    // MARK: - Pictures without an alpha, and missing ones

    private static let alone = "<diffuse><color>1 0 0 1</color></diffuse>"
    private static let same = "<diffuse><texture texture=\"sampler\" texcoord=\"UV\"/></diffuse>"

    private static func covered(_ diffuse: String, _ transparency: String = "") -> SmallDocument {
        painted(
            """
            <lambert>\(diffuse)<transparent opaque="A_ONE"><texture texture="sampler" texcoord="UV"/></transparent>
            \(transparency)</lambert>
            """, parameters: SmallDocument.sampler())
    }

    @Test(arguments: [alone, same]) func aPictureWithoutAnAlphaIsOpaque(_ diffuse: String) throws {
        let images = ExportImages(content: { _ in .png(Self.signature) }, hasAlpha: { _ in false })
        let (file, conversion) = try Self.file(Self.covered(diffuse), images: images)
        #expect(file.list("materials").first?["alphaMode"] == nil)
        #expect(!conversion.report.entries.contains { $0.subject == .opacity })
        let half = "<transparency><float>0.5</float></transparency>"
        let dimmed = try Self.file(Self.covered(diffuse, half), images: images).file.list("materials").first
        #expect(dimmed?["alphaMode"] == "BLEND")
        #expect(dimmed?["pbrMetallicRoughness"]?["baseColorFactor"]?.numbers.last == 0.5)
    }

    @Test(arguments: [alone, same]) func aMissingPictureOfAnOpacityIsToldAndOpaque(_ diffuse: String) throws {
        let half = "<transparency><float>0.5</float></transparency>"
        for document in [Self.covered(diffuse), Self.covered(diffuse, half)] {
            let (file, conversion) = try Self.file(document)
            let material = try #require(file.list("materials").first)
            #expect(material["alphaMode"] == nil)
            #expect(material["pbrMetallicRoughness"]?["baseColorFactor"]?.numbers.last ?? 1 == 1)
            #expect(Self.tells(conversion, .dropped, .opacity) && !Self.tells(conversion, .approximated, .opacity))
            #expect(conversion.report.losses.filter { $0.subject == .images }.map(\.count) == [1])
        }
    }

    @Test func aMissingPictureBesideAnotherIsToldAsAnImage() throws {
        let document = Self.twoPictures(
            "<transparent opaque=\"A_ONE\"><texture texture=\"other\" texcoord=\"UV\"/></transparent>")
        let images = ExportImages(content: { $0.value == 0 ? .png(Self.signature) : .unavailable(reason: "gone") })
        let (file, conversion) = try Self.file(document, images: images)
        #expect(file.list("materials").first?["alphaMode"] == nil && file.list("images").count == 1)
        let lost = conversion.report.losses.first { $0.subject == .images }
        #expect(lost?.places == ["I2"] && lost?.count == 1)
        #expect(Self.tells(conversion, .dropped, .opacity))
    }

    @Test func puttingPicturesTogetherIsStoppedWithTheConversion() throws {
        let scene = try Conversion.scene(of: Self.covered(Self.alone).bytes)
        let folder = try TemporaryFolder()
        let asked = Mutex(false)
        let images = ExportImages(
            content: { _ in .png(Self.signature) },
            merged: { _, _, isCancelled in
                asked.withLock { $0 = true }
                return isCancelled() ? .none : .file(Self.signature, .png)
            })
        #expect {
            _ = try ExportFormat.glb.write(
                scene, to: folder.path + "/out.glb", images: images, isCancelled: { asked.withLock { $0 } })
        } throws: { ($0 as? SceneExportError)?.code == .assetCancelled }
        #expect(asked.withLock { $0 })
    }
}
