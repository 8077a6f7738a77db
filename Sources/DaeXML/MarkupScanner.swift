import DaeDiagnostics

/// Walks the bytes before libxml2 sees them. It holds the budgets; keeps the place of every tag; cuts a document type
/// declaration out, so that nothing in one is ever loaded or expanded; and gives tags on whole, for libxml2 looks through a
/// cut one again with each chunk.
struct MarkupScanner {
    /// What the scanner is in the middle of.
    private enum Mode {
        case text
        case tag(Tag)
        case run(Run)
        case doctype(DoctypeScan)
    }
    private struct Tag {
        let isEnd: Bool
        let start: XMLPosition
        var attributes = 0
        /// The open quotation mark, or 0.
        var quote: UInt8 = 0
        var last: UInt8 = 0
    }
    private struct Run {
        let start: XMLPosition
        var mark: EndMark
    }

    let limits: XMLLimits
    private var mode = Mode.text
    private(set) var position = XMLPosition()
    private var depth = 0
    private var tags = 0
    /// The beginning of a tag that the border of a chunk cuts.
    private var held: [UInt8] = []
    /// Where the document type declarations stand that were cut out.
    private var ignoredDoctypes: [XMLPosition] = []
    /// Of what was scanned; they are taken as events come.
    var marks = MarkupMarks()

    init(limits: XMLLimits) {
        self.limits = limits
    }

    /// Goes on behind what the tokenizer read.
    mutating func resume(from start: HandOver) {
        position = start.position
        depth = start.openElements.count
        tags = start.tags
        if let passed = start.passedJustBefore { marks.append(passed) }
    }

    /// Where document type declarations stand that were cut out since the last call.
    mutating func takeIgnoredDoctypes() -> [XMLPosition] {
        defer { ignoredDoctypes = [] }
        return ignoredDoctypes
    }

    /// What the document is in the middle of, where that is markup.
    var unfinished: (name: String, start: XMLPosition)? {
        switch mode {
        case .text: nil
        case .tag(let tag): ("a tag", tag.start)
        case .doctype(let doctype): ("a document type declaration", doctype.start)
        case .run(let run):
            switch run.mark.kind {
            case .comment: ("a comment", run.start)
            case .instruction: ("an instruction", run.start)
            case .cdata: ("a CDATA section", run.start)
            }
        }
    }

    // MARK: - Scanning

    /// A stretch of the document.
    enum Piece {
        /// Of the bytes being scanned.
        case part(Range<Int>)
        /// A tag that was cut, whole again.
        case joined([UInt8])
        /// So many bytes that libxml2 must not see.
        case withheld(Int)
    }

    /// What one call came to.
    struct Progress {
        var pieces: [Piece] = []
        /// Bytes done with; the rest must come again with more behind it (it begins with an undecided `<!…`).
        var consumed = 0
        var failure: CodedFailure?

        /// Bytes that are in a piece or never will be.
        fileprivate var settled = 0
        /// Where the last tag begins; 0 for one that an earlier chunk began.
        fileprivate var tagStart = 0

        fileprivate mutating func flush(upTo end: Int) {
            if end > settled { pieces.append(.part(settled..<end)) }
            settled = end
        }

        /// libxml2 counts lines too: it sees the newlines and nothing else.
        fileprivate mutating func withhold(_ range: Range<Int>, of bytes: Span<UInt8>) {
            var start = range.lowerBound
            for index in range where bytes[index] == UInt8(ascii: "\n") {
                if index > start { pieces.append(.withheld(index - start)) }
                pieces.append(.part(index..<index + 1))
                start = index + 1
            }
            if range.upperBound > start { pieces.append(.withheld(range.upperBound - start)) }
            settled = range.upperBound
        }
    }

    /// A byte order mark stood before what is scanned first.
    mutating func passByteOrderMark() { position.byte += 3 }

    /// Passes white space, and marks of the byte order, in front of the declaration.
    mutating func pass(lead: [UInt8]) { position = position.advanced(over: lead.span) }

    /// Whether the root has ended and nothing is open behind it.
    var isBehindRoot: Bool {
        switch mode {
        case .text: depth == 0 && tags > 0 && held.isEmpty
        case .tag, .doctype, .run: false
        }
    }

