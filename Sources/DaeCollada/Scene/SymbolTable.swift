// What the meshes of a document ask for by their primitives' symbols.

import DaeScene

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
