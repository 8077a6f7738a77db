// Nodes with their matrices, and what hangs on them.

import Diagnostics
import SceneModel
import XMLReader

extension SceneBuilder {
    mutating func node(_ index: Int) -> Node {
        // By index: a node taken out of its list would be copied, with all it holds.
        let transforms = document.nodes[index].transformList
        transforms.forEach { transform in
            if case .matrix(let given) = transform {
                if !given.isAffine {
                    let place = Self.place(of: document.nodes[index])
                    log.add(
                        .nodeTransformNonAffine, at: place,
                        "a matrix's last row is not 0 0 0 1; it may be written column by column")
                }
            } else if transform.matrix == nil {
                reportDegenerate(transform, at: Self.place(of: document.nodes[index]))
            } else if transform.hasVagueUp {
                let place = Self.place(of: document.nodes[index])
                log.add(
                    .nodeLookatDegenerate, at: place,
                    "a lookat's up is along its view; its direction is kept, turned upright by the shortest way")
            }
        }
        var node = Node(
            id: document.nodes[index].id, name: document.nodes[index].name, sid: document.nodes[index].sid,
            kind: document.nodes[index].kind, transforms: transforms,
            transformSIDs: document.nodes[index].transformSIDs)
        node.isHidden = document.nodes[index].isHidden
        return node
    }

    private mutating func reportDegenerate(_ transform: Transform, at place: Place) {
        switch transform {
        case .rotate:
            log.add(.nodeRotateAxisZero, at: place, "a rotation's axis is 0 0 0; it was left out")
        case .lookat:
            log.add(
                .nodeLookatDegenerate, at: place,
                "a lookat's eye is its interest; it was left out")
        case .skew:
            log.add(.nodeTransformNonAffine, at: place, "a skew's axes or angle make no matrix; it was left out")
        case .matrix, .translate, .scale: break
        }
    }

    static func place(of node: ColladaDocument.Node) -> Place {
        var place = Place(node.position)
        place.elementID = node.id
        return place
    }

    mutating func connect(_ index: Int) {
        let contents = document.nodes[index].contents
        let children = contents.count(where: \.leadsToNode)
        if children > 1 { scene.nodes[index].children.reserveCapacity(children) }
        var sids = (document.instanceSIDs.isEmpty ? nil : document.instanceSIDs[index])?[...] ?? []
        for place in contents.indices {
            let target = connect(contents[place], to: index)
            guard let sid = sids.first, sid.content == place else { continue }
            sids.removeFirst()
            instanceTargets.add(sid, of: index, to: target)
        }
    }

    /// - Returns: What an instance leads to.
    private mutating func connect(
        _ content: ColladaDocument.Node.Content, to index: Int
    ) -> ReferenceTable.Target? {
        switch content {
        case .node(let child):
            scene.nodes[index].children.append(SceneIndex(child))
            return nil
        case .instanceNode(let reference): return instance(reference, on: index, .node, expected: .node)
        case .instanceGeometry(let reference, let materials):
            if let target = table.plainTarget(of: reference), target.kind == .geometry {
                hang(target.index, on: index, materials, at: reference.position)
                return target
            }
            return instance(reference, on: index, .geometry, expected: .geometry, materials)
        case .instanceController(let reference, let skeletons, let materials):
            return instance(
                reference, on: index, .controller, expected: .controller, materials, skeletons: skeletons)
        case .instanceCamera(let reference):
            return instance(reference, on: index, .camera, expected: .camera, severity: .warning)
        case .instanceLight(let reference):
            return instance(reference, on: index, .light, expected: .light, severity: .warning)
        case .instance(let reference): return instance(reference, on: index, .geometry, expected: nil)
        }
    }

    private mutating func hang(
        _ geometry: Int, on index: Int, _ materials: [ColladaDocument.InstanceMaterial], at position: XMLPosition
    ) {
        drawnInstances += 1
        let bindings = bindings(materials, of: geometry, at: position)
        guard scene.nodes[index].instances.isEmpty else {
            scene.nodes[index].instances.append(.geometry(SceneIndex(geometry), materials: bindings))
            return
        }
        scene.nodes[index].instances = lists.instances(of: geometry, bindings)
    }

    /// Hangs what a reference leads to on a node; `expected` is the element it must be, `nil` for any, and `kind` what is
    /// missing where there is no such element.
    ///
    /// - Returns: What was hung on it.
    private mutating func instance(
        _ reference: ColladaDocument.Reference, on index: Int, _ kind: Scene.UnresolvedInstance.Kind,
        expected: LibraryKind?,
        _ materials: [ColladaDocument.InstanceMaterial] = [], skeletons: [ColladaDocument.Reference] = [],
        severity: Severity = .error
    ) -> ReferenceTable.Target? {
        guard let target = find(reference, expected.map { [$0] } ?? Self.instanced, severity: severity) else {
            scene.unresolvedInstances.append(.init(node: SceneIndex(index), kind: kind))
            return nil
        }
        if let expected, target.kind != expected {
            scene.unresolvedInstances.append(.init(node: SceneIndex(index), kind: kind))
            reportWrongType(reference, target, expected: [expected])
            return nil
        }
        if let child = target.index(of: .node) {
            instancedNodes += 1
            scene.nodes[index].children.append(SceneIndex(child))
        } else if let geometry = target.index(of: .geometry) {
            hang(geometry, on: index, materials, at: reference.position)
        } else if let controller = target.index(of: .controller) {
            drawnInstances += 1
            unbound.append(
                UnboundInstance(
                    node: index, place: scene.nodes[index].instances.count, controller: SceneIndex(controller),
                    position: reference.position, skeletons: skeletons))
            let drawn = scene.controllers[controller].base?.value
            let bindings = bindings(materials, of: drawn, at: reference.position)
            scene.nodes[index].instances.append(
                .controller(SceneIndex(controller), skeleton: .none, materials: bindings))
        } else if let camera = target.index(of: .camera) {
            scene.nodes[index].instances.append(.camera(SceneIndex(camera)))
        } else if let light = target.index(of: .light) {
            scene.nodes[index].instances.append(.light(SceneIndex(light)))
        } else {
            scene.unresolvedInstances.append(.init(node: SceneIndex(index), kind: kind))
            reportWrongType(reference, target, expected: Self.instanced)
            return nil
        }
        return target
    }

    private static let instanced: [LibraryKind] = [.geometry, .controller, .node, .camera, .light]
}

extension ColladaDocument.Node.Content {
    /// Whether it becomes a child of its node, unless it leads nowhere.
    fileprivate var leadsToNode: Bool {
        switch self {
        case .node, .instanceNode: true
        case .instanceGeometry, .instanceController, .instanceCamera, .instanceLight, .instance: false
        }
    }
}

// Models that a manifest shows together: the roots of each, below a node that puts them in their place.

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
