package import Diagnostics

/// Reads a document as it comes, in chunks of any size, and hands its events to a handler.
///
/// Plain markup is read by a tokenizer; libxml2 takes over at the first thing that is not certainly well-formed.
/// Nothing outside the document is ever loaded: a document type declaration is cut out before libxml2 sees it (one that
/// declares entities is refused), and there is no network. Whatever the chunks, the events are the same except for
/// where text is cut.
package final class XMLReader {
    /// Which way a document is read. Events, places and faults are the same on both, but for where text is cut.
    package enum Road {
        /// By the tokenizer here, up to the first thing that is not certainly plain; from there on by libxml2.
        case plain
        /// By libxml2 alone.
        case careful
    }

    private enum Course {
        /// The tokenizer reads.
        case plain
        /// The tokenizer was stopped by the handler.
        case stopped
        /// libxml2 reads, to the end.
        case careful(SAXParser)
    }

    private let vocabulary: XMLVocabulary
    private let road: Road
    private var plain: PlainTokenizer
    /// Markup that a chunk's border cut.
    private var held = HeldMarkup()
    private var course = Course.plain
    private var decoder = TextDecoder()
    /// Bytes the scanner could not decide yet.
    private var carry: [UInt8] = []
    private var failure: XMLError?
    private var ending = Ending.asWritten

    /// What came behind the root's end tag.
    private enum Ending {
        case asWritten
        /// Zeros that a file was filled up with, and white space.
        case padded
    }

    /// What was odd about the markup so far.
    package private(set) var log = FindingLog()
    /// Bytes given so far.
    package private(set) var bytesRead: Int64 = 0

    /// Bytes handed to libxml2 at a time; larger pieces cost it more.
    private static let pieceSize = 64 * 1024

    package convenience init(
        vocabulary: XMLVocabulary, limits: XMLLimits = XMLLimits(), handler: any XMLEventHandler
    ) {
        self.init(vocabulary: vocabulary, limits: limits, handler: handler, road: .plain)
    }

    package init(vocabulary: XMLVocabulary, limits: XMLLimits, handler: any XMLEventHandler, road: Road) {
        self.vocabulary = vocabulary
        plain = PlainTokenizer(vocabulary: vocabulary, limits: limits, handler: handler)
        self.road = road
    }

    /// Whether libxml2 was not needed so far.
    package var isPlain: Bool { careful == nil }

    private var careful: SAXParser? {
        switch course {
        case .plain, .stopped: nil
        case .careful(let parser): parser
        }
    }

    private var isStopped: Bool {
        switch course {
        case .plain: false
        case .stopped: true
        case .careful(let parser): parser.isStopped
        }
    }

    /// The name of the encoding the document is in; `nil` until enough bytes were read to tell.
    package var encoding: String? { decoder.encoding }

    /// Reads the next bytes; the handler is called before this returns.
    ///
    /// - Throws: ``XMLError`` when the document is not well-formed or a budget was hit. Nothing is read after that.
    package func read(_ bytes: UnsafeRawBufferPointer) throws(XMLError) {
        var at = 0
        while at < bytes.count {
            let end = min(at + Self.pieceSize, bytes.count)
            try advance(UnsafeRawBufferPointer(rebasing: bytes[at..<end]), isLast: false)
            at = end
        }
    }

    /// Says that the document is at its end.
    package func finish() throws(XMLError) {
        try advance(UnsafeRawBufferPointer(start: nil, count: 0), isLast: true)
        guard let careful, !careful.isStopped else { return }
        if let unfinished = careful.unfinished {
            careful.feed(UnsafeRawBufferPointer(start: nil, count: 0), isLast: true)
            if careful.bareAmpersand != nil { try check(careful) }
            throw fail(XMLError(.xmlNotWellFormed, at: careful.scanner.position, "not well-formed: \(unfinished)"))
        }
        careful.feed(UnsafeRawBufferPointer(start: nil, count: 0), isLast: true)
        try check(careful)
    }

    private func advance(_ bytes: UnsafeRawBufferPointer, isLast: Bool) throws(XMLError) {
        if let failure { throw failure }
        guard !isStopped else { return }
        bytesRead += Int64(bytes.count)
        var refused: XMLError?
        do throws(XMLError) {
            try decoder.decode(bytes, isLast: isLast) { text, notices in
                self.note(notices, in: text)
                refused = self.scanUnpadded(text, isLast: isLast)
            }
        } catch { throw fail(error) }
        if isLast, refused == nil, !isStopped { refused = scanRest() }
        guard let careful else {
            if let refused { throw fail(refused) }
            return
        }
        noteDoctypes(careful)
        try check(careful)
        if let refused, !careful.isStopped { throw fail(refused) }
    }

    /// Passes over zeros behind the root's end, which say nothing.
    private func scanUnpadded(_ text: UnsafeRawBufferPointer, isLast: Bool) -> XMLError? {
        switch ending {
        case .asWritten: break
        case .padded:
            guard !text.allSatisfy(Self.isPadding) else { return nil }
            ending = .asWritten
            // Something else follows: then they are a fault like any other.
            return [0].withUnsafeBytes { scan($0, isLast: false) } ?? scan(text, isLast: isLast)
        }
        var start = text.count
        var zeros = 0
        while start > 0, Self.isPadding(text[start - 1]) {
            start -= 1
            if text[start] == 0 { zeros += 1 }
        }
        guard zeros > 0 else { return scan(text, isLast: isLast) }
        if start > 0 {
            if let refused = scan(UnsafeRawBufferPointer(rebasing: text[..<start]), isLast: false) { return refused }
            guard !isStopped else { return nil }
        }
        let rest = UnsafeRawBufferPointer(rebasing: text[start...])
        guard isBehindRoot else { return scan(rest, isLast: isLast) }
        ending = .padded
        log.add(
            .xmlRecovered, at: Place(careful?.scanner.position ?? plain.position(0)),
            "zeros stand behind the end of the document; they were passed over")
        return nil
    }

    private static func isPadding(_ byte: UInt8) -> Bool {
        byte == 0 || byte == 0x20 || (0x09...0x0D).contains(byte) && byte != 0x0B && byte != 0x0C
    }

    private var isBehindRoot: Bool {
        if let careful { return carry.isEmpty && careful.scanner.isBehindRoot }
        return held.isEmpty && plain.isComplete
    }

    private func scan(_ text: UnsafeRawBufferPointer, isLast: Bool) -> XMLError? {
        if let careful { return scan(text, by: careful, isLast: isLast) }
        switch road {
        case .plain: break
        case .careful: return handOver([], text, isLast: isLast)
        }
        var at = 0
        while at < text.count || !held.isEmpty, !isStopped {
            let rest = UnsafeRawBufferPointer(rebasing: text[at...])
            guard !held.isEmpty else {
                switch tokenize(rest) {
                case .next, .stopped: return nil
                case .more(let end):
                    let cut = UnsafeRawBufferPointer(rebasing: rest[end...])
                    if !held.begin(cut) { return handOver([], cut, isLast: isLast) }
                case .odd(let end): return handOver([], UnsafeRawBufferPointer(rebasing: rest[end...]), isLast: isLast)
                }
                return nil
            }
            let taken = held.take(from: rest)
            at += taken.count
            let behind = UnsafeRawBufferPointer(rebasing: text[at...])
            guard taken.isWhole else {
                return held.bytes.count > held.most(plain.limits) ? handOver(held.bytes, behind, isLast: isLast) : nil
            }
            let bytes = held.bytes
            held.clear()
            switch bytes.withUnsafeBytes({ tokenize($0) }) {
            case .next, .stopped: break
            case .more(let end) where bytes[end] != UInt8(ascii: "<") || end > 0:
                guard bytes[end...].withUnsafeBytes({ held.begin($0) }) else {
                    return handOver(Array(bytes[end...]), behind, isLast: isLast)
                }
            case .more(let end), .odd(let end): return handOver(Array(bytes[end...]), behind, isLast: isLast)
            }
        }
        return nil
    }

    private func tokenize(_ bytes: UnsafeRawBufferPointer) -> PlainTokenizer.Step {
        guard let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return .next(0) }
        let step = plain.read(start, bytes.count)
        switch step {
        case .next, .more, .odd: break
        case .stopped: course = .stopped
        }
        return step
    }

    /// Reads what was kept back, and asks libxml2 what is wrong with a document that may not end here.
    private func scanRest() -> XMLError? {
        let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
        if let careful { return carry.isEmpty ? nil : scan(nothing, by: careful, isLast: true) }
        return plain.isComplete && held.isEmpty ? nil : handOver(held.bytes, nothing, isLast: true)
    }

    /// Lets libxml2 read from here on: first `bytes`, then `rest`.
    private func handOver(_ bytes: [UInt8], _ rest: UnsafeRawBufferPointer, isLast: Bool) -> XMLError? {
        let parser: SAXParser
        switch LibXML2.shared {
        case .success(let library): parser = SAXParser(library, vocabulary: vocabulary, resuming: plain)
        case .failure(let missing):
            return XMLError(
                .ioError, at: plain.position(0),
                "this is not plain markup, and libxml2, which would read it, cannot be loaded: \(missing.reason)")
        }
        course = .careful(parser)
        held.clear()
        let isAll = isLast && rest.isEmpty
        if !bytes.isEmpty, let refused = bytes.withUnsafeBytes({ scan($0, by: parser, isLast: isAll) }) {
            return refused
        }
        return rest.isEmpty ? nil : scan(rest, by: parser, isLast: isLast)
    }

    private func scan(_ text: UnsafeRawBufferPointer, by parser: SAXParser, isLast: Bool) -> XMLError? {
        guard !carry.isEmpty else { return scanPiece(text, by: parser, isLast: isLast) }
        carry.append(contentsOf: text)
        let joined = carry
        carry = []
        return joined.withUnsafeBytes { scanPiece($0, by: parser, isLast: isLast) }
    }

    private func scanPiece(_ text: UnsafeRawBufferPointer, by parser: SAXParser, isLast: Bool) -> XMLError? {
        let progress = parser.scanner.scan(text, isLast: isLast)
        // Fed after the scan: events then find their marks.
        for piece in progress.pieces {
            switch piece {
            case .part(let range): parser.feed(UnsafeRawBufferPointer(rebasing: text[range]))
            case .joined(let bytes): bytes.withUnsafeBytes { parser.feed($0) }
            case .withheld(let count): parser.withhold(count)
            }
        }
        if progress.consumed < text.count && progress.failure == nil {
            carry.append(contentsOf: text[progress.consumed...])
        }
        return progress.failure
    }

    /// Remembers a failure: nothing is read after one.
    private func fail(_ error: XMLError) -> XMLError {
        failure = error
        return error
    }

    // MARK: - What was odd

    private func note(_ notices: [TextDecoder.Notice], in text: UnsafeRawBufferPointer) {
        guard !notices.isEmpty else { return }
        var passed = 0
        var position =
            if let careful {
                carry.withUnsafeBytes { careful.scanner.position.advanced(over: $0) }
            } else {
                held.bytes.withUnsafeBytes { plain.position(0).advanced(over: $0) }
            }
        for notice in notices {
            switch notice {
            case .byteOrderMark:
                plain.passByteOrderMark()
                careful?.passByteOrderMark()
            case .lead(let bytes):
                bytes.withUnsafeBytes {
                    plain.pass(lead: $0)
                    careful?.pass(lead: $0)
                }
                log.add(
                    .xmlRecovered, at: Place(line: 1, column: 1, byte: 0),
                    "something blank stands in front of the XML declaration; it was passed over")
            case .declarationIgnored(let name):
                log.add(
                    .xmlEncodingMismatch, at: Place(line: 1, column: 1, byte: 0),
                    "the declaration says \(name.quoted(40)), the bytes are UTF-8")
            case .invalidByte(let offset, let encoding, let readAs):
                position = position.advanced(over: UnsafeRawBufferPointer(rebasing: text[passed..<offset]))
                passed = offset
                log.add(
                    .xmlEncodingMismatch, at: Place(position),
                    "a byte here is not \(encoding); it was read as \(readAs)")
            }
        }
    }

    private func noteDoctypes(_ parser: SAXParser) {
        for notice in parser.scanner.takeNotices() {
            switch notice {
            case .doctypeIgnored(let position):
                log.add(
                    .xmlDoctypeIgnored, at: Place(position), "the document type declaration was neither loaded nor read"
                )
            }
        }
    }

    private func check(_ parser: SAXParser) throws(XMLError) {
        if let fatal = parser.fatal {
            // libxml2 says so of any text that is no markup.
            let isNone = fatal.message == "Document is empty"
            let message = isNone ? "this is no markup; expected a document that begins with <" : fatal.message
            throw fail(XMLError(.xmlNotWellFormed, at: fatal.position, "not well-formed: \(message)"))
        }
        if let refusal = parser.refusal { throw fail(refusal) }
        for fault in parser.takeFaults() {
            log.add(.xmlRecovered, at: Place(fault.position), fault.message)
        }
    }
}

/// Why a document could not be read to its end as XML.
package struct XMLError: CodedError, Hashable {
    package let code: FindingCode
    package let place: Place
    package let message: String

    init(_ code: FindingCode, at position: XMLPosition, _ message: String) {
        self.code = code
        self.place = Place(position)
        self.message = message
    }
}

/// What a document may cost before it is refused. All but the names are counted on the bytes before libxml2 sees them.
public struct XMLLimits: Sendable, Hashable {
    /// Elements within elements; the root is 1.
    public var depth = 4096
    /// Attributes on one element: libxml2 compares them pairwise.
    public var attributes = 256
    /// Bytes of one tag.
    public var tagBytes = 1 << 20
    /// Bytes of one comment or processing instruction.
    public var commentBytes = 8 << 20
    /// Distinct names of elements, attributes and instructions, their prefixes and namespaces counted too: libxml2 keeps
    /// each, and from some tens of thousands on looks for one among more and more others. They are counted as a tag is
    /// told, so one tag's may be too many.
    public var names = 1 << 16
    /// Bytes of one text item outside number arrays; kept by whoever collects it.
    public var textBytes = 16 << 20

    public init() {}
}
