// A document type declaration is never read, only walked to its end; so what matters is what can hide a `>`.

struct DoctypeScan {
    enum Outcome {
        case inside, end
        /// `<!ENTITY`: what is declared could be expanded.
        case entity
    }
    /// What it is in the middle of.
    private enum Inner {
        case none, comment, instruction
        /// The open quotation mark.
        case quote(UInt8)
    }

    let start: XMLPosition
    private var inner = Inner.none
    /// Whether the `[` of the internal subset is open, as a depth.
    private var brackets = 0
    /// The last eight bytes.
    private var window: UInt64 = 0

    init(start: XMLPosition) {
        self.start = start
    }

    mutating func read(_ byte: UInt8) -> Outcome {
        window = window << 8 | UInt64(byte)
        switch inner {
        case .none: return readPlain(byte)
        case .quote(let mark): if byte == mark { inner = .none }
        case .comment: if ends(with: "-->") { inner = .none }
        case .instruction: if ends(with: "?>") { inner = .none }
        }
        return .inside
    }

    private mutating func readPlain(_ byte: UInt8) -> Outcome {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): inner = .quote(byte)
        case UInt8(ascii: "["): brackets += 1
        case UInt8(ascii: "]"): brackets -= 1
        case UInt8(ascii: ">") where brackets <= 0: return .end
        case UInt8(ascii: "-") where ends(with: "<!--"): begin(.comment)
        case UInt8(ascii: "?") where ends(with: "<?"): begin(.instruction)
        case UInt8(ascii: "Y") where ends(with: "<!ENTITY"): return .entity
        default: break  // bytes
        }
        return .inside
    }

    /// The bytes of the opening are no part of the end: `<!-->` ends nothing.
    private mutating func begin(_ inner: Inner) {
        self.inner = inner
        window = 0
    }

    /// - Parameter text: ASCII, at most eight letters.
    private func ends(with text: StaticString) -> Bool {
        let value = text.withUTF8Buffer { $0.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
        let bits = 8 * text.utf8CodeUnitCount
        return bits == 64 ? window == value : window & (1 << bits - 1) == value
    }
}
