import DaeScene
import TestSupport

/// Where a `.glb` has the corners of what it draws, through nodes, skins and animations, in double precision.
struct PlayedGLB {
    private let file: GLTFFile
    private let checker: GLTFChecker

    /// `nil` for bytes that are no `.glb`.
    init?(_ checker: GLTFChecker) {
        guard let file = checker.file else { return nil }
        self.file = file
        self.checker = checker
    }

    /// The vertices of every mesh that is drawn, node after node in the order of the file.
    ///
    /// - Parameter time: Of the first animation; `nil` for the nodes at rest.
    func points(at time: Double? = nil) -> [SIMD3<Double>] {
        var worlds = file.worlds
        if let time, let animation = file.list("animations").first {
            worlds = GLTFPose(file, checker).worlds(animation, at: Float(time))
        }
        let nodes = file.list("nodes")
        return nodes.indices.flatMap { index -> [SIMD3<Double>] in
            guard let mesh = nodes[index]["mesh"]?.int else { return [] }
            let skin = nodes[index]["skin"]?.int.map { file.list("skins")[$0] }
            return (file.list("meshes")[mesh]["primitives"]?.elements ?? []).flatMap { primitive in
                points(of: primitive["attributes"], worlds[index], joints(of: skin, worlds))
            }
        }
    }

    /// From where a skin's mesh is written to the world, by joint.
    private func joints(of skin: JSONNode?, _ worlds: [Matrix4]) -> [Matrix4]? {
        guard let skin else { return nil }
        let inverse = skin["inverseBindMatrices"]?.int.flatMap { checker.accessors[$0] }
        return (skin["joints"]?.numbers ?? []).enumerated().map { place, joint in
            let row = inverse.map { Array($0.row(place)) } ?? []
            guard row.count == 16 else { return worlds[Int(joint)] }
            func column(_ index: Int) -> SIMD4<Double> { SIMD4(row[index * 4..<index * 4 + 4]) }
            return worlds[Int(joint)] * Matrix4(columns: (column(0), column(1), column(2), column(3)))
        }
    }

    private func points(of attributes: JSONNode?, _ world: Matrix4, _ joints: [Matrix4]?) -> [SIMD3<Double>] {
        func accessor(_ name: String) -> GLTFAccessor? {
            attributes?[name]?.int.flatMap { checker.accessors[$0] }
        }
        guard let positions = accessor("POSITION") else { return [] }
        let (bound, weights) = (accessor("JOINTS_0"), accessor("WEIGHTS_0"))
        return (0..<positions.count).map { index in
            let point = SIMD3(positions.row(index))
            guard let joints, let bound, let weights else { return world.transform(point: point) }
            return zip(bound.row(index), weights.row(index)).reduce(.zero) { sum, influence in
                influence.1 == 0 ? sum : sum + joints[Int(influence.0)].transform(point: point) * influence.1
            }
        }
    }

    /// The box around ``points(at:)``.
    func size(at time: Double? = nil) -> SIMD3<Double> {
        let points = points(at: time)
        guard let first = points.first else { return .zero }
        var box = Bounds(first)
        for point in points { box.formUnion(Bounds(point)) }
        return box.size
    }
}

extension Conversion {
    var played: PlayedGLB? { PlayedGLB(checker) }
}

extension SIMD3<Double> {
    func isNear(_ other: SIMD3<Double>, _ tolerance: Double = 1e-5) -> Bool {
        let distance = self - other
        return Swift.max(abs(distance.x), abs(distance.y), abs(distance.z)) <= tolerance
    }
}
