/// A document spoiled in one place, as programs and people spoil them.
struct SchemaMutation {
    fileprivate enum Kind: CaseIterable {
        case dropped, doubled, renamed, swapped, moved
        case attributeDropped, attributeAdded, attributeRenamed, valueSpoiled, valueSpoiledAgain
        case textSpoiled, textAdded, wordDropped, stranger
    }
    let bytes: [UInt8]
    let description: String

    private static let values = [
        "", " ", "a b", "1x", "-1", "#", "#a", "1.5", "http://[", "%zz", "true", "NaN", "-INF", "1e5", "1,5", "+3", "0",
        "99999999999999999999", "2026-11-21T09:00:00Z", "2026-13-01T00:00:00", "2026-01-01", "_a", "0a", "a:b", "a/b",
        "é",
        "1 2 3", "0 0 0 1", "inf", ".5", "1.", "-", "0x1F", "Y_UP", "NODE", "file:///a%20b", "a#b#c", "//a:b/", "a\\b",
        "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16",
    ]
    private static let names = [
        "bogus", "source", "input", "param", "extra", "technique", "technique_common", "node", "mesh", "p", "asset",
        "float",
        "color", "matrix", "id", "sid", "instance_geometry", "library_nodes", "sampler2D", "unit",
    ]

    /// `nil` where the dice chose what this document does not have.
    init?(of tree: MarkupTree, by dice: inout Dice) {
        let kind = dice.pick(Kind.allCases)
        // The root stays: without it nothing is held against anything.
        let index = dice.int(
            kind.isOfAttributes || kind == .textAdded
                ? 0...tree.elements.count - 1 : 1...max(1, tree.elements.count - 1))
        guard index < tree.elements.count else { return nil }
        let element = tree.elements[index]
        let name = tree.text(element.names[0])
        var bytes = tree.bytes
        func text(_ range: Range<Int>) -> [UInt8] { Array(tree.bytes[range]) }
        func replace(_ range: Range<Int>, _ with: some Collection<UInt8>) { bytes.replaceSubrange(range, with: with) }
        var detail = ""
        switch kind {
        case .dropped: replace(element.whole, [])
        case .doubled: replace(element.whole.upperBound..<element.whole.upperBound, text(element.whole))
        case .renamed:
            detail = dice.chance(0.5) ? dice.pick(Self.names) : tree.text(dice.pick(tree.elements).names[0])
            for range in element.names.reversed() { replace(range, detail.utf8) }
        case .swapped:
            guard let parent = tree.elements.first(where: { $0.children.contains(index) }),
                let place = parent.children.firstIndex(of: index), place + 1 < parent.children.count
            else { return nil }
            let next = tree.elements[parent.children[dice.int(place + 1...parent.children.count - 1)]]
            detail = tree.text(next.names[0])
            replace(next.whole, text(element.whole))
            replace(element.whole, text(next.whole))
        case .moved:
            let target = dice.pick(tree.elements)
            guard let content = target.content, !element.whole.contains(content.lowerBound) else { return nil }
            detail = tree.text(target.names[0])
            let moved = text(element.whole)
            let place = dice.chance(0.5) ? content.lowerBound : content.upperBound
            if place > element.whole.lowerBound {
                replace(place..<place, moved)
                replace(element.whole, [])
            } else {
                replace(element.whole, [])
                replace(place..<place, moved)
            }
        case .attributeDropped:
            guard !element.attributes.isEmpty else { return nil }
            let attribute = dice.pick(element.attributes)
            detail = tree.text(attribute.name)
            guard !detail.hasPrefix("xmlns") else { return nil }
            replace(attribute.whole, [])
        case .attributeAdded:
            let other = dice.pick(tree.elements).attributes.randomElement(by: &dice)
            detail = other.map { tree.text($0.name) } ?? dice.pick(Self.names)
            let own = element.attributes.map { tree.text($0.name) }
            guard !own.contains(detail), !detail.hasPrefix("xmlns") else { return nil }
            let value = dice.chance(0.5) ? other.map { tree.text($0.value) } ?? "" : dice.pick(Self.values)
            let place = element.names[0].upperBound
            replace(place..<place, " \(detail)=\"\(value)\"".utf8)
        case .attributeRenamed:
            guard !element.attributes.isEmpty else { return nil }
            let attribute = dice.pick(element.attributes)
            detail = dice.pick(Self.names + ["count", "url", "target", "name", "semantic", "xml:base", "xml:lang"])
            let own = element.attributes.map { tree.text($0.name) }
            guard !own.contains(detail), !tree.text(attribute.name).hasPrefix("xmlns") else { return nil }
            replace(attribute.name, detail.utf8)
        case .valueSpoiled, .valueSpoiledAgain:
            guard !element.attributes.isEmpty else { return nil }
            let attribute = dice.pick(element.attributes)
            guard !tree.text(attribute.name).hasPrefix("xmlns") else { return nil }
            let twin = dice.pick(tree.elements).attributes.randomElement(by: &dice).map { tree.text($0.value) }
            detail = dice.chance(0.8) ? dice.pick(Self.values) : twin ?? ""
            replace(attribute.value, detail.utf8)
            detail = tree.text(attribute.name) + "=" + detail
        case .textSpoiled:
            guard let content = element.content, element.children.isEmpty else { return nil }
            detail = dice.pick(Self.values)
            replace(content, detail.utf8)
        case .textAdded:
            guard let content = element.content else { return nil }
            detail = dice.pick(["x", "\n ", "&#32;", "&amp;", "<!-- x -->", " 1"])
            let place = dice.chance(0.5) ? content.lowerBound : content.upperBound
            replace(place..<place, detail.utf8)
        case .wordDropped:
            guard let content = element.content, element.children.isEmpty else { return nil }
            let words = tree.text(content).split(separator: " ", omittingEmptySubsequences: false)
            guard words.count > 1 else { return nil }
            replace(content, (dice.chance(0.5) ? words.dropLast() : words + [words[0]]).joined(separator: " ").utf8)
        case .stranger:
            guard let content = element.content else { return nil }
            detail = dice.pick([
                "<x xmlns=\"urn:x\"><mesh/></x>", "<x/>", "<y:x xmlns:y=\"urn:y\" a=\"1\">t</y:x>", "<extra/>",
                "<math xmlns=\"http://www.w3.org/1998/Math/MathML\"><ci>a</ci></math>",
            ])
            let place = dice.chance(0.5) ? content.lowerBound : content.upperBound
            replace(place..<place, detail.utf8)
        }
        self.bytes = bytes
        description = "\(name) \(kind) \(detail)"
    }
}

extension SchemaMutation.Kind {
    fileprivate var isOfAttributes: Bool {
        switch self {
        case .attributeDropped, .attributeAdded, .attributeRenamed, .valueSpoiled, .valueSpoiledAgain: true
        case .dropped, .doubled, .renamed, .swapped, .moved, .textSpoiled, .textAdded, .wordDropped, .stranger: false
        }
    }
}

extension [MarkupTree.Attribute] {
    fileprivate func randomElement(by dice: inout Dice) -> MarkupTree.Attribute? { isEmpty ? nil : dice.pick(self) }
}
