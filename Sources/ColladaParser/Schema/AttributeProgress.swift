/// Holds the attributes of one element against its type. Those of namespaces (`xmlns`), of `xsi:` and, where the type
/// does not have them, of `xml:` are no matter of the type: they are not handed in.
package struct AttributeProgress: Sendable {
    package let type: ElementType.ID
    /// Which of the type's rules were met, by their number.
    private var met: UInt64 = 0

    package init(_ type: ElementType.ID) {
        self.type = type
    }

    package enum Verdict: Sendable, Equatable {
        case valid
        /// No attribute of this type.
        case unknown
        case invalid(SimpleTypeFault)
    }

    /// Takes one attribute; `name` is `nil` for one that the schema does not have.
    package mutating func take(_ name: SchemaName?, value: Span<UInt8>, _ models: ContentModels) -> Verdict {
        let type = models[type]
        if case .anything = type.content { return .valid }
        guard let name, let index = type.attributes.firstIndex(where: { $0.name == name }) else { return .unknown }
        met |= 1 << UInt64(index & 63)
        guard let fault = models.fault(in: value, of: type.attributes[index].type) else { return .valid }
        return .invalid(fault)
    }

    /// The names of those that must be there and are not, in the grammar's order.
    package func missing(_ models: ContentModels) -> [String] {
        models[type].attributes.enumerated().compactMap { index, rule in
            switch rule.use {
            case .optional: nil
            case .required: met & (1 << UInt64(index & 63)) == 0 ? models.text(rule.name) : nil
            }
        }
    }
}
