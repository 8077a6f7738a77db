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

/// `xs:dateTime`: `-?yyyy-mm-ddThh:mm:ss(.s+)?(Z|±hh:mm)?`.
enum DateForm {
    static func isDateTime(_ text: Span<UInt8>) -> Bool {
        var cursor = Cursor(at: text.count > 0 && text[0] == UInt8(ascii: "-") ? 1 : 0)
        let start = cursor.at
        guard let year = cursor.number(text, atLeast: 4), year != 0 else { return false }
        // More than four digits only where they are needed.
        guard cursor.at - start == 4 || text[start] != UInt8(ascii: "0"), cursor.take("-", text) else { return false }
        guard let month = cursor.pair(text), (1...12).contains(month), cursor.take("-", text) else { return false }
        guard let day = cursor.pair(text), day >= 1, day <= days(in: month, of: year), cursor.take("T", text) else {
            return false
        }
        guard let hour = cursor.pair(text), cursor.take(":", text) else { return false }
        guard let minute = cursor.pair(text), minute < 60, cursor.take(":", text) else { return false }
        guard let second = cursor.pair(text), second < 60 else { return false }
        var hasFraction = false
        if cursor.take(".", text) {
            guard let fraction = cursor.number(text, atLeast: 1) else { return false }
            hasFraction = fraction != 0
        }
        // The end of a day may be written as its 24th hour.
        guard hour < 24 || (hour == 24 && minute == 0 && second == 0 && !hasFraction) else { return false }
        return isZone(text, from: cursor)
    }

    private static func isZone(_ text: Span<UInt8>, from start: Cursor) -> Bool {
        var cursor = start
        guard cursor.at < text.count else { return true }
        if cursor.take("Z", text) { return cursor.at == text.count }
        guard cursor.take("+", text) || cursor.take("-", text), let hour = cursor.pair(text), cursor.take(":", text)
        else { return false }
        guard let minute = cursor.pair(text), cursor.at == text.count else { return false }
        return (hour < 14 && minute < 60) || (hour == 14 && minute == 0)
    }

    private static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31  // integers: all other months
        }
    }

    private struct Cursor {
        var at: Int

        mutating func take(_ character: Unicode.Scalar, _ text: Span<UInt8>) -> Bool {
            guard at < text.count, text[at] == UInt8(ascii: character) else { return false }
            at += 1
            return true
        }

        /// A run of digits; the number stops growing at 18 of them, which no date needs.
        mutating func number(_ text: Span<UInt8>, atLeast least: Int) -> Int? {
            let start = at
            var value = 0
            while at < text.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(text[at]) {
                if at - start < 18 { value = value * 10 + Int(text[at] - UInt8(ascii: "0")) }
                at += 1
            }
            return at - start >= least ? value : nil
        }

        mutating func pair(_ text: Span<UInt8>) -> Int? {
            let start = at
            let value = number(text, atLeast: 2)
            return at - start == 2 ? value : nil
        }
    }
}

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

/// Names of XML, by the productions of its fifth edition.
enum XMLNameForm {
    static func isName(_ text: Span<UInt8>) -> Bool { holds(text, canStart: true, allowsColon: true) }
    static func isNCName(_ text: Span<UInt8>) -> Bool { holds(text, canStart: true, allowsColon: false) }
    static func isNMTOKEN(_ text: Span<UInt8>) -> Bool { holds(text, canStart: false, allowsColon: true) }

