// The content models of one schema: what each element may contain, in which order and how often, its attributes and
// the types of both. Made from the grammar on first use; the reader itself does without it.

import Synchronization

/// A name of the table: of an element, or of an attribute.
package struct SchemaName: Sendable, Hashable {
    /// Index into `ContentModels.names`.
    package let index: Int
}

package struct ElementType: Sendable {
    package enum Content: Sendable {
        /// Nothing, by the letter not even white space.
        case empty
        case simple(SimpleType.ID)
        case children(ContentMachine)
        /// Any elements and text, and any attributes.
        case anything
    }
    /// Index into `ContentModels.types`.
    package struct ID: Sendable, Hashable {
        package let index: Int
    }
    /// The row it stands in, and for one written on the spot the way there: `skin`, `skin/joints`.
    package let name: String
    package let attributes: [AttributeRule]
    package let content: Content
    /// What an element that is empty by the letter was meant to contain; `nil` for every other.
    package let lostContent: ContentMachine?
}

package struct AttributeRule: Sendable {
    package enum Use: Sendable { case required, optional }
    package let name: SchemaName
    package let type: SimpleType.ID
    package let use: Use
    package let defaultValue: String?
}

/// An element at one place of a content.
package struct ElementDeclaration: Sendable {
    /// Index into `ContentModels.declarations`.
    package struct ID: Sendable, Hashable {
        package let index: Int
        /// Any element, with anything in it.
        static let anything = ID(index: 0)
    }
    package let id: ID
    package let name: SchemaName
    package let type: ElementType.ID
    /// What it means when it is empty; an empty text is then no fault.
    package let defaultValue: String?
}

package struct ContentModels: Sendable {
    package let version: SchemaVersion
    /// Every name of an element or attribute, each once; one of another namespace has its prefix: `xml:base`,
    /// `mathml:math`.
    package internal(set) var names: [String] = []
    package internal(set) var types: [ElementType] = []
    package internal(set) var simpleTypes: [SimpleType] = []
    package internal(set) var declarations: [ElementDeclaration] = []
    /// By name, what an element is checked by wherever anything may stand: all of 1.4.1's named ones, of 1.5's `COLLADA`.
    var globals: [ElementDeclaration.ID?] = []
    var numbers: [String: Int] = [:]

    /// The table of one schema; parsed and built once.
    package static func models(for version: SchemaVersion) -> ContentModels {
        switch version {
        case .collada14: collada14
        case .collada15: collada15
        }
    }
    private static let collada14 = ContentModelBuilder.build(.collada14, from: ElementGrammar.rows).models
    private static let collada15 = ContentModelBuilder.build(.collada15, from: ElementGrammar.rows).models

    // MARK: - Looking up

    /// `nil` for a name that the schema does not have.
    package func name(_ text: String) -> SchemaName? { numbers[text].map { SchemaName(index: $0) } }
    package func text(_ name: SchemaName) -> String { names[name.index] }
    package subscript(_ id: ElementType.ID) -> ElementType { types[id.index] }
    package subscript(_ id: SimpleType.ID) -> SimpleType { simpleTypes[id.index] }
    package subscript(_ id: ElementDeclaration.ID) -> ElementDeclaration { declarations[id.index] }

    /// The declaration that an element has wherever anything is allowed, as in `<technique>`; `nil` where it has none.
    package func global(_ name: SchemaName) -> ElementDeclaration? {
        name.index < globals.count ? globals[name.index].map { self[$0] } : nil
    }

    /// `COLLADA`.
    package var root: ElementDeclaration? { name("COLLADA").flatMap { global($0) } }
}

/// The machine of one content, made when it is first asked for: of the hundreds that a schema has, a document needs a
/// few dozen.
///
/// A class since it is made once for all who hold it.
package final class ContentMachine: Sendable {
    private enum Making {
        case waiting(GrammarParticle, ContentAutomatonBuilder.Context)
        case made(ContentAutomaton)
    }
    private let making: Mutex<Making>

    init(of particle: GrammarParticle, _ context: ContentAutomatonBuilder.Context) {
        making = Mutex(.waiting(particle, context))
    }

    package var automaton: ContentAutomaton {
        making.withLock { making in
            switch making {
            case .made(let automaton): return automaton
            case .waiting(let particle, let context):
                let automaton = ContentAutomatonBuilder.automaton(of: particle, context)
                making = .made(automaton)
                return automaton
            }
        }
    }
}

// Looks up the names in the grammar's rows for one version and numbers what they stand for. Rows refer to each other in
// circles (a node holds nodes), so types are numbered when they are first named and filled in from a list of work.

struct ContentModelBuilder {
    private(set) var models: ContentModels
    /// What the rows name and do not have.
    private(set) var problems: [String] = []

    private let rows: GrammarRows

    /// Numbers of types, by row or by the way to them.
    private var typeNumbers: [String: Int] = [:]
    /// Those of elements with a text and no attributes, by the type of the text.
    private var plainTypes: [ElementType.ID?] = []
    /// By name, the last content that an element of that name was met in.
    private var contentOfName: [Int] = []
    /// Contents so far; the first is number 1.
    private var contents = 0
    private var simpleTypeNumbers: [String: Int] = [:]
    private var filled: [ElementType?] = []
    private var work: [(id: ElementType.ID, name: String, type: GrammarType)] = []

    static func build(_ version: SchemaVersion, from rows: [GrammarRow]) -> ContentModelBuilder {
        var builder = ContentModelBuilder(version, GrammarRows(rows, version))
        builder.addAnything()
        builder.addGlobals()
        while let (id, name, type) = builder.work.popLast() {
            builder.filled[id.index] = builder.elementType(named: name, type)
        }
        builder.models.types = builder.filled.compactMap { $0 }
        return builder
    }

