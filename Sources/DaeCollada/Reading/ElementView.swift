import DaeCore
import DaeDiagnostics
import DaeNumbers
import DaeScene
import DaeSchema
import DaeXML

/// One element of a fragment, as the typed readers see it; valid while the unit it belongs to is read.
struct ElementView {
    let fragment: UnsafeMutablePointer<Fragment>
    let index: Int

    private var entry: ElementEntry { fragment.pointee.records.at(index).pointee.entry }

    var name: ElementName { entry.name }
    var position: XMLPosition { fragment.pointee.records.at(index).pointee.position }
    /// The decoded units' places in the document's list of their kind: units of one name in a row are one view.
    var units: UnsafeBufferPointer<Int32> {
        let record = fragment.pointee.records.at(index)
        guard record.pointee.unitCount > 0 else { return UnsafeBufferPointer(start: nil, count: 0) }
        return UnsafeBufferPointer(
            start: fragment.pointee.units.at(Int(record.pointee.firstUnit)), count: Int(record.pointee.unitCount))
    }
    /// Whether it is a profile of an effect other than the common one.
    var isProfile: Bool { entry.isProfile }

    // MARK: - Attributes

    func attribute(_ name: AttributeName) -> String? {
        bytes(of: name).map { String(xml: $0) }
    }

    /// Without the white space around it.
    func trimmedAttribute(_ name: AttributeName) -> String? {
        bytes(of: name).map { String(xml: $0.trimmed) }
    }

    /// A whole number; `nil` when the attribute is missing or none.
    func integer(_ name: AttributeName) -> Int? {
        guard let bytes = bytes(of: name) else { return nil }
        return Self.shortInteger(bytes) ?? NumberText.integer(bytes).value.map(Int.init)
    }

    /// What larger ones are read as.
    static let largestInteger = Int(Int32.max)

    /// For a message: larger numbers than that are not told apart.
    static func shown(_ number: Int) -> String {
        number == largestInteger ? "\(number) or more" : "\(number)"
    }

    /// One of nine digits at most, and nothing else.
    private static func shortInteger(_ bytes: UnsafeRawBufferPointer) -> Int? {
        guard (1...9).contains(bytes.count) else { return nil }
        var value = 0
        for byte in bytes {
            let digit = byte &- 0x30
            guard digit < 10 else { return nil }
            value = 10 &* value &+ Int(digit)
        }
        return value
    }

    func real(_ name: AttributeName) -> NumberReading<Double>? {
        bytes(of: name).map { NumberText.double($0) }
    }

    /// Whether an attribute is there and says just this.
    func has(_ name: AttributeName, _ word: StaticString) -> Bool {
        guard let bytes = bytes(of: name) else { return false }
        return word.withUTF8Buffer { bytes.isSame(as: UnsafeRawBufferPointer($0)) }
    }

    /// The same of a text that is no constant.
    func says(_ name: AttributeName, _ text: String) -> Bool {
        bytes(of: name)?.isUTF8(of: text) ?? false
    }

    /// As they stand in the fragment.
    func bytes(of name: AttributeName) -> UnsafeRawBufferPointer? {
        let record = fragment.pointee.records.at(index)
        var left = record.pointee.attributeCount
        var attribute = fragment.pointee.attributes.at(record.pointee.firstAttribute)
        while left > 0 {
            if attribute.pointee.name == name {
                return fragment.pointee.bytes.bytes(attribute.pointee.start, Int(attribute.pointee.count))
            }
            attribute += 1
            left &-= 1
        }
        return nil
    }

    // MARK: - Content

    private var textBytes: UnsafeRawBufferPointer {
        let start = fragment.pointee.records.at(index).pointee.textStart
        return fragment.pointee.bytes.bytes(start, fragment.pointee.records.at(index).pointee.textCount)
    }

    /// The text with the padding that stands behind it; `nil` without a text.
    var paddedText: UnsafeRawBufferPointer? {
        let text = textBytes
        guard let start = text.baseAddress, !text.isEmpty else { return nil }
        return UnsafeRawBufferPointer(start: start, count: text.count + ByteArena.padding)
    }

    /// Without the white space around it.
    var text: String { String(xml: trimmedBytes) }

    var trimmedBytes: UnsafeRawBufferPointer { textBytes.trimmed }

    /// The words of a list of names.
    var words: [String] {
        let bytes = textBytes
        guard let text = bytes.baseAddress else { return [] }
        var words: [String] = []
        // The word that came last, how often it has come since, and its bytes.
        var (word, count) = ("", 0)
        var before = UnsafeRawBufferPointer(start: nil, count: 0)
        var at = 0
        func isSpace(_ place: Int) -> Bool { place >= bytes.count || bytes[place] <= 0x20 }
        while true {
            while at < bytes.count, bytes[at] <= 0x20 { at += 1 }
            let start = at
            // Most names of a long list, of how curves go on, are the same.
            if let known = before.baseAddress, before.count <= bytes.count - start, isSpace(start + before.count),
                memcmp(text + start, known, before.count) == 0
            {
                at += before.count
                count += 1
                continue
            }
            while at < bytes.count, bytes[at] > 0x20 { at += 1 }
            words.append(contentsOf: repeatElement(word, count: count))
            guard at > start else { return words }
            if words.isEmpty { words.reserveCapacity(min(1 << 16, (bytes.count - start) / (at - start + 1) + 1)) }
            before = UnsafeRawBufferPointer(rebasing: bytes[start..<at])
            (word, count) = (String(xml: before), 1)
        }
    }

