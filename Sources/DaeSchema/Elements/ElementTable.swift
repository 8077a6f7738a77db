// What the reader does with each element, gathered from the families, which say it.

package import DaeXML

// Public for the same reason as `XMLPosition`, as are the vocabulary and the names.

/// How an element is read.
package struct ElementEntry: Sendable, BitwiseCopyable {
    /// How the text directly within an element is read.
    package enum Content: Sendable, BitwiseCopyable {
        /// Only elements within; text is white space.
        case elements
        /// Kept as text.
        case text
        /// A long list of numbers, decoded while it arrives.
        case reals, integers
        /// Bytes in hexadecimal, decoded while they arrive.
        case hex
        /// Kept as it stands.
        case raw
        /// Not read, nor anything within.
        case skipped
    }
    @usableFromInline package let name: ElementName
    package private(set) var content = Content.elements
    /// Whether the element is decoded into the document at its end tag and its markup then forgotten.
    ///
    /// So what is held of the markup is never more than one of these, its own parts of this kind left out.
    package private(set) var isUnit = false
    /// Whether its extras are read even where only figures are asked for: they have a meaning here.
    package private(set) var needsExtras = false
    /// Whether it is a profile of an effect other than the common one.
    package private(set) var isProfile = false

    private init(_ name: ElementName, _ content: Content = .elements) {
        self.name = name
        self.content = content
    }

    /// All, in the order of their names.
    static func all() -> [ElementEntry] {
        var entries = ElementName.allCases.map { ElementEntry($0) }
        // Each program does this once, and a small file should not have to wait for it: every name is hashed once or twice.
        let places = Dictionary(uniqueKeysWithValues: zip(ElementName.allCases, entries.indices))
        func change(_ names: [ElementName], _ change: (inout ElementEntry) -> Void) {
            for name in names { if let place = places[name] { change(&entries[place]) } }
        }
        for family in ElementFamily.all {
            change(family.units) { $0.isUnit = true }
            change(family.extended) { $0.needsExtras = true }
            change(family.texts) { $0.content = .text }
            change(family.reals) { $0.content = .reals }
            change(family.integers) { $0.content = .integers }
            change(family.hexes) { $0.content = .hex }
            change(family.raws) { $0.content = .raw }
            change(family.skipped) { $0.content = .skipped }
            change(family.profiles) { $0.isProfile = true }
        }
        return entries
    }

    /// A sampler's `<source>`, which is a name; every other one holds arrays.
    fileprivate static let samplerSource = ElementEntry(.source, .text)
}

extension ElementEntry {
    /// As read within `parent`.
    @inlinable @inline(__always)
    package func within(_ parent: ElementName) -> ElementEntry { name == .source ? sourceWithin(parent) : self }

    @usableFromInline @inline(never)
    func sourceWithin(_ parent: ElementName) -> ElementEntry {
        switch parent {
        case .sampler1D, .sampler2D, .sampler3D, .samplerCube, .samplerRect, .samplerDEPTH: .samplerSource
        default: self  // element names: every other one's source is its own
        }
    }
}

/// The attributes by their numbers in the vocabulary; `nil` for the number of a name that no attribute has.
package typealias AttributeTable = [AttributeName?]

/// The names of elements and attributes in one numbering, elements first.
package struct ColladaVocabulary: Sendable {
    package let names: XMLVocabulary
    /// By number; some twice, where the first counts.
    package let texts: [String]
    @usableFromInline let elements: [ElementEntry]
    @usableFromInline package let attributes: AttributeTable

    package static let shared = ColladaVocabulary()

    private init() {
        let elementTexts = ElementName.allCases.map(\.rawValue)
        let known = AttributeName.allCases
        texts = elementTexts + known.map(\.rawValue)
        names = XMLVocabulary(texts)
        elements = ElementEntry.all()
        // A name may be both an element's and an attribute's: the vocabulary knows it by its first number.
        var table = AttributeTable(repeating: nil, count: texts.count)
        for (index, attribute) in known.enumerated() {
            table[names.number(of: attribute.rawValue) ?? elements.count + index] = attribute
        }
        attributes = table
    }

    /// By its number; `nil` where no element has it.
    @inlinable @inline(__always)
    package func element(_ number: Int) -> ElementEntry? { number < elements.count ? elements[number] : nil }

    /// By its number; `nil` where no attribute has it.
    @inlinable @inline(__always)
    package func attribute(_ number: Int) -> AttributeName? { attributes[number] }
}

// A new element needs three lines: its name (`ElementName`), a row in its family's grammar and, where its text is read
// or it is decoded as a whole, a place in one of the family's lists. Tests hold the three together.

/// The elements of one chapter of the specification: what each may contain and how it is read, in one place.
struct ElementFamily: Sendable {
    let name: String
    /// Order, occurrence, attributes and simple types of both schemas, as `ElementGrammar` says.
    let grammar: String
    // How the text directly within each is read; one that stands in no list has only elements within.
    /// Decoded into the document at their end tags.
    var units: [ElementName] = []
    var texts: [ElementName] = []
    /// Long lists of numbers.
    var reals: [ElementName] = []
    var integers: [ElementName] = []
    /// Bytes in hexadecimal.
    var hexes: [ElementName] = []
    /// Kept as they stand.
    var raws: [ElementName] = []
    /// Those whose extras have a meaning here.
    var extended: [ElementName] = []
    /// The profiles of effects, without the common one.
    var profiles: [ElementName] = []
    /// Not read, nor anything within.
    var skipped: [ElementName] = []

    static let all: [ElementFamily] = [
        .core, .geometry, .brep, .controllers, .animations, .optics, .scenes, .images, .effects, .states, .glsl, .cg,
        .gles, .gles2, .physics, .kinematics,
    ]
}
