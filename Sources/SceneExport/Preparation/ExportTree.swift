// A scene's nodes are a graph: one that is instanced twice is drawn twice. Engines know trees only.

import Diagnostics
import SceneModel

/// The nodes of a scene as a tree.
struct ExportTree {
    private(set) var nodes: [ExportNode] = []
    private(set) var roots: [Int] = []
    /// By the scene's nodes, where each stands; the first place is that of joints.
    private(set) var places: [[Int32]]

    /// - Parameters:
    ///   - moving: Nodes that a channel moves: they get parts in place of a matrix.
    ///   - limit: Nodes of the tree at most.
    ///   - hasSkins: Whether joints need one root.
    init(
        of scene: Scene, moving: Set<Int>, limit: Int, hasSkins: Bool, _ report: inout FidelityReport
    ) throws(SceneExportError) {
        places = [[Int32]](repeating: [], count: scene.nodes.count)
        var stack: [(node: SceneIndex<Node>, parent: Int?)] = scene.roots.reversed().map { ($0, nil) }
        while let (index, parent) = stack.popLast() {
            guard nodes.count < limit else {
                throw SceneExportError(.sceneNodeCountExceeded, "the scene unfolds to more than \(limit) nodes")
            }
            let node = scene.nodes[index]
            if !places[index.value].isEmpty, node.role.isElement {
                report.add(.approximated, .instancedNodes, at: node.id ?? node.name)
            }
            let place = add(ExportNode(node: index, parent: parent, transform: .identity))
            places[index.value].append(Int32(clamping: place))
            let end = setTransform(of: place, node, isMoving: moving.contains(index.value), &report)
            hang(node.instances, on: end)
            for child in node.children.reversed() { stack.append((child, end)) }
        }
        if hasSkins, roots.count > 1 { gather() }
    }

    /// Puts all roots below one: the joints of a skin must have an ancestor in common.
    private mutating func gather() {
        nodes.append(ExportNode(node: nil, parent: nil, transform: .identity, children: roots))
        for root in roots { nodes[root].parent = nodes.count - 1 }
        roots = [nodes.count - 1]
    }

    private mutating func add(_ node: ExportNode) -> Int {
        nodes.append(node)
        let place = nodes.count - 1
        if let parent = node.parent { nodes[parent].children.append(place) } else { roots.append(place) }
        return place
    }

    /// - Returns: The node that stands for the inside of this one: itself, or a second one within it.
    private mutating func setTransform(
        of place: Int, _ node: Node, isMoving: Bool, _ report: inout FidelityReport
    ) -> Int {
        let matrix = node.matrix.settled
        if matrix == .identity, !isMoving { return place }
        if let parts = RigidScale(matrix) {
            nodes[place].transform = isMoving ? .parts(parts) : .matrix(matrix)
            return place
        }
        report.add(isMoving ? .approximated : .merged, .shear, at: node.id ?? node.name)
        guard !isMoving else {
            nodes[place].transform = .parts(RigidScale(nearest: matrix))
            return place
        }
        let split = ShearSplit(matrix)
        nodes[place].transform = .parts(split.outer)
        return add(ExportNode(node: nil, parent: place, transform: .parts(split.inner)))
    }

    /// The first of a kind hangs on the node itself, every other one on a node within it.
    private mutating func hang(_ instances: [Instance], on place: Int) {
        for instance in instances {
            if nodes[place].instance == nil {
                nodes[place].instance = instance
            } else {
                _ = add(ExportNode(node: nil, parent: place, transform: .identity, instance: instance))
            }
        }
    }
}

extension Matrix4 {
    /// With a last row of 0 0 0 1, and without numbers that are none.
    fileprivate var settled: Matrix4 {
        func finite(_ column: SIMD4<Double>, _ w: Double) -> SIMD4<Double>? {
            column.x.isFinite && column.y.isFinite && column.z.isFinite ? SIMD4(column.x, column.y, column.z, w) : nil
        }
        guard let x = finite(columns.0, 0), let y = finite(columns.1, 0), let z = finite(columns.2, 0),
            let origin = finite(columns.3, 1)
        else { return .identity }
        return Matrix4(columns: (x, y, z, origin))
    }
}
