// The scene's nodes know their children, the document's which of them are instances: addresses need both, in one order.

import DaeScene

/// What is within each node, as addresses pass through it.
struct NodeContents: DocumentSharing {
    enum Item {
        case own(Int)
        case instanced(Int, sid: String?, NodeSids.Passage)
        /// An instance with a sid that leads on to no node.
        case other(SidTable.Place, sid: String)
        /// An instance with a sid of what addresses do not go into.
        case ending(sid: String)
    }
    let shared: SharedDocument
    private let instances: InstanceTargets
    private let children: [[SceneIndex<Node>]]
    /// How many places each node has.
    private let places: [Int]

    init(_ shared: SharedDocument, _ scene: Scene, _ instances: InstanceTargets) {
        self.shared = shared
        self.instances = instances
        children = scene.nodes.map(\.children)
        var places = Array(repeating: 0, count: children.count)
        for child in children.joined() { places[child.value] += 1 }
        for root in shared.linked.document.visualScenes.lazy.flatMap(\.nodes) { places[root] += 1 }
        self.places = places
    }

    /// In the document's order.
    ///
    /// - Parameters:
    ///   - steps: Grows by what had to be passed.
    ///   - limit: Of steps, behind which no more order is sought.
    func items(of node: Int, steps: inout Int, limit: Int) -> [Item] {
        let given = document.nodes[node]
        var named = instances[node][...]
        var rest = children[node][...]
        guard given.hasInstances || !named.isEmpty else { return rest.map { .own($0.value) } }
        steps += given.contents.count
        var items: [Item] = []
        /// Takes the children before one, which instances without a sid lead to, and that one.
        func pass(_ child: Int) {
            guard steps < limit else { return }
            guard let at = rest.firstIndex(of: SceneIndex(child)) else {
                steps += rest.count
                return
            }
            items += rest[..<at].map { instanced($0.value, sid: nil) }
            rest = rest[(at + 1)...]
        }
        for (place, content) in given.contents.enumerated() {
            if case .node(let child) = content {
                pass(child)
                items.append(.own(child))
            }
            guard let instance = named.first, instance.content == place else { continue }
            named.removeFirst()
            let target = instance.target
            if let child = target?.index(of: .node) {
                pass(child)
                items.append(instanced(child, sid: instance.sid))
            } else if let camera = target?.index(of: .camera) {
                items.append(.other(.camera(camera), sid: instance.sid))
            } else if let light = target?.index(of: .light) {
                items.append(.other(.light(light), sid: instance.sid))
            } else if target?.kind == .geometry || target?.kind == .controller || !leadsToNodes(content) {
                items.append(.ending(sid: instance.sid))
            } else {
                items.append(.other(.nothing, sid: instance.sid))
            }
        }
        return items + rest.map { instanced($0.value, sid: nil) }
    }

    private func instanced(_ child: Int, sid: String?) -> Item {
        .instanced(child, sid: sid, places[child] > 1 ? .sharedInstance : .instance)
    }

    private func leadsToNodes(_ content: ColladaDocument.Node.Content) -> Bool {
        switch content {
        case .instanceNode, .instance: true
        case .node, .instanceGeometry, .instanceController, .instanceCamera, .instanceLight: false
        }
    }
}

// Nearly every instance binds what its mesh asks for. That is seen here without making anything; what is not sound, or
// too large to be seen at a glance, is looked into for what to report.

extension ColladaDocument.Geometry.Kind {
    /// Whether there is nothing to report about a list of bindings: each symbol of the mesh is bound and each bound one is
    /// its own, and every texture's coordinates are bound to an input that is there.
    ///
    /// - Parameter texcoords: By material, the names of its texture coordinates.
    func isSound(with bindings: [MaterialBinding], _ texcoords: [[String]]) -> Bool {
        switch self {
        case .mesh(let mesh), .convexMesh(let mesh, hullOf: _): mesh.isSound(with: bindings, texcoords)
        case .spline, .brep, .empty: bindings.isEmpty
        }
    }
}

extension ColladaDocument.Mesh {
    /// Of primitives, bindings, names and inputs.
    private static var mostAtAGlance: Int { 8 }

    fileprivate func isSound(with bindings: [MaterialBinding], _ texcoords: [[String]]) -> Bool {
        guard primitives.count <= Self.mostAtAGlance, bindings.count <= Self.mostAtAGlance,
            vertices.count <= Self.mostAtAGlance
        else { return false }
        // By index: what is taken out of its list would be copied.
        for index in primitives.indices {
            guard let symbol = primitives[index].material, !symbol.isEmpty else { continue }
            guard bindings.contains(where: { $0.symbol == symbol }) else { return false }
        }
        return bindings.allSatisfy { binding in
            guard !binding.symbol.isEmpty,
                primitives.indices.contains(where: { primitives[$0].material == binding.symbol })
            else { return false }
            guard let material = binding.material else { return true }
            return isSound(with: binding, texcoords[material.value])
        }
    }

    private func isSound(with binding: MaterialBinding, _ names: [String]) -> Bool {
        guard names.count <= Self.mostAtAGlance, binding.vertexInputs.count <= Self.mostAtAGlance else { return false }
        return names.allSatisfy { name in
            guard let bound = binding.vertexInput(for: name) else { return false }
            return primitives.indices.allSatisfy { index in
                primitives[index].material != binding.symbol || hasInput(bound, in: primitives[index].inputs)
            }
        }
    }

    private func hasInput(_ bound: MaterialBinding.VertexInput, in inputs: [ColladaDocument.Input]) -> Bool {
        guard inputs.count <= Self.mostAtAGlance else { return false }
        return inputs.contains { input in
            guard input.semantic == "VERTEX" else { return input.isMeant(by: bound) }
            return vertices.contains { $0.isMeant(by: bound) }
        }
    }
}

extension ColladaDocument.Input {
    fileprivate func isMeant(by bound: MaterialBinding.VertexInput) -> Bool {
        guard semantic == bound.inputSemantic else { return false }
        guard let wanted = bound.inputSet else { return true }
        // A missing set counts as 0.
        return (set ?? 0) == wanted
    }
}
