import Daedalus
import Testing

@Suite(.enabled(if: ConformanceSuite.isHere, ConformanceSuite.absence))
struct VisualSceneCases {
    @Test(arguments: visualSceneFamily.joined()) func transformsAndInstances(_ row: ConformanceCase) throws {
        try row.run()
    }
}

private let folder = "collada/library_visual_scenes/visual_scene"
private let node = folder + "/node"
/// Of the cube with sides of 1 m, about its own middle.
private let cube: [Double] = [-0.5, -0.5, -0.5, 0.5, 0.5, 0.5]
/// The cube turned by 45° about z, then y, then x: its corners as cosines.
private let turnedCube = [-0.75, -0.75, -0.853553, 0.75, 0.75, 0.853553]

let visualSceneFamily: ConformanceFamily = [
    // MARK: Transforms
    both("\(node)/_reference/_reference_no_transform", "a node without transforms stands at the origin") {
        try expect($0.world("cube_node"), [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1])
        $0.expectDrawn(triangles: 12, box: cube)
    },
    only("\(node)/translate/node_translate_xy_cube", "translate by 30 30 0") {
        try expect($0.place("cube_node"), [30, 30, 0])
        expect($0.box(), [-0.2, -0.2, -0.5, 0.8, 0.8, 0.5])
    },
    both("\(node)/_reference/_reference_node_translate_xyz_cube", "the same place as by a matrix, baked into the mesh")
    {
        expect($0.box(), [0.5, 0.5, -2.5, 1.5, 1.5, -1.5])
    },
    both("\(node)/matrix/node_matrix_cube3", "a matrix is written row by row: its last column moves by 100 100 −200") {
        try expect($0.place("cube_node"), [100, 100, -200])
        expect($0.box(), [0.5, 0.5, -2.5, 1.5, 1.5, -1.5])
    },
    both("\(node)/rotate/node_r_yx_cube", "two rotations by 45°, the first about y the outer one") {
        let half = 0.5.squareRoot()
        try expect($0.world("cube_node"), [half, 0.5, 0.5, 0, 0, half, -half, 0, -half, 0.5, 0.5, 0, 0, 0, 0, 1])
    },
    both("\(node)/_reference/_reference_node_rotate_zyx_cube", "three rotations by 45° about z, y and x") {
        expect($0.box(), turnedCube)
    },
    both("\(node)/scale/node_scale_xy_cube", "scale by 2 3 1 works before the rotations above it") {
        let matrix = try #require(try $0.world("cube_node"))
        // The lengths of the columns are the scales.
        for (column, scale) in [2.0, 3, 1].enumerated() {
            expect(SIMD3(matrix[column], matrix[4 + column], matrix[8 + column]).length, scale)
        }
        #expect($0.scene.nodes[try $0.node("cube_node")].transforms.last == .scale(SIMD3(2, 3, 1)))
    },
    only("\(node)/skew/node_skew_cube", "skew by 45° from 1 1 0 along 0 0 1: z grows with the way along 1 1 0") {
        let slope = 0.5.squareRoot()
        try expect($0.world("cube_node"), [1, 0, 0, 0, 0, 1, 0, 0, slope, slope, 1, 0, 0, 0, 0, 1])
        expect($0.box(), [-0.5, -0.5, -0.5 - slope, 0.5, 0.5, 0.5 + slope])
    },
    both("\(node)/lookat/node_lookat4", "lookat from the origin to 1000 0 0: the node's −z is the world's x") {
        try expect($0.world("cube_node"), [0, 0, -1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1])
        expect($0.box(), [-0.75, -0.5, -0.5, 1.25, 0.5, 0.5])
    },
    both("\(node)/_reference/_reference_node_pyramid_rotate_y", "the pyramid of the lookat case, turned in its mesh") {
        expect($0.box(), [-0.75, -0.5, -0.5, 1.25, 0.5, 0.5])
    },
    only(
        "\(node)/transform_stack/node_transform_stack", "every kind of transform, several of each, in the file's order"
    ) {
        let transforms = $0.scene.nodes[try $0.node("cube_node")].transforms
        #expect(
            transforms.map(\.kindName).joined(separator: " ")
                == "lookat lookat translate translate rotate rotate matrix matrix scale scale skew")
        let sids = $0.document.nodes.first { $0.id == "cube_node" }?.transformSIDs
        #expect(sids == [nil, "lookat2", "translate1", nil, "rotateY", nil, nil, "matrix2", "scale1", nil, "skew1"])
        #expect(transforms[2] == .translate(SIMD3(0, 0, 100)))
        #expect(transforms[10] == .skew(degrees: 45, from: SIMD3(1, 1, 0), along: SIMD3(0, 0, 1)))
        try expect(
            $0.world("cube_node"),
            [
                0.872202, 0.850355, 0.284603, 45.012469, -1.87977, -1.938404, -2.608458, 45.006238,
                -0.470412, 0.86275, 0.382181, -99.750623, 0, 0, 0, 1,
            ])
    },
    only(
        "\(node)/transform_hierarchy",
        "six cylinders one upon the other, four times: each turned, moved and shrunk once more"
    ) {
        #expect($0.inspection.scene.nodes == 26 && $0.inspection.scene.depth == 6)
        try expect($0.place("pCylinder1"), [-67.4947, -21.7173, 67.6712])
        // 4 up, times the scale of 3, turned by 15.6917° about x.
        try expect($0.place("pCylinder2"), [-67.4947, -21.7173 + 11.55275, 67.6712 + 3.24553])
        let last = try #require(try $0.world("pCylinder6"))
        expect(SIMD3(last[0], last[4], last[8]).length, 3 * 0.59049)
    },

    // MARK: Instances
    both("\(node)/instance_node/instances_of_same_node", "one library node in four places") {
        #expect($0.inspection.scene.nodes == 10 && $0.document.nodes.count == 7)
        $0.expectDrawn(triangles: 8, box: [-0.853553, -0.853553, 0.25, 0.853553, 0.853553, 0.25])
    },
    both("\(node)/_reference/_reference_instances_of_same_node", "four nodes with the square of the case before") {
        #expect($0.inspection.scene.nodes == 6)
        $0.expectDrawn(triangles: 8, box: [-0.853553, -0.853553, 0.25, 0.853553, 0.853553, 0.25])
    },
    only("\(node)/instance_camera/10_instance_of_same_camera", "one camera in ten places, two of them the same") {
        #expect($0.scene.cameras.count == 1 && $0.cameras.count == 10)
        #expect(Set($0.cameras.map { $0.position }).count == 9)
        #expect($0.cameras.contains { abs(($0.position - SIMD3(0, 0, 4)).length) < 1e-9 })
        // A scaled node does not change what a camera sees.
        #expect($0.cameras.allSatisfy { abs($0.numbers[1] - 39.8873) < 1e-6 })
    },
    both("\(node)/instance_light/10_instance_of_same_pointlight", "one point light in ten places") {
        #expect($0.scene.lights.count == 1 && $0.lights.count == 10)
        #expect($0.lights.allSatisfy { $0.kind == "point" && $0.color == SIMD3(1, 1, 1) })
        expect($0.lights[0].position?.list, [0.0644786, -0.326863, 0.926335])
        expect($0.lights[1].position?.list, [0.0385454, 0.552539, 0.104715])
    },
    both("\(node)/layer/NodesWithoutId", "nodes with a layer and a name, and no id") {
        #expect($0.inspection.scene.nodes == 3)
        #expect($0.scene.nodes.map(\.name) == ["testCamera", "directionalLight1", "cube_node"])
        #expect($0.scene.nodes.allSatisfy { $0.id == nil })
        expect($0.box(), turnedCube)
    },
    both(
        "\(node)/instance_geometry/bind_material/instance_material/instance_material_cube",
        "a symbol bound to a material"
    ) {
        $0.expectDrawn(triangles: 2, box: [-0.75, -0.75, 0.75, 0.75, 0.75, 0.75])
        guard case .geometry(_, let bindings)? = $0.scene.nodes[try $0.node("cube_node")].instances.first else {
            Issue.record("no instance of a geometry")
            return
        }
        #expect(bindings.map(\.symbol) == ["lambert2SG"])
        #expect(bindings.first?.material.map { $0.value } == 0)
        #expect($0.scene.materials.first?.id == "lambert1")
    },
    both("\(node)/_reference/_reference_cube_no_material", "the same square without any material") {
        #expect(Set($0.flat().triangles.map(\.surface)) == [.unbound])
    },

    // MARK: Names
    only("\(folder)/id/id_dash", "an id with dashes") {
        #expect($0.scene.id == "This-is-a-test-id")
        try expect($0.place("Trans"), [100, 0, 0])
    },
    only("\(node)/id/id_period", "an id with periods; a turn by −211.4°") {
        try expect($0.place("This.is.a.test.id"), [100, 0, 0])
        try expect($0.world("This.is.a.test.id").map { [$0[0], $0[4]] }, [-0.853551, 0.521010])
    },
    only("\(node)/_reference/_reference_no_geometry", "nothing but a camera and a light") {
        #expect($0.flat().triangles.isEmpty && $0.cameras.count == 1 && $0.lights.count == 1)
    },
]

extension Transform {
    fileprivate var kindName: String {
        switch self {
        case .matrix: "matrix"
        case .translate: "translate"
        case .rotate: "rotate"
        case .scale: "scale"
        case .skew: "skew"
        case .lookat: "lookat"
        }
    }
}
