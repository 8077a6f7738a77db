import DaeScene
import Testing

/// Skins and morphs at a time.
@Suite struct DeformerTests {
    /// A mesh of three points on the x axis: 0, 1 and 2.
    private static func scene() -> Scene {
        var scene = Scene()
        scene.geometries = [geometry([0, 0, 0, 1, 0, 0, 2, 0, 0])]
        return scene
    }

    private static func geometry(_ values: [Double]) -> Geometry {
        Geometry(
            id: nil, name: nil, measure: MeshMeasure(), positions: [],
            mesh: Mesh(
                streams: [
                    .init(
                        semantic: .position, values: NumberArray(values), offset: 0, stride: 3, lanes: [0, 1, 2],
                        count: values.count / 3)
                ], primitives: []))
    }

    private static func node(_ transforms: [Transform], children: [Int] = [], instances: [Instance] = []) -> Node {
        Node(
            id: nil, name: nil, sid: nil, kind: .node, transforms: transforms,
            children: children.map { SceneIndex($0) }, instances: instances)
    }

    private static func skin(
        joints: Int, counts: [Int32], indices: [Int32], weights: [Double], bindShape: Matrix4 = .identity,
        inverse: Matrix4 = .identity
    ) -> Controller.Kind {
        .skin(
            Skin(
                bindShape: bindShape, joints: (0..<joints).map { "j\($0)" },
                inverseBinds: Array(repeating: inverse, count: joints),
                influences: SkinInfluences(
                    counts: NumberArray(counts), indices: NumberArray(indices), stride: 2, jointOffset: 0,
                    weightOffset: 1,
                    weights: NumberList(NumberArray(weights)))))
    }

    private func positions(_ scene: Scene, channels: [AnimationChannel] = [], at time: Double = 0) throws -> [Double] {
        var pose = PoseEvaluator(scene: scene, channels: channels)
        pose.move(to: time)
        let deformer = Deformer(scene: scene, pose: pose)
        var found: [[Double]] = []
        pose.forEachPlacement(in: scene) { node, matrix in
            for instance in scene.nodes[node].instances {
                if let points = deformer.positions(of: instance, placedBy: matrix) { found.append(points) }
            }
        }
        #expect(found.count == 1)
        return try #require(found.first)
    }

    private static func instance(joints: [Int?]) -> Instance {
        .controller(
            SceneIndex(0), skeleton: Skeleton(roots: [], joints: joints.map { $0.map { SceneIndex($0) } }),
            materials: [])
    }

    @Test func aMeshStandsWhereItsNodeDoes() throws {
        var scene = Self.scene()
        scene.nodes = [Self.node([.translate([0, 5, 0])], instances: [.geometry(SceneIndex(0), materials: [])])]
        scene.roots = [SceneIndex(0)]
        #expect(try positions(scene) == [0, 5, 0, 1, 5, 0, 2, 5, 0])
    }

    /// Two joints, at y = 10 and y = 20; the instance's own node at z = 7 moves nothing but what has no joint.
    private static func bound(_ kind: Controller.Kind, joints: [Int?] = [1, 2]) -> Scene {
        var scene = scene()
        scene.controllers = [
            Controller(id: nil, name: nil, kind: kind, source: .geometry(SceneIndex(0)), base: SceneIndex(0))
        ]
        scene.nodes = [
            node([.translate([0, 0, 7])], instances: [instance(joints: joints)]), node([.translate([0, 10, 0])]),
            node([.translate([0, 20, 0])]),
        ]
        scene.roots = [SceneIndex(0), SceneIndex(1), SceneIndex(2)]
        return scene
    }

    @Test func jointsMoveWhatIsBoundToThem() throws {
        let kind = Self.skin(
            joints: 2, counts: [1, 1, 2], indices: [0, 0, 1, 0, 0, 1, 1, 2], weights: [1, 0.25, 0.75])
        #expect(try positions(Self.bound(kind)) == [0, 10, 0, 1, 20, 0, 2, 17.5, 0])
    }

    @Test func bindShapeComesBeforeTheInverseBindMatrixAndTheJoint() throws {
        let bindShape = try #require(Transform.scale([3, 3, 3]).matrix)
        let inverse = try #require(Transform.translate([100, 0, 0]).matrix)
        let kind = Self.skin(
            joints: 2, counts: [1, 1, 1], indices: [0, 0, 1, 0, -1, 0], weights: [1], bindShape: bindShape,
            inverse: inverse)
        #expect(try positions(Self.bound(kind)) == [100, 10, 0, 103, 20, 0, 6, 0, 7])
    }

    @Test func weightsAreTakenAsTheyAre() throws {
        let kind = Self.skin(joints: 2, counts: [1, 2, 1], indices: [0, 0, 0, 1, 1, 1, 1, 2], weights: [2, 0.25, 0])
        // Twice, half, and not at all: then the bind shape.
        #expect(try positions(Self.bound(kind)) == [0, 20, 0, 0.5, 7.5, 0, 2, 0, 7])
    }

