// Looks up the names in the grammar's rows for one version and numbers what they stand for. Rows refer to each other in
// circles (a node holds nodes), so types are numbered when they are first named and filled in from a list of work.

struct ContentModelBuilder {
    private(set) var models: ContentModels
    /// What the rows name and do not have.
    private(set) var problems: [String] = []

    private var typeRows: [String: GrammarType] = [:]
    private var groups: [String: GrammarParticle] = [:]
    private var simpleRows: [String: GrammarSimpleType] = [:]

    private var typeIDs: [String: ElementType.ID] = [:]
    private var simpleTypeIDs: [GrammarTypeReference: SimpleType.ID] = [:]
    /// Types of elements that have a simple content and no attributes.
    private var plainTypeIDs: [SimpleType.ID: ElementType.ID] = [:]
    private var filled: [ElementType?] = []
    private var work: [(id: ElementType.ID, name: String, type: GrammarType)] = []

    static func build(_ version: SchemaVersion, from rows: [GrammarRow]) -> ContentModelBuilder {
        var builder = ContentModelBuilder(models: ContentModels(version: version))
        builder.sort(rows)
        builder.addAnything()
        builder.addGlobals()
        while let (id, name, type) = builder.work.popLast() {
            builder.filled[id.index] = builder.elementType(named: name, type)
        }
        builder.models.types = builder.filled.compactMap { $0 }
        return builder
    }

    private init(models: ContentModels) {
        self.models = models
    }

    private mutating func sort(_ rows: [GrammarRow]) {
        for row in rows where row.versions.includes(models.version) {
            let isNew =
                switch row.meaning {
                case .type(let type): typeRows.updateValue(type, forKey: row.name) == nil
                case .group(let particle): groups.updateValue(particle, forKey: row.name) == nil
                case .simple(let type): simpleRows.updateValue(type, forKey: row.name) == nil
                }
            if !isNew { problems.append("\(row.name) stands in two rows") }
        }
    }

    // MARK: - Names and types

    private mutating func schemaName(_ text: String) -> SchemaName {
        if let known = models.numbers[text] { return known }
        let name = SchemaName(index: models.names.count)
        models.names.append(text)
        models.numbers[text] = name
        return name
    }

    private mutating func newType() -> ElementType.ID {
        filled.append(nil)
        return ElementType.ID(index: filled.count - 1)
    }

    /// Type and declaration 0: any element, with anything in it.
    private mutating func addAnything() {
        let id = newType()
        filled[id.index] = ElementType(name: "anyType", attributes: [], content: .anything, lostContent: nil)
        typeIDs["anyType"] = id
        _ = declaration(ElementDeclaration(name: schemaName("*"), type: id, defaultValue: nil))
    }

    private mutating func addGlobals() {
        guard case .choice(let parts)? = groups["global"]?.term else {
            guard case .sequence(let parts)? = groups["global"]?.term else { return }
            return addGlobals(parts)
        }
        addGlobals(parts)
    }

    private mutating func addGlobals(_ parts: [GrammarParticle]) {
        for part in parts {
            guard case .element(let element) = part.term else { continue }
            let (name, declaration) = declare(element, in: "")
            models.globals[name] = declaration
        }
    }

    private mutating func declaration(_ declaration: ElementDeclaration) -> ElementDeclaration.ID {
        models.declarations.append(declaration)
        return ElementDeclaration.ID(index: models.declarations.count - 1)
    }

    private mutating func rowType(_ name: String) -> ElementType.ID {
        if let known = typeIDs[name] { return known }
        let id = newType()
        typeIDs[name] = id
        if typeRows[name] == nil { problems.append("no row \(name)") }
        work.append((id, name, typeRows[name] ?? GrammarType()))
        return id
    }

    private mutating func localType(_ name: String, _ type: GrammarType) -> ElementType.ID {
        if let known = typeIDs[name] { return known }
        let id = newType()
        typeIDs[name] = id
        work.append((id, name, type))
        return id
    }

    private mutating func plainType(_ simple: SimpleType.ID) -> ElementType.ID {
        if let known = plainTypeIDs[simple] { return known }
        let id = newType()
        plainTypeIDs[simple] = id
        filled[id.index] = ElementType(
            name: models[simple].name, attributes: [], content: .simple(simple), lostContent: nil)
        return id
    }

