import DaeCore
import Daedalus
import FoundationEssentials
import Hummingbird
import Logging

/// Assets as a collection: adding, listing, telling, removing, and what may be done with them.
struct AssetRoutes: Sendable {
    let tools: ServiceTools
    let derivations: Derivations

    func add(to group: RouterGroup<ServiceContext>) {
        group.post("assets") { request, context in try await post(request, context) }
        group.get("assets") { request, context in try await AssetList(request).response(tools, for: context.client) }
        group.get("assets/:id") { _, context in Response.json(try await asset(context).json(tools.base)) }
        group.delete("assets/:id") { _, context in try await delete(context) }
        group.post("assets/:id/actions") { request, context in try await act(request, context) }
    }

    /// The asset that a path names, as the client may see it.
    func asset(_ context: ServiceContext) async throws -> AssetRecord {
        let text = try context.parameters.require("id")
        guard let id = AssetID(text), let asset = try await tools.store.asset(id) else { throw Problem.unknown(text) }
        return try tools.changes.newest(of: asset).seen(by: context.client)
    }

    // MARK: - Adding

    private func post(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let type = request.headers[.contentType]?.lowercased() ?? ""
        let isOrder = type.hasPrefix("application/json")
        var admission = AssetAdmission(
            tools: tools, addedBy: context.client.owner, key: try RequestKey(of: request, context.client))
        if !isOrder {
            let parameters = request.uri.queryParameters
            admission.details = try AssetDetails(
                labels: parameters[values: "label"], expires: parameters["expires"].map(String.init),
                now: AssetOperations.Instant.systemTime())
        }
        switch isOrder ? try await ordered(request, admission) : try await uploaded(request, admission, context.client)
        {
        case .added(let asset):
            tools.note(.add, asset.id, context)
            return try added(asset, context)
        case .wasAdded(let asset): return try added(asset, context).replayed
        }
    }

    private func added(_ asset: AssetRecord, _ context: ServiceContext) throws -> Response {
        .json(
            try tools.changes.newest(of: asset).seen(by: context.client).json(tools.base), status: .created,
            headers: [.location: asset.path])
    }

    private struct Order: Decodable {
        enum CodingKeys: CodingKey, CaseIterable {
            case url, name, labels, expires, sha256, headers
        }

        let url: String
        let name: String?
        let labels: [String: String]?
        let expires: Int64?
        let sha256: String?
        let headers: [String: String]?

        /// - Parameter now: Behind which it expires.
        func details(now: Int64) throws(AssetDetailFault) -> AssetDetails {
            var details = AssetDetails(labels: try AssetLabels(labels ?? [:]))
            if let expires { details.expires = try AssetDetails.expiry(expires, now: now) }
            details.download = try DownloadDetails(sha256: sha256, headers: headers)
            return details
        }
    }

    private func ordered(_ request: Request, _ admission: AssetAdmission) async throws -> AssetAdmission.Outcome {
        var admission = admission
        let order = try await JSONBody.read(Order.self, members: Order.CodingKeys.self, request)
        guard order.url.utf8.count <= 8192, case .url = SourceAddress(order.url, exists: { _ in false }).location,
            SourceAddress(order.url, exists: { _ in false }).entry == nil
        else {
            throw Problem(
                .badRequest, .downloadURLInvalid,
                "'\(LinkSecret.hidden(in: SourceAddress.display(order.url), about: order.url).prefix(200))' is no http or https "
                    + "address of a file.")
        }
        try checkAddress(order.url)
        if try await !admission.isRepeated { try await tools.disk.check(adding: 0) }
        let path = order.url.prefix { $0 != "?" && $0 != "#" }
        let now = AssetOperations.Instant.systemTime()
        admission.details = try order.details(now: now)
        let asset = AssetRecord(
            id: .random(), name: FileName.clean(order.name ?? String(path)), origin: .address(order.url), content: nil,
            state: .downloading(.first), created: now, changed: now, addedBy: admission.addedBy)
        return try await admission.admit(asset)
    }

    /// Refuses at once what the download would be refused for: nothing is gained by keeping it.
    private func checkAddress(_ url: String) throws {
        let policy = try tools.settings.networkPolicy()
        do { try HTTPClient.check(url, by: policy) } catch {
            // Where the service has no libcurl the worker has none either, and says so.
            guard error.code == .downloadURLInvalid || error.code == .downloadBlockedAddress else { return }
            throw Problem(.badRequest, error.code, LinkSecret.hidden(in: error.message, about: url))
        }
    }

