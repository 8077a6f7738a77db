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
    private var failure: XMLError?
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
        if let unfinished = parser.unfinished {
            throw fail(XMLError(.xmlNotWellFormed, at: parser.scanner.position, "not well-formed: \(unfinished)"))
        }
        parser.feed(UnsafeRawBufferPointer(start: nil, count: 0), isLast: true)
        try check()
    }

    private func advance(_ bytes: UnsafeRawBufferPointer, isLast: Bool) throws(XMLError) {
        if let failure { throw failure }
        guard !parser.isStopped else { return }
        bytesRead += Int64(bytes.count)
        var refused: XMLError?
        do throws(XMLError) {
            try decoder.decode(bytes, isLast: isLast) { text, notices in
                self.note(notices, in: text)
                refused = self.scan(text, isLast: isLast)
            }
        } catch { throw fail(error) }
        if isLast && !carry.isEmpty && refused == nil {
            refused = scan(UnsafeRawBufferPointer(start: nil, count: 0), isLast: true)
        }
        noteDoctypes()
        try check()
        if let refused, !parser.isStopped { throw fail(refused) }
    }

    private func scan(_ text: UnsafeRawBufferPointer, isLast: Bool) -> XMLError? {
        guard !carry.isEmpty else { return scanPiece(text, isLast: isLast) }
        carry.append(contentsOf: text)
        let joined = carry
        carry = []
        return joined.withUnsafeBytes { scanPiece($0, isLast: isLast) }
    }

    private func scanPiece(_ text: UnsafeRawBufferPointer, isLast: Bool) -> XMLError? {
        let progress = parser.scanner.scan(text, isLast: isLast)
        // Fed after the scan: events then find their marks.
        for piece in progress.pieces {
            switch piece {
            case .part(let range): parser.feed(UnsafeRawBufferPointer(rebasing: text[range]))
            case .joined(let bytes): bytes.withUnsafeBytes { parser.feed($0) }
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
        var position = carry.withUnsafeBytes { parser.scanner.position.advanced(over: $0) }
        for notice in notices {
            switch notice {
            case .byteOrderMark: parser.scanner.passByteOrderMark()
            case .declarationIgnored(let name):
                log.add(
                    .xmlEncodingMismatch, at: Place(line: 1, column: 1, byte: 0),
                    "the declaration says \(name.prefix(40).debugDescription), the bytes are UTF-8")
            case .invalidByte(let offset, let encoding, let readAs):
                position = position.advanced(over: UnsafeRawBufferPointer(rebasing: text[passed..<offset]))
                passed = offset
                log.add(
                    .xmlEncodingMismatch, at: Place(position),
                    "a byte here is not \(encoding); it was read as \(readAs)")
            }
        }
    }

    private func noteDoctypes() {
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
            throw fail(XMLError(.xmlNotWellFormed, at: fatal.position, "not well-formed: \(fatal.message)"))
        }
        if let refusal = parser.refusal { throw fail(refusal) }
        for fault in parser.takeFaults() {
            log.add(.xmlRecovered, at: Place(fault.position), fault.message)
        }
    }
}
