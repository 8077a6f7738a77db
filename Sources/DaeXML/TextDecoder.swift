import CLibXML2
import DaeCore
import DaeDiagnostics

/// Turns a document in whatever encoding into valid UTF-8, so that everything behind it sees one encoding. The encoding is
/// that of the byte order mark, else of the declaration; the C library converts those that are on a list.
struct TextDecoder: ~Copyable {
    private enum Mode {
        /// Too few bytes yet to say.
        case undecided
        case utf8
        case converting(iconv_t)
    }
    enum Notice {
        case byteOrderMark
        /// What stands in front of the XML declaration, where nothing may.
        case lead([UInt8])
        case declarationIgnored(String)
        /// A byte that is not in the encoding, and what was read for it; `offset` is into the decoded text.
        case invalidByte(offset: Int, encoding: String, readAs: String)
    }

    private var mode = Mode.undecided
    /// Undecoded bytes: the start of the document while undecided, later a cut character.
    private var pending: [UInt8] = []
    private var output: [UInt8] = []
    private var notices: [Notice] = []
    /// The encoding's usual name; `nil` until decided.
    private(set) var encoding: String?

    init() {}

    deinit {
        if case .converting(let descriptor) = mode { iconv_close(descriptor) }
    }

    /// What waits and what comes now, as one.
    private mutating func takePending(with bytes: Span<UInt8>) -> [UInt8] {
        defer { pending = [] }
        return pending + Array(bytes, 0, bytes.count)
    }

    private mutating func takeNotices() -> [Notice] {
        defer { notices = [] }
        return notices
    }

    /// Decodes the next bytes; `body` gets valid UTF-8 and what was noticed, once or not at all.
    mutating func decode(
        _ bytes: Span<UInt8>, isLast: Bool, _ body: (Span<UInt8>, [Notice]) -> Void
    ) throws(CodedFailure) {
        switch mode {
        case .undecided where pending.isEmpty: try begin(bytes, isLast: isLast, body)
        case .undecided:
            let start = takePending(with: bytes)
            try begin(start.span, isLast: isLast, body)
        case .utf8, .converting: pass(bytes, isLast: isLast, body)
        }
    }

    /// - Parameter start: All bytes of the document that came yet.
    private mutating func begin(
        _ start: Span<UInt8>, isLast: Bool, _ body: (Span<UInt8>, [Notice]) -> Void
    ) throws(CodedFailure) {
        guard isLast || Self.isDecidable(start) else {
            pending = Array(start, 0, start.count)
            return
        }
        let lead = Self.lead(of: start)
        guard lead == 0 else {
            let passed = Array(start, 0, lead)
            notices.append(.lead(passed))
            try choose(declared: Self.declaredEncoding(start, lead), hasMark: passed.contains { $0 >= 0x80 })
            return pass(start.extracting(lead...), isLast: isLast, body)
        }
        let skipped = try decide(start)
        pass(start.extracting(skipped...), isLast: isLast, body)
    }

    private mutating func pass(
        _ bytes: Span<UInt8>, isLast: Bool, _ body: (Span<UInt8>, [Notice]) -> Void
    ) {
        switch mode {
        case .undecided: break
        case .utf8: passUTF8(bytes, isLast: isLast, body)
        case .converting(let descriptor): convert(bytes, by: descriptor, isLast: isLast, body)
        }
    }

    // MARK: - Deciding

    private static let declarationLimit = 1024

    /// Whether the XML declaration, if there is one, is whole.
    private static func isDecidable(_ given: Span<UInt8>) -> Bool {
        let start = blanks(of: given)
        if given.count >= 2 * declarationLimit || given.count - start >= declarationLimit { return true }
        guard given.count - start >= 8 else { return false }
        guard given.hasText("<?xml", at: start) || given.hasText(byteOrderMark, at: start) else { return true }
        return given.firstIndex(of: UInt8(ascii: ">"), from: start, before: given.count) != nil
    }

    private static let byteOrderMark: StaticString = "\u{FEFF}"

