import CTextScan

// Text is looked through in short words first, for most of it is the white space between two tags; then in blocks whose
// loops the compiler makes wide.

/// Reads the text between two pieces of markup, and reports it.
enum TextReader {
    /// Reads the text at `from`, up to the next `<` or the end of what is there.
    @inline(__always)
    static func read(
        _ bytes: Span<UInt8>, _ from: Int, _ lines: inout LineCounter, _ events: inout EventReporter
    ) -> PlainTokenizer.Step {
        // Most text is the indentation of the next tag.
        var newline = from
        if bytes[from] == 0x0D, events.skipsIndentation, from &+ 1 < bytes.count { newline &+= 1 }
        guard bytes[newline] == 0x0A else { return readAny(bytes, from, &lines, &events) }
        let end = indentationEnd(bytes, newline &+ 1)
        guard end >= 0 else { return readAny(bytes, from, &lines, &events) }
        guard !events.skipsIndentation else {
            lines.beginLine(at: newline &+ 1)
            return .next(end)
        }
        let start = lines.position(newline)
        lines.beginLine(at: newline &+ 1)
        return events.text(bytes, newline, end, at: start) ? .next(end) : .stopped
    }

    /// Where the markup behind blanks or tabs begins; -1 where there is something else.
    @inline(__always)
    private static func indentationEnd(_ bytes: Span<UInt8>, _ at: Int) -> Int {
        guard at < bytes.count else { return -1 }
        let blanks = dae_count_blanks(bytes.address(at), bytes.count &- at, bytes[at] == 0x09 ? 0x09 : 0x20)
        return blanks >= 0 && bytes[at &+ blanks] == UInt8(ascii: "<") ? at &+ blanks : -1
    }

    @inline(never)
    private static func readAny(
        _ bytes: Span<UInt8>, _ from: Int, _ lines: inout LineCounter, _ events: inout EventReporter
    ) -> PlainTokenizer.Step {
        var at = from
        var newlines = 0
        var lastNewline = -1
        let wordsEnd = min(bytes.count, from + 48)
        while at + 8 <= wordsEnd {
            let word = bytes.word(at: at)
            let markup = ByteWord.matches(UInt8(ascii: "<"), word)
            let newline = ByteWord.exactMatches(0x0A, word)
            let control = ByteWord.exactBelow(0x20, word) & ~newline & ~ByteWord.exactMatches(0x09, word)
            let others =
                control | word & ByteWord.highBits | ByteWord.matches(UInt8(ascii: "&"), word)
                | ByteWord.matches(UInt8(ascii: "]"), word)
            // The bits below the lowest of the markup's.
            let within = markup == 0 ? UInt64.max : (markup & (0 &- markup)) &- 1
            if others & within != 0 { return readByBytes(bytes, from, &lines, &events) }
            let ended = newline & within
            if ended != 0 {
                newlines &+= ended.nonzeroBitCount
                lastNewline = at &+ (63 &- ended.leadingZeroBitCount) >> 3
            }
            if markup != 0 {
                let run = PlainText(
                    count: at &+ ByteWord.index(markup) &- from, newlines: newlines, lastNewline: lastNewline &- from)
                return report(run, bytes, from, &lines, &events)
            }
            at &+= 8
        }
        var run = PlainText(count: at - from, newlines: newlines, lastNewline: lastNewline - from)
        if at < bytes.count {
            guard let rest = plainText(bytes, at, withReturns: false) else {
                return readByBytes(bytes, from, &lines, &events)
            }
            run = run.followed(by: rest)
        }
        return report(run, bytes, from, &lines, &events)
    }

    private static func report(
        _ run: PlainText, _ bytes: Span<UInt8>, _ from: Int, _ lines: inout LineCounter, _ events: inout EventReporter
    ) -> PlainTokenizer.Step {
        let start = lines.position(from)
        if run.newlines > 0 { lines.beginLine(at: from &+ run.lastNewline &+ 1, after: run.newlines) }
        return events.text(bytes, from, from &+ run.count, at: start) ? .next(from &+ run.count) : .stopped
    }

    // MARK: - Plain text

    /// Text up to the markup behind it, or to the end; `nil` where it is not plain.
    private static func plainText(_ bytes: Span<UInt8>, _ from: Int, withReturns: Bool) -> PlainText? {
        if PlainText.isFast { return PlainText(of: bytes, from, withReturns: withReturns) }
        let end = bytes.firstIndex(of: UInt8(ascii: "<"), from: from, before: bytes.count) ?? bytes.count
        guard let newlines = newlines(bytes, from, end, allowing: withReturns ? 1 : 0) else { return nil }
        var last = end - 1
        if newlines > 0 {
            while bytes[last] != 0x0A { last -= 1 }
        }
        return PlainText(count: end - from, newlines: newlines, lastNewline: last - from)
    }

