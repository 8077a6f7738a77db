import DaeArchive
import DaeCore

/// A way to read a reference's text as a path.
enum ReferenceReading {
    case asWritten, percentDecoded, backslashes
    /// Without `file:` or a drive's letter, and with slashes.
    case machinePath
    /// As written, and decoded.
    case literal
    case any
}

/// The texts that each reading makes of one reference, most literal first; none where it changes nothing.
///
/// A query or fragment is part of the name first, and cut off second: `tex#1.png` is a file's name more often than a
/// file `tex`.
struct ReferenceTexts {
    private let written: [ReadText]
    /// With those that were taken for Latin-1 at the end.
    private let decoded: [ReadText]
    private let slashed: [ReadText]
    private let machine: [ReadText]
    private let literal: [ReadText]
    private let any: [ReadText]
    private let latin1: [String]

    /// - Parameters:
    ///   - isFileURI: The text stood behind `file:`, so that it is no path as it was written.
    ///   - folder: The document's.
    init(_ reference: String, isFileURI: Bool, folder: String = "") {
        func read(_ texts: [String]) -> [ReadText] { texts.map { ReadText($0, folder: folder) } }
        let bytes = ByteSet(reference)
        guard bytes.mayBeReadAnew else {
            latin1 = []
            any = [ReadText(reference, folder: folder)]
            (written, literal, machine) = isFileURI ? ([], [], any) : (any, any, [])
            (decoded, slashed) = ([], [])
            return
        }
        let written = [reference] + (Self.withoutQueryOrFragment(reference).map { [$0] } ?? [])
        latin1 = written.compactMap(Self.latin1)
        let decoded = written.compactMap(PercentEncoding.decode) + latin1
        let slashed = (written + decoded).compactMap(Self.withSlashes)
        let plain = written + decoded + slashed
        if isFileURI {
            (self.written, self.decoded, self.slashed, literal) = ([], [], [], [])
            machine = read(plain.map { Self.withoutDrive($0) ?? $0 })
            any = machine
        } else {
            self.written = read(written)
            self.decoded = read(decoded)
            self.slashed = read(slashed)
            machine = read(plain.compactMap(Self.withoutDrive))
            literal = self.written + self.decoded
            any = literal + self.slashed + machine
        }
    }

    subscript(reading: ReferenceReading) -> [ReadText] {
        switch reading {
        case .asWritten: written
        case .percentDecoded: decoded
        case .backslashes: slashed
        case .machinePath: machine
        case .literal: literal
        case .any: any
        }
    }

    /// Whether a text was made by taking percent-encoded bytes for Latin-1.
    func isLatin1(_ text: String) -> Bool { latin1.contains(text) }

    /// With percent-encoding undone, where that makes no UTF-8.
    private static func latin1(_ text: String) -> String? {
        guard PercentEncoding.decode(text) == nil else { return nil }
        return PercentEncoding.decodedBytes(text).map(CodePage1252.decode)
    }

    /// Whether a reading names a place on somebody's machine.
    var isAbsolute: Bool { any.contains { $0.anchor.isAbsolute } }

    /// What the paths of the reference end in, each once.
    ///
    /// - Parameter most: Parts of one, its name among them.
    func tails(most: Int) -> [PathTail] {
        var tails: [PathTail] = []
        for index in any.indices {
            // With a back-slash left in it, it is read again.
            guard !any[index].text.holds(UInt8(ascii: "\\")), let tail = PathTail(any[index], most: most),
                !tails.contains(where: { $0.isSame(as: tail) })
            else { continue }
            tails.append(tail)
        }
        return tails
    }

    private static func withoutQueryOrFragment(_ text: String) -> String? {
        guard let end = text.utf8.firstIndex(where: { $0 == UInt8(ascii: "#") || $0 == UInt8(ascii: "?") }),
            end != text.startIndex
        else { return nil }
        return String(text[..<end])
    }

