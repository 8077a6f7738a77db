// Packers write names in the code page of their machine and do not say in which. Only what the archive's documents
// call their files can tell: the page under which such names are found is the one.

import DaeCore

/// A code page that names of entries may be written in, beside UTF-8 and code page 437.
enum NamePage: String, CaseIterable {
    case shiftJIS = "CP932"
    case gbk = "GBK"
    case big5 = "BIG5"
    case korean = "CP949"
    case windowsCyrillic = "CP1251"
    case dosCyrillic = "CP866"
    case dosLatin = "CP850"
    case windowsLatin = "CP1252"

    /// For people.
    var title: String {
        switch self {
        case .shiftJIS: "Shift-JIS (code page 932)"
        case .gbk: "GBK (code page 936)"
        case .big5: "Big5 (code page 950)"
        case .korean: "EUC-KR (code page 949)"
        case .windowsCyrillic: "code page 1251"
        case .dosCyrillic: "code page 866"
        case .dosLatin: "code page 850"
        case .windowsLatin: "Latin-1 (code page 1252)"
        }
    }

    /// What documents call it that are written in it themselves.
    var labels: [String] {
        switch self {
        case .shiftJIS: ["shift_jis", "shift-jis", "sjis", "windows-31j", "cp932"]
        case .gbk: ["gbk", "gb2312", "gb18030", "cp936"]
        case .big5: ["big5", "big5-hkscs", "cp950"]
        case .korean: ["euc-kr", "ks_c_5601-1987", "cp949"]
        case .windowsCyrillic: ["windows-1251", "cp1251"]
        case .dosCyrillic: ["ibm866", "cp866"]
        case .dosLatin: ["ibm850", "cp850"]
        case .windowsLatin: ["iso-8859-1", "latin1", "windows-1252", "cp1252"]
        }
    }
}

/// Reads names in a code page. A class because it owns the C library's converter; for one thread.
final class NameDecoder {
    let page: NamePage
    private let converter: iconv_t

    /// `nil` where the machine does not know the code page.
    init?(_ page: NamePage) {
        guard let opened = iconv_open("UTF-8", page.rawValue), Int(bitPattern: opened) != -1 else { return nil }
        self.page = page
        converter = opened
    }

    deinit { iconv_close(converter) }

    /// `nil` where the bytes mean nothing in the code page.
    func decode(_ bytes: some Collection<UInt8>) -> String? {
        iconv(converter, nil, nil, nil, nil)
        var input = bytes.map { CChar(bitPattern: $0) }
        // No character of two bytes takes more than three, and none of one more than three.
        var output = [CChar](repeating: 0, count: 3 * input.count + 1)
        let room = output.count
        let length: Int? = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                var (from, to) = (input.baseAddress, output.baseAddress)
                var (fromLeft, toLeft) = (input.count, room)
                return iconv(converter, &from, &fromLeft, &to, &toLeft) == 0 ? room - toLeft : nil
            }
        }
        return length.flatMap { String(validating: output[..<$0].lazy.map { UInt8(bitPattern: $0) }, as: UTF8.self) }
    }
}

/// Finds the code page of an archive's names by what its documents and manifests call their files.
struct NamePageGuess {
    /// Names that stand in documents, without endings and in small letters.
    private var names: Set<String> = []
    /// The same of documents that are in a code page themselves, by that.
    private var rawNames: [NamePage: Set<[UInt8]>] = [:]
    /// Names in documents that may still be looked at, known or not.
    private(set) var looksLeft = 100_000
    /// And kept.
    private var keepsLeft = mostNames

    /// Documents that are looked at, bytes of each, and names that are kept, of the documents and of the entries.
    private static let mostDocuments = 16
    private static let mostBytes = 16 << 20
    private static let mostNames = 20_000
    private static let longestName = 1024

    /// The page under which more of the names are found than under code page 437; `nil` where there is none.
    ///
    /// - Parameter raw: Names of entries that are no UTF-8.
    static func page(of raw: [[UInt8]], in bundle: Bundle) -> NamePage? {
        var guess = NamePageGuess()
        let documents = bundle.entries.lazy.filter { entry in
            let path = entry.path.lowercased()
            return [".dae", ".kml", "manifest.xml"].contains(where: path.hasSuffix) && !entry.isJunk
        }
        for document in documents.prefix(mostDocuments) {
            guard let bytes = try? bundle.prefix(of: document, count: mostBytes) else { continue }
            guess.read(bytes)
        }
        return guess.page(of: raw)
    }

