import DaeCore
import Daedalus

/// Assets, contents and events as rows of the database.
enum AssetRow {
    /// A row that this program did not write.
    private struct Damage: Error, CustomStringConvertible {
        let description: String
    }

    static func insert(_ asset: AssetRecord, _ session: SQLSession) throws {
        let url: String? =
            switch asset.origin {
            case .address(let url): url
            case .upload: nil
            }
        let number: Int64? = try session.value(
            """
            INSERT INTO assets (
                id, name, url, sha256, contentName, contentKey, stateName, state, created, changed, addedBy, expires)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) RETURNING number
            """,
            [
                asset.id.text, asset.name, url, asset.content?.digest.hex, asset.content?.name,
                asset.content?.key.text, asset.state.kind.rawValue, try StateText.text(asset.state), asset.created,
                asset.changed, asset.addedBy, asset.details.expires,
            ])
        if let number { try insert(asset.details.labels, of: number, session) }
        guard let download = asset.details.download else { return }
        try session.execute(
            "INSERT INTO assetDownloads (asset, details) VALUES ($1, $2)",
            [asset.id.text, try StateText.text(download)])
    }

    private static func insert(_ labels: AssetLabels, of number: Int64, _ session: SQLSession) throws {
        for (name, value) in labels.values {
            try session.execute(
                "INSERT INTO assetLabels (asset, name, value) VALUES ($1, $2, $3)", [number, name, value])
        }
    }

    /// What an asset is made of, from `assets` and `contents`.
    static func columns(_ dialect: SQLDialect) -> String {
        """
        assets.*, contents.bytes, contents.object, (SELECT \(dialect.jsonObject)(assetLabels.name, value) FROM assetLabels
        WHERE assetLabels.asset = assets.number) AS labels
        """
    }

    /// Asks for the asset of an id.
    static func one(_ dialect: SQLDialect) -> String {
        """
        SELECT \(columns(dialect)) FROM assets LEFT JOIN contents ON contents.sha256 = assets.sha256 WHERE id = $1
        """
    }

    static func fetch(_ id: AssetID, _ session: SQLSession) throws -> AssetRecord? {
        try session.row(one(session.dialect), [id.text]).map(asset)
    }

    /// The same, which nobody else changes until the transaction ends.
    static func lock(_ id: AssetID, _ session: SQLSession) throws -> AssetRecord? {
        let lock = session.dialect.locking("assets")
        // In a statement of its own: what the next one sees is not older than the lock.
        guard try session.row("SELECT number FROM assets WHERE id = $1 \(lock)", [id.text]) != nil else { return nil }
        return try fetch(id, session)
    }

    /// Keeps what a client says of an asset now, and tells of it.
    static func save(_ details: AssetDetails, of id: AssetID, at: Int64, _ session: SQLSession) throws {
        try session.execute("UPDATE assets SET expires = $1 WHERE id = $2", [details.expires, id.text])
        guard let number: Int64 = try session.value("SELECT number FROM assets WHERE id = $1", [id.text]) else {
            return
        }
        try session.execute("DELETE FROM assetLabels WHERE asset = $1", [number])
        try insert(details.labels, of: number, session)
        session.record(.details, String(decoding: details.json.text(.compact), as: UTF8.self), of: id, at: at)
    }

    static func asset(_ row: SQLRow) throws -> AssetRecord {
        let text: String = try row["id"]
        guard let id = AssetID(text) else { throw Damage(description: "an asset has the id '\(text)'") }
        let (url, digest): (String?, String?) = (try row["url"], try row["sha256"])
        var content: StoredContent?
        if let digest = digest.flatMap({ SHA256Digest(hex: $0) }) {
            let key: String = try row["contentKey"] ?? ""
            guard let key = ContentKey(digest: digest, text: key) else {
                throw Damage(description: "the asset '\(text)' has the key '\(key)' of other bytes")
            }
            content = StoredContent(
                digest: digest, bytes: try row["bytes"] ?? 0, name: try row["contentName"] ?? row["name"], key: key,
                object: try object(of: digest, row["object"]))
        }
        return AssetRecord(
            id: id, name: try row["name"], origin: url.map { .address($0) } ?? .upload, content: content,
            state: try StateText.read(AssetState.self, row["state"]), created: try row["created"],
            changed: try row["changed"],
            addedBy: try row["addedBy"],
            details: AssetDetails(labels: try labels(row["labels"]), expires: try row["expires"], download: nil))
    }

    /// - Parameter text: A JSON object of texts; `nil` where nobody asked for labels.
    private static func labels(_ text: String?) throws -> AssetLabels {
        guard let text, text != "{}" else { return AssetLabels() }
        do { return try AssetLabels(StateText.read([String: String].self, text)) } catch {
            throw Damage(description: "an asset has the labels '\(text.prefix(200))'")
        }
    }

    static func event(_ row: SQLRow) throws -> ServiceEvent? {
        guard let asset = AssetID(try row["asset"]), let kind = ServiceEvent.Kind(rawValue: try row["kind"]) else {
            return nil
        }
        let (url, owner): (String?, String?) = (try row["url"], try row["addedBy"])
        let secret = url.flatMap { LinkSecret(url: $0, addedBy: owner) }
        return ServiceEvent(number: try row["number"], asset: asset, kind: kind, data: try row["data"], secret: secret)
    }