    private static func withSlashes(_ text: String) -> String? {
        let backslash = UInt8(ascii: "\\")
        guard text.utf8.contains(backslash) else { return nil }
        return String(decoding: text.utf8.map { $0 == backslash ? UInt8(ascii: "/") : $0 }, as: UTF8.self)
    }

    private static func withoutDrive(_ text: String) -> String? {
        guard case .drive(let path) = PathAnchor(text) else { return nil }
        return path
    }
}

extension ByteSet {
    /// Whether a text of these bytes is more than a path that is read as it stands.
    fileprivate var mayBeReadAnew: Bool {
        contains("#") || contains("?") || contains("%") || contains("\\") || contains(":")
    }
}

/// One text that a reading makes of a reference, and where that leads. Several rules go by the same text.
struct ReadText {
    let text: String
    let anchor: PathAnchor
    /// Read against the document's folder; `nil` where it starts from elsewhere.
    let fromDocument: BundlePath.Target?
    /// Read against the bundle's top; `nil` where it does not belong there.
    private let fromTop: BundlePath.Target?

    init(_ text: String, folder: String) {
        self.text = text
        anchor = PathAnchor(text)
        switch anchor {
        case .document(let path):
            let target = BundlePath.resolve(path, against: folder)
            fromDocument = target
            fromTop = folder.isEmpty ? target : BundlePath.resolve(path)
        case .top(let path):
            fromDocument = nil
            fromTop = BundlePath.resolve(path)
        case .drive, .scheme:
            fromDocument = nil
            fromTop = nil
        }
    }

    func target(from start: ResolutionRule.Start) -> BundlePath.Target? {
        switch start {
        case .document: fromDocument
        case .top: fromTop
        }
    }
}

/// What the path of a reference ends in: its last folders and its name, as far as they are no dots.
struct PathTail {
    private let path: String
    /// Where its parts begin in the path, by bytes, the last one first; at least one.
    private let starts: [Int]
    let name: String

    /// - Parameter most: Parts that are kept, the name among them.
    init?(_ read: ReadText, most: Int) {
        let path: String
        switch read.anchor {
        case .document(let rest), .top(let rest), .drive(let rest): path = rest
        case .scheme: path = URIReference(read.text).path
        }
        let bytes = path.utf8.span
        var starts: [Int] = []
        starts.reserveCapacity(most)
        var end = bytes.count
        while starts.count < most {
            var start = end
            while start > 0, bytes[start - 1] != UInt8(ascii: "/") { start -= 1 }
            if Self.isDots(bytes, start..<end) { break }
            starts.append(start)
            guard start > 0 else { break }
            end = start - 1
        }
        guard let last = starts.first else { return nil }
        self.path = path
        self.starts = starts
        name = Self.end(of: path, from: last)
    }

    /// Whether a part is `.`, `..` or empty.
    private static func isDots(_ bytes: Span<UInt8>, _ part: Range<Int>) -> Bool {
        guard part.count <= 2 else { return false }
        for index in part where bytes[index] != UInt8(ascii: ".") { return false }
        return true
    }

    /// How many parts it has.
    var count: Int { starts.count }

    /// Its last parts.
    func suffix(_ length: Int) -> String { Self.end(of: path, from: starts[length - 1]) }

    private static func end(of path: String, from start: Int) -> String {
        start == 0 ? path : String(Substring(path.utf8.dropFirst(start)))
    }

    func isSame(as other: PathTail) -> Bool { count == other.count && suffix(count) == other.suffix(count) }
}

/// What a text, read as a path, starts from.
enum PathAnchor {
    /// Nothing: it is relative.
    case document(String)
    /// `/`: the text behind it, with further slashes taken off.
    case top(String)
    /// A drive's letter, a place on somebody's machine: the text behind its colon.
    case drive(String)
    /// `package://`, `model://` and the like.
    case scheme

