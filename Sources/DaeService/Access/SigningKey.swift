import DaeCore
import Daedalus
import Hummingbird

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

    /// What of an asset may be handed on by a link, beside its files.
    static let linkable = ServedModel.names + ["original", "report", "thumbnail.png"]

    /// What of an asset its page shows beside that.
    static let shownOnPage = ["events", "inspect", "tree", "files", "changes"]

    /// What stands for an asset as a whole where a path is signed; it is no request's path that a link may lead to.
    static func pagePath(_ asset: AssetID) -> String { "/v1/assets/\(asset.text)/*" }

    /// The address of an asset's page, with what lets its holder see that asset.
    func page(of asset: AssetID, expires: Int64) -> String {
        let signature = signature(path: Self.pagePath(asset), expires: expires).hex
        return "/?asset=\(asset.text)&expires=\(expires)&key=\(id)&signature=\(signature)"
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

/// Signed links, by which whoever holds one gets a file without a token.
struct LinkRoutes: Sendable {
    let tools: ServiceTools
    let assets: AssetRoutes

    /// Seconds.
    private static let lifetimes: ClosedRange<Int64> = 1...(30 * 86_400)
    private static let fileLimit = 1000

    func add(to group: RouterGroup<ServiceContext>) {
        group.post("assets/:id/links") { request, context in
            let asset = try await assets.asset(context)
            let response = try await make(request, asset)
            tools.note("link", asset.id, context)
            return response
        }
    }

    private struct Order: Decodable {
        enum CodingKeys: CodingKey, CaseIterable {
            case expiresIn, files
        }

        /// Seconds from now; an hour without.
        let expiresIn: Int64?
        /// Files of the bundle; none without.
        let files: [String]?
    }

    private func make(_ request: Request, _ asset: AssetRecord) async throws -> Response {
        let order = try await JSONBody.read(Order.self, members: Order.CodingKeys.self, request)
        let lifetime = order.expiresIn ?? 3600
        guard Self.lifetimes.contains(lifetime) else {
            throw Problem(
                .badRequest, nil,
                "expiresIn is \(lifetime); expected \(Self.lifetimes.lowerBound) to \(Self.lifetimes.upperBound) seconds."
            )
        }
        let files = order.files ?? []
        guard files.count <= Self.fileLimit else {
            throw Problem(.badRequest, nil, "files: expected \(Self.fileLimit) at most.")
        }
        let key = try await key()
        let expires = AssetOperations.Instant.systemTime() / 1000 + lifetime
        var links: [String: JSONValue] = [:]
        for name in SigningKey.linkable {
            links[name] = .string(tools.base.link(key.link(to: "\(asset.path)/\(name)", expires: expires)))
        }
        links["page"] = .string(tools.base.link(key.page(of: asset.id, expires: expires)))
        for file in files {
            let path = file.split(separator: "/", omittingEmptySubsequences: false).map {
                PercentEncoding.encode(String($0))
            }
            let link = key.link(to: "\(asset.path)/files/\(path.joined(separator: "/"))", expires: expires)
            links["files/" + file] = .string(tools.base.link(link))
        }
        return .json(["expires": .integer(expires), "links": .object(links)])
    }

    /// The newest that is in use; the first is made when it is needed.
    private func key() async throws -> SigningKey {
        if let key = try await tools.access.keys().first(where: { $0.phase == .active }) { return key }
        let key = SigningKey.random(now: AssetOperations.Instant.systemTime())
        try await tools.access.add(key)
        return key
    }
}
