import DaeCore
import Daedalus

/// What is kept of uploads that come in pieces.
struct UploadStore: Sendable {
    private let database: any RowDatabase

    init(_ database: any RowDatabase) { self.database = database }

    /// - Parameter limit: Unfinished uploads at most.
    /// - Returns: Whether there was room.
    func add(_ upload: ResumableUpload, limit: Int) async throws -> Bool {
        try await database.write { session in
            let open: Int = try session.value("SELECT count(*) FROM uploads WHERE phase = 0") ?? 0
            guard open < limit else { return false }
            try QuotaRow.check(upload.addedBy, upload.id, adding: upload.length, session)
            try session.execute(
                """
                INSERT INTO uploads (id, name, metadata, length, received, expires, phase, addedBy)
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
                """,
                [
                    upload.id.text, upload.name, upload.metadata, upload.length, upload.received, upload.expires,
                    upload.phase.rawValue, upload.addedBy,
                ])
            return true
        }
    }

    func upload(_ id: AssetID) async throws -> ResumableUpload? {
        try await database.read { session in
            try session.row("SELECT * FROM uploads WHERE id = $1", [id.text])
                .flatMap(Self.upload)
        }
    }

    /// Those of some ids that there are.
    func known(_ ids: [AssetID]) async throws -> Set<AssetID> {
        let list = JSONValue.array(Set(ids).map { .string($0.text) }).text(.compact)
        let rows: [String] = try await database.values(
            "SELECT id FROM uploads WHERE id IN (\(database.dialect.texts("$1")))",
            [String(decoding: list, as: UTF8.self)])
        return Set(rows.compactMap { AssetID($0) })
    }

    /// Whether it was kept, and not held by another since.
    func save(_ upload: ResumableUpload) async throws -> Bool {
        try await database.write { session in
            try session.execute(
                "UPDATE uploads SET received = $1, expires = $2, phase = $3 WHERE id = $4 AND holds = $5",
                [upload.received, upload.expires, upload.phase.rawValue, upload.id.text, upload.holds]) == 1
        }
    }

    /// Unless it was held by another since.
    func remove(_ upload: ResumableUpload) async throws {
        try await database.write { session in
            try session.execute("DELETE FROM uploads WHERE id = $1 AND holds = $2", [upload.id.text, upload.holds])
        }
    }

    /// Whether it is still for whoever held it so, and open; it stays so until the transaction ends.
    static func isHeld(_ upload: ResumableUpload, _ session: SQLSession) throws -> Bool {
        try session.row(
            "SELECT id FROM uploads WHERE id = $1 AND holds = $2 AND phase = $3 \(session.dialect.locking("uploads"))",
            [upload.id.text, upload.holds, ResumableUpload.Phase.open.rawValue]) != nil
    }

    /// In the transaction that adds its asset.
    static func finish(_ upload: ResumableUpload, _ session: SQLSession) throws {
        try session.execute(
            "UPDATE uploads SET phase = $1 WHERE id = $2",
            [ResumableUpload.Phase.finished.rawValue, upload.id.text])
    }

    // MARK: - Leases

    /// Holds an upload that nobody else holds.
    ///
    /// - Parameter lease: Milliseconds for which that lasts unless it is renewed.
    /// - Returns: How often it has been held by now: what is written with an older number is not kept.
    func acquireLease(of id: AssetID, lease: Int64) async throws -> Int64? {
        try await database.write { session in
            let now = try session.now()
            let held = try session.execute(
                "UPDATE uploads SET holds = holds + 1, heldUntil = $1 WHERE id = $2 AND coalesce(heldUntil, 0) <= $3",
                [now + lease, id.text, now])
            return held == 1 ? try session.value("SELECT holds FROM uploads WHERE id = $1", [id.text]) : nil
        }
    }

    /// - Parameter lease: `nil` ends it, whatever renewal still comes.
    func renew(_ id: AssetID, _ holds: Int64, lease: Int64?) async throws {
        try await database.write { session in
            try session.execute(
                "UPDATE uploads SET heldUntil = $1 WHERE id = $2 AND holds = $3 AND heldUntil IS NOT NULL",
                [lease.map { try session.now() + $0 }, id.text, holds])
        }
    }

    /// What the unfinished ones have on the disk.
    func partialBytes() async throws -> Int64 {
        try await database.read { session in
            try session.value(
                """
                SELECT CAST(sum(received) AS bigint) FROM uploads
                WHERE phase = 0 AND NOT EXISTS (SELECT 1 FROM assets WHERE assets.id = uploads.id)
                """) ?? 0
        }
    }

    /// Those whose time is over, and those that are whole but no asset yet, by when their time is over; some at a time.
    func dueUploads(at now: Int64) async throws -> [ResumableUpload] {
        try await database.read { session in
            try session.rows(
                """
                SELECT * FROM uploads WHERE expires < $1 OR (phase = 0 AND received = length)
                ORDER BY expires LIMIT 100
                """, [now]
            ).compactMap(Self.upload)
        }
    }

    private static func upload(_ row: SQLRow) throws -> ResumableUpload? {
        guard let id = AssetID(try row["id"]), let phase = ResumableUpload.Phase(rawValue: try row["phase"]) else {
            return nil
        }
        return ResumableUpload(
            id: id, name: try row["name"], metadata: try row["metadata"], length: try row["length"],
            received: try row["received"], expires: try row["expires"], phase: phase, addedBy: try row["addedBy"],
            holds: try row["holds"])
    }
}
