import DaeCore
import Daedalus
import Logging
import ServiceLifecycle
import Synchronization

/// Brings deliveries to webhooks: one at a time to each, and to all of them at once.
actor WebhookCourier: Service {
    private enum Outcome {
        case delivered
        case failed(String)
        /// The service ends.
        case stopped
    }

    private let tools: ServiceTools
    private let http: HTTPClient
    private var running: [String: Task<Void, Never>] = [:]

    /// Milliseconds for which no other process tries a delivery; more than a try takes.
    private static let claimTime: Int64 = 60_000
    /// Seconds that a receiver may take.
    private static let patience = 10

    init(_ tools: ServiceTools) throws {
        self.tools = tools
        var options = RequestOptions()
        options.userAgent = "daed/\(Daed.version)"
        http = HTTPClient(options, policy: try tools.settings.networkPolicy())
    }

    func run() async throws {
        for await _ in tools.changes.notices().cancelOnGracefulShutdown() {
            guard !tools.phase.isStopping else { break }
            do {
                for name in try await tools.webhooks.dueWebhooks() where running[name] == nil {
                    running[name] = Task {
                        await deliver(to: name)
                        ended(name)
                    }
                }
                // Of most that is kept no webhook is told.
                try await Task.sleep(for: .milliseconds(200))
            } catch is CancellationError { break } catch { tools.log.error("webhooks: \(error)") }
        }
        let tasks = Array(running.values)
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
        // Whoever ends before its turn is taken for broken.
        try? await gracefulShutdown()
    }

    private func ended(_ name: String) { running[name] = nil }

    /// Tells a webhook all that waits for it now.
    private func deliver(to name: String) async {
        do {
            while !Task.isCancelled, let delivery = try await tools.webhooks.claim(for: name, time: Self.claimTime) {
                let (outcome, store) = (await send(delivery), tools.webhooks)
                // Not this task, which may be cancelled.
                let isParked = try await Task {
                    switch outcome {
                    case .delivered: try await store.finish(delivery)
                    case .stopped: try await store.release(delivery)
                    case .failed(let fault):
                        let pause = delivery.pause(chance: .random(in: 0..<1))
                        return try await store.retry(delivery, after: pause, fault: fault)
                    }
                    return false
                }.value
                note(outcome, delivery, isParked)
            }
        } catch is CancellationError { return } catch {
            tools.log.error("webhook: \(error)", metadata: ["webhook": "\(name)"])
        }
    }

    private func note(_ outcome: Outcome, _ delivery: WebhookDelivery, _ isParked: Bool) {
        switch outcome {
        case .delivered: tools.metrics.count(.webhookDeliveries, ("outcome", "delivered"))
        case .stopped: break
        case .failed(let fault):
            tools.metrics.count(.webhookDeliveries, ("outcome", "failed"))
            let metadata: Logger.Metadata = [
                "webhook": "\(delivery.hook.name)", "event": "\(delivery.id)", "reason": "\(fault)",
                "attempt": .stringConvertible(delivery.attempts),
            ]
            tools.log.warning("webhook failed", metadata: metadata)
            if isParked { tools.log.error("webhook parked: it took nothing for a day", metadata: metadata) }
        }
    }

    /// Tries once. An answer's body is not read, and a redirect not followed.
    private func send(_ delivery: WebhookDelivery) async -> Outcome {
        let hook = delivery.hook
        let body = RequestBody(Array(delivery.body.utf8))
        var exchange = HTTPExchange(hook.url, .post(body, type: "application/json"))
        exchange.patience = .seconds(Self.patience)
        do { exchange.headers = try delivery.headers(now: AssetOperations.Instant.systemTime() / 1000) } catch {
            return .failed("\(error)")
        }
        let answer = AnswerStatus()
        let (http, finished) = (http, exchange)
        let sending = Task { () -> DownloadError? in
            do throws(DownloadError) { try await http.run(finished, to: answer.receiver) } catch { return error }
            return nil
        }
        // A receiver that sends a byte now and then is not waited for.
        let deadline = Task {
            try? await Task.sleep(for: .seconds(2 * Self.patience))
            if !Task.isCancelled { sending.cancel() }
        }
        defer { deadline.cancel() }
        let fault = await withTaskCancellationHandler {
            await sending.value
        } onCancel: {
            sending.cancel()
        }
        if let status = answer.status {
            return (200...299).contains(status) ? .delivered : .failed("HTTP \(status)")
        }
        if Task.isCancelled { return .stopped }
        guard let fault else { return .failed("there was no answer") }
        guard !fault.isCancelled else { return .failed("there was no answer in \(2 * Self.patience) seconds") }
        return .failed(LinkSecret.hidden(in: fault.message, about: hook.url))
    }
}

/// What an answer begins with. A class because the transfer's thread says it.
private final class AnswerStatus: Sendable {
    private let value = Mutex<Int?>(nil)

    var status: Int? { value.withLock { $0 } }

    var receiver: HTTPClient.Receiver {
        .init(head: { head in self.value.withLock { $0 = head.status } }, body: { _ in false })
    }
}
