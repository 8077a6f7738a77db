import Daedalus
import Glibc
import Hummingbird

/// Assets as a collection: adding, listing, telling, removing, and what may be done with them.
struct AssetRoutes: Sendable {
    let tools: ServiceTools
    let derivations: Derivations

    func add(to group: RouterGroup<ServiceContext>) {
        group.post("assets") { request, context in try await post(request, context) }
        group.get("assets") { request, context in try await AssetList(request).response(tools, for: context.client) }
        group.get("assets/:id") { _, context in Response.json(try await asset(context).json()) }
        group.delete("assets/:id") { _, context in try await delete(context) }
        group.post("assets/:id/actions") { request, context in try await act(request, context) }
    }

    /// The asset that a path names, as the client may see it.
    func asset(_ context: ServiceContext) async throws -> AssetRecord {
        let text = try context.parameters.require("id")
        guard let id = AssetID(text), let asset = try await tools.store.asset(id) else { throw Problem.unknown(text) }
        return try asset.seen(by: context.client)
    }

    // MARK: - Adding

    private func post(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let type = request.headers[.contentType]?.lowercased() ?? ""
        let isOrder = type.hasPrefix("application/json")
        let admission = AssetAdmission(tools: tools, addedBy: context.client.owner, once: context.once)
        let asset = isOrder ? try await ordered(request, admission) : try await uploaded(request, admission)
        tools.note(.add, asset.id, context)
        return .json(try asset.json(), status: .created, headers: [.location: asset.path])
    }

    private struct Order: Decodable {
        let url: String
        let name: String?
    }

    private func ordered(_ request: Request, _ admission: AssetAdmission) async throws -> AssetRecord {
        let order: Order = try await JSONBody.read(Order.self, request)
        guard order.url.utf8.count <= 8192, case .url = AssetSource(order.url, exists: { _ in false }).location,
            AssetSource(order.url, exists: { _ in false }).entry == nil
        else {
            throw Problem(
                .badRequest, .downloadURLInvalid,
                "'\(LinkSecret.hidden(in: AssetSource.display(order.url), about: order.url).prefix(200))' is no http or https "
                    + "address of a file.")
        }
        try checkAddress(order.url)
        if try await !admission.isDone { try await tools.disk.check(adding: 0) }
        let path = order.url.prefix { $0 != "?" && $0 != "#" }
        let now = AssetOperations.Instant.systemTime()
        let asset = AssetRecord(
            id: .random(), name: FileName.clean(order.name ?? String(path)), origin: .address(order.url), content: nil,
            state: .downloading(.init(source: order.url)), created: now, changed: now, addedBy: admission.addedBy)
        return try await admission.admit(asset) {}
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

    private func uploaded(_ request: Request, _ admission: AssetAdmission) async throws -> AssetRecord {
        // Before the disk: more than may come at all says nothing of the room that there is.
        try ReceivedFile.checkLength(request, limit: tools.settings.contentLimit)
        let declared = request.headers[.contentLength].flatMap { Int64($0) } ?? 0
        // What was done already brings nothing new.
        let isDone = try await admission.isDone
        var room = DiskRoom(disk: tools.disk)
        do {
            if !isDone { try await room.take(declared) }
            let received = try await ReceivedFile.receive(
                request, limit: tools.settings.contentLimit, to: tools.folder.newUpload())
            var upload = received.upload
            defer { unlink(upload.path) }
            if !isDone { try await room.take(upload.bytes - declared) }
            upload.counted = upload.bytes
            let asset = try await admission.admit(upload, name: FileName.clean(received.name ?? ""))
            await room.giveBack()
            return asset
        } catch {
            await room.giveBack()
            throw error
        }
    }

    // MARK: - Ending and beginning again

    private func delete(_ context: ServiceContext) async throws -> Response {
        let text = try context.parameters.require("id")
        guard let id = AssetID(text), try await remove(id, nil, context) else { throw Problem.unknown(text) }
        return Response(status: .noContent)
    }

    private func remove(_ id: AssetID, _ once: OnceID?, _ context: ServiceContext) async throws -> Bool {
        guard case .removed(let unused) = try await tools.store.remove(id, once: once) else { return false }
        tools.note(.remove, id, context)
        tools.bell.ring()
        // Not this task, which ends with the client.
        if let unused { await Task { await tools.discard(unused) }.value }
        return true
    }

    private func act(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let (text, once) = (try context.parameters.require("id"), context.once)
        guard let id = AssetID(text) else { throw Problem.unknown(text) }
        let action = try await JSONBody.read(AssetAction.self, request, userInfo: AssetAction.userInfo(asset: id))
        let event: AssetStateMachine.Event
        switch action {
        case .add:
            throw Problem(.unprocessableContent, .assetActionRefused, "Assets are added at /v1/assets.")
        case .remove:
            guard try await remove(id, once, context) else { throw Problem.unknown(text) }
            return Response(status: .noContent)
        case .retry: event = .retry
        case .cancel: event = .cancel
        case .convert: event = .convert
        }
        let asset = try await tools.store.take(action, on: id, once: once) { asset in
            let state = asset.state
            guard state.availableActions.contains(action.kind) else { throw Problem.refused(action.kind, state) }
            var machine = AssetStateMachine(source: asset.source, state: state)
            do { _ = try machine.handle(event) } catch { throw Problem.refused(action.kind, state) }
            return machine.state
        }
        guard let asset = try asset?.seen(by: context.client) else { throw Problem.unknown(text) }
        tools.note(action.kind, id, context)
        tools.bell.ring()
        guard event == .convert else { return .json(try asset.json()) }
        try await ModelFile(tools: tools, derivations: derivations).prepare(asset)
        return .json(try asset.json(), status: .accepted)
    }
}
