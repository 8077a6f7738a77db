// libxml2's push parser, told to keep to itself: no network, no DTD, no entities, nothing on stderr.

import CLibXML2
import DaeCore
import DaeDiagnostics

/// A text that libxml2 keeps, with a zero behind it.
private typealias KeptText = UnsafePointer<xmlChar>

/// Reads a document by libxml2, from where the tokenizer stopped to the end.
///
/// A class for the lifetime of libxml2's parser, which calls it back.
final class LibXMLParser {
    /// What libxml2 said against the document.
    private struct Fault {
        let position: XMLPosition
        let message: String
        let isFatal: Bool
    }
    private enum State {
        /// Reading what stands for the document before the hand-over, of which nothing is reported.
        case resuming
        case reading
        /// By the handler.
        case stopped
        /// By a budget.
        case refused(CodedFailure)
    }

    private let library: LibXML2
    private let handler: any XMLEventHandler
    private var parser: xmlParserCtxtPtr?
    private var names: InternedNames
    /// How many names libxml2 may have kept without an event.
    private var unreportedNames = 0
    /// Of the element being reported.
    private var attributes: [XMLAttributes.Entry] = []
    /// The element's, and behind it one for each attribute.
    private var qualifiers = Buffer(repeating: XMLName.Qualifier(), capacity: 16)
    private var faults: [Fault] = []
    /// libxml2's own flag is not readable before the call returns.
    private var state = State.reading
    private var scanner: MarkupScanner
    /// Bytes the scanner could not decide yet.
    private var undecided: [UInt8] = []
    /// Bytes that libxml2 got.
    private var fed: Int64 = 0
    /// Bytes of the document before where libxml2 stands that it did not get.
    private var withheld: Int64 = 0
    /// The same of those behind, by how many it gets before each: it may wait for more before it looks at what it has.
    private var withheldBehind: [(fed: Int64, count: Int64)] = []
    private var open: [MarkupMarks.Mark] = []
    /// Where the text that comes next stands, or markup before it.
    private var textPosition = XMLPosition()
    private var rootURI: KeptText?
    private var sawRoot = false  // reason: a namespace of nil is also one

    init(
        _ library: LibXML2, vocabulary: XMLVocabulary, limits: XMLLimits, handler: any XMLEventHandler,
        resumingFrom start: HandOver
    ) {
        self.library = library
        self.handler = handler
        scanner = MarkupScanner(limits: limits)
        names = InternedNames(vocabulary)
        var sax = xmlSAXHandler()
        sax.initialized = UInt32(XML_SAX2_MAGIC)
        sax.startElementNs = Self.onStart
        sax.endElementNs = Self.onEnd
        sax.characters = Self.onText
        sax.ignorableWhitespace = Self.onText
        sax.cdataBlock = Self.onText
        sax.processingInstruction = Self.onInstruction
        parser = library.createPushParserCtxt(&sax, Unmanaged.passUnretained(self).toOpaque(), nil, 0, nil)
        if let parser {
            // Without NOENT an ampersand in an attribute comes as `&#38;`. There are no entities but XML's own five.
            let options = XML_PARSE_NONET.rawValue | XML_PARSE_IGNORE_ENC.rawValue | XML_PARSE_NOENT.rawValue
            _ = library.ctxtUseOptions(parser, CInt(options))
            // Else libxml2 would guess by the first bytes, and might read what the scanner did not see.
            _ = library.switchEncoding(parser, XML_CHAR_ENCODING_UTF8)
            daedalus_xml_set_error_handler(parser, Self.onError)
            resume(parser, from: start)
        }
    }

    deinit {
        if let parser { library.freeParserCtxt(parser) }
    }

    private func resume(_ parser: xmlParserCtxtPtr, from start: HandOver) {
        state = .resuming
        for name in start.names {
            let kept = name.withUnsafeBufferPointer {
                library.dictLookup(parser.pointee.dict, $0.baseAddress, Int32(truncatingIfNeeded: $0.count))
            }
            count(kept)
        }
        for piece in start.madeUpMarkup {
            parser.pointee.input?.pointee.line = Int32(truncatingIfNeeded: piece.line)
            feed(piece.text.span)
        }
        parser.pointee.input?.pointee.line = Int32(truncatingIfNeeded: start.position.line)
        parser.pointee.input?.pointee.col = Int32(truncatingIfNeeded: start.position.column)
        state = .reading
        open = start.openElements.map { .init(kind: .start, start: $0.start, end: $0.start) }
        switch start.stage {
        case .start: break
        case .prolog, .content, .epilog: textPosition = start.position
        }
        withheld = start.position.byte - fed
        scanner.resume(from: start)
    }

