// libxml2's push parser, told to keep to itself: no network, no DTD, no entities, nothing on stderr.

import CLibXML2
import Diagnostics

final class SAXParser {
    /// What libxml2 said against the document.
    struct Fault {
        let line: Int
        let column: Int
        let message: String
        let isFatal: Bool
    }

    private var parser: xmlParserCtxtPtr?
    private let names: UnsafeMutablePointer<NameTable>
    private let handler: any XMLEventHandler
    private(set) var faults: [Fault] = []
    private(set) var isStopped = false  // reason: libxml2's own flag is not readable before the call returns
    var scanner: MarkupScanner
    private var open: [MarkupScanner.Mark] = []
    private var textPosition = XMLPosition()
    private var rootURI: UnsafePointer<UInt8>?
    private var sawRoot = false  // reason: a namespace of nil is also one

    static let faultLimit = 16

    init(vocabulary: XMLVocabulary, limits: XMLLimits, handler: any XMLEventHandler) {
        self.handler = handler
        scanner = MarkupScanner(limits: limits)
        names = .allocate(capacity: 1)
        names.initialize(to: NameTable(vocabulary))
        Self.initialize
        var sax = xmlSAXHandler()
        sax.initialized = UInt32(XML_SAX2_MAGIC)
        sax.startElementNs = Self.onStart
        sax.endElementNs = Self.onEnd
        sax.characters = Self.onText
        sax.ignorableWhitespace = Self.onText
        sax.cdataBlock = Self.onCDATA
        sax.comment = Self.onComment
        sax.processingInstruction = Self.onInstruction
        parser = xmlCreatePushParserCtxt(&sax, Unmanaged.passUnretained(self).toOpaque(), nil, 0, nil)
        if let parser {
            let options = XML_PARSE_NONET.rawValue | XML_PARSE_IGNORE_ENC.rawValue
            xmlCtxtUseOptions(parser, Int32(options))
            daedalus_xml_set_error_handler(parser, Self.onError)
        }
    }

    deinit {
        if let parser { xmlFreeParserCtxt(parser) }
        names.deinitialize(count: 1)
        names.deallocate()
    }

    private static let initialize: Void = xmlInitParser()

    /// Feeds UTF-8; events come before it returns.
    func feed(_ bytes: UnsafeRawBufferPointer, isLast: Bool = false) {
        guard let parser, !isStopped else { return }
        let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
        xmlParseChunk(parser, start, Int32(truncatingIfNeeded: bytes.count), isLast ? 1 : 0)
    }

    var fatal: Fault? { faults.first { $0.isFatal } }

    /// What is missing when the bytes end here; `nil` when nothing is.
    ///
    /// libxml2's own words for both are those for bytes behind the root.
    var unfinished: String? {
        guard let innermost = open.last else {
            return sawRoot ? nil : "there is no element; expected a document that begins with <"
        }
        return "the document ends while the element opened at line \(innermost.start.line), column "
            + "\(innermost.start.column) is still open"
    }

    /// Faults that were read past, since the last call.
    func takeFaults() -> [Fault] {
        defer { faults = [] }
        return faults
    }

    // MARK: - Events

    private func settle(_ flow: XMLFlow) {
        switch flow {
        case .proceed: break
        case .stop:
            isStopped = true
            xmlStopParser(parser)
        }
    }

    /// The mark of the next event; marks that brought no event are passed over.
    private func mark(_ fits: (MarkupScanner.Mark.Kind) -> Bool) -> MarkupScanner.Mark? {
        while let mark = scanner.takeMark() {
            if fits(mark.kind) { return mark }
        }
        return nil
    }

