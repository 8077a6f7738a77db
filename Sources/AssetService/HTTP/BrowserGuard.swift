// A page of any site that somebody has open may send requests to this machine, and needs no token where none is asked
// for. Browsers say where a request comes from; programs do not, and are let through.

import Daedalus
import Hummingbird

/// Refuses what a page of another site sends, and names of this machine that only a stranger's DNS gives it.
struct BrowserGuard<Context: RequestContext>: RouterMiddleware {
    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let host = request.head.authority ?? ""
        guard Self.isLoopback(Self.name(of: host)) else {
            throw Problem(.misdirectedRequest, nil, "This service listens on loopback; ask it as localhost.")
        }
        guard let origin = request.headers[.origin], origin.lowercased() != "http://" + host.lowercased() else {
            return try await next(request, context)
        }
        throw Problem(.forbidden, nil, "Pages of other sites may not use this service.")
    }

    /// A host without its port.
    static func name(of host: String) -> String {
        if host.hasPrefix("[") { return String(host.dropFirst().prefix { $0 != "]" }) }
        return String(host.prefix { $0 != ":" })
    }

    static func isLoopback(_ host: String) -> Bool { LoopbackName.contains(host) }
}

/// Names and addresses by which a machine reaches nothing but itself.
enum LoopbackName {
    static func contains(_ host: String) -> Bool {
        if host.lowercased() == "localhost" || host == "::1" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