    @Test func whatHasNoJointStaysInItsBindShape() throws {
        let kind = Self.skin(joints: 2, counts: [1, 0], indices: [1, 0], weights: [1])
        #expect(try positions(Self.bound(kind, joints: [1, nil])) == [0, 0, 7, 1, 0, 7, 2, 0, 7])
        #expect(try positions(Self.bound(kind, joints: [])) == [0, 0, 7, 1, 0, 7, 2, 0, 7])
        // More influences than vertices, and indices that lead nowhere.
        let wild = Self.skin(joints: 1, counts: [1, 1, 1, 5], indices: [9, 0, 0, 9, -2, 0, 0, 0], weights: [1])
        #expect(try positions(Self.bound(wild)) == [0, 0, 7, 1, 0, 7, 2, 0, 7])
    }

    @Test func jointsThatMoveMoveTheMesh() throws {
        let kind = Self.skin(joints: 2, counts: [1, 1, 1], indices: [0, 0, 1, 0, 0, 0], weights: [1])
        let curve = AnimationCurve(times: [0, 2], values: [10, 30], width: 1, interpolations: .all(.linear))
        let channel = AnimationChannel(target: .transform(SceneIndex(1), at: 0, .named(.y)), curve: curve)
        #expect(try positions(Self.bound(kind), channels: [channel], at: 1) == [0, 20, 0, 1, 20, 0, 2, 20, 0])
    }

    // MARK: - Morphs

    private static func morph(_ method: Morph.Method, weights: [Double]) -> Controller.Kind {
        .morph(
            Morph(
                method: method, targets: [.init(reference: "t", geometry: SceneIndex(1))], weights: weights))
    }

    private static func morphed(_ controllers: [Controller], joints: [Int?]) -> Scene {
        var scene = scene()
        scene.geometries.append(geometry([0, 0, 1, 0, 0, 1, 0, 0, 1]))
        scene.controllers = controllers
        scene.nodes = [
            node([.translate([0, 0, 7])], instances: [instance(joints: joints)]), node([.translate([0, 10, 0])]),
        ]
        scene.roots = [SceneIndex(0), SceneIndex(1)]
        return scene
    }

    private static func controller(_ kind: Controller.Kind, on source: Controller.Source) -> Controller {
        Controller(id: nil, name: nil, kind: kind, source: source, base: SceneIndex(0))
    }

    @Test func weightsOfAMorphMoveInTime() throws {
        let scene = Self.morphed(
            [Self.controller(Self.morph(.relative, weights: [0.5]), on: .geometry(SceneIndex(0)))], joints: [])
        #expect(try positions(scene) == [0, 0, 7.5, 1, 0, 7.5, 2, 0, 7.5])
        let curve = AnimationCurve(times: [0, 1], values: [0, 1], width: 1, interpolations: .all(.linear))
        let channel = AnimationChannel(target: .morphWeight(SceneIndex(0), at: 0), curve: curve)
        #expect(try positions(scene, channels: [channel], at: 0.25) == [0, 0, 7.25, 1, 0, 7.25, 2, 0, 7.25])
        var pose = PoseEvaluator(scene: scene, channels: [channel])
        pose.move(to: 0.75)
        #expect(pose.morphWeights(of: SceneIndex(0)) == [0.75])
        #expect(pose.morphWeights(of: SceneIndex(9)) == [])
    }

    @Test func aSkinMayStandOnAMorph() throws {
        let skin = Self.skin(joints: 1, counts: [1, 1, 1], indices: [0, 0, 0, 0, 0, 0], weights: [1])
        let scene = Self.morphed(
            [
                Self.controller(skin, on: .controller(SceneIndex(1))),
                Self.controller(Self.morph(.normalized, weights: [0.5]), on: .geometry(SceneIndex(0))),
            ], joints: [1])
        #expect(try positions(scene) == [0, 10, 0.5, 0.5, 10, 0.5, 1, 10, 0.5])
    }

    @Test func aMorphMayStandOnASkin() throws {
        let skin = Self.skin(joints: 1, counts: [1, 1, 1], indices: [0, 0, 0, 0, 0, 0], weights: [1])
        let scene = Self.morphed(
            [
                Self.controller(Self.morph(.relative, weights: [0.5]), on: .controller(SceneIndex(1))),
                Self.controller(skin, on: .geometry(SceneIndex(0))),
            ], joints: [1])
        // The skin's joints alone place it; the target is laid on in the instance's own space.
        #expect(try positions(scene) == [0, 10, 0.5, 1, 10, 0.5, 2, 10, 0.5])
    }

    @Test func aChainThatIsACycleEnds() {
        var scene = Self.scene()
        scene.controllers = [
            Self.controller(Self.morph(.relative, weights: []), on: .controller(SceneIndex(1))),
            Self.controller(Self.morph(.relative, weights: []), on: .controller(SceneIndex(0))),
        ]
        #expect(scene.chain(from: SceneIndex(0)) == [SceneIndex(0), SceneIndex(1)])
        #expect(scene.skin(of: SceneIndex(0)) == nil)
    }

    @Test func aMatrixAndItsInverseCancelOut() throws {
        let matrix =
            try #require(Transform.rotate(axis: [1, 2, 3], degrees: 40).matrix)
            * #require(Transform.scale([2, 3, 5]).matrix) * #require(Transform.translate([7, 8, 9]).matrix)
        let inverse = try #require(matrix.inverse)
        let product = (matrix * inverse).rows
        for (value, expected) in zip(product, Matrix4.identity.rows) { #expect(abs(value - expected) < 1e-12) }
        let flat = try #require(Transform.scale([1, 0, 1]).matrix)
        #expect(flat.inverse == nil)
    }
}
