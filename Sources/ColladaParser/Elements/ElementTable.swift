// What the reader does with each element, gathered from the families, which say it.

import XMLReader

struct ElementEntry: Sendable {
    /// How the text directly within an element is read.
    enum Content: Sendable {
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
    let name: ElementName
    let content: Content
    /// Whether the element is decoded into the document at its end tag and its markup then forgotten.
    ///
    /// So what is held of the markup is never more than one of these, its own parts of this kind left out.
    let isUnit: Bool
    /// Whether its extras are read even where only figures are asked for: they have a meaning here.
    let needsExtras: Bool
    /// Whether it is a profile of an effect other than the common one.
    let isProfile: Bool

    init(_ name: ElementName) {
        self.name = name
        isUnit = Self.units.contains(name)
        needsExtras = Self.extended.contains(name)
        isProfile = Self.profiles.contains(name)
        content =
            if Self.reals.contains(name) { .reals } else if Self.integers.contains(name) {
                .integers
            } else if Self.texts.contains(name) { .text } else if Self.skipped.contains(name) {
                .skipped
            } else if Self.raws.contains(name) { .raw } else if Self.hexes.contains(name) { .hex } else { .elements }
    }

    /// The same element where its text is what counts.
    private init(textOf name: ElementName) {
        self.name = name
        content = .text
        isUnit = false
        needsExtras = false
        isProfile = false
    }

    /// As read within `parent`: a sampler's `<source>` is a name, every other one holds arrays.
    func within(_ parent: ElementName) -> ElementEntry {
        guard name == .source else { return self }
        switch parent {
        case .sampler1D, .sampler2D, .sampler3D, .samplerCube, .samplerRect, .samplerDEPTH: return Self.samplerSource
        default: return self  // element names: every other one's source is its own
        }
    }

    private static let samplerSource = ElementEntry(textOf: .source)

    private static let profiles = Set(
        ColladaDocument.Profile.Kind.allCases.compactMap { ElementName(rawValue: $0.rawValue) })
    private static let extended = Set(ElementFamily.all.flatMap(\.extended))
    private static let units = Set(ElementFamily.all.flatMap(\.units))
    private static let texts = Set(ElementFamily.all.flatMap(\.texts))
    private static let reals = Set(ElementFamily.all.flatMap(\.reals))
    private static let integers = Set(ElementFamily.all.flatMap(\.integers))
    private static let hexes = Set(ElementFamily.all.flatMap(\.hexes))
    private static let raws = Set(ElementFamily.all.flatMap(\.raws))
    private static let skipped = Set(ElementFamily.all.flatMap(\.skipped))
}

/// The names of elements and attributes in one numbering, elements first.
struct ColladaVocabulary {
    let names: XMLVocabulary
    /// By number; some twice, where the first counts.
    let texts: [String]
    private let elements: [ElementEntry]
    private let attributes: [AttributeName?]

    static let shared = ColladaVocabulary()

    private init() {
        let elementTexts = ElementName.allCases.map(\.rawValue)
        let known = AttributeName.allCases
        texts = elementTexts + known.map(\.rawValue)
        names = XMLVocabulary(texts)
        elements = ElementName.allCases.map(ElementEntry.init)
        // A name may be both an element's and an attribute's: the vocabulary knows it by its first number.
        var table = [AttributeName?](repeating: nil, count: elements.count + known.count)
        for (index, attribute) in known.enumerated() {
            let shared = elementTexts.firstIndex(of: attribute.rawValue)
            table[shared ?? elements.count + index] = attribute
        }
        attributes = table
    }

    /// By its number; `nil` where that is none of an element's.
    func element(_ number: Int) -> ElementEntry? { number < elements.count ? elements[number] : nil }

    /// By its number; `nil` where that is none of an attribute's.
    func attribute(_ number: Int) -> AttributeName? { attributes[number] }
}