    /// White space and byte order marks that a document begins with, in bytes.
    private static func blanks(of start: Span<UInt8>) -> Int {
        var at = 0
        while at < start.count {
            switch start[at] {
            case 0x09, 0x0A, 0x0D, 0x20: at += 1
            case 0xEF where start.hasText(byteOrderMark, at: at): at += 3
            default: return at
            }
        }
        return at
    }

    /// How much stands in front of an XML declaration that is not at the beginning; one byte order mark may.
    private static func lead(of start: Span<UInt8>) -> Int {
        let blanks = blanks(of: start)
        guard blanks > 0, start.hasText("<?xml", at: blanks), blanks + 5 < start.count, start[blanks + 5] <= 0x20 else {
            return 0
        }
        return blanks == 3 && start[0] == 0xEF ? 0 : blanks
    }

    /// Chooses the mode by the document's first bytes; gives how many of them are a byte order mark.
    private mutating func decide(_ start: Span<UInt8>) throws(CodedFailure) -> Int {
        if XMLDeclaration.isCommon(start) {
            try choose(declared: nil, hasMark: false)
            return 0
        }
        if start.hasText(Self.byteOrderMark) {
            notices.append(.byteOrderMark)
            try choose(declared: Self.declaredEncoding(start, 3), hasMark: true)
            return 3
        }
        for form in Self.wide where start.matches(0, form.prefix.span, 0, form.prefix.count) {
            try open(form.name)
            guard form.isMark else { return 0 }
            notices.append(.byteOrderMark)
            return form.prefix.count
        }
        try choose(declared: Self.declaredEncoding(start, 0), hasMark: false)
        return 0
    }

    /// What documents in wider units than bytes begin with.
    private static let wide: [(prefix: [UInt8], name: String, isMark: Bool)] = [
        ([0xFF, 0xFE, 0, 0], "UTF-32LE", true), ([0, 0, 0xFE, 0xFF], "UTF-32BE", true),
        ([0xFF, 0xFE], "UTF-16LE", true), ([0xFE, 0xFF], "UTF-16BE", true),
        ([0x3C, 0, 0, 0], "UTF-32LE", false), ([0, 0, 0, 0x3C], "UTF-32BE", false),
        ([0x3C, 0], "UTF-16LE", false), ([0, 0x3C], "UTF-16BE", false),
    ]

    private mutating func choose(declared: String?, hasMark: Bool) throws(CodedFailure) {
        let name = declared?.uppercased() ?? "UTF-8"
        switch name {
        case "UTF-8", "UTF8", "US-ASCII", "ASCII":
            encoding = "UTF-8"
            mode = .utf8
        case _ where hasMark || name.hasPrefix("UTF-16") || name.hasPrefix("UTF-32") || name.hasPrefix("UCS-"):
            // The bytes show that it is not: they are single bytes, or the mark says UTF-8.
            notices.append(.declarationIgnored(declared ?? name))
            encoding = "UTF-8"
            mode = .utf8
        default:
            guard Self.known.contains(name) else { throw Self.unsupported(name) }
            try open(name)
        }
    }

    private mutating func open(_ name: String) throws(CodedFailure) {
        let descriptor = iconv_open("UTF-8", name)
        guard descriptor != iconv_t(bitPattern: -1), let descriptor else { throw Self.unsupported(name) }
        encoding = name
        mode = .converting(descriptor)
    }

    private static func unsupported(_ name: String) -> CodedFailure {
        CodedFailure(
            .xmlEncodingUnsupported, at: XMLPosition(),
            "the encoding \(name.quoted(40)) is not supported; expected UTF-8, UTF-16, UTF-32, "
                + "ISO-8859, windows-125x, KOI8, macintosh or a common East Asian one")
    }

