import Daedalus
import GRDB

extension SQLiteJobStore: UploadStore {
    func add(_ upload: ResumableUpload, limit: Int) async throws -> Bool {
        try await pool.write { database in
            let open = try Int.fetchOne(database, sql: "SELECT count(*) FROM uploads WHERE phase = 0") ?? 0
            guard open < limit else { return false }
            try database.execute(
                sql: """
                    INSERT INTO uploads (id, name, metadata, length, received, expires, phase)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    upload.id.text, upload.name, upload.metadata, upload.length, upload.received, upload.expires,
                    upload.phase.rawValue,
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
            expires: row["expires"], phase: phase)
    }
}
