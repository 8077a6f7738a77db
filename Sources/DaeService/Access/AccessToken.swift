import DaeCore

/// A bearer token: `daed_`, a name by which it is found, and a secret of 256 random bits.
struct AccessToken: Sendable {
    /// Not secret.
    let id: String
    let text: String

    /// A new one.
    static func random() -> AccessToken {
        let id = RandomText.hexadecimal(words: 1)
        return AccessToken(id: id, text: "daed_\(id)_\(RandomText.hexadecimal(words: 4))")
    }

    private init(id: String, text: String) {
        self.id = id
        self.text = text
    }

    /// `nil` for what never was a token.
    init?(_ text: String) {
        let parts = text.split(separator: "_", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == "daed", parts[1].utf8.count == 16, parts[2].utf8.count == 64 else {
            return nil
        }
        self.init(id: String(parts[1]), text: text)
    }

    /// All that is kept of it: the secret has 256 bits, so a plain hash hides it.
    var digest: SHA256Digest { SHA256Digest(hashing: Array(text.utf8)) }
}

/// A token as it is kept.
struct StoredToken: Sendable {
    let id: String
    let name: String
    let scope: Scope
    let digest: SHA256Digest
    /// Milliseconds since 1970, UTC.
    let created: Int64
    /// From when on it lets nobody in, as ``created``; `nil` for never.
    var expires: Int64?
    var quota = TokenQuota()

    func isExpired(at now: Int64) -> Bool { expires.map { $0 <= now } ?? false }
}

enum RandomText {
    /// Random bits of the system, 16 digits a word.
    static func hexadecimal(words: Int) -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<words).map { _ in
            let digits = String(generator.next(), radix: 16)
            return String(repeating: "0", count: 16 - digits.utf8.count) + digits
        }.joined()
    }
}
