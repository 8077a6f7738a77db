import Daedalus
import Testing

@Suite(.enabled(if: ConformanceSuite.isHere, ConformanceSuite.absence))
struct ControllerCases {
    @Test(arguments: controllerFamily.joined()) func skinsAndMorphs(_ row: ConformanceCase) throws { try row.run() }
}

private let morph = "collada/library_controllers/controller/morph"
private let skin = "collada/library_controllers/controller/skin"
private let node = "collada/library_visual_scenes/visual_scene/node"
/// Pyramids of 50 cm, their tops three quarters of the way from one metre below to one metre above.
private let normalized = [-0.75, -0.5, -0.75, 0.75, 1, 0.75]
private let relative = [-0.875, -0.3, -0.875, 0.875, 0.2, 0.875]
private let twoTriangles = [-1.1, -0.5, 0, 1.1, 0.5, 0]
private let morphs = [-1.1, -1.1, -0.5, 1.1, 1.1, 0.5]
/// The pipe of the skin cases, bent by four bones. Every vertex was moved by its bone, its inverse bind matrix and the
/// bind shape matrix, apart from this code.
private let oneInfluence = [-1.273856, -0.713295, -0.672433, 1.055436, 0.720642, 0.623703]
private let twoInfluences = [-1.334869, -0.812174, -0.493232, 1.05417, 0.488052, 0.792284]
private let unturned = [-1.073263, -1.52584, -0.54193, 0.433097, 0.512711, 1.143268]
private let turnAboutY: [Double] = [0, 0, 1, 0, 0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 0, 1]

let controllerFamily: ConformanceFamily = [
    // MARK: Morphs
    only("\(morph)/morph_one_target_normalized", "a quarter of the base and three of the target") {
        try $0.expectMorph("morph1", .normalized, weights: [0.75])
        $0.expectDrawn(triangles: 4, box: normalized)
    },
    both(
        "\(morph)/morph_one_target_normalized_no_primitive",
        "a target without a primitive has its positions all the same"
    ) {
        try $0.expectMorph("morph1", .normalized, weights: [0.75])
        $0.expectDrawn(triangles: 4, box: normalized)
    },
    only("\(morph)/morph_different_primitive", "the base's primitives count, whatever the target's are") {
        try $0.expectMorph("morph1", .normalized, weights: [0.75])
        $0.expectDrawn(triangles: 4, box: normalized)
    },
    both("\(morph)/_reference/_reference_morph_one_target_normalized", "the morphed pyramid as a mesh") {
        #expect($0.scene.controllers.isEmpty)
        $0.expectDrawn(triangles: 4, box: normalized)
    },
    only("\(morph)/morph_one_target_relative_no_primitive", "all of the base and three quarters of the target") {
        try $0.expectMorph("morph1", .relative, weights: [0.75])
        $0.expectDrawn(triangles: 4, box: relative)
    },
    only("\(morph)/_reference/_reference_morph_one_target_relative", "the same as a mesh") {
        $0.expectDrawn(triangles: 4, box: relative)
    },
    both("\(morph)/source/morph_targets", "ten targets, some of them several times") {
        try $0.expectMorph("morph1", .normalized, weights: [0.05, 0.1, 0.05, 0.1, 0.1, 0.1, 0.15, 0.05, 0.1, 0.15])
        $0.expectDrawn(triangles: 16, box: morphs)
        // The top of 25 below has a quarter of the weights, that of 25 above two fifths; the node doubles it.
        let tops = $0.flat().triangles.suffix(4).flatMap(\.corners).map(\.position.z)
        expect([tops.min() ?? .nan, tops.max() ?? .nan], [0, 0.075])
    },
    both("\(morph)/_reference/_reference_skin_on_morph", "what a skin on a morph draws, as a mesh of two squares") {
        $0.expectDrawn(triangles: 4, box: [-0.3, -0.6107211, -0.0072894, 1.150002, 0.6, 0])
    },
    both(
        "\(node)/instance_controller/Morph/different_material_same_morph", "one morph twice, each with its own material"
    ) {
        #expect($0.scene.controllers.count == 1)
        $0.expectDrawn(triangles: 2, box: twoTriangles)
        #expect(Set($0.flat().triangles.map(\.surface)).count == 2)
    },
    both("\(node)/_reference/_reference_different_material_same_morph", "two morphs of the same mesh and target") {
        #expect($0.scene.controllers.count == 2)
        $0.expectDrawn(triangles: 2, box: twoTriangles)
    },

    // MARK: Skins
    both("\(skin)/skin_1_influence", "a pipe of 1000 vertices on four bones, each vertex on one") {
        try $0.expectSkin(joints: 4, influences: 1, bindShape: turnAboutY)
        $0.expectDrawn(triangles: 2000, box: oneInfluence)
    },
    both("\(skin)/_reference/_reference_1_influence", "the bent pipe as a mesh") {
        $0.expectDrawn(triangles: 2000, box: oneInfluence)
    },
    only("\(skin)/skin_joints", "five bones, two for each vertex") {
        try $0.expectSkin(joints: 5, influences: 2, bindShape: turnAboutY)
        $0.expectDrawn(triangles: 2000, box: twoInfluences)
    },
    only("\(skin)/reference_2_influence", "the same as a mesh") {
        $0.expectDrawn(triangles: 2000, box: twoInfluences)
    },
    only("\(skin)/reference_5_influence", "a pipe bent by five bones for each vertex, as a mesh") {
        $0.expectDrawn(triangles: 2000, box: [-1.1943, -0.884557, -0.590856, 1.13616, 0.474899, 0.71917])
    },
    only("\(skin)/bind_shape_matrix/non_identity", "the bind shape matrix turns by a quarter about y before the bones")
    {
        try $0.expectSkin(joints: 4, influences: 1, bindShape: turnAboutY)
        $0.expectDrawn(triangles: 2000, box: oneInfluence)
    },
    only("\(skin)/bind_shape_matrix/identity", "the same document without that turn: another shape") {
        try $0.expectSkin(joints: 4, influences: 1, bindShape: Matrix4.identity.rows)
        $0.expectDrawn(triangles: 2000, box: unturned)
    },
]

