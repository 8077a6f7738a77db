import Daedalus
import Hummingbird

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
                .accessControlAllowMethods: "GET, HEAD, POST, PATCH, DELETE",
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
        "Authorization, Content-Type, Idempotency-Key, If-None-Match, If-Range, Last-Event-ID, Range, X-Request-Id, "
        + "Tus-Resumable, Upload-Checksum, Upload-Length, Upload-Metadata, Upload-Offset"
    private static let answerHeaders =
        "Asset-Location, Content-Disposition, Content-Range, ETag, Idempotency-Replayed, Link, Location, Retry-After, "
        + "X-Request-Id, Tus-Checksum-Algorithm, Tus-Extension, Tus-Max-Size, Tus-Resumable, Tus-Version, "
        + "Upload-Expires, Upload-Length, Upload-Metadata, Upload-Offset"
}
