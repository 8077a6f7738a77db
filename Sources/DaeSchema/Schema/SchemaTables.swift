/// The content models as flat lists of small numbers, for what is asked at every element and attribute of a document; what
/// is asked only where something is wrong is in the models.
///
/// A class since all checkers of a schema share it, and handing it on costs one count of references.
final class SchemaTables: Sendable {
    /// What the checking of an element's text comes to.
    enum Text: BitwiseCopyable, Sendable {
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
        /// Likewise, of so many of `xs:double`.
        case numbers(SimpleType.ID, least: Int, most: Int)
    }
    /// The same without what is only asked for at an element's end or where it has items.
    enum TextKind: BitwiseCopyable, Sendable {
        case free, blank, none, value, list, numbers

        init(_ text: Text) {
            switch text {
            case .free: self = .free
            case .blank: self = .blank
            case .none: self = .none
            case .value: self = .value
            case .list: self = .list
            case .numbers: self = .numbers
            }
        }
    }
    // Each element asks for one, so that it should lie in one line of memory.
    struct TypeRow: BitwiseCopyable, Sendable {
        let attributes: NameSlots
        /// A bit for each that must be there.
        let required: UInt64
        let text: TextKind
        /// Whether anything may stand in it.
        let isFree: Bool
    }
    struct Attribute: NameSlot, Sendable {
        let name: Int32
        let type: SimpleType.ID
        let form: PlainForm
        let isID: Bool
        /// Its place among the type's.
        let bit: UInt64

        static var empty: Attribute {
            Attribute(name: -1, type: SimpleType.ID(index: 0), form: .other, isID: false, bit: 0)
        }
    }

    let models: ContentModels
    /// By number of the reader's vocabulary; -1 for what the schema does not have.
    private let names: [Int32]
    let types: [TypeRow]
    /// By type.
    let texts: [Text]
    /// By declaration.
    let typeOf: [Int32]
    /// The name of `<technique>`, and that of its attribute.
    let technique: Int32
    let profile: Int32
    /// By name, -1 without.
    private let globals: [Int32]
    private let attributes: [Attribute]
    /// What ``PlainForm``s look into.
    let words: [ShortText.Word]
    let numberSteps: [UInt16]

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
    /// Of no schema: not even the root has a place in it.
    static let empty = SchemaTables(ContentModels(version: .collada14), lenient: true)

    init(_ models: ContentModels, lenient isLenient: Bool) {
        self.models = models
        names = ColladaVocabulary.shared.texts.map { Int32(models.name($0)?.index ?? -1) }
        technique = Int32(models.name("technique")?.index ?? -1)
        profile = Int32(models.name("profile")?.index ?? -1)
        typeOf = models.declarations.map { Int32($0.type.index) }
        globals = models.globals.map { Int32($0?.index ?? -1) }
        var builder = SchemaTableBuilder(models, lenient: isLenient)
        for type in models.types { builder.add(type) }
        types = builder.types
        texts = builder.texts
        attributes = builder.attributes
        words = builder.words
        numberSteps = NumberListScan.makeTable()
    }

    // MARK: - Looking up

    /// By a number of the reader's vocabulary; -1 for what the schema does not have.
    @inline(__always)
    func name(_ number: Int) -> Int32 { names[number] }

    func global(_ name: Int32) -> Int32 { name >= 0 && Int(name) < globals.count ? globals[Int(name)] : -1 }

    /// The attribute of a name in a type.
    @inline(__always)
    func attribute(_ name: Int32, of row: TypeRow) -> Attribute? {
        guard name >= 0 else { return nil }
        return row.attributes.find(name, in: attributes)
    }
}

/// Makes rows of what the content models say.
struct SchemaTableBuilder {
    private let models: ContentModels
    private let isLenient: Bool
    private let forms: [PlainForm]
    private(set) var types: [SchemaTables.TypeRow] = []
    private(set) var texts: [SchemaTables.Text] = []
    private(set) var attributes: [SchemaTables.Attribute] = []
    private(set) var words: [ShortText.Word] = []

    init(_ models: ContentModels, lenient isLenient: Bool) {
        self.models = models
        self.isLenient = isLenient
        var words: [ShortText.Word] = []
        forms = models.simpleTypes.indices.map { PlainForm(SimpleType.ID(index: $0), models, &words) }
        self.words = words
    }

    mutating func add(_ type: ElementType) {
        let text = text(of: type)
        texts.append(text)
        types.append(
            SchemaTables.TypeRow(
                attributes: slots(type.attributes), required: type.required, text: .init(text), isFree: type.isFree))
    }

    private mutating func slots(_ rules: [AttributeRule]) -> NameSlots {
        let entries = rules.enumerated().map { place, rule in
            var isID = false
            if case .builtIn(.id) = models[rule.type].form { isID = true }
            return SchemaTables.Attribute(
                name: Int32(rule.name.index), type: rule.type, form: forms[rule.type.index], isID: isID,
                bit: 1 << UInt64(place & 63))
        }
        return NameSlots(entries, in: &attributes)
    }

    private func text(of type: ElementType) -> SchemaTables.Text {
        switch type.content {
        case .anything: return .free
        case .children: return .blank
        case .empty: return isLenient ? .blank : .none
        case .simple(let simple):
            if case .list(let item, let least, let most) = models[simple].form {
                guard case .real = forms[item.index] else { return .list(simple) }
                return .numbers(simple, least: least, most: most ?? .max)
            }
            if case .any = forms[simple.index] { return .free }
            return .value(simple, forms[simple.index])
        }
    }
}

extension ElementType {
    fileprivate var isFree: Bool {
        switch content {
        case .anything: true
        case .empty, .simple, .children: false
        }
    }

    /// A bit for each attribute that must be there.
    fileprivate var required: UInt64 {
        var bits: UInt64 = 0
        for (index, rule) in attributes.enumerated() {
            switch rule.use {
            case .required: bits |= 1 << UInt64(index & 63)
            case .optional: break
            }
        }
        return bits
    }
}

/// An entry of a ``NameSlots`` list.
protocol NameSlot: BitwiseCopyable {
    /// -1 for an empty one.
    var name: Int32 { get }
    static var empty: Self { get }
}

/// Where a few names are looked up by number: each lies where its lowest bits say, or a little behind it.
struct NameSlots: BitwiseCopyable {
    /// Into a list of many such.
    private let first: Int32
    private let mask: Int32

    /// Puts entries of different names behind those of others.
    init<Slot: NameSlot>(_ entries: [Slot], in slots: inout [Slot]) {
        // At least one stays empty, and so ends a search; half of them, so that it ends soon.
        var capacity = 1
        while capacity < 2 * entries.count { capacity *= 2 }
        let start = slots.count
        first = Int32(start)
        mask = Int32(capacity - 1)
        slots += [Slot](repeating: .empty, count: capacity)
        for entry in entries {
            var at = entry.name & mask
            while slots[start + Int(at)].name >= 0 { at = (at + 1) & mask }
            slots[start + Int(at)] = entry
        }
    }

    /// - Parameters:
    ///   - name: At least 0.
    ///   - slots: The list.
    @inline(__always)
    func find<Slot: NameSlot>(_ name: Int32, in slots: [Slot]) -> Slot? {
        var at = name & mask
        while true {
            let place = Int(first &+ at)
            if slots[place].name == name { return slots[place] }
            if slots[place].name < 0 { return nil }
            at = (at &+ 1) & mask
        }
    }
}
