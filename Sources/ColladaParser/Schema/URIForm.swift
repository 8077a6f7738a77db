/// `xs:anyURI`, which asks little: what a URI would have to escape may stand as it is. A scheme must be one, `%` needs
/// two digits, a port is a number, and `[` and `]` stand around a host or in the fragment only.
enum URIForm {
    static func isReference(_ text: Span<UInt8>) -> Bool {
        guard hasWholeEscapes(text) else { return false }
        var end = text.count
        if let hash = first("#", in: text, 0..<end) {
            guard first("#", in: text, hash + 1..<end) == nil else { return false }
            end = hash
        }
        let pathEnd = first("?", in: text, 0..<end) ?? end
        let segmentEnd = first("/", in: text, 0..<pathEnd) ?? pathEnd
        var start = 0
        if let colon = first(":", in: text, 0..<segmentEnd) {
            guard isScheme(text, 0..<colon) else { return false }
            start = colon + 1
        }
        if start + 1 < pathEnd, text[start] == UInt8(ascii: "/"), text[start + 1] == UInt8(ascii: "/") {
            let hostEnd = first("/", in: text, start + 2..<pathEnd) ?? pathEnd
            guard isAuthority(text, start + 2..<hostEnd) else { return false }
            start = hostEnd
        }
        return first("[", in: text, start..<end) == nil && first("]", in: text, start..<end) == nil
    }

    private static func first(_ character: Unicode.Scalar, in text: Span<UInt8>, _ range: Range<Int>) -> Int? {
        for index in range where text[index] == UInt8(ascii: character) { return index }
        return nil
    }

    private static func hasWholeEscapes(_ text: Span<UInt8>) -> Bool {
        for index in text.indices where text[index] == UInt8(ascii: "%") {
            guard index + 2 < text.count, NumberForm.isHexadecimal(text.extracting(index + 1..<index + 3)) else {
                return false
            }
        }
        return true
    }

    private static func isScheme(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        for index in range {
            switch text[index] {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): break
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
                guard index > range.lowerBound else { return false }
            default: return false  // bytes: no other may stand in a scheme
            }
        }
        return !range.isEmpty
    }

    /// `user@host:port`, the host a name or an address in brackets; empty for none.
    private static func isAuthority(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        var at = range.lowerBound
        if let user = first("@", in: text, range) { at = user + 1 }
        if at < range.upperBound, text[at] == UInt8(ascii: "[") {
            guard let close = first("]", in: text, at..<range.upperBound) else { return false }
            at = close + 1
        } else {
            while at < range.upperBound, text[at] != UInt8(ascii: ":") {
                guard text[at] != UInt8(ascii: "["), text[at] != UInt8(ascii: "]") else { return false }
                at += 1
            }
        }
        guard at < range.upperBound else { return true }
        guard text[at] == UInt8(ascii: ":") else { return false }
        return NumberForm.isInteger(text.extracting(at + 1..<range.upperBound), negative: .none, positive: .any)
            && text[at + 1] != UInt8(ascii: "+")
    }
}
