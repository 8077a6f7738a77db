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
