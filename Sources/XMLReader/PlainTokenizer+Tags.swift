// A tag is read in one go from its `<`; where it is cut or odd, all that it changed so far is taken back.

extension PlainTokenizer {
    struct QualifiedName {
        var local: Int
        /// -1 where there is none.
        var prefix: Int
        /// Bytes of the prefix and its colon.
        var prefixCount: Int
    }
    /// Namespaces have names in the index; that of the prefix `xml` is nowhere declared.
    private enum Namespace {
        case none
        case declared(Int)
        case xml
    }
    enum Value {
        case found(UnsafeRawBufferPointer, end: Int)
        case cut, odd
    }

    private static let xmlNamespace: StaticString = "http://www.w3.org/XML/1998/namespace"
    static var noText: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: nil, count: 0) }

    mutating func readStart(_ bytes: UnsafePointer<UInt8>, _ at: Int, _ count: Int) -> Step {
        let seenBefore = names.seen.count
        let step = readStartTag(bytes, at, count)
        switch step {
        case .next, .stopped: break
        case .more, .odd: names.unsee(downTo: seenBefore)
        }
        return step
    }

    private mutating func readStartTag(_ bytes: UnsafePointer<UInt8>, _ at: Int, _ count: Int) -> Step {
        switch stage {
        case .start, .prolog, .content: break
        case .epilog: return .odd(at)
        }
        let start = position(at)
        var end = at &+ 1
        var view = names.view
        let name: QualifiedName
        let known = view.guessed(view.entries[lastElement].elements, bytes, end, count)
        if known >= 0 {
            name = QualifiedName(local: known, prefix: -1, prefixCount: 0)
            lines.continuations &+= view.entries[known].continuations
            end &+= view.entries[known].count
        } else {
            end = Self.nameEnd(bytes, end, count)
            guard end < count else { return .more(at) }
            guard let found = qualifiedName(bytes, at + 1, end, count) else { return .odd(at) }
            name = found
            view = names.view
            if name.prefix < 0 { names.note(nextElement: name.local, behind: lastElement) }
        }
        var last = name.local
        var given = 0
        var declared = 0
        var hasPrefixes = false
        var isEmpty = false
        sideCount = 0
        let most = min(limits.attributes, Self.most - bindingCount)
        while true {
            // Mostly the tag ends here, or one blank stands before a name.
            if end < count, bytes[end] == UInt8(ascii: ">") { break }
            if end &+ 1 < count, bytes[end] == 0x20, bytes[end &+ 1] > 0x40 {
                end &+= 1
            } else {
                let gap = end
                guard let found = skipSpace(bytes, gap, count) else { return .odd(at) }
                end = found
                guard end < count else { return .more(at) }
                if bytes[end] == UInt8(ascii: ">") { break }
                if bytes[end] == UInt8(ascii: "/") {
                    guard end + 1 < count else { return .more(at) }
                    end += 1
                    guard bytes[end] == UInt8(ascii: ">") else { return .odd(at) }
                    isEmpty = true
                    break
                }
                guard end > gap else { return .odd(at) }
            }
            guard given &+ declared < most else { return .odd(at) }
            let nameStart = end
            let key: QualifiedName
            let known = view.guessed(view.entries[last].attributes, bytes, end, count)
            if known >= 0 {
                key = QualifiedName(local: known, prefix: -1, prefixCount: 0)
                lines.continuations &+= view.entries[known].continuations
                end &+= view.entries[known].count
            } else {
                end = Self.nameEnd(bytes, nameStart, count)
                guard end < count else { return .more(at) }
                guard let found = qualifiedName(bytes, nameStart, end, count) else { return .odd(at) }
                key = found
                view = names.view
                if key.prefix < 0 { names.note(nextAttribute: key.local, behind: last) }
            }
            last = key.local
            let keyEnd = end
            if end &+ 1 < count, bytes[end] == UInt8(ascii: "="), Self.isQuote(bytes[end &+ 1]) {
                end &+= 2
            } else {
                guard let equals = skipSpace(bytes, end, count) else { return .odd(at) }
                guard equals < count else { return .more(at) }
                guard bytes[equals] == UInt8(ascii: "="), let quote = skipSpace(bytes, equals + 1, count) else {
                    return .odd(at)
                }
                guard quote < count else { return .more(at) }
                guard Self.isQuote(bytes[quote]) else { return .odd(at) }
                end = quote + 1
            }
            let value: UnsafeRawBufferPointer
            switch readValue(bytes, end, count) {
            case .found(let text, end: let behind): (value, end) = (text, behind)
            case .cut: return .more(at)
            case .odd: return .odd(at)
            }
            if key.prefix == xmlns || (key.prefix < 0 && key.local == xmlns) {
                guard declare(key, value, declared) else { return .odd(at) }
                view = names.view
                declared += 1
            } else {
                guard add(key, bytes, nameStart, keyEnd, value, given) else { return .odd(at) }
                if key.prefix >= 0 { hasPrefixes = true }
                given &+= 1
            }
        }
        end += 1
        let bound = bindingCount &+ declared
        guard end &- at <= limits.tagBytes, depth < min(limits.depth, Self.mostOpen) else { return .odd(at) }
        var namespace = defaultURI
        if name.prefix >= 0 || declared > 0 {
            guard let found = self.namespace(of: name, within: bound) else { return .odd(at) }
            namespace = found
        }
        guard !hasPrefixes || resolvePrefixes(given, within: bound) else { return .odd(at) }
        lastElement = name.local
        names.see(name.local)
        if name.prefix >= 0 { names.see(name.prefix) }
        guard names.seen.count <= limits.names else { return .odd(at) }
        tags &+= 1
        switch stage {
        case .start, .prolog:
            rootURI = namespace
            stage = .content
        case .content, .epilog: break
        }
        if !isEmpty {
            open[depth] = OpenElement(
                local: name.local, prefix: name.prefix, declared: declared, start: start, tagEnd: position(end))
            depth &+= 1
            if declared > 0 { bind(bound) }
        }
        let prefix =
            name.prefix < 0
            ? Self.noText : UnsafeRawBufferPointer(start: bytes + (at &+ 1), count: name.prefixCount &- 1)
        let told = told(name.local, bytes + (at &+ 1 &+ name.prefixCount), prefix: prefix, namespace)
        let list = attributes(given)
        guard settle(handler.startElement(told, attributes: list, at: start)) else { return .stopped }
        guard isEmpty else { return .next(end) }
        if depth == 0 { stage = .epilog }
        return settle(handler.endElement(at: start)) ? .next(end) : .stopped
    }

    /// Those of the tag being read. Values lie in the markup, where none of them had to be written anew.
    @inline(__always)
    private func attributes(_ given: Int) -> XMLAttributes {
        let list = UnsafeBufferPointer(start: UnsafePointer(attributes), count: given)
        guard given > 0, sideCount == 0, let start = list[0].value.baseAddress,
            let last = list[given &- 1].value.baseAddress
        else { return XMLAttributes(list) }
        return XMLAttributes(
            list, written: UnsafeRawBufferPointer(start: start, count: last - start &+ list[given &- 1].value.count))
    }

    mutating func readEnd(_ bytes: UnsafePointer<UInt8>, _ at: Int, _ count: Int) -> Step {
        guard depth > 0 else { return .odd(at) }
        let element = open + (depth &- 1)
        let start = position(at)
        let view = names.view
        var end = at &+ 2
        if element.pointee.prefix >= 0 {
            guard view.begins(bytes + end, readable: count &- end, with: element.pointee.prefix) else {
                return mismatch(bytes, at, count)
            }
            end += view.entries[element.pointee.prefix].count
            lines.continuations &+= view.entries[element.pointee.prefix].continuations
            guard end < count else { return .more(at) }
            guard bytes[end] == UInt8(ascii: ":") else { return .odd(at) }
            end += 1
        }
        guard view.begins(bytes + end, readable: count &- end, with: element.pointee.local) else {
            return mismatch(bytes, at, count)
        }
        end &+= view.entries[element.pointee.local].count
        lines.continuations &+= view.entries[element.pointee.local].continuations
        if end >= count || bytes[end] != UInt8(ascii: ">") {
            guard let close = skipSpace(bytes, end, count) else { return .odd(at) }
            guard close < count else { return .more(at) }
            guard bytes[close] == UInt8(ascii: ">") else { return .odd(at) }
            end = close
        }
        end &+= 1
        guard end &- at <= limits.tagBytes else { return .odd(at) }
        tags &+= 1
        depth &-= 1
        if element.pointee.declared > 0 { bind(bindingCount - element.pointee.declared) }
        if depth == 0 { stage = .epilog }
        return settle(handler.endElement(at: start)) ? .next(end) : .stopped
    }

    private func mismatch(_ bytes: UnsafePointer<UInt8>, _ at: Int, _ count: Int) -> Step {
        Self.find(UInt8(ascii: ">"), bytes, at, count) == nil ? .more(at) : .odd(at)
    }

    // MARK: - Names

    /// Whether a byte is none of a name's.
    @inline(__always)
    static func endsName(_ byte: UInt8) -> Bool {
        // `<`, `=`, `>` and `?` differ in two bits.
        byte <= 0x20 || byte == UInt8(ascii: "/") || byte & 0xFC == 0x3C
    }

    /// Where a name ends, or something that is no part of one; `count` where nothing does.
    static func nameEnd(_ bytes: UnsafePointer<UInt8>, _ from: Int, _ count: Int) -> Int {
        var at = from
        while at &+ 8 <= count {
            let word = ByteWord.load(bytes + at)
            // `<`, `=`, `>` and `?` differ in two bits.
            let ends =
                ByteWord.below(0x21, word) | ByteWord.zeros(word ^ ByteWord.repeated(UInt8(ascii: "/")))
                | ByteWord.zeros((word & ByteWord.repeated(0xFC)) ^ ByteWord.repeated(0x3C))
            if ends != 0 { return at &+ ByteWord.index(ends) }
            at &+= 8
        }
        while at < count {
            if endsName(bytes[at]) { return at }
            at &+= 1
        }
        return count
    }

    private mutating func qualifiedName(
        _ bytes: UnsafePointer<UInt8>, _ from: Int, _ end: Int, _ count: Int
    ) -> QualifiedName? {
        switch names.find(bytes + from, end &- from, readable: count &- from) {
        case .found(let place):
            lines.continuations &+= names.entries[place].continuations
            return QualifiedName(local: place, prefix: -1, prefixCount: 0)
        case .absent, .crowded: break
        }
        guard let colon = Self.find(UInt8(ascii: ":"), bytes, from, end) else {
            guard let place = place(ofName: bytes + from, end - from, readable: count - from) else { return nil }
            lines.continuations &+= names.entries[place].continuations
            return QualifiedName(local: place, prefix: -1, prefixCount: 0)
        }
        guard let prefix = place(ofName: bytes + from, colon - from, readable: count - from),
            let local = place(ofName: bytes + colon + 1, end - colon - 1, readable: count - colon - 1)
        else { return nil }
        lines.continuations &+= names.entries[prefix].continuations &+ names.entries[local].continuations
        return QualifiedName(local: local, prefix: prefix, prefixCount: colon + 1 - from)
    }

    /// Bytes of all names together, after which there are too many.
    private static let mostNameBytes = 4 << 20

    mutating func place(ofName name: UnsafePointer<UInt8>, _ length: Int, readable: Int) -> Int? {
        switch names.find(name, length, readable: readable) {
        case .found(let place): return place
        case .crowded: return nil
        case .absent:
            guard XMLNameRules.isSurelyName(name, length), names.textCount < Self.mostNameBytes else { return nil }
            return names.insert(name, length)
        }
    }

    /// An element's name as it is told.
    @inline(__always)
    func told(
        _ place: Int, _ local: UnsafePointer<UInt8>, prefix: UnsafeRawBufferPointer, _ namespace: Int
    ) -> XMLName {
        let view = names.view
        let uri = namespace < 0 ? Self.noText : view.text(namespace)
        qualifiers.initialize(to: XMLName.Qualifier(prefix: prefix, uri: uri))
        return XMLName(
            known: namespace == rootURI ? view.entries[place].number : -1, local: local, view.entries[place].count,
            qualifier: UnsafePointer(qualifiers))
    }

    // MARK: - Attributes and namespaces

    /// Adds an attribute behind the `given` ones; false where one of them is the same.
    private mutating func add(
        _ key: QualifiedName, _ bytes: UnsafePointer<UInt8>, _ from: Int, _ end: Int,
        _ value: UnsafeRawBufferPointer, _ given: Int
    ) -> Bool {
        for index in 0..<given where attributeNames[index].local == key.local {
            guard attributeNames[index].prefix < 0, key.prefix >= 0 else {
                // Two prefixes may be one namespace's.
                guard attributeNames[index].prefix >= 0, key.prefix < 0 else { return false }
                continue
            }
        }
        names.see(key.local)
        if key.prefix >= 0 { names.see(key.prefix) }
        (attributeNames + given).initialize(to: (key.local, key.prefix))
        let local = from &+ key.prefixCount
        var qualifier: UnsafePointer<XMLName.Qualifier>?
        if key.prefix >= 0 {
            // The namespace comes with the tag's end.
            (qualifiers + (given &+ 1)).initialize(
                to: XMLName.Qualifier(
                    prefix: UnsafeRawBufferPointer(start: bytes + from, count: key.prefixCount &- 1), uri: Self.noText))
            qualifier = UnsafePointer(qualifiers + (given &+ 1))
        }
        (attributes + given).initialize(
            to: XMLAttributes.Entry(
                name: XMLName(
                    known: key.prefix < 0 ? names.entries[key.local].number : -1, local: bytes + local, end &- local,
                    qualifier: qualifier),
                value: value))
        return true
    }

    /// Keeps a declaration behind the `declared` ones of this tag; false where something is odd about it.
    private mutating func declare(_ key: QualifiedName, _ value: UnsafeRawBufferPointer, _ declared: Int) -> Bool {
        let prefix = key.prefix < 0 ? -1 : key.local
        guard prefix != xml, prefix != xmlns, XMLNameRules.isSurelyNamespace(value),
            let start = value.baseAddress?.assumingMemoryBound(to: UInt8.self),
            let uri = namespacePlace(start, value.count)
        else { return false }
        for index in bindingCount..<bindingCount + declared where bindings[index].prefix == prefix { return false }
        if prefix >= 0 { names.see(prefix) }
        names.see(uri)
        bindings[bindingCount + declared] = Binding(prefix: prefix, uri: uri)
        return true
    }

    /// Namespaces are counted among the names, as texts.
    private mutating func namespacePlace(_ text: UnsafePointer<UInt8>, _ length: Int) -> Int? {
        switch names.find(text, length, readable: length) {
        case .found(let place): place
        case .crowded: nil
        case .absent: names.textCount < Self.mostNameBytes ? names.insert(text, length) : nil
        }
    }

    private mutating func bind(_ count: Int) {
        bindingCount = count
        defaultURI = uri(of: -1, within: count) ?? -1
    }

    private func uri(of prefix: Int, within count: Int) -> Int? {
        var index = count - 1
        while index >= 0 {
            if bindings[index].prefix == prefix { return bindings[index].uri }
            index -= 1
        }
        return nil
    }

    /// The namespace of an element, -1 for none; `nil` where its prefix is unbound.
    // It changes nothing: the compiler would else hand it a copy of the tokenizer.
    @inline(never)
    private mutating func namespace(of name: QualifiedName, within bound: Int) -> Int? {
        uri(of: name.prefix, within: bound) ?? (name.prefix < 0 ? -1 : nil)
    }

    // It changes nothing but attributes: as above.
    @inline(never)
    private mutating func resolvePrefixes(_ given: Int, within bound: Int) -> Bool {
        for index in 0..<given where attributeNames[index].prefix >= 0 {
            let text: UnsafeRawBufferPointer
            if attributeNames[index].prefix == xml {
                text = UnsafeRawBufferPointer(
                    start: Self.xmlNamespace.utf8Start, count: Self.xmlNamespace.utf8CodeUnitCount)
            } else {
                guard let place = uri(of: attributeNames[index].prefix, within: bound) else { return false }
                text = names.text(place)
            }
            qualifiers[index + 1].uri = text
        }
        return true
    }

    // MARK: - Within a tag

    private static func isQuote(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") }

    /// Where white space ends; `nil` where another control character stands in it.
    private mutating func skipSpace(_ bytes: UnsafePointer<UInt8>, _ from: Int, _ count: Int) -> Int? {
        var at = from
        while at < count, bytes[at] <= 0x20 {
            switch bytes[at] {
            case 0x20, 0x09, 0x0D: break
            case 0x0A: beginLine(at + 1)
            default: return nil
            }
            at &+= 1
        }
        return at
    }
}