    /// What a declaration may name, in capitals. For any other name iconv would load whatever converter the system has
    /// for it: that choice is not the document's.
    private static let known: Set<String> = {
        var names: Set = [
            "LATIN1", "SHIFT_JIS", "SJIS", "EUC-JP", "EUC-KR", "GBK", "GB2312", "GB18030", "BIG5", "KOI8-R", "KOI8-U",
            "MACINTOSH",
        ]
        for part in 1...16 { names.formUnion(["ISO-8859-\(part)", "ISO8859-\(part)", "ISO_8859-\(part)"]) }
        for page in 1250...1258 { names.formUnion(["WINDOWS-\(page)", "CP\(page)"]) }
        return names
    }()

    /// The encoding named in `<?xml … encoding="…"?>` of single-byte text, which begins at `index`.
    private static func declaredEncoding(_ start: Span<UInt8>, _ index: Int) -> String? {
        guard start.hasText("<?xml", at: index) else { return nil }
        let limit = min(start.count, index + declarationLimit)
        let end = start.firstIndex(of: UInt8(ascii: ">"), from: index, before: limit) ?? limit
        let declaration = Array(start, index, end)
        let key = declaration.indices.first { declaration[$0...].starts(with: "encoding".utf8) }
        guard let key else { return nil }
        let rest = declaration[key...].dropFirst("encoding".utf8.count).drop {
            $0 <= 0x20 || $0 == UInt8(ascii: "=")
        }
        guard let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
        return String(decoding: rest.dropFirst().prefix { $0 != quote }, as: UTF8.self)
    }

    // MARK: - UTF-8

    private mutating func passUTF8(
        _ bytes: Span<UInt8>, isLast: Bool, _ body: (Span<UInt8>, [Notice]) -> Void
    ) {
        if pending.isEmpty && !Self.hasHighBytes(bytes) { return body(bytes, takeNotices()) }
        let joined = takePending(with: bytes)
        repair(joined.span, isLast: isLast, body)
    }

    private static func hasHighBytes(_ bytes: Span<UInt8>) -> Bool {
        var all: UInt8 = 0
        for place in bytes.indices { all |= bytes[place] }
        return all >= 0x80
    }

    /// Passes valid UTF-8 on as it is; a byte that is none is read as Latin-1, and noted.
    private mutating func repair(_ bytes: Span<UInt8>, isLast: Bool, _ body: (Span<UInt8>, [Notice]) -> Void) {
        output.removeAll(keepingCapacity: true)
        var at = 0
        var copied = 0
        scan: while at < bytes.count {
            if bytes[at] < 0x80 {
                at += 1
                continue
            }
            switch Self.sequence(bytes, at) {
            case .valid(let length): at += length
            case .cut where !isLast:
                pending = Array(bytes, at, bytes.count)
                break scan
            case .cut, .invalid:
                output += Array(bytes, copied, at)
                notices.append(.invalidByte(offset: output.count, encoding: "UTF-8", readAs: "Latin-1"))
                output.append(0xC0 | bytes[at] >> 6)
                output.append(0x80 | bytes[at] & 0x3F)
                at += 1
                copied = at
            }
        }
        if copied == 0 { return body(bytes.extracting(..<at), takeNotices()) }
        output += Array(bytes, copied, at)
        let notices = takeNotices()
        body(output.span, notices)
    }

    private enum Sequence {
        case valid(Int), cut, invalid
    }

    /// Source: The Unicode Standard, table 3-7 (well-formed UTF-8 byte sequences).
    private static func sequence(_ bytes: Span<UInt8>, _ at: Int) -> Sequence {
        let first = bytes[at]
        let length: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch first {
        case 0xC2...0xDF: length = 2
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: length = 3
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        case 0xF1...0xF3: length = 4
        default: return .invalid
        }
        for step in 1..<length {
            guard at + step < bytes.count else { return .cut }
            guard (step == 1 ? second : 0x80...0xBF).contains(bytes[at + step]) else { return .invalid }
        }
        return .valid(length)
    }

    // MARK: - Other encodings

