// Most values are handed over as they lie in the document; one with a reference or white space other than blanks is
// written anew, and never gets longer by that.

/// The attributes of the tag that is being read, as its event hands them over: what they point to is in the document, or
/// here.
struct TagAttributes: ~Copyable {
    /// An attribute's name, by its places among the names.
    struct Key: BitwiseCopyable {
        let local: Int
        /// -1 where there is none.
        let prefix: Int
        /// Bytes of the prefix and its colon.
        let prefixCount: Int
    }
    enum Value {
        case found(UnsafeRawBufferPointer, end: Int)
        /// Its end is not there yet.
        case cut
        /// It is not certainly well-formed.
        case unsure
    }

    /// Attributes of one tag.
    static let most = 256

    private(set) var count = 0
    private(set) var hasPrefixes = false
    private let keys = Buffer(repeating: Key(local: -1, prefix: -1, prefixCount: 0), capacity: most)
    private let entries = Buffer(repeating: XMLAttributes.Entry.none, capacity: most)
    /// The element's, and behind it the attributes'.
    private let qualifiers = Buffer(repeating: XMLName.Qualifier(), capacity: most + 1)
    /// Values that are not as they are written.
    private var rewritten = Buffer<UInt8>(repeating: 0, capacity: 4096)
    private var rewrittenCount = 0

    private static let xmlNamespace: StaticString = "http://www.w3.org/XML/1998/namespace"

    mutating func beginTag() {
        count = 0
        hasPrefixes = false
        rewrittenCount = 0
    }

    /// Adds an attribute whose name is from `from` to `end`; false where the tag has it already.
    @inline(__always)
    mutating func add(
        _ key: Key, number: Int, _ bytes: Span<UInt8>, _ from: Int, _ end: Int, _ value: UnsafeRawBufferPointer
    ) -> Bool {
        for other in keys.prefix(count) where other.local == key.local {
            // Two prefixes may be one namespace's.
            if (other.prefix < 0) == (key.prefix < 0) { return false }
        }
        keys[count] = key
        let local = from &+ key.prefixCount
        var qualifier: UnsafePointer<XMLName.Qualifier>?
        if key.prefix >= 0 {
            hasPrefixes = true
            // The namespace comes with the tag's end.
            qualifiers[count &+ 1] = XMLName.Qualifier(prefix: bytes.text(from, local &- 1))
            qualifier = qualifiers.address(count &+ 1)
        }
        entries[count] = XMLAttributes.Entry(
            name: XMLName(known: number, local: bytes.address(local), end &- local, qualifier: qualifier), value: value)
        count &+= 1
        return true
    }

    /// Finds the namespaces of prefixes; false where one is not declared.
    mutating func resolvePrefixes(_ namespaces: borrowing Namespaces, _ names: borrowing MarkupNames) -> Bool {
        let xml = names.place(of: "xml")
        for index in 0..<count where keys[index].prefix >= 0 {
            let prefix = keys[index].prefix
            if prefix == xml {
                qualifiers[index + 1].uri = UnsafeRawBufferPointer(
                    start: Self.xmlNamespace.utf8Start, count: Self.xmlNamespace.utf8CodeUnitCount)
            } else {
                guard let uri = namespaces.uri(of: prefix) else { return false }
                qualifiers[index + 1].uri = names.eventText(uri)
            }
        }
        return true
    }

    /// Keeps an element's prefix and namespace beside its attributes', until its event is over.
    @inline(__always)
    func qualify(_ qualifier: XMLName.Qualifier) -> UnsafePointer<XMLName.Qualifier> {
        qualifiers[0] = qualifier
        return qualifiers.address(0)
    }

    /// All of them. Values lie in the markup, where none of them had to be written anew.
    @inline(__always)
    var list: XMLAttributes {
        let list = entries.prefix(count)
        guard count > 0, rewrittenCount == 0, let start = list[0].value.baseAddress,
            let last = list[count &- 1].value.baseAddress
        else { return XMLAttributes(list) }
        return XMLAttributes(
            list, written: UnsafeRawBufferPointer(start: start, count: last - start &+ list[count &- 1].value.count))
    }

    // MARK: - Values

    /// Reads the value whose first byte, behind the quotation mark, is at `from`.
    @inline(__always)
    mutating func readValue(_ bytes: Span<UInt8>, _ from: Int, _ lines: inout LineCounter) -> Value {
        let quote = bytes[from &- 1]
        // The ampersand differs in one bit from either mark.
        let similar = ByteWord.repeated(~(quote ^ UInt8(ascii: "&")))
        let pattern = ByteWord.repeated(quote & UInt8(ascii: "&"))
        var at = from
        while at &+ 8 <= bytes.count {
            let word = bytes.word(unchecked: at)
            let ends =
                ByteWord.zeros((word & similar) ^ pattern) | ByteWord.below(0x20, word) | word & ByteWord.highBits
                | ByteWord.matches(UInt8(ascii: "<"), word)
            if ends != 0 {
                at &+= ByteWord.index(ends)
                guard bytes[at] == quote else { break }
                return .found(bytes.text(from, at), end: at &+ 1)
            }
            at &+= 8
        }
        return readByBytes(bytes, from, quote, &lines)
    }

