import Daedalus
import Testing

@Suite(.enabled(if: ConformanceSuite.isHere, ConformanceSuite.absence))
struct AnimationCases {
    @Test(arguments: animationFamily.joined()) func curvesAndChannels(_ row: ConformanceCase) throws {
        try row.run()
    }
}

private let animation = "collada/library_animations/animation"
private let interpolation = animation + "/interpolation/animation_interpolation_"
private let others = "collada_other/library_animations/animation/interpolation/animation_interpolation_"
private let sampler = animation + "/sampler"

let animationFamily: ConformanceFamily = [
    // MARK: One interpolation
    only("\(interpolation)linear/animation_interpolation_linear.dae", "straight between three places") {
        try $0.expectPlaces(
            "prop", [0: [-50, -50, 0], 0.4: [-25, 0, 0], 0.8: [0, 50, 0], 1.65: [25, 0, 0], 2.5: [50, -50, 0]])
        try $0.expectPlaces("prop", [-1: [-50, -50, 0], 9: [50, -50, 0]])
    },
    only("\(interpolation)step/animation_interpolation_step.dae", "each of four places until the next key") {
        try $0.expectPlaces(
            "prop",
            [0.69: [-50, -50, 0], 0.7: [-25, 25, 0], 1.5: [-25, 25, 0], 1.7: [0, 50, 0], 2.6: [50, -50, 0]])
    },
    only(
        "\(interpolation)bezier/animation_interpolation_bezier.dae",
        "Bézier with tangents of no time, 1 1 0 and 0: told, and read as distances", finds: [.animationTangentLayout]
    ) {
        // (P0 + 3 (P0 + 1) + 3 P1 + P1) / 8 for x, likewise for y.
        try $0.expectPlaces(
            "prop", [0: [-50, -50, 0], 0.4: [-24.625, 0.375, 0], 0.8: [0, 50, 0], 2.5: [50, -50, 0]])
    },
    only(
        "\(interpolation)hermite/animation_interpolation_hermite.dae", "Hermite with tangents of no time",
        finds: [.animationTangentLayout]
    ) {
        // P0 / 2 + tangent / 8 + P1 / 2.
        try $0.expectPlaces(
            "prop", [0: [-50, -50, 0], 0.4: [-24.875, 0.125, 0], 0.8: [0, 50, 0], 2.5: [50, -50, 0]])
    },
    only(
        "\(others)cardinal/animation_interpolation_cardinal.dae",
        "cardinal: through the keys, at the middle one along the chord of its neighbours"
    ) {
        try $0.expectPlaces("prop", [0: [-50, -50, 0], 1.25: [0, 50, 0], 2.5: [50, -50, 0]])
        // The tangent is half of 100 0 0, in a segment of half the whole time.
        let before = try #require(try $0.place("prop", at: 1.2499)),
            after = try #require(try $0.place("prop", at: 1.2501))
        expect([(after[0] - before[0]) / 0.0002, (after[1] - before[1]) / 0.0002], [40, 0], within: 1e-2)
    },
    only(
        "\(others)bspline/animation_interpolation_bspline.dae",
        "B-spline: not through the middle key but a third of the way back"
    ) {
        // (P0 + 4 P1 + P2) / 6.
        try $0.expectPlaces("prop", [0: [-50, -50, 0], 1.25: [0, 100.0 / 6, 0], 2.5: [50, -50, 0]])
    },

    // MARK: Several in one curve
    only("\(sampler)/LinearBezier", "Bézier, then linear, then Bézier") {
        // The second place is symmetric; the third has its control points at 0, so that it rises as a cube.
        try $0.expectX([0.1: -25.4589, 0.25: -12.72945, 0.4374625: 1.25, 0.5833335: 15, 0.75: 20, 0.9166665: 25, 1: 30])
    },
    only("\(sampler)/LinearStep", "steps and straight lines") {
        try $0.expectX([0.1: -25.4589, 0.25: -12.72945, 0.4: 0, 0.5833335: 10, 0.9166665: 25, 1: 30])
    },
    only("\(sampler)/LinearStepBezier", "a step, curves, straight lines and curves again") {
        try $0.expectX([0.1: -25.4589, 0.25: -12.72945, 0.4: 0, 0.5833335: 10, 0.75: 20, 0.9166665: 25, 1: 30])
    },
    only("\(sampler)/SingleStepBezier", "one step, then curves") {
        try $0.expectX([0.1: -25.4589, 0.3333335: -12.72945, 0.6: 0, 0.8333335: 14.62685, 1: 29.2537])
    },
    only("\(sampler)/StepBezier", "steps and curves in turn") {
        try $0.expectX([0.1: -25.4589, 0.3333335: -12.72945, 0.6: 0, 0.8333335: 14.62685, 1: 29.2537])
    },

    // MARK: Channels
    only(
        "\(animation)/source/1animation", "an animation within another moves x; its tangents have no time",
        finds: [.animationTangentLayout]
    ) {
        #expect($0.inspection.counts.animations == 2 && $0.inspection.counts.animationChannels == 1)
        // Both keys are 0; the first leaves with 500: 3 × 500 / 8.
        try $0.expectPlaces("prop", [0: [0, 0, 0], 2.5: [187.5, 0, 0], 5: [0, 0, 0]])
    },
    only("\(animation)/anim/2anim/2anim_blessed.dae", "one sampler moves x and y", finds: [.animationTangentLayout]) {
        #expect($0.inspection.counts.animationChannels == 2)
        try $0.expectPlaces("prop", [0: [0, 0, 0], 2.5: [187.5, 187.5, 0], 5: [0, 0, 0]])
    },
    only(
        "\(animation)/channel/animation_channel_effect_ambient", "the green of an effect's ambient colour",
        finds: [.animationTangentLayout]
    ) {
        let channels = $0.scene.animations.flatMap(\.channels)
        guard case .material(let material, _, let member)? = channels.first?.target else {
            Issue.record("it moves no material: \(channels.map(\.target))")
            return
        }
        #expect($0.scene.materials[material].effectID == "shine1-fx" && member == .named(.green))
        var pose = PoseEvaluator(scene: $0.scene, channels: channels)
        pose.move(to: 2.5)
        // (0 + 3 × 1 + 3 × 1 + 1) / 8.
        expect(pose.values(ofChannel: 0).map(Array.init), [0.875])
    },
    only(
        "collada_other/library_animation_clips/animation_clips/clip_1_clip_1_instance_animation",
        "a clip of the second second of a turn by 360° in five", finds: [.animationTangentLayout]
    ) {
        let clip = try #require($0.scene.clips.first)
        #expect(clip.start == 1 && clip.end == 2 && clip.animations.map { $0.value } == [0])
        #expect($0.scene.animations.first?.id == "prop_rotateZ")
        // Half a turn at half of the time; the rest is 1198.15°.
        try expect($0.world("prop", at: 2.5).map { [$0[0], $0[4]] }, [-50, 0])
        try expect($0.world("prop", at: 0).map { [$0[0], $0[4]] }, [50, 0])
    },

    // MARK: What is beside
    only("\(animation)/_reference/_reference_unit", "straight from −20 to 20 by Bézier tangents of time and value") {
        try $0.expectX([0: -20, 0.25: -10, 0.5: 0, 1: 20])
        expect($0.box(at: 0.5), [-0.015, 0, -0.015, 0.015, 0.03, 0.015])
    },
]

extension ConformanceReading {
    /// Where a node is, by seconds, in the document's units and axes.
    fileprivate func expectPlaces(
        _ node: String, _ places: [Double: [Double]], sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        for (time, expected) in places.sorted(by: { $0.key < $1.key }) {
            let place = try place(node, at: time)
            expect(place, expected, "at \(time) s", sourceLocation: sourceLocation)
        }
    }

    /// How far the cube of the sampler cases is along x, by seconds.
    fileprivate func expectX(_ expected: [Double: Double], sourceLocation: SourceLocation = #_sourceLocation) throws {
        let rest = try place("pCube1") ?? []
        try expectPlaces("pCube1", expected.mapValues { [$0] + rest.dropFirst() }, sourceLocation: sourceLocation)
    }
}
