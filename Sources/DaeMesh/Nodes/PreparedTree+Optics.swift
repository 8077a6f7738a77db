// Whether a camera's view is scaled by the nodes around it is read in two ways, so none is: by formats it is not, by some
// engines the view is what undoes all of a node's matrix.

package import DaeScene

extension PreparedTree {
    /// Gives each camera a node whose scale in the world is 1, before any channel moves it.
    ///
    /// - Returns: Where in the world the nodes that show lights are.
    mutating func frameOptics(of scene: Scene) throws(SceneExportError) -> [Int: SIMD3<Double>] {
        guard !scene.cameras.isEmpty || !scene.lights.isEmpty else { return [:] }
        var lights: [Int: SIMD3<Double>] = [:]
        var cameras: [(place: Int, world: Matrix4)] = []
        // Siblings before children, so that no more wait than a path is long.
        var stack: [(place: Int, parent: Matrix4)] = roots.map { ($0, .identity) }
        while let (place, parent) = stack.popLast() {
            let node = nodes[place]
            let world = parent * matrix(of: node, in: scene)
            if node.nextSibling >= 0 { stack.append((Int(node.nextSibling), parent)) }
            if node.firstChild >= 0 { stack.append((Int(node.firstChild), world)) }
            guard let shown = node.shown else { continue }
            switch scene.nodes[shown.node].instances[shown.place] {
            case .camera: cameras.append((place, world))
            case .light: lights[place] = world.columns.3.spatial
            case .geometry, .controller: break
            }
        }
        for (place, world) in cameras { try moveShown(of: place, into: Self.frames(in: world)) }
        return lights
    }

    /// From a node to the one around it.
    package func matrix(of node: PreparedNode, in scene: Scene) -> Matrix4 {
        switch node.transform {
        case .identity: .identity
        case .own: node.node.map { scene.nodes[$0].matrix.settled } ?? .identity
        case .conversion: conversion
        case .parts(let index): parts[Int(index)].matrix
        }
    }

    /// How far from 1 a scale must be to be undone: nobody sees less in a view, and rotations in short numbers have as much.
    private static let leastScale = 1e-4

    /// What takes a matrix's scale away from within; nothing where it has none, or cannot be undone.
    private static func frames(in world: Matrix4) -> [RigidScale] {
        if let rigid = RigidScale(world) {
            let scale = 1 / rigid.scale
            guard scale.x.isFinite, scale.y.isFinite, scale.z.isFinite, (scale - 1).size > leastScale else { return [] }
            return [RigidScale(translation: .zero, rotation: [0, 0, 0, 1], scale: scale)]
        }
        // Axes lean: the direction of the view counts, and then what is up.
        guard let inverse = world.inverse, let back = world.columns.2.spatial.unit,
            let up = (world.columns.1.spatial - back * back.dot(world.columns.1.spatial)).unit
        else { return [] }
        let right = up.cross(back)
        let upright = Matrix4(columns: (SIMD4(right, 0), SIMD4(up, 0), SIMD4(back, 0), world.columns.3))
        let frame = inverse * upright
        if let rigid = RigidScale(frame) { return [rigid] }
        let split = ShearSplit(frame)
        return [split.outer, split.inner]
    }
}