    fileprivate func started(
        _ local: UnsafePointer<UInt8>, _ prefix: UnsafePointer<UInt8>?, _ uri: UnsafePointer<UInt8>?, _ count: Int,
        _ fields: UnsafeMutablePointer<UnsafePointer<UInt8>?>?
    ) {
        guard !isStopped else { return }
        if !sawRoot {
            sawRoot = true
            rootURI = uri
        }
        let here = scanner.position
        let mark = mark { $0 == .start || $0 == .empty } ?? .init(kind: .start, start: here, end: here)
        open.append(mark)
        textPosition = mark.end
        let number = uri == rootURI ? names.pointee.number(of: local) : nil
        settle(
            handler.startElement(
                XMLName(number: number, local: local, prefix: prefix, uri: uri),
                attributes: XMLAttributes(fields: fields, count: count, names: names), at: mark.start))
    }

    fileprivate func ended() {
        guard !isStopped, let opened = open.popLast() else { return }
        let here = scanner.position
        let closing: MarkupScanner.Mark
        switch opened.kind {
        case .empty: closing = opened
        case .start, .end, .comment, .instruction, .cdata:
            closing = mark { $0 == .end } ?? .init(kind: .end, start: here, end: here)
        }
        textPosition = closing.end
        settle(handler.endElement(at: closing.start))
    }

    fileprivate func text(_ bytes: UnsafeRawBufferPointer) {
        guard !isStopped else { return }
        let start = textPosition
        textPosition = start.advanced(over: bytes)
        settle(handler.text(bytes, at: start))
    }

    fileprivate func cdata(_ bytes: UnsafeRawBufferPointer) {
        if let next = scanner.firstMark, next.kind == .cdata, let mark = scanner.takeMark() { textPosition = mark.end }
        text(bytes)
    }

    fileprivate func passed(_ kind: MarkupScanner.Mark.Kind) {
        if let mark = mark({ $0 == kind }) { textPosition = mark.end }
    }

    fileprivate func failed(_ error: xmlError) {
        let isFatal = error.level.rawValue >= XML_ERR_FATAL.rawValue
        guard error.level.rawValue >= XML_ERR_ERROR.rawValue, isFatal || faults.count < Self.faultLimit else { return }
        let text = error.message.map { String(cString: $0) } ?? "error \(error.code)"
        faults.append(
            Fault(
                line: Int(error.line), column: max(1, Int(error.int2)),
                message: text.prefix(300).split(whereSeparator: \.isNewline).joined(separator: " "),
                isFatal: isFatal))
    }

    // MARK: - C entry points

    private static let onStart: startElementNsSAX2Func = { context, local, prefix, uri, _, _, count, _, fields in
        guard let context, let local else { return }
        let parser = Unmanaged<SAXParser>.fromOpaque(context).takeUnretainedValue()
        parser.started(local, prefix, uri, Int(count), fields)
    }
    private static let onEnd: endElementNsSAX2Func = { context, _, _, _ in
        guard let context else { return }
        Unmanaged<SAXParser>.fromOpaque(context).takeUnretainedValue().ended()
    }
    private static let onText: charactersSAXFunc = { context, start, count in
        guard let context, count > 0 else { return }
        Unmanaged<SAXParser>.fromOpaque(context).takeUnretainedValue()
            .text(UnsafeRawBufferPointer(start: start, count: Int(count)))
    }
    private static let onCDATA: cdataBlockSAXFunc = { context, start, count in
        guard let context, count > 0 else { return }
        Unmanaged<SAXParser>.fromOpaque(context).takeUnretainedValue()
            .cdata(UnsafeRawBufferPointer(start: start, count: Int(count)))
    }
    private static let onComment: commentSAXFunc = { context, _ in
        guard let context else { return }
        Unmanaged<SAXParser>.fromOpaque(context).takeUnretainedValue().passed(.comment)
    }
    private static let onInstruction: processingInstructionSAXFunc = { context, _, _ in
        guard let context else { return }
        Unmanaged<SAXParser>.fromOpaque(context).takeUnretainedValue().passed(.instruction)
    }
    private static let onError: daedalus_xml_error_handler = { context, error in
        guard let context, let error = error?.pointee else { return }
        Unmanaged<SAXParser>.fromOpaque(context).takeUnretainedValue().failed(error)
    }
}
