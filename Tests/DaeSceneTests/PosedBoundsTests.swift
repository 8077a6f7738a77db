import TestSupport
import Testing

@testable import DaeScene

/// Posing for bounds is work on each vertex and joint of each instance: only so much of it is done.
@Suite struct PosedBoundsTests {
    private func crowd(_ count: Int, joints: Int = 0) -> Scene {
        var scene = Scene()
        scene.geometries = [.points([[0, 0, 0], [1, 0, 0], [0, 1, 0]])]
        scene.controllers = [.skin(over: 0)]
        let skeleton = Skeleton(roots: [], joints: [SceneIndex<Node>?](repeating: nil, count: joints))
        for number in 0..<count {
            let place = Transform.translate([Double(number), 0, 0]).matrix ?? .identity
            scene.nodes.append(
                .of(
                    instances: [.controller(SceneIndex(0), skeleton: skeleton, materials: [])],
                    matrix: place))
            scene.roots.append(SceneIndex(number))
        }
        return scene
    }

    @Test func withinItsWorkEachIsPosed() {
        let bounds = PosedBounds(of: crowd(10), without: HiddenNodes(of: Scene()))
        #expect(bounds.isExact)
        #expect(bounds.box == Bounds(min: .zero, max: [10, 1, 0]))
    }

    /// The box is whole all the same, of boxes in place of points.
    @Test(arguments: [0, 5000]) func beyondItsWorkBoxesAreMoved(joints: Int) {
        let bounds = PosedBounds(of: crowd(40, joints: joints), without: HiddenNodes(of: Scene()), work: 4000)
        #expect(!bounds.isExact)
        #expect(bounds.box == Bounds(min: .zero, max: [40, 1, 0]))
    }

    @Test func moreInstancesThanAreEverPosedAreBounded() {
        let scene = crowd(1)
        var many = scene
        // A graph that unfolds to thousands of instances.
        for level in 1...14 {
            var node = many.nodes[level - 1]
            node.instances = []
            node.children = [SceneIndex(level - 1), SceneIndex(level - 1)]
            many.nodes.append(node)
        }
        many.roots = [SceneIndex(14)]
        let bounds = PosedBounds(of: many, without: HiddenNodes(of: many), work: 100_000)
        #expect(!bounds.isExact)
        #expect(bounds.box == Bounds(min: .zero, max: [1, 1, 0]))
    }
}
