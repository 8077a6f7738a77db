// Materials that an instance does not bind to the letter. By the letter the look of such faces is the reader's choice;
// where readers agree on one, it is made, and told.

import SceneModel
import XMLReader

/// A material that is bound though its instance does not say so.
struct BindingCompletion {
    enum Rule {
        /// The mesh asks for the material by its id.
        case id
        /// One symbol is bound that no primitive has, and one kind of primitives is left without a material.
        case onlyOne
    }
    let binding: MaterialBinding
    let rule: Rule
}

/// The bindings of an instance for the mesh that it draws.
struct CompletedBindings {
    /// All, those that were added last.
    let bindings: [MaterialBinding]
    /// One for the only one is the last.
    let added: [BindingCompletion]
}

extension [BindingCompletion] {
    /// What is told of those that were found by their ids, behind that they are not bound.
    var wordsOfIDs: String {
        switch count(where: { $0.rule == .id }) {
        case 0: ""
        case 1: "; the material of that id was taken"
        case let many: "; \(many) materials of these ids were taken"  // numbers
        }
    }
}

extension SceneBuilder {
    /// A list of bindings with what is bound to a geometry beside it.
    ///
    /// - Source: Gazebo's ColladaLoader takes a symbol that is not bound for the id of a material, as assimp does; assimp
    ///   and Blender take the one material of an instance for faces that name none.
    mutating func completed(
        _ list: BindingLists.Index, with geometry: Int, _ use: SymbolUse
    ) -> CompletedBindings {
        let bindings = lists.lists[list]
        guard options.repairs == .made,
            symbols.mayComplete(1 + bindings.count + use.symbols.count, limit: limits.bindings)
        else { return CompletedBindings(bindings: bindings, added: []) }
        let added = additions(to: bindings, for: geometry, use)
        let named = namingSources(bindings, of: geometry)
        let completed = CompletedBindings(
            bindings: added.isEmpty ? named : named + added.map(\.binding), added: added)
        symbols.completions[.init(geometry: geometry, list: list)] = completed
        return completed
    }

    private func additions(
        to bindings: [MaterialBinding], for geometry: Int, _ use: SymbolUse
    ) -> [BindingCompletion] {
        let bound = Set(bindings.map(\.symbol))
        var open = use.symbols.filter { !bound.contains($0) }
        var added: [BindingCompletion] = []
        open.removeAll { symbol in
            guard let material = material(called: symbol, for: geometry) else { return false }
            added.append(.init(binding: MaterialBinding(symbol: symbol, material: material), rule: .id))
            return true
        }
        if use.primitives[""] != nil, !bound.contains("") { open.append("") }
        let idle = bindings.filter { use.primitives[$0.symbol] == nil && $0.material != nil }
        if open.count == 1, let first = idle.first, idle.allSatisfy({ $0.material == first.material }) {
            let binding = MaterialBinding(
                symbol: open[0], material: first.material, vertexInputs: first.vertexInputs,
                parameters: first.parameters)
            added.append(.init(binding: binding, rule: .onlyOne))
        }
        return added
    }

    private func material(called symbol: String, for geometry: Int) -> SceneIndex<Material>? {
        let id = symbol.hasPrefix("#") ? String(symbol.dropFirst()) : symbol
        let home = document.geometries[geometry].position.document
        guard case .material(let found)? = table.lookUp(id, in: home, where: { $0.element == "material" }) else {
            return nil
        }
        return SceneIndex(found)
    }

    /// The bindings with the inputs that `<bind>` names by their sources, as 1.4.0 has it.
    private func namingSources(_ bindings: [MaterialBinding], of geometry: Int) -> [MaterialBinding] {
        let sources = document.geometries[geometry].texcoordSources
        guard options.repairs == .made, !sources.isEmpty, bindings.contains(where: { !$0.parameters.isEmpty }) else {
            return bindings
        }
        return bindings.map { binding in
            let found = binding.parameters.compactMap { parameter -> MaterialBinding.VertexInput? in
                let target = parameter.target.hasPrefix("#") ? parameter.target.dropFirst() : parameter.target[...]
                guard binding.vertexInput(for: parameter.semantic) == nil,
                    let source = sources.first(where: { $0.id == target })
                else { return nil }
                return .init(semantic: parameter.semantic, inputSemantic: source.semantic, inputSet: source.set)
            }
            guard !found.isEmpty else { return binding }
            return MaterialBinding(
                symbol: binding.symbol, material: binding.material, vertexInputs: binding.vertexInputs + found,
                parameters: binding.parameters)
        }
    }
}
