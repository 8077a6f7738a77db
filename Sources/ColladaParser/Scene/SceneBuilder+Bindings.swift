// The materials of an instance, held against the mesh that it draws.

import Diagnostics
import SceneModel
import XMLReader

extension SceneBuilder {
    /// - Parameters:
    ///   - geometry: What the instance draws, into the document's geometries; `nil` when that is not known.
    ///   - position: Where the instance is.
    mutating func bindings(
        _ materials: [ColladaDocument.InstanceMaterial], of geometry: Int?, at position: XMLPosition
    ) -> [MaterialBinding] {
        var bindings: [MaterialBinding] = []
        for material in materials {
            var index: SceneIndex<Material>?
            switch find(material.target, ["material"], severity: .error) {
            case .material(let found): index = SceneIndex(found)
            case .some(let other): tellWrongType(material.target, other, expected: "material")
            case nil: break
            }
            bindings.append(
                MaterialBinding(
                    symbol: material.symbol, material: index, vertexInputs: material.vertexInputs,
                    parameters: material.parameters))
        }
        if let geometry {
            let use = symbols.use(of: geometry, in: document)
            checkSymbols(bindings, use, at: position)
            for (binding, element) in zip(bindings, materials) {
                checkTexcoords(binding, of: geometry, use, at: element.target.position)
            }
        }
        return bindings
    }

    // MARK: - Symbols

    private mutating func checkSymbols(_ bindings: [MaterialBinding], _ use: SymbolUse, at position: XMLPosition) {
        guard !bindings.isEmpty else {
            if let first = use.symbols.first {
                log.add(
                    .materialBindMissing, at: Place(position),
                    "the instance binds no materials, but its mesh asks for \(use.symbols.count), the first as \(quoted(first))",
                    arguments: [.init("symbol", first)])
            }
            return
        }
        let bound = Set(bindings.map(\.symbol))
        for symbol in bindings.map(\.symbol) where use.inputs[symbol] == nil {
            log.add(
                .materialSymbolUnused, at: Place(position),
                "the symbol \(quoted(symbol)) is bound, but no primitive of the mesh has it",
                arguments: [.init("symbol", symbol)])
        }
        let missing = use.symbols.count - bound.lazy.filter { use.inputs[$0] != nil }.count
        // Only as many symbols are looked at as are bound: many instances may share a mesh of many symbols.
        guard missing > 0, let first = use.symbols.first(where: { !bound.contains($0) }) else { return }
        log.add(
            .materialSymbolUnbound, at: Place(position),
            "the mesh asks for \(missing) material\(missing == 1 ? "" : "s") that the instance does not bind, the first as \(quoted(first))",
            arguments: [.init("symbol", first), .init("count", "\(missing)")])
    }

    // MARK: - Texture coordinates

    private mutating func checkTexcoords(
        _ binding: MaterialBinding, of geometry: Int, _ use: SymbolUse, at position: XMLPosition
    ) {
        guard let material = binding.material, let inputs = use.inputs[binding.symbol] else { return }
        let names = scene.materials[material].texcoords
        guard !names.isEmpty, symbols.isNew(binding, geometry) else { return }
        for name in names {
            for inputs in inputs {
                guard symbols.mayCheck else { return }
                checkTexcoord(name, binding, inputs, at: position)
            }
        }
    }

    private mutating func checkTexcoord(
        _ name: String, _ binding: MaterialBinding, _ inputs: [VertexInputName], at position: XMLPosition
    ) {
        func arguments(_ set: Int?) -> [Finding.Argument] {
            [.init("texcoord", name), .init("symbol", binding.symbol)] + (set.map { [.init("set", "\($0)")] } ?? [])
        }
        guard let choice = binding.texcoords(for: name, among: inputs) else {
            log.add(
                .texcoordMissing, at: Place(position),
                "the material's texture uses \(quoted(name)), but the mesh has no texture coordinates",
                arguments: arguments(nil))
            return
        }
        let set = choice.set ?? 0
        if let bound = binding.vertexInput(for: name), choice.rule != .bound {
            log.add(
                .materialBindVertexInput, at: Place(position),
                "\(quoted(name)) is bound to \(bound.inputSemantic.prefix(40)) \(bound.inputSet.map(String.init) ?? "without a set"), which the mesh does not have; set \(set) is used",
                arguments: arguments(set))
            return
        }
        switch choice.rule {
        case .bound: break
        case .number, .numberFromOne, .only:
            log.add(
                .textureTexcoordEmpty, at: Place(position),
                "the texture's \(quoted(name)) is bound to no input of the mesh; by its name, or as the only one, it is set \(set)",
                arguments: arguments(set), severity: .info)
        case .first:
            log.add(
                .textureTexcoordEmpty, at: Place(position),
                "the texture's \(quoted(name)) is bound to no input of the mesh; the first set, \(set), is used",
                arguments: arguments(set))
        }
    }
}

extension Material {
    /// The names of its textures' coordinates, each once.
    fileprivate var texcoords: [String] {
        var names: [String] = []
        for texture in textures where !names.contains(texture.texcoord) { names.append(texture.texcoord) }
        return names
    }
}

// MARK: - What meshes ask for

/// The symbols of a mesh's primitives.
struct SymbolUse {
    /// In the order of their first primitives.
    var symbols: [String] = []
    /// Of each symbol, the inputs that its primitives have, each list once.
    var inputs: [String: Set<[VertexInputName]>] = [:]
}

/// The symbols of each mesh that was instanced, and what was checked, so that much instancing stays linear.
struct SymbolTable {
    private struct Check: Hashable {
        let geometry: Int
        let binding: MaterialBinding
    }
    private var uses: [Int: SymbolUse] = [:]
    private var checked: Set<Check> = []
    private var steps = 0
    private static let stepLimit = 5_000_000

    /// Whether a finding more may be looked for; hostile documents have more to hold against each other than bytes.
    var mayCheck: Bool {
        mutating get {
            steps += 1
            return steps <= Self.stepLimit
        }
    }

    /// Whether a binding to a mesh is met for the first time.
    mutating func isNew(_ binding: MaterialBinding, _ geometry: Int) -> Bool {
        checked.insert(Check(geometry: geometry, binding: binding)).inserted
    }

    mutating func use(of geometry: Int, in document: ColladaDocument) -> SymbolUse {
        if let use = uses[geometry] { return use }
        let use = Self.use(of: document.geometries[geometry])
        uses[geometry] = use
        return use
    }

    private static func use(of geometry: ColladaDocument.Geometry) -> SymbolUse {
        var use = SymbolUse()
        switch geometry.kind {
        case .mesh(let mesh), .convexMesh(let mesh, hullOf: _):
            let ofVertices = mesh.vertices.map { VertexInputName(semantic: $0.semantic, set: $0.set) }
            for primitive in mesh.primitives {
                guard let symbol = primitive.material, !symbol.isEmpty else { continue }
                if use.inputs[symbol] == nil { use.symbols.append(symbol) }
                let inputs = primitive.inputs.flatMap { input -> [VertexInputName] in
                    input.semantic == "VERTEX"
                        ? ofVertices : [VertexInputName(semantic: input.semantic, set: input.set)]
                }
                use.inputs[symbol, default: []].insert(inputs)
            }
        case .spline, .brep, .empty: break
        }
        return use
    }
}
