import Daedalus
import Glibc
import Hummingbird

/// Assets as a collection: adding, listing, telling, removing, and what may be done with them.
struct AssetRoutes: Sendable {
    let tools: ServiceTools

    func add(to group: RouterGroup<some RequestContext>) {
        group.post("assets") { request, _ in try await post(request) }
        group.get("assets") { request, _ in try await list(request) }
        group.get("assets/:id") { _, context in
            Response.json(try await asset(context.parameters).json())
        }
        group.delete("assets/:id") { _, context in try await delete(context.parameters) }
        group.post("assets/:id/actions") { request, context in try await act(request, context.parameters) }
    }

    /// The asset that a path names.
    func asset(_ parameters: Parameters) async throws -> AssetRecord {
        let text = try parameters.require("id")
        guard let id = AssetID(text), let asset = try await tools.store.asset(id) else { throw Problem.unknown(text) }
        return asset
    }

    // MARK: - Adding

    private func post(_ request: Request) async throws -> Response {
        let type = request.headers[.contentType]?.lowercased() ?? ""
        let asset = type.hasPrefix("application/json") ? try await ordered(request) : try await uploaded(request)
        tools.bell.ring()
        return .json(try asset.json(), status: .created, headers: [.location: asset.path])
    }

    private struct Order: Decodable {
        let url: String
        let name: String?
    }

    private func ordered(_ request: Request) async throws -> AssetRecord {
        let order: Order = try await JSONBody.read(Order.self, request)
        guard order.url.utf8.count <= 8192, case .url = AssetSource(order.url, exists: { _ in false }).location,
            AssetSource(order.url, exists: { _ in false }).entry == nil
        else {
            throw Problem(
                .badRequest, .downloadURLInvalid,
                "'\(AssetSource.display(order.url).prefix(200))' is no http or https address of a file.")
        }
        try await tools.disk.check(adding: 0)
        let path = order.url.prefix { $0 != "?" && $0 != "#" }
        let now = AssetOperations.Instant.systemTime()
        let asset = AssetRecord(
            id: .random(), name: FileName.clean(order.name ?? String(path)), origin: .address(order.url), content: nil,
            state: .downloading(.init(source: order.url)), created: now, changed: now)
        try await admit(asset) {}
        return asset
    }

    private func uploaded(_ request: Request) async throws -> AssetRecord {
        let name = FileName.clean(request.uri.queryParameters["name"].map(String.init) ?? "")
        let declared = request.headers[.contentLength].flatMap { Int64($0) }
        try await tools.disk.check(adding: declared ?? 0)
        let upload = try await Upload.receive(
            request.body, declared: declared, limit: tools.settings.contentLimit, to: tools.folder.newUpload())
        defer { unlink(upload.path) }
        let content = StoredContent(digest: upload.digest, bytes: upload.bytes, name: name)
        let now = AssetOperations.Instant.systemTime()
        let isHere = try tools.blobs.file(upload.digest) != nil
        if !isHere { try await tools.disk.check(adding: upload.bytes) }
        let state = AssetState.downloading(.init(source: name))
        let known = isHere ? try tools.results.state(of: content, after: state, source: name) : nil
        let asset = AssetRecord(
            id: .random(), name: name, origin: .upload, content: content,
            state: known ?? state, created: now, changed: now)
        let blobs = tools.blobs
        try await admit(asset) { try blobs.adopt(upload.path, as: upload.digest) }
        return asset
    }

    private func admit(_ asset: AssetRecord, storing: @escaping @Sendable () throws -> Void) async throws {
        switch try await tools.store.add(asset, queueLimit: tools.settings.queueLimit, storing: storing) {
        case .added: break
        case .queueIsFull:
            throw Problem(
                .tooManyRequests, nil, "\(tools.settings.queueLimit) assets wait already.", retryAfter: 10)
        }
    }

    // MARK: - Listing

    private func list(_ request: Request) async throws -> Response {
        let parameters = request.uri.queryParameters
        var query = AssetQuery()
        if let text = parameters["limit"] {
            guard let limit = Int(text), (1...500).contains(limit) else {
                throw Problem(.badRequest, nil, "limit is '\(text.prefix(40))'; expected 1 to 500.")
            }
            query.limit = limit
        }
        if let text = parameters["after"] {
            guard let after = Int64(text), after > 0 else {
                throw Problem(.badRequest, nil, "after is '\(text.prefix(40))'; expected what `next` of a page says.")
            }
            query.after = after
        }
        if let text = parameters["state"] {
            guard ["downloading", "unzipping", "parsing", "ready", "failed"].contains(text) else {
                throw Problem(.badRequest, nil, "state is '\(text.prefix(40))', which is no state.")
            }
            query.state = String(text)
        }
        if let text = parameters["sha256"] {
            guard let digest = SHA256Digest(hex: text) else {
                throw Problem(.badRequest, nil, "sha256 is no 64 hexadecimal digits.")
            }
            query.digest = digest.hex
        }
        let page = try await tools.store.assets(query)
        return .json([
            "assets": .array(try page.assets.map { try $0.json() }), "next": JSONValue(page.next),
        ])
    }

    // MARK: - Ending and beginning again

    private func delete(_ parameters: Parameters) async throws -> Response {
        let text = try parameters.require("id")
        guard let id = AssetID(text), try await remove(id) else { throw Problem.unknown(text) }
        return Response(status: .noContent)
    }

    private func remove(_ id: AssetID) async throws -> Bool {
        let (blobs, results) = (tools.blobs, tools.results)
        let isGone = try await tools.store.remove(id) { unused in
            results.remove(unused.digest)
            try blobs.remove(unused.digest)
        }
        tools.bell.ring()
        return isGone
    }

    private func act(_ request: Request, _ parameters: Parameters) async throws -> Response {
        let text = try parameters.require("id")
        guard let id = AssetID(text) else { throw Problem.unknown(text) }
        let action = try await JSONBody.read(AssetAction.self, request, userInfo: AssetAction.userInfo(asset: id))
        let event: AssetStateMachine.Event
        switch action {
        case .add:
            throw Problem(.unprocessableContent, .assetActionRefused, "Assets are added at /v1/assets.")
        case .remove:
            guard try await remove(id) else { throw Problem.unknown(text) }
            return Response(status: .noContent)
        case .retry: event = .retry
        case .cancel: event = .cancel
        }
        let asset = try await tools.store.take(action, on: id) { asset in
            var machine = AssetStateMachine(source: asset.source, state: asset.state)
            do { _ = try machine.handle(event) } catch {
                let allowed = asset.state.availableActions.map(\.rawValue).joined(separator: ", ")
                throw Problem(
                    .conflict, .assetActionRefused,
                    "'\(action.kind.rawValue)' is not possible while the asset is \(asset.state.wireName); "
                        + "possible: \(allowed).")
            }
            return machine.state
        }
        guard let asset else { throw Problem.unknown(text) }
        tools.bell.ring()
        return .json(try asset.json())
    }
}
