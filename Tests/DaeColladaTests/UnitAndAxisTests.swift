import DaeCollada
import DaeDiagnostics
import DaeScene
import Testing

/// Parts that are written in another unit or with another up axis than their document.
@Suite struct UnitAndAxisTests {
    /// A flat corner 1 × 2 units along the document's x and z.
    private func geometry(_ asset: String = "", id: String = "g") -> String {
        "<geometry id='\(id)'>\(asset)<mesh>\(Mesh.source("pos", "0 0 0 1 0 0 1 0 2 0 0 2"))\(Mesh.vertices)<triangles count='2'>\(Mesh.input)<p>0 1 2 0 2 3</p></triangles></mesh></geometry>"
    }

    private func asset(_ unit: Double? = nil, _ axis: Scene.UpAxis? = nil) -> String {
        let unit = unit.map { "<unit meter='\($0)'/>" } ?? ""
        let axis = axis.map { "<up_axis>\($0.rawValue)</up_axis>" } ?? ""
        return "<asset>\(unit)\(axis)</asset>"
    }

    private func read(
        _ geometries: String, node: String = Mesh.instance, document: String? = nil, library: String = "",
        scene: String = "", others: String = ""
    ) -> Outcome {
        let scenes =
            "<library_visual_scenes><visual_scene id='vs'>\(scene)<node id='n'>\(node)</node></visual_scene></library_visual_scenes><scene><instance_visual_scene url='#vs'/></scene>"
        return Outcome(
            Document(
                asset: document ?? asset(1, .z),
                body: others + "<library_geometries>\(library)\(geometries)</library_geometries>" + scenes, node: nil
            ).text)
    }

    private func size(_ outcome: Outcome) -> [Double]? {
        SceneBounds(of: outcome.scene).box.map { box in
            let size = box.size * outcome.scene.metersPerUnit
            return [size.x, size.y, size.z]
        }
    }

    @Test func aGeometrysOwnUnitMakesItsSizeInTheDocuments() {
        let outcome = read(geometry(asset(0.25)))
        #expect(size(outcome) == [0.25, 0, 0.5])
        #expect(outcome.codes == [.assetNestedUnit])
        #expect(outcome.first(.assetNestedUnit)?.place.line != nil)
        #expect(outcome.first(.assetNestedUnit)?.message.contains("<geometry>") == true)
        #expect(outcome.scene.metersPerUnit == 1)
        #expect(SceneCensus(of: outcome.scene).nodes == 1)
        #expect(outcome.scene.geometries.first?.measure.bounds?.size == [1, 0, 2])
    }

    @Test(arguments: [
        ("<library_force_fields>ASSET<force_field id='f'/></library_force_fields>", "its numbers stay as they are"),
        ("<library_formulas>ASSET<formula id='f'/></library_formulas>", "its numbers stay as they are"),
        ("<library_effects>ASSET<effect id='e'/></library_effects>", "no number in it depends on that"),
        ("<library_lights>ASSET</library_lights>", "it is converted"),
    ])
    func whatIsNotConvertedIsNotSaidToBe(library: String, words: String) {
        let outcome = read(geometry(), others: library.replacing("ASSET", with: asset(0.25)))
        #expect(outcome.first(.assetNestedUnit)?.message.hasSuffix(words) == true, "\(outcome.findings)")
        #expect(read(geometry(asset(0.25))).first(.assetNestedUnit)?.message.hasSuffix("it is converted") == true)
    }

    @Test func aLibrarysAssetCountsForAllWithinAndTheNearestWins() {
        let outcome = read(
            geometry() + geometry(asset(0.125), id: "h") + geometry(asset(1, .z), id: "i"),
            node: "<instance_geometry url='#g'/>", library: asset(0.5, .y))
        // Y up: what is 2 along z there lies along −y here.
        #expect(size(outcome) == [0.5, 1, 0])
        #expect(outcome.findings.count { $0.code == .assetNestedUnit } == 3)
        let near = read(
            geometry() + geometry(asset(0.125), id: "h"), node: "<instance_geometry url='#h'/>", library: asset(0.5, .y)
        )
        #expect(size(near) == [0.125, 0.25, 0])
        let same = read(
            geometry() + geometry(asset(1, .z), id: "i"), node: "<instance_geometry url='#i'/>", library: asset(0.5, .y)
        )
        #expect(size(same) == [1, 0, 2])
        #expect(same.scene.nodes.count == 1)
    }