    func page(of raw: [[UInt8]]) -> NamePage? {
        guard !names.isEmpty || !rawNames.isEmpty else { return nil }
        let parts = Self.parts(of: raw)
        var best: NamePage?
        var most = parts.count { isNamed(CodePage437.decode($0)) }
        for page in NamePage.allCases {
            guard let decoder = NameDecoder(page) else { continue }
            let count = parts.count { part in
                rawNames[page]?.contains(Self.stem(of: part)) == true || decoder.decode(part).map(isNamed) == true
            }
            if count > most { (best, most) = (page, count) }
        }
        return best
    }

    /// Folders and files whose names are no ASCII, each once; of very many some.
    static func parts(of raw: [[UInt8]]) -> Set<[UInt8]> {
        var parts: Set<[UInt8]> = []
        var left = mostNames
        for name in raw {
            // A slash is no second byte in any of the pages.
            for part in name.split(separator: UInt8(ascii: "/")) where part.count <= longestName {
                guard left > 0 else { return parts }
                left -= 1
                if part.contains(where: { $0 >= 0x80 }) { parts.insert(Array(part)) }
            }
        }
        return parts
    }

    private func isNamed(_ text: String) -> Bool {
        Self.parts(of: text).contains { !$0.utf8.allSatisfy { $0 < 0x80 } && names.contains($0) }
    }

    // MARK: - Names in documents

    mutating func read(_ bytes: [UInt8]) {
        var bytes = bytes
        if var decoding = UTF16Decoding(documentStart: bytes) { bytes = decoding.utf8(of: bytes) }
        let page = Self.page(declaredIn: bytes.prefix(200))
        var index = 0
        while index < bytes.count, looksLeft > 0, keepsLeft > 0 {
            guard bytes[index] >= 0x80 || bytes[index] == UInt8(ascii: "%") else {
                index += 1
                continue
            }
            var (start, end) = (index, index + 1)
            while start > 0, !Self.endsName(bytes[start - 1]), index - start < Self.longestName { start -= 1 }
            while end < bytes.count, !Self.endsName(bytes[end]), end - index < Self.longestName { end += 1 }
            add(bytes[start..<end], in: page)
            index = end
        }
    }

    private mutating func add(_ bytes: ArraySlice<UInt8>, in page: NamePage?) {
        looksLeft -= 1
        guard let text = String(validating: bytes, as: UTF8.self) else {
            guard let page else { return }
            if rawNames[page, default: []].insert(Self.stem(of: bytes)).inserted { keepsLeft -= 1 }
            return
        }
        for text in [text, PercentEncoding.decode(text)].compactMap({ $0 }) {
            for part in Self.parts(of: text) where names.insert(part).inserted { keepsLeft -= 1 }
        }
    }

    /// Names of both kinds that are kept.
    var count: Int { names.count + rawNames.values.reduce(0) { $0 + $1.count } }

    private static func endsName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "/"), 0..<0x20:
            true
        default: false
        }
    }

    /// What back-slashes part, in small letters and without endings.
    private static func parts(of text: String) -> [String] {
        text.lowercased().split(whereSeparator: { $0 == "\\" || $0 == "/" }).map { part in
            let name = part.drop { $0 == " " }
            guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return String(name) }
            return String(name[..<dot])
        }
    }

    /// Without the ending; a dot is no second byte in any of the pages.
    private static func stem(of bytes: some BidirectionalCollection<UInt8>) -> [UInt8] {
        guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")) else { return Array(bytes) }
        return Array(bytes[..<dot])
    }

    private static func page(declaredIn start: ArraySlice<UInt8>) -> NamePage? {
        let text = String(decoding: start, as: UTF8.self).lowercased()
        guard let mark = text.firstRange(of: "encoding=") else { return nil }
        let label = text[mark.upperBound...].dropFirst().prefix { $0 != "\"" && $0 != "'" }
        return NamePage.allCases.first { $0.labels.contains(String(label)) }
    }
}

/// An entry's name as text, and how it was found out what its bytes mean (APPNOTE 6.3, appendix D and section 4.6.9).
struct RawName {
    enum Encoding {
        /// ASCII, or UTF-8 with or without the flag that says so.
        case known
        /// Whatever the bytes are, the Unicode field beside them tells the name.
        case unicodeField
        /// Bytes without a word on what they are, that are no UTF-8.
        case codePage437
        /// The same, and in this page the names are found that documents have.
        case guessed(NamePage)
        /// Said to be UTF-8, and damaged.
        case mangledUTF8
    }

