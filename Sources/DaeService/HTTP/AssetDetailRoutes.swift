import DaeCore
import Daedalus
import Hummingbird

/// What clients say of assets that are here, and the removal of many.
struct AssetDetailRoutes: Sendable {
    let tools: ServiceTools
    let assets: AssetRoutes

    /// Assets of one request at most, and of one transaction, behind which others wait.
    private static let (limit, batch) = (1000, 100)

    func add(to group: RouterGroup<ServiceContext>) {
        group.patch("assets/:id") { request, context in try await change(request, context) }
        group.delete("assets") { request, context in try await remove(request, context) }
    }

    /// A member of a JSON merge patch (RFC 7396).
    private enum Change: Decodable {
        case removed
        case number(Int64)
        case texts([String: String?])
        /// What no member of an asset may be.
        case other

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .removed
            } else if let number = try? container.decode(Int64.self) {
                self = .number(number)
            } else if let texts = try? container.decode([String: String?].self) {
                self = .texts(texts)
            } else {
                self = .other
            }
        }
    }

    private func change(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let asset = try await assets.asset(context)
        let changes = try await JSONBody.read([String: Change].self, request)
        let now = AssetOperations.Instant.systemTime()
        let changed = try await tools.store.change(asset.id) { details in
            for (name, change) in changes {
                switch (name, change) {
                case ("labels", .removed): details.labels = AssetLabels()
                case ("labels", .texts(let texts)): try details.labels.merge(texts)
                case ("expires", .removed): details.expires = nil
                case ("expires", .number(let number)): details.expires = try AssetDetails.expiry(number, now: now)
                case (_, .removed), (_, .number), (_, .texts), (_, .other):
                    throw AssetDetailFault(
                        name: name.printable(limit: 40),
                        text:
                            "'\(name.printable(limit: 40))' cannot be changed so; expected labels (an object of texts, null "
                            + "for those that go) or expires (milliseconds since 1970, or null).")
                }
            }
        }
        guard let changed else { throw Problem.unknown(asset.id.text) }
        tools.note("change", changed.id, context)
        tools.changes.notify()
        return .json(try tools.changes.newest(of: changed).seen(by: context.client).json(tools.base))
    }

    private func remove(_ request: Request, _ context: ServiceContext) async throws -> Response {
        try AssetFilters.checkNames(request, besides: ["limit"])
        guard !AssetFilters.names.isDisjoint(with: request.uri.queryParameters.map(\.key)) else {
            throw Problem(.badRequest, nil, "Expected at least one of state, sha256, name and label.")
        }
        guard let limit = try AssetFilters.limit(request, most: Self.limit) else {
            throw Problem(.badRequest, nil, "limit is missing; expected 1 to \(Self.limit).")
        }
        let (query, tools) = (try AssetFilters(request).query, tools)
        // Not this task, which ends with the client: what was removed is told to all that look after it.
        let (removed, hasMore) = try await Task {
            var (removed, hasMore, query) = ([AssetID](), true, query)
            while hasMore, removed.count < limit {
                query.limit = min(Self.batch, limit - removed.count)
                let removal = try await tools.store.remove(query)
                (removed, hasMore) = (removed + removal.removed, removal.hasMore)
                await tools.finish(removal)
            }
            return (removed, hasMore)
        }.value
        for id in removed { tools.note(.remove, id, context) }
        return .json(["removed": .integer(Int64(removed.count)), "more": .bool(hasMore)])
    }
}

extension ServiceTools {
    /// Has all know of assets that were removed, and removes the bytes that were theirs alone.
    func finish(_ removal: MassRemoval) async {
        guard !removal.removed.isEmpty else { return }
        changes.notify()
        for unused in removal.unused { await discard(unused) }
    }
}

extension Problem {
    init(_ fault: AssetDetailFault) {
        self.init(.badRequest, nil, fault.text)
        members["parameter"] = .string(fault.name)
    }
}
