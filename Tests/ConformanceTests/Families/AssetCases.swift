import Daedalus
import Testing

@Suite(.enabled(if: ConformanceSuite.isHere, ConformanceSuite.absence))
struct AssetCases {
    @Test(arguments: assetFamily.joined()) func unitsAxesAndLibraries(_ row: ConformanceCase) throws {
        try row.run()
    }
}

private let asset = "collada/asset"
private let libraries = "collada/choices_of_libraries"
/// Sides of 2 m about the middle.
private let cube: [Double] = [-1, -1, -1, 1, 1, 1]
/// The square of the unit cases: sides of 1.5 m.
private let square = [-0.75, -0.75, 0.75, 0.75, 0.75, 0.75]
/// The pyramid of the axis cases stands 225 inches high along y.
private let pyramid = [-1.27, -1.905, -1.27, 1.27, 3.81, 1.27]
private let turnedCube = [-0.75, -0.75, -0.853553, 0.75, 0.75, 0.853553]

let assetFamily: ConformanceFamily = [
    // MARK: Units and axes
    both("\(asset)/_reference/_reference_unit", "a unit is a metre") {
        #expect($0.scene.metersPerUnit == 1)
        $0.expectDrawn(triangles: 2, box: square)
    },
    both("\(asset)/unit/decimeter", "a unit is a decimetre: ten times the numbers, the same size") {
        #expect($0.scene.metersPerUnit == 0.1 && $0.inspection.document.unitName == "decimeter")
        expect($0.inspection.scene.bounds?.size.list, [15, 15, 0])
        expect($0.inspection.scene.sizeInMeters?.list, [1.5, 1.5, 0])
        $0.expectDrawn(triangles: 2, box: square)
    },
    both("\(asset)/_reference/_reference_up_axis", "y is up; a unit is an inch") {
        #expect($0.scene.upAxis == .y)
        expect($0.scene.metersPerUnit, 0.0254)
        $0.expectDrawn(triangles: 6, box: pyramid)
    },
    only("\(asset)/up_axis/x_up", "x is up and −y to the right: the same pyramid") {
        #expect($0.scene.upAxis == .x)
        expect($0.inspection.scene.bounds?.max.list, [150, 50, 50])
        $0.expectDrawn(triangles: 6, box: pyramid)
    },

    // MARK: Who made it
    both("\(asset)/contributor/no_contributor", "an asset alone, without a contributor") {
        #expect($0.document.asset?.contributors.isEmpty == true && $0.document.scene == nil)
        #expect($0.document.asset?.title == "0710" && $0.scene.nodes.isEmpty)
    },
    both("\(asset)/modified", "when it was made and changed") {
        #expect($0.document.asset?.created == "2007-05-07T19:42:16Z")
        #expect($0.document.asset?.modified == "2007-05-07T19:42:16Z")
        #expect($0.document.asset?.contributors.count == 1)
    },
    only("1_5/\(asset)/coverage/geographic_location/relativeToGround", "a document with a place on Earth") {
        #expect($0.document.version == "1.5.0")
        $0.expectDrawn(triangles: 12, box: turnedCube)
    },

    // MARK: Order and number of libraries
    both("\(libraries)/cube/order1", "libraries in the usual order") {
        $0.expectDrawn(triangles: 12, box: cube)
        #expect($0.cameras.count == 1 && $0.lights.count == 1)
    },
    only("\(libraries)/cube/order7", "the cameras come after the scenes that instance them") {
        $0.expectDrawn(triangles: 12, box: cube)
        expect($0.cameras.first?.position.list, [0, 0, 4])
    },
    both("\(libraries)/_reference/_reference_lights", "three lights in one library") {
        expect($0.lights.flatMap(\.color.list), [1, 1, 1, 0, 1, 0, 0, 0, 1])
    },
    both("\(libraries)/multiple/library_lights", "three libraries of one light each") {
        expect($0.lights.flatMap(\.color.list), [1, 1, 1, 0, 1, 0, 0, 0, 1])
        #expect($0.inspection.counts.lights == 3)
    },
    only("collada/scene/multi_visualscene_instantiate_1", "of three visual scenes the second is shown") {
        #expect($0.inspection.counts.visualScenes == 3 && $0.scene.id == "VisualSceneNode2")
        $0.expectDrawn(triangles: 4, box: [-0.75, -0.75, 0, 0.75, 0.75, 0])
    },
    only("collada/scene/_reference/_reference_hexagon", "the hexagon alone") {
        $0.expectDrawn(triangles: 4, box: [-0.75, -0.75, 0, 0.75, 0.75, 0])
    },

    // MARK: Library nodes
    both(
        "collada/library_nodes/node/1inst2inLN",
        "only the node that is instanced is in the scene, not the one beside it"
    ) {
        #expect($0.inspection.scene.nodes == 4)
        $0.expectDrawn(triangles: 1, box: [0, -0.5, 0.5, 1, 0.5, 0.5])
    },
    both("collada/library_nodes/node/0_reference/_reference_2insts", "both nodes baked into the scene") {
        $0.expectDrawn(triangles: 3, box: [-1, -0.5, 0.5, 1, 0.5, 0.5])
    },
    both("collada/library_nodes/node/0_reference/_reference_empty_scene", "a scene that draws nothing") {
        #expect($0.flat().triangles.isEmpty && $0.inspection.scene.bounds == nil && $0.inspection.scene.nodes == 2)
    },

    // MARK: Ids
    both("xml/id/_reference/_reference_id", "ids of letters") {
        $0.expectDrawn(triangles: 1, box: [-0.5, -0.5, 0.5, 0.5, 0.5, 0.5])
    },
    both("xml/id/id_with_period", "ids with a period: `#triangle.Shape` is an id, not a member") {
        #expect($0.scene.geometries.first?.id == "triangle.Shape" && $0.scene.materials.first?.id == "lambert.1")
        $0.expectDrawn(triangles: 1, box: [-0.5, -0.5, 0.5, 0.5, 0.5, 0.5])
    },

    // MARK: What exporters wrote
    only("Core/DOMParserTestCases/cube_in_2insts_Maya_NetAllied.dae", "a cube of 1 m below a node that holds it alone")
    {
        $0.expectDrawn(triangles: 12, box: turnedCube)
        #expect($0.inspection.scene.depth == 2 && $0.scene.metersPerUnit == 1)
    },
    only("Core/DOMParserTestCases/cube_out_LNVS_Maya_NetAllied.dae", "the same below a node called nodes") {
        $0.expectDrawn(triangles: 12, box: turnedCube)
        try #expect($0.node("nodes").value >= 0)
    },
    only(
        "Core/DOMParserTestCases/multi_visualscene.dae", "a camera with a pivot: turned by −18° about a point before it"
    ) {
        $0.expectDrawn(triangles: 12, box: [-0.03, -0.03, -0.03, 0.03, 0.03, 0.03])
        expect($0.cameras.first?.numbers, [54.432105, 37.8492, 0.0001, 10])
        // The pivot's own place is where the turn leaves it.
        expect($0.cameras.first?.direction.list, [0, -0.309017, -0.951057])
    },
    only("Core/DOMParserTestCases/node_lookat_maya.dae", "lookats baked into rotations by Maya") {
        $0.expectDrawn(triangles: 12, box: turnedCube)
    },
    only("Core/DOMParserTestCases/node_lookat_pc_1.dae", "lookats baked by 3ds Max, z up and in inches: the same cube")
    {
        #expect($0.scene.upAxis == .z)
        $0.expectDrawn(triangles: 12, box: turnedCube)
    },
    only("scripts/unitTest/step2/up_axis.dae", "a cube with sides of 2 m, y up") {
        #expect($0.scene.upAxis == .y)
        $0.expectDrawn(triangles: 12, box: cube)
    },
]
