import Testing

@testable import DaeScene

@Suite struct AnimationPoseTests {
    private func node(_ transforms: [Transform], children: [Int] = []) -> Node {
        Node(
            id: nil, name: nil, sid: nil, kind: .node, transforms: transforms,
            children: children.map { .init($0) }
        )
    }

    /// A root that moves and turns, an arm below it, and one hand that hangs on both; a lone node beside them.
    private var scene: Scene {
        var scene = Scene()
        scene.nodes = [
            node([.translate([1, 0, 0]), .rotate(axis: [0, 0, 1], degrees: 0)], children: [1, 2]),
            node([.translate([0, 5, 0])], children: [2]), node([.scale([2, 2, 2])]), node([]),
        ]
        scene.roots = [.init(0)]
        return scene
    }

    private func channel(_ node: Int, _ at: Int, _ member: AnimationMember, _ from: Double, _ to: Double)
        -> AnimationChannel
    {
        AnimationChannel(
            target: .transform(.init(node), at: at, member),
            curve: AnimationCurve(times: [0, 2], values: [from, to], width: 1, interpolations: .all(.linear)))
    }

    @Test func movedNodesFollowTheirChannelsAndOthersStay() {
        var pose = PoseEvaluator(
            scene: scene,
            channels: [
                channel(0, 0, .named(.y), 0, 8), channel(0, 1, .named(.angle), 0, 180), channel(0, 0, .index(2), 1, 3),
            ])
        #expect(pose.locals == scene.nodes.map(\.matrix))
        pose.move(to: 1)
        #expect(pose.locals[0].transform(point: .zero) == [1, 4, 2])
        #expect(pose.locals[0].transform(point: [1, 0, 0]) == [1, 5, 2])
        #expect(Array(pose.locals.dropFirst()) == scene.nodes.dropFirst().map(\.matrix))
        pose.move(to: 0)
        #expect(pose.locals[0].transform(point: .zero) == [1, 0, 1])
        #expect(pose.misfits.isEmpty)
    }

    @Test func worldsAreThoseOfEveryPlacement() {
        var pose = PoseEvaluator(scene: scene, channels: [channel(1, 0, .named(.x), 0, 4)])
        pose.move(to: 1)
        var places: [(Int, SIMD3<Double>)] = []
        pose.forEachPlacement(in: scene) { places.append(($0.value, $1.transform(point: [1, 1, 1]))) }
        #expect(places.map(\.0) == [0, 1, 2, 2])
        #expect(places.map(\.1) == [[2, 1, 1], [4, 6, 1], [5, 7, 2], [3, 2, 2]])
        let worlds = pose.worlds(in: scene)
        #expect(worlds.map { $0?.transform(point: [1, 1, 1]) } == [[2, 1, 1], [4, 6, 1], [5, 7, 2], nil])
    }

    @Test func aDeepDiamondIsWalkedOnce() {
        var scene = Scene()
        scene.nodes = (0..<64).map { node([.translate([1, 0, 0])], children: $0 < 63 ? [$0 + 1, $0 + 1] : []) }
        scene.roots = [.init(0)]
        let worlds = PoseEvaluator(scene: scene, channels: []).worlds(in: scene)
        #expect(worlds.map { $0?.transform(point: .zero).x } == (1...64).map { Double($0) })
    }

    @Test func aLongChainNeedsNoStack() {
        var scene = Scene()
        scene.nodes = (0..<100_000).map { node([], children: $0 < 99_999 ? [$0 + 1] : []) }
        scene.roots = [.init(0)]
        #expect(PoseEvaluator(scene: scene, channels: []).worlds(in: scene).count { $0 != nil } == 100_000)
    }

    @Test func weightsAndParametersAreValues() {
        var scene = scene
        scene.lights = [Light(id: nil, name: nil, source: .point(.init()), color: [1, 1, 1])]
        scene.cameras = [
            Camera(id: nil, name: nil, projection: nil, aspectRatio: nil, near: nil, far: nil)
        ]
        let color = AnimationCurve(
            times: [0, 1], values: [0, 0, 0, 1, 0.5, 0.25], width: 3, interpolations: .all(.linear))
        let one = AnimationCurve(times: [0, 1], values: [10, 20], width: 1, interpolations: .all(.step))
        var pose = PoseEvaluator(
            scene: scene,
            channels: [
                .init(target: .light(.init(0), .color, .whole), curve: color), channel(0, 0, .named(.x), 0, 2),
                .init(target: .camera(.init(0), .xfov), curve: one),
                .init(target: .light(.init(0), .color, .named(.red)), curve: one),
            ])
        pose.move(to: 0.5)
        #expect(pose.values(ofChannel: 0) == [0.5, 0.25, 0.125])
        #expect(pose.values(ofChannel: 1) == nil)
        #expect(pose.values(ofChannel: 2) == [10])
        #expect(pose.values(ofChannel: 3) == [10])
        #expect(pose.values(ofChannel: 4) == nil)
        #expect(pose.values(ofChannel: -1) == nil)
        #expect(pose.locals[0].transform(point: .zero) == [0.5, 0, 0])
    }

    @Test func channelsThatFitNothingMoveNothing() {
        let wide = AnimationCurve(times: [0], values: [1, 2, 3], width: 3, interpolations: .all(.linear))
        let none = AnimationCurve(times: [], values: [], width: 1, interpolations: .all(.linear))
        let channels = [
            channel(9, 0, .named(.x), 0, 1), channel(-1, 0, .named(.x), 0, 1), channel(0, 2, .named(.x), 0, 1),
            channel(0, -1, .named(.x), 0, 1), channel(0, 0, .named(.angle), 0, 1), channel(0, 0, .whole, 0, 1),
            AnimationChannel(target: .transform(.init(0), at: 0, .named(.x)), curve: wide),
            AnimationChannel(target: .transform(.init(0), at: 0, .named(.x)), curve: none),
            AnimationChannel(target: .morphWeight(.init(0), at: 0), curve: wide),
            AnimationChannel(target: .material(.init(0), .path("x"), .whole), curve: wide),
            AnimationChannel(target: .camera(.init(0), .znear), curve: wide),
            AnimationChannel(target: .light(.init(0), .falloffAngle, .whole), curve: wide),
        ]
        var pose = PoseEvaluator(scene: scene, channels: channels)
        #expect(pose.misfits == Array(channels.indices))
        pose.move(to: 1)
        #expect(pose.locals == scene.nodes.map(\.matrix))
    }

    @Test func aWholeMatrixIsMoved() {
        var scene = Scene()
        scene.nodes = [node([.matrix(.identity)])]
        scene.roots = [.init(0)]
        var end = Matrix4.identity.rows
        end[3] = 6
        end[0] = 3
        let curve = AnimationCurve(
            times: [0, 1], values: Matrix4.identity.rows + end, width: 16, interpolations: .all(.linear))
        var pose = PoseEvaluator(
            scene: scene, channels: [.init(target: .transform(.init(0), at: 0, .whole), curve: curve)])
        pose.move(to: 0.5)
        #expect(pose.locals[0].transform(point: [1, 1, 1]) == [5, 1, 1])
    }
}
