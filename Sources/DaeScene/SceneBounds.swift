// Every mesh has some, so the numbers are kept one by one: vectors would take a third more, and an alignment that makes
// all that holds them larger.

extension Dae {
    /// A box along the axes, in the units and axes of whatever it bounds. Never empty.
    public struct Bounds: Sendable, Equatable {
        private var low: Corner
        private var high: Corner

        private struct Corner: Equatable {
            let x, y, z: Double

            init(_ point: SIMD3<Double>) { (x, y, z) = (point.x, point.y, point.z) }

            var point: SIMD3<Double> { SIMD3(x, y, z) }
        }

        /// The box between two corners.
        public init(min: SIMD3<Double>, max: SIMD3<Double>) {
            low = Corner(min)
            high = Corner(max)
        }

        /// The least x, y and z.
        public var min: SIMD3<Double> {
            get { low.point }
            set { low = Corner(newValue) }
        }

        /// The greatest x, y and z.
        public var max: SIMD3<Double> {
            get { high.point }
            set { high = Corner(newValue) }
        }

        package init(_ point: SIMD3<Double>) {
            self.init(min: point, max: point)
        }

        /// Along x, y and z.
        public var size: SIMD3<Double> { max - min }

        package mutating func formUnion(_ other: Bounds) {
            min = pointwiseMin(min, other.min)
            max = pointwiseMax(max, other.max)
        }

        package mutating func formUnion(_ point: SIMD3<Double>) {
            formUnion(Bounds(point))
        }

        /// The box around the moved corners: exact for a matrix that keeps boxes, else at least as large as what is in it.
        package func transformed(by matrix: Matrix4) -> Bounds {
            var result: Bounds?
            for corner in 0..<8 {
                let point = matrix.transform(
                    point: SIMD3(
                        corner & 1 == 0 ? min.x : max.x, corner & 2 == 0 ? min.y : max.y,
                        corner & 4 == 0 ? min.z : max.z))
                result = result.map { $0.union(point) } ?? Bounds(point)
            }
            return result ?? self
        }

        private func union(_ point: SIMD3<Double>) -> Bounds {
            var copy = self
            copy.formUnion(point)
            return copy
        }
    }

    /// The box around everything a scene draws, as it is drawn at rest: of skins and morphs, what they make of their meshes.
    /// Nodes that their exporter hid (``Node/isHidden``) are not drawn, nor is what is below them.
    public struct SceneBounds: Sendable, Equatable {
        /// In the document's units and axes; `nil` when nothing is drawn.
        public private(set) var box: Bounds?
        /// Whether the box touches what is in it on every side; else it may be larger, or lack what is nowhere finite.
        public private(set) var isExact = true

        /// Points that are moved one by one before boxes are moved instead.
        private static let pointLimit = 1 << 30

        /// - Parameter scene: Its unfolded nodes and instances must have been counted and found few enough to walk.
        /// - Complexity: nodes and drawn instances reached plus positions of each instance that is turned and may reach out of
        ///   those before it, or that is deformed.
        public init(of scene: Scene) {
            // What draws nothing, as a camera, is in no count and must not be walked each time.
            let hidden = HiddenNodes(of: scene)
            let drawing = DrawingNodes(of: scene, without: hidden)
            let nodes = scene.nodes.span
            var points = 0
            var stack: [(node: Int, matrix: Matrix4)] = []
            for root in scene.roots.reversed() where drawing.contains(root.value) {
                stack.append((root.value, .identity))
            }
            while let (index, parent) = stack.popLast() {
                // The transforms alone: the node would be copied, with all that hangs on it.
                let matrix = parent * nodes[index].transformList.matrix
                if let places = drawing.places(in: index) {
                    for place in places { add(place, in: index, of: scene, under: matrix, &points) }
                } else {
                    for place in nodes[index].instances.indices {
                        add(place, in: index, of: scene, under: matrix, &points)
                    }
                }
                for place in nodes[index].children.indices.reversed() {
                    let child = nodes[index].children[place].value
                    if drawing.contains(child) { stack.append((child, matrix)) }
                }
            }
            guard scene.drawsDeformed else { return }
            let posed = PosedBounds(of: scene, without: hidden)
            if !posed.isExact { isExact = false }
            if let moved = posed.box { unite(moved) }
        }

        /// Adds what an instance of a node draws.
        private mutating func add(
            _ place: Int, in index: Int, of scene: Scene, under matrix: Matrix4, _ points: inout Int
        ) {
            // By index: an instance taken out of its list would be copied, with all it binds.
            switch scene.nodes[index].instances[place] {
            case .geometry(let geometry, materials: _): add(geometry.value, of: scene, under: matrix, &points)
            case .controller, .camera, .light: return
            }
        }

        private mutating func add(_ index: Int, of scene: Scene, under matrix: Matrix4, _ points: inout Int) {
            // By index: a geometry taken out of its list would be copied, with all it holds.
            guard let own = scene.geometries[index].measure.bounds else { return }
            // A mesh's box holds its points: where it adds nothing, they do not.
            if let box, box.holds(own, movedBy: matrix) { return }
            let moved: Bounds
            if matrix.keepsBoxes {
                moved = own.transformed(by: matrix)
            } else {
                let geometry = scene.geometries[index]
                points = points.addingSaturated(geometry.positions.count / 3)
                var exact = PointBox()
                let isKnown = points <= Self.pointLimit
                if isKnown { exact.add(geometry, under: matrix) } else { isExact = false }
                moved = (isKnown ? exact.bounds : nil) ?? own.transformed(by: matrix)
            }
            // Huge coordinates may overflow, and a matrix may hold what is no number: such a box says nothing.
            guard moved.min.isFinite, moved.max.isFinite else {
                isExact = false
                return
            }
            unite(moved)
        }

