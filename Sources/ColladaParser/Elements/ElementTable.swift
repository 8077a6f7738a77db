// What the reader does with each element, in one place: how its text is read, and which elements are decoded as a
// whole at their end tag. An element in none of these lists has only elements within.

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
        /// Not read, nor anything within.
        case skipped
    }
    let name: ElementName
    let content: Content
    /// Whether the element is decoded into the document at its end tag and its markup then forgotten.
    ///
    /// So what is held of the markup is never more than one of these, its own parts of this kind left out.
    let isUnit: Bool

    init(_ name: ElementName) {
        self.name = name
        isUnit = Self.units.contains(name)
        content =
            if Self.reals.contains(name) { .reals } else if Self.integers.contains(name) {
                .integers
            } else if Self.texts.contains(name) { .text } else if Self.skipped.contains(name) { .skipped } else {
                .elements
            }
    }

    private static let units: Set<ElementName> = [
        .asset, .geometry, .controller, .effect, .material, .image, .camera, .light, .animation, .animationClip,
        .visualScene, .node, .scene, .physicsScene, .kinematicsScene,
    ]
    private static let reals: Set<ElementName> = [.floatArray]
    private static let integers: Set<ElementName> = [.p, .h, .v, .vcount]
    private static let texts: Set<ElementName> = [
        .nameArray, .idrefArray, .sidrefArray,
        .author, .authoringTool, .comments, .copyright, .sourceData, .created, .modified, .keywords, .revision,
        .subject, .title, .upAxis,
        .bindShapeMatrix, .color, .initFrom, .ref,
        // A mesh's has only elements within; a sampler's names its surface.
        .source,
        .xfov, .yfov, .xmag, .ymag, .aspectRatio, .znear, .zfar,
        .matrix, .translate, .rotate, .scale, .skew, .lookat, .skeleton,
    ]
    private static let skipped: Set<ElementName> = [
        .extra, .coverage, .intArray, .boolArray, .spline, .brep, .imager, .evaluateScene,
        .profileGlsl, .profileCg, .profileGles, .profileGles2, .profileBridge,
        .physicsScene, .kinematicsScene, .libraryPhysicsModels, .libraryPhysicsMaterials, .libraryForceFields,
        .libraryKinematicsModels, .libraryArticulatedSystems, .libraryJoints, .libraryFormulas, .boundingbox,
    ]
}

/// The names of elements and attributes in one numbering, elements first.
enum ColladaVocabulary {
    private static let elements = ElementName.allCases.map(ElementEntry.init)
    private static let attributes = AttributeName.allCases
    static let names = XMLVocabulary(elementTexts + attributeTexts)

    private static let elementTexts = ElementName.allCases.map(\.rawValue)
    private static let attributeTexts = attributes.map(\.rawValue)
    /// A name may be both an element's and an attribute's: the vocabulary knows it by its first number.
    private static let attributeByNumber: [AttributeName?] = {
        var table = [AttributeName?](repeating: nil, count: elements.count + attributes.count)
        for (index, attribute) in attributes.enumerated() {
            let shared = elementTexts.firstIndex(of: attribute.rawValue)
            table[shared ?? elements.count + index] = attribute
        }
        return table
    }()

    static func element(_ name: XMLName) -> ElementEntry? {
        guard let number = name.number, number < elements.count else { return nil }
        return elements[number]
    }

    static func attribute(_ name: XMLName) -> AttributeName? {
        name.number.flatMap { attributeByNumber[$0] }
    }
}