    @Test func anAssetWithoutUnitAndAxisChangesNothing() {
        let outcome = read(geometry("<asset><title>t</title></asset>"), library: "<asset/>", scene: "<asset/>")
        #expect(outcome.findings.isEmpty)
        #expect(outcome.scene.nodes.count == 1)
        #expect(outcome.document.nestedAssets.map(\.owner) == ["library_geometries", "geometry", "visual_scene"])
        #expect(outcome.document.nestedAssets.map(\.asset.title) == [nil, "t", nil])
    }

    /// The node's transforms are in its own unit, and so is what it instances that has none of its own.
    @Test func aNodesAssetCountsForItsTransformsAndForWhatItInstances() {
        let outcome = read(
            geometry(), node: "<node id='in'>\(asset(0.5))<translate sid='t'>4 0 0</translate>\(Mesh.instance)</node>")
        #expect(outcome.codes == [.assetNestedUnit])
        let box = SceneBounds(of: outcome.scene).box
        #expect(box == Bounds(min: [2, 0, 0], max: [2.5, 0, 1]))
        let inner = outcome.scene.nodes.firstIndex { $0.id == "in" } ?? 0
        #expect(outcome.scene.nodes[inner].transforms == [.translate([4, 0, 0])])
        #expect(outcome.scene.nodes[inner].role.isElement)
        let census = SceneCensus(of: outcome.scene)
        #expect(census.nodes == 2)
        #expect(census.depth == 2)
    }

    @Test func aLibraryNodeOfAnotherUnitIsConvertedWhereItIsInstanced() {
        let outcome = read(
            geometry(), node: "<instance_node url='#far'/><instance_node url='#far'/>",
            others:
                "<library_nodes>\(asset(0.01, .y))<node id='far'><translate>0 100 0</translate></node></library_nodes>")
        let far = outcome.scene.nodes.firstIndex { $0.id == "far" } ?? 0
        let worlds = PoseEvaluator(scene: outcome.scene, channels: []).worlds(in: outcome.scene)
        #expect(worlds[far]?.transform(point: .zero) == [0, 0, 1])
        // One converting node serves both.
        #expect(outcome.scene.nodes.count == 3)
        #expect(SceneCensus(of: outcome.scene).nodes == 3)
    }

    @Test func aVisualSceneInAnotherAxisIsTurnedAtItsRootsWithItsMeshes() {
        let outcome = read(
            geometry(), node: "<translate>0 5 0</translate>" + Mesh.instance, document: asset(1, .z),
            scene: asset(nil, .y))
        // The node stands 5 up, and the mesh lies on its plane: what is 2 along z there lies along −y here.
        #expect(SceneBounds(of: outcome.scene).box == Bounds(min: [0, -2, 5], max: [1, 0, 5]))
        #expect(outcome.scene.upAxis == .z)
    }

    @Test func whatTheDocumentLeavesOpenItsVisualSceneMaySay() {
        let outcome = read(geometry(), document: "<asset><unit meter='0.5'/></asset>", scene: asset(nil, .z))
        #expect(outcome.scene.upAxis == .z)
        #expect(outcome.scene.nodes.count == 1)
        #expect(size(outcome) == [0.5, 0, 1])
        #expect(outcome.codes == [.assetUpAxisMissing])
        #expect(outcome.first(.assetUpAxisMissing)?.message.contains("visual scene") == true)
    }

    @Test func aSkinsMeshOfAnotherUnitIsTakenIntoTheSkins() {
        let controller =
            "<library_controllers><controller id='c'><skin source='#g'><bind_shape_matrix>1 0 0 10 0 1 0 0 0 0 1 0 0 0 0 1</bind_shape_matrix></skin></controller></library_controllers>"
        let outcome = read(
            geometry(asset(0.5)), node: "<instance_controller url='#c'/>", others: controller)
        #expect(SceneBounds(of: outcome.scene).box == Bounds(min: [10, 0, 0], max: [10.5, 0, 1]))
    }

    @Test func aCamerasPlanesAreGivenInTheScenesUnit() {
        let camera =
            "<library_cameras>\(asset(0.5, .y))<camera id='c'><optics><technique_common><perspective><yfov>45</yfov><znear>1</znear><zfar>100</zfar></perspective></technique_common></optics></camera><camera id='d'><optics><technique_common><orthographic><xmag>4</xmag></orthographic></technique_common></optics></camera></library_cameras>"
        let outcome = read(geometry(), node: "<instance_camera url='#c'/>", others: camera)
        #expect(outcome.scene.cameras[0].near == 0.5)
        #expect(outcome.scene.cameras[0].far == 50)
        #expect(outcome.scene.cameras[0].projection == .perspective(xfov: nil, yfov: 45))
        #expect(outcome.scene.cameras[1].projection == .orthographic(xmag: 2, ymag: nil))
        #expect(outcome.scene.nodes[0].instances == [.camera(SceneIndex(0))])
        #expect(outcome.scene.nodes.count == 1)
    }

