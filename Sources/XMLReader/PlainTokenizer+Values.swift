// Most values are told as they lie in the document; one with a reference or white space other than blanks is written
// anew, and never gets longer by that.

extension PlainTokenizer {
    /// The value whose first byte, behind the quotation mark, is at `from`.
    mutating func readValue(_ bytes: UnsafePointer<UInt8>, _ from: Int, _ count: Int) -> Value {
        let quote = bytes[from &- 1]
        // The ampersand differs in one bit from either mark.
        let similar = ByteWord.repeated(~(quote ^ UInt8(ascii: "&")))
        let pattern = ByteWord.repeated(quote & UInt8(ascii: "&"))
        var at = from
        while at &+ 8 <= count {
            let word = ByteWord.load(bytes + at)
            let ends =
                ByteWord.zeros((word & similar) ^ pattern) | ByteWord.below(0x20, word) | word & ByteWord.highs
                | ByteWord.zeros(word ^ ByteWord.repeated(UInt8(ascii: "<")))
            if ends != 0 {
                at &+= ByteWord.index(ends)
                guard bytes[at] == quote else { return readOddValue(bytes, from, count, quote) }
                return .found(UnsafeRawBufferPointer(start: bytes + from, count: at &- from), end: at &+ 1)
            }
            at &+= 8
        }
        return readOddValue(bytes, from, count, quote)
    }

    private mutating func readOddValue(
        _ bytes: UnsafePointer<UInt8>, _ from: Int, _ count: Int, _ quote: UInt8
    ) -> Value {
        var isAsWritten = true
        var at = from
        while at < count, bytes[at] != quote {
            switch bytes[at] {
            case 0x80...0xBF: lines.continuations &+= 1
            case 0xEF where Self.isNoCharacter(bytes, at, count): return .odd
            case 0x0A:
                beginLine(at + 1)
                isAsWritten = false
            case 0x09, 0x0D, UInt8(ascii: "&"): isAsWritten = false
            case UInt8(ascii: "<"), ..<0x20: return .odd
            default: break  // bytes
            }
            at += 1
        }
        guard at < count else { return .cut }
        if isAsWritten { return .found(UnsafeRawBufferPointer(start: bytes + from, count: at - from), end: at + 1) }
        // Values before this one stay where they are.
        if sideCount == 0, sideCapacity < count { growSide(to: count) }
        guard at - from <= sideCapacity - sideCount else { return .odd }
        let start = sideCount
        guard writeValue(bytes, from, at) else { return .odd }
        return .found(UnsafeRawBufferPointer(start: side + start, count: sideCount - start), end: at + 1)
    }

    private mutating func growSide(to capacity: Int) {
        side.deallocate()
        sideCapacity = capacity
        side = .allocate(capacity: capacity)
    }

    private mutating func writeValue(_ bytes: UnsafePointer<UInt8>, _ from: Int, _ end: Int) -> Bool {
        var at = from
        while at < end {
            switch bytes[at] {
            case 0x09, 0x0A: side[sideCount] = 0x20
            case 0x0D:
                side[sideCount] = 0x20
                if at + 1 < end, bytes[at + 1] == 0x0A { at += 1 }
            case UInt8(ascii: "&"):
                guard case .character(let character, let behind) = XMLReference.read(bytes, at, end) else {
                    return false
                }
                sideCount += XMLReference.write(character, to: side + sideCount)
                at = behind
                continue
            default: side[sideCount] = bytes[at]  // bytes
            }
            sideCount += 1
            at += 1
        }
        return true
    }
}
