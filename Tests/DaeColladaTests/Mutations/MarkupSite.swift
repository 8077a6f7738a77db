/// A place in a document whose text may be changed: an attribute's value, or the words of an element.
struct MarkupSite {
    enum Kind: Hashable {
        case attribute(String)
        /// The text of an element that has no elements within.
        case text
    }
    var kind: Kind
    /// Into ``MarkupScan/elements``.
    var element: Int
    /// Bytes of the value, quotation marks not among them.
    var value: Range<Int>
    /// Bytes that go when it is removed.
    var whole: Range<Int>
}

/// The elements of a small document that is known to be well-formed, has no CDATA and writes attributes in double
/// quotation marks.
struct MarkupScan {
    struct Element {
        var name: String
        /// From 1.
        var line: Int
        /// Into the elements; `nil` for the root.
        var parent: Int?
        /// In the order of their ends.
        var end = 0
        var id: String?
        var sid: String?
    }
    private(set) var elements: [Element] = []
    private(set) var sites: [MarkupSite] = []
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        scan()
    }

    func text(_ site: MarkupSite) -> String { String(decoding: bytes[site.value], as: UTF8.self) }

    /// The element and those around it, innermost first.
    func lineage(of element: Int) -> [Int] {
        var lineage = [element]
        while let parent = elements[lineage[lineage.count - 1]].parent { lineage.append(parent) }
        return lineage
    }

    // MARK: - Scanning

    private mutating func scan() {
        var open: [Int] = []
        var ended = 0
        var line = 1
        var at = 0
        /// Where the text of the last start tag begins, while no other tag has come.
        var textStart: Int?
        while at < bytes.count {
            guard bytes[at] == UInt8(ascii: "<") else {
                line += bytes[at] == UInt8(ascii: "\n") ? 1 : 0
                at += 1
                continue
            }
            let end = bytes[at...].firstIndex(of: UInt8(ascii: ">")) ?? bytes.count - 1
            switch bytes[at + 1] {
            case UInt8(ascii: "?"): break
            case UInt8(ascii: "/"):
                if let element = open.popLast() {
                    if let textStart { addText(of: element, textStart..<at) }
                    elements[element].end = ended
                    ended += 1
                }
                textStart = nil
            default:  // bytes
                let element = addElement(at..<end, line: line, parent: open.last)
                if bytes[end - 1] == UInt8(ascii: "/") {
                    elements[element].end = ended
                    ended += 1
                    textStart = nil
                } else {
                    open.append(element)
                    textStart = end + 1
                }
            }
            line += bytes[at...end].count { $0 == UInt8(ascii: "\n") }
            at = end + 1
        }
    }

    private mutating func addElement(_ tag: Range<Int>, line: Int, parent: Int?) -> Int {
        let isNameEnd: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "/") }
        let nameEnd = bytes[(tag.lowerBound + 1)..<tag.upperBound].firstIndex(where: isNameEnd) ?? tag.upperBound
        let name = String(decoding: bytes[(tag.lowerBound + 1)..<nameEnd], as: UTF8.self)
        elements.append(Element(name: name, line: line, parent: parent))
        let index = elements.count - 1
        var at = nameEnd
        while let equals = bytes[at..<tag.upperBound].firstIndex(of: UInt8(ascii: "=")),
            let close = bytes[(equals + 2)..<tag.upperBound].firstIndex(of: UInt8(ascii: "\""))
        {
            let attribute = String(decoding: bytes[(at + 1)..<equals], as: UTF8.self)
            let value = (equals + 2)..<close
            sites.append(MarkupSite(kind: .attribute(attribute), element: index, value: value, whole: at..<close + 1))
            let text = String(decoding: bytes[value], as: UTF8.self)
            if attribute == "id" { elements[index].id = text }
            if attribute == "sid" { elements[index].sid = text }
            at = close + 1
        }
        return index
    }

    private mutating func addText(of element: Int, _ range: Range<Int>) {
        guard bytes[range].contains(where: { $0 > 0x20 }) else { return }
        sites.append(MarkupSite(kind: .text, element: element, value: range, whole: range))
    }
}