    /// As the conformance suite's cases of cameras with an asset: one with z up looks along y.
    @Test func aCameraWithAnotherAxisUpLooksAlongItsHorizon() {
        let camera =
            "<library_cameras><camera id='c'>ASSET<optics><technique_common><perspective><yfov>45</yfov></perspective></technique_common></optics></camera></library_cameras>"
        func view(_ axis: Scene.UpAxis, in document: Scene.UpAxis) -> SIMD3<Double>? {
            let outcome = read(
                geometry(),
                node:
                    "<translate>12 2 -2</translate><rotate>0 1 0 90</rotate><rotate>1 0 0 -90</rotate><instance_camera url='#c'/>",
                document: asset(1, document), others: camera.replacing("ASSET", with: asset(nil, axis)))
            var view: SIMD3<Double>?
            PoseEvaluator(scene: outcome.scene, channels: []).forEachPlacement(in: outcome.scene) { node, matrix in
                guard !outcome.scene.nodes[node].instances.isEmpty else { return }
                view = matrix.transform(point: [0, 0, -1]) - matrix.transform(point: .zero)
            }
            return view
        }
        #expect(view(.z, in: .y) == [-1, 0, 0])
        #expect(view(.y, in: .y) == [0, -1, 0])
        #expect(view(.y, in: .z) == [0, -1, 0])
        #expect(view(.z, in: .z) == [0, -1, 0])
    }

    // MARK: - What an asset reaches

    private static let suite = Bounds(min: [0, -95, -150], max: [100, 130, -50])

    /// The pyramid of the conformance suite, which stands in the same place whatever it is written in.
    @Test(arguments: ["scene", "node"], ["1.4", "1.5"])
    func whatIsInstancedBelowAnAssetIsInItsUnitAndAxis(owner: String, version: String) {
        let centimetres = "-50 -75 0 0 -75 50 50 -75 0 0 -75 -50 0 150 0"
        let upright = "-50 0 -75 0 -50 -75 50 0 -75 0 50 -75 0 0 150"
        func tens(_ text: String) -> String {
            text.split(separator: " ").map { "\((Double($0) ?? 0) / 1000)" }.joined(separator: " ")
        }
        func box(_ positions: String, _ place: String, _ own: String) -> Bounds? {
            var document = version == "1.5" ? Document.version15 : Document()
            document.asset = asset(0.01, .y)
            document.node = nil
            let mesh =
                "<mesh>\(Mesh.source("pos", positions, count: 15, accessor: "<accessor source='#pos-array' count='5' stride='3'><param name='X'/><param name='Y'/><param name='Z'/></accessor>"))\(Mesh.vertices)<triangles count='2'>\(Mesh.input)<p>0 1 4 2 3 4</p></triangles></mesh>"
            document.body =
                "<library_geometries><geometry id='g'>\(mesh)</geometry></library_geometries><library_nodes><node id='far'>\(Mesh.instance)</node></library_nodes>"
                + "<library_visual_scenes><visual_scene id='vs'>\(owner == "scene" ? own : "")<node id='n'>\(owner == "node" ? own : "")<translate>\(place)</translate><node><instance_node url='#far'/></node></node></visual_scene></library_visual_scenes><scene><instance_visual_scene url='#vs'/></scene>"
            let outcome = Outcome(document.text)
            #expect(outcome.failure == nil && outcome.scene.metersPerUnit == 0.01 && outcome.scene.upAxis == .y)
            return SceneBounds(of: outcome.scene).box
        }
        func isSuites(_ box: Bounds?) -> Bool {
            guard let box else { return false }
            let (low, high) = (box.min - Self.suite.min, box.max - Self.suite.max)
            return [low.x, low.y, low.z, high.x, high.y, high.z].allSatisfy { abs($0) < 1e-9 }
        }
        #expect(isSuites(box(centimetres, "50 -20 -100", "")))
        #expect(isSuites(box(tens(centimetres), "0.05 -0.02 -0.1", asset(10))))
        #expect(isSuites(box(upright, "50 100 -20", asset(nil, .z))))
        #expect(isSuites(box(tens(upright), "0.05 0.1 -0.02", asset(10, .z))))
    }

    @Test func whatHasAnAssetOfItsOwnKeepsItWhereverItIsInstanced() {
        let outcome = read(
            geometry(asset(0.5)), node: "\(asset(0.25, .z))<node><instance_node url='#far'/></node>",
            library: "",
            others: "<library_nodes><node id='far'><translate>4 0 0</translate>\(Mesh.instance)</node></library_nodes>")
        // The node's steps are of a quarter of a metre, the mesh is of half of one.
        #expect(SceneBounds(of: outcome.scene).box == Bounds(min: [1, 0, 0], max: [1.5, 0, 1]))
    }

