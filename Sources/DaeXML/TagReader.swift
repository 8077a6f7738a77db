// A tag is read in one go from its `<`; where it is cut or not certainly well-formed, all that it changed is taken back.

/// Reads start tags and end tags, and knows which elements are open.
struct TagReader: ~Copyable {
    /// An element whose end tag has not come.
    struct OpenElement: BitwiseCopyable {
        let local: Int
        /// -1 where there is none.
        let prefix: Int
        /// Namespaces it declares.
        let declared: Int
        let start: XMLPosition

        static let none = OpenElement(local: -1, prefix: -1, declared: 0, start: XMLPosition())
    }

    /// Elements that are open at once.
    private static let mostOpen = 4096

    private let limits: XMLLimits
    private(set) var names: MarkupNames
    private let xmlns: Int
    private let xml: Int
    private let open = Buffer(repeating: OpenElement.none, capacity: mostOpen)
    /// How many elements are open.
    private(set) var depth = 0
    private var namespaces = Namespaces()
    private var attributes = TagAttributes()
    /// The name of the start tag before; that of the vocabulary's first, before there was any.
    private var lastElement = 0
    /// Tags so far.
    private(set) var count = 0

    init(_ vocabulary: XMLVocabulary, _ limits: XMLLimits) {
        self.limits = limits
        names = vocabulary.markupNames
        xmlns = names.place(of: "xmlns")
        xml = names.place(of: "xml")
    }

    // MARK: - Start tags

    /// Reads the start tag at `at`.
    mutating func readStart(
        _ bytes: Span<UInt8>, _ at: Int, _ lines: inout LineCounter, _ events: inout EventReporter
    ) -> PlainTokenizer.Step {
        let seenBefore = names.seen.count
        let step = readStartTag(bytes, at, &lines, &events)
        switch step {
        case .next, .stopped: break
        case .more, .unsure: names.unsee(downTo: seenBefore)
        }
        return step
    }

    private mutating func readStartTag(
        _ bytes: Span<UInt8>, _ at: Int, _ lines: inout LineCounter, _ events: inout EventReporter
    ) -> PlainTokenizer.Step {
        let start = lines.position(at)
        var end = at &+ 1
        let name: TagAttributes.Key
        let expected = names.expected(names[lastElement].nextElements, bytes, end)
        if let expected {
            name = TagAttributes.Key(local: expected.place, prefix: -1, prefixCount: 0)
            lines.passContinuations(expected.continuations)
            end &+= expected.count
        } else {
            end = XMLNameRules.nameEnd(bytes, end)
            guard end < bytes.count else { return .more(at) }
            guard let found = key(bytes, at + 1, end, &lines) else { return .unsure(at) }
            name = found
            if name.prefix < 0 { names.note(nextElement: name.local, behind: lastElement) }
        }
        let nameEnd = end
        attributes.beginTag()
        namespaces.beginTag()
        let isEmpty: Bool
        switch readAttributes(bytes, end, behind: name.local, &lines) {
        case .end(let found): (end, isEmpty) = (found, false)
        case .emptyElementEnd(let found): (end, isEmpty) = (found, true)
        case .cut: return .more(at)
        case .unsure: return .unsure(at)
        }
        guard end &- at <= limits.tagBytes, depth < min(limits.depth, Self.mostOpen) else { return .unsure(at) }
        let declared = namespaces.declared
        var namespace = namespaces.defaultURI
        if name.prefix >= 0 || declared > 0 {
            guard let found = namespaces.uri(of: name.prefix) else { return .unsure(at) }
            namespace = found
        }
        if attributes.hasPrefixes {
            guard attributes.resolvePrefixes(namespaces, names) else { return .unsure(at) }
        }
        lastElement = name.local
        names.see(name.local)
        if name.prefix >= 0 { names.see(name.prefix) }
        guard names.seen.count <= limits.names else { return .unsure(at) }
        if count == 0 { namespaces.begin(root: namespace) }
        count &+= 1
        if !isEmpty {
            open[depth] = OpenElement(local: name.local, prefix: name.prefix, declared: declared, start: start)
            depth &+= 1
            if declared > 0 { namespaces.open() }
        }
        let reported = eventName(name, bytes, at &+ 1, nameEnd, namespace)
        guard events.startElement(reported, attributes.list, at: start) else { return .stopped }
        guard isEmpty else { return .next(end) }
        return events.endElement(at: start) ? .next(end) : .stopped
    }

    private enum TagEnd {
        case end(Int), emptyElementEnd(Int)
        case cut, unsure
    }

