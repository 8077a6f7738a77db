/// The box around everything a scene draws.
public struct SceneBounds: Sendable, Equatable {
    /// In the document's units and axes; `nil` when nothing is drawn.
    public private(set) var box: Bounds?
    /// Whether the box touches what is in it on every side; else it may be larger, or lack what is nowhere finite.
    public private(set) var isExact = true  // a fact about the box

    /// Points that are moved one by one before boxes are moved instead.
    private static let pointLimit = 1 << 30

    /// - Parameter scene: Its unfolded nodes and instances must have been counted and found few enough to walk
    ///   (``SceneCensus``).
    /// - Complexity: nodes and drawn instances reached plus positions of each instance that is turned.
    public init(of scene: Scene) {
        // What draws nothing, as a camera, is in no count and must not be walked each time.
        let drawing = DrawingNodes(of: scene)
        var points = 0
        var stack = scene.roots.reversed().map { (node: $0.value, matrix: Matrix4.identity) }
        while let (index, parent) = stack.popLast() {
            guard drawing.contains(index) else { continue }
            let matrix = parent * scene.nodes[index].matrix
            if let places = drawing.places(in: index) {
                for place in places { add(place, in: index, of: scene, under: matrix, &points) }
            } else {
                for place in scene.nodes[index].instances.indices {
                    add(place, in: index, of: scene, under: matrix, &points)
                }
            }
            for child in scene.nodes[index].children.reversed() { stack.append((child.value, matrix)) }
        }
    }

    /// Adds what an instance of a node draws.
    private mutating func add(
        _ place: Int, in index: Int, of scene: Scene, under matrix: Matrix4, _ points: inout Int
    ) {
        // By index: an instance taken out of its list would be copied, with all it binds.
        switch scene.nodes[index].instances[place] {
        case .geometry(let geometry, materials: _): add(geometry.value, of: scene, under: matrix, &points)
        case .controller, .camera, .light:
            guard let (geometry, bindShape) = scene.drawn(by: scene.nodes[index].instances[place]) else { return }
            add(geometry.value, of: scene, under: matrix * bindShape, &points)
        }
    }

    private mutating func add(_ index: Int, of scene: Scene, under matrix: Matrix4, _ points: inout Int) {
        // By index: a geometry taken out of its list would be copied, with all it holds.
        guard let own = scene.geometries[index].measure.bounds else { return }
        let moved: Bounds
        if matrix.keepsBoxes {
            moved = own.transformed(by: matrix)
        } else {
            let (given, stored) = (scene.geometries[index].positions, scene.geometries[index].storedPositions)
            points = points.addingSaturated(given.count / 3 + (stored?.count ?? 0))
            var exact = PointBox()
            let isKnown = points <= Self.pointLimit && exact.add(given, stored, under: matrix)
            if !isKnown { isExact = false }
            moved = (isKnown ? exact.bounds : nil) ?? own.transformed(by: matrix)
        }
        // Huge coordinates may overflow, and a matrix may hold what is no number: such a box says nothing.
        guard moved.min.isFinite, moved.max.isFinite else {
            isExact = false
            return
        }
        box =
            box.map { old in
                var union = old
                union.formUnion(moved)
                return union
            } ?? moved
    }
}

/// The box of points that are moved one by one.
private struct PointBox {
    private var low = SIMD3<Double>(repeating: .infinity)
    private var high = SIMD3<Double>(repeating: -.infinity)

    var bounds: Bounds? { low.x <= high.x ? Bounds(min: low, max: high) : nil }

    /// Says whether all positions could be read.
    mutating func add(_ positions: [Double], _ stored: StoredPositions?, under matrix: Matrix4) -> Bool {
        add(positions, under: matrix)
        guard let stored else { return true }
        return stored.forEachPiece { add($0, under: matrix) }
    }

    private mutating func add(_ positions: [Double], under matrix: Matrix4) {
        var at = 0
        while at + 2 < positions.count {
            let point = matrix.transform(point: SIMD3(positions[at], positions[at + 1], positions[at + 2]))
            // Not finite ones were reported when they were read.
            if point.isFinite {
                low = pointwiseMin(low, point)
                high = pointwiseMax(high, point)
            }
            at += 3
        }
    }
}

extension SIMD3<Double> {
    var isFinite: Bool { x.isFinite && y.isFinite && z.isFinite }
}

/// What has to be walked to see everything that is drawn.
private struct DrawingNodes {
    /// For each node, whether it or anything below draws a mesh.
    private var draws: [Bool]
    /// Of each node with instances that draw nothing, the places of those that do; few nodes have such.
    private var places: [Int: [Int]] = [:]

    init(of scene: Scene) {
        draws = [Bool](repeating: false, count: scene.nodes.count)
        for index in scene.nodesChildrenFirst {
            let all = scene.nodes[index].instances.indices
            let drawing = all.count { scene.geometry(drawnBy: scene.nodes[index].instances[$0]) != nil }
            if drawing < all.count {
                places[index] = all.filter { scene.geometry(drawnBy: scene.nodes[index].instances[$0]) != nil }
            }
            draws[index] = drawing > 0 || scene.nodes[index].children.contains { draws[$0.value] }
        }
    }

    func contains(_ node: Int) -> Bool { draws[node] }

    /// `nil` where all of a node's instances draw.
    func places(in node: Int) -> [Int]? { places.isEmpty ? nil : places[node] }
}