    // MARK: - Bytes

    /// Reads the next bytes of the document as UTF-8; events come before it returns.
    ///
    /// - Returns: Why a budget lets it read no further.
    func read(_ text: Span<UInt8>, isLast: Bool = false) -> CodedFailure? {
        guard !undecided.isEmpty else { return readAll(text, isLast: isLast) }
        let joined = undecided + Array(text, 0, text.count)
        undecided = []
        return readAll(joined.span, isLast: isLast)
    }

    private func readAll(_ text: Span<UInt8>, isLast: Bool) -> CodedFailure? {
        let progress = scanner.scan(text, isLast: isLast)
        // Fed after the scan: events then find their marks.
        for piece in progress.pieces {
            switch piece {
            case .part(let range): feed(text.extracting(range))
            case .joined(let bytes): feed(bytes.span)
            case .withheld(let count): withhold(count)
            }
        }
        if progress.consumed < text.count, progress.failure == nil {
            undecided = Array(text, progress.consumed, text.count)
        }
        return progress.failure
    }

    /// Reads what waits for more of the document, which has ended.
    func readRest() -> CodedFailure? {
        guard !undecided.isEmpty else { return nil }
        return read(Span(), isLast: true)
    }

    /// Ends the document.
    ///
    /// - Returns: What is missing, where the document may not end here and libxml2 finds nothing worse.
    func finish() -> CodedFailure? {
        guard !isStopped else { return nil }
        let missing = unfinished
        feed(Span(), isLast: true)
        // Behind an "&" in text libxml2 waits for the end of a reference, be it to the end of the document.
        guard let missing, !faults.contains(where: { $0.isFatal && $0.message == Self.bareAmpersand }) else {
            return nil
        }
        return CodedFailure(.xmlNotWellFormed, at: scanner.position, "not well-formed: \(missing)")
    }

    private func feed(_ bytes: Span<UInt8>, isLast: Bool = false) {
        guard let parser, !isStopped else { return }
        fed += Int64(bytes.count)
        _ = bytes.bytes.withUnsafeBytes {
            library.parseChunk(
                parser, $0.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(truncatingIfNeeded: $0.count),
                isLast ? 1 : 0)
        }
    }

    /// Passes bytes that libxml2 must not see.
    private func withhold(_ count: Int) {
        if let taken { settleWithheld(upTo: taken) }
        if let last = withheldBehind.last, last.fed == fed {
            withheldBehind[withheldBehind.count - 1].count += Int64(count)
        } else {
            withheldBehind.append((fed, Int64(count)))
        }
    }

    /// A byte order mark stood before what is read first.
    func passByteOrderMark() {
        scanner.passByteOrderMark()
        withheld += 3
    }

    func pass(lead: [UInt8]) {
        scanner.pass(lead: lead)
        withheld += Int64(lead.count)
    }

    // MARK: - Outcome

    /// Where the bytes that come next stand.
    var position: XMLPosition {
        let undecided = undecided
        return scanner.position.advanced(over: undecided.span)
    }

    /// Whether the root has ended and nothing is open behind it.
    var isBehindRoot: Bool { undecided.isEmpty && scanner.isBehindRoot }

    /// Whether there will be no more events.
    var isStopped: Bool {
        switch state {
        case .resuming, .reading: false
        case .stopped, .refused: true
        }
    }

    /// Logs what was read past since the last call.
    ///
    /// - Returns: Why the document is read no further: libxml2's own reason, or a budget that is counted here.
    func report(to log: inout FindingLog) -> CodedFailure? {
        for position in scanner.takeIgnoredDoctypes() {
            log.add(
                .xmlDoctypeIgnored, at: Place(position), "the document type declaration was neither loaded nor read")
        }
        if let fatal = faults.first(where: \.isFatal) {
            // libxml2 says so of any text that is no markup.
            let isNone = fatal.message == "Document is empty"
            let message = isNone ? "this is no markup; expected a document that begins with <" : fatal.message
            return CodedFailure(.xmlNotWellFormed, at: fatal.position, "not well-formed: \(message)")
        }
        switch state {
        case .refused(let refusal): return refusal
        case .resuming, .reading, .stopped: break
        }
        for fault in faults { log.add(.xmlRecovered, at: Place(fault.position), fault.message) }
        faults = []
        return nil
    }

