// The materials of an instance, held against the mesh that it draws.

import DaeDiagnostics
import DaeScene
import DaeXML

extension SceneBuilder {
    /// - Parameters:
    ///   - geometry: What the instance draws, into the document's geometries; `nil` when that is not known.
    ///   - position: Where the instance is.
    mutating func bindings(
        _ materials: [ColladaDocument.InstanceMaterial], of geometry: Int?, at position: XMLPosition
    ) -> [MaterialBinding] {
        if materials.isEmpty, let geometry, document.version?.hasPrefix("1.3") == true {
            return directBindings(of: geometry)
        }
        bound.removeAll(keepingCapacity: true)
        for place in materials.indices {
            bound.append(self.material(at: materials[place].target))
            for parameter in materials[place].parameters { check(parameter, of: materials[place]) }
        }
        let list = lists.list(of: materials, to: bound)
        let bindings = lists.lists[list]
        guard let geometry, !isSound(list, with: geometry) else { return bindings }
        let use = symbols.use(of: geometry, in: document)
        let known = symbols.completions[.init(geometry: geometry, list: list)]
        let completed = known ?? completed(list, with: geometry, use)
        checkSymbols(bindings, use, completed.added, at: position)
        for (binding, element) in zip(completed.bindings, materials) {
            checkTexcoords(binding, of: geometry, use, at: element.target.position)
        }
        if known == nil {
            for one in completed.added { checkTexcoords(one.binding, of: geometry, use, at: position) }
        }
        return completed.bindings
    }

    /// Whether there is nothing to report about a list of bindings and a geometry: found once, and then remembered.
    mutating func isSound(_ list: BindingLists.Index, with geometry: Int) -> Bool {
        if lists.isSound(list, with: geometry) { return true }
        guard document.geometries[geometry].kind.isSound(with: lists.lists[list], symbols.texcoords) else {
            return false
        }
        lists.noteSound(list, with: geometry)
        return true
    }

    private mutating func material(at reference: ColladaDocument.Reference) -> SceneIndex<Material>? {
        let plain = table.plainTarget(of: reference)?.index(of: .material)
        return (plain ?? find(reference, .material, else: .materialTargetUnresolved)).map { SceneIndex($0) }
    }

    /// 1.3 has the address of a material where there is a symbol now.
    private mutating func directBindings(of geometry: Int) -> [MaterialBinding] {
        if let known = symbols.direct[geometry] { return known }
        var bindings: [MaterialBinding] = []
        for symbol in symbols.use(of: geometry, in: document).symbols {
            let id = symbol.hasPrefix("#") ? String(symbol.dropFirst()) : symbol
            if let index = table.lookUp(id, .material) {
                bindings.append(MaterialBinding(symbol: symbol, material: SceneIndex(index)))
            }
        }
        symbols.direct[geometry] = bindings
        return bindings
    }

    /// What a parameter reads need not be part of the scene, but its address begins with an id or leads nowhere.
    private mutating func check(
        _ parameter: MaterialBinding.Parameter, of material: ColladaDocument.InstanceMaterial
    ) {
        if let address = TargetAddress(parameter.target) {
            let id = address.id.isEmpty ? address.endings.first?.name ?? "" : address.id
            if table.lookUp(id, in: material.target.document, where: { _ in true }) != nil || isSource(id) { return }
        } else if parameter.target.isEmpty, options.schema != .off {
            return  // reported as missing
        }
        log.add(
            .sidrefUnresolved, at: Place(material.target.position),
            "the effect's \(parameter.semantic.quoted()) is bound to \(parameter.target.quoted()), which leads to nothing",
            arguments: [.init("reference", parameter.target)])
    }

    /// Whether it is the id of a mesh's source, which old exporters bind.
    private mutating func isSource(_ id: String) -> Bool {
        if memory.sources == nil {
            var ids = document.sourceIDs
            ids.append(document.geometries.lazy.flatMap(\.sourceIDs))
            memory.sources = ids.members
        }
        return !id.isEmpty && memory.sources?.contains(id) ?? false
    }

    // MARK: - Symbols