    /// How many newlines are in plain text; `nil` where something in it is not plain.
    ///
    /// - Parameter returns: 1 where a return is plain, else 0.
    @inline(__always)
    private static func newlines(
        _ bytes: Span<UInt8>, _ from: Int, _ count: Int, allowing returns: UInt8
    ) -> Int? {
        var newlines = 0
        var at = from
        while at < count {
            // So few that a byte holds the newlines' count.
            let end = min(at + 240, count)
            var others: UInt8 = 0
            var ended: UInt8 = 0
            // Without a branch, for the sake of wide loops.
            for index in at..<end {
                let byte = bytes[index]
                let isMark: UInt8 = byte == UInt8(ascii: "&") ? 1 : 0
                let isBracket: UInt8 = byte == UInt8(ascii: "]") ? 1 : 0
                let isControl: UInt8 = byte < 0x20 ? 1 : 0
                let isTab: UInt8 = byte == 0x09 ? 1 : 0
                let isNewline: UInt8 = byte == 0x0A ? 1 : 0
                let isReturn: UInt8 = byte == 0x0D ? returns : 0
                others |= isMark | isBracket | byte >> 7 | (isControl ^ isTab ^ isNewline ^ isReturn)
                ended &+= isNewline
            }
            guard others == 0 else { return nil }
            newlines &+= Int(ended)
            at = end
        }
        return newlines
    }

    // MARK: - Other text

    /// Whether libxml2 need judge nothing in a run of text. Nothing is reported about one before: a fault stands at the
    /// beginning of the run, and what is behind it may weigh more.
    private static func isSound(_ bytes: Span<UInt8>, _ from: Int) -> Bool {
        var at = from
        while at < bytes.count {
            switch bytes[at] {
            case UInt8(ascii: "<"): return true
            case UInt8(ascii: "&"):
                switch XMLReference(bytes, at: at, before: bytes.count) {
                case .character, .cut: break
                case .unsure: return false
                }
            case UInt8(ascii: "]"): if bytes.hasText("]]>", at: at) { return false }
            case 0xEF where bytes.isNoCharacter(at: at): return false
            case 0x20..<0x80:
                at = commonEnd(bytes, at + 1)
                continue
            case 0x80..., 0x09, 0x0A, 0x0D: break
            default: return false
            }
            at += 1
        }
        return true
    }

    /// How far only letters follow that mean nothing but themselves; it may be some short of all.
    @inline(__always)
    private static func commonEnd(_ bytes: Span<UInt8>, _ from: Int) -> Int {
        var at = from
        while at &+ 8 <= bytes.count {
            let word = bytes.word(at: at)
            let others =
                ByteWord.below(0x20, word) | word & ByteWord.highBits | ByteWord.matches(UInt8(ascii: "<"), word)
                | ByteWord.matches(UInt8(ascii: "&"), word) | ByteWord.matches(UInt8(ascii: "]"), word)
            guard others == 0 else { return at &+ ByteWord.index(others) }
            at &+= 8
        }
        return at
    }

    /// Text with references, line ends of two bytes, other letters than ASCII's, or worse.
    private static func readByBytes(
        _ bytes: Span<UInt8>, _ from: Int, _ lines: inout LineCounter, _ events: inout EventReporter
    ) -> PlainTokenizer.Step {
        if events.takesAnyLineEnd, let run = plainText(bytes, from, withReturns: true) {
            return report(run, bytes, from, &lines, &events)
        }
        guard isSound(bytes, from) else { return .unsure(from) }
        var segment = from
        var start = lines.position(from)
        var before = lines
        var at = from
        while at < bytes.count {
            let byte = bytes[at]
            switch byte {
            case UInt8(ascii: "<"): return events.text(bytes, segment, at, at: start) ? .next(at) : .stopped
            case 0x0A: lines.beginLine(at: at + 1)
            case 0x80...0xBF: lines.passContinuations(1)
            case 0xEF where bytes.isNoCharacter(at: at):
                lines = before
                return .unsure(segment)
            case 0x0D, UInt8(ascii: "&"):
                guard events.text(bytes, segment, at, at: start) else { return .stopped }
                let step = byte == 0x0D ? readReturn(bytes, at, lines, events) : readReference(bytes, at, lines, events)
                guard case .next(let end) = step else { return step }
                segment = end
                before = lines
                start = lines.position(end)
                at = end
                continue
            case UInt8(ascii: "]"):
                switch bytes.comparison(with: "]]>", at: at) {
                case .different: break
                case .cut: return events.text(bytes, segment, at, at: start) ? .more(at) : .stopped
                case .same:
                    lines = before
                    return .unsure(segment)
                }
            case 0x20..<0x80:
                at = commonEnd(bytes, at + 1)
                continue
            case 0x80..., 0x09: break
            default:
                lines = before
                return .unsure(segment)
            }
            at += 1
        }
        return events.text(bytes, segment, at, at: start) ? .next(at) : .stopped
    }

