import Diagnostics
import NumberDecoding
import XMLReader

/// One element of a fragment, as the typed readers see it.
struct ElementView {
    let fragment: Fragment
    let index: Int

    private var record: Fragment.Record { fragment.records[index] }

    var name: ElementName { record.entry.name }
    var position: XMLPosition { record.position }
    /// The decoded unit's place in the document's list of its kind.
    var unit: Int? { record.unit >= 0 ? record.unit : nil }

    // MARK: - Attributes

    func attribute(_ name: AttributeName) -> String? {
        bytes(of: name).map { String(decoding: $0, as: UTF8.self) }
    }

    /// A whole number; `nil` when the attribute is missing or none.
    func integer(_ name: AttributeName) -> Int? {
        bytes(of: name).flatMap { $0.withUnsafeBytes { NumberText.integer($0) }.value }.map(Int.init)
    }

    func real(_ name: AttributeName) -> NumberReading<Double>? {
        bytes(of: name).map { $0.withUnsafeBytes { NumberText.double($0) } }
    }

    private func bytes(of name: AttributeName) -> ArraySlice<UInt8>? {
        for attribute in fragment.attributes[record.attributeRange] where attribute.name == name {
            return fragment.bytes[attribute.range]
        }
        return nil
    }

    // MARK: - Content

    /// Without the white space around it.
    var text: String { String(decoding: trimmedBytes, as: UTF8.self) }

    var trimmedBytes: ArraySlice<UInt8> {
        var bytes = fragment.bytes[record.textRange]
        while let first = bytes.first, first <= 0x20 { bytes.removeFirst() }
        while let last = bytes.last, last <= 0x20 { bytes.removeLast() }
        return bytes
    }

    /// The words of a list of names.
    var words: [String] {
        fragment.bytes[record.textRange].split { $0 <= 0x20 }.map { String(decoding: $0, as: UTF8.self) }
    }

    /// The decoded numbers of an array; taken, so that they are not copied.
    func takeReals() -> [Double] {
        guard record.array >= 0, record.entry.content == .reals else { return [] }
        var taken: [Double] = []
        swap(&taken, &fragment.reals[record.array])
        return taken
    }

    func takeIntegers() -> [Int32] {
        guard record.array >= 0, record.entry.content == .integers else { return [] }
        var taken: [Int32] = []
        swap(&taken, &fragment.integers[record.array])
        return taken
    }

    /// The bytes of hexadecimal data; taken, so that they are not copied.
    func takeHex() -> HexDecoder {
        var taken = HexDecoder(limit: 0)
        guard record.array >= 0, record.entry.content == .hex else { return taken }
        swap(&taken, &fragment.hexes[record.array])
        return taken
    }

    /// What stands under the element's `<extra>`s and foreign techniques, in order.
    var extras: [ColladaDocument.Extra] {
        ColladaDocument.Extra.list(raws)
    }

    /// What of the element is kept as it stands: `<extra>`s, foreign techniques, a formula's `<math>`, …
    var raws: [RawElement] { fragment.raws[index] ?? [] }

    // MARK: - Family

    var parent: ElementView? {
        record.parent >= 0 ? ElementView(fragment: fragment, index: record.parent) : nil
    }

    var children: some Sequence<ElementView> {
        sequence(state: record.firstChild) { next in
            guard next >= 0 else { return nil }
            let child = ElementView(fragment: fragment, index: next)
            next = fragment.records[next].nextSibling
            return child
        }
    }

    func first(_ name: ElementName) -> ElementView? { children.first { $0.name == name } }

    func all(_ name: ElementName) -> [ElementView] { children.filter { $0.name == name } }

    /// The first element along a way of names.
    func first(_ path: ElementName...) -> ElementView? {
        path.reduce(Optional(self)) { view, name in view?.first(name) }
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
        place.path = "/" + steps.reversed().joined(separator: "/")
        return place
    }

    private func step(id: String?) -> String {
        if let id { return "\(name.rawValue)[@id='\(id)']" }
        guard let parent else { return name.rawValue }
        var before = 0
        for sibling in parent.children where sibling.name == name {
            if sibling.index == index { break }
            before += 1
        }
        return before == 0 ? name.rawValue : "\(name.rawValue)[\(before + 1)]"
    }
}