    /// What is missing when the bytes end here; `nil` when nothing is.
    ///
    /// libxml2's own words for it are those for bytes behind the root.
    private var unfinished: String? {
        if let (name, start) = scanner.unfinished {
            return "the document ends within \(name) that begins at line \(start.line), column \(start.column)"
        }
        guard let innermost = open.last else {
            return sawRoot ? nil : "there is no element; expected a document that begins with <"
        }
        return "the document ends while the element opened at line \(innermost.start.line), column "
            + "\(innermost.start.column) is still open"
    }

    // MARK: - Events

    private func settle(_ flow: XMLFlow) {
        switch flow {
        case .proceed, .passText, .passIndents: break
        case .stop: end(.stopped)
        }
    }

    private func end(_ state: State) {
        self.state = state
        library.stopParser(parser)
    }

    /// The mark of the next event; marks that brought no event are passed over.
    private func mark(_ fits: (MarkupMarks.Mark.Kind) -> Bool) -> MarkupMarks.Mark? {
        while let mark = scanner.marks.popFirst() {
            if fits(mark.kind) { return mark }
        }
        return nil
    }

    /// - Parameters:
    ///   - fields: Five pointers an attribute: local name, prefix, URI, start and end of the value.
    ///   - declared: Two pointers a namespace: prefix and URI.
    private func started(
        _ local: KeptText, _ prefix: KeptText?, _ uri: KeptText?,
        _ fields: UnsafeBufferPointer<KeptText?>, _ declared: UnsafeBufferPointer<KeptText?>
    ) {
        guard !isStopped else { return }
        if !sawRoot {
            sawRoot = true
            rootURI = uri
        }
        if case .resuming = state { return }
        let here = scanner.position
        let mark = mark { $0 == .start || $0 == .empty } ?? .init(kind: .start, start: here, end: here)
        count(local)
        count(prefix)
        count(uri)
        for name in declared { count(name) }
        gather(fields)
        let qualifier = qualify(0, prefix, uri)
        guard !hasTooManyNames else { return refuseNames(at: mark.start) }
        open.append(mark)
        textPosition = mark.end
        let known = uri == rootURI ? names.number(of: local) ?? -1 : -1
        let name = XMLName(known: known, local: local, Self.text(local).count, qualifier: qualifier)
        settle(
            attributes.withUnsafeBufferPointer {
                handler.startElement(name, attributes: XMLAttributes($0), at: mark.start)
            })
    }

    private func gather(_ fields: UnsafeBufferPointer<KeptText?>) {
        attributes.removeAll(keepingCapacity: true)
        let most = 1 + fields.count / 5
        if qualifiers.capacity < most { qualifiers = Buffer(repeating: XMLName.Qualifier(), capacity: 2 * most) }
        for at in stride(from: 0, to: fields.count - 4, by: 5) {
            guard let local = fields[at] else { continue }
            let prefix = fields[at + 1]
            let known = names.number(of: local) ?? -1
            count(prefix)
            let name = XMLName(
                known: prefix == nil ? known : -1, local: local, Self.text(local).count,
                qualifier: qualify(1 + at / 5, prefix, fields[at + 2]))
            var value = UnsafeRawBufferPointer(start: nil, count: 0)
            if let start = fields[at + 3], let end = fields[at + 4], end > start {
                value = UnsafeRawBufferPointer(start: start, count: end - start)
            }
            attributes.append(XMLAttributes.Entry(name: name, value: value))
        }
    }

    /// Keeps a prefix and a namespace until the event is over.
    private func qualify(
        _ place: Int, _ prefix: KeptText?, _ uri: KeptText?
    ) -> UnsafePointer<XMLName.Qualifier>? {
        guard prefix != nil || uri != nil else { return nil }
        qualifiers[place] = XMLName.Qualifier(prefix: Self.text(prefix), uri: Self.text(uri))
        return qualifiers.address(place)
    }

