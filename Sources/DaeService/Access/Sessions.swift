// A browser cannot send a token with a picture, a download or a stream of events. So a token is exchanged for a cookie that
// scripts cannot read, and that no page of another site gets sent along.

import DaeCore
import Daedalus
import Hummingbird
import Logging

/// Those who have signed in with a token, by a cookie, at whichever node.
struct Sessions: Sendable {
    /// Of one token at once; one more ends the oldest.
    static let limit = 100
    /// Milliseconds.
    static let lifetime: Int64 = 12 * 3600 * 1000

    let store: AccessStore

    /// - Returns: Its id, which nothing here can tell again.
    func begin(token: String) async throws -> (id: String, session: StoredSession) {
        let id = RandomText.hexadecimal(words: 4)
        let now = AssetOperations.Instant.systemTime()
        let session = StoredSession(digest: Self.digest(id), token: token, began: now, expires: now + Self.lifetime)
        try await store.add(session, limit: Self.limit)
        return (id, session)
    }

    func session(_ id: String) async throws -> StoredSession? { try await store.session(Self.digest(id)) }

    func end(_ id: String) async throws { try await store.end(Self.digest(id)) }

    private static func digest(_ id: String) -> SHA256Digest { SHA256Digest(hashing: Array(id.utf8)) }
}

/// A session as it is kept: whoever sees that can sign in as nobody.
struct StoredSession: Sendable {
    /// Of its id.
    let digest: SHA256Digest
    /// The token's id: what it allows is asked anew each time.
    let token: String
    /// Milliseconds since 1970, UTC.
    let began: Int64
    /// As ``began``.
    let expires: Int64
}

/// The cookie that names a session.
enum SessionCookie {
    static let name = "daed_session"

    static func id(of request: Request) -> String? { request.cookies[name]?.value }

    /// - Parameter seconds: How long a browser keeps it; 0 for not any longer.
    static func make(_ id: String, seconds: Int64, isSecure: Bool, _ base: BasePath) -> Cookie {
        Cookie(
            name: name, value: id, maxAge: Int(seconds), path: base.link("/"), secure: isSecure, httpOnly: true,
            sameSite: .strict)
    }
}

/// Whether a request that a cookie came with was meant by whom the cookie is of. Browsers send cookies along with what a
/// page of a neighbouring site makes them send.
struct SessionGuard: Sendable {
    private let origins: OwnOrigins
    /// What no page of another site can send without being asked by ``CrossOrigin`` first.
    static let mark = "x-daed-page"

    init(_ settings: ServiceSettings) { origins = OwnOrigins(settings) }

    func check(_ request: Request) throws(Problem) {
        let origin = request.headers[.origin]
        if let origin, !origins.contains(origin, host: request.head.authority ?? "") { throw Self.foreign }
        if request.method == .get || request.method == .head || request.method == .options { return }
        if let name = HeaderName("sec-fetch-site"), let site = request.headers[name], site != "same-origin" {
            throw Self.foreign
        }
        guard origin != nil, let name = HeaderName(Self.mark), request.headers[name] != nil else {
            throw Problem(
                .forbidden, nil, "By a cookie this takes an Origin of this service, and the header X-Daed-Page.")
        }
    }

    private static let foreign = Problem(.forbidden, nil, "Pages of other sites may not use a session of this one.")
}

/// Signing in with a token, and out.
struct SessionRoutes: Sendable {
    let tools: ServiceTools
    let proxies: TrustedProxies

    func add(to group: RouterGroup<ServiceContext>) {
        group.get("session") { request, context in
            return Self.answer(context.client, expires: try await AccessGate(tools).session(request)?.expires)
        }
        group.post("session") { request, context in try await begin(request, context) }
        group.delete("session") { request, context in
            if let id = SessionCookie.id(of: request) {
                try await tools.sessions.end(id)
                tools.audit.info("signed out", metadata: Self.metadata(context))
                // Its streams end.
                tools.changes.notify()
            }
            var response = Response(status: .noContent)
            response.setCookie(SessionCookie.make("", seconds: 0, isSecure: isSecure(request, context), tools.base))
            return response
        }
    }

    private func begin(_ request: Request, _ context: ServiceContext) async throws -> Response {
        switch context.client {
        case .token(let id, _, _):
            // A session does not make another one.
            guard request.headers[.authorization] != nil else { throw Problem.unauthorized(.missing) }
            let (cookie, session) = try await tools.sessions.begin(token: id)
            tools.audit.info("signed in", metadata: Self.metadata(context))
            var response = Self.answer(context.client, expires: session.expires)
            response.setCookie(
                SessionCookie.make(
                    cookie, seconds: Sessions.lifetime / 1000, isSecure: isSecure(request, context), tools.base))
            return response
        case .anyone, .stranger:
            throw Problem(.conflict, nil, "No token was made yet, so nobody has to sign in.")
        }
    }

    private func isSecure(_ request: Request, _ context: ServiceContext) -> Bool {
        guard let name = HeaderName("x-forwarded-proto") else { return false }
        return proxies.isSecure(peer: context.channel.remoteAddress?.ipAddress, forwarded: request.headers[name])
    }

    private static func metadata(_ context: ServiceContext) -> Logger.Metadata {
        [
            "request": "\(context.requestID)", "client": "\(context.client.logged)",
            "address": "\(context.address ?? "-")",
        ]
    }

    /// Who asks, and what that one may.
    private static func answer(_ client: Client, expires: Int64?) -> Response {
        let (name, scope): (JSONValue, Scope) =
            switch client {
            case .token(_, let name, let scope): (.string(name), scope)
            case .anyone, .stranger: (.null, .admin)
            }
        return .json(["name": name, "scope": .string(scope.rawValue), "expires": JSONValue(expires)])
    }
}
