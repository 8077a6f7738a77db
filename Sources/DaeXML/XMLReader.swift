package import DaeDiagnostics

/// Reads a document as it comes, in chunks of any size, and hands its events to a handler.
///
/// Plain markup is read by a tokenizer; libxml2 takes over at the first thing that is not certainly well-formed
/// (``HandOver``). Nothing outside the document is ever loaded: a document type declaration is cut out before libxml2 sees
/// it (one that declares entities is refused), and there is no network. Whatever the chunks, the events are the same except
/// for where text is cut.
package final class XMLReader {
    /// Who reads a document. Events, places and faults are the same, but for where text is cut.
    package enum Mode {
        /// The tokenizer, up to the first thing that is not certainly well-formed; from there on libxml2.
        case tokenizerFirst
        /// libxml2 alone.
        case libxml2Only
    }
    private enum State {
        case tokenizing
        /// The handler stopped the tokenizer.
        case stopped
        /// libxml2 reads, to the end.
        case parsing(LibXMLParser)
    }
    /// What came behind the root's end tag.
    private enum Ending {
        case asWritten
        /// Zeros that a file was filled up with, and white space.
        case padded
    }

    private let vocabulary: XMLVocabulary
    private let limits: XMLLimits
    private let handler: any XMLEventHandler
    private let mode: Mode
    private let library: () -> Result<LibXML2, LibXML2.Missing>
    private var decoder = TextDecoder()
    private var tokenizer: PlainTokenizer
    /// Markup that a chunk's border cut, before the tokenizer reads it.
    private var held = HeldMarkup()
    private var state = State.tokenizing
    private var ending = Ending.asWritten
    private var failure: CodedFailure?

    /// What was unusual about the markup so far.
    package private(set) var log = FindingLog()
    /// Bytes given so far.
    package private(set) var bytesRead: Int64 = 0

    /// Bytes that are decoded at a time; larger pieces cost libxml2 more.
    private static let pieceSize = 64 * 1024

    package convenience init(
        vocabulary: XMLVocabulary, limits: XMLLimits = XMLLimits(), handler: any XMLEventHandler
    ) {
        self.init(vocabulary: vocabulary, limits: limits, handler: handler, mode: .tokenizerFirst)
    }

    package convenience init(
        vocabulary: XMLVocabulary, limits: XMLLimits, handler: any XMLEventHandler, mode: Mode
    ) {
        self.init(vocabulary: vocabulary, limits: limits, handler: handler, mode: mode) { LibXML2.shared }
    }

    /// - Parameter library: Called when libxml2 is needed.
    init(
        vocabulary: XMLVocabulary, limits: XMLLimits, handler: any XMLEventHandler, mode: Mode,
        library: @escaping () -> Result<LibXML2, LibXML2.Missing>
    ) {
        self.vocabulary = vocabulary
        self.limits = limits
        self.handler = handler
        self.mode = mode
        self.library = library
        tokenizer = PlainTokenizer(vocabulary: vocabulary, limits: limits, handler: handler)
    }

    /// Whether libxml2 was not needed so far.
    package var isPlain: Bool { parser == nil }

    private var parser: LibXMLParser? {
        switch state {
        case .tokenizing, .stopped: nil
        case .parsing(let parser): parser
        }
    }

    private var isStopped: Bool {
        switch state {
        case .tokenizing: false
        case .stopped: true
        case .parsing(let parser): parser.isStopped
        }
    }

    /// The name of the encoding the document is in; `nil` until enough bytes were read to say.
    package var encoding: String? { decoder.encoding }

    /// Reads the next bytes; the handler is called before this returns.
    ///
    /// - Throws: ``CodedFailure`` when the document is not well-formed or a budget was hit. Nothing is read after that.
    package func read(_ bytes: UnsafeRawBufferPointer) throws(CodedFailure) {
        let bytes = bytes.assumingMemoryBound(to: UInt8.self).span
        var at = 0
        while at < bytes.count {
            let end = min(at + Self.pieceSize, bytes.count)
            try advance(bytes.extracting(at..<end), isLast: false)
            at = end
        }
    }

    /// Says that the document is at its end.
    package func finish() throws(CodedFailure) {
        try advance(Span(), isLast: true)
        guard let parser else { return }
        if let failure = parser.finish() ?? parser.report(to: &log) { throw fail(failure) }
    }

    private func advance(_ bytes: Span<UInt8>, isLast: Bool) throws(CodedFailure) {
        if let failure { throw failure }
        guard !isStopped else { return }
        bytesRead += Int64(bytes.count)
        var refusal: CodedFailure?
        do throws(CodedFailure) {
            try decoder.decode(bytes, isLast: isLast) { text, notices in
                self.note(notices, in: text)
                refusal = self.readUnpadded(text, isLast: isLast)
            }
        } catch { throw fail(error) }
        if isLast, refusal == nil, !isStopped { refusal = readRest() }
        if let failure = parser?.report(to: &log) { throw fail(failure) }
        if let refusal, parser == nil || !isStopped { throw fail(refusal) }
    }

    /// Where the bytes that come next stand.
    private var position: XMLPosition {
        if let parser { return parser.position }
        let held = held.bytes
        return tokenizer.position.advanced(over: held.span)
    }

    /// Remembers a failure: nothing is read after one.
    private func fail(_ error: CodedFailure) -> CodedFailure {
        failure = error
        return error
    }

    // MARK: - Zeros at the end

    /// Passes over zeros behind the root's end, which say nothing.
    private func readUnpadded(_ text: Span<UInt8>, isLast: Bool) -> CodedFailure? {
        switch ending {
        case .asWritten: break
        case .padded:
            guard (text.indices.first { !Self.isPadding(text[$0]) }) != nil else { return nil }
            ending = .asWritten
            // Something else follows: then they are a fault like any other.
            let zero: [UInt8] = [0]
            return read(zero.span, isLast: false) ?? read(text, isLast: isLast)
        }
        var start = text.count
        var zeros = 0
        while start > 0, Self.isPadding(text[start - 1]) {
            start -= 1
            if text[start] == 0 { zeros += 1 }
        }
        guard zeros > 0 else { return read(text, isLast: isLast) }
        if start > 0 {
            if let refusal = read(text.extracting(..<start), isLast: false) { return refusal }
            guard !isStopped else { return nil }
        }
        guard parser?.isBehindRoot ?? (held.isEmpty && tokenizer.isComplete) else {
            return read(text.extracting(start...), isLast: isLast)
        }
        ending = .padded
        log.add(
            .xmlRecovered, at: Place(position),
            "zeros stand behind the end of the document; they were passed over")
        return nil
    }

    private static func isPadding(_ byte: UInt8) -> Bool {
        byte == 0 || byte == 0x20 || (0x09...0x0D).contains(byte) && byte != 0x0B && byte != 0x0C
    }

    // MARK: - Tokenizer and libxml2

    /// Reads what comes next in the document, by whoever reads it now.
    private func read(_ text: Span<UInt8>, isLast: Bool) -> CodedFailure? {
        if let parser { return parser.read(text, isLast: isLast) }
        switch mode {
        case .tokenizerFirst: break
        case .libxml2Only: return handOver([], text, isLast: isLast)
        }
        var at = 0
        while at < text.count || !held.isEmpty, !isStopped {
            guard !held.isEmpty else {
                let rest = text.extracting(at...)
                switch tokenize(rest) {
                case .next, .stopped: break
                case .more(let end):
                    let cut = rest.extracting(end...)
                    if !held.begin(cut) { return handOver([], cut, isLast: isLast) }
                case .unsure(let end): return handOver([], rest.extracting(end...), isLast: isLast)
                }
                return nil
            }
            let taken = held.take(from: text.extracting(at...))
            at += taken.count
            let bytes = held.bytes
            guard taken.isWhole else {
                return bytes.count > held.most(limits) ? handOver(bytes, text.extracting(at...), isLast: isLast) : nil
            }
            held.clear()
            switch tokenize(bytes.span) {
            case .next, .stopped: break
            case .more(let end):
                // The rest begins another piece, unless it is the whole of this one, whose end was there.
                let rest = Array(bytes[end...])
                guard end > 0 || rest[0] != UInt8(ascii: "<"), held.begin(rest.span) else {
                    return handOver(rest, text.extracting(at...), isLast: isLast)
                }
            case .unsure(let end): return handOver(Array(bytes[end...]), text.extracting(at...), isLast: isLast)
            }
        }
        return nil
    }

    private func tokenize(_ bytes: Span<UInt8>) -> PlainTokenizer.Step {
        let step = tokenizer.read(bytes)
        if case .stopped = step { state = .stopped }
        return step
    }

    /// Reads what was kept back, and asks libxml2 what is wrong with a document that may not end here.
    private func readRest() -> CodedFailure? {
        if let parser { return parser.readRest() }
        guard !tokenizer.isComplete || !held.isEmpty else { return nil }
        return handOver(held.bytes, Span(), isLast: true)
    }

    /// Lets libxml2 read from here on: first `bytes`, then `rest`.
    private func handOver(_ bytes: [UInt8], _ rest: Span<UInt8>, isLast: Bool) -> CodedFailure? {
        let start = tokenizer.handOver
        let parser: LibXMLParser
        switch library() {
        case .success(let library):
            parser = LibXMLParser(
                library, vocabulary: vocabulary, limits: limits, handler: handler, resumingFrom: start)
        case .failure(let missing):
            return CodedFailure(
                .ioError, at: start.position,
                "this is not plain markup, and libxml2, which would read it, cannot be loaded: \(missing.reason)")
        }
        state = .parsing(parser)
        held.clear()
        if !bytes.isEmpty, let refusal = parser.read(bytes.span, isLast: isLast && rest.isEmpty) { return refusal }
        return rest.isEmpty ? nil : parser.read(rest, isLast: isLast)
    }

    // MARK: - What the decoder noticed

    private func note(_ notices: [TextDecoder.Notice], in text: Span<UInt8>) {
        guard !notices.isEmpty else { return }
        var passed = 0
        var position = position
        for notice in notices {
            switch notice {
            case .byteOrderMark:
                tokenizer.passByteOrderMark()
                parser?.passByteOrderMark()
            case .lead(let bytes):
                tokenizer.pass(lead: bytes)
                parser?.pass(lead: bytes)
                log.add(
                    .xmlRecovered, at: Place(line: 1, column: 1, byte: 0),
                    "something blank stands in front of the XML declaration; it was passed over")
            case .declarationIgnored(let name):
                log.add(
                    .xmlEncodingMismatch, at: Place(line: 1, column: 1, byte: 0),
                    "the declaration says \(name.quoted(40)), the bytes are UTF-8")
            case .invalidByte(let offset, let encoding, let readAs):
                position = position.advanced(over: text.extracting(passed..<offset))
                passed = offset
                log.add(
                    .xmlEncodingMismatch, at: Place(position),
                    "a byte here is not \(encoding); it was read as \(readAs)")
            }
        }
    }
}