    /// Keeps where some bytes are; nothing is changed where they are `missing`.
    static func keep(_ content: StoredContent, _ bytes: ContentBytes, _ session: SQLSession) throws -> PutOutcome {
        switch bytes {
        case .known: return try lock(content.digest, session) == nil ? .missing : .named
        case .put(let key, let lost):
            var known: ObjectKey?
            // Those who had them may forget them just now.
            while known == nil {
                let isNew = try session.execute(
                    "INSERT INTO contents (sha256, bytes, object) VALUES ($1, $2, $3) ON CONFLICT (sha256) DO NOTHING",
                    [content.digest.hex, content.bytes, key.text])
                if isNew == 1 { return .named }
                known = try lock(content.digest, session)
            }
            guard known == lost else { return .unneeded }
            try session.execute(
                "UPDATE contents SET object = $1 WHERE sha256 = $2", [key.text, content.digest.hex])
            return .named
        }
    }

    /// What some bytes are in, which nobody else changes until the transaction ends; `nil` where they are no asset's.
    static func lock(_ digest: SHA256Digest, _ session: SQLSession) throws -> ObjectKey? {
        let lock = session.dialect.locking("contents")
        return try session.row("SELECT object FROM contents WHERE sha256 = $1 \(lock)", [digest.hex]).map {
            try object(of: digest, $0["object"])
        }
    }

    /// Asks what some bytes are in, of those that are an asset's; ``objects(_:)`` reads the answer.
    static func objectRequest(_ digests: [SHA256Digest], _ dialect: SQLDialect) -> (sql: String, SQLArguments) {
        let list = JSONValue.array(digests.map { .string($0.hex) }).text(.compact)
        return (
            "SELECT sha256, object FROM contents WHERE sha256 IN (\(dialect.texts("$1")))",
            [String(decoding: list, as: UTF8.self)]
        )
    }

    static func objects(_ rows: [SQLRow]) throws -> [SHA256Digest: ObjectKey] {
        var objects: [SHA256Digest: ObjectKey] = [:]
        for row in rows {
            guard let digest = SHA256Digest(hex: try row["sha256"] as String) else { continue }
            objects[digest] = try object(of: digest, row["object"])
        }
        return objects
    }

    /// What some bytes are in; `nil` where they are no asset's.
    static func object(of digest: SHA256Digest, _ session: SQLSession) throws -> ObjectKey? {
        let (sql, arguments) = objectRequest([digest], session.dialect)
        return try objects(session.rows(sql, arguments))[digest]
    }

    /// - Parameter text: As the row has it; `nil` for what an older version kept.
    static func object(of digest: SHA256Digest, _ text: String?) throws -> ObjectKey {
        guard let text else { return .blob(digest) }
        guard let key = ObjectKey(text), key.blob?.digest == digest else {
            throw Damage(
                description: "the bytes \(digest.hex) are in '\(text.prefix(200))', which is no object of theirs")
        }
        return key
    }

    /// Forgets some bytes unless an asset has them; gives what they are in.
    static func release(_ digest: SHA256Digest, _ session: SQLSession) throws -> UnusedContent? {
        // Whoever adds an asset with them holds them, too, or comes after this.
        guard let object = try lock(digest, session),
            try !session.has("SELECT 1 FROM assets WHERE sha256 = $1", [digest.hex])
        else { return nil }
        try session.execute("DELETE FROM contents WHERE sha256 = $1", [digest.hex])
        return UnusedContent(digest: digest, object: object)
    }

    /// Whether a job is still its owner's: the same owner may have it anew. It stays so until the transaction ends.
    static func isHeld(_ job: Job, _ session: SQLSession) throws -> Bool {
        // The asset before its job, as all do who lock both: else two of them could wait for each other.
        let lock = session.dialect.locking("assets, jobs")
        return try session.row(
            """
            SELECT jobs.id FROM assets JOIN jobs ON jobs.asset = assets.id
            WHERE assets.id = $1 AND jobs.id = $2 AND owner = $3 AND claims = $4 \(lock)
            """, [job.asset.id.text, job.id, job.owner, job.claims]) != nil
    }

    /// Keeps a state and tells of it; one that is settled needs no job.
    static func save(_ state: AssetState, of id: AssetID, at: Int64, _ session: SQLSession) throws {
        let text = try StateText.text(state)
        try session.execute(
            "UPDATE assets SET stateName = $1, state = $2, changed = $3 WHERE id = $4",
            [state.kind.rawValue, text, at, id.text])
        session.record(.state, text, of: id, at: at)
        guard state.isSettled else { return }
        try session.execute("DELETE FROM jobs WHERE asset = $1", [id.text])
        if !state.canRetry {
            try session.execute("DELETE FROM assetDownloads WHERE asset = $1", [id.text])
        }
        try WebhookRow.add(.settled, of: id, at: at, session)
    }

    /// Forgets an asset and what happened to it: whoever comes back is told that it is gone, and nothing more of it.
    static func remove(_ id: AssetID, at: Int64, _ session: SQLSession) throws {
        try WebhookRow.add(.removed, of: id, at: at, session)
        try session.execute("DELETE FROM assets WHERE id = $1", [id.text])
        try session.execute("DELETE FROM events WHERE asset = $1", [id.text])
        session.record(.removed, "{}", of: id, at: at)
    }
}