    @inline(never)
    private mutating func readByBytes(
        _ bytes: Span<UInt8>, _ from: Int, _ quote: UInt8, _ lines: inout LineCounter
    ) -> Value {
        var isAsWritten = true
        var at = from
        while at < bytes.count, bytes[at] != quote {
            switch bytes[at] {
            case 0x80...0xBF: lines.passContinuations(1)
            case 0xEF where bytes.isNoCharacter(at: at): return .unsure
            case 0x0A:
                lines.beginLine(at: at + 1)
                isAsWritten = false
            case 0x09, 0x0D, UInt8(ascii: "&"): isAsWritten = false
            case UInt8(ascii: "<"), ..<0x20: return .unsure
            default: break
            }
            at += 1
        }
        guard at < bytes.count else { return .cut }
        if isAsWritten { return .found(bytes.text(from, at), end: at + 1) }
        // Values before this one stay where they are.
        if rewrittenCount == 0, rewritten.capacity < bytes.count {
            rewritten = Buffer(repeating: 0, capacity: bytes.count)
        }
        guard at - from <= rewritten.capacity - rewrittenCount else { return .unsure }
        let start = rewrittenCount
        guard rewrite(bytes, from, at) else { return .unsure }
        let value = UnsafeRawBufferPointer(start: rewritten.address(start), count: rewrittenCount - start)
        return .found(value, end: at + 1)
    }

    private mutating func rewrite(_ bytes: Span<UInt8>, _ from: Int, _ end: Int) -> Bool {
        var at = from
        while at < end {
            switch bytes[at] {
            case 0x09, 0x0A: write(0x20)
            case 0x0D:
                write(0x20)
                if at + 1 < end, bytes[at + 1] == 0x0A { at += 1 }
            case UInt8(ascii: "&"):
                guard case .character(let character, let behind) = XMLReference(bytes, at: at, before: end) else {
                    return false
                }
                for byte in UTF8.encode(character) ?? .init() { write(byte) }
                at = behind
                continue
            default: write(bytes[at])
            }
            at += 1
        }
        return true
    }

    private mutating func write(_ byte: UInt8) {
        rewritten[rewrittenCount] = byte
        rewrittenCount += 1
    }
}

/// The namespaces that are declared where the tokenizer reads. Prefixes and namespaces are places among the names.
struct Namespaces {
    struct Binding {
        /// -1 for the default namespace.
        let prefix: Int
        let uri: Int
    }

    /// Bindings in scope at once.
    static let most = TagAttributes.most

    /// Those of the open elements, and behind them those of the tag being read.
    private var bindings: [Binding] = []
    /// How many the tag being read declares.
    private(set) var declared = 0
    /// Of names without a prefix; -1 for none.
    private(set) var defaultURI = -1
    /// Of the root; -1 for none.
    private(set) var rootURI = -1

    /// How many the tag being read may declare.
    var room: Int { Self.most &- (bindings.count &- declared) }

    /// Forgets what the tag before declared, unless its element is open.
    mutating func beginTag() {
        guard declared > 0 else { return }
        bindings.removeLast(declared)
        declared = 0
    }

    /// Adds a declaration of the tag being read; false where it has one of the same prefix.
    mutating func declare(prefix: Int, uri: Int) -> Bool {
        guard !bindings.suffix(declared).contains(where: { $0.prefix == prefix }) else { return false }
        bindings.append(Binding(prefix: prefix, uri: uri))
        declared += 1
        return true
    }

    /// The namespace of a prefix, in a tag whose declarations were all read; -1 for that of no prefix where none is
    /// declared, `nil` for a prefix that is not declared.
    func uri(of prefix: Int) -> Int? {
        bindings.last { $0.prefix == prefix }?.uri ?? (prefix < 0 ? -1 : nil)
    }

    mutating func begin(root uri: Int) { rootURI = uri }

    /// Keeps what the tag being read declares until its element ends.
    mutating func open() {
        declared = 0
        defaultURI = uri(of: -1) ?? -1
    }

    /// Ends an element that declared so many.
    mutating func close(_ count: Int) {
        beginTag()
        bindings.removeLast(count)
        defaultURI = uri(of: -1) ?? -1
    }

    /// The declarations of the open elements, in their order.
    var all: ArraySlice<Binding> { bindings.dropLast(declared) }
}