    /// How many words there are.
    var wordCount: Int {
        var count = 0
        var isWithin = false
        for byte in textBytes {
            if byte > 0x20, !isWithin { count += 1 }
            isWithin = byte > 0x20
        }
        return count
    }

    /// The decoded numbers of an array; taken, so that they are not copied.
    func takeReals() -> NumberArray<Double> {
        let array = Int(fragment.pointee.records.at(index).pointee.array)
        guard array >= 0, entry.content == .reals else { return [] }
        var taken: NumberArray<Double> = []
        swap(&taken, &fragment.pointee.reals[array])
        return taken
    }

    /// Left where they are.
    var integers: NumberArray<Int32> {
        let array = Int(fragment.pointee.records.at(index).pointee.array)
        guard array >= 0, entry.content == .integers else { return [] }
        return fragment.pointee.integers[array]
    }

    func takeIntegers() -> NumberArray<Int32> {
        let array = Int(fragment.pointee.records.at(index).pointee.array)
        guard array >= 0, entry.content == .integers else { return [] }
        var taken: NumberArray<Int32> = []
        swap(&taken, &fragment.pointee.integers[array])
        return taken
    }

    /// The bytes of hexadecimal data; taken, so that they are not copied.
    func takeHex() -> HexDecoder {
        let array = Int(fragment.pointee.records.at(index).pointee.array)
        var taken = HexDecoder(limit: 0)
        guard array >= 0, entry.content == .hex else { return taken }
        swap(&taken, &fragment.pointee.hexes[array])
        return taken
    }

    /// What stands under the element's `<extra>`s and foreign techniques, in order.
    var extras: [ColladaDocument.Extra] {
        let raws = raws
        return raws.isEmpty ? [] : ColladaDocument.Extra.list(raws)
    }

    /// What of the element is kept as it stands: `<extra>`s, foreign techniques, a formula's `<math>`, …
    var raws: [RawElement] { fragment.pointee.raws(of: index) }

    // MARK: - Family

    var parent: ElementView? {
        let parent = fragment.pointee.records.at(index).pointee.parent
        return parent >= 0 ? ElementView(fragment: fragment, index: Int(parent)) : nil
    }

    var children: ElementList { list(of: nil) }

    func first(_ name: ElementName) -> ElementView? {
        var iterator = list(of: name).makeIterator()
        return iterator.next()
    }

    func all(_ name: ElementName) -> ElementList { list(of: name) }

    /// The first thing that is made of a child, in order.
    func firstOfChildren<Made>(_ make: (ElementView) -> Made?) -> Made? {
        for child in children {
            if let made = make(child) { return made }
        }
        return nil
    }

    private func list(of name: ElementName?) -> ElementList {
        ElementList(fragment: fragment, first: fragment.pointee.records.at(index).pointee.firstChild, name: name)
    }

    /// The first of one name within the first of another.
    func first(_ outer: ElementName, _ inner: ElementName) -> ElementView? {
        first(outer)?.first(inner)
    }

    // MARK: - Place

    /// The place with path and id, for a finding.
    var place: Place {
        var place = Place(position)
        var steps: [String] = []
        var view: ElementView? = self
        while let here = view {
            let id = here.attribute(.id)
            if place.elementID == nil { place.elementID = id }
            steps.append(here.step(id: id))
            view = here.parent
        }
        place.path = steps.reversed().reduce(into: "") { path, step in
            path += "/"
            path += step
        }
        return place
    }

    private func step(id: String?) -> String {
        if let id { return "\(name.rawValue)[@id='\(id)']" }
        guard let parent else { return name.rawValue }
        var before = 0
        for sibling in parent.children where sibling.name == name {
            if sibling.index == index { break }
            before += max(1, sibling.units.count)
        }
        return before == 0 ? name.rawValue : "\(name.rawValue)[\(before + 1)]"
    }
}

/// The elements within an element, or those of one name among them, in order.
struct ElementList: Sequence {
    let fragment: UnsafeMutablePointer<Fragment>
    let first: Int32
    /// `nil` for all.
    let name: ElementName?

    struct Iterator: IteratorProtocol {
        fileprivate let fragment: UnsafeMutablePointer<Fragment>
        fileprivate var following: Int32
        fileprivate let name: ElementName?

        mutating func next() -> ElementView? {
            while following >= 0 {
                let index = Int(following)
                following = fragment.pointee.records.at(index).pointee.nextSibling
                guard let name else { return ElementView(fragment: fragment, index: index) }
                if case name = fragment.pointee.records.at(index).pointee.entry.name {
                    return ElementView(fragment: fragment, index: index)
                }
            }
            return nil
        }
    }

    func makeIterator() -> Iterator { Iterator(fragment: fragment, following: first, name: name) }

    var isEmpty: Bool {
        var iterator = makeIterator()
        return iterator.next() == nil
    }

    /// How many there are, so that what is made of them needs no room beyond.
    var underestimatedCount: Int {
        var iterator = makeIterator()
        var count = 0
        while iterator.next() != nil { count += 1 }
        return count
    }

    /// Places of those that were decoded, in the document's list of their kind.
    var units: [Int] {
        var units: [Int] = []
        units.reserveCapacity(reduce(0) { $0 + $1.units.count })
        for view in self { units += view.units.lazy.map(Int.init) }
        return units
    }
}
