// The content models as flat lists of small numbers: what is asked for at every element and attribute of a document
// costs neither a copy nor a count of references. What is asked only where something is wrong is in the models.

struct SchemaTables: Sendable {
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
    private let names: FixedList<Int32>
    let types: FixedList<TypeRow>
    /// By type.
    let texts: FixedList<Text>
    /// By declaration.
    let typeOf: FixedList<Int32>
    /// The name of `<technique>`, and that of its attribute.
    let technique: Int32
    let profile: Int32
    /// By name, -1 without.
    private let globals: FixedList<Int32>
    private let attributes: FixedList<Attribute>
    /// What ``PlainForm``s look into.
    let words: FixedList<PlainBytes.Word>
    let numberSteps: FixedList<UInt16>

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
        names = FixedList(ColladaVocabulary.shared.texts.map { Int32(models.name($0)?.index ?? -1) })
        technique = Int32(models.name("technique")?.index ?? -1)
        profile = Int32(models.name("profile")?.index ?? -1)
        typeOf = FixedList(models.declarations.map { Int32($0.type.index) })
        globals = FixedList(models.globals.map { Int32($0?.index ?? -1) })
        var builder = SchemaTableBuilder(models, lenient: isLenient)
        for type in models.types { builder.add(type) }
        types = FixedList(builder.types)
        texts = FixedList(builder.texts)
        attributes = FixedList(builder.attributes)
        words = FixedList(builder.words)
        numberSteps = NumberListScan.makeTable()
    }

    // MARK: - Looking up

    /// By a number of the reader's vocabulary; -1 for what the schema does not have.
    @inline(__always)
    func name(_ number: Int) -> Int32 { names[Int32(truncatingIfNeeded: number)] }

    func global(_ name: Int32) -> Int32 { name >= 0 && Int(name) < globals.count ? globals[name] : -1 }

    /// The attribute of a name in a type.
    @inline(__always)
    func attribute(_ name: Int32, of row: UnsafePointer<TypeRow>) -> UnsafePointer<Attribute>? {
        guard name >= 0 else { return nil }
        return row.pointee.attributes.find(name, in: attributes.at(0))
    }
}
