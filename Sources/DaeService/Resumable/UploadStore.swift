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

    func save(_ upload: ResumableUpload) async throws {
        try await database.write { session in
            try session.execute(
                "UPDATE uploads SET received = $1, expires = $2, phase = $3 WHERE id = $4",
                [upload.received, upload.expires, upload.phase.rawValue, upload.id.text])
        }
    }

    func removeUpload(_ id: AssetID) async throws {
        try await database.write { session in
            try session.execute("DELETE FROM uploads WHERE id = $1", [id.text])
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

    /// Those whose time is over, and those that are whole but no asset yet.
    func dueUploads(at now: Int64) async throws -> [ResumableUpload] {
        try await database.read { session in
            try session.rows(
                "SELECT * FROM uploads WHERE expires < $1 OR (phase = 0 AND received = length) LIMIT 100",
                [now]
            ).compactMap(Self.upload)
        }
    }

    private static func upload(_ row: SQLRow) throws -> ResumableUpload? {
        guard let id = AssetID(try row["id"]), let phase = ResumableUpload.Phase(rawValue: try row["phase"]) else {
            return nil
        }
        return ResumableUpload(
            id: id, name: try row["name"], metadata: try row["metadata"], length: try row["length"],
            received: try row["received"], expires: try row["expires"], phase: phase, addedBy: try row["addedBy"])
    }
}
