// The content models as flat lists of small numbers: what is asked for at every element and attribute of a document
// costs neither a copy nor a count of references. What is asked only where something is wrong is in the models.

struct SchemaTables: Sendable {
    /// What the checking of an element's text comes to.
    enum Text: Sendable {
        /// Any text at all.
        case free
        /// White space only.
        case blank
        /// By the letter not even white space.
        case none
        /// Held against the type at the end.
        case value(SimpleType.ID, PlainForm)
        /// Held against the type's items as they come.
        case list(SimpleType.ID)
    }
    struct TypeRow: Sendable {
        /// Into ``states``; -1 where there are no children.
        var firstState: Int32 = -1
        let firstAttribute: Int32
        let attributeCount: Int32
        /// A bit for each that must be there.
        let required: UInt64
        let text: Text
        /// Whether anything may stand in it.
        let isFree: Bool
    }
    struct StateRow: Sendable {
        let firstEdge: Int32
        let edgeCount: Int32
        let isAccepting: Bool
        /// Where a child of any other name leads; -1 where none may stand.
        let rest: Int32
    }
    struct Edge: Sendable {
        let name: Int32
        let declaration: Int32
        let target: Int32
        let child: Int32
    }
    struct Attribute: Sendable {
        let name: Int32
        let type: SimpleType.ID
        let form: PlainForm
        let isID: Bool
    }

    let models: ContentModels
    /// By number of the reader's vocabulary; -1 for what the schema does not have.
    private let names: [Int32]
    private(set) var types: [TypeRow] = []
    /// By declaration.
    let typeOf: [Int32]
    /// The name of `<technique>`, and that of its attribute.
    let technique: Int32
    let profile: Int32
    /// By name, -1 without.
    private let globals: [Int32]
    private var states: [StateRow] = []
    private var edges: [Edge] = []
    private let attributes: [Attribute]

    static func tables(for version: SchemaVersion, lenient isLenient: Bool) -> SchemaTables {
        switch (version, isLenient) {
        case (.collada14, true): lenient14
        case (.collada14, false): strict14
        case (.collada15, true): lenient15
        case (.collada15, false): strict15
        }
    }
    private static let lenient14 = SchemaTables(.models(for: .collada14), lenient: true)
    private static let strict14 = SchemaTables(.models(for: .collada14), lenient: false)
    private static let lenient15 = SchemaTables(.models(for: .collada15), lenient: true)
    private static let strict15 = SchemaTables(.models(for: .collada15), lenient: false)

    private init(_ models: ContentModels, lenient isLenient: Bool) {
        self.models = models
        names = ColladaVocabulary.shared.texts.map { Int32(models.name($0)?.index ?? -1) }
        technique = Int32(models.name("technique")?.index ?? -1)
        profile = Int32(models.name("profile")?.index ?? -1)
        typeOf = models.declarations.map { Int32($0.type.index) }
        globals = models.globals.map { Int32($0?.index ?? -1) }
        let plain = models.simpleTypes.indices.map { PlainForm(SimpleType.ID(index: $0), models) }
        var attributes: [Attribute] = []
        var types: [TypeRow] = []
        for type in models.types {
            var required: UInt64 = 0
            let first = attributes.count
            for (index, rule) in type.attributes.enumerated() {
                switch rule.use {
                case .required: required |= 1 << UInt64(index & 63)
                case .optional: break
                }
                var isID = false
                if case .builtIn(.id) = models[rule.type].form { isID = true }
                attributes.append(
                    Attribute(
                        name: Int32(rule.name.index), type: rule.type, form: plain[rule.type.index], isID: isID))
            }
            types.append(
                TypeRow(
                    firstAttribute: Int32(first), attributeCount: Int32(type.attributes.count), required: required,
                    text: Self.text(of: type, plain, models, lenient: isLenient), isFree: type.isFree))
        }
        self.attributes = attributes
        self.types = types
        for (index, type) in models.types.enumerated() {
            switch type.content {
            case .children(let automaton): self.types[index].firstState = add(automaton)
            case .empty:
                if isLenient, let lost = type.lostContent { self.types[index].firstState = add(lost) }
            case .simple, .anything: break
            }
        }
    }

    private static func text(
        of type: ElementType, _ plain: [PlainForm], _ models: ContentModels, lenient isLenient: Bool
    ) -> Text {
        switch type.content {
        case .anything: return .free
        case .children: return .blank
        case .empty: return isLenient ? .blank : .none
        case .simple(let simple):
            if case .list = models[simple].form { return .list(simple) }
            switch plain[simple.index] {
            case .any: return .free
            case .ncName, .unsigned, .reference, .other: return .value(simple, plain[simple.index])
            }
        }
    }

    private mutating func add(_ automaton: ContentAutomaton) -> Int32 {
        let first = Int32(states.count)
        for state in automaton.states {
            let named = state.edges.filter { $0.name != nil }
            let rest = state.edges.last { $0.name == nil }.map { first + Int32($0.target) } ?? -1
            states.append(
                StateRow(
                    firstEdge: Int32(edges.count), edgeCount: Int32(named.count), isAccepting: state.isAccepting,
                    rest: rest))
            for edge in named {
                edges.append(
                    Edge(
                        name: Int32(edge.name?.index ?? -1), declaration: Int32(edge.declaration.index),
                        target: first + Int32(edge.target), child: Int32(edge.child)))
            }
        }
        return first
    }

    // MARK: - Looking up

    /// By a number of the reader's vocabulary; -1 for what the schema does not have.
    func name(_ number: Int) -> Int32 { names[number] }

    func global(_ name: Int32) -> Int32 { name >= 0 && Int(name) < globals.count ? globals[Int(name)] : -1 }

    func isAccepting(_ state: Int32) -> Bool { state < 0 || states[Int(state)].isAccepting }

    /// The way from a state by the child of a name; `nil` where there is none, or only that of any name.
    func edge(from state: Int32, _ name: Int32) -> Edge? {
        guard state >= 0, name >= 0 else { return nil }
        let row = states[Int(state)]
        var low = Int(row.firstEdge)
        var high = low + Int(row.edgeCount)
        let end = high
        while low < high {
            let middle = (low + high) / 2
            if edges[middle].name < name { low = middle + 1 } else { high = middle }
        }
        return low < end && edges[low].name == name ? edges[low] : nil
    }

    /// Where a child leads that ``edge(from:_:)`` has no way for; -1 where none may stand.
    func rest(from state: Int32) -> Int32 { state < 0 ? -1 : states[Int(state)].rest }

    /// The attribute of a name in a type, and its number there.
    func attribute(_ name: Int32, of type: Int32) -> (rule: Attribute, number: Int)? {
        guard name >= 0 else { return nil }
        let row = types[Int(type)]
        let first = Int(row.firstAttribute)
        for index in first..<first + Int(row.attributeCount) where attributes[index].name == name {
            return (attributes[index], index - first)
        }
        return nil
    }
}

extension ElementType {
    fileprivate var isFree: Bool {
        switch content {
        case .anything: true
        case .empty, .simple, .children: false
        }
    }
}
