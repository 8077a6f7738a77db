import DaeCore
import Daedalus
import GRDB

extension AssetQuery {
    /// The rows of `assets` that fit, the newest first. Each condition stands only where it is asked for: one that may be
    /// empty would keep the database from its indexes.
    ///
    /// - Parameter columns: Of `assets` and `contents`.
    func request(_ columns: String, limit: Int) -> (sql: String, arguments: StatementArguments) {
        var conditions: [String] = []
        var arguments: [any DatabaseValueConvertible] = []
        var (tables, number) = ("assets", "assets.number")
        func add(_ condition: String, _ values: (any DatabaseValueConvertible)?...) {
            conditions.append(condition)
            arguments += values.compactMap(\.self)
        }
        for (index, label) in labels.enumerated() {
            let table = "label\(index)"
            if index == 0 {
                // Its index has them in the order that is wanted, and CROSS has the database begin there.
                number = "\(table).asset"
                tables = "assetLabels AS \(table) CROSS JOIN assets ON assets.number = \(number)"
            } else {
                tables += " CROSS JOIN assetLabels AS \(table) ON \(table).asset = assets.number"
            }
            add("\(table).name = ?" + (label.value == nil ? "" : " AND \(table).value = ?"), label.name, label.value)
        }
        if let state { add("assets.stateName = ?", state) }
        if let digest { add("assets.sha256 = ?", digest) }
        if let after { add("\(number) < ?", after) }
        if let name {
            // Names alone are in the index, and are a tenth of the rows.
            add(
                "assets.number IN (SELECT number FROM assets WHERE name LIKE '%' || ? || '%' ESCAPE '\\')",
                Self.likePattern(name))
        }
        let condition = conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
        let sql = """
            SELECT \(columns) FROM \(tables) LEFT JOIN contents ON contents.sha256 = assets.sha256
            \(condition) ORDER BY \(number) DESC LIMIT ?
            """
        return (sql, StatementArguments(arguments + [limit]))
    }

    /// A text that `LIKE` takes as it stands.
    private static func likePattern(_ text: String) -> String {
        String(text.flatMap { "%_\\".contains($0) ? ["\\", $0] : [$0] })
    }
}

/// What came of removing several assets.
struct MassRemoval: Sendable {
    var removed: [AssetID] = []
    /// The bytes that no asset has any more, as of ``Removal/removed(unused:)``.
    var unused: [SHA256Digest] = []
    /// Whether there are others that fit.
    var hasMore = false
}

extension SQLiteJobStore {
    func remove(_ query: AssetQuery) async throws -> MassRemoval {
        let (sql, arguments) = query.request("assets.id, assets.sha256", limit: query.limit + 1)
        return try await remove(sql, arguments, limit: query.limit)
    }

    func removeExpired(limit: Int) async throws -> MassRemoval {
        let sql = "SELECT id, sha256 FROM assets WHERE expires <= ? ORDER BY expires LIMIT ?"
        let arguments: StatementArguments = [now(), limit + 1]
        // Most of the time there is none, and who only looks keeps nobody from writing.
        let isDue = try await pool.read { try Row.fetchOne($0, sql: sql, arguments: arguments) != nil }
        guard isDue else { return MassRemoval() }
        return try await remove(sql, arguments, limit: limit)
    }

    private func remove(_ sql: String, _ arguments: StatementArguments, limit: Int) async throws -> MassRemoval {
        try await pool.write { database in
            let rows = try Row.fetchAll(database, sql: sql, arguments: arguments)
            var removal = MassRemoval(hasMore: rows.count > limit)
            for row in rows.prefix(limit) {
                guard let id = AssetID(row["id"]) else { continue }
                try AssetRow.remove(id, at: now(), database)
                removal.removed.append(id)
                let digest = (row["sha256"] as String?).flatMap { SHA256Digest(hex: $0) }
                if let digest, try AssetRow.release(digest, database) { removal.unused.append(digest) }
            }
            // Rows without a proper name stay, and would be looked at for ever.
            if removal.removed.isEmpty { removal.hasMore = false }
            return removal
        }
    }

    func change(
        _ id: AssetID, _ changing: @escaping @Sendable (inout AssetDetails) throws -> Void
    ) async throws -> AssetRecord? {
        try await pool.write { database in
            guard let asset = try AssetRow.fetch(id, database) else { return nil }
            var details = asset.details
            try changing(&details)
            if details != asset.details { try AssetRow.save(details, of: id, at: now(), database) }
            return try AssetRow.fetch(id, database)
        }
    }

    func download(of id: AssetID) async throws -> DownloadDetails? {
        let text = try await pool.read {
            try String.fetchOne($0, sql: "SELECT details FROM assetDownloads WHERE asset = ?", arguments: [id.text])
        }
        return try text.map { try StateText.read(DownloadDetails.self, $0) }
    }
}