    private func uploaded(
        _ request: Request, _ admission: AssetAdmission, _ client: Client
    ) async throws -> AssetAdmission.Outcome {
        // Before the disk: more than may come at all says nothing of the room that there is.
        try ReceivedFile.checkLength(request, limit: tools.settings.contentLimit)
        let declared = request.headers[.contentLength].flatMap { Int64($0) } ?? 0
        // A request that is sent again brings nothing new.
        let isRepeated = try await admission.isRepeated
        let least = ReceivedFile.leastBytes(request)
        let place = isRepeated ? nil : try await tools.quotas.reserve(client, bytes: least, tools.access)
        var room = DiskRoom(disk: tools.disk)
        do {
            if !isRepeated { try await room.reserve(declared) }
            let received = try await ReceivedFile.receive(
                request, limit: tools.settings.contentLimit, to: tools.folder.newUpload())
            var upload = received.upload
            defer { unlink(upload.path) }
            if !isRepeated { try await room.reserve(upload.bytes - declared) }
            upload.counted = upload.bytes
            place?.end()
            let outcome = try await admission.admit(upload, name: FileName.clean(received.name ?? ""))
            await room.release()
            return outcome
        } catch {
            await room.release()
            throw error
        }
    }

    // MARK: - Ending and beginning again

    private func delete(_ context: ServiceContext) async throws -> Response {
        let text = try context.parameters.require("id")
        guard let id = AssetID(text) else { throw Problem.unknown(text) }
        return try await remove(id, nil, context)
    }

    private func remove(_ id: AssetID, _ key: RequestKey?, _ context: ServiceContext) async throws -> Response {
        let response = Response(status: .noContent)
        switch try await tools.store.remove(id, key: key) {
        case .unknown: throw Problem.unknown(id.text)
        case .wasRemoved: return response.replayed
        case .removed(let unused):
            tools.note(.remove, id, context)
            tools.changes.notify()
            // Not this task, which ends with the client.
            if let unused { await Task { await tools.discard(unused) }.value }
            return response
        }
    }

    private func act(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let text = try context.parameters.require("id")
        guard let id = AssetID(text) else { throw Problem.unknown(text) }
        let key = try RequestKey(of: request, context.client)
        let action = try await JSONBody.read(AssetAction.self, request, userInfo: AssetAction.userInfo(asset: id))
        guard let event = action.event else {
            guard action.kind == .remove else {
                throw Problem(.unprocessableContent, .assetActionRefused, "Assets are added at /v1/assets.")
            }
            return try await remove(id, key, context)
        }
        let changes = tools.changes
        let outcome = try await tools.store.perform(action, on: id, key: key) { asset in
            let state = changes.newest(of: asset).state
            guard state.availableActions.contains(action.kind) else { throw Problem.refused(action.kind, state) }
            var machine = AssetStateMachine(source: .url(asset.source), state: state)
            do { _ = try machine.handle(event) } catch { throw Problem.refused(action.kind, state) }
            return machine.state
        }
        switch outcome {
        case .unknown: throw Problem.unknown(text)
        case .wasTaken(let asset): return try await answer(event, asset, context).replayed
        case .taken(let asset):
            tools.note(action.kind, id, context)
            tools.changes.notify()
            return try await answer(event, asset, context)
        }
    }

    private func answer(
        _ event: AssetStateMachine.Event, _ asset: AssetRecord, _ context: ServiceContext
    ) async throws -> Response {
        let asset = try asset.seen(by: context.client)
        guard event == .convert else { return .json(try asset.json(tools.base)) }
        try await ModelFile(form: .glb, tools: tools, derivations: derivations).prepare(asset)
        return .json(try asset.json(tools.base), status: .accepted)
    }
}

// A client that got no answer cannot know whether it was heard. With a key it may ask again.

extension RequestKey {
    /// `nil` where a request bears none.
    fileprivate init?(of request: Request, _ client: Client) throws(Problem) {
        guard let name = HeaderName("idempotency-key"), let text = request.headers[name] else { return nil }
        guard (1...255).contains(text.utf8.count), text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            throw Problem(.badRequest, nil, "Idempotency-Key: expected 1 to 255 visible ASCII characters.")
        }
        self.init(client: client.owner, text: text)
    }
}

extension Response {
    /// The same, as the answer to a request that was sent before.
    fileprivate var replayed: Response {
        var response = self
        if let name = HeaderName("idempotency-replayed") { response.headers[name] = "true" }
        return response
    }
}

/// One page of the assets that fit, the newest first.
private struct AssetList {
    private let query: AssetQuery
    /// The filters, as the next page is asked for with them.
    private let filters: [(name: String, value: String)]

    init(_ request: Request) throws {
        try AssetFilters.checkNames(request, besides: ["limit", "after"])
        let filters = try AssetFilters(request)
        var query = filters.query
        if let limit = try AssetFilters.limit(request, most: 500) { query.limit = limit }
        if let text = request.uri.queryParameters["after"] {
            guard let after = Int64(text), after > 0 else {
                throw Problem.parameter("after", text, expected: "what `next` of a page says")
            }
            query.after = after
        }
        (self.query, self.filters) = (query, filters.words)
    }

