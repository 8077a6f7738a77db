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
                    id, name, url, sha256, contentName, contentKey, stateName, state, created, changed, addedBy)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                asset.id.text, asset.name, url, asset.content?.digest.hex, asset.content?.name,
                asset.content?.key.text, asset.state.kind.rawValue, try StateText.text(asset.state), asset.created,
                asset.changed, asset.addedBy,
            ])
    }

    static func fetch(_ id: AssetID, _ database: Database) throws -> AssetRecord? {
        try Row.fetchOne(
            database, sql: "SELECT assets.*, contents.bytes FROM assets LEFT JOIN contents USING (sha256) WHERE id = ?",
            arguments: [id.text]
        ).map(asset)
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
            addedBy: row["addedBy"])
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
    }

    /// Forgets an asset and what happened to it: whoever comes back is told that it is gone, and nothing more of it.
    static func remove(_ id: AssetID, at: Int64, _ database: Database) throws {
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