    private init(_ version: SchemaVersion, _ rows: GrammarRows) {
        models = ContentModels(version: version)
        self.rows = rows
        problems = rows.repeated.map { "\($0) stands in two rows" }
    }

    // MARK: - Names and types

    private mutating func schemaName(_ text: String) -> SchemaName {
        if let known = models.name(text) { return known }
        let name = SchemaName(index: models.names.count)
        models.names.append(text)
        models.numbers[text] = name.index
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
        typeNumbers["anyType"] = id.index
        _ = declare(schemaName("*"), id, defaultValue: nil)
    }

    private mutating func addGlobals() {
        guard case .choice(let parts)? = rows.group("global")?.term else {
            guard case .sequence(let parts)? = rows.group("global")?.term else { return }
            return addGlobals(parts)
        }
        addGlobals(parts)
    }

    private mutating func addGlobals(_ parts: [GrammarParticle]) {
        for part in parts {
            guard case .element(let element) = part.term else { continue }
            let name = schemaName(element.name)
            let declaration = declare(element, name, in: "")
            while models.globals.count <= name.index { models.globals.append(nil) }
            models.globals[name.index] = declaration
        }
    }

    private mutating func declare(
        _ name: SchemaName, _ type: ElementType.ID, defaultValue: String?
    ) -> ElementDeclaration.ID {
        let id = ElementDeclaration.ID(index: models.declarations.count)
        models.declarations.append(ElementDeclaration(id: id, name: name, type: type, defaultValue: defaultValue))
        return id
    }

    private mutating func rowType(_ name: String) -> ElementType.ID {
        if let known = typeNumbers[name] { return ElementType.ID(index: known) }
        let id = newType()
        typeNumbers[name] = id.index
        let row = rows.type(name)
        if row == nil { problems.append("no row \(name)") }
        work.append((id, name, row ?? GrammarType()))
        return id
    }

    private mutating func localType(_ name: String, _ type: GrammarType) -> ElementType.ID {
        if let known = typeNumbers[name] { return ElementType.ID(index: known) }
        let id = newType()
        typeNumbers[name] = id.index
        work.append((id, name, type))
        return id
    }

    private mutating func plainType(_ simple: SimpleType.ID) -> ElementType.ID {
        while plainTypes.count <= simple.index { plainTypes.append(nil) }
        if let known = plainTypes[simple.index] { return known }
        let id = newType()
        plainTypes[simple.index] = id
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
        var lost: ContentMachine?
        switch type.content {
        case .empty: break
        case .simple(let reference): content = .simple(simpleType(reference))
        case .particles(let particle): content = .children(machine(of: particle, in: name))
        case .lost(let particle): lost = machine(of: particle, in: name)
        }
        return ElementType(name: name, attributes: attributes, content: content, lostContent: lost)
    }

    private mutating func machine(of particle: GrammarParticle, in owner: String) -> ContentMachine {
        var elements: [ContentAutomatonBuilder.Element] = []
        var groups: Set<String> = []
        contents += 1
        // With what each part belongs to: a group's own elements are the same wherever the group stands.
        var parts = [(particle, owner)]
        while let (part, owner) = parts.popLast() {
            guard part.versions.includes(models.version) else { continue }
            switch part.term {
            case .element(let element):
                let name = schemaName(element.name)
                while contentOfName.count <= name.index { contentOfName.append(0) }
                guard contentOfName[name.index] != contents else { continue }
                contentOfName[name.index] = contents
                elements.append(
                    .init(text: element.name, name: name, declaration: declare(element, name, in: owner)))
            case .any: break
            case .sequence(let inner), .choice(let inner): for part in inner.reversed() { parts.append((part, owner)) }
            case .group(let name):
                guard let group = rows.group(name) else {
                    problems.append("no group \(name)")
                    continue
                }
                if groups.insert(name).inserted { parts.append((group, "%" + name)) }
            }
        }
        return ContentMachine(
            of: particle,
            .init(version: models.version, groups: rows, elements: elements, nameCount: models.names.count))
    }

    private mutating func declare(
        _ element: GrammarElement, _ name: SchemaName, in owner: String
    ) -> ElementDeclaration.ID {
        let type: ElementType.ID
        switch element.body {
        case .ownRow: type = rowType(element.name)
        case .reference(let reference):
            if reference.shape == .one, rows.type(reference.name) != nil || reference.name == "anyType" {
                type = rowType(reference.name)
            } else {
                type = plainType(simpleType(reference))
            }
        case .local(let local): type = localType(owner + "/" + element.name, local)
        }
        return declare(name, type, defaultValue: element.defaultValue)
    }
}

// MARK: - Simple types

extension ContentModelBuilder {
    private mutating func simpleType(_ reference: GrammarTypeReference) -> SimpleType.ID {
        if let known = simpleTypeNumbers[reference.text] { return SimpleType.ID(index: known) }
        let type: SimpleType
        switch reference.shape {
        case .list(let length):
            let item = simpleType(GrammarTypeReference(name: reference.name, shape: .one))
            type = SimpleType(
                name: reference.text, form: .list(item: item, least: length ?? 0, most: length))
        case .one: type = SimpleType(name: reference.name, form: form(ofTypeNamed: reference.name))
        }
        models.simpleTypes.append(type)
        let id = SimpleType.ID(index: models.simpleTypes.count - 1)
        simpleTypeNumbers[reference.text] = id.index
        return id
    }

    private mutating func form(ofTypeNamed name: String) -> SimpleType.Form {
        // XML Schema's own list of references asks for one at least.
        if name == "IDREFS" {
            return .list(item: simpleType(GrammarTypeReference(name: "IDREF", shape: .one)), least: 1, most: nil)
        }
        guard let row = rows.simpleType(name) else {
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
