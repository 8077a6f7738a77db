// Text is looked through in short words first, for most of it is the white space between two tags; then in blocks whose
// loops the compiler makes wide.

import CTextScan
import Glibc
import NumberDecoding

extension PlainTokenizer {
    /// White space outside the root; there is no event for it.
    mutating func readBlank(_ bytes: UnsafePointer<UInt8>, _ from: Int, _ count: Int) -> Step {
        switch stage {
        case .start, .content: return .odd(from)
        case .prolog, .epilog: break
        }
        var at = from
        while at < count {
            switch bytes[at] {
            case UInt8(ascii: " "), 0x09, 0x0D: break
            case 0x0A: beginLine(at + 1)
            case UInt8(ascii: "<"): return .next(at)
            default: return .odd(at)
            }
            at += 1
        }
        return .next(at)
    }

    mutating func beginLine(_ at: Int) {
        lines.line &+= 1
        lines.start = origin &+ Int64(truncatingIfNeeded: at)
        lines.continuations = 0
    }

    /// Where the newline stands with which an indentation begins: at `at`, or behind the return there, where nobody is told
    /// of it.
    @inline(__always)
    func newlineOfIndent(_ bytes: UnsafePointer<UInt8>, _ at: Int, _ count: Int) -> Int {
        guard bytes[at] == 0x0D, at &+ 1 < count, bytes[at &+ 1] == 0x0A else { return at }
        switch telling {
        case .passed, .withoutIndents: return at &+ 1
        case .told: return at
        }
    }

    /// Where the markup behind a newline and blanks or tabs begins, which most text is; -1 where it is another.
    @inline(__always)
    func indentEnd(_ bytes: UnsafePointer<UInt8>, _ newline: Int, _ count: Int) -> Int {
        let at = newline &+ 1
        guard at < count else { return -1 }
        let blanks = dae_count_blanks(bytes + at, count &- at, bytes[at] == 0x09 ? 0x09 : 0x20)
        guard blanks >= 0 else { return -1 }
        return bytes[at &+ blanks] == UInt8(ascii: "<") ? at &+ blanks : -1
    }

    @inline(__always)
    mutating func readIndent(_ bytes: UnsafePointer<UInt8>, _ newline: Int, _ end: Int) -> Bool {
        switch telling {
        case .passed, .withoutIndents:
            beginLine(newline &+ 1)
            return true
        case .told:
            let start = position(newline)
            beginLine(newline &+ 1)
            return tell(bytes, newline, end, at: start)
        }
    }

    mutating func readText(_ bytes: UnsafePointer<UInt8>, _ from: Int, _ count: Int) -> Step {
        let start = position(from)
        var at = from
        var newlines = 0
        var lastNewline = -1
        let wordsEnd = min(count, from + 48)
        while at + 8 <= wordsEnd {
            let word = ByteWord.load(bytes + at)
            let markup = ByteWord.zeros(word ^ ByteWord.repeated(UInt8(ascii: "<")))
            let newline = ByteWord.exactZeros(word ^ ByteWord.repeated(0x0A))
            let control =
                ByteWord.exactBelow(0x20, word) & ~newline & ~ByteWord.exactZeros(word ^ ByteWord.repeated(0x09))
            let odd =
                control | word & ByteWord.highs | ByteWord.zeros(word ^ ByteWord.repeated(UInt8(ascii: "&")))
                | ByteWord.zeros(word ^ ByteWord.repeated(UInt8(ascii: "]")))
            // The bits below the lowest of the markup's.
            let within = markup == 0 ? UInt64.max : (markup & (0 &- markup)) &- 1
            if odd & within != 0 { return readOddText(bytes, from, count) }
            let ended = newline & within
            if ended != 0 {
                newlines &+= ended.nonzeroBitCount
                lastNewline = at &+ (63 &- ended.leadingZeroBitCount) >> 3
            }
            if markup != 0 {
                at &+= ByteWord.index(markup)
                return settleText(bytes, from, at, count, start, newlines, lastNewline)
            }
            at &+= 8
        }
        guard at < count else { return settleText(bytes, from, at, count, start, newlines, lastNewline) }
        guard let run = Self.run(bytes + at, count - at, withReturns: false) else {
            return readOddText(bytes, from, count)
        }
        if run.newlines > 0 {
            newlines += run.newlines
            lastNewline = at + run.lastNewline
        }
        return settleText(bytes, from, at + run.count, count, start, newlines, lastNewline)
    }