extension ConformanceReading {
    fileprivate func expectMorph(
        _ id: String, _ method: Morph.Method, weights: [Double], sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let controller = try #require(scene.controllers.first { $0.id == id }, sourceLocation: sourceLocation)
        guard case .morph(let morph)? = controller.kind else {
            Issue.record("\(id) is no morph", sourceLocation: sourceLocation)
            return
        }
        #expect(morph.method == method, sourceLocation: sourceLocation)
        #expect(morph.targets.allSatisfy { $0.geometry != nil }, sourceLocation: sourceLocation)
        expect(morph.weights, weights, sourceLocation: sourceLocation)
    }

    /// The pipe's skin, whose bones are the joints from `joint1` down.
    fileprivate func expectSkin(
        joints: Int, influences: Int, bindShape: [Double], sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        guard case .skin(let skin)? = scene.controllers.first?.kind else {
            Issue.record("there is no skin", sourceLocation: sourceLocation)
            return
        }
        expect(skin.bindShape.rows, bindShape, sourceLocation: sourceLocation)
        #expect(skin.joints == (0..<joints).map { "bone\($0)" }, sourceLocation: sourceLocation)
        #expect(skin.inverseBinds.count == joints, sourceLocation: sourceLocation)
        expect(
            skin.inverseBinds.first?.rows, [1, 0, 0, 100, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1],
            sourceLocation: sourceLocation)
        #expect(
            skin.influences.counts.array == Array(repeating: Int32(influences), count: 1000),
            sourceLocation: sourceLocation)
        #expect(skin.influences.unnormalizedVertices(joints: joints) == 0, sourceLocation: sourceLocation)
        let instances = scene.nodes[try node("pasted__pPipe1")].instances
        guard case .controller(_, let skeleton, _)? = instances.first else {
            Issue.record("no instance of the skin", sourceLocation: sourceLocation)
            return
        }
        #expect(skeleton.roots.map(\.node) == [try node("joint1")], sourceLocation: sourceLocation)
        let bound = skeleton.joints.map { $0.flatMap { scene.nodes[$0].id } }
        #expect(bound == (1...joints).map { "joint\($0)" }, sourceLocation: sourceLocation)
    }
}
