// The name of a file that is no archive stands in all that is said of it: it is the path of the bundle's one file. Equal
// files of several names would each be read for it. So they are read once, under a name that none of them has, and each
// asset is answered with its own in that one's place.

import Daedalus

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