    private mutating func settleText(
        _ bytes: UnsafePointer<UInt8>, _ from: Int, _ end: Int, _ count: Int, _ start: XMLPosition, _ newlines: Int,
        _ last: Int
    ) -> Step {
        if newlines > 0 {
            lines.line &+= newlines
            lines.start = origin &+ Int64(truncatingIfNeeded: last &+ 1)
            lines.continuations = 0
        }
        return tell(bytes, from, end, at: start) ? .next(end) : .stopped
    }

    /// Text up to the markup behind it, or to the end; `nil` where something in it is out of the common.
    private static func run(_ bytes: UnsafePointer<UInt8>, _ count: Int, withReturns: Bool) -> PlainText? {
        if PlainText.isFast { return PlainText(of: bytes, count, withReturns: withReturns) }
        var end = count
        if let found = memchr(bytes, Int32(UInt8(ascii: "<")), count) {
            end = UnsafePointer(bytes).distance(to: found.assumingMemoryBound(to: UInt8.self))
        }
        guard let newlines = survey(bytes, end, allowing: withReturns ? 1 : 0) else { return nil }
        var last = end - 1
        if newlines > 0 {
            while bytes[last] != 0x0A { last -= 1 }
        }
        return PlainText(count: end, newlines: newlines, lastNewline: last)
    }

    /// How many newlines are in text in which nothing is out of the common; `nil` where something is.
    ///
    /// - Parameter returns: 1 where a return is common, else 0.
    @inline(__always)
    private static func survey(_ bytes: UnsafePointer<UInt8>, _ count: Int, allowing returns: UInt8) -> Int? {
        var newlines = 0
        var at = 0
        while at < count {
            // So few that a byte holds the newlines' count.
            let end = min(at + 240, count)
            var odd: UInt8 = 0
            var ended: UInt8 = 0
            var index = at
            // Without a branch, for the sake of wide loops.
            while index < end {
                let byte = bytes[index]
                let isMark: UInt8 = byte == UInt8(ascii: "&") ? 1 : 0
                let isBracket: UInt8 = byte == UInt8(ascii: "]") ? 1 : 0
                let isControl: UInt8 = byte < 0x20 ? 1 : 0
                let isTab: UInt8 = byte == 0x09 ? 1 : 0
                let isNewline: UInt8 = byte == 0x0A ? 1 : 0
                let isReturn: UInt8 = byte == 0x0D ? returns : 0
                odd |= isMark | isBracket | byte >> 7 | (isControl ^ isTab ^ isNewline ^ isReturn)
                ended &+= isNewline
                index &+= 1
            }
            guard odd == 0 else { return nil }
            newlines &+= Int(ended)
            at = end
        }
        return newlines
    }

