import Daedalus

/// The files of one ending that a file's contents name. One of them may be the file itself, by its own name: what such a
/// reference leads to is not known when the file is read under another.
struct FileMentions: Codable, Sendable, Equatable {
    /// The letters and digits right before the dot of each, in lower case; ``any`` for a name beyond ASCII, whose
    /// letters may stand for others.
    private let words: Set<String>
    private static let any = "*"

    /// More are not kept.
    private static let limit = 1000

    /// `nil` where there are too many.
    ///
    /// - Parameters:
    ///   - text: In which all references are told of.
    ///   - own: The name under which it was read.
    init?(in text: [UInt8], ending: FileEnding, except own: String) {
        var words: Set<String> = []
        // As they were written, and as what is percent-encoded is meant.
        for bytes in [text, Self.decoded(text)] {
            for word in Self.words(in: bytes, before: Array(".\(ending.text)".lowercased().utf8)) {
                words.insert(word)
                guard words.count <= Self.limit else { return nil }
            }
        }
        if let own = Self.word(own) { words.remove(own) }
        self.words = words
    }

    /// Whether a file of this name may be one of them.
    func mayName(_ name: String) -> Bool {
        if words.isEmpty { return false }
        guard name.utf8.allSatisfy({ $0 < 0x80 }), let word = Self.word(name) else { return true }
        return words.contains(word) || words.contains(Self.any)
    }

    private static func word(_ name: String) -> String? {
        guard let ending = FileEnding(name) else { return nil }
        return words(in: Array(name.utf8), before: Array(".\(ending.text)".lowercased().utf8)).last
    }

    private static func words(in bytes: [UInt8], before ending: [UInt8]) -> [String] {
        var words: [String] = []
        // Where the letters and digits that end here begin, and behind the last sign beyond ASCII of the same name.
        var (start, foreign) = (0, 0)
        for at in bytes.indices where !bytes[at].isASCIIWord {
            switch bytes[at] {
            case 0x80...: foreign = at + 1
            case UInt8(ascii: "/"), UInt8(ascii: "\\"), UInt8(ascii: "\""): foreign = 0
            default: break
            }
            if bytes[at] == UInt8(ascii: "."), bytes[at...].prefix(ending.count).map(\.lowercased) == ending {
                words.append(String(decoding: bytes[start..<at].map(\.lowercased), as: UTF8.self))
                if foreign > 0 { words.append(any) }
                // A letter behind a back-slash may be a sign of its own.
                if start > 0, start < at, bytes[start - 1] == UInt8(ascii: "\\") {
                    words.append(String(decoding: bytes[(start + 1)..<at].map(\.lowercased), as: UTF8.self))
                }
            }
            start = at + 1
        }
        return words
    }

    private static func decoded(_ text: [UInt8]) -> [UInt8] {
        var (result, at): ([UInt8], Int) = ([], 0)
        result.reserveCapacity(text.count)
        while at < text.count {
            if text[at] == UInt8(ascii: "%"), at + 2 < text.count,
                let byte = UInt8(String(decoding: text[(at + 1)...(at + 2)], as: UTF8.self), radix: 16)
            {
                result.append(byte)
                at += 3
            } else {
                result.append(text[at])
                at += 1
            }
        }
        return result
    }
}

extension UInt8 {
    fileprivate var lowercased: UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
    }
}
