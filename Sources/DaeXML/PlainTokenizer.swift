/// Reads the markup that files are made of, and nothing else. What is not certainly well-formed it leaves to libxml2, which
/// goes on from there: so it needs no message for any fault.
struct PlainTokenizer: ~Copyable {
    /// How far reading came.
    enum Step {
        /// All before it is read.
        case next(Int)
        /// What begins here depends on bytes that are not there yet.
        case more(Int)
        /// What begins here is not certainly well-formed.
        case unsure(Int)
        /// The handler wants no more.
        case stopped
    }
    /// What may come next in a document.
    enum Stage {
        /// The XML declaration, or what may stand in its place.
        case start
        case prolog, content, epilog
    }

    private let limits: XMLLimits
    private var stage = Stage.start
    private var lines = LineCounter()
    private var events: EventReporter
    private var tags: TagReader
    /// The comment or instruction that was read last: libxml2 reports a fault just behind one at its place.
    private var lastPassed: MarkupMarks.Mark?

    init(vocabulary: XMLVocabulary, limits: XMLLimits, handler: any XMLEventHandler) {
        self.limits = limits
        events = EventReporter(handler)
        tags = TagReader(vocabulary, limits)
    }

    /// Where the chunk that comes next begins.
    var position: XMLPosition { lines.position(0) }

    /// Whether the document may end here.
    var isComplete: Bool {
        switch stage {
        case .start, .prolog, .content: false
        case .epilog: true
        }
    }

    mutating func passByteOrderMark() { lines.passByteOrderMark() }

    /// Passes white space, and byte order marks, in front of the declaration.
    mutating func pass(lead: [UInt8]) { lines.pass(lead: lead) }

    /// Where libxml2 takes over.
    var handOver: HandOver {
        HandOver(
            position: position, stage: stage, openElements: tags.openElements, tags: tags.count,
            names: tags.names.seen.map { Array(tags.names.text(Int($0))) }, lastPassed: lastPassed)
    }

    /// Reads what comes next in the document, as far as that can be said.
    mutating func read(_ bytes: Span<UInt8>) -> Step {
        var at = 0
        var step = Step.next(0)
        reading: while at < bytes.count {
            if bytes[at] == UInt8(ascii: "<") {
                step = readMarkup(bytes, at)
            } else if tags.depth > 0 {
                step = TextReader.read(bytes, at, &lines, &events)
            } else {
                step = readBlank(bytes, at)
            }
            switch step {
            case .next(let end): at = end
            case .more(let end), .unsure(let end):
                at = end
                break reading
            case .stopped: break reading
            }
        }
        lines.endChunk(behind: at)
        return step
    }

    @inline(__always)
    private mutating func readMarkup(_ bytes: Span<UInt8>, _ at: Int) -> Step {
        guard at + 1 < bytes.count else { return .more(at) }
        let before = lines
        let step =
            switch bytes[at + 1] {
            case UInt8(ascii: "/"): readEnd(bytes, at)
            case UInt8(ascii: "!"): readSection(bytes, at)
            case UInt8(ascii: "?"): readInstruction(bytes, at)
            default: readStart(bytes, at)
            }
        switch step {
        case .next, .stopped: break
        case .more, .unsure: lines = before
        }
        return step
    }

    @inline(__always)
    private mutating func readStart(_ bytes: Span<UInt8>, _ at: Int) -> Step {
        switch stage {
        case .start, .prolog, .content: break
        case .epilog: return .unsure(at)
        }
        let step = tags.readStart(bytes, at, &lines, &events)
        if case .next = step { stage = tags.depth > 0 ? .content : .epilog }
        return step
    }

    @inline(__always)
    private mutating func readEnd(_ bytes: Span<UInt8>, _ at: Int) -> Step {
        let step = tags.readEnd(bytes, at, &lines, &events)
        if case .next = step, tags.depth == 0 { stage = .epilog }
        return step
    }

    /// White space outside the root; there is no event for it.
    private mutating func readBlank(_ bytes: Span<UInt8>, _ from: Int) -> Step {
        switch stage {
        case .start, .content: return .unsure(from)
        case .prolog, .epilog: break
        }
        var at = from
        while at < bytes.count {
            switch bytes[at] {
            case UInt8(ascii: " "), 0x09, 0x0D: break
            case 0x0A: lines.beginLine(at: at + 1)
            case UInt8(ascii: "<"): return .next(at)
            default: return .unsure(at)
            }
            at += 1
        }
        return .next(at)
    }

    // MARK: - Comments, instructions and CDATA sections

    /// Reads what begins with `<!`.
    private mutating func readSection(_ bytes: Span<UInt8>, _ at: Int) -> Step {
        switch bytes.comparison(with: "<!--", at: at) {
        case .same: return readComment(bytes, at)
        case .cut: return .more(at)
        case .different: break
        }
        switch bytes.comparison(with: "<![CDATA[", at: at) {
        case .same: return readCDATA(bytes, at)
        case .cut: return .more(at)
        case .different: return .unsure(at)
        }
    }

    private mutating func readComment(_ bytes: Span<UInt8>, _ at: Int) -> Step {
        var end = at + 4
        // libxml2 takes the dashes of the opening for those of the end.
        if bytes.hasText(">", at: end) || bytes.hasText("->", at: end) { return .unsure(at) }
        while true {
            guard let dash = bytes.firstIndex(of: UInt8(ascii: "-"), from: end, before: bytes.count),
                dash + 1 < bytes.count
            else { return .more(at) }
            end = dash + 1
            guard bytes[end] == UInt8(ascii: "-") else { continue }
            guard dash + 2 < bytes.count else { return .more(at) }
            guard bytes[dash + 2] == UInt8(ascii: ">") else { return .unsure(at) }
            return passOver(bytes, at, dash + 3, target: at..<at)
        }
    }

