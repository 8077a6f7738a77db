// What stands in the grammar's text, as written: names are not looked up yet, and both versions stand side by side.

/// Which schemas a part of the grammar belongs to.
enum GrammarVersions: Sendable, Equatable {
    case all
    case only(SchemaVersion)

    func includes(_ version: SchemaVersion) -> Bool {
        switch self {
        case .all: true
        case .only(let one): one == version
        }
    }
}

/// One row: an element or a type that elements share, a group of particles, or a simple type.
struct GrammarRow: Sendable {
    enum Meaning: Sendable {
        case type(GrammarType)
        case group(GrammarParticle)
        case simple(GrammarSimpleType)
    }
    let name: String
    let versions: GrammarVersions
    let meaning: Meaning
    /// From 1, in the family's text.
    let line: Int
}

/// Attributes and content of an element.
struct GrammarType: Sendable {
    enum Content: Sendable {
        case empty
        case simple(GrammarTypeReference)
        case particles(GrammarParticle)
        /// Empty by the letter of the schema, which meant these.
        case lost(GrammarParticle)
    }
    var attributes: [GrammarAttribute] = []
    var content = Content.empty
}

struct GrammarAttribute: Sendable {
    let name: String
    let type: GrammarTypeReference
    let use: AttributeRule.Use
    let defaultValue: String?
    let versions: GrammarVersions
}

/// `double`, `double[]`, `double[3]`.
struct GrammarTypeReference: Sendable, Equatable {
    enum Shape: Sendable, Equatable {
        case one
        case list(length: Int?)
    }
    let name: String
    let shape: Shape

    /// As it is written.
    var text: String {
        switch shape {
        case .one: name
        case .list(let length): "\(name)[\(length.map(String.init) ?? "")]"
        }
    }
}

struct GrammarParticle: Sendable {
    indirect enum Term: Sendable {
        case element(GrammarElement)
        case group(String)
        /// Any element at all.
        case any
        case sequence([GrammarParticle])
        case choice([GrammarParticle])
    }
    let term: Term
    let occurrence: Occurrence
    let versions: GrammarVersions
}

/// How often a particle may stand.
struct Occurrence: Sendable, Equatable {
    let least: Int
    /// `nil` for any number.
    let most: Int?

    static let once = Occurrence(least: 1, most: 1)
}

struct GrammarElement: Sendable {
    indirect enum Body: Sendable {
        /// The row of the element's own name.
        case ownRow
        /// Another row, or a simple type.
        case reference(GrammarTypeReference)
        /// Written on the spot.
        case local(GrammarType)
    }
    let name: String
    let body: Body
    /// What an empty element means.
    let defaultValue: String?
}

struct GrammarSimpleType: Sendable {
    enum Rule: Sendable {
        case same
        case values([String])
        case range(SimpleTypeRange)
        case form(TextForm)
        case union([String])
    }
    /// The type that this one narrows; of a union, unused.
    let base: GrammarTypeReference
    let rule: Rule
}

/// A row that does not say what it should: a slip in the table, found by its tests.
struct GrammarProblem: Error, CustomStringConvertible {
    let family: String
    let line: Int
    let message: String

    var description: String { "\(family), line \(line): \(message)" }
}

// What every element of COLLADA 1.4.1 and 1.5 may contain, one text a family (`Elements/Families`), written so:
//
//     skin(source!:anyURI) = bind_shape_matrix:double[16]? source{3,} joints{input:input_local{2,} extra*} extra*
//
// A row begins at the start of a line and goes on over lines that are set in; `#` begins a line of comment.
//
//     name(attributes) = content      an element, or a type that elements share: elements within, in this order
//     name(attributes) : type         its text is of a simple type
//     name(attributes)                nothing within; `name =` where it has no attributes either
//     name(attributes) = lost content empty by the letter of the schema, which meant the content
//     %name = content                 a group, which stands in a content as %name
//     type name = simple type
//
// In a content:
//
//     a b c      one after another           (a | b)    one of them
//     a?  a*  a+  a{2}  a{2,}  a{1,3}        how often; once without a mark
//     any        any element                 %a         what the group holds
//     a          the element a as its own row has it
//     a:b        the element a as the row b has it, or with a text of the simple type b
//     a(…){…}    the element a as it is only here: attributes, content; a(…):b with a text
//     a:b=1.0    what an empty element means; a value with spaces stands within quotation marks
//
// An attribute is `name:type`, `name!:type` where it is required, `name:type=value` with a default.
//
// A simple type is one of XML Schema's (BuiltInType), one of the rows, `double[]` for a list, `double[3]` for a list of
// three; the rows narrow one: `string enum A B`, `nonNegativeInteger 0..<8`, `double 0..1`, `string like sidref`
// (TextForm), `union a b`.
//
// '4 or '5 after a row's name, an attribute or a particle (after its ? or *) says that only 1.4.1 or only 1.5 has it.

enum ElementGrammar {
    private static let parsed: [(rows: [GrammarRow], problems: [GrammarProblem])] = ElementFamily.all.map {
        GrammarParser.rows(of: $0.grammar, family: $0.name)
    }
    static var rows: [GrammarRow] { parsed.flatMap(\.rows) }
    /// Rows that cannot be read: slips in the texts, which a test holds at none.
    static var problems: [GrammarProblem] { parsed.flatMap(\.problems) }
}