    @Test func aNodeInstancedInTwoSystemsHasThatOfTheFirst() {
        let outcome = read(
            geometry(),
            node:
                "<node>\(asset(0.5))<instance_node url='#far'/></node><node>\(asset(0.25))<instance_node url='#far'/></node>",
            others: "<library_nodes><node id='far'>\(Mesh.instance)</node></library_nodes>")
        #expect(SceneBounds(of: outcome.scene).box?.size == [0.5, 0, 1])
    }

    @Test func anotherDocumentsUnitAndAxisAreConverted() throws {
        let shelf = DocumentShelf([
            "main.dae": Document(asset: asset(1, .z), node: "<instance_geometry url='lib.dae#g'/>").text,
            "lib.dae": Document(
                asset: asset(0.0254, .y), body: "<library_geometries>\(geometry())</library_geometries>", node: nil
            ).text,
        ])
        let (scene, _, findings) = try shelf.scene(of: "main.dae")
        #expect(SceneBounds(of: scene).box?.size == [0.0254, 0.0508, 0])
        #expect(findings.map(\.code) == [.assetNestedUnit])
        #expect(findings.first?.severity == .info)
        #expect(findings.first?.place.entry == "lib.dae")
    }

    @Test func aConvertedSceneHasItsSizeStill() {
        let outcome = read(geometry(asset(0.25)), document: asset(0.5, .z))
        let converted = outcome.scene.converted(toMeters: 0.01, up: .y)
        #expect(SceneBounds(of: outcome.scene).box?.size == [0.5, 0, 1])
        #expect(SceneBounds(of: converted).box?.size == [25, 50, 0])
        #expect(converted.converted(toMeters: 0.5, up: .z) == outcome.scene)
    }

    @Test func manyAssetsTakeLinearTime() {
        let count = 20_000
        let many = (0..<count).map { geometry(asset($0 % 2 == 0 ? 0.5 : 1), id: "g\($0)") }.joined()
        let instances = (0..<count).map { "<instance_geometry url='#g\($0)'/>" }.joined()
        let outcome = read(many, node: instances)
        #expect(outcome.failure == nil)
        #expect(SceneCensus(of: outcome.scene).instances == count)
        #expect(SceneBounds(of: outcome.scene).box?.size == [1, 0, 2])
        #expect(outcome.findings.count { $0.code == .assetNestedUnit } == 100)
    }

    @Test func deeplyNestedAssetsAreFollowed() {
        var node = Mesh.instance
        for level in 0..<100 {
            node = "<node>\(asset(level % 2 == 0 ? 0.5 : 1))<translate>1 0 0</translate>\(node)</node>"
        }
        let outcome = read(geometry(), node: node)
        #expect(outcome.failure == nil)
        // Fifty steps of one metre and fifty of half of one; the mesh is in the unit of the node that shows it.
        #expect(SceneBounds(of: outcome.scene).box == Bounds(min: [75, 0, 0], max: [75.5, 0, 1]))
    }

    // MARK: - The rest of an asset

    @Test func anAssetOf15HasMailAndPlace() {
        var document = Document.version15
        document.asset =
            "<asset><contributor><author>A</author><author_email>a@b.example</author_email><author_website>http://b.example</author_website></contributor><coverage><geographic_location><longitude>-105.2830</longitude><latitude>40.0170</latitude><altitude mode='absolute'>1609</altitude></geographic_location></coverage><unit meter='1'/><up_axis>Z_UP</up_axis></asset>"
        let outcome = Outcome(document.text)
        #expect(outcome.findings.isEmpty, "\(outcome.findings)")
        let asset = outcome.document.asset
        #expect(asset?.contributors.first?.authorEmail == "a@b.example")
        #expect(asset?.contributors.first?.authorWebsite == "http://b.example")
        #expect(asset?.location?.longitude == -105.283)
        #expect(asset?.location?.latitude == 40.017)
        #expect(asset?.location?.altitude == 1609)
        #expect(asset?.location?.altitudeMode == .absolute)
        document.asset = document.asset.replacing("absolute", with: "high").replacing("1609", with: "x")
        let odd = Outcome(document.text)
        #expect(Set(odd.codes) == [.schemaInvalidEnum, .schemaInvalidNumber])
        #expect(odd.document.asset?.location?.altitudeMode == .relativeToGround)
        #expect(odd.document.asset?.location?.altitude == 0)
    }
}