    private mutating func readInstruction(_ bytes: Span<UInt8>, _ at: Int) -> Step {
        var end = at + 2
        guard end < bytes.count else { return .more(at) }
        guard XMLNameRules.mayBegin(bytes[end]) else { return .unsure(at) }
        repeat {
            guard let mark = bytes.firstIndex(of: UInt8(ascii: "?"), from: end, before: bytes.count),
                mark + 1 < bytes.count
            else { return .more(at) }
            end = mark + 1
        } while bytes[end] != UInt8(ascii: ">")
        end += 1
        switch stage {
        case .start:
            if XMLDeclaration.isUsual(bytes.extracting(at..<end)) { return passOver(bytes, at, end, target: at..<at) }
        case .prolog, .content, .epilog: break
        }
        let name = at + 2
        var nameEnd = name
        while bytes[nameEnd] > 0x20, bytes[nameEnd] != UInt8(ascii: "?") { nameEnd += 1 }
        guard bytes[nameEnd] != UInt8(ascii: "?") || nameEnd == end - 2 else { return .unsure(at) }
        // Names that begin with xml are XML's own.
        guard nameEnd - name < 3 || bytes[name] | 0x20 != UInt8(ascii: "x") else { return .unsure(at) }
        return passOver(bytes, at, end, target: name..<nameEnd)
    }

    /// Passes a comment or an instruction, whose target is noted among the names; an empty one is none.
    private mutating func passOver(_ bytes: Span<UInt8>, _ at: Int, _ end: Int, target: Range<Int>) -> Step {
        let start = lines.position(at)
        guard end - at <= limits.commentBytes, countLines(bytes, at, end),
            target.isEmpty || tags.see(target: bytes, target.lowerBound, target.upperBound)
        else { return .unsure(at) }
        lastPassed = .init(kind: .other, start: start, end: lines.position(end))
        switch stage {
        case .start: stage = .prolog
        case .prolog, .content, .epilog: break
        }
        return .next(end)
    }

    private mutating func readCDATA(_ bytes: Span<UInt8>, _ at: Int) -> Step {
        guard tags.depth > 0 else { return .unsure(at) }
        let inside = at + 9
        var end = inside
        while true {
            guard let mark = bytes.firstIndex(of: UInt8(ascii: "]"), from: end, before: bytes.count),
                mark + 2 < bytes.count
            else { return .more(at) }
            end = mark + 1
            if bytes[end] == UInt8(ascii: "]"), bytes[end + 1] == UInt8(ascii: ">") { break }
        }
        let start = lines.position(inside)
        guard countLines(bytes, at, end + 2) else { return .unsure(at) }
        return events.text(bytes, inside, end - 1, at: start) ? .next(end + 2) : .stopped
    }

    /// Counts the lines of what has no event; false where there is a character that may not stand anywhere.
    private mutating func countLines(_ bytes: Span<UInt8>, _ from: Int, _ end: Int) -> Bool {
        for at in from..<end {
            switch bytes[at] {
            case 0x0A: lines.beginLine(at: at + 1)
            case 0x80...0xBF: lines.passContinuations(1)
            case 0xEF: if bytes.isNoCharacter(at: at) { return false }
            case 0x20..., 0x09, 0x0D: break
            default: return false
            }
        }
        return true
    }
}

/// Reports the events of a document to its handler, but for the text that this has no use for.
struct EventReporter {
    /// Which text is reported before the next tag.
    private enum TextMode {
        case all, none
        /// All but what is a newline, and blanks or tabs behind it.
        case withoutIndentation
    }

    private let handler: any XMLEventHandler
    private var textMode = TextMode.all

    init(_ handler: any XMLEventHandler) { self.handler = handler }

    /// Whether the handler takes lines' ends as they are written.
    var takesAnyLineEnd: Bool { handler.takesAnyLineEnd }

    /// Whether the indentation of the next tag is not reported.
    @inline(__always)
    var skipsIndentation: Bool {
        switch textMode {
        case .none, .withoutIndentation: true
        case .all: false
        }
    }

    // Each says whether reading goes on.

    @inline(__always)
    mutating func startElement(_ name: XMLName, _ attributes: XMLAttributes, at position: XMLPosition) -> Bool {
        goOn(handler.startElement(name, attributes: attributes, at: position))
    }

    @inline(__always)
    mutating func endElement(at position: XMLPosition) -> Bool { goOn(handler.endElement(at: position)) }

    private mutating func goOn(_ flow: XMLFlow) -> Bool {
        switch flow {
        case .proceed: textMode = .all
        case .passText: textMode = .none
        case .passIndents: textMode = .withoutIndentation
        case .stop: return false
        }
        return true
    }

    /// Text that is as it is written.
    func text(_ bytes: Span<UInt8>, _ from: Int, _ end: Int, at position: XMLPosition) -> Bool {
        guard end > from else { return true }
        return text(bytes.text(from, end), at: position)
    }

    /// A character that is written otherwise.
    func text(_ character: Unicode.Scalar, at position: XMLPosition) -> Bool {
        String(character).utf8.withContiguousStorageIfAvailable { text(UnsafeRawBufferPointer($0), at: position) }
            ?? true
    }

    private func text(_ text: UnsafeRawBufferPointer, at position: XMLPosition) -> Bool {
        switch textMode {
        case .none: return true
        case .all, .withoutIndentation: break
        }
        switch handler.text(text, at: position) {
        case .proceed, .passText, .passIndents: return true
        case .stop: return false
        }
    }
}
