public import ContentHash

/// What is to be fetched, and how.
public struct DownloadRequest: Sendable, Hashable {
    /// http or https. A fragment `#sha256=` with 64 digits says what the file must hash to, as ``sha256`` does.
    public var url: String
    /// What the file must hash to; `nil` where nobody knows.
    public var sha256: SHA256Digest?
    public var mode = CacheMode.revalidate
    public var retries = RetryPolicy()

    public init(_ url: String, sha256: SHA256Digest? = nil, mode: CacheMode = .revalidate) {
        self.url = url
        self.sha256 = sha256
        self.mode = mode
    }

    /// The digest that parameter and fragment agree on.
    func wantedDigest() throws(DownloadFailure) -> SHA256Digest? {
        guard let text = fragmentDigest else { return sha256 }
        guard let digest = SHA256Digest(hex: text) else {
            throw .invalidURL(reason: "the fragment #sha256= is not followed by 64 hexadecimal digits")
        }
        guard let sha256, sha256 != digest else { return digest }
        throw .invalidURL(reason: "the fragment #sha256= names another digest than was asked for")
    }

    private var fragmentDigest: Substring? {
        guard let hash = url.firstIndex(of: "#") else { return nil }
        let fragment = url[hash...].dropFirst()
        let mark = fragment.prefix(7).lowercased()
        return mark == "sha256=" || mark == "sha256:" ? fragment.dropFirst(7) : nil
    }
}
