public import ContentHash
public import Diagnostics

/// A whole file in the cache, with what the server said of it.
public struct DownloadedFile: Sendable, Hashable {
    /// Where its bytes came from this time.
    public enum Origin: Sendable, Hashable {
        /// The server; `resumedAt` is where this transfer began, 0 for all.
        case server(resumedAt: Int64)
        /// The cache; the server confirmed that nothing changed.
        case confirmed
        /// The cache; no server was asked, or another process had just fetched it.
        case cache
    }

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
    public let origin: Origin
    /// What was odd on the way, none of it an error.
    public let findings: [Finding]
}
