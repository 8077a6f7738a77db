import Daedalus

/// Where an asset's bytes came from.
enum AssetOrigin: Sendable, Equatable {
    case address(String)
    /// Bytes that a client sent.
    case upload
}

/// One asset as it is kept.
struct AssetRecord: Sendable, Equatable {
    let id: AssetID
    let name: String
    let origin: AssetOrigin
    /// `nil` until its bytes are here.
    var content: StoredContent?
    var state: AssetState
    /// Milliseconds since 1970, UTC.
    let created: Int64
    var changed: Int64
    /// The token of whoever added it; `nil` where that is not known.
    var addedBy: String?

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