    private static func text(_ text: KeptText?) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: text,
            count: text.map { strlen(UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self)) } ?? 0)
    }

    private func ended() {
        guard case .reading = state, let opened = open.popLast() else { return }
        let here = scanner.position
        let closing: MarkupMarks.Mark
        switch opened.kind {
        case .empty: closing = opened
        case .start, .end, .other:
            closing = mark { $0 == .end } ?? .init(kind: .end, start: here, end: here)
        }
        textPosition = closing.end
        settle(handler.endElement(at: closing.start))
    }

    private func text(_ bytes: UnsafeRawBufferPointer) {
        guard !isStopped else { return }
        passOtherMarks()
        var start = textPosition
        let written = written(at: start, for: bytes) ?? bytes
        textPosition = start.advanced(over: written)
        // libxml2 makes each CR LF an LF, mostly by leaving the CR out between two events.
        if bytes.first == 0x0A, written.starts(with: [0x0D, 0x0A]) {
            start = start.advanced(over: UnsafeRawBufferPointer(rebasing: written[..<1]))
        }
        settle(handler.text(bytes, at: start))
    }

    private func instruction(_ target: KeptText) {
        guard !isStopped else { return }
        count(target)
        if hasTooManyNames { refuseNames(at: faultPosition ?? scanner.position) }
    }

    private func failed(_ error: xmlError) {
        guard !isStopped, error.level.rawValue >= XML_ERR_ERROR.rawValue else { return }
        // The URI given to the prefix `xml` is kept, and reported to nobody.
        if error.code == Int32(XML_NS_ERR_XML_NAMESPACE.rawValue) { unreportedNames += 1 }
        let said = error.message.map { String(cString: $0) } ?? "error \(error.code)"
        let text = inWords(error) ?? said
        faults.append(
            Fault(
                position: faultPosition ?? XMLPosition(line: Int(error.line), column: max(1, Int(error.int2))),
                message: text.prefix(300).split(whereSeparator: \.isNewline).joined(separator: " "),
                isFatal: error.level.rawValue >= XML_ERR_FATAL.rawValue))
    }

    private static let bareAmpersand = "an \"&\" that begins no reference; in text it is written \"&amp;\""

    /// What a fault is, where libxml2 says it in the words of its own code or leaves out what cannot be seen; `nil` for
    /// others.
    private func inWords(_ error: xmlError) -> String? {
        switch xmlParserErrors(rawValue: UInt32(truncatingIfNeeded: error.code)) {
        case XML_ERR_NAME_REQUIRED, XML_ERR_ENTITYREF_SEMICOL_MISSING:
            guard error.message.map({ String(cString: $0) })?.contains("EntityRef") == true else { return nil }
            return Self.bareAmpersand
        case XML_ERR_ATTRIBUTE_REDEFINED:
            let name = error.str1.map { String(cString: $0).quoted(40) }
            return name.map { "the attribute \($0) stands twice in one tag" }
        case XML_ERR_INVALID_CHAR:
            // Some faults have the character; of the others libxml2 stands before it.
            let value =
                error.int1 > 0 ? Int(error.int1) : parser?.pointee.input?.pointee.cur.map { Int($0.pointee) } ?? 0
            guard (1..<0x20).contains(value) || (0xFFFE...0xFFFF).contains(value) else { return nil }
            let digits = String(value, radix: 16, uppercase: true)
            let zeros = String(repeating: "0", count: 4 - digits.utf8.count)
            return "the character U+\(zeros)\(digits), which XML does not allow"
        default: return nil
        }
    }

    // MARK: - Names

    /// Of what libxml2 keeps for good, as it keeps names; equal texts have one address there.
    private func count(_ name: KeptText?) {
        if let name { _ = names.number(of: name) }
    }

    private var hasTooManyNames: Bool { names.count + unreportedNames > scanner.limits.names }

    private func refuseNames(at position: XMLPosition) {
        end(
            .refused(
                CodedFailure(
                    .xmlSizeExceeded, at: position,
                    "the document has more than \(scanner.limits.names) distinct names, the most allowed")))
    }

    // MARK: - Place

    /// Bytes behind which libxml2 stands, of those that it got; of a CDATA section's text, those before it.
    private var taken: Int64? {
        guard let input = parser?.pointee.input?.pointee, let base = input.base, let current = input.cur else {
            return nil
        }
        return Int64(truncatingIfNeeded: input.consumed) + Int64(current - base)
    }

    /// Counts what stands before where libxml2 is now, to which it never goes back.
    private func settleWithheld(upTo taken: Int64) {
        guard let next = withheldBehind.first, next.fed <= taken else { return }
        let passed = withheldBehind.prefix { $0.fed <= taken }
        for bytes in passed { withheld += bytes.count }
        withheldBehind.removeFirst(passed.count)
    }

    /// The byte of the document at which libxml2 stands; of a CDATA section's text, its first byte.
    private var currentByte: Int64 {
        guard let taken else { return scanner.position.byte }
        settleWithheld(upTo: taken)
        return taken + withheld
    }

    /// Passes over the comments and their like that stand before where libxml2 is.
    private func passOtherMarks() {
        let byte = currentByte
        while let mark = scanner.marks.first, mark.kind == .other, mark.end.byte <= byte {
            textPosition = mark.end
            _ = scanner.marks.popFirst()
        }
    }

    /// A fault in markup stands at its `<`, one in text where reading ended; `nil` when that is not known.
    private var faultPosition: XMLPosition? {
        let byte = currentByte
        if let mark = scanner.marks.mark(around: byte) { return mark.start }
        passOtherMarks()
        guard let source = source(from: textPosition), byte >= textPosition.byte else { return nil }
        return textPosition.advanced(
            over: UnsafeRawBufferPointer(rebasing: source[..<min(source.count, Int(byte - textPosition.byte))]))
    }

    /// The document from a place on, as far as libxml2 has it in memory; `nil` where it has not that place.
    private func source(from position: XMLPosition) -> UnsafeRawBufferPointer? {
        guard let input = parser?.pointee.input?.pointee, let base = input.base, let current = input.cur,
            let end = input.end
        else { return nil }
        let back = currentByte - position.byte
        guard back >= 0 ? back <= Int64(current - base) : -back <= Int64(end - current) else { return nil }
        let start = current - Int(back)
        return UnsafeRawBufferPointer(start: start, count: end - start)
    }

    /// What is written in the document for a piece of text that begins at `position`: line ends and references differ.
    private func written(at position: XMLPosition, for text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        guard let source = source(from: position), let first = source.first else { return nil }
        // Only of a reference is the text elsewhere; an ampersand in a CDATA section is one.
        let isElsewhere = source.baseAddress != text.baseAddress
        if isElsewhere, first == UInt8(ascii: "&") {
            return source.firstIndex(of: UInt8(ascii: ";")).map { UnsafeRawBufferPointer(rebasing: source[...$0]) }
        }
        if source.count >= text.count, !isElsewhere || source.starts(with: text) {
            return UnsafeRawBufferPointer(rebasing: source[..<text.count])
        }
        var end = 0
        for _ in text where end < source.count {
            let isPair = source[end] == 0x0D && end + 1 < source.count && source[end + 1] == 0x0A
            end += isPair ? 2 : 1
        }
        return UnsafeRawBufferPointer(rebasing: source[..<end])
    }

    // MARK: - Calls of libxml2

    private static let onStart: startElementNsSAX2Func = {
        context, local, prefix, uri, spaces, declared, count, _, fields in
        guard let context, let local else { return }
        let parser = Unmanaged<LibXMLParser>.fromOpaque(context).takeUnretainedValue()
        parser.started(
            local, prefix, uri, UnsafeBufferPointer(start: fields, count: fields == nil ? 0 : 5 * Int(count)),
            UnsafeBufferPointer(start: declared, count: declared == nil ? 0 : 2 * Int(spaces)))
    }
    private static let onInstruction: processingInstructionSAXFunc = { context, target, _ in
        guard let context, let target else { return }
        Unmanaged<LibXMLParser>.fromOpaque(context).takeUnretainedValue().instruction(target)
    }
    private static let onEnd: endElementNsSAX2Func = { context, _, _, _ in
        guard let context else { return }
        Unmanaged<LibXMLParser>.fromOpaque(context).takeUnretainedValue().ended()
    }
    private static let onText: charactersSAXFunc = { context, start, count in
        guard let context, count > 0 else { return }
        Unmanaged<LibXMLParser>.fromOpaque(context).takeUnretainedValue()
            .text(UnsafeRawBufferPointer(start: start, count: Int(count)))
    }
    private static let onError: daedalus_xml_error_handler = { context, error in
        guard let context, let error = error?.pointee else { return }
        Unmanaged<LibXMLParser>.fromOpaque(context).takeUnretainedValue().failed(error)
    }
}

/// Numbers of names by where libxml2 keeps their text, which it does once for each.
private struct InternedNames {
    private let vocabulary: XMLVocabulary
    /// -1 for a name that is not in the vocabulary.
    private var numbers: [KeptText: Int] = [:]

    init(_ vocabulary: XMLVocabulary) { self.vocabulary = vocabulary }

    /// How many distinct names it was asked for.
    var count: Int { numbers.count }

    mutating func number(of name: KeptText) -> Int? {
        if let known = numbers[name] { return known < 0 ? nil : known }
        let number = vocabulary.number(of: String(cString: name))
        numbers[name] = number ?? -1
        return number
    }
}
