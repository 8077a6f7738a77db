// Comments, instructions, the XML declaration and CDATA sections.

import Glibc

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
            default: return false  // bytes
            }
        }
        return true
    }

    static func find(_ value: UInt8, _ bytes: UnsafePointer<UInt8>, _ from: Int, _ count: Int) -> Int? {
        guard from < count, let found = memchr(bytes + from, Int32(value), count - from) else { return nil }
        return UnsafeRawPointer(bytes).distance(to: UnsafeRawPointer(found))
    }
}
