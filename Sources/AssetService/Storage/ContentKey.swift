import Daedalus

/// The name of what was read of some bytes. Equal archives of names that end alike are read once. Where the bytes are no
/// archive the file's own name stands in what was read, as that of the bundle's one file, and so it is in the key.
struct ContentKey: Sendable, Hashable {
    let digest: SHA256Digest
    /// As it stands in paths and in the database.
    let text: String

    /// - Parameters:
    ///   - name: As ``FileName/clean(_:)`` gives it.
    ///   - file: Where the bytes are.
    init(digest: SHA256Digest, name: String, file: String) {
        let ending = FileEnding(name)?.text.lowercased() ?? ""
        if ["zae", "kmz", "zip"].contains(ending), Self.beginsAsArchive(file) {
            self.init(digest, "\(digest.hex).\(ending)")
        } else {
            self.init(digest: digest, own: name)
        }
    }

    /// Of what was read under one name, which stands in it.
    private init(digest: SHA256Digest, own name: String) {
        self.init(digest, "\(digest.hex).\(SHA256Digest(hashing: Array(name.utf8)).hex.prefix(32))")
    }

    /// Of what was read under a name that is none of its assets'.
    init(digest: SHA256Digest, neutral ending: FileEnding) {
        self.init(digest, "\(digest.hex).neutral.\(ending.text)")
    }

    /// - Parameter text: A key that was kept; `nil` for that of other bytes.
    init?(digest: SHA256Digest, text: String) {
        guard text == digest.hex || text.hasPrefix(digest.hex + ".") else { return nil }
        self.init(digest, text)
    }

    private init(_ digest: SHA256Digest, _ text: String) { (self.digest, self.text) = (digest, text) }

    /// Whether the name stands in what was read.
    func bears(_ name: String) -> Bool { self == ContentKey(digest: digest, own: name) }

    /// Those with something before their first entry are read once a name, as what is no archive.
    private static func beginsAsArchive(_ file: String) -> Bool {
        guard let file = try? OpenedFile(file), let start = try? file.read(at: 0, count: 2) else { return false }
        return start.elementsEqual("PK".utf8)
    }
}

/// What stands behind the last dot of a file's name.
struct FileEnding: Sendable, Hashable {
    let text: String

    /// `nil` where it is none: one to eight ASCII letters and digits.
    init?(_ name: String) {
        guard let dot = name.lastIndex(of: ".") else { return nil }
        let text = name[name.index(after: dot)...]
        guard (1...8).contains(text.utf8.count), text.utf8.allSatisfy(\.isASCIIWord) else { return nil }
        self.text = String(text)
    }
}

extension UInt8 {
    /// A letter or a digit.
    var isASCIIWord: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
