import DaeCore
import Daedalus

/// What is kept of webhooks, and of what they are still to be told.
struct WebhookStore: Sendable {
    private let database: any RowDatabase

    init(_ database: any RowDatabase) { self.database = database }

    /// Keeps one, in place of another of its name; one that was parked is active again.
    ///
    /// - Returns: Whether there was room.
    func put(_ hook: Webhook) async throws -> Bool {
        let labels = try StateText.text(hook.labels.values)
        return try await database.write { session in
            let others: Int? = try session.value("SELECT count(*) FROM webhooks WHERE name <> $1", [hook.name])
            guard others ?? 0 < Webhook.limit else { return false }
            try session.execute(
                """
                INSERT INTO webhooks (name, url, secret, events, labels, created, taken)
                VALUES ($1, $2, $3, $4, $5, $6, $7)
                ON CONFLICT (name) DO UPDATE SET url = excluded.url, secret = excluded.secret,
                    events = excluded.events, labels = excluded.labels, taken = excluded.taken, fault = NULL,
                    parked = NULL
                """,
                [
                    hook.name, hook.url, hook.secret.text, hook.events.map(\.rawValue).sorted().joined(separator: " "),
                    labels, hook.created, session.now(),
                ])
            try session.execute(
                "UPDATE deliveries SET due = $1 WHERE hook = $2 AND attempts > 0", [session.now(), hook.name])
            return true
        }
    }

    func webhooks() async throws -> [WebhookStatus] {
        try await database.read { session in
            try session.rows(
                """
                SELECT *, (SELECT count(*) FROM deliveries WHERE hook = webhooks.name) AS waiting
                FROM webhooks ORDER BY name
                """
            ).map { row in
                let parked: Int64? = try row["parked"]
                return WebhookStatus(
                    hook: try WebhookRow.webhook(row), phase: parked == nil ? .active : .parked,
                    waiting: try row["waiting"], dropped: try row["dropped"], fault: try row["fault"])
            }
        }
    }

    func removeWebhook(_ name: String) async throws -> Bool {
        try await database.write { session in
            try session.execute("DELETE FROM webhooks WHERE name = $1", [name]) > 0
        }
    }

    /// Whether nothing that happened before to the same asset is still to be told.
    private static let isNext = """
        NOT EXISTS (SELECT 1 FROM deliveries AS earlier WHERE earlier.hook = deliveries.hook
            AND earlier.asset = deliveries.asset AND earlier.number < deliveries.number)
        """

    /// The names of those that something waits for now.
    func dueWebhooks() async throws -> [String] {
        try await database.read { session in
            try session.values(
                """
                SELECT name FROM webhooks WHERE EXISTS (
                    SELECT 1 FROM deliveries WHERE hook = webhooks.name AND due <= $1 AND \(Self.isNext))
                """, [session.now()])
        }
    }

    /// The next delivery to a webhook, in the order of what happened to each asset.
    ///
    /// - Parameter time: Milliseconds for which nobody else takes it.
    func claim(for name: String, time: Int64) async throws -> WebhookDelivery? {
        try await database.write { session in
            let row = try session.row(
                """
                SELECT * FROM deliveries WHERE hook = $1 AND due <= $2 AND \(Self.isNext)
                ORDER BY due, number LIMIT 1 \(session.dialect.lockingFree("deliveries"))
                """, [name, session.now()])
            let hook = try session.row("SELECT * FROM webhooks WHERE name = $1", [name])
            guard let row, let hook else { return nil }
            let (number, attempts): (Int64, Int) = (try row["number"], try row["attempts"])
            try session.execute(
                "UPDATE deliveries SET due = $1, attempts = attempts + 1 WHERE number = $2",
                [session.now() + time, number])
            return WebhookDelivery(
                number: number, id: try row["id"], hook: try WebhookRow.webhook(hook), body: try row["body"],
                created: try row["created"], attempts: attempts + 1)
        }
    }

    func finish(_ delivery: WebhookDelivery) async throws {
        try await database.write { session in
            try session.execute("DELETE FROM deliveries WHERE number = $1", [delivery.number])
            try session.execute(
                "UPDATE webhooks SET taken = $1, fault = NULL WHERE name = $2",
                [session.now(), delivery.hook.name])
        }
    }

    /// Has a delivery wait for its next try, or drops it where it was tried for too long; parks the webhook where it took
    /// nothing else meanwhile.
    ///
    /// - Returns: Whether the webhook was parked.
    func retry(_ delivery: WebhookDelivery, after pause: Int64, fault: String) async throws -> Bool {
        try await database.write { session in
            try session.execute("UPDATE webhooks SET fault = $1 WHERE name = $2", [fault, delivery.hook.name])
            let now = try session.now()
            guard now - delivery.created >= WebhookDelivery.lifetime else {
                try session.execute("UPDATE deliveries SET due = $1 WHERE number = $2", [now + pause, delivery.number])
                return false
            }
            try session.execute("DELETE FROM deliveries WHERE number = $1", [delivery.number])
            try session.execute(
                """
                UPDATE webhooks SET dropped = dropped + 1, parked = CASE WHEN taken <= $1 THEN $2 END
                WHERE name = $3
                """,
                [now - WebhookDelivery.lifetime, now, delivery.hook.name])
            try session.execute(
                """
                DELETE FROM deliveries WHERE hook IN (
                    SELECT name FROM webhooks WHERE name = $1 AND parked IS NOT NULL)
                """, [delivery.hook.name])
            let isParked = "SELECT parked IS NOT NULL FROM webhooks WHERE name = $1"
            return try session.value(isParked, [delivery.hook.name]) ?? false
        }
    }

    /// Has a delivery that was not tried to its end wait no longer.
    func release(_ delivery: WebhookDelivery) async throws {
        try await database.write { session in
            try session.execute(
                "UPDATE deliveries SET due = $1, attempts = attempts - 1 WHERE number = $2",
                [session.now(), delivery.number])
        }
    }
}
