import DaeCore
import Daedalus
import GRDB
import Synchronization

/// ``JobStore`` in one SQLite file, which several processes of one machine may share.
struct SQLiteJobStore: JobStore {
    let pool: DatabasePool
    let now: @Sendable () -> Int64
    private let damaged = DamagedJobs()

    init(path: String, now: @escaping @Sendable () -> Int64 = AssetOperations.Instant.systemTime) throws {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = true
        configuration.busyMode = .timeout(10)
        // A transaction that begins with reading and then writes would not wait for another writer.
        configuration.maximumReaderCount = 4
        try ServiceFolder.makePrivate(path)
        pool = try DatabasePool(path: path, configuration: configuration)
        self.now = now
        guard try !pool.read(SQLiteSchema.migrator.hasBeenSuperseded) else { throw NewerDatabase() }
        try SQLiteSchema.migrator.migrate(pool)
        // What was said to a client stays true when the machine stops right after.
        try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
        // Headers of links are secrets: where they were removed nothing is left of them.
        try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA secure_delete = ON") }
    }

    /// An older program would not keep what the tables have had since, and nobody would know.
    private struct NewerDatabase: Error, CustomStringConvertible {
        let description = "a newer daed keeps its database here; use that one, or a backup of before the update."
    }

    // MARK: - Assets

    func add(
        _ asset: AssetRecord, key: RequestKey?, queueLimit: Int, storing: @escaping @Sendable () throws -> Void
    ) async throws -> Admission {
        let trace = TraceContext.current?.trace
        return try await pool.write { database in
            let order = try asset.order()
            if let done = try RequestKeyRow.asset(key, order, at: now(), database) {
                guard let known = try AssetRow.fetch(done, database) else { throw RequestKeyError.removedSince }
                return .wasAdded(known)
            }
            if !asset.state.isSettled {
                let waiting = try Int.fetchOne(database, sql: "SELECT count(*) FROM jobs WHERE owner IS NULL") ?? 0
                guard waiting < queueLimit else { return .queueIsFull }
            }
            try QuotaRow.check(asset.addedBy, asset.id, adding: asset.content?.bytes, database)
            if let content = asset.content {
                try storing()
                try AssetRow.keep(content, database)
            }
            try AssetRow.insert(asset, database)
            try RequestKeyRow.keep(key, order, asset.id, at: now(), database)
            try AssetRow.tell(.state, try StateText.text(asset.state), of: asset.id, at: now(), database)
            if asset.state.isSettled { try WebhookRow.add(.settled, of: asset.id, at: now(), database) }
            if !asset.state.isSettled {
                try database.execute(
                    sql: "INSERT INTO jobs (asset, trace) VALUES (?, ?)", arguments: [asset.id.text, trace])
            }
            return .added
        }
    }

    func isKnown(_ key: RequestKey) async throws -> Bool {
        try await pool.read { try RequestKeyRow.fetch(key, at: now(), $0) != nil }
    }

    func asset(_ id: AssetID) async throws -> AssetRecord? {
        try await pool.read { try AssetRow.fetch(id, $0) }
    }

    func assets(_ query: AssetQuery) async throws -> AssetPage {
        try await pool.read { database in
            let (sql, arguments) = query.request(AssetRow.columns, limit: query.limit + 1)
            let rows = try Row.fetchAll(database, sql: sql, arguments: arguments)
            let shown = rows.prefix(query.limit)
            let next: Int64? = rows.count > query.limit ? shown.last?["number"] : nil
            // One that another version wrote, or that is damaged, hides none of the others.
            let assets = shown.map { row in Result { try AssetRow.asset(row) } }
            let read = zip(shown, assets).compactMap { row, asset in
                (try? asset.get()).map { ($0, row["state"] as String) }
            }
            return AssetPage(
                assets: read.map(\.0), states: read.map(\.1), next: next,
                unread: zip(shown, assets).compactMap { row, asset in
                    guard case .failure(let error) = asset else { return nil }
                    return "\(row["id"] as String): \(error)"
                })
        }
    }

