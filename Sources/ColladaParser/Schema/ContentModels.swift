// The content models of one schema: what each element may contain, in which order and how often, its attributes and
// the types of both. Made from the grammar on first use; the reader itself does without it.

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
