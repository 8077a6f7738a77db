import DaeCore

/// Where a document names other files: the places in its bytes, so that a name can be exchanged and all else stays as it
/// is, byte for byte.
///
/// Of an `<image>` the text of `<init_from>` and of the `<ref>` in it (1.5); of every element the attributes `url`,
/// `source` and `target` as far as the `#`; the text of `<skeleton>`; of KML the text of `<href>`. Comments, CDATA of other
/// elements and instructions name nothing.
///
/// - Source: COLLADA 1.4.1 and 1.5, "Address Syntax", `image`, `init_from`; KML 2.2, `Link`.
struct WrittenReferences {
    struct Place {
        /// Of what stands there, in the document's bytes.
        let range: Range<Int>
        /// With entities resolved.
        let text: String
    }

    private(set) var places: [Place] = []
    private let bytes: [UInt8]
    private var at = 0
    /// How many `<image>`s are open: an `<init_from>` elsewhere names an element.
    private var images = 0

    /// - Parameter bytes: Of a document in UTF-8, or another encoding that has ASCII's characters where it has them.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        while let start = next(UInt8(ascii: "<"), from: at) {
            at = start + 1
            readMarkup()
        }
    }

    /// The document with other names in these places.
    ///
    /// - Parameter name: What stands there from now on; `nil` for what it was.
    func bytes(_ name: (String) -> String?) -> (bytes: [UInt8], changes: Int) {
        var (changed, copied, changes): ([UInt8], Int, Int) = ([], 0, 0)
        for place in places {
            guard let other = name(place.text), other != place.text else { continue }
            changed += bytes[copied..<place.range.lowerBound]
            changed += Self.escaped(other).utf8
            copied = place.range.upperBound
            changes += 1
        }
        return (changed + bytes[copied...], changes)
    }

    static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
            .replacing("'", with: "&apos;")
    }

    // MARK: - Markup

    private func next(_ byte: UInt8, from start: Int) -> Int? { bytes[start...].firstIndex(of: byte) }

    /// Behind the next such text, or at the end.
    private func end(of text: StaticString, from start: Int) -> Int {
        let wanted = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        var place = start
        while let found = next(wanted[0], from: place) {
            if bytes[found...].starts(with: wanted) { return found + wanted.count }
            place = found + 1
        }
        return bytes.count
    }

    private func starts(with text: StaticString, at place: Int) -> Bool {
        bytes[place...].starts(with: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Goes on behind what begins with the `<` just passed.
    private mutating func readMarkup() {
        guard at < bytes.count else { return }
        switch bytes[at] {
        case UInt8(ascii: "?"): at = end(of: "?>", from: at)
        case UInt8(ascii: "!"):
            if starts(with: "!--", at: at) {
                at = end(of: "-->", from: at)
            } else if starts(with: "![CDATA[", at: at) {
                at = end(of: "]]>", from: at)
            } else {
                at = end(of: starts(with: "!DOCTYPE", at: at) && hasSubset ? "]" : ">", from: at)
            }
        case UInt8(ascii: "/"):
            at += 1
            if localName() == "image" { images = max(0, images - 1) }
        default: readStartTag()
        }
    }

    /// Whether a document type declaration has a part in brackets.
    private var hasSubset: Bool {
        guard let end = next(UInt8(ascii: ">"), from: at) else { return false }
        return bytes[at..<end].contains(UInt8(ascii: "["))
    }

    /// The name that begins here, without its prefix.
    private mutating func localName() -> String {
        let start = at
        while at < bytes.count, !Self.isNameEnd(bytes[at]) { at += 1 }
        return String(decoding: bytes[start..<at].split(separator: UInt8(ascii: ":")).last ?? [], as: UTF8.self)
    }

    private static func isNameEnd(_ byte: UInt8) -> Bool {
        isSpace(byte) || [UInt8(ascii: "="), UInt8(ascii: ">"), UInt8(ascii: "/"), UInt8(ascii: "<")].contains(byte)
    }

    private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

    private mutating func readStartTag() {
        let name = localName()
        var isEmpty = false
        while at < bytes.count, bytes[at] != UInt8(ascii: ">") {
            isEmpty = bytes[at] == UInt8(ascii: "/")
            if isEmpty || Self.isSpace(bytes[at]) || bytes[at] == UInt8(ascii: "=") {
                at += 1
                continue
            }
            // What is no markup at all is left to whoever reads it.
            guard bytes[at] != UInt8(ascii: "<") else { return }
            let attribute = localName()
            while at < bytes.count, Self.isSpace(bytes[at]) || bytes[at] == UInt8(ascii: "=") { at += 1 }
            guard at < bytes.count, [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(bytes[at]) else { continue }
            guard let end = next(bytes[at], from: at + 1) else {
                at = bytes.count
                return
            }
            if ["url", "source", "target"].contains(attribute) { addAddress(at + 1..<end) }
            at = end + 1
        }
        at = min(at + 1, bytes.count)
        guard !isEmpty else { return }
        switch name {
        case "image": images += 1
        case "init_from", "ref": if images > 0 { addText(isAddress: false) }
        case "skeleton": addText(isAddress: true)
        case "href": addText(isAddress: true)
        default: break
        }
    }

    /// The text that begins here, as far as it is one.
    private mutating func addText(isAddress: Bool) {
        var start = at
        var end = next(UInt8(ascii: "<"), from: at) ?? bytes.count
        while start < end, Self.isSpace(bytes[start]) { start += 1 }
        if start == end, starts(with: "<![CDATA[", at: start) {
            start += "<![CDATA[".utf8.count
            end = max(start, self.end(of: "]]>", from: start) - "]]>".utf8.count)
            at = end
            while start < end, Self.isSpace(bytes[start]) { start += 1 }
        }
        while end > start, Self.isSpace(bytes[end - 1]) { end -= 1 }
        if isAddress { addAddress(start..<end) } else { add(start..<end) }
    }

    /// The file of an address: what stands before its last `#`.
    private mutating func addAddress(_ range: Range<Int>) {
        let fragment = bytes[range].lastIndex(of: UInt8(ascii: "#")) ?? range.upperBound
        add(range.lowerBound..<fragment)
    }

    private mutating func add(_ range: Range<Int>) {
        guard !range.isEmpty else { return }
        places.append(Place(range: range, text: Self.text(bytes[range])))
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        let text = String(validating: bytes, as: UTF8.self) ?? String(bytes.map { Character(Unicode.Scalar($0)) })
        guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
        var (resolved, rest) = ("", text[...])
        while let start = rest.firstIndex(of: "&") {
            resolved += rest[..<start]
            rest = rest[start...]
            guard let end = rest.firstIndex(of: ";"), let character = character(rest[..<end].dropFirst()) else {
                resolved += "&"
                rest = rest.dropFirst()
                continue
            }
            resolved.append(character)
            rest = rest[end...].dropFirst()
        }
        return resolved + rest
    }

    /// What an entity stands for; `nil` for one that XML does not have.
    private static func character(_ name: Substring) -> Character? {
        switch name {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default:
            guard name.hasPrefix("#") else { return nil }
            let digits = name.dropFirst()
            let number = digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
            return number.flatMap(Unicode.Scalar.init).map(Character.init)
        }
    }
}