// Most values are told as they lie in the document; one with a reference or white space other than blanks is written
// anew, and never gets longer by that.

extension PlainTokenizer {
    /// The value whose first byte, behind the quotation mark, is at `from`.
    mutating func readValue(_ bytes: UnsafePointer<UInt8>, _ from: Int, _ count: Int) -> Value {
        let quote = bytes[from &- 1]
        // The ampersand differs in one bit from either mark.
        let similar = ByteWord.repeated(~(quote ^ UInt8(ascii: "&")))
        let pattern = ByteWord.repeated(quote & UInt8(ascii: "&"))
        var at = from
        while at &+ 8 <= count {
            let word = ByteWord.load(bytes + at)
            let ends =
                ByteWord.zeros((word & similar) ^ pattern) | ByteWord.below(0x20, word) | word & ByteWord.highs
                | ByteWord.zeros(word ^ ByteWord.repeated(UInt8(ascii: "<")))
            if ends != 0 {
                at &+= ByteWord.index(ends)
                guard bytes[at] == quote else { return readOddValue(bytes, from, count, quote) }
                return .found(UnsafeRawBufferPointer(start: bytes + from, count: at &- from), end: at &+ 1)
            }
            at &+= 8
        }
        return readOddValue(bytes, from, count, quote)
    }

