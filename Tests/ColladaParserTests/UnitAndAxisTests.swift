import ColladaParser
import Diagnostics
import SceneModel
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

    /// The node's transforms are in its own unit, and what it instances in the document's is not scaled with them.
    @Test func aNodesAssetCountsForItsTransformsAndNotForWhatItInstances() {
        let outcome = read(
            geometry(), node: "<node id='in'>\(asset(0.5))<translate sid='t'>4 0 0</translate>\(Mesh.instance)</node>")
        #expect(outcome.codes == [.assetNestedUnit])
        let box = SceneBounds(of: outcome.scene).box
        #expect(box == Bounds(min: [2, 0, 0], max: [3, 0, 2]))
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

    @Test func aVisualSceneInAnotherAxisIsTurnedAtItsRootsAndNothingElseIs() {
        let outcome = read(
            geometry(), node: "<translate>0 5 0</translate>" + Mesh.instance, document: asset(1, .z),
            scene: asset(nil, .y))
        // The node stands 5 up; the mesh, which is of the document, is not turned.
        #expect(SceneBounds(of: outcome.scene).box == Bounds(min: [0, 0, 5], max: [1, 0, 7]))
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
        // Fifty steps of one metre and fifty of half of one.
        #expect(SceneBounds(of: outcome.scene).box == Bounds(min: [75, 0, 0], max: [76, 0, 2]))
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