    /// A line's end is one newline, however it is written.
    private static func readReturn(
        _ bytes: Span<UInt8>, _ at: Int, _ lines: LineCounter, _ events: EventReporter
    ) -> PlainTokenizer.Step {
        guard at + 1 < bytes.count else { return .more(at) }
        if bytes[at + 1] == 0x0A { return .next(at + 1) }
        return events.text("\n", at: lines.position(at)) ? .next(at + 1) : .stopped
    }

    private static func readReference(
        _ bytes: Span<UInt8>, _ at: Int, _ lines: LineCounter, _ events: EventReporter
    ) -> PlainTokenizer.Step {
        switch XMLReference(bytes, at: at, before: bytes.count) {
        case .cut: .more(at)
        case .unsure: .unsure(at)
        case .character(let character, let end):
            events.text(character, at: lines.position(at)) ? .next(end) : .stopped
        }
    }
}

/// A run of text in which nothing needs a closer look, up to the markup behind it or the end of what is there.
struct PlainText {
    /// Bytes.
    let count: Int
    let newlines: Int
    /// The place of the last newline, where there is one.
    let lastNewline: Int

    /// Whether this machine looks through text by vector instructions; else ``init(of:_:withReturns:)`` gives nothing.
    static let isFast = dae_has_vectors()

    init(count: Int, newlines: Int, lastNewline: Int) {
        self.count = count
        self.newlines = newlines
        self.lastNewline = lastNewline
    }

    /// `nil` where something stands before the next `<` that is no plain text: a reference, a bracket, a control character
    /// or a byte above 127.
    init?(of bytes: Span<UInt8>, _ from: Int, withReturns: Bool) {
        var newlines = 0
        var last = -1
        let text = UnsafeRawPointer(bytes.address(from)).assumingMemoryBound(to: CChar.self)
        let end = dae_scan_text(text, bytes.count - from, withReturns ? 1 : 0, &newlines, &last)
        // SIZE_MAX, which is -1 here.
        guard end >= 0 else { return nil }
        self.init(count: end, newlines: newlines, lastNewline: last)
    }

    /// With another run that begins where this one ends.
    func followed(by next: PlainText) -> PlainText {
        PlainText(
            count: count + next.count, newlines: newlines + next.newlines,
            lastNewline: next.newlines > 0 ? count + next.lastNewline : lastNewline)
    }
}

/// A reference to a character, by its number or by one of the five names that need no declaration.
enum XMLReference {
    case character(Unicode.Scalar, end: Int)
    /// Its end is not there yet.
    case cut
    /// None that is certainly allowed.
    case unsure

    private static let longest = 12

    /// Reads the reference whose ampersand is at `index`.
    init(_ bytes: Span<UInt8>, at index: Int, before count: Int) {
        let limit = min(count, index + Self.longest)
        var end = index + 1
        while end < limit, bytes[end] != UInt8(ascii: ";") { end += 1 }
        if end == limit {
            self = limit == count && count < index + Self.longest ? .cut : .unsure
        } else if let character = Self.character(bytes, index + 1, end) {
            self = .character(character, end: end + 1)
        } else {
            self = .unsure
        }
    }

    private static func character(_ bytes: Span<UInt8>, _ from: Int, _ end: Int) -> Unicode.Scalar? {
        guard from < end else { return nil }
        if bytes[from] == UInt8(ascii: "#") { return number(bytes, from + 1, end) }
        let known: [(StaticString, Unicode.Scalar)] = [
            ("amp", "&"), ("lt", "<"), ("gt", ">"), ("quot", "\""), ("apos", "'"),
        ]
        for (name, character) in known where name.utf8CodeUnitCount == end - from && bytes.hasText(name, at: from) {
            return character
        }
        return nil
    }

    private static func number(_ bytes: Span<UInt8>, _ from: Int, _ end: Int) -> Unicode.Scalar? {
        let isHex = from < end && bytes[from] == UInt8(ascii: "x")
        let start = isHex ? from + 1 : from
        guard (1...8).contains(end - start) else { return nil }
        var value: UInt32 = 0
        for place in start..<end {
            let byte = bytes[place]
            let digit: UInt32
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = UInt32(byte - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f") where isHex: digit = UInt32(byte - UInt8(ascii: "a")) + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F") where isHex: digit = UInt32(byte - UInt8(ascii: "A")) + 10
            default: return nil
            }
            value = value * (isHex ? 16 : 10) + digit
            guard value <= 0x10FFFF else { return nil }
        }
        switch value {
        case 0x09, 0x0A, 0x0D, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: return Unicode.Scalar(value)
        default: return nil
        }
    }
}
