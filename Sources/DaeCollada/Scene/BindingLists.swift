// What instances bind, each list kept once, and whether there is anything to report about it.

import DaeScene
import DaeXML

/// The lists of bindings of a document's instances, each kept once: many instances have few different ones.
struct BindingLists {
    /// Into the lists.
    typealias Index = Int

    private(set) var lists: [[MaterialBinding]] = [[]]
    /// By their hashes, and where one is another list's by the next that is free: a list is hashed once.
    private var known: [Int: Index] = [:]
    /// The list that was met last with each material as its first, and at the end with none: it is nearly always the
    /// one that comes again, and found without a hash.
    private var latest: [Index]
    /// The list that each geometry was drawn with last, where nothing was wrong with the two; else the largest number.
    private var sound: [UInt32]
    /// Of each geometry, what the last node had on which it hung alone.
    private var alone: [[Instance]]

    init(materials: Int, geometries: Int) {
        latest = Array(of: materials + 1, each: 0)
        sound = Array(of: geometries, each: .max)
        alone = Array(of: geometries, each: [])
    }

    /// What a node has on which nothing but a geometry hangs: where that hangs on many nodes with the same bindings,
    /// they share it.
    mutating func instances(of geometry: Int, _ bindings: [MaterialBinding]) -> [Instance] {
        if case .geometry(_, materials: bindings)? = alone[geometry].first { return alone[geometry] }
        let instances = [Instance.geometry(SceneIndex(geometry), materials: bindings)]
        alone[geometry] = instances
        return instances
    }

    /// Whether a list and a geometry were found sound together.
    func isSound(_ list: Index, with geometry: Int) -> Bool { Int(sound[geometry]) == list }

    mutating func noteSound(_ list: Index, with geometry: Int) { sound[geometry] = UInt32(clamping: list) }

    /// The list of what an instance binds.
    ///
    /// - Parameter targets: What the materials' references lead to.
    mutating func list(of materials: [ColladaDocument.InstanceMaterial], to targets: [SceneIndex<Material>?]) -> Index {
        guard let first = targets.first else { return 0 }
        let memory = first?.value ?? latest.count - 1
        let candidate = latest[memory]
        if isList(candidate, of: materials, to: targets) { return candidate }
        let bindings = materials.indices.map { place in
            MaterialBinding(
                symbol: materials[place].symbol, material: targets[place],
                vertexInputs: materials[place].vertexInputs, parameters: materials[place].parameters)
        }
        let list = place(of: bindings)
        latest[memory] = list
        return list
    }

    /// The place of a list that is not empty; it is added where it is new.
    private mutating func place(of bindings: [MaterialBinding]) -> Index {
        var hash = bindings.hashValue
        while let place = known[hash] {
            if lists[place] == bindings { return place }
            hash &+= 1
        }
        lists.append(bindings)
        known[hash] = lists.count - 1
        return lists.count - 1
    }

    private func isList(
        _ list: Index, of materials: [ColladaDocument.InstanceMaterial], to targets: [SceneIndex<Material>?]
    ) -> Bool {
        let known = lists[list]
        guard known.count == materials.count else { return false }
        for place in materials.indices {
            guard known[place].material?.value == targets[place]?.value,
                known[place].symbol == materials[place].symbol,
                known[place].vertexInputs == materials[place].vertexInputs,
                known[place].parameters.isEmpty && materials[place].parameters.isEmpty
                    || known[place].parameters == materials[place].parameters
            else { return false }
        }
        return true
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