    private mutating func readOddValue(
        _ bytes: UnsafePointer<UInt8>, _ from: Int, _ count: Int, _ quote: UInt8
    ) -> Value {
        var isAsWritten = true
        var at = from
        while at < count, bytes[at] != quote {
            switch bytes[at] {
            case 0x80...0xBF: lines.continuations &+= 1
            case 0xEF where Self.isNoCharacter(bytes, at, count): return .odd
            case 0x0A:
                beginLine(at + 1)
                isAsWritten = false
            case 0x09, 0x0D, UInt8(ascii: "&"): isAsWritten = false
            case UInt8(ascii: "<"), ..<0x20: return .odd
            default: break
            }
            at += 1
        }
        guard at < count else { return .cut }
        if isAsWritten { return .found(UnsafeRawBufferPointer(start: bytes + from, count: at - from), end: at + 1) }
        // Values before this one stay where they are.
        if sideCount == 0, sideCapacity < count { growSide(to: count) }
        guard at - from <= sideCapacity - sideCount else { return .odd }
        let start = sideCount
        guard writeValue(bytes, from, at) else { return .odd }
        return .found(UnsafeRawBufferPointer(start: side + start, count: sideCount - start), end: at + 1)
    }

    private mutating func growSide(to capacity: Int) {
        side.deallocate()
        sideCapacity = capacity
        side = .allocate(capacity: capacity)
    }

