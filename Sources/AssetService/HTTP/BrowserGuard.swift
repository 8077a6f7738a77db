// A page of any site that somebody has open may send requests to this machine, and needs no token where none is asked
// for. Browsers say where a request comes from; programs do not, and are let through.

import Daedalus
import Glibc
import Hummingbird

/// Refuses what a page of another site sends, and names of this machine that only a stranger's DNS gives it.
struct BrowserGuard: RouterMiddleware {
    private let names: Set<String>
    private let exposure: AccessGate.Exposure
    private let crossOrigin: CrossOrigin

    init(_ settings: ServiceSettings) {
        names = Set(settings.publicHosts.map { $0.lowercased() })
        exposure = LoopbackName.contains(settings.host) ? .loopback : .network
        crossOrigin = CrossOrigin(settings)
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
        guard let origin = request.headers[.origin]?.lowercased(), !isOwn(origin, host), !crossOrigin.allows(origin)
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

    /// Under a public name a proxy may speak TLS for the service.
    private func isOwn(_ origin: String, _ host: String) -> Bool {
        origin == "http://" + host || names.contains(Self.name(of: host)) && origin == "https://" + host
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

/// Names and addresses by which a machine reaches nothing but itself.
enum LoopbackName {
    static func contains(_ host: String) -> Bool {
        if host.lowercased() == "localhost" || host == "::1" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
