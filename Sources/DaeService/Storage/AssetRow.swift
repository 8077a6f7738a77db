import DaeCore
import Daedalus
import GRDB

/// Assets, contents and events as rows of the database.
enum AssetRow {
    /// A row that this program did not write.
    private struct Damage: Error, CustomStringConvertible {
        let description: String
    }

    static func insert(_ asset: AssetRecord, _ database: Database) throws {
        let url: String? =
            switch asset.origin {
            case .address(let url): url
            case .upload: nil
            }
        try database.execute(
            sql: """
                INSERT INTO assets (
                    id, name, url, sha256, contentName, contentKey, stateName, state, created, changed, addedBy,
                    expires)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                asset.id.text, asset.name, url, asset.content?.digest.hex, asset.content?.name,
                asset.content?.key.text, asset.state.kind.rawValue, try StateText.text(asset.state), asset.created,
                asset.changed, asset.addedBy, asset.details.expires,
            ])
        try insert(asset.details.labels, of: database.lastInsertedRowID, database)
        guard let download = asset.details.download else { return }
        try database.execute(
            sql: "INSERT INTO assetDownloads (asset, details) VALUES (?, ?)",
            arguments: [asset.id.text, try StateText.text(download)])
    }

    private static func insert(_ labels: AssetLabels, of number: Int64, _ database: Database) throws {
        for (name, value) in labels.values {
            try database.execute(
                sql: "INSERT INTO assetLabels (asset, name, value) VALUES (?, ?, ?)", arguments: [number, name, value])
        }
    }

    /// What an asset is made of, from `assets` and `contents`.
    static let columns = """
        assets.*, contents.bytes, (SELECT json_group_object(assetLabels.name, value) FROM assetLabels
        WHERE assetLabels.asset = assets.number) AS labels
        """

    static func fetch(_ id: AssetID, _ database: Database) throws -> AssetRecord? {
        try Row.fetchOne(
            database, sql: "SELECT \(columns) FROM assets LEFT JOIN contents USING (sha256) WHERE id = ?",
            arguments: [id.text]
        ).map(asset)
    }

    /// Keeps what a client says of an asset now, and tells of it.
    static func save(_ details: AssetDetails, of id: AssetID, at: Int64, _ database: Database) throws {
        try database.execute(sql: "UPDATE assets SET expires = ? WHERE id = ?", arguments: [details.expires, id.text])
        let number = try Int64.fetchOne(database, sql: "SELECT number FROM assets WHERE id = ?", arguments: [id.text])
        guard let number else { return }
        try database.execute(sql: "DELETE FROM assetLabels WHERE asset = ?", arguments: [number])
        try insert(details.labels, of: number, database)
        try tell(.details, String(decoding: details.json.text(.compact), as: UTF8.self), of: id, at: at, database)
    }

    static func asset(_ row: Row) throws -> AssetRecord {
        let text: String = row["id"]
        guard let id = AssetID(text) else { throw Damage(description: "an asset has the id '\(text)'") }
        let (url, digest): (String?, String?) = (row["url"], row["sha256"])
        var content: StoredContent?
        if let digest = digest.flatMap({ SHA256Digest(hex: $0) }) {
            let key: String = row["contentKey"] ?? ""
            guard let key = ContentKey(digest: digest, text: key) else {
                throw Damage(description: "the asset '\(text)' has the key '\(key)' of other bytes")
            }
            content = StoredContent(
                digest: digest, bytes: row["bytes"] ?? 0, name: row["contentName"] ?? row["name"], key: key)
        }
        return AssetRecord(
            id: id, name: row["name"], origin: url.map { .address($0) } ?? .upload, content: content,
            state: try StateText.read(AssetState.self, row["state"]), created: row["created"], changed: row["changed"],
            addedBy: row["addedBy"],
            details: AssetDetails(labels: try labels(row["labels"]), expires: row["expires"], download: nil))
    }

    /// - Parameter text: A JSON object of texts; `nil` where nobody asked for labels.
    private static func labels(_ text: String?) throws -> AssetLabels {
        guard let text, text != "{}" else { return AssetLabels() }
        do { return try AssetLabels(StateText.read([String: String].self, text)) } catch {
            throw Damage(description: "an asset has the labels '\(text.prefix(200))'")
        }
    }

    static func event(_ row: Row) -> ServiceEvent? {
        guard let asset = AssetID(row["asset"]), let kind = ServiceEvent.Kind(rawValue: row["kind"]) else { return nil }
        let secret = (row["url"] as String?).flatMap { LinkSecret(url: $0, addedBy: row["addedBy"]) }
        return ServiceEvent(number: row["number"], asset: asset, kind: kind, data: row["data"], secret: secret)
    }

    static func keep(_ content: StoredContent, _ database: Database) throws {
        try database.execute(
            sql: "INSERT OR IGNORE INTO contents (sha256, bytes) VALUES (?, ?)",
            arguments: [content.digest.hex, content.bytes])
    }

    /// Whether some bytes are an asset's.
    static func isNamed(_ digest: String, _ database: Database) throws -> Bool {
        try Bool.fetchOne(
            database, sql: "SELECT EXISTS (SELECT 1 FROM contents WHERE sha256 = ?)", arguments: [digest]) ?? false
    }

    /// Forgets some bytes unless an asset has them; whether it did.
    static func release(_ digest: SHA256Digest, _ database: Database) throws -> Bool {
        let isUsed = try Bool.fetchOne(
            database, sql: "SELECT EXISTS (SELECT 1 FROM assets WHERE sha256 = ?)", arguments: [digest.hex])
        guard isUsed == false else { return false }
        try database.execute(sql: "DELETE FROM contents WHERE sha256 = ?", arguments: [digest.hex])
        return true
    }

    /// Whether a job is still its owner's.
    static func isHeld(_ job: Job, _ database: Database) throws -> Bool {
        try Bool.fetchOne(
            database, sql: "SELECT EXISTS (SELECT 1 FROM jobs WHERE id = ? AND owner = ?)",
            arguments: [job.id, job.owner]) ?? false
    }

    /// Keeps a state and tells of it; one that is settled needs no job.
    static func save(_ state: AssetState, of id: AssetID, at: Int64, _ database: Database) throws {
        let text = try StateText.text(state)
        try database.execute(
            sql: "UPDATE assets SET stateName = ?, state = ?, changed = ? WHERE id = ?",
            arguments: [state.kind.rawValue, text, at, id.text])
        try tell(.state, text, of: id, at: at, database)
        guard state.isSettled else { return }
        try database.execute(sql: "DELETE FROM jobs WHERE asset = ?", arguments: [id.text])
        if !state.canRetry {
            try database.execute(sql: "DELETE FROM assetDownloads WHERE asset = ?", arguments: [id.text])
        }
        try WebhookRow.add(.settled, of: id, at: at, database)
    }

    /// Forgets an asset and what happened to it: whoever comes back is told that it is gone, and nothing more of it.
    static func remove(_ id: AssetID, at: Int64, _ database: Database) throws {
        try WebhookRow.add(.removed, of: id, at: at, database)
        try database.execute(sql: "DELETE FROM assets WHERE id = ?", arguments: [id.text])
        try database.execute(sql: "DELETE FROM events WHERE asset = ?", arguments: [id.text])
        try tell(.removed, "{}", of: id, at: at, database)
    }

    /// How many events are kept for those who come back.
    static let eventLimit: Int64 = 20_000

    static func tell(
        _ kind: ServiceEvent.Kind, _ data: String, of id: AssetID, at: Int64, _ database: Database
    ) throws {
        try database.execute(
            sql: "INSERT INTO events (asset, kind, data, at) VALUES (?, ?, ?, ?)",
            arguments: [id.text, kind.rawValue, data, at])
        try database.execute(
            sql: "DELETE FROM events WHERE number <= ?", arguments: [database.lastInsertedRowID - eventLimit])
    }
}

/// Keys of requests that may be sent again, each kept in the transaction that does what its request asks for.
enum RequestKeyRow {
    static func fetch(_ key: RequestKey, at now: Int64, _ database: Database) throws -> Row? {
        try Row.fetchOne(
            database, sql: "SELECT what, asset FROM requestKeys WHERE client = ? AND key = ? AND at >= ?",
            arguments: [key.client, key.text, now - RequestKey.lifetime])
    }

    /// The asset that a request with this key did something to; `nil` where there was none.
    ///
    /// - Parameter what: What is asked for: a key that came with something else is refused.
    static func asset(_ key: RequestKey?, _ what: String, at now: Int64, _ database: Database) throws -> AssetID? {
        guard let key, let row = try fetch(key, at: now, database) else { return nil }
        let (digest, asset): (String, String) = (row["what"], row["asset"])
        guard digest == Self.digest(what) else { throw RequestKeyError.anotherRequest }
        return AssetID(asset)
    }

    static func keep(
        _ key: RequestKey?, _ what: String, _ asset: AssetID, at now: Int64, _ database: Database
    ) throws {
        guard let key else { return }
        try database.execute(sql: "DELETE FROM requestKeys WHERE at < ?", arguments: [now - RequestKey.lifetime])
        try database.execute(
            sql: """
                DELETE FROM requestKeys WHERE rowid IN (
                    SELECT rowid FROM requestKeys ORDER BY at DESC LIMIT -1 OFFSET ?)
                """, arguments: [RequestKey.limit - 1])
        try database.execute(
            sql: "INSERT INTO requestKeys (client, key, what, asset, at) VALUES (?, ?, ?, ?, ?)",
            arguments: [key.client, key.text, digest(what), asset.text, now])
    }

    /// All that is kept of what was asked for: an address may be a secret, and outlive its asset here.
    private static func digest(_ what: String) -> String { SHA256Digest(hashing: Array(what.utf8)).hex }
}
