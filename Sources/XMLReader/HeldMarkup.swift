// Where a chunk's border cuts a piece of markup, its bytes are kept until the rest is there; its end is looked for in
// the new bytes only, so that a long piece in small chunks costs no more than in one.

struct HeldMarkup {
    private enum Kind {
        /// A reference or a line's end in text.
        case text
        /// `<` and what is too little to tell.
        case opening
        case tag
        case run(end: StaticString)
    }

    private(set) var bytes: [UInt8] = []
    private var kind = Kind.text
    /// The open quotation mark, or 0.
    private var quote: UInt8 = 0
    /// How many bytes of the end mark were seen.
    private var matched = 0

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
    mutating func begin(_ rest: UnsafeRawBufferPointer) -> Bool {
        clear()
        guard let first = rest.first else { return true }
        guard first == UInt8(ascii: "<") else {
            kind = .text
            bytes.append(contentsOf: rest)
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
    mutating func take(from more: UnsafeRawBufferPointer) -> Taken {
        var at = 0
        while at < more.count {
            switch kind {
            case .text:
                let count = min(more.count, 16)
                bytes.append(contentsOf: more[..<count])
                return Taken(count: count, isWhole: true)
            case .opening:
                bytes.append(more[at])
                at += 1
                classify()
            case .tag, .run:
                let end = end(in: more, from: at)
                bytes.append(contentsOf: more[at..<(end ?? more.count)])
                return Taken(count: end ?? more.count, isWhole: end != nil)
            }
            if isWholeOpening { return Taken(count: at, isWhole: true) }
        }
        return Taken(count: at, isWhole: false)
    }

    /// `<>`, and what is odd from its beginning: nothing need be waited for.
    private var isWholeOpening: Bool {
        switch kind {
        case .tag: bytes.last == UInt8(ascii: ">")
        case .opening: isOdd || bytes.count > 9
        case .text, .run: false
        }
    }

    private var isOdd: Bool {
        if bytes.starts(with: "<?".utf8) { return bytes.count > 2 && !XMLNameRules.mayBegin(bytes[2]) }
        return bytes.elementsEqual("<!-->".utf8) || bytes.elementsEqual("<!--->".utf8)
    }

    private mutating func classify() {
        guard bytes.count > 1, !isOdd else { return }
        quote = 0
        matched = 0
        switch bytes[1] {
        case UInt8(ascii: "?"): if bytes.count > 2 { kind = .run(end: "?>") }
        case UInt8(ascii: "!"):
            if bytes.count == 6, bytes.starts(with: "<!--".utf8) {
                kind = .run(end: "-->")
                matched = bytes[5] != UInt8(ascii: "-") ? 0 : bytes[4] == UInt8(ascii: "-") ? 2 : 1
            }
            if bytes.elementsEqual("<![CDATA[".utf8) { kind = .run(end: "]]>") }
        default:
            kind = .tag
            if bytes[1] == UInt8(ascii: "\"") || bytes[1] == UInt8(ascii: "'") { quote = bytes[1] }
        }
    }

    private mutating func end(in more: UnsafeRawBufferPointer, from start: Int) -> Int? {
        switch kind {
        case .text, .opening: nil
        case .tag: endOfTag(in: more, from: start)
        case .run(let mark): end(mark, in: more, from: start)
        }
    }

    private mutating func endOfTag(in more: UnsafeRawBufferPointer, from start: Int) -> Int? {
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

    private mutating func end(_ mark: StaticString, in more: UnsafeRawBufferPointer, from start: Int) -> Int? {
        let length = mark.utf8CodeUnitCount
        let pattern = UnsafeBufferPointer(start: mark.utf8Start, count: length)
        for at in start..<more.count {
            let byte = more[at]
            if byte == pattern[matched] {
                matched += 1
                if matched == length { return at + 1 }
            } else if !(byte == pattern[0] && matched == length - 1 && length == 3) {
                // After `--` or `]]` one more of the same keeps both; anything else starts again.
                matched = byte == pattern[0] ? 1 : 0
            }
        }
        return nil
    }
}
