import DaeScene
import Testing

@Suite struct SceneConversionTests {
    /// A box from the origin, 1 × 2 × 3 units along the document's x, y and z, below a node that moves it.
    private func scene(_ system: CoordinateSystem) -> Scene {
        var scene = Scene()
        scene.metersPerUnit = system.metersPerUnit
        scene.upAxis = system.upAxis
        var measure = MeshMeasure()
        measure.bounds = Bounds(min: .zero, max: [1, 2, 3])
        scene.geometries = [Geometry(id: "g", name: nil, measure: measure, positions: [0, 0, 0, 1, 2, 3])]
        scene.nodes = [
            Node(
                id: "n", name: nil, sid: nil, kind: .node, transforms: [.translate([10, 0, 0])],
                instances: [.geometry(SceneIndex(0), materials: [])])
        ]
        scene.roots = [SceneIndex(0)]
        return scene
    }

    /// The point 1 2 3 of one axis in another; COLLADA's table of right, up and inward.
    private static let turns: [(Scene.UpAxis, Scene.UpAxis, [Double])] = [
        (.x, .x, [1, 2, 3]), (.y, .y, [1, 2, 3]), (.z, .z, [1, 2, 3]), (.x, .y, [-2, 1, 3]), (.y, .x, [2, -1, 3]),
        (.z, .y, [1, 3, -2]), (.y, .z, [1, -3, 2]), (.x, .z, [-2, -3, 1]), (.z, .x, [3, -1, -2]),
    ]

    @Test(arguments: turns.indices)
    func pointsTurnAsTheSpecificationSays(index: Int) {
        let (from, to, expected) = Self.turns[index]
        let source = CoordinateSystem(upAxis: from)
        let target = CoordinateSystem(upAxis: to)
        let moved = source.conversion(to: target).transform(point: [1, 2, 3])
        #expect([moved.x, moved.y, moved.z] == expected)
        #expect(source.conversion(to: target) * target.conversion(to: source) == .identity)
        let scaled = CoordinateSystem(metersPerUnit: 0.5, upAxis: from)
            .conversion(to: CoordinateSystem(metersPerUnit: 0.125, upAxis: to)).transform(point: [1, 2, 3])
        #expect([scaled.x, scaled.y, scaled.z] == expected.map { $0 * 4 })
    }

    @Test func aSceneInItsOwnSystemIsItself() {
        let scene = scene(CoordinateSystem(metersPerUnit: 0.0254, upAxis: .z))
        #expect(scene.converted(toMeters: 0.0254, up: .z) == scene)
    }

    @Test func theBoxKeepsItsSizeInMetersAndTheNodesTheirNumbers() {
        let inches = scene(CoordinateSystem(metersPerUnit: 0.0254, upAxis: .z))
        let metres = inches.converted(toMeters: 1, up: .y)
        #expect(metres.metersPerUnit == 1)
        #expect(metres.upAxis == .y)
        #expect(metres.nodes[0] == inches.nodes[0])
        #expect(metres.geometries == inches.geometries)
        let box = SceneBounds(of: metres).box
        #expect(box?.min == [10 * 0.0254, 0, -2 * 0.0254])
        #expect(box?.max == [11 * 0.0254, 3 * 0.0254, 0])
        #expect(SceneBounds(of: metres).isExact)
    }

    @Test func theRootThatConvertsIsNoNodeOfTheDocument() {
        let converted = scene(CoordinateSystem()).converted(toMeters: 0.01, up: .z)
        let census = SceneCensus(of: converted)
        #expect(census.nodes == 1)
        #expect(census.depth == 1)
        #expect(converted.nodes.count == 2)
        #expect(converted.nodes[1].role == .conversion(from: CoordinateSystem()))
        #expect(converted.nodes[0].role.isElement)
        #expect(
            PoseEvaluator(scene: converted, channels: []).worlds(in: converted)[0]?.transform(point: .zero) == [
                1000, 0, 0,
            ])
    }

    @Test(arguments: Scene.UpAxis.allCases)
    func thereAndBackAgainIsTheSameScene(axis: Scene.UpAxis) {
        let own = scene(CoordinateSystem(metersPerUnit: 0.3048, upAxis: axis))
        let there = own.converted(toMeters: 0.001, up: .z).converted(toMeters: 7, up: .x).converted(toMeters: 1, up: .y)
        #expect(there.nodes.count <= 2)
        #expect(there.converted(toMeters: 0.3048, up: axis) == own)
        // By way of others it is the same as at once.
        #expect(there == own.converted(toMeters: 1, up: .y))
    }

    @Test func aSceneWithoutNodesOnlyChangesItsWords() {
        let converted = Scene().converted(toMeters: 0.01, up: .x)
        #expect(converted.nodes.isEmpty)
        #expect(converted.roots.isEmpty)
        #expect(converted.coordinateSystem == CoordinateSystem(metersPerUnit: 0.01, upAxis: .x))
    }
}
