import DaeCore
import Daedalus
import GRDB

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

/// Deliveries, each kept in the transaction of what it tells of.
enum WebhookRow {
    /// Deliveries that wait for one webhook at most.
    private static let limit = 10_000

    /// Has all webhooks told of an asset that want to be.
    static func add(_ event: WebhookEvent, of id: AssetID, at: Int64, _ database: Database) throws {
        let rows = try Row.fetchAll(database, sql: "SELECT * FROM webhooks WHERE parked IS NULL ORDER BY name")
        // Of an asset that cannot be read nothing can be told.
        guard !rows.isEmpty, let asset = try? AssetRow.fetch(id, database) else { return }
        for row in rows {
            // One that another version wrote keeps no asset from its end.
            guard let hook = try? webhook(row), hook.events.contains(event), asset.details.labels.contain(hook.labels)
            else { continue }
            let waiting = try Int.fetchOne(
                database, sql: "SELECT count(*) FROM (SELECT 1 FROM deliveries WHERE hook = ? LIMIT ?)",
                arguments: [hook.name, limit])
            guard waiting ?? 0 < limit else {
                try database.execute(
                    sql: "UPDATE webhooks SET dropped = dropped + 1 WHERE name = ?", arguments: [hook.name])
                continue
            }
            let delivery = AssetID.random().text
            try database.execute(
                sql: "INSERT INTO deliveries (id, hook, asset, body, created, due) VALUES (?, ?, ?, ?, ?, ?)",
                arguments: [delivery, hook.name, id.text, try body(event, delivery, asset, at: at), at, at])
        }
    }

    /// What is secret of a link is not in it, as for whoever did not add it.
    private static func body(
        _ event: WebhookEvent, _ delivery: String, _ asset: AssetRecord, at: Int64
    ) throws -> String {
        let asset = try asset.seen(by: .stranger)
        let json: JSONValue = [
            "id": .string(delivery), "event": .string(event.rawValue), "time": .integer(at),
            "asset": [
                "id": .string(asset.id.text), "name": .string(asset.name),
                "sha256": JSONValue(asset.content?.digest.hex),
                "bytes": JSONValue(asset.content?.bytes), "labels": asset.details.labels.json,
                "expires": JSONValue(asset.details.expires), "state": try StateText.json(asset.state),
            ],
        ]
        return String(decoding: json.text(.compact), as: UTF8.self)
    }

    static func webhook(_ row: Row) throws -> Webhook {
        let (events, labels, secret): (String, String, String) = (row["events"], row["labels"], row["secret"])
        guard let secret = WebhookSecret(secret) else { throw DatabaseError(message: "a webhook has no secret") }
        return Webhook(
            name: row["name"], url: row["url"], secret: secret,
            events: Set(events.split(separator: " ").compactMap { WebhookEvent(rawValue: String($0)) }),
            labels: try AssetLabels(StateText.read([String: String].self, labels)), created: row["created"])
    }
}

/// ``WebhookStore`` in the same file as all else.
struct SQLiteWebhookStore: WebhookStore {
    private let pool: DatabasePool
    private let now: @Sendable () -> Int64

    init(_ store: SQLiteJobStore) { (pool, now) = (store.pool, store.now) }

    func put(_ hook: Webhook) async throws -> Bool {
        let labels = try StateText.text(hook.labels.values)
        return try await pool.write { database in
            let others = try Int.fetchOne(
                database, sql: "SELECT count(*) FROM webhooks WHERE name <> ?", arguments: [hook.name])
            guard others ?? 0 < Webhook.limit else { return false }
            try database.execute(
                sql: """
                    INSERT INTO webhooks (name, url, secret, events, labels, created, taken)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    ON CONFLICT (name) DO UPDATE SET url = excluded.url, secret = excluded.secret,
                        events = excluded.events, labels = excluded.labels, taken = excluded.taken, fault = NULL,
                        parked = NULL
                    """,
                arguments: [
                    hook.name, hook.url, hook.secret.text, hook.events.map(\.rawValue).sorted().joined(separator: " "),
                    labels, hook.created, now(),
                ])
            try database.execute(
                sql: "UPDATE deliveries SET due = ? WHERE hook = ? AND attempts > 0", arguments: [now(), hook.name])
            return true
        }
    }

