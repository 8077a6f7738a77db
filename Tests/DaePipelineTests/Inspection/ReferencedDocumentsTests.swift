import DaeArchive
import DaeDiagnostics
import DaePipeline
import DaeResources
import DaeScene
import TestSupport
import Testing

/// A bundle whose documents refer to each other.
@Suite struct ReferencedDocumentsTests {
    private static func document(_ body: String, unit: Double = 1) -> String {
        "<COLLADA xmlns='http://www.collada.org/2005/11/COLLADASchema' version='1.4.1'><asset><unit meter='\(unit)'/><up_axis>Z_UP</up_axis></asset>\(body)</COLLADA>"
    }

    private static func scene(_ node: String, unit: Double = 1) -> String {
        document(
            "<library_visual_scenes><visual_scene id='vs'><node id='n'>\(node)</node></visual_scene></library_visual_scenes><scene><instance_visual_scene url='#vs'/></scene>",
            unit: unit)
    }

    private static let mesh =
        "<library_geometries><geometry id='box'><mesh><source id='p'><float_array id='pa' count='9'>0 0 0 100 0 0 0 200 0</float_array><technique_common><accessor source='#pa' count='3' stride='3'><param name='X'/><param name='Y'/><param name='Z'/></accessor></technique_common></source><vertices id='v'><input semantic='POSITION' source='#p'/></vertices><triangles count='1' material='s'><input semantic='VERTEX' source='#v' offset='0'/><p>0 1 2</p></triangles></mesh></geometry></library_geometries>"
    private static let looks =
        "<library_images><image id='i'><init_from>../tex/a.png</init_from></image></library_images><library_effects><effect id='e'><profile_COMMON><technique sid='t'><lambert><diffuse><texture texture='i' texcoord='u'/></diffuse></lambert></technique></profile_COMMON></effect></library_effects><library_materials><material id='m'><instance_effect url='#e'/></material></library_materials>"

    private func inspect(_ files: [(String, String)], chosen: String) throws -> Inspector.Result {
        var zip = ZipBuilder()
        for (name, text) in files { zip.add(name, Array(text.utf8)) }
        let folder = try TemporaryFolder()
        let path = try folder.write(zip.bytes(), to: "bundle.zip")
        return try Self.inspect(path, chosen: chosen)
    }

    private static func inspect(_ path: String, chosen: String? = nil) throws -> Inspector.Result {
        let bundle = try Bundle.open(path: path)
        let choice = try BundleManifest.scene(of: bundle, given: chosen).choice
        return try Inspector().inspect(bundle, choice, input: path)
    }

    @Test func aBundlesOtherDocumentsArePartOfItsScene() throws {
        let result = try inspect(
            [
                (
                    "main.dae",
                    Self.scene(
                        "<instance_geometry url='parts/the%20box.dae#box'><bind_material><technique_common><instance_material symbol='s' target='PARTS/Looks.DAE#m'/></technique_common></bind_material></instance_geometry>"
                    )
                ),
                ("parts/the box.dae", Self.document(Self.mesh, unit: 0.01)),
                ("parts/looks.dae", Self.document(Self.looks)), ("tex/a.png", "no image"), ("spare.txt", ""),
            ], chosen: "main.dae")
        let inspection = result.inspection
        #expect(inspection.scene.bounds == Bounds(min: .zero, max: [1, 2, 0]))
        #expect(inspection.scene.sizeInMeters == [1, 2, 0])
        #expect(inspection.scene.nodes == 1)
        #expect(inspection.counts.triangles == 1)
        // Counted are the chosen document's elements; listed is all that the scene has.
        #expect(inspection.counts.geometries == 0)
        #expect(inspection.geometries.map(\.id) == ["box"])
        #expect(inspection.materials.map(\.isUsed) == [true])
        #expect(inspection.images.map(\.path) == ["tex/a.png"])
        #expect(inspection.images.map(\.rule) == [.exact])
        #expect(inspection.bundle.unused == ["spare.txt"])
        // What else is odd about the looks is the materials' tests to say.
        let findings = inspection.findings.findings.filter { finding in
            ["REF_", "ASSET_", "IMAGE_"].contains { finding.code.rawValue.hasPrefix($0) }
        }
        #expect(findings.map(\.code) == [.refByName, .assetNestedUnit, .imageDataInvalid])
        #expect(findings.map(\.place.entry) == ["main.dae", "parts/the box.dae", "parts/looks.dae"])
        #expect(findings.map(\.severity) == [.warning, .info, .error])
    }

