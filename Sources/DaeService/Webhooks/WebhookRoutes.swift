import DaeCore
import Daedalus
import Hummingbird
import Logging

/// Webhooks, for administrators.
struct WebhookRoutes: Sendable {
    let tools: ServiceTools

    func add(to group: RouterGroup<ServiceContext>) {
        group.get("webhooks") { _, context in
            try context.demandAdmin()
            return Response.json(["webhooks": .array(try await tools.webhooks.webhooks().map(\.json))])
        }
        group.put("webhooks/:name") { request, context in
            try context.demandAdmin()
            return try await put(request, context)
        }
        group.delete("webhooks/:name") { _, context in
            try context.demandAdmin()
            let name = try context.parameters.require("name")
            guard try await tools.webhooks.removeWebhook(name) else {
                throw Problem(.notFound, nil, "There is no webhook '\(name.printable(limit: 64))'.")
            }
            note("webhook removed", name, context)
            return Response(status: .noContent)
        }
    }

    private struct Order: Decodable {
        enum CodingKeys: CodingKey, CaseIterable {
            case url, secret, events, labels
        }

        let url: String
        let secret: String
        /// All without.
        let events: [String]?
        let labels: [String: String]?
    }

    private func put(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let name = try context.parameters.require("name")
        guard AssetID(name) != nil else {
            throw Problem(.badRequest, nil, "Expected a name of 1 to 64 letters, digits, '-' or '_'.")
        }
        let order = try await JSONBody.read(Order.self, members: Order.CodingKeys.self, request)
        guard let secret = WebhookSecret(order.secret) else {
            throw AssetDetailFault(
                name: "secret", text: "secret: expected 16 to 200 bytes, as a text or as 'whsec_' and base 64.")
        }
        let names = order.events ?? WebhookEvent.allCases.map(\.rawValue)
        let events = Set(names.compactMap { WebhookEvent(rawValue: $0) })
        guard !events.isEmpty, events.count == names.count else {
            let known = WebhookEvent.allCases.map(\.rawValue).joined(separator: ", ")
            throw AssetDetailFault(name: "events", text: "events: expected some of \(known), each once.")
        }
        guard order.url.utf8.count <= 2048 else {
            throw AssetDetailFault(name: "url", text: "url has more than 2048 bytes.")
        }
        do { try HTTPClient.check(order.url, by: try tools.settings.networkPolicy()) } catch let error as DownloadError
        {
            throw Problem(.badRequest, error.code, LinkSecret.hidden(in: error.message, about: order.url))
        }
        let hook = Webhook(
            name: name, url: order.url, secret: secret, events: events, labels: try AssetLabels(order.labels ?? [:]),
            created: AssetOperations.Instant.systemTime())
        guard try await tools.webhooks.put(hook) else {
            throw Problem(.conflict, nil, "There are \(Webhook.limit) webhooks already.")
        }
        note("webhook put", name, context)
        guard let status = try await tools.webhooks.webhooks().first(where: { $0.hook.name == name }) else {
            throw Problem(.conflict, nil, "Another request removed the webhook.")
        }
        return .json(status.json)
    }

    private func note(_ message: Logger.Message, _ name: String, _ context: ServiceContext) {
        tools.audit.notice(
            message,
            metadata: ["webhook": "\(name)", "request": "\(context.requestID)", "client": "\(context.client.logged)"])
    }
}
