/// Where elements and attributes stand in a document, so that it can be spoiled.
///
/// Of documents without CDATA sections and with `"` around every attribute.
struct MarkupTree {
    struct Attribute {
        var name: Range<Int>
        var value: Range<Int>
        /// With the white space before it.
        var whole: Range<Int>
    }
    struct Element {
        /// In the start tag, and in the end tag where there is one.
        var names: [Range<Int>]
        var attributes: [Attribute] = []
        /// Between the tags; `nil` for an empty-element tag.
        var content: Range<Int>?
        var whole: Range<Int>
        /// Into ``elements``.
        var children: [Int] = []
    }
    private(set) var elements: [Element] = []
    let bytes: [UInt8]

    /// `nil` for a document that this is not made for.
    init?(_ bytes: [UInt8]) {
        self.bytes = bytes
        var open: [Int] = []
        var at = 0
        while let start = find("<", from: at) {
            guard start + 1 < bytes.count else { return nil }
            switch bytes[start + 1] {
            case UInt8(ascii: "?"):
                guard let end = find("?>", from: start) else { return nil }
                at = end + 2
            case UInt8(ascii: "!"):
                guard starts("<!--", at: start), let end = find("-->", from: start + 4) else { return nil }
                at = end + 3
            case UInt8(ascii: "/"):
                guard let end = find(">", from: start), let last = open.popLast() else { return nil }
                elements[last].names.append(start + 2..<endOfName(from: start + 2))
                elements[last].content = (elements[last].content?.lowerBound ?? start)..<start
                elements[last].whole = elements[last].whole.lowerBound..<end + 1
                at = end + 1
            default:  // bytes: a start tag
                let nameEnd = endOfName(from: start + 1)
                var element = Element(names: [start + 1..<nameEnd], whole: start..<start)
                guard let end = readAttributes(from: nameEnd, into: &element) else { return nil }
                let isEmpty = bytes[end - 1] == UInt8(ascii: "/")
                element.whole = start..<end + 1
                if !isEmpty { element.content = end + 1..<end + 1 }
                if let parent = open.last { elements[parent].children.append(elements.count) }
                if !isEmpty { open.append(elements.count) }
                elements.append(element)
                at = end + 1
            }
        }
        guard open.isEmpty, !elements.isEmpty else { return nil }
    }

    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    /// Gives the place of the tag's `>`.
    private func readAttributes(from start: Int, into element: inout Element) -> Int? {
        var at = start
        while at < bytes.count {
            let space = at
            while at < bytes.count, bytes[at] <= 0x20 { at += 1 }
            guard at < bytes.count else { return nil }
            if bytes[at] == UInt8(ascii: ">") { return at }
            if bytes[at] == UInt8(ascii: "/") {
                at += 1
                continue
            }
            let end = endOfName(from: at)
            guard end > at, let open = find("\"", from: end), let close = find("\"", from: open + 1) else { return nil }
            element.attributes.append(.init(name: at..<end, value: open + 1..<close, whole: space..<close + 1))
            at = close + 1
        }
        return nil
    }

    private func endOfName(from start: Int) -> Int {
        var at = start
        while at < bytes.count, bytes[at] > 0x20, !"=/>\"".utf8.contains(bytes[at]) { at += 1 }
        return at
    }

    private func starts(_ text: String, at place: Int) -> Bool {
        bytes[place...].starts(with: text.utf8)
    }

    private func find(_ text: String, from start: Int) -> Int? {
        guard let first = text.utf8.first else { return nil }
        var at = start
        while at < bytes.count {
            if bytes[at] == first, starts(text, at: at) { return at }
            at += 1
        }
        return nil
    }
}
