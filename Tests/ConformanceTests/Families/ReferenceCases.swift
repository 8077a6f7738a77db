import Daedalus
import Testing

@Suite(.enabled(if: ConformanceSuite.isHere, ConformanceSuite.absence))
struct ReferenceCases {
    @Test(arguments: referenceFamily.joined()) func addressesAndArchives(_ row: ConformanceCase) throws {
        try row.run()
    }
}

private let uri = "xml/uri"
private let external = uri + "/external_references"
/// The cube of 1 m, turned by 45° about z, then y, then x.
private let cube = [-0.75, -0.75, -0.853553, 0.75, 0.75, 0.853553]
/// A square of 2 m with a picture on it.
private let square = [-1, -1, 0.994865, 1, 1, 0.994865]

let referenceFamily: ConformanceFamily = [
    // MARK: Other documents
    only("\(external)/camera", "the camera stands in another document") {
        $0.expectCube()
        expect($0.cameras.first?.numbers, [36.9999, 36.9999, 0.01, 3.9])
        #expect($0.document.cameras.isEmpty && $0.scene.cameras.count == 1)
    },
    only("\(external)/camera/library_cameras.dae", "its library") {
        try #expect($0.camera("mainCamera").far == 390 && $0.document.scene == nil)
    },
    only("\(external)/controller", "the skin and its mesh stand in another document, its joints in this one") {
        #expect($0.document.controllers.isEmpty && $0.scene.controllers.count == 1)
        guard case .controller(_, let skeleton, _)? = $0.scene.nodes[try $0.node("pCylinder1")].instances.first else {
            Issue.record("no instance of the skin")
            return
        }
        var joints: [SceneIndex<Node>?] = []
        for number in 1...6 { joints.append(try $0.node("joint\(number)")) }
        #expect(skeleton.joints == joints)
    },
    only("\(external)/controller/library_controllers.dae", "its library: a skin of six joints by their ids") {
        #expect($0.inspection.counts.skins == 1 && $0.inspection.counts.geometries == 1)
        guard case .skin(let skin)? = $0.document.controllers.first?.kind else {
            Issue.record("no skin")
            return
        }
        #expect(skin.jointNames == (1...6).map { "joint\($0)" } && skin.weights?.count == 3452)
    },
    only("\(external)/different_doc_same_id", "an id of this document means another element in the other one") {
        $0.expectCube()
        expect($0.lights.map(\.color).first?.list, [1, 1, 1])
        #expect($0.lights.count == 1)
    },
    both("\(external)/different_doc_same_id/library_lghts.dae", "its library") {
        try #expect($0.light("directionalLightShape1-lib").color == SIMD3(1, 1, 1))
        #expect($0.scene.nodes.isEmpty)
    },
    only("\(external)/effects", "the material's effect stands in another document") {
        $0.expectCube()
        try #expect($0.material("lambert1").shading == .lambert)
        try #expect($0.material("lambert1")[.diffuse] == .color(SIMD4(0.5, 0.5, 0.5, 1)))
    },
    only("\(external)/effects/library_effects.dae", "its library") {
        #expect($0.document.effects.map(\.id) == ["lambert1-fx"] && $0.document.materials.isEmpty)
    },
    only("\(external)/geometry", "the mesh stands in another document") {
        $0.expectCube()
        #expect($0.document.geometries.isEmpty && $0.scene.geometries.map(\.id) == ["cube"])
    },
    only("\(external)/geometry/library_geometries.dae", "its library") {
        #expect($0.scene.geometries.first?.measure.triangles == 12 && $0.flat().triangles.isEmpty)
    },
    only("\(external)/light", "the light stands in another document") {
        $0.expectCube()
        #expect($0.document.lights.isEmpty && $0.lights.map(\.kind) == ["directional"])
    },
    only("\(external)/light/library_lights.dae", "its library") {
        #expect($0.inspection.counts.lights == 1 && $0.scene.nodes.isEmpty)
    },
    only("\(external)/material", "the material and its effect stand in another document") {
        $0.expectCube()
        #expect($0.document.materials.isEmpty && $0.flat().triangles.allSatisfy { $0.surface != .unbound })
    },
    only("\(external)/material/library_materials.dae", "its library") {
        #expect($0.inspection.counts.materials == 1 && $0.inspection.counts.effects == 1)
    },
    only("\(external)/node", "the node stands in another document, with all it instances") {
        $0.expectCube()
        #expect($0.cameras.count == 1 && $0.lights.count == 1 && $0.document.geometries.isEmpty)
    },
    only("\(external)/node/library_nodes.dae", "its library: a node of three, in no visual scene") {
        #expect($0.inspection.counts.nodes == 4 && $0.inspection.scene.nodes == 0)
    },
    only("\(external)/self", "a document names itself by its file name") { $0.expectCube() },
    both("\(external)/visual_scene", "the visual scene itself stands in another document") {
        $0.expectCube()
        #expect($0.document.visualScenes.isEmpty && $0.scene.id == "VisualSceneNode")
    },
    both(
        "\(external)/visual_scene/library_visual_scenes.dae", "its library, shown although nothing instances its scene",
        finds: [.sceneMissing]
    ) {
        $0.expectCube()
    },
    both("\(uri)/_reference/_reference_geometry", "all in one document") { $0.expectCube() },
    both("\(uri)/_reference/_reference_camera", "all in one document, with a camera that sees less far") {
        $0.expectCube()
        #expect($0.cameras.count == 1)
    },

    // MARK: Files
    both("\(uri)/_reference/_reference_directory", "a picture in the document's own folder") {
        try $0.expectPicture("PASSIMAGE.png")
    },
    both("\(uri)/directory/one_dot", "every address begins with ./ and the document's own name") {
        try $0.expectPicture("PASSIMAGE.png")
        #expect($0.lights.count == 1)
    },
    only("\(uri)/case/upper_case", "a name in capital letters") { try $0.expectPicture("PASSIMAGE_UPPER.PNG") },
    both("\(uri)/percent_encoding_spaces", "%20 for spaces, in the folder and the file") {
        try $0.expectPicture("With Spaces/Pass Image.png")
    },
    both("\(uri)/percent_encoding_text", "letters percent-encoded for no need") {
        try $0.expectPicture("With Spaces/PassImage.png")
    },
    both("\(uri)/directory/node_lookat.dae", "the cube before a camera at a lookat") {
        $0.expectCube()
        expect($0.cameras.first?.position.list, [0, 0, 4])
        expect($0.cameras.first?.direction.list, [0, 0, -1])
    },

    // MARK: Archives
    only("1_5/zae/_reference/_reference_geometry", "all in one document") { $0.expectCube() },
    only("1_5/zae/complex_archive/complex_archive.zae", "a scene out of seven documents in two folders") { reading in
        #expect(
            reading.inspection.bundle.rule == .zaeManifest
                && reading.inspection.bundle.scenePath == "complex_archive.dae")
        reading.expectDrawn(triangles: 2, box: [-0.75, -0.75, 0.75, 0.75, 0.75, 0.75])
        #expect(reading.cameras.count == 1 && reading.lights.count == 1)
        let material = try reading.material("lambert1")
        let pictures = material.images.map { reading.inspection.images[$0.value].path }
        #expect(pictures.first == "library1/Textures/collada.png")
        // The darker the second picture, the more is covered: half of it counts.
        guard case .texture(let map) = material.opacity else {
            Issue.record("the opacity is no texture")
            return
        }
        #expect(map.channel == .luminance && map.sense == .inverted && map.factor == 0.5)
        #expect(reading.inspection.images[map.texture.image.value].path == "library1/Textures/checkerboard.png")
    },
    only("1_5/zae/root_fragment/root_fragment.zae", "the manifest names a light within the document; all of it is read")
    {
        #expect($0.inspection.bundle.rule == .zaeManifest && $0.inspection.bundle.scenePath == "root_fragment.dae")
        $0.expectCube()
    },
]

extension ConformanceReading {
    fileprivate func expectCube(sourceLocation: SourceLocation = #_sourceLocation) {
        expectDrawn(triangles: 12, box: cube, sourceLocation: sourceLocation)
    }

    /// That all that is drawn shows one picture, by the name of its file.
    fileprivate func expectPicture(_ file: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        expectDrawn(triangles: 2, box: square, sourceLocation: sourceLocation)
        let texture = try #require(scene.materials.first?[.diffuse]?.texture, sourceLocation: sourceLocation)
        let row = inspection.images[texture.image.value]
        #expect(row.path == file && row.status == .found, sourceLocation: sourceLocation)
    }
}
