// COLLADA does not say whether the node of a skin's instance moves what the joints have posed. Most exporters put what the
// node does into the bind shape or the inverse bind matrices, and applied again it would count twice; others leave it to
// the node, and without it copies lie on one another. So the matrices are asked which of the two it is: DocC page
// Conversion.

import DaeDiagnostics
import DaeScene

/// Finds what carries instances of skins beside their joints.
struct SkinCarriers {
    private let scene: Scene
    /// Of nodes that the scene reaches, in the order of their first places: where each is in it, and the last below it.
    private var order: [Int32]
    private var ends: [Int32]
    private var parents: [Int32]
    private var worlds: [Int: Matrix4] = [:]
    /// Nodes and joints that may still be passed.
    private var steps: Int
    /// Whether there were more to pass than that.
    var isExhausted: Bool { steps < 0 }

    init(_ scene: Scene, stepLimit: Int) {
        self.scene = scene
        steps = max(stepLimit, scene.nodes.count * 8)
        order = [Int32](repeating: -1, count: scene.nodes.count)
        (ends, parents) = (order, order)
        number()
    }

    private mutating func number() {
        var stack = scene.roots.reversed().map { (node: $0.value, parent: -1) }
        var passed: [Int] = []
        while let (node, parent) = stack.popLast() {
            guard order[node] < 0 else { continue }
            order[node] = Int32(clamping: passed.count)
            ends[node] = order[node]
            parents[node] = Int32(clamping: parent)
            passed.append(node)
            for child in scene.nodes[node].children.reversed() { stack.append((child.value, node)) }
        }
        for node in passed.reversed() where parents[node] >= 0 {
            ends[Int(parents[node])] = max(ends[Int(parents[node])], ends[node])
        }
    }

    /// - Parameters:
    ///   - skin: Whose joints the skeleton has.
    ///   - inverseBinds: As the document has them.
    ///   - box: Of the mesh.
    mutating func carrier(
        of node: Int, _ skeleton: Skeleton, _ skin: Skin, _ inverseBinds: [Matrix4], around box: Bounds
    ) -> Skeleton.Carrier {
        steps -= skeleton.joints.count
        guard steps >= 0 else { return .none }
        let joints = skeleton.joints.map { joint in joint.flatMap { order[$0.value] < 0 ? nil : $0.value } }
        let places = joints.compactMap { $0.map { order[$0] } }
        guard order[node] >= 0, let first = places.min(), let last = places.max() else { return .none }
        var own = Matrix4.identity
        var next = Optional(node)
        while let around = next, !(order[around] <= first && last <= ends[around]) {
            steps -= 1
            guard steps >= 0 else { return .none }
            own = scene.nodes[around].matrix * own
            next = parents[around] < 0 ? nil : Int(parents[around])
        }
        let moved = ShapeDistance(box)
        guard moved.between(own, .identity) > moved.size * Self.tolerance else { return .none }
        guard let around = next.map({ world(of: $0) }) ?? .identity, let back = around.inverse,
            let posed = posed(joints, inverseBinds)
        else { return .none }
        let placed = around * own
        // What the joints make of the mesh at rest, and what the bind shape does: with the node's transforms in it, either
        // stands where the node has the mesh.
        let readings = [
            (shape: posed * skin.bindShape, place: placed, carrier: placed * back),
            (shape: skin.bindShape, place: placed, carrier: placed), (shape: skin.bindShape, place: own, carrier: own),
        ]
        let isBaked = readings.contains { shape, place, carrier in
            moved.between(shape, place) < moved.between(carrier * shape, place) / 2
        }
        return isBaked ? .none : .node(below: next.map { SceneIndex($0) })
    }

    /// A mesh that a node moves by less than this share of its size is not moved.
    private static let tolerance = 1e-5

    /// What the joints do to a bind shape at rest, on the whole: the mean of what each does.
    private mutating func posed(_ joints: [Int?], _ inverseBinds: [Matrix4]) -> Matrix4? {
        var sum = Matrix4(columns: (.zero, .zero, .zero, .zero))
        var count = 0.0
        for (place, joint) in joints.enumerated() {
            let inverse = place < inverseBinds.count ? inverseBinds[place] : .identity
            guard let joint, let world = world(of: joint), inverse.isFinite else { continue }
            let matrix = world * inverse
            sum.columns.0 += matrix.columns.0
            sum.columns.1 += matrix.columns.1
            sum.columns.2 += matrix.columns.2
            sum.columns.3 += matrix.columns.3
            count += 1
        }
        guard count > 0, sum.isFinite else { return nil }
        return Matrix4(
            columns: (sum.columns.0 / count, sum.columns.1 / count, sum.columns.2 / count, sum.columns.3 / count))
    }

    /// At the node's first place; `nil` where the limit is reached.
    private mutating func world(of node: Int) -> Matrix4? {
        var path: [Int] = []
        var next = Optional(node)
        var world = Matrix4.identity
        while let at = next {
            if let known = worlds[at] {
                world = known
                break
            }
            steps -= 1
            guard steps >= 0 else { return nil }
            path.append(at)
            next = parents[at] < 0 ? nil : Int(parents[at])
        }
        for at in path.reversed() {
            world = world * scene.nodes[at].matrix
            worlds[at] = world
        }
        return world
    }
}

/// How far apart two matrices take a mesh, by the corners of its box.
private struct ShapeDistance {
    private let corners: [SIMD3<Double>]
    let size: Double

    init(_ box: Bounds) {
        corners = (0..<8).map { corner in
            SIMD3(
                corner & 1 == 0 ? box.min.x : box.max.x, corner & 2 == 0 ? box.min.y : box.max.y,
                corner & 4 == 0 ? box.min.z : box.max.z)
        }
        size = box.size.max()
    }

    /// Of all corners together; no number where numbers are too large.
    func between(_ one: Matrix4, _ other: Matrix4) -> Double {
        corners.reduce(0) { sum, corner in
            let away = one.transform(point: corner) - other.transform(point: corner)
            return sum + (away * away).sum().squareRoot()
        }
    }
}