    /// Scans as far as can be decided.
    mutating func scan(_ bytes: Span<UInt8>, isLast: Bool) -> Progress {
        var progress = Progress()
        var at = 0
        while at < bytes.count, progress.failure == nil {
            let from = at
            switch mode {
            case .text:
                at = bytes.firstIndex(of: UInt8(ascii: "<"), from: at, before: bytes.count) ?? bytes.count
                advance(over: bytes, from: from, to: at)
                guard at < bytes.count else { continue }
                guard let end = open(bytes, at, isLast: isLast, &progress) else {
                    progress.flush(upTo: at)
                    progress.consumed = at
                    return progress
                }
                at = end
            case .tag(let tag):
                (at, progress.failure) = scanTag(tag, bytes, from)
                settleTag(bytes, upTo: at, &progress)
            case .run(let run):
                (at, progress.failure) = scanRun(run, bytes, from)
                if progress.failure != nil { progress.flush(upTo: from) }
            case .doctype(let doctype):
                (at, progress.failure) = scanDoctype(doctype, bytes, from)
                progress.withhold(from..<at, of: bytes)
            }
        }
        // What is refused is not given on.
        if progress.failure == nil { progress.flush(upTo: at) }
        progress.consumed = at
        return progress
    }

    /// Begins what the `<` at `at` begins; gives where to go on, `nil` where that cannot be said yet.
    private mutating func open(
        _ bytes: Span<UInt8>, _ at: Int, isLast: Bool, _ progress: inout Progress
    ) -> Int? {
        let start = position
        switch opening(bytes, at, isLast: isLast) {
        case .undecided: return nil
        case .tag:
            progress.tagStart = at
            mode = .tag(Tag(isEnd: bytes.hasText("</", at: at), start: start))
            return at
        case .comment:
            mode = .run(Run(start: start, mark: EndMark(.comment)))
            return step(bytes, at, 4)
        case .instruction:
            mode = .run(Run(start: start, mark: EndMark(.instruction)))
            return step(bytes, at, 2)
        case .cdata:
            let inside = step(bytes, at, 9)
            marks.append(.init(kind: .other, start: start, end: position))
            mode = .run(Run(start: start, mark: EndMark(.cdata)))
            return inside
        case .doctype:
            progress.flush(upTo: at)
            mode = .doctype(DoctypeScan(start: start))
            if tags > 0 {
                progress.failure = CodedFailure(
                    .xmlNotWellFormed, at: start,
                    "not well-formed: a document type declaration stands behind the root's start; expected before it")
            }
            return at
        }
    }

    /// Gives a tag on once it is whole, and holds it until then.
    private mutating func settleTag(_ bytes: Span<UInt8>, upTo end: Int, _ progress: inout Progress) {
        let isCut = if case .tag = mode { true } else { false }
        if progress.failure != nil || isCut { progress.flush(upTo: progress.tagStart) }
        if isCut || !held.isEmpty { held += Array(bytes, progress.tagStart, end) }
        guard !held.isEmpty else { return }
        progress.settled = end
        guard !isCut, progress.failure == nil else { return }
        progress.pieces.append(.joined(held))
        held = []
    }

    private enum Opening {
        case undecided, tag, comment, instruction, cdata, doctype
    }

    private func opening(_ bytes: Span<UInt8>, _ at: Int, isLast: Bool) -> Opening {
        guard at + 1 < bytes.count else { return isLast ? .tag : .undecided }
        if bytes[at + 1] == UInt8(ascii: "?") { return .instruction }
        guard bytes[at + 1] == UInt8(ascii: "!") else { return .tag }
        let known: [(StaticString, Opening)] = [("<!--", .comment), ("<![CDATA[", .cdata), ("<!DOCTYPE", .doctype)]
        for (text, opening) in known {
            switch bytes.comparison(with: text, at: at) {
            case .same: return opening
            case .cut: return isLast ? .tag : .undecided
            case .different: continue
            }
        }
        return .tag
    }

    private mutating func scanTag(_ tag: Tag, _ bytes: Span<UInt8>, _ from: Int) -> (Int, CodedFailure?) {
        var tag = tag
        var at = from
        while at < bytes.count {
            let value = bytes[at]
            at += 1
            if tag.quote != 0 {
                if value == tag.quote { tag.quote = 0 }
            } else {
                switch value {
                case UInt8(ascii: ">"):
                    advance(over: bytes, from: from, to: at)
                    return (at, close(tag))
                case UInt8(ascii: "\""), UInt8(ascii: "'"): tag.quote = value
                case UInt8(ascii: "="): tag.attributes += 1
                default: break
                }
                tag.last = value
            }
        }
        advance(over: bytes, from: from, to: at)
        mode = .tag(tag)
        return (at, check(tag))
    }

    private func check(_ tag: Tag) -> CodedFailure? {
        if position.byte - tag.start.byte > Int64(limits.tagBytes) {
            return CodedFailure(
                .xmlSizeExceeded, at: tag.start, "a tag is longer than \(limits.tagBytes) bytes, the most allowed")
        }
        if tag.attributes > limits.attributes {
            return CodedFailure(
                .xmlSizeExceeded, at: tag.start,
                "an element has more than \(limits.attributes) attributes, the most allowed")
        }
        return nil
    }