    func webhooks() async throws -> [WebhookStatus] {
        try await pool.read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT *, (SELECT count(*) FROM deliveries WHERE hook = webhooks.name) AS waiting
                    FROM webhooks ORDER BY name
                    """
            ).map { row in
                let parked: Int64? = row["parked"]
                return WebhookStatus(
                    hook: try WebhookRow.webhook(row), phase: parked == nil ? .active : .parked,
                    waiting: row["waiting"], dropped: row["dropped"], fault: row["fault"])
            }
        }
    }

    func removeWebhook(_ name: String) async throws -> Bool {
        try await pool.write { database in
            try database.execute(sql: "DELETE FROM webhooks WHERE name = ?", arguments: [name])
            return database.changesCount > 0
        }
    }

    /// Whether nothing that happened before to the same asset is still to be told.
    private static let isNext = """
        NOT EXISTS (SELECT 1 FROM deliveries AS earlier WHERE earlier.hook = deliveries.hook
            AND earlier.asset = deliveries.asset AND earlier.number < deliveries.number)
        """

    func dueWebhooks() async throws -> [String] {
        try await pool.read {
            try String.fetchAll(
                $0,
                sql: """
                    SELECT name FROM webhooks WHERE EXISTS (
                        SELECT 1 FROM deliveries WHERE hook = webhooks.name AND due <= :now AND \(Self.isNext))
                    """, arguments: ["now": now()])
        }
    }

    func claim(for name: String, time: Int64) async throws -> WebhookDelivery? {
        try await pool.write { database in
            let row = try Row.fetchOne(
                database,
                sql: """
                    SELECT * FROM deliveries WHERE hook = :hook AND due <= :now AND \(Self.isNext)
                    ORDER BY due, number LIMIT 1
                    """, arguments: ["hook": name, "now": now()])
            let hook = try Row.fetchOne(database, sql: "SELECT * FROM webhooks WHERE name = ?", arguments: [name])
            guard let row, let hook else { return nil }
            let (number, attempts): (Int64, Int) = (row["number"], row["attempts"])
            try database.execute(
                sql: "UPDATE deliveries SET due = ?, attempts = attempts + 1 WHERE number = ?",
                arguments: [now() + time, number])
            return WebhookDelivery(
                number: number, id: row["id"], hook: try WebhookRow.webhook(hook), body: row["body"],
                created: row["created"], attempts: attempts + 1)
        }
    }

    func finish(_ delivery: WebhookDelivery) async throws {
        try await pool.write { database in
            try database.execute(sql: "DELETE FROM deliveries WHERE number = ?", arguments: [delivery.number])
            try database.execute(
                sql: "UPDATE webhooks SET taken = ?, fault = NULL WHERE name = ?",
                arguments: [now(), delivery.hook.name])
        }
    }

    func retry(_ delivery: WebhookDelivery, after pause: Int64, fault: String) async throws -> Bool {
        try await pool.write { database in
            try database.execute(
                sql: "UPDATE webhooks SET fault = ? WHERE name = ?", arguments: [fault, delivery.hook.name])
            guard now() - delivery.created >= WebhookDelivery.lifetime else {
                try database.execute(
                    sql: "UPDATE deliveries SET due = ? WHERE number = ?", arguments: [now() + pause, delivery.number])
                return false
            }
            try database.execute(sql: "DELETE FROM deliveries WHERE number = ?", arguments: [delivery.number])
            try database.execute(
                sql: """
                    UPDATE webhooks SET dropped = dropped + 1, parked = iif(taken <= :before, :now, NULL)
                    WHERE name = :name
                    """,
                arguments: ["before": now() - WebhookDelivery.lifetime, "now": now(), "name": delivery.hook.name])
            try database.execute(
                sql: """
                    DELETE FROM deliveries WHERE hook IN (
                        SELECT name FROM webhooks WHERE name = ? AND parked IS NOT NULL)
                    """, arguments: [delivery.hook.name])
            let isParked = "SELECT parked IS NOT NULL FROM webhooks WHERE name = ?"
            return try Bool.fetchOne(database, sql: isParked, arguments: [delivery.hook.name]) ?? false
        }
    }

    func giveBack(_ delivery: WebhookDelivery) async throws {
        try await pool.write { database in
            try database.execute(
                sql: "UPDATE deliveries SET due = ?, attempts = attempts - 1 WHERE number = ?",
                arguments: [now(), delivery.number])
        }
    }
}
