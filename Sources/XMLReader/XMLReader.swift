public import Diagnostics

/// Reads a document as it comes, in chunks of any size, and hands its events to a handler.
///
/// Nothing outside the document is ever loaded: a document type declaration is cut out before libxml2 sees it (one that
/// declares entities is refused), and there is no network. Whatever the chunks, the events are the same except for
/// where text is cut.
public final class XMLReader {
    private let parser: SAXParser
    private var decoder = TextDecoder()
    /// Bytes the scanner could not decide yet.
    private var carry: [UInt8] = []
    /// What was odd about the markup so far.
    public private(set) var log = FindingLog()
    /// Bytes given so far.
    public private(set) var bytesRead: Int64 = 0

    /// Bytes handed to libxml2 at a time; larger pieces cost it more.
    private static let pieceSize = 64 * 1024

    public init(vocabulary: XMLVocabulary, limits: XMLLimits = XMLLimits(), handler: any XMLEventHandler) {
        parser = SAXParser(vocabulary: vocabulary, limits: limits, handler: handler)
    }

    /// The name of the encoding the document is in; `nil` until enough bytes were read to tell.
    public var encoding: String? { decoder.encoding }

    /// Reads the next bytes; the handler is called before this returns.
    ///
    /// - Throws: ``XMLError`` when the document is not well-formed or a budget was hit. Nothing is read after that.
    public func read(_ bytes: UnsafeRawBufferPointer) throws(XMLError) {
        var at = 0
        while at < bytes.count {
            let end = min(at + Self.pieceSize, bytes.count)
            try advance(UnsafeRawBufferPointer(rebasing: bytes[at..<end]), isLast: false)
            at = end
        }
    }

    /// Says that the document is at its end.
    public func finish() throws(XMLError) {
        try advance(UnsafeRawBufferPointer(start: nil, count: 0), isLast: true)
        guard !parser.isStopped else { return }
        let unfinished = parser.unfinished
        parser.feed(UnsafeRawBufferPointer(start: nil, count: 0), isLast: true)
        if let unfinished, parser.fatal != nil {
            throw XMLError(.xmlNotWellFormed, at: parser.scanner.position, "not well-formed: \(unfinished)")
        }
        try check()
    }

    private func advance(_ bytes: UnsafeRawBufferPointer, isLast: Bool) throws(XMLError) {
        guard !parser.isStopped else { return }
        bytesRead += Int64(bytes.count)
        var failure: XMLError?
        try decoder.decode(bytes, isLast: isLast) { text in
            failure = self.scan(text, isLast: isLast)
        }
        if isLast && !carry.isEmpty && failure == nil {
            failure = scan(UnsafeRawBufferPointer(start: nil, count: 0), isLast: true)
        }
        note()
        try check()
        if let failure { throw failure }
    }

    private func scan(_ text: UnsafeRawBufferPointer, isLast: Bool) -> XMLError? {
        guard !carry.isEmpty else { return scanPiece(text, isLast: isLast) }
        carry.append(contentsOf: text)
        let joined = carry
        carry = []
        return joined.withUnsafeBytes { scanPiece($0, isLast: isLast) }
    }

    private func scanPiece(_ text: UnsafeRawBufferPointer, isLast: Bool) -> XMLError? {
        var pieces: [UnsafeRawBufferPointer] = []
        let progress = parser.scanner.scan(text, isLast: isLast) { pieces.append($0) }
        // Fed after the scan: events then find their marks.
        for piece in pieces { parser.feed(piece) }
        if progress.consumed < text.count && progress.failure == nil {
            carry.append(contentsOf: text[progress.consumed...])
        }
        return progress.failure
    }

    // MARK: - What was odd

    private func note() {
        for notice in decoder.takeNotices() {
            switch notice {
            case .invalidBytes(let byte):
                log.add(
                    .xmlEncodingMismatch, at: Place(byte: byte),
                    "bytes near byte \(byte) are not \(encoding ?? "UTF-8"); they were read as Latin-1")
            case .declarationIgnored(let name):
                log.add(
                    .xmlEncodingMismatch, at: Place(line: 1, column: 1, byte: 0),
                    "the declaration says \(name.prefix(40).debugDescription), the bytes are UTF-8")
            }
        }
        for notice in parser.scanner.takeNotices() {
            switch notice {
            case .doctypeIgnored(let position):
                log.add(
                    .xmlDoctypeIgnored, at: Place(position), "the document type declaration was neither loaded nor read"
                )
            }
        }
    }

    private func check() throws(XMLError) {
        if let fatal = parser.fatal {
            throw XMLError(
                .xmlNotWellFormed, at: XMLPosition(line: fatal.line, column: fatal.column),
                "not well-formed: \(fatal.message)")
        }
        for fault in parser.takeFaults() {
            log.add(.xmlRecovered, at: Place(line: fault.line, column: fault.column), fault.message)
        }
    }
}
