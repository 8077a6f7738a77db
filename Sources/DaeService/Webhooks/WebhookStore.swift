import DaeCore
import Daedalus

/// What is kept of webhooks, and of what they are still to be told.
protocol WebhookStore: Sendable {
    /// Keeps one, in place of another of its name; one that was parked is active again.
    ///
    /// - Returns: Whether there was room.
    func put(_ hook: Webhook) async throws -> Bool
    func webhooks() async throws -> [WebhookStatus]
    func removeWebhook(_ name: String) async throws -> Bool
    /// The names of those that something waits for now.
    func dueWebhooks() async throws -> [String]
    /// The next delivery to a webhook, in the order of what happened to each asset.
    ///
    /// - Parameter time: Milliseconds for which nobody else takes it.
    func claim(for name: String, time: Int64) async throws -> WebhookDelivery?
    func finish(_ delivery: WebhookDelivery) async throws
    /// Has a delivery wait for its next try, or drops it where it was tried for too long; parks the webhook where it took
    /// nothing else meanwhile.
    ///
    /// - Returns: Whether the webhook was parked.
    func retry(_ delivery: WebhookDelivery, after pause: Int64, fault: String) async throws -> Bool
    /// Has a delivery that was not tried to its end wait no longer.
    func giveBack(_ delivery: WebhookDelivery) async throws
}
