import DaeScene
import TestSupport
import Testing

@Suite struct CensusTests {
    @Test func instancesAreCountedEachTime() {
        var scene = Scene()
        scene.geometries = [.box(triangles: 12), .box(triangles: 2), .box(triangles: 100)]
        scene.materials = [.named("used"), .named("unused"), .named("unreached")]
        scene.controllers = [
            .skin(over: 1),
            Controller(id: nil, name: nil, kind: nil, source: nil, base: nil),
        ]
        let bound = [
            MaterialBinding(symbol: "s", material: SceneIndex(0)), MaterialBinding(symbol: "t", material: nil),
        ]
        scene.nodes = [
            .of(instances: [.geometry(SceneIndex(0), materials: bound)]),
            .of(children: [0, 0]),
            .of(
                children: [1, 0],
                instances: [
                    .controller(SceneIndex(0), skeleton: .none, materials: []),
                    .controller(SceneIndex(1), skeleton: .none, materials: []),
                ]),
            .of(instances: [
                .geometry(SceneIndex(2), materials: [MaterialBinding(symbol: "s", material: SceneIndex(2))])
            ]),
        ]
        scene.roots = [SceneIndex(2), SceneIndex(0)]
        let census = SceneCensus(of: scene)
        #expect(census.nodes == 6)
        #expect(census.depth == 3)
        #expect(census.instances == 5)
        #expect(census.triangles == 50)
        #expect(census.geometries == [SceneIndex(0), SceneIndex(1)])
        #expect(census.materials == [SceneIndex(0)])
    }

    @Test func anEmptySceneCountsNothing() {
        let census = SceneCensus(of: Scene())
        #expect(census.nodes == 0)
        #expect(census.depth == 0)
        #expect(census.geometries.isEmpty)
    }

    /// Each node has the next one twice: unfolded, 2^100 nodes.
    @Test func aGraphThatWouldUnfoldWithoutEndIsCountedToTheLimit() {
        var scene = Scene()
        scene.geometries = [.box(triangles: 12)]
        scene.nodes = (0..<100).map { .of(children: [$0 + 1, $0 + 1]) }
        scene.nodes.append(.of(instances: [.geometry(SceneIndex(0), materials: [])]))
        scene.roots = [SceneIndex(0)]
        let census = SceneCensus(of: scene)
        #expect(census.nodes == .max)
        #expect(census.instances == .max)
        #expect(census.triangles == .max)
        #expect(census.depth == 101)
    }

    @Test func aGraphBelowTheLimitIsCountedExactly() {
        var scene = Scene()
        scene.nodes = (0..<40).map { .of(children: [$0 + 1, $0 + 1]) } + [.of()]
        scene.roots = [SceneIndex(0)]
        #expect(SceneCensus(of: scene).nodes == (1 << 41) - 1)
    }

    @Test func aChainOfAHundredThousandNodesIsWalkedWithoutRecursion() {
        var scene = Scene()
        scene.geometries = [.box(triangles: 12)]
        scene.nodes = (0..<100_000).map { index in
            .of(
                children: index == 0 ? [] : [index - 1],
                instances: index == 0 ? [.geometry(SceneIndex(0), materials: [])] : [])
        }
        scene.roots = [SceneIndex(99_999)]
        let census = SceneCensus(of: scene)
        #expect(census.nodes == 100_000)
        #expect(census.depth == 100_000)
        #expect(SceneBounds(of: scene).box == Bounds(min: .zero, max: [1, 1, 1]))
    }

    @Test func aHundredThousandRootsAreCounted() {
        var scene = Scene()
        scene.nodes = Array(repeating: .of(), count: 100_000)
        scene.roots = (0..<100_000).map { SceneIndex($0) }
        #expect(SceneCensus(of: scene).nodes == 100_000)
        #expect(SceneCensus(of: scene).depth == 1)
    }
}

extension Node {
    static func of(children: [Int] = [], instances: [Instance] = [], matrix: Matrix4 = .identity) -> Node {
        Node(
            id: nil, name: nil, sid: nil, kind: .node, transforms: [.matrix(matrix)],
            children: children.map { SceneIndex($0) }, instances: instances)
    }
}

extension Material {
    static func named(_ name: String) -> Material {
        Material(id: name, name: name, effectID: nil, shading: nil)
    }
}

extension Geometry {
    /// The unit cube's corners.
    static func box(triangles: Int = 12) -> Geometry {
        var geometry = Geometry.points([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 1]])
        geometry.measure.triangles = triangles
        return geometry
    }

    static func points(_ points: [SIMD3<Double>]) -> Geometry {
        var measure = MeshMeasure()
        measure.positions = points.count
        for point in points {
            if measure.bounds == nil { measure.bounds = Bounds(point) } else { measure.bounds?.formUnion(point) }
        }
        return Geometry(
            id: nil, name: nil, measure: measure, positions: NumberArray(points.flatMap { [$0.x, $0.y, $0.z] }))
    }
}
