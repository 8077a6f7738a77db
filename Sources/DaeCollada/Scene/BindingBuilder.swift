// The materials of an instance, held against the mesh that it draws.

import DaeDiagnostics
import DaeScene
import DaeXML

/// Makes the bindings of instances, and checks them.
struct BindingBuilder {
    private struct ListUse: Hashable {
        let geometry: Int
        let list: BindingLists.Index
    }
    private var lists: BindingLists
    private var symbols: SymbolTable
    /// By material, the names of its textures' coordinates.
    private let texcoords: [[String]]
    /// What the instances of a mesh of 1.3 have, each list once.
    private var direct: [Int: [MaterialBinding]] = [:]
    /// What instances bind beyond the letter, by their meshes and the lists of what they bind by it.
    private var completions: [ListUse: CompletedBindings] = [:]
    /// Symbols and bindings held against each other for that.
    private var completionWork: WorkBudget
    /// What the references of the instance being looked at lead to.
    private var bound: [SceneIndex<Material>?] = []
    /// The ids of the sources of meshes, once a binding has asked for them.
    private var sources: IDList.Members?

    /// - Parameter context: With the scene's materials.
    init(_ context: SceneContext) {
        lists = BindingLists(materials: context.document.materials.count, geometries: context.document.geometries.count)
        symbols = SymbolTable(limit: context.limits.texcoords)
        texcoords = context.scene.materials.map(\.texcoords)
        completionWork = WorkBudget(context.limits.bindings)
    }

    /// What a node has on which nothing but a geometry hangs.
    mutating func instances(of geometry: Int, _ bindings: [MaterialBinding]) -> [Instance] {
        lists.instances(of: geometry, bindings)
    }

    func reportLimits(to log: inout FindingLog) {
        log.reportLimit(
            of: symbols.work, "texture coordinates of materials are looked for among more inputs than")
        log.reportLimit(
            of: completionWork, "materials that are not bound are looked for among more symbols and bindings than")
    }

    /// - Parameters:
    ///   - geometry: What the instance draws, into the document's geometries; `nil` when that is not known.
    ///   - position: Where the instance is.
    mutating func bindings(
        _ materials: [ColladaDocument.InstanceMaterial], of geometry: Int?, at position: XMLPosition,
        in context: inout SceneContext
    ) -> [MaterialBinding] {
        if materials.isEmpty, let geometry, context.document.version?.hasPrefix("1.3") == true {
            return directBindings(of: geometry, in: &context)
        }
        bound.removeAll(keepingCapacity: true)
        for place in materials.indices {
            bound.append(Self.material(at: materials[place].target, in: &context))
            for parameter in materials[place].parameters { check(parameter, of: materials[place], in: &context) }
        }
        let list = lists.list(of: materials, to: bound)
        let bindings = lists.lists[list]
        guard let geometry, !isSound(list, with: geometry, in: &context) else { return bindings }
        let use = symbols.use(of: geometry, in: context.document)
        let known = completions[.init(geometry: geometry, list: list)]
        let completed = known ?? completed(list, with: geometry, use, in: &context)
        Self.checkSymbols(bindings, use, completed.added, at: position, &context.log)
        for (binding, element) in zip(completed.bindings, materials) {
            checkTexcoords(binding, of: geometry, use, at: element.target.position, in: &context)
        }
        if known == nil {
            for one in completed.added { checkTexcoords(one.binding, of: geometry, use, at: position, in: &context) }
        }
        return completed.bindings
    }

    /// Whether there is nothing to report about a list of bindings and a geometry: found once, and then remembered.
    private mutating func isSound(
        _ list: BindingLists.Index, with geometry: Int, in context: inout SceneContext
    ) -> Bool {
        if lists.isSound(list, with: geometry) { return true }
        // In a span: what is taken out of a list would be copied.
        let geometries = context.document.geometries.span
        guard geometries[geometry].kind.isSound(with: lists.lists[list], texcoords) else { return false }
        lists.noteSound(list, with: geometry)
        return true
    }

    private static func material(
        at reference: ColladaDocument.Reference, in context: inout SceneContext
    ) -> SceneIndex<Material>? {
        let plain = context.table.plainTarget(of: reference)?.index(of: .material)
        return (plain ?? context.find(reference, .material, else: .materialTargetUnresolved)).map { SceneIndex($0) }
    }

    /// 1.3 has the address of a material where there is a symbol now.
    private mutating func directBindings(of geometry: Int, in context: inout SceneContext) -> [MaterialBinding] {
        if let known = direct[geometry] { return known }
        var bindings: [MaterialBinding] = []
        for symbol in symbols.use(of: geometry, in: context.document).symbols {
            let id = symbol.hasPrefix("#") ? String(symbol.dropFirst()) : symbol
            if let index = context.table.lookUp(id, .material) {
                bindings.append(MaterialBinding(symbol: symbol, material: SceneIndex(index)))
            }
        }
        direct[geometry] = bindings
        return bindings
    }

