// Walks the bytes before libxml2 sees them: it holds the budgets, keeps the place of every tag, cuts a document type
// declaration out, so that nothing in one is ever loaded or expanded, and gives tags on whole: libxml2 looks through a
// cut one again with each chunk.

import Diagnostics
import Glibc

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
        enum Kind {
            case comment, instruction, cdata

            var end: StaticString {
                switch self {
                case .comment: "-->"
                case .instruction: "?>"
                case .cdata: "]]>"
                }
            }
        }
        let kind: Kind
        let start: XMLPosition
        /// How many bytes of the end mark were seen.
        var matched = 0
    }

    enum Notice {
        case doctypeIgnored(XMLPosition)
    }

    let limits: XMLLimits
    private var mode = Mode.text
    private(set) var position = XMLPosition()
    private var depth = 0
    private var tags = 0
    /// The beginning of a tag that the border of a chunk cuts.
    private var held: [UInt8] = []
    private(set) var notices: [Notice] = []
    /// Of what was scanned; who is told of it takes them.
    var marks = MarkupMarks()

    init(limits: XMLLimits) {
        self.limits = limits
    }

    /// Goes on behind bytes that another has read.
    mutating func resume(at position: XMLPosition, depth: Int, tags: Int, passed: MarkupMarks.Mark?) {
        self.position = position
        self.depth = depth
        self.tags = tags
        if let passed { marks.append(passed) }
    }

    mutating func takeNotices() -> [Notice] {
        defer { notices = [] }
        return notices
    }

    /// What the document is in the middle of, where that is markup.
    var unfinished: (name: String, start: XMLPosition)? {
        switch mode {
        case .text: nil
        case .tag(let tag): ("a tag", tag.start)
        case .doctype(let doctype): ("a document type declaration", doctype.start)
        case .run(let run):
            switch run.kind {
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
        var failure: XMLError?

        /// Bytes that are in a piece or never will be.
        fileprivate var settled = 0
        /// Where the last tag begins; 0 for one that an earlier chunk began.
        fileprivate var tagStart = 0

        fileprivate mutating func flush(upTo end: Int) {
            if end > settled { pieces.append(.part(settled..<end)) }
            settled = end
        }

        /// libxml2 counts lines too: it sees the newlines and nothing else.
        fileprivate mutating func withhold(_ range: Range<Int>, of bytes: UnsafeRawBufferPointer) {
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
    mutating func pass(lead: UnsafeRawBufferPointer) { position = position.advanced(over: lead) }

    /// Whether the root has ended and nothing is open behind it.
    var isBehindRoot: Bool {
        switch mode {
        case .text: depth == 0 && tags > 0 && held.isEmpty
        case .tag, .doctype, .run: false
        }
    }

    /// Scans as far as can be decided.
    mutating func scan(_ bytes: UnsafeRawBufferPointer, isLast: Bool) -> Progress {
        var progress = Progress()
        var at = 0
        while at < bytes.count, progress.failure == nil {
            let from = at
            switch mode {
            case .text:
                at = find(UInt8(ascii: "<"), in: bytes, from: at)
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

    /// Begins what the `<` at `at` begins; gives where to go on, `nil` where that cannot be told yet.
    private mutating func open(
        _ bytes: UnsafeRawBufferPointer, _ at: Int, isLast: Bool, _ progress: inout Progress
    ) -> Int? {
        let start = position
        let here = UnsafeRawBufferPointer(rebasing: bytes[at...])
        switch opening(here, isLast: isLast) {
        case .undecided: return nil
        case .tag:
            progress.tagStart = at
            mode = .tag(Tag(isEnd: here.count > 1 && here[1] == UInt8(ascii: "/"), start: start))
            return at
        case .comment:
            mode = .run(Run(kind: .comment, start: start))
            return step(bytes, at, 4)
        case .instruction:
            mode = .run(Run(kind: .instruction, start: start))
            return step(bytes, at, 2)
        case .cdata:
            let inside = step(bytes, at, 9)
            marks.append(.init(kind: .other, start: start, end: position))
            mode = .run(Run(kind: .cdata, start: start))
            return inside
        case .doctype:
            progress.flush(upTo: at)
            mode = .doctype(DoctypeScan(start: start))
            if tags > 0 {
                progress.failure = XMLError(
                    .xmlNotWellFormed, at: start,
                    "not well-formed: a document type declaration stands behind the root's start; expected before it")
            }
            return at
        }
    }

    /// Gives a tag on once it is whole, and holds it until then.
    private mutating func settleTag(_ bytes: UnsafeRawBufferPointer, upTo end: Int, _ progress: inout Progress) {
        let isCut = if case .tag = mode { true } else { false }
        if progress.failure != nil || isCut { progress.flush(upTo: progress.tagStart) }
        if isCut || !held.isEmpty { held.append(contentsOf: bytes[progress.tagStart..<end]) }
        guard !held.isEmpty else { return }
        progress.settled = end
        guard !isCut, progress.failure == nil else { return }
        progress.pieces.append(.joined(held))
        held = []
    }

    private enum Opening {
        case undecided, tag, comment, instruction, cdata, doctype
    }

    private func opening(_ bytes: UnsafeRawBufferPointer, isLast: Bool) -> Opening {
        guard bytes.count > 1 else { return isLast ? .tag : .undecided }
        if bytes[1] == UInt8(ascii: "?") { return .instruction }
        guard bytes[1] == UInt8(ascii: "!") else { return .tag }
        let known: [(StaticString, Opening)] = [("<!--", .comment), ("<![CDATA[", .cdata), ("<!DOCTYPE", .doctype)]
        for (text, opening) in known {
            let shared = min(bytes.count, text.utf8CodeUnitCount)
            guard let start = bytes.baseAddress, memcmp(start, text.utf8Start, shared) == 0 else { continue }
            return shared == text.utf8CodeUnitCount ? opening : isLast ? .tag : .undecided
        }
        return .tag
    }

    private mutating func scanTag(_ tag: Tag, _ bytes: UnsafeRawBufferPointer, _ from: Int) -> (Int, XMLError?) {
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

    private func check(_ tag: Tag) -> XMLError? {
        if position.byte - tag.start.byte > Int64(limits.tagBytes) {
            return XMLError(
                .xmlSizeExceeded, at: tag.start, "a tag is longer than \(limits.tagBytes) bytes, the most allowed")
        }
        if tag.attributes > limits.attributes {
            return XMLError(
                .xmlSizeExceeded, at: tag.start,
                "an element has more than \(limits.attributes) attributes, the most allowed")
        }
        return nil
    }

    private mutating func close(_ tag: Tag) -> XMLError? {
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

    private func depthError(at position: XMLPosition) -> XMLError {
        XMLError(.xmlDepthExceeded, at: position, "elements are nested deeper than \(limits.depth), the most allowed")
    }

    private mutating func scanRun(_ run: Run, _ bytes: UnsafeRawBufferPointer, _ from: Int) -> (Int, XMLError?) {
        var run = run
        var at = from
        let length = run.kind.end.utf8CodeUnitCount
        let pattern = UnsafeBufferPointer(start: run.kind.end.utf8Start, count: length)
        while at < bytes.count, run.matched < length {
            if run.matched == 0 {
                at = find(pattern[0], in: bytes, from: at)
                guard at < bytes.count else { break }
            }
            let value = bytes[at]
            at += 1
            if value == pattern[run.matched] {
                run.matched += 1
            } else if !(value == pattern[0] && run.matched == length - 1 && length == 3) {
                // After `--` or `]]` one more of the same keeps both; anything else starts again.
                run.matched = value == pattern[0] ? 1 : 0
            }
        }
        advance(over: bytes, from: from, to: at)
        if run.matched < length {
            mode = .run(run)
        } else {
            mode = .text
            // The text of a CDATA section is told between the marks of its opening and its end.
            let start =
                switch run.kind {
                case .comment, .instruction: run.start
                case .cdata: position
                }
            marks.append(.init(kind: .other, start: start, end: position))
        }
        switch run.kind {
        case .comment, .instruction: return (at, check(run.start, "a comment or instruction"))
        case .cdata: return (at, nil)
        }
    }

    private mutating func scanDoctype(
        _ doctype: DoctypeScan, _ bytes: UnsafeRawBufferPointer, _ from: Int
    ) -> (Int, XMLError?) {
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
            notices.append(.doctypeIgnored(doctype.start))
        case .entity:
            return (
                at,
                XMLError(
                    .xmlDoctypeForbidden, at: doctype.start,
                    "the document type declares entities, which are never expanded; expected none")
            )
        }
        return (at, check(doctype.start, "the document type"))
    }

    private func check(_ start: XMLPosition, _ name: String) -> XMLError? {
        guard position.byte - start.byte > Int64(limits.commentBytes) else { return nil }
        return XMLError(
            .xmlSizeExceeded, at: start, "\(name) is longer than \(limits.commentBytes) bytes, the most allowed")
    }

    // MARK: - Place

    private func find(_ value: UInt8, in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        guard let base = bytes.baseAddress, start < bytes.count else { return bytes.count }
        guard let found = memchr(base + start, Int32(value), bytes.count - start) else { return bytes.count }
        return base.distance(to: UnsafeRawPointer(found))
    }

    private mutating func step(_ bytes: UnsafeRawBufferPointer, _ at: Int, _ count: Int) -> Int {
        let end = min(at + count, bytes.count)
        advance(over: bytes, from: at, to: end)
        return end
    }

    private mutating func advance(over bytes: UnsafeRawBufferPointer, from start: Int, to end: Int) {
        guard end > start, let base = bytes.baseAddress else { return }
        position.byte += Int64(end - start)
        var at = start
        while let found = memchr(base + at, 0x0A, end - at) {
            position.line += 1
            position.column = 1
            at = base.distance(to: UnsafeRawPointer(found)) + 1
            guard at < end else { return }
        }
        var continuation = 0
        for index in at..<end where bytes[index] & 0xC0 == 0x80 { continuation += 1 }
        position.column += end - at - continuation
    }
}

/// Where the pieces of markup stand that were scanned and not yet told of, in document order: events of libxml2 are
/// matched with these to get their place.
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
