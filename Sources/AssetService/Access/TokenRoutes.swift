import Daedalus
import Hummingbird
import Logging

/// Tokens, for those who may see and revoke them. They are made on the machine alone, by `daed token add`.
struct TokenRoutes: Sendable {
    let tools: ServiceTools

    func add(to group: RouterGroup<ServiceContext>) {
        group.get("tokens") { _, context in
            try Self.demand(context)
            return Response.json(["tokens": .array(try await tools.access.tokens().map(\.json))])
        }
        group.delete("tokens/:name") { _, context in
            try Self.demand(context)
            let name = try context.parameters.require("name")
            guard try await tools.access.revoke(name, at: AssetOperations.Instant.systemTime()) else {
                throw Problem(.notFound, nil, "There is no token '\(name.prefix(64))'.")
            }
            tools.log.notice(
                "token revoked",
                metadata: [
                    "token": "\(name)", "request": "\(context.requestID)", "client": "\(context.client.logged)",
                ])
            return Response(status: .noContent)
        }
    }

    private static func demand(_ context: ServiceContext) throws(Problem) {
        guard context.client.allows(.admin) else { throw Problem.missing(.admin) }
    }
}

extension StoredToken {
    /// All but the token, which nobody knows.
    var json: JSONValue {
        ["id": .string(id), "name": .string(name), "scope": .string(scope.rawValue), "created": .integer(created)]
    }
}