    private mutating func checkSymbols(
        _ bindings: [MaterialBinding], _ use: SymbolUse, _ added: [BindingCompletion], at position: XMLPosition
    ) {
        guard !bindings.isEmpty else {
            if let first = use.symbols.first {
                log.add(
                    .materialBindMissing, at: Place(position),
                    "the instance binds no materials, but its mesh asks for \(use.symbols.count), the first as \(first.quoted())\(added.wordsOfIDs)",
                    arguments: [.init("symbol", first)])
            }
            return
        }
        let bound = Set(bindings.map(\.symbol))
        let taken = added.last.flatMap { $0.rule == .onlyOne ? $0.binding : nil }
        for binding in bindings where use.primitives[binding.symbol] == nil {
            let isTaken = taken != nil && taken?.material == binding.material
            let place =
                taken?.symbol == "" ? "those that name none" : "those that ask for \((taken?.symbol ?? "").quoted())"
            log.add(
                .materialSymbolUnused, at: Place(position),
                "the symbol \(binding.symbol.quoted()) is bound, but no primitive of the mesh has it\(isTaken ? "; it was taken for \(place)" : "")",
                arguments: [.init("symbol", binding.symbol)], severity: isTaken ? .warning : nil)
        }
        let missing = use.symbols.count - bound.lazy.filter { use.primitives[$0] != nil }.count
        // Only as many symbols are looked at as are bound: many instances may share a mesh of many symbols.
        guard missing > 0, let first = use.symbols.first(where: { !bound.contains($0) }) else { return }
        log.add(
            .materialSymbolUnbound, at: Place(position),
            "the mesh asks for \(missing) material\(missing == 1 ? "" : "s") that the instance does not bind, the first as \(first.quoted())\(added.wordsOfIDs)",
            arguments: [.init("symbol", first), .init("count", "\(missing)")])
    }

    // MARK: - Texture coordinates

    private mutating func checkTexcoords(
        _ binding: MaterialBinding, of geometry: Int, _ use: SymbolUse, at position: XMLPosition
    ) {
        guard let material = binding.material, let primitives = use.primitives[binding.symbol] else { return }
        let names = symbols.texcoords[material.value]
        guard !names.isEmpty, symbols.isNew(binding, geometry), let mesh = document.geometries[geometry].kind.mesh,
            let lists = symbols.inputs(
                of: binding.symbol, at: primitives, in: mesh, of: geometry, limit: limits.texcoords)
        else { return }
        let others = mesh.vertices.count + binding.vertexInputs.count
        for name in names {
            for inputs in lists {
                guard symbols.mayCheck(inputs.count + others, limit: limits.texcoords) else { return }
                checkTexcoord(name, binding, mesh.whole(inputs), at: position)
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
                "the material's texture uses \(name.quoted()), but the mesh has no texture coordinates",
                arguments: arguments(nil))
            return
        }
        let set = choice.set ?? 0
        if let bound = binding.vertexInput(for: name), choice.rule != .bound {
            log.add(
                .materialBindVertexInput, at: Place(position),
                "\(name.quoted()) is bound to \(bound.inputSemantic.prefix(40)) \(bound.inputSet.map(String.init) ?? "without a set"), which the mesh does not have; set \(set) is used",
                arguments: arguments(set))
            return
        }
        switch choice.rule {
        case .bound: break
        case .number, .numberFromOne, .only:
            log.add(
                .textureTexcoordEmpty, at: Place(position),
                "the texture's \(name.quoted()) is bound to no input of the mesh; by its name, or as the only one, it is set \(set)",
                arguments: arguments(set), severity: .info)
        case .first:
            log.add(
                .textureTexcoordEmpty, at: Place(position),
                "the texture's \(name.quoted()) is bound to no input of the mesh; the first set, \(set), is used",
                arguments: arguments(set))
        }
    }
}

extension ColladaDocument.Geometry {
    fileprivate var sourceIDs: [String] { kind.mesh?.sources.compactMap(\.id) ?? [] }
}

// Materials that an instance does not bind to the letter. By the letter the look of such faces is the reader's choice;
// where readers agree on one, it is made, and reported.

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
    /// What is reported about those that were found by their ids, behind that they are not bound.
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
        return table.lookUp(id, in: home, .material).map { SceneIndex($0) }
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
    mutating func list(
        of materials: [ColladaDocument.InstanceMaterial], to targets: [SceneIndex<Material>?]
    ) -> Index {
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
