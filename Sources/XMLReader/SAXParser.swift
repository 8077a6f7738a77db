// libxml2's push parser, told to keep to itself: no network, no DTD, no entities, nothing on stderr.

import CLibXML2
import Diagnostics
import Glibc

final class SAXParser {
    /// What libxml2 said against the document.
    struct Fault {
        let position: XMLPosition
        let message: String
        let isFatal: Bool
    }

    private enum Course {
        /// Made-up tags, of which nobody is told.
        case resuming
        case reading
        /// By the handler.
        case stopped
        /// By a budget.
        case refused(XMLError)
    }

    private let library: LibXML2
    private(set) var parser: xmlParserCtxtPtr?
    private var names: NameTable
    /// Of the element being told.
    private var attributes: [XMLAttributes.Entry] = []
    /// The element's, and behind it one for each attribute.
    private var qualifiers = UnsafeMutableBufferPointer<XMLName.Qualifier>.allocate(capacity: 16)
    /// How many names libxml2 may have kept without an event.
    private var untoldNames = 0
    private let handler: any XMLEventHandler
    private(set) var faults: [Fault] = []
    /// libxml2's own flag is not readable before the call returns.
    private var course = Course.reading
    var scanner: MarkupScanner
    /// Bytes that libxml2 got.
    private(set) var fed: Int64 = 0
    /// Bytes of the document before where libxml2 stands that it did not get.
    var withheld: Int64 = 0
    /// The same of those behind, by how many it gets before each: it may wait for more before it looks at what it has.
    private var withheldBehind: [(fed: Int64, count: Int64)] = []
    private var open: [MarkupMarks.Mark] = []
    /// Where the text that comes next stands, or markup before it.
    var textPosition = XMLPosition()
    private var rootURI: UnsafePointer<UInt8>?
    private var sawRoot = false  // reason: a namespace of nil is also one

