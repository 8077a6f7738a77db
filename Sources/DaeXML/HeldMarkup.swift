// Its end is looked for in the new bytes only, so that a long piece in small chunks costs no more than in one.

/// A piece of markup that a chunk's border cuts: its bytes are kept until the rest is there.
struct HeldMarkup {
    private enum Kind {
        /// A reference or a line's end in text.
        case text
        /// `<` and too little behind it to say what it begins.
        case opening
        case tag
        case run(EndMark)
    }

    private(set) var bytes: [UInt8] = []
    private var kind = Kind.text
    /// The open quotation mark, or 0.
    private var quote: UInt8 = 0

    var isEmpty: Bool { bytes.isEmpty }

    /// The most that is kept of one piece, in bytes.
    func most(_ limits: XMLLimits) -> Int {
        switch kind {
        case .text, .opening: 64
        case .tag: min(limits.tagBytes, 1 << 20)
        case .run: max(limits.commentBytes, 1 << 20)
        }
    }

    mutating func clear() {
        bytes.removeAll(keepingCapacity: bytes.capacity <= 1 << 16)
    }

    /// Keeps what a chunk ends with; false where its end is there already.
    mutating func begin(_ rest: Span<UInt8>) -> Bool {
        clear()
        guard rest.count > 0 else { return true }
        guard rest[0] == UInt8(ascii: "<") else {
            kind = .text
            bytes = Array(rest, 0, rest.count)
            return true
        }
        kind = .opening
        return !take(from: rest).isWhole
    }

    struct Taken {
        var count: Int
        /// Whether the piece may be read now.
        var isWhole: Bool
    }

    /// Takes what completes the piece, or as much as there is.
    mutating func take(from more: Span<UInt8>) -> Taken {
        var at = 0
        while at < more.count {
            switch kind {
            case .text:
                let count = min(more.count, 16)
                bytes += Array(more, 0, count)
                return Taken(count: count, isWhole: true)
            case .opening:
                bytes.append(more[at])
                at += 1
                classify()
            case .tag, .run:
                let end = end(in: more, from: at)
                bytes += Array(more, at, end ?? more.count)
                return Taken(count: end ?? more.count, isWhole: end != nil)
            }
            if isWholeOpening { return Taken(count: at, isWhole: true) }
        }
        return Taken(count: at, isWhole: false)
    }

    /// `<>`, and what is not well-formed from its beginning: nothing need be waited for.
    private var isWholeOpening: Bool {
        switch kind {
        case .tag: bytes.last == UInt8(ascii: ">")
        case .opening: isRefused || bytes.count > 9
        case .text, .run: false
        }
    }

    private var isRefused: Bool {
        if bytes.starts(with: "<?".utf8) { return bytes.count > 2 && !XMLNameRules.mayBegin(bytes[2]) }
        return bytes.elementsEqual("<!-->".utf8) || bytes.elementsEqual("<!--->".utf8)
    }

    private mutating func classify() {
        guard bytes.count > 1, !isRefused else { return }
        quote = 0
        switch bytes[1] {
        case UInt8(ascii: "?"): if bytes.count > 2 { kind = .run(EndMark(.instruction)) }
        case UInt8(ascii: "!"):
            if bytes.count == 6, bytes.starts(with: "<!--".utf8) {
                var mark = EndMark(.comment)
                _ = mark.end(in: bytes.span, from: 4)
                kind = .run(mark)
            }
            if bytes.elementsEqual("<![CDATA[".utf8) { kind = .run(EndMark(.cdata)) }
        default:
            kind = .tag
            if bytes[1] == UInt8(ascii: "\"") || bytes[1] == UInt8(ascii: "'") { quote = bytes[1] }
        }
    }

    private mutating func end(in more: Span<UInt8>, from start: Int) -> Int? {
        switch kind {
        case .text, .opening: return nil
        case .tag: return endOfTag(in: more, from: start)
        case .run(var mark):
            let end = mark.end(in: more, from: start)
            kind = .run(mark)
            return end
        }
    }

    private mutating func endOfTag(in more: Span<UInt8>, from start: Int) -> Int? {
        for at in start..<more.count {
            let byte = more[at]
            if quote != 0 {
                if byte == quote { quote = 0 }
            } else if byte == UInt8(ascii: ">") {
                return at + 1
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            }
        }
        return nil
    }
}

/// Looks for the mark that ends a comment, an instruction or a CDATA section, in bytes that come in pieces.
struct EndMark {
    enum Kind {
        case comment, instruction, cdata
    }

    let kind: Kind
    private let mark: [UInt8]
    /// How many of its bytes were seen.
    private var matched = 0

    init(_ kind: Kind) {
        self.kind = kind
        mark =
            switch kind {
            case .comment: Array("-->".utf8)
            case .instruction: Array("?>".utf8)
            case .cdata: Array("]]>".utf8)
            }
    }

    /// Where the mark ends, which the bytes from `start` on may go on with or have; `nil` where it does not end in them.
    mutating func end(in bytes: Span<UInt8>, from start: Int) -> Int? {
        var at = start
        while at < bytes.count {
            if matched == 0 {
                guard let first = bytes.firstIndex(of: mark[0], from: at, before: bytes.count) else { return nil }
                at = first
            }
            let byte = bytes[at]
            at += 1
            if byte == mark[matched] {
                matched += 1
                if matched == mark.count { return at }
            } else if !(byte == mark[0] && matched == 2) {
                // After `--` or `]]` one more of the same keeps both; anything else starts again.
                matched = byte == mark[0] ? 1 : 0
            }
        }
        return nil
    }
}
