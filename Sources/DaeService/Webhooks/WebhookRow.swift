import DaeCore
import Daedalus

/// Deliveries, each kept in the transaction of what it tells of.
enum WebhookRow {
    /// Deliveries that wait for one webhook at most.
    private static let limit = 10_000

    /// Has all webhooks told of an asset that want to be.
    static func add(_ event: WebhookEvent, of id: AssetID, at: Int64, _ session: SQLSession) throws {
        let rows = try session.rows("SELECT * FROM webhooks WHERE parked IS NULL ORDER BY name")
        // Of an asset that cannot be read nothing can be told.
        guard !rows.isEmpty, let asset = try? AssetRow.fetch(id, session) else { return }
        for row in rows {
            // One that another version wrote keeps no asset from its end.
            guard let hook = try? webhook(row), hook.events.contains(event), asset.details.labels.contain(hook.labels)
            else { continue }
            let waiting: Int? = try session.value(
                "SELECT count(*) FROM (SELECT 1 FROM deliveries WHERE hook = $1 LIMIT $2) AS found",
                [hook.name, limit])
            guard waiting ?? 0 < limit else {
                try session.execute("UPDATE webhooks SET dropped = dropped + 1 WHERE name = $1", [hook.name])
                continue
            }
            let delivery = AssetID.random().text
            try session.execute(
                "INSERT INTO deliveries (id, hook, asset, body, created, due) VALUES ($1, $2, $3, $4, $5, $6)",
                [delivery, hook.name, id.text, try body(event, delivery, asset, at: at), at, at])
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

    static func webhook(_ row: SQLRow) throws -> Webhook {
        let (events, labels, secret): (String, String, String) = (
            try row["events"], try row["labels"], try row["secret"]
        )
        guard let secret = WebhookSecret(secret) else {
            throw SQLRowError(column: "secret", expected: "a webhook's secret")
        }
        return Webhook(
            name: try row["name"], url: try row["url"], secret: secret,
            events: Set(events.split(separator: " ").compactMap { WebhookEvent(rawValue: String($0)) }),
            labels: try AssetLabels(StateText.read([String: String].self, labels)), created: try row["created"])
    }
}