    func remove(_ id: AssetID, key: RequestKey?) async throws -> Removal {
        let text = try StateText.text(AssetAction.remove(id))
        return try await pool.write { database in
            if try RequestKeyRow.asset(key, text, at: now(), database) != nil { return .wasRemoved }
            guard let asset = try AssetRow.fetch(id, database) else { return .unknown }
            try RequestKeyRow.keep(key, text, id, at: now(), database)
            try AssetRow.remove(id, at: now(), database)
            guard let content = asset.content, try AssetRow.release(content.digest, database) else {
                return .removed(unused: nil)
            }
            return .removed(unused: content.digest)
        }
    }

    func discard(_ digest: SHA256Digest, discarding: @escaping @Sendable () throws -> Void) async throws -> Bool {
        // It writes no row, so that it goes on a full disk, too.
        try await pool.write { database in
            guard try !AssetRow.isNamed(digest.hex, database) else { return false }
            try discarding()
            return true
        }
    }

    func contents() async throws -> Set<String> {
        try await pool.read { try String.fetchSet($0, sql: "SELECT sha256 FROM contents") }
    }

    func assetsWithoutContent() async throws -> Set<String> {
        try await pool.read { try String.fetchSet($0, sql: "SELECT id FROM assets WHERE sha256 IS NULL") }
    }

    // MARK: - States

    func save(_ state: AssetState, of job: Job) async throws -> Bool {
        try await pool.write { database in
            guard try AssetRow.isHeld(job, database) else { return false }
            try AssetRow.save(state, of: job.asset.id, at: now(), database)
            return true
        }
    }

    func save(
        _ content: StoredContent, of job: Job, storing: @escaping @Sendable () throws -> Void
    ) async throws -> ContentAdmission {
        try await pool.write { database in
            guard try AssetRow.isHeld(job, database) else { return .notHeld }
            try QuotaRow.check(bytes: content.bytes, of: job.asset.addedBy, database)
            try storing()
            try AssetRow.keep(content, database)
            try database.execute(
                sql: "UPDATE assets SET sha256 = ?, contentName = ?, contentKey = ? WHERE id = ?",
                arguments: [content.digest.hex, content.name, content.key.text, job.asset.id.text])
            let isRead = try Bool.fetchOne(
                database,
                sql: """
                    SELECT EXISTS (SELECT 1 FROM jobs JOIN assets ON assets.id = jobs.asset
                    WHERE sha256 = :digest AND jobs.id <> :job AND owner IS NOT NULL AND claimedUntil >= :now)
                    """, arguments: ["digest": content.digest.hex, "job": job.id, "now": now()])
            return isRead == true ? .isReadElsewhere : .kept
        }
    }

    func take(
        _ action: AssetAction, on id: AssetID, key: RequestKey?,
        deciding: @escaping @Sendable (AssetRecord) throws -> AssetState
    ) async throws -> ActionOutcome {
        let (text, trace) = (try StateText.text(action), TraceContext.current?.trace)
        return try await pool.write { database in
            let asset = try AssetRow.fetch(id, database)
            if try RequestKeyRow.asset(key, text, at: now(), database) != nil {
                guard let asset else { throw RequestKeyError.removedSince }
                return .wasTaken(asset)
            }
            guard let asset else { return .unknown }
            let state = try deciding(asset)
            try RequestKeyRow.keep(key, text, id, at: now(), database)
            try AssetRow.tell(.action, text, of: id, at: now(), database)
            if state != asset.state { try AssetRow.save(state, of: id, at: now(), database) }
            if !state.isSettled {
                try database.execute(
                    sql: "INSERT OR IGNORE INTO jobs (asset, trace) VALUES (?, ?)", arguments: [id.text, trace])
            }
            return try AssetRow.fetch(id, database).map { .taken($0) } ?? .unknown
        }
    }

    // MARK: - Jobs

