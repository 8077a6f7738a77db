/// Makes rows of what the content models say.
struct SchemaTableBuilder {
    private let models: ContentModels
    private let isLenient: Bool
    private let forms: [PlainForm]
    private(set) var types: [SchemaTables.TypeRow] = []
    private(set) var texts: [SchemaTables.Text] = []
    private(set) var attributes: [SchemaTables.Attribute] = []
    private(set) var words: [PlainBytes.Word] = []

    init(_ models: ContentModels, lenient isLenient: Bool) {
        self.models = models
        self.isLenient = isLenient
        var words: [PlainBytes.Word] = []
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
