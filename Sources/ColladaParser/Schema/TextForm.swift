/// The forms that the schemas give as patterns.
package enum TextForm: String, Sendable, CaseIterable {
    /// `#` and what follows it on one line.
    case uriFragment
    /// A path of sids: an id or one character, then names after `/`, then up to two indices in parentheses.
    case sidref
    /// An address of a mail box.
    case email

    var words: String {
        switch self {
        case .uriFragment: "'#' and an id"
        case .sidref: "a path of sids as 'id/sid/sid'"
        case .email: "an e-mail address"
        }
    }

    func holds(_ text: Span<UInt8>) -> Bool {
        switch self {
        case .uriFragment: Self.isURIFragment(text)
        case .sidref: Self.isSIDREF(text)
        case .email: Self.isEmail(text)
        }
    }

    private static func isURIFragment(_ text: Span<UInt8>) -> Bool {
        guard text.count > 0, text[0] == UInt8(ascii: "#") else { return false }
        for index in text.indices where text[index] == UInt8(ascii: "\n") || text[index] == UInt8(ascii: "\r") {
            return false
        }
        return true
    }

    private static func isSIDREF(_ text: Span<UInt8>) -> Bool {
        var end = text.count
        var indices = 0
        while indices < 2, let start = startOfIndex(text, before: end) {
            end = start
            indices += 1
        }
        // The first part may be one character of any kind, a '/' too.
        var start = 0
        let first = lengthOfFirstCharacter(text)
        if first > 0, first < end, text[first] == UInt8(ascii: "/"), !isLineBreak(text[0]) {
            start = first
        } else {
            while start < end, text[start] != UInt8(ascii: "/") { start += 1 }
            guard XMLNameForm.isNCName(text.extracting(0..<start)) else { return false }
        }
        guard start < end else { return false }
        while start < end {
            var stop = start + 1
            while stop < end, text[stop] != UInt8(ascii: "/") { stop += 1 }
            guard XMLNameForm.isNCName(text.extracting(start + 1..<stop)) else { return false }
            start = stop
        }
        return true
    }

    /// Where `(digits)` begins that ends at `end`.
    private static func startOfIndex(_ text: Span<UInt8>, before end: Int) -> Int? {
        guard end > 2, text[end - 1] == UInt8(ascii: ")") else { return nil }
        var at = end - 2
        while at > 0, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(text[at]) { at -= 1 }
        return text[at] == UInt8(ascii: "(") && at < end - 2 ? at : nil
    }

    private static func isLineBreak(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }

    /// In bytes of UTF-8.
    private static func lengthOfFirstCharacter(_ text: Span<UInt8>) -> Int {
        guard text.count > 0 else { return 0 }
        var length = 1
        while length < text.count, text[length] & 0xC0 == 0x80 { length += 1 }
        return length
    }

    private static func isEmail(_ text: Span<UInt8>) -> Bool {
        var ats = 0
        var wordLength = 0
        for index in text.indices {
            switch text[index] {
            case UInt8(ascii: "@"):
                guard wordLength > 0 else { return false }
                ats += 1
                wordLength = 0
            case UInt8(ascii: "."):
                guard wordLength > 0 else { return false }
                wordLength = 0
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "!"), UInt8(ascii: "#")...UInt8(ascii: "'"),
                UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "/"), UInt8(ascii: "="),
                UInt8(ascii: "?"), UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"),
                UInt8(ascii: "{")...UInt8(ascii: "~"):
                wordLength += 1
            default: return false  // bytes: no other may stand in an address
            }
        }
        return ats == 1 && wordLength > 0
    }
}