    private mutating func writeValue(_ bytes: UnsafePointer<UInt8>, _ from: Int, _ end: Int) -> Bool {
        var at = from
        while at < end {
            switch bytes[at] {
            case 0x09, 0x0A: side[sideCount] = 0x20
            case 0x0D:
                side[sideCount] = 0x20
                if at + 1 < end, bytes[at + 1] == 0x0A { at += 1 }
            case UInt8(ascii: "&"):
                guard case .character(let character, let behind) = XMLReference.read(bytes, at, end) else {
                    return false
                }
                sideCount += XMLReference.write(character, to: side + sideCount)
                at = behind
                continue
            default: side[sideCount] = bytes[at]
            }
            sideCount += 1
            at += 1
        }
        return true
    }
}

/// A reference to a character, by its number or by one of the five names that need no declaration.
enum XMLReference {
    case character(UInt32, end: Int)
    /// Its end is not there yet.
    case cut
    /// None that is certainly allowed.
    case odd

    private static let longest = 12

    /// - Parameter at: Of the ampersand.
    static func read(_ bytes: UnsafePointer<UInt8>, _ at: Int, _ count: Int) -> XMLReference {
        let limit = min(count, at + longest)
        var end = at + 1
        while end < limit, bytes[end] != UInt8(ascii: ";") { end += 1 }
        guard end < limit else { return limit == count && count < at + longest ? .cut : .odd }
        let name = UnsafeBufferPointer(start: bytes + at + 1, count: end - at - 1)
        guard let value = name.first == UInt8(ascii: "#") ? number(name.dropFirst()) : named(name) else { return .odd }
        return .character(value, end: end + 1)
    }

