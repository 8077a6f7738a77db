// A page of any site that somebody has open may send requests to this machine, and needs no token where none is asked
// for. Browsers say where a request comes from; programs do not, and are let through.

import DaeCore
import Daedalus
import Hummingbird

/// Refuses what a page of another site sends, and names of this machine that only a stranger's DNS gives it.
struct BrowserGuard: RouterMiddleware {
    private let names: Set<String>
    private let exposure: AccessGate.Exposure
    private let crossOrigin: CrossOrigin
    private let own: OwnOrigins

    init(_ settings: ServiceSettings) {
        names = Set(settings.publicHosts.map { $0.lowercased() })
        exposure = settings.exposure
        crossOrigin = CrossOrigin(settings)
        own = OwnOrigins(settings)
    }

    func handle(
        _ request: Request, context: ServiceContext, next: (Request, ServiceContext) async throws -> Response
    ) async throws -> Response {
        let host = try Self.authority(of: request)
        let name = Self.name(of: host)
        guard isOurs(name) else {
            throw Problem(.misdirectedRequest, nil, "This service is not known as '\(name.prefix(200))'.")
        }
        if let preflight = crossOrigin.preflight(request) { return preflight }
        guard let origin = request.headers[.origin], !own.contains(origin, host: host), !crossOrigin.allows(origin)
        else { return try await next(request, context) }
        throw Problem(.forbidden, nil, "Pages of other sites may not use this service.")
    }

    /// Whom a request is meant for (RFC 9112, 3.2).
    private static func authority(of request: Request) throws(Problem) -> String {
        if let name = HeaderName("host"), !request.headers[values: name].isEmpty {
            throw Problem(.badRequest, nil, "There is more than one Host.")
        }
        guard let host = request.head.authority?.lowercased(), !host.isEmpty else {
            throw Problem(.badRequest, nil, "There is no Host.")
        }
        return host
    }

    private func isOurs(_ name: String) -> Bool {
        if LoopbackName.contains(name) || names.contains(name) { return true }
        switch exposure {
        case .loopback: return false
        // No DNS stands behind a bare address.
        case .network: return Self.isAddress(name)
        }
    }

    /// A host without its port.
    static func name(of host: String) -> String {
        if host.hasPrefix("[") { return String(host.dropFirst().prefix { $0 != "]" }) }
        return String(host.prefix { $0 != ":" })
    }

    private static func isAddress(_ name: String) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 16)
        return inet_pton(AF_INET, name, &bytes) == 1 || inet_pton(AF_INET6, name, &bytes) == 1
    }
}

/// The origins of the service's own page.
struct OwnOrigins: Sendable {
    private let names: Set<String>

    init(_ settings: ServiceSettings) { names = Set(settings.publicHosts.map { $0.lowercased() }) }

    /// Under a public name a proxy may speak TLS for the service.
    ///
    /// - Parameter host: Whom the request is meant for.
    func contains(_ origin: String, host: String) -> Bool {
        let (origin, host) = (origin.lowercased(), host.lowercased())
        return origin == "http://" + host || names.contains(BrowserGuard.name(of: host)) && origin == "https://" + host
    }
}

/// Names and addresses by which a machine reaches nothing but itself.
enum LoopbackName {
    static func contains(_ host: String) -> Bool {
        if host.lowercased() == "localhost" || host == "::1" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}

/// What keeps browsers careful, on every answer that does not say it otherwise.
enum SecurityHeaders {
    static func apply(to response: inout Response) {
        for (name, value) in fields where response.headers[name] == nil { response.headers[name] = value }
        if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
    }

    private static let fields: [(HeaderName, String)] = [
        ("referrer-policy", "no-referrer"), ("x-content-type-options", "nosniff"), ("x-frame-options", "DENY"),
        ("cross-origin-resource-policy", "same-origin"),
        ("content-security-policy", "default-src 'none'; frame-ancestors 'none'"),
    ].compactMap { name, value in HeaderName(name).map { ($0, value) } }
}

/// Which pages of other sites may use the service: those that the operator names, and none without.
struct CrossOrigin: Sendable {
    private let origins: Set<String>

    init(_ settings: ServiceSettings) { origins = Set(settings.corsOrigins.map { $0.lowercased() }) }

    func allows(_ origin: String) -> Bool { origins.contains(origin.lowercased()) }

    /// The answer to a browser that asks before it sends; `nil` for any other request.
    func preflight(_ request: Request) -> Response? {
        guard request.method == .options, let origin = request.headers[.origin], allows(origin),
            request.headers[.accessControlRequestMethod] != nil
        else { return nil }
        return Response(
            status: .noContent,
            headers: [
                .accessControlAllowMethods: "GET, HEAD, POST, PUT, PATCH, DELETE",
                .accessControlAllowHeaders: Self.requestHeaders, .accessControlMaxAge: "600",
            ])
    }

    func apply(to response: inout Response, of request: Request) {
        guard !origins.isEmpty else { return }
        response.headers[.vary] = "Origin"
        guard let origin = request.headers[.origin], allows(origin) else { return }
        response.headers[.accessControlAllowOrigin] = origin
        response.headers[.accessControlExposeHeaders] = Self.answerHeaders
    }

    /// What a signed link leads to may be shown by pages of other sites, where there are any: of a picture browsers do not
    /// say which page wants it, so the link alone decides.
    func share(_ response: inout Response) {
        guard !origins.isEmpty, let name = HeaderName("cross-origin-resource-policy") else { return }
        response.headers[name] = "cross-origin"
    }

    private static let requestHeaders =
        "Authorization, Content-Type, Idempotency-Key, If-None-Match, If-Range, Last-Event-ID, Range, Traceparent, "
        + "X-Request-Id, Tus-Resumable, Upload-Checksum, Upload-Length, Upload-Metadata, Upload-Offset"
    private static let answerHeaders =
        "Asset-Location, Content-Disposition, Content-Range, ETag, Idempotency-Replayed, Link, Location, Retry-After, "
        + "Traceparent, X-Request-Id, Tus-Checksum-Algorithm, Tus-Extension, Tus-Max-Size, Tus-Resumable, Tus-Version, "
        + "Upload-Expires, Upload-Length, Upload-Metadata, Upload-Offset"
}