    /// Reads the attributes and declarations of a start tag up to its end.
    @inline(__always)
    private mutating func readAttributes(
        _ bytes: Span<UInt8>, _ from: Int, behind element: Int, _ lines: inout LineCounter
    ) -> TagEnd {
        var last = element
        var end = from
        let most = min(limits.attributes, namespaces.room)
        while true {
            // Mostly the tag ends here, or one blank stands before a name.
            if end < bytes.count, bytes[end] == UInt8(ascii: ">") { return .end(end &+ 1) }
            if end &+ 1 < bytes.count, bytes[end] == 0x20, bytes[end &+ 1] > 0x40 {
                end &+= 1
            } else {
                let gap = end
                guard let found = skipSpace(bytes, gap, &lines) else { return .unsure }
                end = found
                guard end < bytes.count else { return .cut }
                if bytes[end] == UInt8(ascii: ">") { return .end(end &+ 1) }
                if bytes[end] == UInt8(ascii: "/") {
                    guard end + 1 < bytes.count else { return .cut }
                    return bytes[end + 1] == UInt8(ascii: ">") ? .emptyElementEnd(end + 2) : .unsure
                }
                guard end > gap else { return .unsure }
            }
            guard attributes.count &+ namespaces.declared < most else { return .unsure }
            let nameStart = end
            let key: TagAttributes.Key
            let expected = names.expected(names[last].nextAttributes, bytes, end)
            if let expected {
                key = TagAttributes.Key(local: expected.place, prefix: -1, prefixCount: 0)
                lines.passContinuations(expected.continuations)
                end &+= expected.count
            } else {
                end = XMLNameRules.nameEnd(bytes, nameStart)
                guard end < bytes.count else { return .cut }
                guard let found = self.key(bytes, nameStart, end, &lines) else { return .unsure }
                key = found
                if key.prefix < 0 { names.note(nextAttribute: key.local, behind: last) }
            }
            last = key.local
            let nameEnd = end
            if end &+ 1 < bytes.count, bytes[end] == UInt8(ascii: "="), Self.isQuote(bytes[end &+ 1]) {
                end &+= 2
            } else {
                guard let equals = skipSpace(bytes, end, &lines) else { return .unsure }
                guard equals < bytes.count else { return .cut }
                guard bytes[equals] == UInt8(ascii: "="), let quote = skipSpace(bytes, equals + 1, &lines) else {
                    return .unsure
                }
                guard quote < bytes.count else { return .cut }
                guard Self.isQuote(bytes[quote]) else { return .unsure }
                end = quote + 1
            }
            switch attributes.readValue(bytes, end, &lines) {
            case .found(let value, end: let behind):
                end = behind
                if key.prefix == xmlns || (key.prefix < 0 && key.local == xmlns) {
                    let prefix = key.prefix < 0 ? -1 : key.local
                    guard declare(prefix, value.assumingMemoryBound(to: UInt8.self).span) else { return .unsure }
                } else {
                    let number = key.prefix < 0 ? names[key.local].number : -1
                    guard attributes.add(key, number: number, bytes, nameStart, nameEnd, value) else { return .unsure }
                    names.see(key.local)
                    if key.prefix >= 0 { names.see(key.prefix) }
                }
            case .cut: return .cut
            case .unsure: return .unsure
            }
        }
    }

