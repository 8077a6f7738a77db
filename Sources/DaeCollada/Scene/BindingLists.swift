import DaeScene
import DaeXML

// What instances bind, each list kept once, and whether there is anything to report about it.

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

// What the meshes of a document ask for by their primitives' symbols.

/// The symbols of a mesh's primitives.
struct SymbolUse {
    /// In the order of their first primitives; an empty one is none of them.
    var symbols: [String] = []
    /// Of each symbol, the primitives that have it; of an empty one those that name none.
    var primitives: [String: [Int]] = [:]
}

/// The symbols of each mesh that was instanced, and what was checked, so that much instancing stays linear.
struct SymbolTable {
    private struct Check: Hashable {
        let geometry: Int
        let binding: MaterialBinding
    }
    private struct Symbol: Hashable {
        let geometry: Int
        let name: String
    }
    private var uses: [Int: SymbolUse] = [:]
    /// Of symbols of several primitives or many inputs, as these write them.
    private var inputs: [Symbol: [[VertexInputName]]] = [:]
    private var checked: Set<Check> = []
    /// Inputs looked at for texture coordinates.
    private(set) var work: WorkBudget
    /// Primitive elements.
    private static let smallMesh = 8
    /// Inputs of a primitive that are as soon listed again as looked up.
    private static let fewInputs = 8

    init(limit: Int) { work = WorkBudget(limit) }

    /// Whether so many inputs more may be looked at; hostile documents have more to hold against each other than bytes.
    mutating func mayCheck(_ inputs: Int) -> Bool { work.admits(inputs) }

    /// Whether a binding to a mesh is met for the first time.
    mutating func isNew(_ binding: MaterialBinding, _ geometry: Int) -> Bool {
        checked.insert(Check(geometry: geometry, binding: binding)).inserted
    }

    mutating func use(of geometry: Int, in document: ColladaDocument) -> SymbolUse {
        if let use = uses[geometry] { return use }
        guard let mesh = document.geometries[geometry].kind.mesh else { return SymbolUse() }
        let use = Self.use(of: mesh)
        // What is small is sooner found again than kept for each of many meshes.
        if mesh.primitives.count > Self.smallMesh { uses[geometry] = use }
        return use
    }

    private static func use(of mesh: ColladaDocument.Mesh) -> SymbolUse {
        var use = SymbolUse()
        for index in mesh.primitives.indices {
            let symbol = mesh.primitives[index].material ?? ""
            let isNew = use.primitives[symbol] == nil
            use.primitives[symbol, default: []].append(index)
            if isNew, !symbol.isEmpty { use.symbols.append(symbol) }
        }
        return use
    }

    /// The inputs that the primitives with a symbol have, each list once, in the order of their first primitives. Those of
    /// the vertices stand for themselves in none: they are as many again for each primitive.
    ///
    /// - Returns: `nil` where these are more than may be looked at.
    mutating func inputs(
        of symbol: String, at primitives: [Int], in mesh: ColladaDocument.Mesh, of geometry: Int
    ) -> [[VertexInputName]]? {
        guard !work.isExhausted else { return nil }
        let symbol = Symbol(geometry: geometry, name: symbol)
        if let known = inputs[symbol] { return known }
        guard mayCheck(primitives.reduce(0) { $0 + mesh.primitives[$1].inputs.count }) else { return nil }
        var lists: [[VertexInputName]] = []
        var known: Set<[VertexInputName]> = []
        for index in primitives {
            let list = Self.names(of: mesh.primitives[index].inputs)
            guard lists.last != list, known.insert(list).inserted else { continue }
            lists.append(list)
        }
        // Each list of many once for all bindings: those may be many, too.
        if primitives.count > 1 || lists.contains(where: { $0.count > Self.fewInputs }) { inputs[symbol] = lists }
        return lists
    }

    private static func names(of inputs: [ColladaDocument.Input]) -> [VertexInputName] {
        let vertices = inputs.firstIndex { $0.semantic == "VERTEX" }
        return inputs.indices.compactMap { place in
            let input = inputs[place]
            guard input.semantic == "VERTEX" else { return VertexInputName(semantic: input.semantic, set: input.set) }
            // Another that names the vertices adds nothing.
            return place == vertices ? VertexInputName(semantic: input.semantic, set: nil) : nil
        }
    }
}

extension ColladaDocument.Mesh {
    /// The inputs of a primitive with those of the vertices in the place of the one that names them.
    func whole(_ inputs: [VertexInputName]) -> [VertexInputName] {
        guard let place = inputs.firstIndex(where: { $0.semantic == "VERTEX" }) else { return inputs }
        return inputs[..<place] + vertices.map { VertexInputName(semantic: $0.semantic, set: $0.set) }
            + inputs[(place + 1)...]
    }
}

extension Material {
    /// The names of its textures' coordinates, each once.
    var texcoords: [String] {
        var names: [String] = []
        for texture in textures where !names.contains(texture.texcoord) { names.append(texture.texcoord) }
        return names
    }
}
