// A browser cannot send a token with a picture, a download or a stream of events. So a token is exchanged for a cookie that
// scripts cannot read, and that no page of another site gets sent along.

import DaeCore
import Daedalus
import Hummingbird
import Logging
import Synchronization

/// Those who have signed in with a token, by a cookie. They are kept in memory: a restart ends them. A class because all
/// share it.
final class Sessions: Sendable {
    struct Session: Sendable {
        /// The token's id: what it allows is asked anew each time.
        let token: String
        /// Milliseconds since 1970, UTC.
        let expires: Int64
        fileprivate let number: Int
    }

    private struct State {
        /// By the digest of the id: whoever sees this memory can sign in as nobody.
        var sessions: [SHA256Digest: Session] = [:]
        var begun = 0
        var ended: Int64 = 0
    }

    private let state = Mutex(State())

    /// Of one token at once; one more ends the oldest.
    static let limit = 100
    /// Milliseconds.
    static let lifetime: Int64 = 12 * 3600 * 1000

    /// How many were ended: what let a stream begin may be gone.
    var ended: Int64 { state.withLock { $0.ended } }

    /// - Returns: Its id, which nothing here can tell again.
    func begin(token: String) -> (id: String, session: Session) {
        let id = RandomText.hexadecimal(words: 4)
        let now = AssetOperations.Instant.systemTime()
        return state.withLock { state in
            state.begun += 1
            let session = Session(token: token, expires: now + Self.lifetime, number: state.begun)
            state.sessions = state.sessions.filter { now < $0.value.expires }
            let others = state.sessions.filter { $0.value.token == token }
            if others.count >= Self.limit, let oldest = others.min(by: { $0.value.number < $1.value.number }) {
                state.sessions[oldest.key] = nil
                state.ended += 1
            }
            state.sessions[Self.digest(id)] = session
            return (id, session)
        }
    }

    func session(_ id: String) -> Session? {
        let now = AssetOperations.Instant.systemTime()
        return state.withLock { $0.sessions[Self.digest(id)] }.flatMap { now < $0.expires ? $0 : nil }
    }

    func end(_ id: String) {
        state.withLock { state in
            if state.sessions.removeValue(forKey: Self.digest(id)) != nil { state.ended += 1 }
        }
    }

    private static func digest(_ id: String) -> SHA256Digest { SHA256Digest(hashing: Array(id.utf8)) }
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
            let session = SessionCookie.id(of: request).flatMap(tools.sessions.session)
            return Self.answer(context.client, expires: session?.expires)
        }
        group.post("session") { request, context in try begin(request, context) }
        group.delete("session") { request, context in
            if let id = SessionCookie.id(of: request) {
                tools.sessions.end(id)
                tools.audit.info("signed out", metadata: Self.metadata(context))
                // Its streams end.
                tools.changes.notify()
            }
            var response = Response(status: .noContent)
            response.setCookie(SessionCookie.make("", seconds: 0, isSecure: isSecure(request, context), tools.base))
            return response
        }
    }

    private func begin(_ request: Request, _ context: ServiceContext) throws -> Response {
        switch context.client {
        case .token(let id, _, _):
            // A session does not make another one.
            guard request.headers[.authorization] != nil else { throw Problem.unauthorized(.missing) }
            let (cookie, session) = tools.sessions.begin(token: id)
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