        private mutating func unite(_ other: Bounds) {
            if box == nil { box = other } else { box?.formUnion(other) }
        }
    }
}

/// The box of points that are moved one by one.
private struct PointBox {
    private var low = SIMD3<Double>(repeating: .infinity)
    private var high = SIMD3<Double>(repeating: -.infinity)

    var bounds: Bounds? { low.x <= high.x ? Bounds(min: low, max: high) : nil }

    mutating func add(_ geometry: Geometry, under matrix: Matrix4) {
        geometry.positions.forEachPart(of: 3 << 11) { part, first in
            add(part, from: first / 3, of: geometry, under: matrix)
        }
    }

    /// - Parameter first: The first one's index.
    private mutating func add(
        _ positions: Span<Double>, from first: Int, of geometry: Geometry, under matrix: Matrix4
    ) {
        var at = 0
        while at + 2 < positions.count {
            let point = matrix.transform(point: SIMD3(positions[at], positions[at + 1], positions[at + 2]))
            // Not finite ones were reported when they were read.
            if point.isFinite, geometry.uses(first + at / 3) {
                low = pointwiseMin(low, point)
                high = pointwiseMax(high, point)
            }
            at += 3
        }
    }
}

extension SIMD3<Double> {
    @inlinable
    package var isFinite: Bool { x.isFinite && y.isFinite && z.isFinite }
}

extension Bounds {
    /// Whether all of another box lies in this one once it is moved; `false` also where numbers are not finite on the way.
    ///
    /// As exact as its points moved one by one: products and sums are rounded, but what is less never becomes more.
    fileprivate func holds(_ other: Bounds, movedBy matrix: Matrix4) -> Bool {
        let (low, high) = (other.min, other.max)
        func isHeld(_ x: Double, _ y: Double, _ z: Double, _ offset: Double, _ least: Double, _ most: Double) -> Bool {
            let (x, y, z) = ((x * low.x, x * high.x), (y * low.y, y * high.y), (z * low.z, z * high.z))
            return Swift.min(x.0, x.1) + Swift.min(y.0, y.1) + Swift.min(z.0, z.1) + offset >= least
                && Swift.max(x.0, x.1) + Swift.max(y.0, y.1) + Swift.max(z.0, z.1) + offset <= most
        }
        let (x, y, z, origin) = matrix.columns
        return isHeld(x.x, y.x, z.x, origin.x, min.x, max.x) && isHeld(x.y, y.y, z.y, origin.y, min.y, max.y)
            && isHeld(x.z, y.z, z.z, origin.z, min.z, max.z)
    }
}

/// What has to be walked to see everything that is drawn.
private struct DrawingNodes {
    /// For each node, whether it or anything below draws a mesh that is shown.
    private var draws: [Bool]
    /// Of each node with instances that draw nothing, the places of those that do; few nodes have such.
    private var places: [Int: [Int]] = [:]

    init(of scene: Scene, without hidden: HiddenNodes) {
        draws = [Bool](repeating: false, count: scene.nodes.count)
        let nodes = scene.nodes.span
        for index in scene.nodesChildrenFirst where !hidden.contains(index) {
            // Taken out once: each look at a list may count it.
            let instances = nodes[index].instances
            var drawing = 0
            for place in instances.indices where scene.draws(instances[place]) { drawing += 1 }
            if drawing < instances.count { places[index] = instances.indices.filter { scene.draws(instances[$0]) } }
            draws[index] = drawing > 0
            for child in nodes[index].children where draws[child.value] { draws[index] = true }
        }
    }

    func contains(_ node: Int) -> Bool { draws[node] }

    /// `nil` where all of a node's instances draw.
    func places(in node: Int) -> [Int]? { places.isEmpty ? nil : places[node] }
}

// What an exporter hid is drawn by nothing that is made of the scene, so it has no part in the scene's size either.

/// Which nodes of a scene are left out of what is drawn, each with all that is below it.
package struct HiddenNodes: Sendable {
    private var nodes: Set<Int> = []

    package init(of scene: Scene) {
        let span = scene.nodes.span
        for index in span.indices where span[index].isHidden { nodes.insert(index) }
        guard !nodes.isEmpty else { return }
        // One whose visibility a channel moves, which leads to nothing that the scene has, is shown all the time.
        var appearing: Set<String> = []
        for target in scene.animations.lazy.flatMap(\.unresolvedTargets) where target.lowercased().contains("/visib") {
            appearing.insert(String(target.prefix { $0 != "/" }))
        }
        nodes = nodes.filter { index in !(scene.nodes[index].id.map { appearing.contains($0) } ?? false) }
    }

    package var isEmpty: Bool { nodes.isEmpty }

    /// Whether a node is hidden itself.
    package func contains(_ node: Int) -> Bool { !nodes.isEmpty && nodes.contains(node) }
}