    /// What a parameter reads need not be part of the scene, but its address begins with an id or leads nowhere.
    private mutating func check(
        _ parameter: MaterialBinding.Parameter, of material: ColladaDocument.InstanceMaterial,
        in context: inout SceneContext
    ) {
        if let address = TargetAddress(parameter.target) {
            let id = address.id.isEmpty ? address.endings.first?.name ?? "" : address.id
            if context.table.lookUp(id, in: material.target.document, where: { _ in true }) != nil
                || isSource(id, in: context.document)
            {
                return
            }
        } else if parameter.target.isEmpty, context.options.schema != .off {
            return  // reported as missing
        }
        context.log.add(
            .sidrefUnresolved, at: Place(material.target.position),
            "the effect's \(parameter.semantic.quoted()) is bound to \(parameter.target.quoted()), which leads to nothing",
            arguments: [.init("reference", parameter.target)])
    }

    /// Whether it is the id of a mesh's source, which old exporters bind.
    private mutating func isSource(_ id: String, in document: ColladaDocument) -> Bool {
        if sources == nil {
            var ids = document.sourceIDs
            ids.append(document.geometries.lazy.flatMap(\.sourceIDs))
            sources = ids.members
        }
        return !id.isEmpty && sources?.contains(id) ?? false
    }

    // MARK: - Symbols

    private static func checkSymbols(
        _ bindings: [MaterialBinding], _ use: SymbolUse, _ added: [BindingCompletion], at position: XMLPosition,
        _ log: inout FindingLog
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
        _ binding: MaterialBinding, of geometry: Int, _ use: SymbolUse, at position: XMLPosition,
        in context: inout SceneContext
    ) {
        guard let material = binding.material, let primitives = use.primitives[binding.symbol] else { return }
        let names = texcoords[material.value]
        guard !names.isEmpty, symbols.isNew(binding, geometry),
            let mesh = context.document.geometries[geometry].kind.mesh,
            let lists = symbols.inputs(of: binding.symbol, at: primitives, in: mesh, of: geometry)
        else { return }
        let others = mesh.vertices.count + binding.vertexInputs.count
        for name in names {
            for inputs in lists {
                guard symbols.mayCheck(inputs.count + others) else { return }
                Self.checkTexcoord(name, binding, mesh.whole(inputs), at: position, &context.log)
            }
        }
    }

    private static func checkTexcoord(
        _ name: String, _ binding: MaterialBinding, _ inputs: [VertexInputName], at position: XMLPosition,
        _ log: inout FindingLog
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

    // MARK: - Completions

    // Materials that an instance does not bind to the letter. By the letter the look of such faces is the reader's
    // choice; where readers agree on one, it is made, and reported.

    /// A list of bindings with what is bound to a geometry beside it.
    ///
    /// - Source: Gazebo's ColladaLoader takes a symbol that is not bound for the id of a material, as assimp does; assimp
    ///   and Blender take the one material of an instance for faces that name none.
    private mutating func completed(
        _ list: BindingLists.Index, with geometry: Int, _ use: SymbolUse, in context: inout SceneContext
    ) -> CompletedBindings {
        let bindings = lists.lists[list]
        guard context.options.repairs == .made, completionWork.admits(1 + bindings.count + use.symbols.count)
        else { return CompletedBindings(bindings: bindings, added: []) }
        let added = Self.additions(to: bindings, for: geometry, use, in: &context)
        let named = Self.namingSources(bindings, of: geometry, in: &context)
        let completed = CompletedBindings(bindings: added.isEmpty ? named : named + added.map(\.binding), added: added)
        completions[.init(geometry: geometry, list: list)] = completed
        return completed
    }

    private static func additions(
        to bindings: [MaterialBinding], for geometry: Int, _ use: SymbolUse, in context: inout SceneContext
    ) -> [BindingCompletion] {
        let bound = Set(bindings.map(\.symbol))
        var open = use.symbols.filter { !bound.contains($0) }
        var added: [BindingCompletion] = []
        open.removeAll { symbol in
            guard let material = material(called: symbol, for: geometry, in: &context) else { return false }
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

    private static func material(
        called symbol: String, for geometry: Int, in context: inout SceneContext
    ) -> SceneIndex<Material>? {
        let id = symbol.hasPrefix("#") ? String(symbol.dropFirst()) : symbol
        let home = context.document.geometries[geometry].position.document
        return context.table.lookUp(id, in: home, .material).map { SceneIndex($0) }
    }

    /// The bindings with the inputs that `<bind>` names by their sources, as 1.4.0 has it.
    private static func namingSources(
        _ bindings: [MaterialBinding], of geometry: Int, in context: inout SceneContext
    ) -> [MaterialBinding] {
        let sources = context.document.geometries[geometry].texcoordSources
        guard context.options.repairs == .made, !sources.isEmpty, bindings.contains(where: { !$0.parameters.isEmpty })
        else {
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

extension ColladaDocument.Geometry {
    fileprivate var sourceIDs: [String] { kind.mesh?.sources.compactMap(\.id) ?? [] }
}

/// A material that is bound though its instance does not say so.
private struct BindingCompletion {
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
private struct CompletedBindings {
    /// All, those that were added last.
    let bindings: [MaterialBinding]
    /// One for the only one is the last.
    let added: [BindingCompletion]
}

extension [BindingCompletion] {
    /// What is reported about those that were found by their ids, behind that they are not bound.
    fileprivate var wordsOfIDs: String {
        switch count(where: { $0.rule == .id }) {
        case 0: ""
        case 1: "; the material of that id was taken"
        case let many: "; \(many) materials of these ids were taken"  // numbers
        }
    }
}
