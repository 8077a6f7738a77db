import Daedalus

/// Where an asset's bytes came from.
enum AssetOrigin: Sendable, Equatable {
    case address(String)
    /// Bytes that a client sent.
    case upload
}

/// One asset as it is kept.
struct AssetRecord: Sendable {
    let id: AssetID
    let name: String
    let origin: AssetOrigin
    /// `nil` until its bytes are here.
    var content: StoredContent?
    var state: AssetState
    /// Milliseconds since 1970, UTC.
    let created: Int64
    var changed: Int64

    /// What the state machine calls it.
    var source: String {
        switch origin {
        case .address(let url): url
        case .upload: name
        }
    }
}

/// Bytes that are in the ``BlobStore``.
struct StoredContent: Sendable, Equatable {
    let digest: SHA256Digest
    let bytes: Int64
    /// The file's name, which says beside the bytes what it is.
    let name: String
    /// Under which what was read of it is kept.
    let key: ContentKey
}

extension StoredContent {
    /// - Parameter file: Where the bytes are now.
    init(digest: SHA256Digest, bytes: Int64, name: String, in file: String) {
        self.init(
            digest: digest, bytes: bytes, name: name, key: ContentKey(digest: digest, name: name, file: file))
    }
}

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
        self.digest = digest
        let ending = name.split(separator: ".", omittingEmptySubsequences: false).last?.lowercased() ?? ""
        let isArchive = ["zae", "kmz", "zip"].contains(ending) && Self.beginsAsArchive(file)
        let name = SHA256Digest(hashing: Array(name.utf8)).hex.prefix(32)
        text = "\(digest.hex).\(isArchive ? ending[...] : name)"
    }

    /// - Parameter text: A key that was kept; `nil` for that of other bytes.
    init?(digest: SHA256Digest, text: String) {
        guard text == digest.hex || text.hasPrefix(digest.hex + ".") else { return nil }
        (self.digest, self.text) = (digest, text)
    }

    /// Those with something before their first entry are read once a name, as what is no archive.
    private static func beginsAsArchive(_ file: String) -> Bool {
        guard let file = try? OpenedFile(file), let start = try? file.read(at: 0, count: 2) else { return false }
        return start.elementsEqual("PK".utf8)
    }
}
