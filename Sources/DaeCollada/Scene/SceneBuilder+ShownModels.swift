// Models that a manifest shows together: the roots of each, below a node that puts them in their place. And
// cycles, which are cut.

import DaeDiagnostics
import DaeScene
import DaeXML

extension SceneBuilder {
    /// Adds the roots of all models that are shown, in their order.
    ///
    /// - Throws: ``ColladaError`` when these are more than there may be nodes.
    mutating func addShownModels() throws(ColladaError) {
        guard !shared.linked.shown.isEmpty else { return }
        let own = scene.roots
        scene.roots = []
        for shown in shared.linked.shown {
            let roots = shown.document == 0 ? own : self.roots(of: shown.document)
            try check(scene.roots.count + roots.count, "roots")
            scene.roots += roots
            shownRoots.append(roots.count)
        }
    }

    private mutating func roots(of number: Int) -> [SceneIndex<Node>] {
        var chosen: Int?
        if let reference = shared.linked.scenes[number]?.visualScene {
            chosen = find(reference, .visualScene, else: .sceneInstanceUnresolved)
        }
        guard
            let index = chosen ?? document.visualScenes.firstIndex(where: { $0.position.document == number })
        else { return [] }
        return document.visualScenes[index].nodes.map { SceneIndex($0) }
    }

    /// Puts a node above the roots of each model that is moved. All roots are in the scene's own units and axes by then.
    mutating func placeShownModels() {
        guard !shownRoots.isEmpty else { return }
        var rest = scene.roots[...]
        scene.roots = []
        for (shown, count) in zip(shared.linked.shown, shownRoots) {
            let roots = Array(rest.prefix(count))
            rest = rest.dropFirst(count)
            guard !shown.model.transforms.isEmpty, !roots.isEmpty else {
                scene.roots += roots
                continue
            }
            let transforms = shown.model.transforms.map { $0.turned(into: scene.coordinateSystem) }
            scene.roots.append(SceneIndex(scene.nodes.count))
            var placing = Node(
                id: nil, name: shown.model.name, sid: nil, kind: .node, transforms: transforms, children: roots)
            placing.role = .placement
            scene.nodes.append(placing)
        }
    }
}

extension Transform {
    /// The same in other units and axes, where this is in metres with z up.
    fileprivate func turned(into system: CoordinateSystem) -> Transform {
        let turn = CoordinateSystem(upAxis: .z).turn(to: system)
        func turned(_ vector: SIMD3<Double>) -> SIMD3<Double> { turn.transform(point: vector) }
        switch self {
        case .translate(let way): return .translate(turned(way) / system.metersPerUnit)
        case .rotate(let axis, let degrees): return .rotate(axis: turned(axis), degrees: degrees)
        case .scale(let factor):
            // Axes become axes; which way along them does not matter.
            func along(_ axis: SIMD3<Double>) -> SIMD3<Double> {
                let turned = turned(axis)
                return SIMD3(turned.x.magnitude, turned.y.magnitude, turned.z.magnitude)
            }
            return .scale(along([1, 0, 0]) * factor.x + along([0, 1, 0]) * factor.y + along([0, 0, 1]) * factor.z)
        case .matrix, .skew, .lookat: return self
        }
    }
}

// Instances that lead back to where they stand.

extension SceneBuilder {
    /// Takes out every edge that leads back to a node above it. The walk begins at the scene's own roots, then at
    /// parents before children, so that what is cut is the instance within a node and not the node's own place.
    mutating func cutCycles() {
        // Nodes within nodes are a tree.
        guard instancedNodes > 0 else { return }
        var visits = [Visit](repeating: .new, count: scene.nodes.count)
        for root in scene.roots { cutCycles(from: root.value, &visits) }
        for start in scene.nodes.indices.reversed() { cutCycles(from: start, &visits) }
    }

    private enum Visit { case new, open, done }

    private mutating func cutCycles(from start: Int, _ visits: inout [Visit]) {
        guard visits[start] == .new else { return }
        visits[start] = .open
        var stack: [(node: Int, next: Int, kept: [SceneIndex<Node>]?)] = [(start, 0, nil)]
        while let (node, next, _) = stack.last {
            let top = stack.count - 1
            guard next < scene.nodes[node].children.count else {
                if let kept = stack[top].kept { scene.nodes[node].children = kept }
                visits[node] = .done
                stack.removeLast()
                continue
            }
            stack[top].next += 1
            let child = scene.nodes[node].children[next]
            switch visits[child.value] {
            case .open:
                if stack[top].kept == nil { stack[top].kept = Array(scene.nodes[node].children[..<next]) }
                let place = Self.place(of: document.nodes[node])
                log.add(
                    .refCycle, at: place,
                    "a node instances itself; the last instance was left out")
            case .new:
                stack[top].kept?.append(child)
                visits[child.value] = .open
                stack.append((child.value, 0, nil))
            case .done: stack[top].kept?.append(child)
            }
        }
    }
}
