import DaeCore
import Daedalus
import Hummingbird

/// Which assets a request is about, by its query.
struct AssetFilters: Sendable {
    private(set) var query = AssetQuery()
    /// As the next page is asked for with them.
    private(set) var words: [(name: String, value: String)] = []

    /// Parameters that say which assets are meant.
    static let names: Set<Substring> = ["state", "sha256", "name", "label"]

    init(_ request: Request) throws {
        let parameters = request.uri.queryParameters
        if let text = parameters["state"] {
            guard let state = AssetState.Kind(rawValue: String(text)) else {
                let known = AssetState.Kind.allCases.map(\.rawValue)
                throw Problem.parameter("state", text, expected: known.joined(separator: ", "))
            }
            query.state = state.rawValue
            words.append(("state", state.rawValue))
        }
        if let text = parameters["sha256"] {
            guard let digest = SHA256Digest(hex: text) else {
                throw Problem.parameter("sha256", text, expected: "64 hexadecimal digits")
            }
            query.digest = digest.hex
            words.append(("sha256", digest.hex))
        }
        if let text = parameters["name"] {
            // The database ends a text at a NUL, and would find more than was asked for.
            guard (1...200).contains(text.utf8.count), !text.utf8.contains(0) else {
                throw Problem.parameter("name", text, expected: "1 to 200 bytes that a name contains, none of them NUL")
            }
            query.name = String(text)
            words.append(("name", String(text)))
        }
        let labels = parameters[values: "label"]
        guard labels.count <= AssetLabels.limit else {
            throw Problem.parameter("label", "\(labels.count) times", expected: "\(AssetLabels.limit) times at most")
        }
        for text in labels {
            do throws(AssetDetailFault) { query.labels.append(try LabelFilter(text)) } catch {
                throw Problem.parameter("label", String(text).printable(limit: 40), expected: "NAME=VALUE, or NAME")
            }
            words.append(("label", String(text)))
        }
    }

    /// Refuses parameters that are none, or that stand there twice and can hold but once: without one that is passed over
    /// more would fit than was meant.
    static func checkNames(_ request: Request, besides others: Set<Substring>) throws(AssetDetailFault) {
        let known = names.union(others)
        let given = request.uri.queryParameters.map(\.key)
        if let unknown = Set(given).subtracting(known).min() {
            throw AssetDetailFault(
                unknown: "parameter", String(unknown), expected: known.sorted().joined(separator: ", "))
        }
        for name in known.sorted() where name != "label" && given.count(where: { $0 == name }) > 1 {
            throw AssetDetailFault(name: String(name), text: "'\(name)' stands there more than once.")
        }
    }

    /// The limit of a request, where it has one.
    static func limit(_ request: Request, most: Int) throws(Problem) -> Int? {
        guard let text = request.uri.queryParameters["limit"] else { return nil }
        guard let limit = Int(text), (1...most).contains(limit) else {
            throw .parameter("limit", text, expected: "1 to \(most)")
        }
        return limit
    }
}

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