    private static func holds(_ text: Span<UInt8>, canStart: Bool, allowsColon: Bool) -> Bool {
        guard text.count > 0 else { return false }
        var hasStarted = !canStart
        for index in text.indices {
            let byte = text[index]
            // Letters, digits and marks of ASCII: all but few names are made of them alone.
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"): break
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
                guard hasStarted else { return false }
            case UInt8(ascii: ":"):
                guard allowsColon else { return false }
            case 0x80...: return holdsBeyondASCII(text, canStart: canStart, allowsColon: allowsColon)
            default: return false  // bytes: no other may stand in a name
            }
            hasStarted = true
        }
        return true
    }

    private static func holdsBeyondASCII(_ text: Span<UInt8>, canStart: Bool, allowsColon: Bool) -> Bool {
        var isFirst = canStart
        for scalar in String(text).unicodeScalars {
            guard isFirst ? isStart(scalar) : isStart(scalar) || isWithin(scalar) else { return false }
            guard allowsColon || scalar != ":" else { return false }
            isFirst = false
        }
        return true
    }

    private static func isStart(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x3A, 0x41...0x5A, 0x5F, 0x61...0x7A, 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x2FF, 0x370...0x37D,
            0x37F...0x1FFF, 0x200C...0x200D, 0x2070...0x218F, 0x2C00...0x2FEF, 0x3001...0xD7FF, 0xF900...0xFDCF,
            0xFDF0...0xFFFD, 0x10000...0xEFFFF:
            true
        default: false  // integers: no other character begins a name
        }
    }

    private static func isWithin(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x2D, 0x2E, 0x30...0x39, 0xB7, 0x300...0x36F, 0x203F...0x2040: true
        default: false  // integers: no other character goes on with a name
        }
    }
}

/// What nearly every text of a simple type looks like, so that most need no more than a look at each byte.
enum PlainForm: BitwiseCopyable, Sendable {
    /// Every text is right.
    case any
    case ncName
    /// A whole number from 0.
    case unsigned
    case real
    /// An address, or an id after `#`.
    case reference
    /// One of so many in a list of words.
    case words(first: Int32, count: Int32)
    case other

    /// - Parameter words: Those of a type that lists some are put behind it.
    init(_ id: SimpleType.ID, _ models: ContentModels, _ words: inout [ShortText.Word]) {
        switch models[id].form {
        case .builtIn(let type):
            switch type {
            case .string, .token: self = .any
            case .name, .nmtoken, .ncName, .id, .idref: self = .ncName
            case .anyURI: self = .reference
            case .unsignedLong, .unsignedInt, .integer, .long, .nonNegativeInteger: self = .unsigned
            case .double, .float: self = .real
            case .dateTime, .boolean, .hexBinary, .int, .short, .byte, .positiveInteger, .unsignedByte: self = .other
            }
        case .values(_, let values):
            let first = Int32(words.count)
            for value in values {
                // The longer ones are found by who looks closer.
                let text = Array(value.utf8)
                if let word = ShortText.word(text.span) { words.append(word) }
            }
            self = .words(first: first, count: Int32(words.count) - first)
        case .text(_, let form):
            switch form {
            case .uriFragment: self = .reference
            case .sidref, .email: self = .other
            }
        case .list, .range, .union: self = .other
        }
    }

    /// Whether a text is surely of the type; `false` says nothing.
    ///
    /// - Parameter words: The list that it was made with.
    @inline(__always)
    func isSurely(_ text: Span<UInt8>, _ words: [ShortText.Word]) -> Bool {
        switch self {
        case .any: true
        case .ncName: ShortText.isName(text)
        case .unsigned: Self.isUnsigned(text)
        case .real: Self.isUnsigned(text) || NumberForm.isReal(text)
        case .reference: text.count > 1 && text[0] == UInt8(ascii: "#") && ShortText.isName(text, from: 1)
        case .words(let first, let count): Self.isAny(of: words[Int(first)..<Int(first + count)], text)
        case .other: false
        }
    }

    @inline(__always)
    private static func isUnsigned(_ text: Span<UInt8>) -> Bool {
        guard (1...9).contains(text.count) else { return false }
        for place in text.indices where text[place] &- UInt8(ascii: "0") > 9 { return false }
        return true
    }

    @inline(__always)
    private static func isAny(of words: ArraySlice<ShortText.Word>, _ text: Span<UInt8>) -> Bool {
        ShortText.word(text).map { words.contains($0) } ?? false
    }
}
