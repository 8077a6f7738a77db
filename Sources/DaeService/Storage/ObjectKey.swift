import DaeCore
import Daedalus

/// The name of an object in an ``ObjectStore``: parts of ASCII letters, digits and `.`, `-`, `_`, with `/` between them.
///
/// `blobs/<2>/<digest>.<owner>.<put>` has an asset's bytes (of older versions `blobs/<2>/<digest>`),
/// `results/<2>/<content key>/<name>` what was made of them, `partials/<upload>/<offset>.<holds>` a piece of an
/// upload.
struct ObjectKey: Sendable, Hashable {
    let text: String

    /// What objects are kept for: the first part of their keys.
    enum Kind: String, Sendable, CaseIterable {
        case blobs, results, partials

        /// That of all keys which begin so; `nil` where there is none.
        init?(prefix: String) {
            guard let kind = Self.allCases.first(where: { prefix == $0.rawValue || prefix.hasPrefix($0.prefix) }) else {
                return nil
            }
            self = kind
        }

        var prefix: String { rawValue + "/" }
    }

    /// Bytes of a key at most, and of one part of it.
    private static let limits = (key: 512, part: 255)

    /// - Parameter text: `nil` is given for what is no key, such as a path that leads elsewhere.
    init?(_ text: String) {
        guard text.utf8.count <= Self.limits.key else { return nil }
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count >= 2, Kind(rawValue: String(parts[0]) ?? "") != nil else { return nil }
        for part in parts {
            guard (1...Self.limits.part).contains(part.count), part.allSatisfy(Self.isAllowed),
                !part.elementsEqual(".".utf8), !part.elementsEqual("..".utf8)
            else { return nil }
        }
        self.text = text
    }

    private init(unchecked text: String) { self.text = text }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    // MARK: - Keys of each kind

    /// Bytes as an older version kept them: one object for all that are equal.
    static func blob(_ digest: SHA256Digest) -> ObjectKey {
        ObjectKey(unchecked: "blobs/\(digest.hex.prefix(2))/\(digest.hex)")
    }

    /// Bytes that are put now. Each put has a key of its own, so that removing one never takes the bytes of another.
    ///
    /// - Parameter owner: The process that puts them.
    static func blob(_ digest: SHA256Digest, putBy owner: AssetID) -> ObjectKey {
        ObjectKey(unchecked: "\(blob(digest).text).\(owner.text).\(AssetID.random().text.prefix(16))")
    }

    /// What was made of a content.
    ///
    /// - Parameter name: As this program names it, with a folder where it has one.
    static func result(_ name: String, of key: ContentKey) -> ObjectKey {
        ObjectKey(unchecked: "results/\(key.digest.hex.prefix(2))/\(key.text)/\(name)")
    }

    /// How the keys begin of all that was made of some bytes.
    static func results(of digest: SHA256Digest) -> String { "results/\(digest.hex.prefix(2))/\(digest.hex)" }

    /// Bytes of an upload from an offset on.
    ///
    /// - Parameter holds: How often the upload had been held when they were put.
    static func piece(of upload: AssetID, at offset: Int64, holds: Int64) -> ObjectKey {
        ObjectKey(unchecked: "\(pieces(of: upload))\(offset).\(holds)")
    }

    /// How the keys begin of all pieces of an upload.
    static func pieces(of upload: AssetID) -> String { "partials/\(upload.text)/" }

    // MARK: - What a key says

    // As bytes, since a page of a list has many of them.
    private var parts: [Substring.UTF8View] { text.utf8.split(separator: UInt8(ascii: "/")) }

    private static func kind(_ part: Substring.UTF8View) -> Kind? {
        Kind.allCases.first { part.elementsEqual($0.rawValue.utf8) }
    }

    /// What stands between the dots of a key's last part.
    private static func words(_ part: Substring.UTF8View) -> [Substring] {
        part.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map { Substring($0) }
    }

    /// Of the bytes that are in it, or that it was made of.
    var digest: SHA256Digest? {
        let parts = parts
        guard parts.count > 2 else { return nil }
        switch Self.kind(parts[0]) {
        case .blobs, .results: return SHA256Digest(hex: Substring(parts[2].prefix { $0 != UInt8(ascii: ".") }))
        case .partials, nil: return nil
        }
    }

    /// `nil` for what is no piece of an upload. Older versions wrote no number behind the offset.
    var piece: (offset: Int64, holds: Int64)? {
        let parts = parts
        guard parts.count == 3, Self.kind(parts[0]) == .partials else { return nil }
        let numbers = Self.words(parts[2]).map { Int64($0) }
        guard numbers.count <= 2, let offset = numbers[0], let holds = numbers.count == 2 ? numbers[1] : 0 else {
            return nil
        }
        return (offset, holds)
    }

    /// That a piece is of.
    var upload: AssetID? {
        let parts = parts
        return parts.count == 3 && Self.kind(parts[0]) == .partials ? AssetID(String(Substring(parts[1]))) : nil
    }

    /// Who put an asset's bytes.
    enum Origin: Sendable, Equatable {
        /// In the transaction that named them, as older versions did.
        case olderVersion
        case process(String)
    }

    /// Which of an asset's bytes are in it, and who put them; `nil` for what is no asset's bytes.
    var blob: (digest: SHA256Digest, origin: Origin)? {
        let parts = parts
        guard parts.count == 3, Self.kind(parts[0]) == .blobs else { return nil }
        let words = Self.words(parts[2])
        guard let digest = SHA256Digest(hex: words[0]) else { return nil }
        return switch words.count {
        case 1: (digest, .olderVersion)
        case 3: (digest, .process(String(words[1])))
        default: nil
        }
    }

    var origin: Origin? { blob?.origin }
}

extension ObjectKey: CustomStringConvertible {
    var description: String { text }
}
