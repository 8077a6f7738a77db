import DaeCore
import Daedalus
import Hummingbird

/// Decides who may do what.
struct AccessGate: Sendable {
    private let store: AccessStore
    private let exposure: Exposure
    private let sessions: Sessions
    private let sessionGuard: SessionGuard

    enum Exposure: Sendable {
        /// Open until a token was made.
        case loopback
        case network
    }

    init(_ tools: ServiceTools) {
        store = tools.access
        sessions = tools.sessions
        sessionGuard = SessionGuard(tools.settings)
        exposure = tools.settings.exposure
    }

    /// Whether everybody may ask this, as often as they like: supervisors share an address with the clients.
    static func isOpen(_ request: Request) -> Bool {
        let parts = request.uri.path.split(separator: "/")
        // What the tus protocol has a client ask before all else says nothing of what is kept.
        if request.method == .options, parts.starts(with: ["v1", "uploads"]) { return true }
        return parts == ["healthz"] || parts == ["readyz"]
    }

    /// Whether it is one of the requests that a token has so many of a day. Signing in, what is left and the page's own files
    /// are not: a page that could not be opened could not say why.
    static func isCounted(_ request: Request) -> Bool {
        let parts = request.uri.path.split(separator: "/")
        return !PageRoutes.isPublic(request.method, parts) && parts != ["v1", "session"] && parts != ["v1", "usage"]
    }

    /// Who sent a request.
    func client(_ request: Request) async throws -> Client {
        let parts = request.uri.path.split(separator: "/")
        if Self.isOpen(request) { return .stranger }
        if PageRoutes.isPublic(request.method, parts) {
            // What a link leads to the page shows; the page itself shows no more for it.
            guard request.uri.queryParameters["signature"] == nil else { return .stranger }
            do { return try await known(request) } catch is Problem { return .stranger }
        }
        if request.uri.queryParameters["signature"] != nil, request.method == .get || request.method == .head {
            try await checkLink(request, parts)
            return .stranger
        }
        return try await known(request)
    }

    /// Refuses what a client with a token may not do.
    func check(_ client: Client, _ request: Request) throws(Problem) {
        switch client {
        case .anyone, .stranger: return
        case .token:
            let scope = Self.scope(request.method, request.uri.path.split(separator: "/"))
            guard client.allows(scope) else { throw Problem.missing(scope) }
        }
    }

    /// Whether who sent a request may still do what it asks for.
    func stillAllows(_ request: Request) async throws -> Bool {
        do {
            try check(try await client(request), request)
            return true
        } catch is Problem { return false }
    }

    private static func scope(_ method: HTTPRequest.Method, _ parts: [Substring]) -> Scope {
        if method == .get || method == .head || method == .options { return .read }
        // Whoever may see may sign in and out, too.
        if parts == ["v1", "session"] { return .read }
        return method == .post && parts.count == 4 && parts.last == "links" ? .read : .write
    }

    /// Until when what lets a request in lasts by itself, in milliseconds since 1970; `nil` for no end that is known.
    func deadline(_ request: Request) async throws -> Int64? {
        let query = request.uri.queryParameters
        if query["signature"] != nil {
            return query["expires"].flatMap { Int64($0) }.flatMap { $0 < .max / 1000 ? $0 * 1000 : nil }
        }
        guard request.headers[.authorization] == nil else { return nil }
        return try await session(request)?.expires
    }

    /// That of the cookie that a request came with.
    func session(_ request: Request) async throws -> StoredSession? {
        guard let id = SessionCookie.id(of: request) else { return nil }
        return try await sessions.session(id)
    }

    /// By a token, by a session that was begun with one, or as everybody where no token was made.
    private func known(_ request: Request) async throws -> Client {
        let header = request.headers[.authorization]
        if let header, header.lowercased().hasPrefix("bearer ") {
            let text = header.dropFirst(7).drop { $0 == " " }
            if let token = AccessToken(String(text)), let stored = try await store.token(token.id),
                stored.digest.isEqualInConstantTime(to: token.digest)
            {
                guard !stored.isExpired(at: AssetOperations.Instant.systemTime()) else {
                    throw Problem.unauthorized(.expired)
                }
                return .token(id: stored.id, name: stored.name, stored.scope)
            }
        }
        if header == nil, let client = try await client(ofSession: request) { return client }
        switch exposure {
        case .loopback: if try await !store.hasTokens() { return .anyone }
        case .network: break
        }
        throw Problem.unauthorized(header == nil ? .missing : .wrong)
    }

    private func client(ofSession request: Request) async throws -> Client? {
        guard let id = SessionCookie.id(of: request), let session = try await sessions.session(id) else {
            return nil
        }
        let now = AssetOperations.Instant.systemTime()
        guard let stored = try await store.token(session.token), !stored.isExpired(at: now) else {
            try await sessions.end(id)
            return nil
        }
        try sessionGuard.check(request)
        return .token(id: stored.id, name: stored.name, stored.scope)
    }

    // MARK: - Signed links

