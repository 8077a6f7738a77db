import Daedalus
import Hummingbird

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
        /// Seconds from now; an hour without.
        let expiresIn: Int64?
        /// Files of the bundle; none without.
        let files: [String]?
    }

    private func make(_ request: Request, _ asset: AssetRecord) async throws -> Response {
        let order = try await JSONBody.read(Order.self, request)
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
        for name in ["model.glb", "original", "report"] {
            links[name] = .string(key.link(to: "\(asset.path)/\(name)", expires: expires))
        }
        for file in files {
            let path = file.split(separator: "/", omittingEmptySubsequences: false).map {
                PercentText.encoded(String($0))
            }
            links["files/" + file] = .string(
                key.link(to: "\(asset.path)/files/\(path.joined(separator: "/"))", expires: expires))
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