    private mutating func convert(
        _ bytes: Span<UInt8>, by descriptor: iconv_t, isLast: Bool,
        _ body: (Span<UInt8>, [Notice]) -> Void
    ) {
        var input = takePending(with: bytes)
        output.removeAll(keepingCapacity: true)
        var room = [UInt8](repeating: 0, count: 16 * 1024)
        var consumed = 0
        convert: while consumed < input.count {
            let (read, written, code) = Self.iconvStep(descriptor, &input, from: consumed, into: &room)
            output.append(contentsOf: room[..<written])
            consumed += read
            switch code {
            case 0, E2BIG: continue convert
            case EINVAL where !isLast:
                pending = Array(input[consumed...])
                break convert
            default:  // C code
                notices.append(
                    .invalidByte(offset: output.count, encoding: encoding ?? "", readAs: "the replacement character"))
                output.append(contentsOf: [0xEF, 0xBF, 0xBD])
                consumed += 1
            }
        }
        let notices = takeNotices()
        body(output.span, notices)
    }

    private static func iconvStep(
        _ descriptor: iconv_t, _ input: inout [UInt8], from start: Int, into room: inout [UInt8]
    ) -> (read: Int, written: Int, code: Int32) {
        input.withUnsafeMutableBytes { source in
            room.withUnsafeMutableBytes { target in
                let count = source.count - start
                var sourceStart = source.baseAddress.map { ($0 + start).assumingMemoryBound(to: CChar.self) }
                var sourceLeft = count
                var targetStart = target.baseAddress.map { $0.assumingMemoryBound(to: CChar.self) }
                var targetLeft = target.count
                let result = iconv(descriptor, &sourceStart, &sourceLeft, &targetStart, &targetLeft)
                return (count - sourceLeft, target.count - targetLeft, result == -1 ? errno : 0)
            }
        }
    }
}

/// The line that most documents begin with.
enum XMLDeclaration {
    /// How most of them are to the letter, but for the capitals of the encoding.
    private static let common: StaticString = #"<?xml version="1.0" encoding="utf-8"?>"#

    /// Whether bytes begin with such a one.
    static func isCommon(_ bytes: Span<UInt8>) -> Bool {
        bytes.hasText(common) || bytes.hasText(#"<?xml version="1.0" encoding="UTF-8"?>"#)
    }

    /// Whether it is one of version 1.0 against which libxml2 has nothing to say. The encoding was heeded before.
    static func isUsual(_ bytes: Span<UInt8>) -> Bool {
        if bytes.count == common.utf8CodeUnitCount, isCommon(bytes) { return true }
        var rest = Array(bytes, 0, bytes.count)[...]
        guard take("<?xml", &rest), takeSpace(&rest), take("version", &rest), let version = value(&rest),
            version.elementsEqual("1.0".utf8)
        else { return false }
        var hasSpace = takeSpace(&rest)
        if hasSpace, take("encoding", &rest) {
            guard let name = value(&rest), let first = name.first, isLetter(first),
                name.allSatisfy({
                    isLetter($0) || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || "._-".utf8.contains($0)
                })
            else { return false }
            hasSpace = takeSpace(&rest)
        }
        if hasSpace, take("standalone", &rest) {
            guard let answer = value(&rest), answer.elementsEqual("yes".utf8) || answer.elementsEqual("no".utf8) else {
                return false
            }
            takeSpace(&rest)
        }
        return rest.elementsEqual("?>".utf8)
    }

    private static func take(_ text: String, _ rest: inout ArraySlice<UInt8>) -> Bool {
        guard rest.starts(with: text.utf8) else { return false }
        rest = rest.dropFirst(text.utf8.count)
        return true
    }

    @discardableResult
    private static func takeSpace(_ rest: inout ArraySlice<UInt8>) -> Bool {
        let before = rest.count
        rest = rest.drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
        return rest.count < before
    }

    /// What stands between quotation marks behind an equals sign.
    private static func value(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        takeSpace(&rest)
        guard take("=", &rest) else { return nil }
        takeSpace(&rest)
        guard let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
        rest = rest.dropFirst()
        guard let end = rest.firstIndex(of: quote) else { return nil }
        defer { rest = rest[(end + 1)...] }
        return rest[..<end]
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
    }
}
