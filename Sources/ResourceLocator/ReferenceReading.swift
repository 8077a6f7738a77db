import URIReference

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
    static func latin1(_ text: String) -> String? {
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