    func response(_ tools: ServiceTools, for client: Client) async throws -> Response {
        let page = try await tools.store.assets(query)
        for asset in page.unread { tools.log.error("an asset cannot be read", metadata: ["detail": "\(asset)"]) }
        let assets = try zip(page.assets, page.states).map { asset, state in
            let seen = try tools.changes.newest(of: asset).seen(by: client)
            guard seen.state == asset.state else { return try seen.json(tools.base) }
            return try seen.json(tools.base, state: JSONValue(text: Array(state.utf8)))
        }
        let next = page.next.map(link)
        var headers: HTTPFields = [:]
        if let next, let name = HeaderName("link") { headers[name] = "<\(next)>; rel=\"next\"" }
        return .json(
            [
                "assets": .array(assets),
                "next": JSONValue(page.next),
                "links": ["next": JSONValue(next.map(tools.base.link))],
            ], headers: headers)
    }

    private func link(after number: Int64) -> String {
        let all = [("limit", String(query.limit)), ("after", String(number))] + filters
        return "/v1/assets?" + all.map { "\($0)=\(PercentEncoding.encode($1))" }.joined(separator: "&")
    }
}

extension AssetRecord {
    /// Where it is found.
    var path: String { "/v1/assets/\(id.text)" }

    /// What the service says of it.
    ///
    /// - Parameter written: Its state, where that is JSON already.
    func json(_ base: BasePath, state written: JSONValue? = nil) throws -> JSONValue {
        let (actions, path) = (state.availableActions, base.link(path))
        var links: [String: JSONValue] = [
            "self": .string(path), "events": .string(path + "/events"), "inspect": .string(path + "/inspect"),
        ]
        for action in actions {
            links[action.rawValue] = .string(action == .remove ? path : path + "/actions")
        }
        if content != nil {
            for name in ["original", "report"] { links[name] = .string("\(path)/\(name)") }
        }
        if state.isReady {
            for name in ["tree", "files", "thumbnail.png"] + ServedModel.names {
                links[name] = .string("\(path)/\(name)")
            }
        }
        return [
            "id": .string(id.text), "name": .string(name), "source": .string(SourceAddress.display(source)),
            "sha256": JSONValue(content?.digest.hex),
            "bytes": JSONValue(content?.bytes), "state": try written ?? StateText.json(state),
            "progress": JSONValue(state.progress), "availableActions": JSONValue(actions.map(\.rawValue)),
            "created": .integer(created), "changed": .integer(changed), "links": .object(links),
            "labels": details.labels.json, "expires": JSONValue(details.expires),
        ]
    }
}

/// Small requests in JSON.
enum JSONBody {
    private static let limit = 64 << 10

    static func read<Value: Decodable>(
        _ type: Value.Type, _ request: Request, userInfo: [CodingUserInfoKey: any Sendable] = [:]
    ) async throws -> Value {
        try decode(type, try await bytes(request), userInfo: userInfo)
    }

    /// Refuses members besides those of a type, one that was misspelt among them: it would be taken for one that is absent.
    ///
    /// - Parameter members: All that there are.
    static func read<Value: Decodable, Members: CodingKey & CaseIterable>(
        _ type: Value.Type, members: Members.Type, _ request: Request
    ) async throws -> Value {
        let bytes = try await bytes(request)
        let names = Set(Members.allCases.map(\.stringValue))
        if let unknown = try decode([String: AnyMember].self, bytes).keys.filter({ !names.contains($0) }).min() {
            throw AssetDetailFault(unknown: "member", unknown, expected: names.sorted().joined(separator: ", "))
        }
        return try decode(type, bytes)
    }

    /// A member whose name alone is looked at.
    private struct AnyMember: Decodable {
        init(from decoder: any Decoder) {}
    }

    private static func bytes(_ request: Request) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        try await request.body.take { buffer in
            bytes += Array(buffer: buffer)
            guard bytes.count <= limit else {
                throw Problem(.contentTooLarge, nil, "The body has more than \(limit) bytes.")
            }
        }
        return bytes
    }

    private static func decode<Value: Decodable>(
        _ type: Value.Type, _ bytes: [UInt8], userInfo: [CodingUserInfoKey: any Sendable] = [:]
    ) throws -> Value {
        let decoder = JSONDecoder()
        decoder.userInfo = userInfo
        do { return try decoder.decode(type, from: Data(bytes)) } catch let error as DecodingError {
            throw Problem(.badRequest, nil, detail(error))
        }
    }

    private static func detail(_ error: DecodingError) -> String {
        let context: DecodingError.Context
        switch error {
        case .typeMismatch(_, let found), .valueNotFound(_, let found), .dataCorrupted(let found): context = found
        case .keyNotFound(let key, _): return "The body has no '\(key.stringValue)'."
        @unknown default: return "The body is not what was expected."  // allowed: it may grow
        }
        let place = context.codingPath.map(\.stringValue).joined(separator: ".")
        return place.isEmpty ? "The body is no JSON that fits." : "\(place): \(context.debugDescription)"
    }
}