    /// Whether nothing in a run of text has to be judged by another. Nothing is told of one before: the place of a fault
    /// is that of the run, and what is behind it may weigh more.
    private static func isSound(_ bytes: UnsafePointer<UInt8>, _ from: Int, _ count: Int) -> Bool {
        var at = from
        while at < count {
            switch bytes[at] {
            case UInt8(ascii: "<"): return true
            case UInt8(ascii: "&"):
                switch XMLReference.read(bytes, at, count) {
                case .character, .cut: break
                case .odd: return false
                }
            case UInt8(ascii: "]"):
                if at + 2 < count, bytes[at + 1] == UInt8(ascii: "]"), bytes[at + 2] == UInt8(ascii: ">") {
                    return false
                }
            case 0xEF where isNoCharacter(bytes, at, count): return false
            case 0x20..<0x80:
                at = commonEnd(bytes, at + 1, count)
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
    private static func commonEnd(_ bytes: UnsafePointer<UInt8>, _ from: Int, _ count: Int) -> Int {
        var at = from
        while at &+ 8 <= count {
            let word = ByteWord.load(bytes + at)
            let others =
                ByteWord.below(0x20, word) | word & ByteWord.highs
                | ByteWord.zeros(word ^ ByteWord.repeated(UInt8(ascii: "<")))
                | ByteWord.zeros(word ^ ByteWord.repeated(UInt8(ascii: "&")))
                | ByteWord.zeros(word ^ ByteWord.repeated(UInt8(ascii: "]")))
            guard others == 0 else { return at &+ ByteWord.index(others) }
            at &+= 8
        }
        return at
    }

    /// Text with references, line ends of two bytes, other letters than ASCII's, or worse.
    private mutating func readOddText(_ bytes: UnsafePointer<UInt8>, _ from: Int, _ count: Int) -> Step {
        if handler.takesAnyLineEnd, let step = readReturns(bytes, from, count) { return step }
        guard Self.isSound(bytes, from, count) else { return .odd(from) }
        var segment = from
        var start = position(from)
        var before = lines
        var at = from
        while at < count {
            let byte = bytes[at]
            switch byte {
            case UInt8(ascii: "<"): return tell(bytes, segment, at, at: start) ? .next(at) : .stopped
            case 0x0A: beginLine(at + 1)
            case 0x80...0xBF: lines.continuations &+= 1
            case 0xEF where Self.isNoCharacter(bytes, at, count):
                lines = before
                return .odd(segment)
            case 0x0D, UInt8(ascii: "&"):
                guard tell(bytes, segment, at, at: start) else { return .stopped }
                switch byte == 0x0D ? readReturn(bytes, at, count) : readReference(bytes, at, count) {
                case .next(let end):
                    segment = end
                    before = lines
                    start = position(end)
                    at = end
                    continue
                case .more(let end): return .more(end)
                case .odd(let end): return .odd(end)
                case .stopped: return .stopped
                }
            case UInt8(ascii: "]"):
                let isLast = at + 1 >= count
                guard isLast || bytes[at + 1] == UInt8(ascii: "]") else { break }
                if isLast || at + 2 >= count { return tell(bytes, segment, at, at: start) ? .more(at) : .stopped }
                guard bytes[at + 2] == UInt8(ascii: ">") else { break }
                lines = before
                return .odd(segment)
            case 0x20..<0x80:
                at = Self.commonEnd(bytes, at + 1, count)
                continue
            case 0x80..., 0x09: break
            default:
                lines = before
                return .odd(segment)
            }
            at += 1
        }
        return tell(bytes, segment, at, at: start) ? .next(at) : .stopped
    }

    /// Text in which only returns are out of the common; it is told as it is written. `nil` where it is another.
    private mutating func readReturns(_ bytes: UnsafePointer<UInt8>, _ from: Int, _ count: Int) -> Step? {
        guard let run = Self.run(bytes + from, count - from, withReturns: true) else { return nil }
        return settleText(
            bytes, from, from + run.count, count, position(from), run.newlines, from + run.lastNewline)
    }

    /// A line's end is one newline, however it is written.
    private mutating func readReturn(_ bytes: UnsafePointer<UInt8>, _ at: Int, _ count: Int) -> Step {
        guard at + 1 < count else { return .more(at) }
        if bytes[at + 1] == 0x0A { return .next(at + 1) }
        let newline: StaticString = "\n"
        return tell(newline.utf8Start, 0, 1, at: position(at)) ? .next(at + 1) : .stopped
    }

    private mutating func readReference(_ bytes: UnsafePointer<UInt8>, _ at: Int, _ count: Int) -> Step {
        switch XMLReference.read(bytes, at, count) {
        case .cut: return .more(at)
        case .odd: return .odd(at)
        case .character(let character, let end):
            let place = position(at)
            let isTold = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 4) { room in
                guard let start = room.baseAddress else { return true }
                return tell(start, 0, XMLReference.write(character, to: start), at: place)
            }
            return isTold ? .next(end) : .stopped
        }
    }

    /// U+FFFE and U+FFFF.
    static func isNoCharacter(_ bytes: UnsafePointer<UInt8>, _ at: Int, _ count: Int) -> Bool {
        guard at + 2 < count else { return true }
        return bytes[at + 1] == 0xBF && bytes[at + 2] >= 0xBE
    }
}

// Comments, instructions, the XML declaration and CDATA sections.

extension PlainTokenizer {
    /// What begins with `<!`.
    mutating func readSection(_ bytes: UnsafePointer<UInt8>, _ at: Int, _ count: Int) -> Step {
        switch Self.opens(bytes, at, count, "<!--") {
        case .yes: return readComment(bytes, at, count)
        case .cut: return .more(at)
        case .no: break
        }
        switch Self.opens(bytes, at, count, "<![CDATA[") {
        case .yes: return readCDATA(bytes, at, count)
        case .cut: return .more(at)
        case .no: return .odd(at)
        }
    }

    enum Opening {
        case yes, no, cut
    }

    static func opens(_ bytes: UnsafePointer<UInt8>, _ at: Int, _ count: Int, _ text: StaticString) -> Opening {
        let shared = min(count - at, text.utf8CodeUnitCount)
        guard memcmp(bytes + at, text.utf8Start, shared) == 0 else { return .no }
        return shared == text.utf8CodeUnitCount ? .yes : .cut
    }

    private mutating func readComment(_ bytes: UnsafePointer<UInt8>, _ at: Int, _ count: Int) -> Step {
        var end = at + 4
        // libxml2 takes the dashes of the opening for those of the end.
        if end < count, bytes[end] == UInt8(ascii: ">") { return .odd(at) }
        if end + 1 < count, bytes[end] == UInt8(ascii: "-"), bytes[end + 1] == UInt8(ascii: ">") { return .odd(at) }
        while true {
            guard let dash = Self.find(UInt8(ascii: "-"), bytes, end, count), dash + 1 < count else { return .more(at) }
            end = dash + 1
            guard bytes[end] == UInt8(ascii: "-") else { continue }
            guard dash + 2 < count else { return .more(at) }
            guard bytes[dash + 2] == UInt8(ascii: ">") else { return .odd(at) }
            return passOver(bytes, at, dash + 3)
        }
    }

    mutating func readInstruction(_ bytes: UnsafePointer<UInt8>, _ at: Int, _ count: Int) -> Step {
        var end = at + 2
        guard end < count else { return .more(at) }
        guard XMLNameRules.mayBegin(bytes[end]) else { return .odd(at) }
        repeat {
            guard let mark = Self.find(UInt8(ascii: "?"), bytes, end, count), mark + 1 < count else { return .more(at) }
            end = mark + 1
        } while bytes[end] != UInt8(ascii: ">")
        end += 1
        switch stage {
        case .start:
            if XMLDeclaration.isUsual(UnsafeRawBufferPointer(start: bytes + at, count: end - at)) {
                return passOver(bytes, at, end)
            }
        case .prolog, .content, .epilog: break
        }
        let name = at + 2
        var nameEnd = name
        while bytes[nameEnd] > 0x20, bytes[nameEnd] != UInt8(ascii: "?") { nameEnd += 1 }
        guard bytes[nameEnd] != UInt8(ascii: "?") || nameEnd == end - 2 else { return .odd(at) }
        // Names that begin with xml are XML's own.
        guard nameEnd - name < 3 || bytes[name] | 0x20 != UInt8(ascii: "x"),
            let place = place(ofName: bytes + name, nameEnd - name, readable: end - name)
        else { return .odd(at) }
        let seenBefore = names.seen.count
        names.see(place)
        let step = names.seen.count > limits.names ? .odd(at) : passOver(bytes, at, end)
        switch step {
        case .next, .more, .stopped: break
        case .odd: names.unsee(downTo: seenBefore)
        }
        return step
    }

    private mutating func passOver(_ bytes: UnsafePointer<UInt8>, _ at: Int, _ end: Int) -> Step {
        guard end - at <= limits.commentBytes else { return .odd(at) }
        let start = position(at)
        guard pass(bytes, at, end) else { return .odd(at) }
        lastPassed = Passed(start: start, end: position(end))
        switch stage {
        case .start: stage = .prolog
        case .prolog, .content, .epilog: break
        }
        return .next(end)
    }

    private mutating func readCDATA(_ bytes: UnsafePointer<UInt8>, _ at: Int, _ count: Int) -> Step {
        guard depth > 0 else { return .odd(at) }
        let inside = at + 9
        var end = inside
        while true {
            guard let mark = Self.find(UInt8(ascii: "]"), bytes, end, count), mark + 2 < count else { return .more(at) }
            end = mark + 1
            if bytes[end] == UInt8(ascii: "]"), bytes[end + 1] == UInt8(ascii: ">") { break }
        }
        let start = position(inside)
        guard pass(bytes, at, end + 2) else { return .odd(at) }
        return tell(bytes, inside, end - 1, at: start) ? .next(end + 2) : .stopped
    }

    /// Counts the lines of what has no event; false where there is a byte that may not stand anywhere.
    private mutating func pass(_ bytes: UnsafePointer<UInt8>, _ from: Int, _ end: Int) -> Bool {
        for at in from..<end {
            switch bytes[at] {
            case 0x0A: beginLine(at + 1)
            case 0x80...0xBF: lines.continuations &+= 1
            case 0xEF: if Self.isNoCharacter(bytes, at, end) { return false }
            case 0x20..., 0x09, 0x0D: break
            default: return false
            }
        }
        return true
    }

    static func find(_ value: UInt8, _ bytes: UnsafePointer<UInt8>, _ from: Int, _ count: Int) -> Int? {
        guard from < count, let found = memchr(bytes + from, Int32(value), count - from) else { return nil }
        return UnsafeRawPointer(bytes).distance(to: UnsafeRawPointer(found))
    }
}