    private mutating func close(_ tag: Tag) -> CodedFailure? {
        mode = .text
        if let failure = check(tag) { return failure }
        tags += 1
        let kind: MarkupMarks.Mark.Kind = tag.isEnd ? .end : tag.last == UInt8(ascii: "/") ? .empty : .start
        switch kind {
        case .start:
            depth += 1
            if depth > limits.depth { return depthError(at: tag.start) }
        case .empty:
            if depth + 1 > limits.depth { return depthError(at: tag.start) }
        case .end: depth -= 1
        case .other: break
        }
        marks.append(.init(kind: kind, start: tag.start, end: position))
        return nil
    }

    private func depthError(at position: XMLPosition) -> CodedFailure {
        CodedFailure(
            .xmlDepthExceeded, at: position, "elements are nested deeper than \(limits.depth), the most allowed")
    }

    private mutating func scanRun(_ run: Run, _ bytes: Span<UInt8>, _ from: Int) -> (Int, CodedFailure?) {
        var run = run
        let end = run.mark.end(in: bytes, from: from)
        advance(over: bytes, from: from, to: end ?? bytes.count)
        if end == nil {
            mode = .run(run)
        } else {
            mode = .text
            // The text of a CDATA section is reported between the marks of its opening and its end.
            let start =
                switch run.mark.kind {
                case .comment, .instruction: run.start
                case .cdata: position
                }
            marks.append(.init(kind: .other, start: start, end: position))
        }
        switch run.mark.kind {
        case .comment, .instruction: return (end ?? bytes.count, check(run.start, "a comment or instruction"))
        case .cdata: return (end ?? bytes.count, nil)
        }
    }

    private mutating func scanDoctype(
        _ doctype: DoctypeScan, _ bytes: Span<UInt8>, _ from: Int
    ) -> (Int, CodedFailure?) {
        var doctype = doctype
        var at = from
        var outcome = DoctypeScan.Outcome.inside
        while at < bytes.count, outcome == .inside {
            outcome = doctype.read(bytes[at])
            at += 1
        }
        advance(over: bytes, from: from, to: at)
        switch outcome {
        case .inside: mode = .doctype(doctype)
        case .end:
            mode = .text
            marks.append(.init(kind: .other, start: doctype.start, end: position))
            ignoredDoctypes.append(doctype.start)
        case .entity:
            return (
                at,
                CodedFailure(
                    .xmlDoctypeForbidden, at: doctype.start,
                    "the document type declares entities, which are never expanded; expected none")
            )
        }
        return (at, check(doctype.start, "the document type"))
    }

    private func check(_ start: XMLPosition, _ name: String) -> CodedFailure? {
        guard position.byte - start.byte > Int64(limits.commentBytes) else { return nil }
        return CodedFailure(
            .xmlSizeExceeded, at: start, "\(name) is longer than \(limits.commentBytes) bytes, the most allowed")
    }

    // MARK: - Place

    private mutating func step(_ bytes: Span<UInt8>, _ at: Int, _ count: Int) -> Int {
        let end = min(at + count, bytes.count)
        advance(over: bytes, from: at, to: end)
        return end
    }

    private mutating func advance(over bytes: Span<UInt8>, from start: Int, to end: Int) {
        guard end > start else { return }
        position.byte += Int64(end - start)
        var at = start
        while let newline = bytes.firstIndex(of: 0x0A, from: at, before: end) {
            position.line += 1
            position.column = 1
            at = newline + 1
        }
        var continuation = 0
        for index in at..<end where bytes[index] & 0xC0 == 0x80 { continuation += 1 }
        position.column += end - at - continuation
    }
}

/// Where the pieces of markup stand that were scanned and for which no event has come, in document order: events of
/// libxml2 are matched with these to get their place.
struct MarkupMarks {
    struct Mark {
        enum Kind {
            case start, empty, end
            /// A comment, an instruction, a document type, the opening or the end of a CDATA section.
            case other
        }
        let kind: Kind
        let start: XMLPosition
        /// Just behind its last byte.
        let end: XMLPosition
    }

    private var marks: [Mark] = []
    /// Of ``marks``, how many were taken.
    private var taken = 0

    mutating func append(_ mark: Mark) { marks.append(mark) }

    var first: Mark? { taken < marks.count ? marks[taken] : nil }

    /// The first one that a byte is in or just behind.
    func mark(around byte: Int64) -> Mark? {
        for mark in marks[taken...] {
            guard mark.start.byte <= byte else { return nil }
            if byte <= mark.end.byte { return mark }
        }
        return nil
    }

    mutating func popFirst() -> Mark? {
        guard let mark = first else { return nil }
        taken += 1
        if taken == marks.count {
            marks.removeAll(keepingCapacity: true)
            taken = 0
        }
        return mark
    }
}

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
        default: break
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
