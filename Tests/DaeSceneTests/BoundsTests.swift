import DaeScene
import TestSupport
import Testing

@Suite struct BoundsTests {
    private func drawing(_ geometry: Int) -> Instance { .geometry(SceneIndex(geometry), materials: []) }

    @Test func aBoxGrowsByPointsAndBoxes() {
        var box = Bounds([1, 2, 3])
        #expect(box.size == .zero)
        box.formUnion([-1, 5, 3])
        box.formUnion(Bounds(min: [0, 0, 0], max: [0, 0, 9]))
        #expect(box == Bounds(min: [-1, 0, 0], max: [1, 5, 9]))
        #expect(box.size == [2, 5, 9])
    }

    @Test func aMovedBoxHoldsItsCorners() throws {
        let quarter = try #require(Transform.rotate(axis: [0, 0, 1], degrees: 90).matrix)
        #expect(
            Bounds(min: [1, 2, 3], max: [4, 6, 8]).transformed(by: quarter)
                == Bounds(min: [-6, 1, 3], max: [-2, 4, 8]))
        let mirror = try #require(Transform.scale([-2, 1, 0]).matrix)
        #expect(
            Bounds(min: [1, 2, 3], max: [4, 6, 8]).transformed(by: mirror) == Bounds(min: [-8, 2, 0], max: [-2, 6, 0]))
    }

    @Test func onlyMatricesOfOneEntryARowKeepBoxes() throws {
        #expect(Matrix4.identity.keepsBoxes)
        #expect(Transform.translate([1, 2, 3]).matrix?.keepsBoxes == true)
        #expect(Transform.scale([0, 2, -3]).matrix?.keepsBoxes == true)
        #expect(Transform.rotate(axis: [0, 0, 1], degrees: 30).matrix?.keepsBoxes == false)
        #expect(Transform.skew(degrees: 10, from: [0, 1, 0], along: [1, 0, 0]).matrix?.keepsBoxes == false)
    }

    /// A box of a turned box is too large; the box of the turned points is not.
    @Test func aTurnedMeshIsBoundedByItsPoints() throws {
        var scene = Scene()
        scene.geometries = [.points([[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0]])]
        let turn = try #require(Transform.rotate(axis: [0, 0, 1], degrees: 45).matrix)
        scene.nodes = [.of(instances: [drawing(0)], matrix: turn)]
        scene.roots = [SceneIndex(0)]
        let bounds = SceneBounds(of: scene)
        let half = 0.5.squareRoot()
        #expect(bounds.isExact)
        #expect(
            bounds.box.map { ($0.max - SIMD3(half, half, 0)).isSmall && ($0.min + SIMD3(half, half, 0)).isSmall }
                == true)
    }

    @Test func whatIsNotReachedOrDrawsNothingDoesNotCount() {
        var scene = Scene()
        scene.geometries = [.box(), .points([])]
        scene.cameras = [Camera(id: nil, name: nil, projection: nil, aspectRatio: nil, near: nil, far: nil)]
        scene.nodes = [.of(instances: [drawing(0)]), .of(instances: [drawing(1), .camera(SceneIndex(0))])]
        scene.roots = [SceneIndex(1)]
        #expect(SceneBounds(of: scene).box == nil)
        #expect(SceneBounds(of: Scene()).box == nil)
    }

    @Test func aSkinIsBoundedAtItsBindShapeUnderItsNode() throws {
        var scene = Scene()
        scene.geometries = [.box()]
        let bindShape = try #require(Transform.scale([2, 2, 2]).matrix)
        scene.controllers = [
            .skin(over: 0, bindShape: bindShape),
            Controller(id: nil, name: nil, kind: nil, source: nil, base: nil),
        ]
        let move = try #require(Transform.translate([10, 0, 0]).matrix)
        scene.nodes = [
            .of(
                instances: [
                    .controller(SceneIndex(0), skeleton: .none, materials: []),
                    .controller(SceneIndex(1), skeleton: .none, materials: []),
                ],
                matrix: move)
        ]
        scene.roots = [SceneIndex(0)]
        #expect(SceneBounds(of: scene).box == Bounds(min: [10, 0, 0], max: [12, 2, 2]))
    }

    @Test(arguments: [Double.nan, .infinity, 1e308])
    func anInstanceThatIsNowhereFiniteCostsOnlyItself(factor: Double) throws {
        var scene = Scene()
        scene.geometries = [.points([[0, 0, 0], [1e10, 1e10, 1e10]]), .box()]
        let broken = try #require(Transform.scale(SIMD3(repeating: factor)).matrix)
        scene.nodes = [.of(instances: [drawing(0)], matrix: broken), .of(instances: [drawing(1)])]
        scene.roots = [SceneIndex(0), SceneIndex(1)]
        let bounds = SceneBounds(of: scene)
        #expect(bounds.box == Bounds(min: .zero, max: [1, 1, 1]))
        #expect(!bounds.isExact)
    }

    /// Every point of every instance moved by the product of the matrices above it, in another order of work.
    @Test func randomScenesAreBoundedExactly() throws {
        var random = SeededNumbers(seed: 11)
        for round in 0..<300 {
            let scene = try randomScene(&random)
            var points: [SIMD3<Double>] = []
            for root in scene.roots { unfold(root.value, scene, [], into: &points) }
            let bounds = SceneBounds(of: scene)
            #expect(bounds.isExact)
            guard let first = points.first else {
                #expect(bounds.box == nil)
                continue
            }
            var expected = Bounds(first)
            for point in points { expected.formUnion(point) }
            let box = try #require(bounds.box)
            #expect((box.min - expected.min).isSmall && (box.max - expected.max).isSmall, "scene \(round)")
        }
    }

    /// What lies within the box so far is not looked at point by point; alone, each instance is.
    @Test func aSceneIsBoundedAsTheUnionOfItsInstances() throws {
        var random = SeededNumbers(seed: 23)
        for round in 0..<300 {
            var scene = Scene()
            scene.geometries = (0..<3).map { _ in
                .points((0..<Int.random(in: 0...6, using: &random)).map { _ in .random(in: -5...5, using: &random) })
            }
            for index in 0..<12 {
                var matrix = try randomMatrix(&random)
                switch Int.random(in: 0..<12, using: &random) {
                case 0: matrix.columns.0.x = .infinity
                case 1: matrix.columns.1.z = .nan
                case 2: matrix = try #require(Transform.scale([1e308, 0, -1e308]).matrix) * matrix
                default: break  // numbers
                }
                scene.nodes.append(.of(instances: [drawing(Int.random(in: 0..<3, using: &random))], matrix: matrix))
                scene.roots.append(SceneIndex(index))
            }
            var expected: Bounds?
            var isExact = true
            for root in scene.roots {
                var part = scene
                part.roots = [root]
                let bounds = SceneBounds(of: part)
                isExact = isExact && bounds.isExact
                guard let box = bounds.box else { continue }
                if expected == nil { expected = box } else { expected?.formUnion(box) }
            }
            let bounds = SceneBounds(of: scene)
            #expect(bounds.box == expected, "scene \(round)")
            #expect(bounds.isExact == isExact, "scene \(round)")
        }
    }

    private func randomScene(_ random: inout SeededNumbers) throws -> Scene {
        var scene = Scene()
        scene.geometries = (0..<3).map { _ in
            .points((0..<Int.random(in: 0...6, using: &random)).map { _ in .random(in: -5...5, using: &random) })
        }
        scene.controllers = [
            .skin(over: 2, bindShape: try randomMatrix(&random))
        ]
        for index in 0..<Int.random(in: 1...8, using: &random) {
            let children =
                index == 0
                ? []
                : (0..<Int.random(in: 0...3, using: &random)).map { _ in Int.random(in: 0..<index, using: &random) }
            var instances: [Instance] = []
            if Bool.random(using: &random) { instances.append(drawing(Int.random(in: 0..<3, using: &random))) }
            if Int.random(in: 0..<4, using: &random) == 0 {
                instances.append(.controller(SceneIndex(0), skeleton: .none, materials: []))
            }
            scene.nodes.append(.of(children: children, instances: instances, matrix: try randomMatrix(&random)))
        }
        scene.roots = [SceneIndex(scene.nodes.count - 1), SceneIndex(0)]
        return scene
    }

    private func randomMatrix(_ random: inout SeededNumbers) throws -> Matrix4 {
        let vector = SIMD3<Double>.random(in: -2...2, using: &random)
        let transform: Transform =
            switch Int.random(in: 0..<5, using: &random) {
            case 0: .translate(vector)
            case 1: .scale(vector)
            case 2: .rotate(axis: vector, degrees: .random(in: -180...180, using: &random))
            case 3: .rotate(axis: [0, 1, 0], degrees: 90)
            default: .skew(degrees: 20, from: [0, 1, 0], along: [1, 0, 0])  // numbers
            }
        return try #require(transform.matrix)
    }

    private func unfold(_ node: Int, _ scene: Scene, _ above: [Matrix4], into points: inout [SIMD3<Double>]) {
        let matrices = above + [scene.nodes[node].matrix]
        for instance in scene.nodes[node].instances {
            guard let (geometry, first) = scene.drawn(by: instance) else { continue }
            let flat = scene.geometries[geometry].positions
            for start in stride(from: 0, to: flat.count, by: 3) {
                var point = first.transform(point: [flat[start], flat[start + 1], flat[start + 2]])
                for matrix in matrices.reversed() { point = matrix.transform(point: point) }
                points.append(point)
            }
        }
        for child in scene.nodes[node].children { unfold(child.value, scene, matrices, into: &points) }
    }

    // MARK: - Hidden nodes

    /// What an exporter hid is not drawn, nor is what is below it.
    @Test func whatIsHiddenDoesNotCount() throws {
        let away = try #require(Transform.translate([100, 0, 0]).matrix)
        let skinned = Instance.controller(SceneIndex(0), skeleton: .none, materials: [])
        for shown in [drawing(0), skinned] {
            var scene = Scene()
            scene.geometries = [.box()]
            scene.controllers = [.skin(over: 0)]
            scene.nodes = [
                .of(instances: [drawing(0)]), .of(children: [2], matrix: away), .of(instances: [shown]),
            ]
            scene.roots = [SceneIndex(0), SceneIndex(1)]
            #expect(SceneBounds(of: scene).box == Bounds(min: .zero, max: [101, 1, 1]))
            scene.nodes[1].isHidden = true
            #expect(SceneBounds(of: scene).box == Bounds(min: .zero, max: [1, 1, 1]))
            // A channel shows it sooner or later.
            scene.nodes[1].id = "h"
            scene.animations = [Animation(id: nil, name: nil, channels: [], children: [])]
            scene.animations[0].unresolvedTargets = ["h/visibility"]
            #expect(SceneBounds(of: scene).box == Bounds(min: .zero, max: [101, 1, 1]))
        }
    }

    /// Chains of controllers are looked at once, and each of their links counts for each instance.
    @Test func instancesOfLongChainsAreBounded() {
        func scene(_ links: Int, _ instances: Int) -> Scene {
            var scene = Scene()
            scene.geometries = [.box()]
            scene.controllers = (0..<links).map { link in
                Controller(
                    id: nil, name: nil, kind: .morph(Morph(method: .relative, targets: [], weights: [])),
                    source: link == 0 ? .geometry(SceneIndex(0)) : .controller(SceneIndex(link - 1)),
                    base: SceneIndex(0))
            }
            let top = Instance.controller(SceneIndex(links - 1), skeleton: .none, materials: [])
            scene.nodes = [.of(instances: [Instance](repeating: top, count: instances))]
            scene.roots = [SceneIndex(0)]
            return scene
        }
        let (few, many) = (SceneBounds(of: scene(3, 100)), SceneBounds(of: scene(2000, 2000)))
        #expect(few.isExact && !many.isExact)
        #expect(few.box == Bounds(min: .zero, max: [1, 1, 1]) && many.box == few.box)
    }
}

extension SIMD3<Double> {
    var isSmall: Bool { abs(x) < 1e-7 && abs(y) < 1e-7 && abs(z) < 1e-7 }
}
