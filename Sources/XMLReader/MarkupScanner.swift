// Walks the bytes before libxml2 sees them: it holds the budgets, keeps the place of every tag, and cuts a document
// type declaration out, so that nothing in one is ever loaded or expanded.

import Diagnostics
import Glibc

struct MarkupScanner {
    /// One piece of markup, in document order; events of libxml2 are matched with these to get their place.
    struct Mark {
        enum Kind: UInt8 {
            case start, empty, end, comment, instruction, cdata
        }
        let kind: Kind
        let start: XMLPosition
        /// Just behind its last byte; of a CDATA section, behind its opening.
        var end: XMLPosition
    }

    /// What the scanner is in the middle of.
    private enum Mode {
        case text
        case tag(Tag)
        case comment(Run)
        case instruction(Run)
        case cdata(Run)
        case doctype(Doctype)
    }
    private struct Tag {
        var isEnd: Bool  // a fact about the tag
        var start: XMLPosition
        var bytes = 0
        var attributes = 0
        /// The open quotation mark, or 0.
        var quote: UInt8 = 0
        var last: UInt8 = 0
    }
    private struct Run {
        var start: XMLPosition
        var bytes = 0
        /// How many bytes of the end mark were seen.
        var matched = 0
    }
    private struct Doctype {
        var start: XMLPosition
        var bytes = 0
        var quote: UInt8 = 0
        var brackets = 0
        /// The last seven bytes, to find `<!ENTITY`.
        var window: UInt64 = 0
    }

    enum Notice {
        case doctypeIgnored(XMLPosition)
    }

    let limits: XMLLimits
    private var mode = Mode.text
    private(set) var position = XMLPosition()
    private var depth = 0
    private(set) var notices: [Notice] = []
    private var marks: [Mark] = []
    private var head = 0

    init(limits: XMLLimits) {
        self.limits = limits
    }

    // MARK: - Marks

    var firstMark: Mark? { head < marks.count ? marks[head] : nil }

    mutating func takeMark() -> Mark? {
        guard head < marks.count else { return nil }
        let mark = marks[head]
        head += 1
        if head == marks.count {
            marks.removeAll(keepingCapacity: true)
            head = 0
        }
        return mark
    }

    mutating func takeNotices() -> [Notice] {
        defer { notices = [] }
        return notices
    }

    // MARK: - Scanning

    /// What one call came to.
    struct Progress {
        /// Bytes done with; the rest must come again with more behind it (it begins with an undecided `<!…`).
        var consumed: Int
        var failure: XMLError?
    }

