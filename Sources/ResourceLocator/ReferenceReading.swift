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
    private let written: [String]
    /// With those that were taken for Latin-1 at the end.
    private let decoded: [String]
    private let slashed: [String]
    private let machine: [String]
    private let latin1: [String]

    /// - Parameter isFileURI: The text stood behind `file:`, so that it is no path as it was written.
    init(_ reference: String, isFileURI: Bool) {
        let written = [reference] + Self.withoutQueryOrFragment(reference)
        latin1 = written.compactMap(Self.latin1)
        let decoded = written.compactMap(PercentEncoding.decode) + latin1
        let slashed = (written + decoded).compactMap(Self.withSlashes)
        let all = written + decoded + slashed
        if isFileURI {
            (self.written, self.decoded, self.slashed) = ([], [], [])
            machine = all.map { Self.withoutDrive($0) ?? $0 }
        } else {
            (self.written, self.decoded, self.slashed) = (written, decoded, slashed)
            machine = all.compactMap(Self.withoutDrive)
        }
    }

    subscript(reading: ReferenceReading) -> [String] {
        switch reading {
        case .asWritten: written
        case .percentDecoded: decoded
        case .backslashes: slashed
        case .machinePath: machine
        case .literal: written + decoded
        case .any: written + decoded + slashed + machine
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
    var isAbsolute: Bool { self[.any].contains { PathAnchor($0).isAbsolute } }

    /// What the paths of the reference end in: last folders and name, as far as they are no dots; each once.
    ///
    /// - Parameter most: Parts of one, its name among them.
    func tails(most: Int) -> [[Substring]] {
        var tails: [[Substring]] = []
        for text in self[.any] {
            // With a back-slash left in it, it is read again.
            guard !text.utf8.contains(UInt8(ascii: "\\")) else { continue }
            let tail = Self.tail(of: text, most: most)
            if !tail.isEmpty, !tails.contains(tail) { tails.append(tail) }
        }
        return tails
    }

    private static func tail(of text: String, most: Int) -> [Substring] {
        var rest: Substring
        switch PathAnchor(text) {
        case .document(let path), .top(let path), .drive(let path): rest = path[...]
        case .scheme: rest = URIReference(text).path[...]
        }
        var tail: [Substring] = []
        while tail.count < most {
            let slash = rest.utf8.lastIndex(of: UInt8(ascii: "/"))
            let part = slash.map { rest[rest.utf8.index(after: $0)...] } ?? rest
            if part == "" || part == "." || part == ".." { break }
            tail.insert(part, at: 0)
            guard let slash else { break }
            rest = rest[..<slash]
        }
        return tail
    }

    /// The names that the reference may end in, most literal first, each once.
    var names: [String] {
        var names: [String] = []
        for tail in tails(most: 1) {
            guard let name = tail.last.map(String.init), !names.contains(where: { $0.utf8.elementsEqual(name.utf8) })
            else { continue }
            names.append(name)
        }
        return names
    }

    private static func withoutQueryOrFragment(_ text: String) -> [String] {
        guard let end = text.utf8.firstIndex(where: { $0 == UInt8(ascii: "#") || $0 == UInt8(ascii: "?") }),
            end != text.startIndex
        else { return [] }
        return [String(text[..<end])]
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
