/// Turns GIF's codes of growing width back into indices, as their bytes come.
struct LZWReader {
    enum Verdict {
        case more
        case end
        case damaged
    }

    private static let most = 4096

    private let clear: Int
    private var width: Int
    private var bits: UInt32 = 0
    private var bitCount = 0
    /// The next code that is given out.
    private var next: Int
    private var previous: Int?
    /// Of each code: the code before its last index, and that index.
    private var prefix: [UInt16]
    private var suffix: [UInt8]
    private var text: [UInt8] = []

    /// - Parameter codeSize: Bits of an index, 1...8.
    init(codeSize: Int) {
        clear = 1 << codeSize
        width = codeSize + 1
        next = clear + 2
        prefix = [UInt16](repeating: 0, count: Self.most)
        suffix = (0..<Self.most).map { UInt8(truncatingIfNeeded: $0) }
    }

    mutating func take(_ byte: UInt8, put: (UInt8) -> Void) -> Verdict {
        bits |= UInt32(byte) << UInt32(bitCount)
        bitCount += 8
        while bitCount >= width {
            let code = Int(bits & (1 << UInt32(width) - 1))
            bits >>= UInt32(width)
            bitCount -= width
            switch take(code: code, put: put) {
            case .more: continue
            case .end: return .end
            case .damaged: return .damaged
            }
        }
        return .more
    }

    private mutating func take(code: Int, put: (UInt8) -> Void) -> Verdict {
        if code == clear {
            width = clear.trailingZeroBitCount + 1
            next = clear + 2
            previous = nil
            return .more
        }
        if code == clear + 1 { return .end }
        guard let previous else {
            guard code < clear else { return .damaged }
            self.previous = code
            put(suffix[code])
            return .more
        }
        guard code <= next, code < Self.most else { return .damaged }
        // A code that is only now given out stands for the text before and its own first index.
        let isNew = code == next
        spell(isNew ? previous : code)
        guard let first = text.last else { return .damaged }
        for index in text.reversed() { put(index) }
        if isNew { put(first) }
        if next < Self.most {
            prefix[next] = UInt16(previous)
            suffix[next] = first
            next += 1
            if next == 1 << width, width < 12 { width += 1 }
        }
        self.previous = code
        return .more
    }

    /// Last index first.
    private mutating func spell(_ code: Int) {
        text.removeAll(keepingCapacity: true)
        var code = code
        while code >= clear {
            text.append(suffix[code])
            code = Int(prefix[code])
        }
        text.append(UInt8(truncatingIfNeeded: code))
    }
}
