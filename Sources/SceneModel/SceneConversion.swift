extension Scene {
    /// What its numbers are written in.
    public var coordinateSystem: CoordinateSystem {
        CoordinateSystem(metersPerUnit: metersPerUnit, upAxis: upAxis)
    }

    /// The same scene in another unit and with another up axis, by one node above all.
    ///
    /// Every number of the document stays as it is; only the new root's matrix scales and turns. So whatever goes by
    /// matrices from the root (bounds, poses, skins, what is exported) comes out in the new system, and names, transforms
    /// and what channels move stay those of the file. What hangs on no matrix (lengths of cameras and lights, physics,
    /// kinematics) stays in the unit and axes below the root.
    ///
    /// A scene that was converted before gets no second root: the one it has is changed, and is taken away where the
    /// scene comes back to its own system, so that there and back again is the same scene.
    ///
    /// - Parameter meters: Metres in one of the new units; a number above 0.
    public func converted(toMeters meters: Double, up: UpAxis) -> Scene {
        precondition(meters > 0 && meters.isFinite, "a unit is a positive number of metres")
        let target = CoordinateSystem(metersPerUnit: meters, upAxis: up)
        guard target != coordinateSystem else { return self }
        var scene = self
        scene.metersPerUnit = meters
        scene.upAxis = up
        if let (root, written) = conversionRoot {
            if target == written, root == nodes.count - 1 {
                scene.roots = nodes[root].children
                scene.nodes.removeLast()
            } else {
                scene.nodes[root] = .conversion(from: written, to: target, children: nodes[root].children)
            }
        } else if !roots.isEmpty {
            scene.nodes.append(.conversion(from: coordinateSystem, to: target, children: roots))
            scene.roots = [SceneIndex(nodes.count)]
        }
        return scene
    }

    /// The scene below the root that converts it, where there is one: what it is written in, and its roots.
    package var unconverted: (system: CoordinateSystem, roots: [SceneIndex<Node>]) {
        guard let (root, written) = conversionRoot else { return (coordinateSystem, roots) }
        return (written, nodes[root].children)
    }

    /// The only root, where it does nothing but convert, and the system below it.
    private var conversionRoot: (index: Int, written: CoordinateSystem)? {
        guard roots.count == 1, let root = roots.first, nodes[root].instances.isEmpty else { return nil }
        switch nodes[root].role {
        case .element, .placement: return nil
        case .conversion(from: let written): return (root.value, written)
        }
    }
}

extension Node {
    /// A node of no document that takes what is below it from one system into another.
    public static func conversion(
        from source: CoordinateSystem, to target: CoordinateSystem, children: [SceneIndex<Node>] = [],
        instances: [Instance] = []
    ) -> Node {
        let matrix = source.conversion(to: target)
        var node = Node(
            id: nil, name: nil, sid: nil, kind: .node, transforms: [.matrix(matrix)],
            children: children, instances: instances)
        node.role = .conversion(from: source)
        return node
    }
}