    private static func named(_ name: UnsafeBufferPointer<UInt8>) -> UInt32? {
        let known: [(StaticString, UInt32)] = [
            ("amp", 0x26), ("lt", 0x3C), ("gt", 0x3E), ("quot", 0x22), ("apos", 0x27),
        ]
        for (text, value) in known
        where name.elementsEqual(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)) {
            return value
        }
        return nil
    }

    private static func number(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> UInt32? {
        let isHex = text.first == UInt8(ascii: "x")
        let digits = isHex ? text.dropFirst() : text
        guard !digits.isEmpty, digits.count <= 8 else { return nil }
        var value: UInt32 = 0
        for byte in digits {
            let digit: UInt32
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = UInt32(byte - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f") where isHex: digit = UInt32(byte - UInt8(ascii: "a")) + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F") where isHex: digit = UInt32(byte - UInt8(ascii: "A")) + 10
            default: return nil
            }
            value = value * (isHex ? 16 : 10) + digit
            guard value <= 0x10FFFF else { return nil }
        }
        switch value {
        case 0x09, 0x0A, 0x0D, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: return value
        default: return nil
        }
    }

    /// Writes a character as UTF-8, at most 4 bytes; gives how many.
    static func write(_ value: UInt32, to room: UnsafeMutablePointer<UInt8>) -> Int {
        func tail(_ shift: UInt32) -> UInt8 { UInt8(0x80 | value >> shift & 0x3F) }
        switch value {
        case ..<0x80:
            room[0] = UInt8(truncatingIfNeeded: value)
            return 1
        case ..<0x800:
            room[0] = UInt8(truncatingIfNeeded: 0xC0 | value >> 6)
            room[1] = tail(0)
            return 2
        case ..<0x10000:
            room[0] = UInt8(truncatingIfNeeded: 0xE0 | value >> 12)
            room[1] = tail(6)
            room[2] = tail(0)
            return 3
        default:
            room[0] = UInt8(truncatingIfNeeded: 0xF0 | value >> 18)
            room[1] = tail(12)
            room[2] = tail(6)
            room[3] = tail(0)
            return 4
        }
    }
}
