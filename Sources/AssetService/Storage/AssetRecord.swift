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

    /// Under which what was read of it is kept: equal bytes of names that end alike are read once.
    var key: ContentKey { ContentKey(digest: digest, ending: ContentKey.ending(of: name)) }
}

/// The name of what was read of some bytes.
struct ContentKey: Sendable, Hashable {
    let digest: SHA256Digest
    /// Without its dot; empty for one that means nothing here.
    let ending: String

    var text: String { ending.isEmpty ? digest.hex : "\(digest.hex).\(ending)" }

    static func ending(of name: String) -> String {
        let ending = name.split(separator: ".", omittingEmptySubsequences: false).last?.lowercased() ?? ""
        return ["dae", "zae", "kmz", "zip"].contains(ending) ? ending : ""
    }
}