    func claim(owner: String, until: Int64) async throws -> Job? {
        let known = damaged.ids
        return try await pool.write { database in
            let left = known.isEmpty ? "" : "AND jobs.id NOT IN (\(known.map(String.init).joined(separator: ", ")))"
            let id = try Int64.fetchOne(
                database,
                sql: """
                    SELECT jobs.id FROM jobs JOIN assets ON assets.id = jobs.asset
                    WHERE (jobs.owner IS NULL OR jobs.claimedUntil < :now) AND NOT EXISTS (
                        SELECT 1 FROM jobs AS other JOIN assets AS its ON its.id = other.asset
                        WHERE other.id <> jobs.id AND other.owner IS NOT NULL AND other.claimedUntil >= :now
                            AND its.sha256 = assets.sha256) \(left)
                    ORDER BY jobs.id LIMIT 1
                    """, arguments: ["now": now()])
            guard let id else { return nil }
            try database.execute(
                sql: "UPDATE jobs SET owner = ?, claimedUntil = ?, claims = claims + 1 WHERE id = ?",
                arguments: [owner, until, id])
            let row = try Row.fetchOne(
                database, sql: "SELECT asset, claims, trace FROM jobs WHERE id = ?", arguments: [id])
            guard let row else { return nil }
            let record: AssetRecord?
            do { record = try AssetID(row["asset"]).flatMap { try AssetRow.fetch($0, database) } } catch {
                // What was written is undone by the error; those behind it are claimed from now on.
                damaged.add(id)
                throw error
            }
            return record.map { Job(id: id, owner: owner, asset: $0, claims: row["claims"], trace: row["trace"]) }
        }
    }

    func renew(owner: String, until: Int64) async throws {
        try await pool.write { database in
            try database.execute(sql: "UPDATE jobs SET claimedUntil = ? WHERE owner = ?", arguments: [until, owner])
        }
    }

    func giveBack(_ job: Job) async throws {
        try await pool.write { database in
            try database.execute(
                sql: "UPDATE jobs SET owner = NULL, claimedUntil = NULL WHERE id = ? AND owner = ?",
                arguments: [job.id, job.owner])
        }
    }

    func release(owner: String?) async throws {
        try await pool.write { database in
            try database.execute(
                sql: """
                    UPDATE jobs SET owner = NULL, claimedUntil = NULL
                    WHERE owner = :owner OR (:owner IS NULL AND claimedUntil < :now)
                    """, arguments: ["owner": owner, "now": now()])
        }
    }

    func owners() async throws -> [String] {
        try await pool.read {
            try String.fetchAll($0, sql: "SELECT DISTINCT owner FROM jobs WHERE owner IS NOT NULL")
        }
    }

    func held(by owner: String) async throws -> [Int64] {
        try await pool.read { try Int64.fetchAll($0, sql: "SELECT id FROM jobs WHERE owner = ?", arguments: [owner]) }
    }

    // MARK: - Events

