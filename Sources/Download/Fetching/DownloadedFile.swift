public import ContentHash

/// A whole file in the cache, with what the server said of it.
public struct DownloadedFile: Sendable, Hashable {
    /// In the cache; named by the digest, so without an extension.
    public let path: String
    /// Bytes, at least 0.
    public let size: Int64
    public let sha256: SHA256Digest
    /// The address it came from in the end, after all redirects; without user name, password and fragment.
    public let url: String
    /// As the server wrote it, such as `application/zip`; `nil` where it said nothing.
    public let contentType: String?
    /// A name fit for a file: the one the server proposed, else the last part of the address. Never empty, without
    /// separators, control characters and leading dots, at most 200 bytes.
    public let suggestedName: String

    public init(
        path: String, size: Int64, sha256: SHA256Digest, url: String, contentType: String?, suggestedName: String
    ) {
        self.path = path
        self.size = size
        self.sha256 = sha256
        self.url = url
        self.contentType = contentType
        self.suggestedName = suggestedName
    }
}