extension CodedFailure {
    /// Why a document cannot be read to its end, at a place of its markup.
    init(_ code: FindingCode, at position: XMLPosition, _ message: String) {
        self.init(code, at: Place(position), message)
    }
}

/// What a document may cost before it is refused. All but the names are counted on the bytes before libxml2 sees them.
public struct XMLLimits: Sendable, Hashable {
    /// Elements within elements; the root is 1.
    public var depth = 4096
    /// Attributes on one element: libxml2 compares them pairwise.
    public var attributes = 256
    /// Bytes of one tag.
    package var tagBytes = 1 << 20
    /// Bytes of one comment or processing instruction.
    package var commentBytes = 8 << 20
    /// Distinct names of elements, attributes and instructions, their prefixes and namespaces counted too: libxml2 keeps
    /// each, and from some tens of thousands on looks for one among more and more others. They are counted as a tag is
    /// reported, so one tag's may be too many.
    package var names = 1 << 16
    /// Bytes of one text item outside number arrays; kept by whoever collects it.
    public var textBytes = 16 << 20

    /// The defaults of each property.
    public init() {}
}

/// Where libxml2 takes a document over from the tokenizer, and what it has to know of all that came before.
///
/// The tokenizer stops at the first thing that is not certainly well-formed; from there on libxml2 reads, to the end. It
/// begins at the beginning of a document only, so it is fed a made-up one first: an XML declaration and the start tags of
/// the elements that are open, with the namespaces they declare. Each of them is on the line where it was, since messages
/// name those. No event of theirs is reported. What libxml2 then says is what it would have said had it read everything.
struct HandOver {
    /// An element whose start the tokenizer has reported, and whose end it has not.
    struct OpenElement {
        /// Its name, and the namespaces it declares.
        let startTag: [UInt8]
        let start: XMLPosition
    }

    /// Where libxml2 begins to read.
    let position: XMLPosition
    let stage: PlainTokenizer.Stage
    /// Outermost first.
    let openElements: [OpenElement]
    /// Tags that were read.
    let tags: Int
    /// The names that were read, for there is a limit on how many a document may have.
    let names: [[UInt8]]
    /// The last comment or instruction that was read: a fault just behind one is reported at its place.
    let lastPassed: MarkupMarks.Mark?

    /// The beginning that stands for what was read, and the line of each of its pieces.
    var madeUpMarkup: [(text: [UInt8], line: Int)] {
        let declaration = [(text: Array("<?xml version='1.0'?>".utf8), line: 1)]
        switch stage {
        case .start: return []
        case .prolog: return declaration
        case .content: return declaration + openElements.map { ($0.startTag, $0.start.line) }
        // The root is there no more; any other does as well.
        case .epilog: return declaration + [(Array("<a/>".utf8), position.line)]
        }
    }

    /// The comment or instruction that `position` is right behind.
    var passedJustBefore: MarkupMarks.Mark? {
        lastPassed.flatMap { $0.end.byte == position.byte ? $0 : nil }
    }
}