    /// What of an asset may be handed on by a link.
    private static func isLinkable(_ parts: [Substring]) -> Bool {
        guard parts.count >= 4, parts[0] == "v1", parts[1] == "assets" else { return false }
        if parts.count == 4 { return SigningKey.linkable.contains(String(parts[3])) }
        return parts[3] == "files"
    }

    /// The asset whose page shows what is at a path.
    private static func pageAsset(_ parts: [Substring]) -> AssetID? {
        guard parts.count >= 3, parts[0] == "v1", parts[1] == "assets", let id = AssetID(String(parts[2])) else {
            return nil
        }
        let isShown = parts.count == 3 || SigningKey.shownOnPage.contains(String(parts[3])) || isLinkable(parts)
        return isShown ? id : nil
    }

    private func checkLink(_ request: Request, _ parts: [Substring]) async throws {
        let query = request.uri.queryParameters
        let (file, page) = (Self.isLinkable(parts) ? request.uri.path : nil, Self.pageAsset(parts))
        // A link is to one of the two, and its signature says which.
        let signatures = [file, page.map(SigningKey.pagePath)].compactMap(\.self).compactMap {
            LinkSignature(
                path: $0, expires: query["expires"].map(String.init), key: query["key"].map(String.init),
                signature: query["signature"].map(String.init))
        }
        guard let first = signatures.first else { throw Problem(.forbidden, nil, "This is no signed link.") }
        let now = AssetOperations.Instant.systemTime() / 1000
        let key = try await store.key(first.key)
        let verdicts = signatures.map { $0.verdict(key, now: now) }
        switch verdicts.first(where: { $0 != .altered }) ?? .altered {
        case .valid: return
        case .expired: throw Problem(.forbidden, nil, "The link has expired.")
        case .altered: throw Problem(.forbidden, nil, "The link's signature does not fit it.")
        case .retired: throw Problem(.forbidden, nil, "The link's key is no longer in use.")
        }
    }
}

extension Problem {
    enum TokenFault {
        case missing, wrong, expired
    }

    static func unauthorized(_ fault: TokenFault) -> Problem {
        switch fault {
        case .missing:
            Problem(.unauthorized, nil, "A token is needed: send it as 'Authorization: Bearer …'.")
                .asking("Bearer realm=\"daed\"")
        case .wrong:
            Problem(.unauthorized, nil, "The token is not one that is in use.")
                .asking("Bearer realm=\"daed\", error=\"invalid_token\"")
        case .expired:
            Problem(.unauthorized, nil, "The token has expired.")
                .asking("Bearer realm=\"daed\", error=\"invalid_token\", error_description=\"expired\"")
        }
    }

    static func missing(_ scope: Scope) -> Problem {
        Problem(.forbidden, nil, "The token has not the scope '\(scope.rawValue)', which this needs.")
            .asking("Bearer realm=\"daed\", error=\"insufficient_scope\", scope=\"\(scope.rawValue)\"")
    }

    private func asking(_ challenge: String) -> Problem {
        var problem = self
        problem.headers[.wwwAuthenticate] = challenge
        return problem
    }
}

extension ServiceSettings {
    /// Who reaches it: a socket is a file of this machine, which others than its owner and group may not open.
    var exposure: AccessGate.Exposure {
        LoopbackName.contains(host) || UnixSocket.path(in: host) != nil ? .loopback : .network
    }
}

/// Who sent a request.
enum Client: Sendable {
    /// Nobody asks for tokens here.
    case anyone
    case token(id: String, name: String, Scope)
    /// Whoever holds a signed link, or asks what everybody may.
    case stranger

    func allows(_ scope: Scope) -> Bool {
        switch self {
        case .anyone: true
        case .token(_, _, let own): scope <= own
        case .stranger: false
        }
    }

    /// Under which its requests are counted.
    func name(address: String?) -> String {
        switch self {
        case .token(let id, _, _): "token \(id)"
        case .anyone, .stranger: ClientAddress.group(address ?? "")
        }
    }

    /// Whose request keys are its own.
    var owner: String {
        switch self {
        case .token(let id, _, _): id
        case .anyone, .stranger: ""
        }
    }

    /// As the log names it.
    var logged: String {
        switch self {
        case .token(_, let name, _): name
        case .anyone, .stranger: "-"
        }
    }
}

enum ClientAddress {
    /// The address; of IPv6 the first 64 bits, since one client has all that begin so.
    static func group(_ text: String) -> String {
        var bytes = [UInt8](repeating: 0, count: 16)
        guard text.contains(":"), inet_pton(AF_INET6, text, &bytes) == 1 else { return text }
        if bytes.starts(with: [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]) {
            return bytes.suffix(4).map { String($0) }.joined(separator: ".")
        }
        return bytes.prefix(8).map { String($0, radix: 16) }.joined(separator: ":")
    }
}

/// What a token allows; each case allows what those before it do.
enum Scope: String, Sendable, Comparable {
    /// To see all that there is, and to make signed links to it.
    case read
    /// To add assets, act on them and remove them.
    case write
    /// To see and revoke tokens.
    case admin

    private var rank: Int {
        switch self {
        case .read: 0
        case .write: 1
        case .admin: 2
        }
    }

    static func < (first: Scope, second: Scope) -> Bool { first.rank < second.rank }
}