    func events(after number: Int64, of asset: AssetID?, limit: Int) async throws -> EventPage {
        try await pool.read { database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT events.number, asset, kind, data, url, addedBy
                    FROM events LEFT JOIN assets ON assets.id = events.asset
                    WHERE events.number > :number AND (:asset IS NULL OR asset = :asset)
                    ORDER BY events.number LIMIT :limit
                    """, arguments: ["number": number, "asset": asset?.text, "limit": limit])
            let newest = try Int64.fetchOne(database, sql: "SELECT max(number) FROM events") ?? 0
            let last: Int64? = rows.count < limit ? nil : rows.last?["number"]
            return EventPage(
                events: rows.compactMap(AssetRow.event), first: max(1, newest - AssetRow.eventLimit + 1),
                end: last ?? newest, newest: newest)
        }
    }

    // MARK: - The whole

    func counts() async throws -> ServiceCounts {
        try await pool.read { database in
            var counts = ServiceCounts()
            for row in try Row.fetchAll(
                database, sql: "SELECT stateName, count(*) AS number FROM assets GROUP BY stateName")
            {
                counts.states[row["stateName"]] = row["number"]
            }
            counts.queued = try Int.fetchOne(database, sql: "SELECT count(*) FROM jobs WHERE owner IS NULL") ?? 0
            counts.oldest = try Int64.fetchOne(
                database, sql: "SELECT min(changed) FROM jobs JOIN assets ON assets.id = asset WHERE owner IS NULL")
            counts.running = try Int.fetchOne(database, sql: "SELECT count(*) FROM jobs WHERE owner IS NOT NULL") ?? 0
            return counts
        }
    }

    func check() async throws {
        // Another value each time: what does not change is not written.
        try await pool.write {
            try $0.execute(sql: "UPDATE totals SET checked = max(checked + 1, ?)", arguments: [now()])
        }
    }
}

extension SQLiteJobStore: UploadStore {
    func add(_ upload: ResumableUpload, limit: Int) async throws -> Bool {
        try await pool.write { database in
            let open = try Int.fetchOne(database, sql: "SELECT count(*) FROM uploads WHERE phase = 0") ?? 0
            guard open < limit else { return false }
            try QuotaRow.check(upload.addedBy, upload.id, adding: upload.length, database)
            try database.execute(
                sql: """
                    INSERT INTO uploads (id, name, metadata, length, received, expires, phase, addedBy)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    upload.id.text, upload.name, upload.metadata, upload.length, upload.received, upload.expires,
                    upload.phase.rawValue, upload.addedBy,
                ])
            return true
        }
    }

    func upload(_ id: AssetID) async throws -> ResumableUpload? {
        try await pool.read { database in
            try Row.fetchOne(database, sql: "SELECT * FROM uploads WHERE id = ?", arguments: [id.text])
                .flatMap(Self.upload)
        }
    }

    func save(_ upload: ResumableUpload) async throws {
        try await pool.write { database in
            try database.execute(
                sql: "UPDATE uploads SET received = ?, expires = ?, phase = ? WHERE id = ?",
                arguments: [upload.received, upload.expires, upload.phase.rawValue, upload.id.text])
        }
    }

    func removeUpload(_ id: AssetID) async throws {
        try await pool.write { database in
            try database.execute(sql: "DELETE FROM uploads WHERE id = ?", arguments: [id.text])
        }
    }

    func partialBytes() async throws -> Int64 {
        try await pool.read { database in
            try Int64.fetchOne(
                database,
                sql: """
                    SELECT sum(received) FROM uploads
                    WHERE phase = 0 AND NOT EXISTS (SELECT 1 FROM assets WHERE assets.id = uploads.id)
                    """) ?? 0
        }
    }

    func dueUploads(at now: Int64) async throws -> [ResumableUpload] {
        try await pool.read { database in
            try Row.fetchAll(
                database, sql: "SELECT * FROM uploads WHERE expires < ? OR (phase = 0 AND received = length) LIMIT 100",
                arguments: [now]
            ).compactMap(Self.upload)
        }
    }

    private static func upload(_ row: Row) -> ResumableUpload? {
        guard let id = AssetID(row["id"]), let phase = ResumableUpload.Phase(rawValue: row["phase"]) else { return nil }
        return ResumableUpload(
            id: id, name: row["name"], metadata: row["metadata"], length: row["length"], received: row["received"],
            expires: row["expires"], phase: phase, addedBy: row["addedBy"])
    }
}

/// Whether something failed because the disk is full.
enum FullDisk {
    static func isBehind(_ error: any Error) -> Bool {
        if let error = error as? StorageError { return error.isFull }
        guard let error = error as? DatabaseError else { return false }
        // The second is that of the memory that processes share, which is a file.
        return error.resultCode == .SQLITE_FULL || error.extendedResultCode == .SQLITE_IOERR_SHMSIZE
    }
}

extension SQLiteJobStore {
    func close() throws {
        // Another process on it may hold the log; then that one does it.
        _ = try? pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        try pool.close()
    }

    func originalBytes() async throws -> Int64 {
        try await pool.read { try Int64.fetchOne($0, sql: "SELECT originals FROM totals") ?? 0 }
    }
}

/// Jobs whose assets cannot be read: they are left as they are, for a program that can. A class since copies of the
/// store share it.
private final class DamagedJobs: Sendable {
    private let known = Mutex<Set<Int64>>([])

    /// In order.
    var ids: [Int64] { known.withLock { $0.sorted() } }

    func add(_ id: Int64) { known.withLock { _ = $0.insert(id) } }
}