    private static func isQuote(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") }

    /// Where white space ends; `nil` where another control character stands in it.
    private func skipSpace(_ bytes: Span<UInt8>, _ from: Int, _ lines: inout LineCounter) -> Int? {
        var at = from
        while at < bytes.count, bytes[at] <= 0x20 {
            switch bytes[at] {
            case 0x20, 0x09, 0x0D: break
            case 0x0A: lines.beginLine(at: at + 1)
            default: return nil
            }
            at &+= 1
        }
        return at
    }

    /// Takes a declaration of a namespace; false where it is not certainly allowed.
    private mutating func declare(_ prefix: Int, _ value: Span<UInt8>) -> Bool {
        guard prefix != xml, prefix != xmlns, XMLNameRules.isSurelyNamespace(value),
            let uri = names.place(ofNamespace: value), namespaces.declare(prefix: prefix, uri: uri)
        else { return false }
        if prefix >= 0 { names.see(prefix) }
        names.see(uri)
        return true
    }

    // MARK: - Names

    /// A name with or without a prefix; `nil` where it is not certainly one.
    private mutating func key(
        _ bytes: Span<UInt8>, _ from: Int, _ end: Int, _ lines: inout LineCounter
    ) -> TagAttributes.Key? {
        if case .found(let place) = names.find(bytes, from, end) {
            lines.passContinuations(names[place].continuations)
            return TagAttributes.Key(local: place, prefix: -1, prefixCount: 0)
        }
        var prefix = -1
        var start = from
        if let colon = bytes.firstIndex(of: UInt8(ascii: ":"), from: from, before: end) {
            guard let place = names.place(of: bytes, from, colon) else { return nil }
            prefix = place
            start = colon + 1
            lines.passContinuations(names[place].continuations)
        }
        guard let local = names.place(of: bytes, start, end) else { return nil }
        lines.passContinuations(names[local].continuations)
        return TagAttributes.Key(local: local, prefix: prefix, prefixCount: start - from)
    }

    /// Notes that the document has a name, an instruction's target; false where it is not certainly one, or there are too
    /// many.
    mutating func see(target bytes: Span<UInt8>, _ from: Int, _ end: Int) -> Bool {
        guard let place = names.place(of: bytes, from, end) else { return false }
        let seenBefore = names.seen.count
        names.see(place)
        guard names.seen.count > limits.names else { return true }
        names.unsee(downTo: seenBefore)
        return false
    }

    /// An element's name as its event hands it over.
    @inline(__always)
    private func eventName(
        _ name: TagAttributes.Key, _ bytes: Span<UInt8>, _ from: Int, _ end: Int, _ namespace: Int
    ) -> XMLName {
        var qualifier = XMLName.Qualifier()
        if name.prefix >= 0 { qualifier.prefix = bytes.text(from, from &+ name.prefixCount &- 1) }
        if namespace >= 0 { qualifier.uri = names.eventText(namespace) }
        return XMLName(
            known: namespace == namespaces.rootURI ? names[name.local].number : -1,
            local: bytes.address(from &+ name.prefixCount), end &- from &- name.prefixCount,
            qualifier: attributes.qualify(qualifier))
    }

    // MARK: - End tags

    /// Reads the end tag at `at`.
    mutating func readEnd(
        _ bytes: Span<UInt8>, _ at: Int, _ lines: inout LineCounter, _ events: inout EventReporter
    ) -> PlainTokenizer.Step {
        guard depth > 0 else { return .unsure(at) }
        let element = open[depth &- 1]
        let start = lines.position(at)
        var end = at &+ 2
        if element.prefix >= 0 {
            guard names.begins(bytes, end, with: element.prefix) else { return mismatch(bytes, at) }
            end += names[element.prefix].count
            lines.passContinuations(names[element.prefix].continuations)
            guard end < bytes.count else { return .more(at) }
            guard bytes[end] == UInt8(ascii: ":") else { return .unsure(at) }
            end += 1
        }
        guard names.begins(bytes, end, with: element.local) else { return mismatch(bytes, at) }
        end &+= names[element.local].count
        lines.passContinuations(names[element.local].continuations)
        if end >= bytes.count || bytes[end] != UInt8(ascii: ">") {
            guard let close = skipSpace(bytes, end, &lines) else { return .unsure(at) }
            guard close < bytes.count else { return .more(at) }
            guard bytes[close] == UInt8(ascii: ">") else { return .unsure(at) }
            end = close
        }
        end &+= 1
        guard end &- at <= limits.tagBytes else { return .unsure(at) }
        count &+= 1
        depth &-= 1
        if element.declared > 0 { namespaces.close(element.declared) }
        return events.endElement(at: start) ? .next(end) : .stopped
    }

    private func mismatch(_ bytes: Span<UInt8>, _ at: Int) -> PlainTokenizer.Step {
        bytes.firstIndex(of: UInt8(ascii: ">"), from: at, before: bytes.count) == nil ? .more(at) : .unsure(at)
    }

    // MARK: - Handing over

    /// The open elements as libxml2 is fed them, outermost first.
    var openElements: [HandOver.OpenElement] {
        var declarations = namespaces.all
        return open.prefix(depth).map { element in
            var tag = Array("<".utf8)
            if element.prefix >= 0 { tag += names.text(element.prefix) + Array(":".utf8) }
            tag += names.text(element.local)
            for declaration in declarations.prefix(element.declared) {
                tag += Array(" xmlns".utf8)
                if declaration.prefix >= 0 { tag += Array(":".utf8) + names.text(declaration.prefix) }
                tag += Array("='".utf8) + names.text(declaration.uri) + Array("'".utf8)
            }
            declarations = declarations.dropFirst(element.declared)
            tag += Array(">".utf8)
            return HandOver.OpenElement(startTag: tag, start: element.start)
        }
    }
}