    @Test func whatCannotBeOpenedIsToldAndTheRestIsRead() throws {
        let result = try inspect(
            [
                (
                    "m/main.dae",
                    Self.scene(
                        "<instance_geometry url='box.dae#box'/><instance_node url='../../out.dae#x'/><instance_node url='http://h.example/a.dae#x'/><instance_node url='torn.dae#x'/><instance_node url='none.dae#x'/>"
                    )
                ),
                ("m/box.dae", Self.document(Self.mesh)), ("m/torn.dae", "<COLLADA"),
            ], chosen: "m/main.dae")
        #expect(result.inspection.counts.triangles == 1)
        let codes = result.inspection.findings.findings.filter { $0.code.rawValue.hasPrefix("REF_") }.map(\.code)
        #expect(
            codes == [.refExternalBlocked, .refExternalBlocked, .refExternalUnresolved, .refExternalUnresolved])
        let messages = result.inspection.findings.findings.map(\.message)
        #expect(messages.contains { $0.contains("m/torn.dae, which cannot be read") })
        #expect(messages.contains { $0.contains("there is no m/none.dae") })
    }

    @Test func stoppingIsHeardWhileAnotherDocumentIsRead() throws {
        var zip = ZipBuilder()
        zip.add("main.dae", Array(Self.scene("<instance_geometry url='box.dae#box'/>").utf8))
        zip.add("box.dae", Array(Self.document(Self.mesh).utf8))
        let folder = try TemporaryFolder()
        let bundle = try Bundle.open(path: try folder.write(zip.bytes(), to: "b.zip"))
        let choice = try BundleManifest.scene(of: bundle, given: "main.dae").choice
        var asked = 0
        let error = #expect(throws: CodedFailure.self) {
            try Inspector().inspect(
                bundle, choice, input: "b.zip",
                isCancelled: {
                    asked += 1
                    return asked > 1
                })
        }
        #expect(error?.code == .assetCancelled)
        #expect(asked == 2)
    }

    // MARK: - Around a lone document

    @Test func aLoneDocumentsPartsAreReadAboveItOnlyWhereThatIsAllowed() throws {
        let folder = try TemporaryFolder()
        let main = try folder.write(
            Self.scene(
                "<instance_geometry url='../lib/box.dae#box'><bind_material><technique_common><instance_material symbol='s' target='../lib/looks.dae#m'/></technique_common></bind_material></instance_geometry>"
            ), to: "a/main.dae")
        try folder.write(Self.document(Self.mesh), to: "lib/box.dae")
        try folder.write(Self.document(Self.looks), to: "lib/looks.dae")
        try folder.write("no image", to: "tex/a.png")
        func inspect(_ policy: LocatorPolicy) throws -> Inspection {
            let bundle = try Bundle.open(path: main)
            var inspector = Inspector()
            inspector.policy = policy
            inspector.loneDocument = try LoneDocument.locate(main)
            return try inspector.inspect(bundle, BundleManifest.scene(of: bundle).choice, input: main).inspection
        }
        let closed = try inspect(.bundleOnly)
        #expect(closed.counts.triangles == 0)
        #expect(closed.findings.counts[.refExternalBlocked] != nil)
        #expect(closed.images.isEmpty)

        let open = try inspect(.hostPaths([]))
        #expect(open.counts.triangles == 1)
        #expect(open.images.map(\.path) == ["../tex/a.png"])
        #expect(open.images.map(\.isOutside) == [true])
        #expect(open.images.map(\.bytes) == [8])
        // Two documents and an image.
        #expect(open.findings.counts[.resourceOutside] == 3)
        let outside = open.findings.findings.filter { $0.code == .resourceOutside }
        #expect(outside.map(\.severity) == [.info, .info, .info])
        #expect(outside.map(\.place.entry) == ["main.dae", "main.dae", "../lib/looks.dae"])
        #expect(outside.first?.message == "../lib/box.dae lies outside the bundle")

        try folder.write("<model/>", to: "model.config")
        let rooted = try inspect(.bundleOnly)
        #expect(rooted.counts.triangles == 1)
        #expect(rooted.images.map(\.path) == ["../tex/a.png"])
        #expect(rooted.images.map(\.isOutside) == [false])
        #expect(rooted.images.map(\.confidence) == [.certain])
        #expect(rooted.findings.counts[.resourceOutside] == nil)
    }

    // MARK: - The conformance suite's own cases

    private static let isHere = Repository.corpus != nil

    private static func conformance(_ path: String) throws -> Inspector.Result {
        try inspect("\(try #require(Repository.corpus))/khronos-cts/\(path).dae")
    }

    private static func expectSameBox(_ one: Scene, _ other: Scene, _ about: Comment) throws {
        let first = try #require(SceneBounds(of: one).box)
        let second = try #require(SceneBounds(of: other).box)
        for axis in 0..<3 {
            #expect(abs(first.min[axis] - second.min[axis]) < 1e-9, about)
            #expect(abs(first.max[axis] - second.max[axis]) < 1e-9, about)
        }
    }

    /// Each takes one kind of element from the document beside it, and shows what its reference shows.
    @Test(
        .enabled(if: isHere, "the corpus of real models is not here"),
        arguments: [
            ("xml/uri/external_references/camera/camera", "xml/uri/_reference/_reference_camera/_reference_camera"),
            ("xml/uri/external_references/controller/controller", nil),
            ("xml/uri/external_references/different_doc_same_id/different_doc_same_id", geometryReference),
            ("xml/uri/external_references/effects/effects", geometryReference),
            ("xml/uri/external_references/geometry/geometry", geometryReference),
            ("xml/uri/external_references/light/light", geometryReference),
            ("xml/uri/external_references/material/material", geometryReference),
            ("xml/uri/external_references/node/node", geometryReference),
            ("xml/uri/external_references/self/self", geometryReference),
            ("xml/uri/external_references/visual_scene/visual_scene", geometryReference),
            ("1_5/xml/uri/external_references/visual_scene/visual_scene", nil),
        ] as [(String, String?)])
    func conformanceDocumentsTakeTheirPartsFromOthers(path: String, reference: String?) throws {
        let result = try Self.conformance(path)
        let references = result.inspection.findings.findings.filter { $0.code.rawValue.hasPrefix("REF_") }
        #expect(references.isEmpty, "\(path): \(references)")
        #expect(result.inspection.counts.triangles > 0)
        guard let reference else { return }
        let expected = try Self.conformance(reference)
        try Self.expectSameBox(result.scene, expected.scene, "\(path)")
        #expect(result.inspection.counts.triangles == expected.inspection.counts.triangles)
        let lights = { (scene: Scene) in scene.nodes.flatMap(\.instances).compactMap { scene.light(of: $0) } }
        #expect(lights(result.scene) == lights(expected.scene), "\(path)")
        let cameras = { (scene: Scene) in scene.nodes.flatMap(\.instances).compactMap { scene.camera(of: $0) } }
        #expect(cameras(result.scene).map(\.projection) == cameras(expected.scene).map(\.projection), "\(path)")
        let shadings = { (result: Inspector.Result) in
            result.inspection.materials.filter(\.isUsed).map { "\($0.effect ?? "") \($0.shading?.rawValue ?? "")" }
        }
        #expect(shadings(result) == shadings(expected), "\(path)")
    }

    private static let geometryReference = "xml/uri/_reference/_reference_geometry/_reference_geometry"

    @Test(
        .enabled(if: isHere, "the corpus of real models is not here"),
        arguments: [
            ("xml/uri/percent_encoding_spaces/percent_encoding_spaces", "With Spaces/Pass Image.png"),
            ("xml/uri/percent_encoding_text/percent_encoding_text", "With Spaces/PassImage.png"),
            ("xml/uri/case/upper_case/upper_case", "PASSIMAGE_UPPER.PNG"),
            ("xml/uri/directory/one_dot/one_dot", "PASSIMAGE.png"),
            ("1_5/xml/uri/percent_encoding_spaces/percent_encoding_spaces", "With Spaces/Pass Image.png"),
            ("1_5/xml/uri/percent_encoding_text/percent_encoding_text", "With Spaces/PassImage.png"),
            ("1_5/xml/uri/directory/one_dot/one_dot", "PASSIMAGE.png"),
        ])
    func conformanceImagesAreFoundByTheirAddresses(path: String, image: String) throws {
        let result = try Self.conformance(path)
        // Those of 1.5 name the same file by two images.
        #expect(Set(result.inspection.images.map(\.path)) == [image])
        #expect(Set(result.inspection.images.map(\.status)) == [.found])
        #expect(result.inspection.materials.filter(\.isUsed).map(\.images.count) == [1])
    }

    /// What is written in another unit or axis is as large, and stands as upright, as its reference.
    @Test(
        .enabled(if: isHere, "the corpus of real models is not here"),
        arguments: [
            ("collada/asset/unit/decimeter/decimeter", "collada/asset/_reference/_reference_unit/_reference_unit"),
            (
                "1_5/collada/asset/unit/decimeter/decimeter",
                "1_5/collada/asset/_reference/_reference_unit/_reference_unit"
            ),
            ("collada/asset/up_axis/x_up/x_up", "collada/asset/_reference/_reference_up_axis/_reference_up_axis"),
            (
                "collada/library_geometries/geometry/asset/up_axis/up_axis",
                "collada/library_geometries/geometry/asset/_reference/_reference_up_axis/_reference_up_axis"
            ),
            (
                "collada/library_visual_scenes/visual_scene/asset/up_axis/up_axis",
                "collada/library_visual_scenes/visual_scene/asset/_reference/_reference_asset_unitandup/_reference_asset_unitandup"
            ),
            (
                "1_5/collada/library_visual_scenes/visual_scene/asset/up_axis/up_axis",
                "1_5/collada/library_visual_scenes/visual_scene/asset/_reference/_reference_asset_unitandup/_reference_asset_unitandup"
            ),
        ])
    func conformanceUnitsAndAxesMakeTheSameBox(path: String, reference: String) throws {
        let scene = try Self.conformance(path).scene.converted(toMeters: 1, up: .y)
        let expected = try Self.conformance(reference).scene.converted(toMeters: 1, up: .y)
        try Self.expectSameBox(scene, expected, "\(path)")
    }
}

extension Scene {
    fileprivate func light(of instance: Instance) -> Light? {
        if case .light(let index) = instance { lights[index] } else { nil }
    }

    fileprivate func camera(of instance: Instance) -> Camera? {
        if case .camera(let index) = instance { cameras[index] } else { nil }
    }
}