    init(_ text: String) {
        let slash = UInt8(ascii: "/")
        guard text.utf8.first == slash || text.holds(UInt8(ascii: ":")) else {
            self = .document(text)
            return
        }
        let bare = text.utf8.drop { $0 == slash }
        let letters = bare.prefix(while: URIReference.isSchemeByte)
        let behind = bare[letters.endIndex...]
        let hasColon = behind.first == UInt8(ascii: ":")
        if hasColon, letters.count == 1, letters.first.map({ $0 | 0x20 >= UInt8(ascii: "a") }) == true {
            self = .drive(String(Substring(behind.dropFirst())))
        } else if bare.startIndex != text.startIndex {
            self = .top(String(Substring(bare)))
        } else if hasColon, behind.dropFirst().starts(with: [slash, slash]), !letters.isEmpty {
            self = .scheme
        } else {
            self = .document(text)
        }
    }

    /// Whether it names a place on a machine.
    var isAbsolute: Bool {
        switch self {
        case .top, .drive: true
        case .document, .scheme: false
        }
    }
}

/// Which bytes occur in a text: most references hold none of those by which they could be read in several ways.
struct ByteSet: Sendable {
    private var first: UInt64 = 0
    private var second: UInt64 = 0
    /// Of those that are no ASCII, whether any occurs.
    private var others: UInt64 = 0

    init(_ text: String) {
        let bytes = text.utf8.span
        for index in bytes.indices {
            let bit = UInt64(1) << UInt64(bytes[index] & 63)
            switch bytes[index] {
            case 0..<64: first |= bit
            case 64..<128: second |= bit
            default: others |= bit
            }
        }
    }

    /// - Parameter character: Of ASCII.
    func contains(_ character: Unicode.Scalar) -> Bool {
        guard character.value < 128 else { return false }
        return (character.value < 64 ? first : second) & 1 << UInt64(character.value & 63) != 0
    }

    /// Whether a control character of ASCII occurs.
    var hasControl: Bool { first & 0xFFFF_FFFF != 0 || contains("\u{7F}") }
}

// Packers that know no UTF-8 take its bytes for the letters of an old code page, and write those as UTF-8 again: a file
// `für.png` then is called `fÃ¼r.png` or `f├╝r.png`.

/// Names whose UTF-8 was taken for another encoding.
enum MendedName {
    /// The path as it was before; `nil` where no part of it looks like that.
    static func path(_ path: String) -> String? {
        guard !path.isASCII else { return nil }
        var isMended = false
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map { part -> String in
            guard let mended = name(part) else { return String(part) }
            isMended = true
            return mended
        }
        return isMended ? parts.joined(separator: "/") : nil
    }

    private static func name(_ name: Substring) -> String? {
        guard name.utf8.contains(where: { $0 >= 0x80 }) else { return nil }
        return undone(name, CodePage1252.encode) ?? undone(name, CodePage437.encode)
    }

    /// The text of the bytes that the letters had in a code page, if it is UTF-8.
    private static func undone(_ name: Substring, _ encode: (Unicode.Scalar) -> UInt8?) -> String? {
        var bytes: [UInt8] = []
        for scalar in name.unicodeScalars {
            guard let byte = encode(scalar) else { return nil }
            bytes.append(byte)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}

/// Latin-1 as Windows has it: what programs of Western Europe write where they know no UTF-8.
private enum CodePage1252 {
    /// 0x80 to 0x9F; where Windows has no letter stands the control character of Latin-1.
    private static let special = Array(
        "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars)

    static func decode(_ bytes: [UInt8]) -> String {
        var text = String.UnicodeScalarView()
        for byte in bytes {
            text.append((0x80..<0xA0).contains(byte) ? special[Int(byte) - 0x80] : Unicode.Scalar(byte))
        }
        return String(text)
    }

    /// `nil` for a letter that it lacks. The control characters of Latin-1 are taken, too.
    static func encode(_ scalar: Unicode.Scalar) -> UInt8? {
        if let byte = UInt8(exactly: scalar.value) { return byte }
        return special.firstIndex(of: scalar).map { UInt8($0 + 0x80) }
    }
}
