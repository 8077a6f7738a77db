import DaeScene
import Testing

/// Cameras, lights and clips at a time.
@Suite struct AnimationParameterTests {
    private static func curve(_ first: [Double], _ last: [Double]) -> AnimationCurve {
        AnimationCurve(times: [0, 2], values: first + last, width: first.count, interpolations: .all(.linear))
    }

    @Test func camerasAndLightsAreAsTheirChannelsHaveThem() {
        var scene = Scene()
        scene.cameras = [
            Camera(
                id: nil, name: nil, projection: .perspective(xfov: nil, yfov: 40), aspectRatio: 1, near: 1, far: 100)
        ]
        scene.lights = [
            Light(
                id: nil, name: nil, source: .spot(.init(constant: 1, linear: 2, quadratic: 3), .init(angle: 30)),
                color: [1, 1, 1])
        ]
        var pose = PoseEvaluator(
            scene: scene,
            channels: [
                .init(target: .camera(SceneIndex(0), .yfov), curve: Self.curve([40], [60])),
                .init(target: .camera(SceneIndex(0), .zfar), curve: Self.curve([100], [200])),
                .init(target: .light(SceneIndex(0), .color, .whole), curve: Self.curve([1, 1, 1], [0, 0, 0])),
                .init(target: .light(SceneIndex(0), .color, .named(.green)), curve: Self.curve([0], [1])),
                .init(target: .light(SceneIndex(0), .quadraticAttenuation, .whole), curve: Self.curve([3], [5])),
                .init(target: .light(SceneIndex(0), .falloffAngle, .whole), curve: Self.curve([30], [90])),
            ])
        pose.move(to: 1)
        let camera = pose.camera(SceneIndex(0), in: scene)
        #expect(camera.projection == .perspective(xfov: nil, yfov: 50))
        #expect(camera.far == 150 && camera.near == 1)
        let light = pose.light(SceneIndex(0), in: scene)
        #expect(light.source == .spot(.init(constant: 1, linear: 2, quadratic: 4), .init(angle: 60)))
        #expect(light.color.map { [$0.x, $0.y, $0.z] } == [0.5, 0.5, 0.5])
        #expect(pose.values(of: .camera(SceneIndex(0), .yfov)).map(Array.init) == [50])
        #expect(pose.values(of: .camera(SceneIndex(0), .xfov)) == nil)
    }

    @Test func aClipPlaysWhatIsWithinItsAnimationsOnce() {
        var scene = Scene()
        func channel(_ index: Int) -> AnimationChannel {
            .init(target: .camera(SceneIndex(index), .yfov), curve: Self.curve([0], [1]))
        }
        // 0 holds 1 and 2, 2 holds 3; 4 stands alone.
        scene.animations = [[1, 2], [], [3], [], []].enumerated().map { index, children in
            Animation(id: nil, name: nil, channels: [channel(index)], children: children.map { SceneIndex($0) })
        }
        let clip = AnimationClip(id: nil, name: nil, start: 0, end: 1, animations: [SceneIndex(0), SceneIndex(2)])
        #expect(scene.channels(of: clip).map(\.target) == [0, 1, 2, 3].map { .camera(SceneIndex($0), .yfov) })
        #expect(scene.channels.count == 5)
    }
}
