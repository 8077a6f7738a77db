import DaeScene

extension RandomScene {
    mutating func addInstances() {
        for node in scene.nodes.indices {
            for _ in 0..<dice.pick([0, 0, 1, 1, 2]) {
                guard let instance = instance() else { continue }
                scene.nodes[node].instances.append(instance)
            }
        }
    }

    private mutating func instance() -> Instance? {
        switch dice.int(0...3) {
        case 0 where !scene.cameras.isEmpty: return .camera(SceneIndex(dice.int(0...scene.cameras.count - 1)))
        case 1 where !scene.lights.isEmpty: return .light(SceneIndex(dice.int(0...scene.lights.count - 1)))
        case 2 where !scene.controllers.isEmpty:
            let index = SceneIndex<Controller>(dice.int(0...scene.controllers.count - 1))
            guard let base = scene.controllers[index].base, let bindings = bindings(of: scene.geometries[base]) else {
                return nil
            }
            return .controller(index, skeleton: skeleton(of: index), materials: bindings)
        default:  // integers
            let index = SceneIndex<Geometry>(dice.int(0...scene.geometries.count - 1))
            return bindings(of: scene.geometries[index]).map { .geometry(index, materials: $0) }
        }
    }

    /// - Returns: `nil` where the mesh asks for materials and there are none.
    private mutating func bindings(of geometry: Geometry) -> [MaterialBinding]? {
        guard let mesh = geometry.mesh else { return [] }
        var symbols: [String] = []
        for symbol in mesh.primitives.compactMap(\.material) where !symbols.contains(symbol) { symbols.append(symbol) }
        guard !symbols.isEmpty else { return [] }
        guard !scene.materials.isEmpty else { return nil }
        // One that no face asks for is worth no more than a hint, unless there are faces that name none.
        if dice.chance(0.1), mesh.primitives.allSatisfy({ $0.material != nil }) { symbols.append("unused") }
        return dice.shuffled(symbols).map { binding($0, in: mesh) }
    }

    private mutating func binding(_ symbol: String, in mesh: DaeScene.Mesh) -> MaterialBinding {
        let material = SceneIndex<Material>(dice.int(0...scene.materials.count - 1))
        let names = Set(scene.materials[material].textures.map(\.texcoord)).sorted()
        let primitives = mesh.primitives.filter { $0.material == symbol }
        let shared =
            primitives.map { mesh.texcoords(of: $0) }
            .reduce(nil as Set<Texcoord>?) { $0?.intersection($1) ?? $1 } ?? []
        let sorted = shared.sorted { ($0.set ?? -1) < ($1.set ?? -1) }
        var inputs = names.map { name -> MaterialBinding.VertexInput in
            // Positions are in every mesh.
            guard !sorted.isEmpty else {
                return .init(semantic: name, inputSemantic: "POSITION", inputSet: nil)
            }
            return .init(semantic: name, inputSemantic: "TEXCOORD", inputSet: dice.pick(sorted).set)
        }
        if dice.chance(0.2) { inputs.append(.init(semantic: "other", inputSemantic: "COLOR", inputSet: 7)) }
        let ids = scene.materials.compactMap(\.id)
        let parameters = dice.list(0...1) {
            MaterialBinding.Parameter(semantic: $0.name(), target: $0.pick(ids) + $0.pick(["", "/shine.R", "/a & b"]))
        }
        return MaterialBinding(symbol: symbol, material: material, vertexInputs: inputs, parameters: parameters)
    }

    // MARK: - Skeletons

    private mutating func skeleton(of controller: SceneIndex<Controller>) -> Skeleton {
        var roots: [SceneIndex<Node>] = []
        if let possible = armatures[controller.value] { roots.append(dice.pick(possible)) }
        // Another root behind it changes nothing where it has no joint of the same name.
        if armatures[controller.value]?.count != 2, dice.chance(0.3) {
            roots.append(SceneIndex(dice.int(0...scene.nodes.count - 1)))
        }
        let written = roots.map { Skeleton.Root(reference: "#" + id(of: $0), node: $0) }
        guard let skin = scene.skin(of: controller), let root = roots.first else {
            return Skeleton(roots: written, joints: [])
        }
        return Skeleton(roots: written, joints: skin.joints.map { node(called: $0, below: root) })
    }

    private func node(called joint: String, below root: SceneIndex<Node>) -> SceneIndex<Node>? {
        let name = joint.split(separator: "/").last.map(String.init) ?? joint
        let byID = scene.nodes.indices.first { scene.nodes[$0].id == joint }
        return byID.map { SceneIndex($0) } ?? scene.subtree(of: root).first { scene.nodes[$0].sid == name }
    }
}

/// A set of texture coordinates, as a binding names it.
private struct Texcoord: Hashable {
    let set: Int?
}

extension DaeScene.Mesh {
    fileprivate func texcoords(of primitive: Primitive) -> Set<Texcoord> {
        Set(primitive.inputs.filter { streams[$0.stream].semantic == .texcoord }.map { Texcoord(set: $0.set) })
    }
}