    // MARK: - Elements

    private mutating func elementType(named name: String, _ type: GrammarType) -> ElementType {
        let version = models.version
        let attributes = type.attributes.filter { $0.versions.includes(version) }.map { attribute in
            AttributeRule(
                name: schemaName(attribute.name), type: simpleType(attribute.type), use: attribute.use,
                defaultValue: attribute.defaultValue)
        }
        var content = ElementType.Content.empty
        var lost: ContentAutomaton?
        switch type.content {
        case .empty: break
        case .simple(let reference): content = .simple(simpleType(reference))
        case .particles(let particle): content = .children(automaton(of: particle, in: name))
        case .lost(let particle): lost = automaton(of: particle, in: name)
        }
        return ElementType(name: name, attributes: attributes, content: content, lostContent: lost)
    }

    private mutating func automaton(of particle: GrammarParticle, in owner: String) -> ContentAutomaton {
        var elements: [String: (name: SchemaName, declaration: ElementDeclaration.ID)] = [:]
        // With what each part belongs to: a group's own elements are the same wherever the group stands.
        var parts = [(particle, owner)]
        var seenGroups: Set<String> = []
        while let (part, owner) = parts.popLast() {
            guard part.versions.includes(models.version) else { continue }
            switch part.term {
            case .element(let element):
                if elements[element.name] == nil { elements[element.name] = declare(element, in: owner) }
            case .any: break
            case .sequence(let inner), .choice(let inner): parts += inner.reversed().map { ($0, owner) }
            case .group(let name):
                if groups[name] == nil { problems.append("no group \(name)") }
                if let group = groups[name], seenGroups.insert(name).inserted { parts.append((group, "%" + name)) }
            }
        }
        return ContentAutomatonBuilder.automaton(
            of: particle,
            .init(version: models.version, groups: groups, elements: elements, wildcard: .anything))
    }

    private mutating func declare(
        _ element: GrammarElement, in owner: String
    ) -> (SchemaName, ElementDeclaration.ID) {
        let type: ElementType.ID
        switch element.body {
        case .ownRow: type = rowType(element.name)
        case .reference(let reference):
            if reference.shape == .one, typeRows[reference.name] != nil || reference.name == "anyType" {
                type = rowType(reference.name)
            } else {
                type = plainType(simpleType(reference))
            }
        case .local(let local): type = localType(owner + "/" + element.name, local)
        }
        let name = schemaName(element.name)
        return (name, declaration(ElementDeclaration(name: name, type: type, defaultValue: element.defaultValue)))
    }
}

// MARK: - Simple types

extension ContentModelBuilder {
    private mutating func simpleType(_ reference: GrammarTypeReference) -> SimpleType.ID {
        if let known = simpleTypeIDs[reference] { return known }
        let type: SimpleType
        switch reference.shape {
        case .list(let length):
            let item = simpleType(GrammarTypeReference(name: reference.name, shape: .one))
            type = SimpleType(
                name: "\(reference.name)[\(length.map(String.init) ?? "")]",
                form: .list(item: item, least: length ?? 0, most: length))
        case .one: type = SimpleType(name: reference.name, form: form(ofTypeNamed: reference.name))
        }
        models.simpleTypes.append(type)
        let id = SimpleType.ID(index: models.simpleTypes.count - 1)
        simpleTypeIDs[reference] = id
        return id
    }

    private mutating func form(ofTypeNamed name: String) -> SimpleType.Form {
        // XML Schema's own list of references asks for one at least.
        if name == "IDREFS" {
            return .list(item: simpleType(GrammarTypeReference(name: "IDREF", shape: .one)), least: 1, most: nil)
        }
        guard let row = simpleRows[name] else {
            if let builtIn = BuiltInType(rawValue: name) { return .builtIn(builtIn) }
            problems.append("no simple type \(name)")
            return .builtIn(.string)
        }
        switch row.rule {
        case .same:
            let base = simpleType(row.base)
            return models[base].form
        case .values(let values): return .values(base: simpleType(row.base), values)
        case .range(let range): return .range(base: simpleType(row.base), range)
        case .form(let form): return .text(base: simpleType(row.base), form)
        case .union(let names):
            return .union(names.map { simpleType(GrammarTypeReference(name: $0, shape: .one)) })
        }
    }
}