    let text: String
    let encoding: Encoding

    /// - Parameters:
    ///   - unicodePath: The body of the Unicode path field: version, CRC-32 of the raw name, UTF-8.
    ///   - decoder: For names that are neither said to be UTF-8 nor are.
    init(_ raw: ArraySlice<UInt8>, saysUTF8: Bool, unicodePath: ArraySlice<UInt8>?, decoder: NameDecoder? = nil) {
        if !saysUTF8, let unicodePath, let text = Self.checked(unicodePath, for: raw) {
            (self.text, encoding) = (text, .unicodeField)
        } else if let text = String(validating: raw, as: UTF8.self) {
            (self.text, encoding) = (text, .known)
        } else if saysUTF8 {
            (text, encoding) = (String(decoding: raw, as: UTF8.self), .mangledUTF8)
        } else if let decoder, let text = decoder.decode(raw) {
            (self.text, encoding) = (text, .guessed(decoder.page))
        } else {
            (text, encoding) = (CodePage437.decode(raw), .codePage437)
        }
    }

    /// The field's text, unless the name was changed since by a program that did not know the field.
    private static func checked(_ field: ArraySlice<UInt8>, for raw: ArraySlice<UInt8>) -> String? {
        let bytes = Array(field)
        guard bytes.first == 1, bytes.number32(at: 1) == CRC32.of(raw) else { return nil }
        return String(validating: bytes[5...], as: UTF8.self)
    }
}

/// CRC-32 as ZIP uses it (ISO 3309), for a few bytes at a time.
enum CRC32 {
    static func of(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        var sum = UInt32.max
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 0 ? sum >> 1 : sum >> 1 ^ 0xEDB8_8320 }
        }
        return ~sum
    }
}

/// The IBM PC's character set, in which ZIP names stand that are not said to be UTF-8 (APPNOTE 6.3, appendix D).
package enum CodePage437 {
    /// From 0x80 on; below it is ASCII.
    private static let upper = Array(
        """
        ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐\
        └┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}
        """.unicodeScalars)

    static func decode(_ bytes: some Sequence<UInt8>) -> String {
        var text = String.UnicodeScalarView()
        for byte in bytes { text.append(byte < 0x80 ? Unicode.Scalar(byte) : upper[Int(byte) - 0x80]) }
        return String(text)
    }

    /// The byte of a character; `nil` for one that is not in the set.
    package static func encode(_ scalar: Unicode.Scalar) -> UInt8? {
        if scalar.value < 0x80 { return UInt8(scalar.value) }
        return upper.firstIndex(of: scalar).map { UInt8($0 + 0x80) }
    }
}

/// Makes UTF-8 of UTF-16, however that is cut into pieces.
package struct UTF16Decoding: Sendable {
    private let isLittleEndian: Bool
    /// The first half of a unit.
    private var half: UInt8?
    /// The first half of a pair.
    private var high: UInt32?

    /// - Parameter start: At least two bytes of a document; `nil` where they are neither UTF-16's mark nor its `<`.
    package init?(documentStart start: some Collection<UInt8>) {
        let start = Array(start.prefix(2))
        switch start {
        case [0xFF, 0xFE], [0x3C, 0]: isLittleEndian = true
        case [0xFE, 0xFF], [0, 0x3C]: isLittleEndian = false
        default: return nil
        }
    }

    /// The next bytes; the mark at the front is left out.
    package mutating func utf8(of bytes: some Collection<UInt8>) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count / 2)
        for byte in bytes {
            guard let first = half else {
                half = byte
                continue
            }
            half = nil
            let unit = isLittleEndian ? UInt32(byte) << 8 | UInt32(first) : UInt32(first) << 8 | UInt32(byte)
            switch unit {
            case 0xFEFF: break
            case 0..<0x80: out.append(UInt8(unit))
            case 0xD800..<0xDC00: high = unit
            case 0xDC00..<0xE000:
                if let high { Self.append(0x10000 + (high - 0xD800) << 10 + (unit - 0xDC00), to: &out) }
                high = nil
            default: Self.append(unit, to: &out)
            }
        }
        return out
    }

    private static func append(_ value: UInt32, to out: inout [UInt8]) {
        guard let scalar = Unicode.Scalar(value) else { return }
        out.append(contentsOf: UTF8.encode(scalar).map(Array.init) ?? [])
    }
}