    /// Scans as far as can be decided; `emit` gets the pieces that libxml2 may see, in order.
    mutating func scan(
        _ bytes: UnsafeRawBufferPointer, isLast: Bool, emit: (UnsafeRawBufferPointer) -> Void
    ) -> Progress {
        guard let base = bytes.baseAddress else { return Progress(consumed: 0) }
        var at = 0
        var emitted = 0
        func flush(upTo end: Int) {
            if end > emitted { emit(UnsafeRawBufferPointer(rebasing: bytes[emitted..<end])) }
            emitted = end
        }
        while at < bytes.count {
            let failure: XMLError?
            switch mode {
            case .text:
                let next = find(UInt8(ascii: "<"), in: bytes, from: at)
                advance(over: bytes, from: at, to: next)
                at = next
                guard at < bytes.count else { continue }
                switch opening(UnsafeRawBufferPointer(start: base + at, count: bytes.count - at), isLast: isLast) {
                case .undecided:
                    flush(upTo: at)
                    return Progress(consumed: at)
                case .tag:
                    mode = .tag(
                        Tag(isEnd: at + 1 < bytes.count && bytes[at + 1] == UInt8(ascii: "/"), start: position))
                case .comment:
                    mode = .comment(Run(start: position))
                    at = step(bytes, at, 4)
                case .instruction:
                    mode = .instruction(Run(start: position))
                    at = step(bytes, at, 2)
                case .cdata:
                    let start = position
                    at = step(bytes, at, 9)
                    marks.append(Mark(kind: .cdata, start: start, end: position))
                    mode = .cdata(Run(start: start))
                case .doctype:
                    flush(upTo: at)
                    mode = .doctype(Doctype(start: position))
                }
                continue
            case .tag(let tag):
                (at, failure) = scanTag(tag, bytes, at)
            case .comment(let run):
                (at, failure) = scanRun(run, bytes, at, end: "-->", limit: limits.commentBytes, kind: .comment)
            case .instruction(let run):
                (at, failure) = scanRun(run, bytes, at, end: "?>", limit: limits.commentBytes, kind: .instruction)
            case .cdata(let run):
                (at, failure) = scanRun(run, bytes, at, end: "]]>", limit: Int.max, kind: .cdata)
            case .doctype(let doctype):
                let from = at
                (at, failure) = scanDoctype(doctype, bytes, at)
                // libxml2 counts lines too: it sees the newlines and nothing else.
                for index in from..<at where bytes[index] == UInt8(ascii: "\n") {
                    emit(UnsafeRawBufferPointer(rebasing: bytes[index...index]))
                }
                emitted = at
            }
            if let failure {
                flush(upTo: at)
                return Progress(consumed: at, failure: failure)
            }
        }
        flush(upTo: bytes.count)
        return Progress(consumed: bytes.count)
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
                    tag.bytes += at - from
                    return (at, close(tag))
                case UInt8(ascii: "\""), UInt8(ascii: "'"): tag.quote = value
                case UInt8(ascii: "="): tag.attributes += 1
                default: break  // bytes
                }
                tag.last = value
            }
        }
        advance(over: bytes, from: from, to: at)
        tag.bytes += at - from
        mode = .tag(tag)
        return (at, check(tag))
    }

    private func check(_ tag: Tag) -> XMLError? {
        if tag.bytes > limits.tagBytes {
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
        let kind: Mark.Kind = tag.isEnd ? .end : tag.last == UInt8(ascii: "/") ? .empty : .start
        switch kind {
        case .start:
            depth += 1
            if depth > limits.depth { return depthError(at: tag.start) }
        case .empty:
            if depth + 1 > limits.depth { return depthError(at: tag.start) }
        case .end: depth -= 1
        case .comment, .instruction, .cdata: break
        }
        marks.append(Mark(kind: kind, start: tag.start, end: position))
        return nil
    }

    private func depthError(at position: XMLPosition) -> XMLError {
        XMLError(.xmlDepthExceeded, at: position, "elements are nested deeper than \(limits.depth), the most allowed")
    }

    private mutating func scanRun(
        _ run: Run, _ bytes: UnsafeRawBufferPointer, _ from: Int, end: StaticString, limit: Int, kind: Mark.Kind
    ) -> (Int, XMLError?) {
        var run = run
        var at = from
        let length = end.utf8CodeUnitCount
        let pattern = UnsafeBufferPointer(start: end.utf8Start, count: length)
        while at < bytes.count {
            if run.matched == 0 {
                at = find(pattern[0], in: bytes, from: at)
                guard at < bytes.count else { break }
            }
            let value = bytes[at]
            at += 1
            if value == pattern[run.matched] {
                run.matched += 1
                if run.matched == length {
                    advance(over: bytes, from: from, to: at)
                    finish(run, kind)
                    return (at, nil)
                }
            } else if !(value == pattern[0] && run.matched == length - 1 && length == 3) {
                // After `--` or `]]` one more of the same keeps both; anything else starts again.
                run.matched = value == pattern[0] ? 1 : 0
            }
        }
        advance(over: bytes, from: from, to: at)
        run.bytes += at - from
        switch kind {
        case .comment: mode = .comment(run)
        case .instruction: mode = .instruction(run)
        case .cdata, .start, .empty, .end: mode = .cdata(run)
        }
        guard run.bytes > limit else { return (at, nil) }
        return (
            at,
            XMLError(
                .xmlSizeExceeded, at: run.start,
                "a comment or instruction is longer than \(limit) bytes, the most allowed")
        )
    }

    private mutating func finish(_ run: Run, _ kind: Mark.Kind) {
        mode = .text
        switch kind {
        case .comment, .instruction: marks.append(Mark(kind: kind, start: run.start, end: position))
        case .cdata, .start, .empty, .end: break
        }
    }

    private mutating func scanDoctype(
        _ doctype: Doctype, _ bytes: UnsafeRawBufferPointer, _ from: Int
    ) -> (Int, XMLError?) {
        var doctype = doctype
        var at = from
        let entity: UInt64 = 0x3C21_454E_5449_5459  // "<!ENTITY"
        while at < bytes.count {
            let value = bytes[at]
            at += 1
            doctype.window = doctype.window << 8 | UInt64(value)
            if doctype.window == entity {
                return (
                    at,
                    XMLError(
                        .xmlDoctypeForbidden, at: doctype.start,
                        "the document type declares entities, which are never expanded; expected none")
                )
            }
            if doctype.quote != 0 {
                if value == doctype.quote { doctype.quote = 0 }
                continue
            }
            switch value {
            case UInt8(ascii: "\""), UInt8(ascii: "'"): if doctype.brackets == 0 { doctype.quote = value }
            case UInt8(ascii: "["): doctype.brackets += 1
            case UInt8(ascii: "]"): doctype.brackets -= 1
            case UInt8(ascii: ">") where doctype.brackets <= 0:
                advance(over: bytes, from: from, to: at)
                notices.append(.doctypeIgnored(doctype.start))
                mode = .text
                return (at, nil)
            default: break  // bytes
            }
        }
        advance(over: bytes, from: from, to: at)
        doctype.bytes += at - from
        mode = .doctype(doctype)
        guard doctype.bytes > limits.commentBytes else { return (at, nil) }
        return (
            at,
            XMLError(
                .xmlSizeExceeded, at: doctype.start,
                "the document type is longer than \(limits.commentBytes) bytes, the most allowed")
        )
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
