import Daedalus

/// What signed links are signed with.
struct SigningKey: Sendable {
    let id: String
    /// 256 random bits as digits; empty once it is retired.
    let secret: String
    /// Milliseconds since 1970, UTC.
    let created: Int64
    let phase: Phase

    enum Phase: String, Sendable {
        case active
        /// Its links are refused.
        case retired
    }

    static func random(now: Int64) -> SigningKey {
        SigningKey(
            id: RandomText.hexadecimal(words: 1), secret: RandomText.hexadecimal(words: 4), created: now, phase: .active
        )
    }

    /// - Parameters:
    ///   - path: As it stands in the request, percent signs and all.
    ///   - expires: Seconds since 1970, UTC.
    func signature(path: String, expires: Int64) -> SHA256Digest {
        HMACSHA256.code(of: Array("GET\n\(path)\n\(expires)".utf8), key: Array(secret.utf8))
    }

    /// The path with what proves that its holder was given it.
    func link(to path: String, expires: Int64) -> String {
        "\(path)?expires=\(expires)&key=\(id)&signature=\(signature(path: path, expires: expires).hex)"
    }
}

/// A link's own claim to be let in.
struct LinkSignature: Sendable {
    let path: String
    /// Seconds since 1970, UTC.
    let expires: Int64
    let key: String
    let signature: SHA256Digest

    enum Verdict: Sendable, Equatable {
        case valid, expired, altered, retired
    }

    /// `nil` for what cannot be a signature.
    init?(path: String, expires: String?, key: String?, signature: String?) {
        guard let expires = expires.flatMap({ Int64($0) }), let key, let signature,
            let digest = SHA256Digest(hex: signature)
        else { return nil }
        self.path = path
        self.expires = expires
        self.key = key
        self.signature = digest
    }

    /// - Parameters:
    ///   - key: The one that it names; `nil` where there never was one.
    ///   - now: Seconds since 1970, UTC.
    func verdict(_ key: SigningKey?, now: Int64) -> Verdict {
        guard let key else { return .altered }
        switch key.phase {
        case .retired: return .retired
        case .active:
            guard signature.isEqualInConstantTime(to: key.signature(path: path, expires: expires)) else {
                return .altered
            }
            return now < expires ? .valid : .expired
        }
    }
}
