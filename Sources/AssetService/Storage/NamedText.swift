// A result may be hundreds of MB long: names are put into it piece by piece, on the way to the client.

import Daedalus
import Glibc

/// What was read of some bytes, on its way to a client with the asset's name in it.
struct NamedText: Sendable {
    private var placeholder: ReplacedWord?
    private var source: ReplacedSource?

    /// - Parameter source: What `source.input` is to be; as it stands without.
    init(_ reading: ReadingName, source: String?) {
        switch reading {
        case .own: placeholder = nil
        case .neutral(let name): placeholder = name.replacement
        }
        self.source = source.map { ReplacedSource(name: $0) }
    }

    /// What may be sent of all that came.
    mutating func take(_ piece: [UInt8]) -> [UInt8] {
        var text = piece
        if placeholder != nil { text = placeholder?.take(text) ?? text }
        if source != nil { text = source?.take(text) ?? text }
        return text
    }

    /// The rest, when nothing more comes.
    mutating func end() -> [UInt8] {
        var text = placeholder?.end() ?? []
        guard source != nil else { return text }
        text = source?.take(text) ?? text
        return text + (source?.end() ?? [])
    }
}

/// A word in whose place another is put, in a text that comes in pieces.
struct ReplacedWord: Sendable {
    private let word: [UInt8]
    private let other: [UInt8]
    /// What came last: the word may begin in it.
    private var rest: [UInt8] = []

    init(_ word: [UInt8], by other: [UInt8]) { (self.word, self.other) = (word, other) }

    mutating func take(_ piece: [UInt8]) -> [UInt8] {
        let text = rest + piece
        var (result, at): ([UInt8], Int) = ([], 0)
        result.reserveCapacity(text.count)
        while let found = text.first(word, from: at) {
            result += text[at..<found]
            result += other
            at = found + word.count
        }
        let end = max(at, text.count - word.count + 1)
        result += text[at..<end]
        rest = Array(text[end...])
        return result
    }

    mutating func end() -> [UInt8] { rest }
}

/// Puts another name in the place of `source.input` of a report that this program wrote: results are kept under what their
/// bytes are, and each asset's answer bears its own name.
private struct ReplacedSource: Sendable {
    private let value: [UInt8]
    private var phase = Phase.before
    private var rest: [UInt8] = []

    private enum Phase {
        case before
        /// Keys are sorted, and only the object itself begins a line with four spaces behind this one.
        case within
        /// In the value that goes, behind this byte of it.
        case value(UInt8)
        case behind
    }

    private static let object = Array("\n  \"source\": {".utf8)
    private static let key = Array("\n    \"input\": ".utf8)

    init(name: String) { value = JSONValue.string(AssetSource.display(name)).text(.compact) }

    mutating func take(_ piece: [UInt8]) -> [UInt8] {
        let text = rest + piece
        rest = []
        var (result, at): ([UInt8], Int) = ([], 0)
        result.reserveCapacity(text.count)
        while at < text.count {
            switch phase {
            case .before: phase = pass(Self.object, text, &at, &result) ? .within : .before
            case .within: phase = pass(Self.key, text, &at, &result) ? .value(0) : .within
            case .value(let last):
                let end = text.first([UInt8(ascii: "\n")], from: at) ?? text.count
                let before = end > at ? text[end - 1] : last
                at = end
                guard end < text.count else {
                    phase = .value(before)
                    break
                }
                result += value
                if before == UInt8(ascii: ",") { result.append(before) }
                phase = .behind
            case .behind:
                result += text[at...]
                at = text.count
            }
        }
        return result
    }

    mutating func end() -> [UInt8] { rest }

    /// Passes all up to a word and the word, or all in which none begins; whether it was there.
    private mutating func pass(_ word: [UInt8], _ text: [UInt8], _ at: inout Int, _ result: inout [UInt8]) -> Bool {
        if let found = text.first(word, from: at) {
            result += text[at..<found + word.count]
            at = found + word.count
            return true
        }
        let end = max(at, text.count - word.count + 1)
        result += text[at..<end]
        rest = Array(text[end...])
        at = text.count
        return false
    }
}

extension [UInt8] {
    /// Where a word begins, at or behind an index.
    fileprivate func first(_ word: [UInt8], from start: Int) -> Int? {
        guard let first = word.first else { return nil }
        return withUnsafeBytes { text in
            word.withUnsafeBytes { word in
                guard let base = text.baseAddress, let sought = word.baseAddress else { return nil }
                var at = start
                while text.count - at >= word.count {
                    guard let found = memchr(base + at, Int32(first), text.count - at - word.count + 1) else {
                        return nil
                    }
                    let index = base.distance(to: UnsafeRawPointer(found))
                    if memcmp(base + index, sought, word.count) == 0 { return index }
                    at = index + 1
                }
                return nil
            }
        }
    }
}

// The name of a file that is no archive stands in all that is said of it: it is the path of the bundle's one file. Equal
// files of several names would each be read for it. So they are read once, under a name that none of them has, and each
// asset is answered with its own in that one's place.

/// Under which equal files of several names are read, and the name of one of them.
struct NeutralName: Sendable {
    /// Stands for all of a name but its ending: a word that the file cannot have in it, since it is made of its digest.
    private let placeholder: String
    /// The asset's own name.
    let own: String
    let ending: FileEnding
    let digest: SHA256Digest

    /// `nil` for an archive, whose name is in nothing that is read, and for a name that is not said as it is everywhere.
    init?(_ content: StoredContent) { self.init(digest: content.digest, name: content.name, key: content.key) }

    init?(digest: SHA256Digest, name: String, key: ContentKey) {
        // Of other endings it may count for more: an image is found by a name that has another.
        guard key.bears(name), let ending = FileEnding(name), ["dae", "xml"].contains(ending.text.lowercased()) else {
            return nil
        }
        let stem = name.dropLast(ending.text.count + 1)
        guard (1...100).contains(stem.utf8.count), stem.unicodeScalars.allSatisfy(Self.isPlain) else { return nil }
        self.digest = digest
        self.ending = ending
        own = name
        placeholder = "daed" + SHA256Digest(hashing: Array("neutral \(digest.hex)".utf8)).hex.prefix(32)
    }

    /// What is read calls its file so.
    var name: String { "\(placeholder).\(ending.text)" }
    /// Of what is read.
    var key: ContentKey { ContentKey(digest: digest, neutral: ending) }

    /// Whether it is the same in a path, in JSON, in a message and on a terminal.
    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return UInt8(scalar.value).isASCIIWord || " -_.,()[]+=~@!".unicodeScalars.contains(scalar) }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .otherLetter:
            return scalar.properties.canonicalCombiningClass == .notReordered
        default: return false  // allowed: the standard library's list, which may grow
        }
    }

    // MARK: - What was read

    /// Puts the asset's name into what was read.
    var replacement: ReplacedWord {
        ReplacedWord(Array(placeholder.utf8), by: Array(own.dropLast(ending.text.count + 1).utf8))
    }

    /// A text that was read, with the asset's name.
    func named(_ text: [UInt8]) -> [UInt8] {
        var replacement = replacement
        return replacement.take(text) + replacement.end()
    }

    func named(_ state: AssetState) throws -> AssetState {
        try StateText.read(
            AssetState.self, String(decoding: named(Array(try StateText.text(state).utf8)), as: UTF8.self))
    }
}