    private init(_ library: LibXML2, vocabulary: XMLVocabulary, limits: XMLLimits, handler: any XMLEventHandler) {
        self.library = library
        self.handler = handler
        scanner = MarkupScanner(limits: limits)
        names = NameTable(vocabulary)
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
        }
    }

    deinit {
        if let parser { library.freeParserCtxt(parser) }
        qualifiers.deallocate()
    }

    /// Feeds UTF-8; events come before it returns.
    func feed(_ bytes: UnsafeRawBufferPointer, isLast: Bool = false) {
        guard let parser, !isStopped else { return }
        let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
        fed += Int64(bytes.count)
        _ = library.parseChunk(parser, start, Int32(truncatingIfNeeded: bytes.count), isLast ? 1 : 0)
    }

    /// Passes bytes that libxml2 must not see.
    func withhold(_ count: Int) {
        if let taken { settleWithheld(upTo: taken) }
        if let last = withheldBehind.last, last.fed == fed {
            withheldBehind[withheldBehind.count - 1].count += Int64(count)
        } else {
            withheldBehind.append((fed, Int64(count)))
        }
    }

    /// A byte order mark stood before what is fed first.
    func passByteOrderMark() {
        scanner.passByteOrderMark()
        withheld += 3
    }

    func pass(lead: UnsafeRawBufferPointer) {
        scanner.pass(lead: lead)
        withheld += Int64(lead.count)
    }

    var fatal: Fault? { faults.first { $0.isFatal } }

    /// Whether there will be no more events.
    var isStopped: Bool {
        switch course {
        case .resuming, .reading: false
        case .stopped, .refused: true
        }
    }

    /// Why the document is read no further, where a budget that is counted here says so.
    var refusal: XMLError? {
        switch course {
        case .resuming, .reading, .stopped: nil
        case .refused(let error): error
        }
    }

    /// What is missing when the bytes end here; `nil` when nothing is.
    ///
    /// libxml2's own words for it are those for bytes behind the root.
    var unfinished: String? {
        if let (name, start) = scanner.unfinished {
            return "the document ends within \(name) that begins at line \(start.line), column \(start.column)"
        }
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

    // MARK: - Resuming

    private var isResuming: Bool {
        switch course {
        case .resuming: true
        case .reading, .stopped, .refused: false
        }
    }

    func beginResuming() { course = .resuming }

    func endResuming() { course = .reading }

    /// An element that was told before.
    func opened(_ mark: MarkupMarks.Mark) { open.append(mark) }

    /// Counts a name that was told before.
    func know(_ name: UnsafeRawBufferPointer) {
        guard let parser, let start = name.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        count(library.dictLookup(parser.pointee.dict, start, Int32(truncatingIfNeeded: name.count)))
    }

    // MARK: - Events

    private func settle(_ flow: XMLFlow) {
        switch flow {
        case .proceed, .passText, .passIndents: break
        case .stop: end(.stopped)
        }
    }

    private func end(_ course: Course) {
        self.course = course
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
    fileprivate func started(
        _ local: UnsafePointer<UInt8>, _ prefix: UnsafePointer<UInt8>?, _ uri: UnsafePointer<UInt8>?,
        _ fields: UnsafeBufferPointer<UnsafePointer<UInt8>?>, _ declared: UnsafeBufferPointer<UnsafePointer<UInt8>?>
    ) {
        guard !isStopped else { return }
        if !sawRoot {
            sawRoot = true
            rootURI = uri
        }
        guard !isResuming else { return }
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

    private func gather(_ fields: UnsafeBufferPointer<UnsafePointer<UInt8>?>) {
        attributes.removeAll(keepingCapacity: true)
        makeQualifiers(1 + fields.count / 5)
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

    private func makeQualifiers(_ count: Int) {
        guard qualifiers.count < count else { return }
        qualifiers.deallocate()
        qualifiers = .allocate(capacity: 2 * count)
    }

    /// Keeps a prefix and a namespace until the event is over.
    private func qualify(
        _ place: Int, _ prefix: UnsafePointer<UInt8>?, _ uri: UnsafePointer<UInt8>?
    ) -> UnsafePointer<XMLName.Qualifier>? {
        guard prefix != nil || uri != nil, let start = qualifiers.baseAddress else { return nil }
        (start + place).initialize(to: XMLName.Qualifier(prefix: Self.text(prefix), uri: Self.text(uri)))
        return UnsafePointer(start + place)
    }

    private static func text(_ text: UnsafePointer<UInt8>?) -> UnsafeRawBufferPointer {
        guard let text else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        return UnsafeRawBufferPointer(
            start: text, count: strlen(UnsafeRawPointer(text).assumingMemoryBound(to: CChar.self)))
    }

    fileprivate func ended() {
        guard !isStopped, !isResuming, let opened = open.popLast() else { return }
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

    fileprivate func text(_ bytes: UnsafeRawBufferPointer) {
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

    fileprivate func instruction(_ target: UnsafePointer<UInt8>) {
        guard !isStopped else { return }
        count(target)
        if hasTooManyNames { refuseNames(at: faultPosition ?? scanner.position) }
    }

    fileprivate func failed(_ error: xmlError) {
        guard !isStopped, error.level.rawValue >= XML_ERR_ERROR.rawValue else { return }
        // The URI given to the prefix `xml` is kept, and told to nobody.
        if error.code == Int32(XML_NS_ERR_XML_NAMESPACE.rawValue) { untoldNames += 1 }
        let said = error.message.map { String(cString: $0) } ?? "error \(error.code)"
        let text = inWords(error) ?? said
        faults.append(
            Fault(
                position: faultPosition ?? XMLPosition(line: Int(error.line), column: max(1, Int(error.int2))),
                message: text.prefix(300).split(whereSeparator: \.isNewline).joined(separator: " "),
                isFatal: error.level.rawValue >= XML_ERR_FATAL.rawValue))
    }

    private static let bareAmpersand = "an \"&\" that begins no reference; in text it is written \"&amp;\""

    /// Behind an "&" in text libxml2 waits for the end of a reference, be it to the end of the document.
    var bareAmpersand: Fault? { faults.first { $0.isFatal && $0.message == Self.bareAmpersand } }

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
            return
                "the character U+\(String(repeating: "0", count: 4 - digits.utf8.count))\(digits), which XML does not allow"
        default: return nil
        }
    }

    // MARK: - Names

    /// Of what libxml2 keeps for good, as it keeps names; equal texts have one address there.
    private func count(_ name: UnsafePointer<UInt8>?) {
        if let name { _ = names.number(of: name) }
    }

    private var hasTooManyNames: Bool { names.used + untoldNames > scanner.limits.names }

    private func refuseNames(at position: XMLPosition) {
        end(
            .refused(
                XMLError(
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

    /// A fault in markup stands at its `<`, one in text where reading ended; `nil` when that cannot be told.
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

    // MARK: - C entry points

    private static let onStart: startElementNsSAX2Func = {
        context, local, prefix, uri, spaces, declared, count, _, fields in
        guard let context, let local else { return }
        let parser = Unmanaged<SAXParser>.fromOpaque(context).takeUnretainedValue()
        parser.started(
            local, prefix, uri, UnsafeBufferPointer(start: fields, count: fields == nil ? 0 : 5 * Int(count)),
            UnsafeBufferPointer(start: declared, count: declared == nil ? 0 : 2 * Int(spaces)))
    }
    private static let onInstruction: processingInstructionSAXFunc = { context, target, _ in
        guard let context, let target else { return }
        Unmanaged<SAXParser>.fromOpaque(context).takeUnretainedValue().instruction(target)
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
    private static let onError: daedalus_xml_error_handler = { context, error in
        guard let context, let error = error?.pointee else { return }
        Unmanaged<SAXParser>.fromOpaque(context).takeUnretainedValue().failed(error)
    }
}

// libxml2 takes a document up in its middle: it is told made-up tags of the elements that are open, each with its line,
// for its messages name those, and whatever it says from there on is what it would have said anyway.

extension SAXParser {
    /// A parser that goes on where another one has stopped.
    convenience init(_ library: LibXML2, vocabulary: XMLVocabulary, resuming plain: borrowing PlainTokenizer) {
        self.init(library, vocabulary: vocabulary, limits: plain.limits, handler: plain.handler)
        let here = plain.position(0)
        beginResuming()
        for place in plain.names.seen { know(plain.names.text(Int(place))) }
        switch plain.stage {
        case .start: break
        case .prolog: tell("<?xml version='1.0'?>", atLine: 1)
        case .content, .epilog:
            tell("<?xml version='1.0'?>", atLine: 1)
            tellOpenElements(plain)
        }
        switch plain.stage {
        case .start, .prolog, .content: break
        case .epilog:
            // The root's name is told no more.
            tell("<a/>", atLine: here.line)
        }
        parser?.pointee.input?.pointee.line = Int32(truncatingIfNeeded: here.line)
        parser?.pointee.input?.pointee.col = Int32(truncatingIfNeeded: here.column)
        endResuming()
        switch plain.stage {
        case .start: break
        case .prolog, .content, .epilog: textPosition = here
        }
        withheld = here.byte - fed
        scanner.resume(
            at: here, depth: plain.depth, tags: plain.tags,
            passed: plain.lastPassed.flatMap {
                $0.end.byte == here.byte ? .init(kind: .other, start: $0.start, end: $0.end) : nil
            })
    }

    private func tellOpenElements(_ plain: borrowing PlainTokenizer) {
        var bound = 0
        for index in 0..<plain.depth {
            let element = plain.open[index]
            var tag = Array("<".utf8)
            if element.prefix >= 0 { tag += plain.names.text(element.prefix) + [UInt8(ascii: ":")] }
            tag += plain.names.text(element.local)
            for binding in UnsafeBufferPointer(start: plain.bindings + bound, count: element.declared) {
                tag += " xmlns".utf8
                if binding.prefix >= 0 { tag += [UInt8(ascii: ":")] + plain.names.text(binding.prefix) }
                tag += Array("='".utf8) + plain.names.text(binding.uri) + Array("'".utf8)
            }
            tag += ">".utf8
            bound += element.declared
            tell(tag, atLine: element.start.line)
            opened(.init(kind: .start, start: element.start, end: element.tagEnd))
        }
    }

    private func tell(_ text: StaticString, atLine line: Int) {
        tell(Array(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)), atLine: line)
    }

    private func tell(_ bytes: [UInt8], atLine line: Int) {
        parser?.pointee.input?.pointee.line = Int32(truncatingIfNeeded: line)
        bytes.withUnsafeBytes { feed($0) }
    }
}
