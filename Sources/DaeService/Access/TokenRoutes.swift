import Daedalus
import Hummingbird

/// Tokens, for those who may see and revoke them. They are made on the machine alone, by `daed token add`.
struct TokenRoutes: Sendable {
    let tools: ServiceTools

    func add(to group: RouterGroup<ServiceContext>) {
        group.get("tokens") { _, context in
            try context.demandAdmin()
            return Response.json(["tokens": .array(try await tools.access.tokens().map(\.json))])
        }
        group.delete("tokens/:name") { _, context in
            try context.demandAdmin()
            let name = try context.parameters.require("name")
            guard try await tools.access.revoke(name, at: AssetOperations.Instant.systemTime()) else {
                throw Problem(.notFound, nil, "There is no token '\(name.prefix(64))'.")
            }
            tools.note("revokeToken", ("token", name), context)
            return Response(status: .noContent)
        }
    }
}

extension ServiceContext {
    func demandAdmin() throws(Problem) {
        guard client.allows(.admin) else { throw Problem.missing(.admin) }
    }
}

extension StoredToken {
    /// All but the token, which nobody knows.
    var json: JSONValue {
        [
            "id": .string(id), "name": .string(name), "scope": .string(scope.rawValue), "created": .integer(created),
            "expires": JSONValue(expires),
            "quota": [
                "assets": JSONValue(quota.assets), "bytes": JSONValue(quota.bytes),
                "requests": JSONValue(quota.requests),
            ],
        ]
    }
}
