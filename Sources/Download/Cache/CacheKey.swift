import ContentHash

/// What an answer is kept under: the SHA-256 of the address and of what else of the request makes answers differ.
struct CacheKey: Sendable, Hashable {
    private let digest: SHA256Digest

    /// - Parameters:
    ///   - url: Without fragment.
    ///   - variant: Other parts of the request, in an order of their own. Each counts as a whole.
    init(url: String, variant: [String] = []) {
        var hasher = SHA256Hasher()
        for part in [url] + variant {
            // The lengths keep parts apart that would read the same when joined.
            hasher.update(Array("\(part.utf8.count):".utf8) + Array(part.utf8))
        }
        digest = hasher.finish()
    }

    /// Reads the name of a file in the cache; `nil` for any other.
    init?(hex: some StringProtocol) {
        guard let digest = SHA256Digest(hex: hex), digest.hex == hex else { return nil }
        self.digest = digest
    }

    /// 64 lower-case digits.
    var hex: String { digest.hex }
}
