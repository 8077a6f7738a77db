import DaeCore
import Daedalus

/// Which assets are asked for.
struct AssetQuery: Sendable {
    /// Of this state alone, by its name on the wire.
    var state: String?
    /// Of this digest alone, in hexadecimal.
    var digest: String?
    /// Whose name contains this, in letters of either case.
    var name: String?
    /// With all of these.
    var labels: [LabelFilter] = []
    /// Behind the asset of this number, the newest first.
    var after: Int64?
    var limit = 50
}

struct AssetPage: Sendable {
    let assets: [AssetRecord]
    /// The state of each as JSON, as it is kept: to write all of a page anew would take most of its time.
    let states: [String]
    /// What ``AssetQuery/after`` is for the next page; `nil` behind the last.
    let next: Int64?
    /// What is wrong with the assets that are left out, since they cannot be read.
    let unread: [String]
}

extension AssetQuery {
    /// The rows of `assets` that fit, the newest first. Each condition stands only where it is asked for: one that may be
    /// empty would keep the database from its indexes.
    ///
    /// - Parameter columns: Of `assets` and `contents`.
    func request(
        _ columns: String, limit: Int, _ dialect: SQLDialect
    ) -> (sql: String, arguments: SQLArguments) {
        var conditions: [String] = []
        var arguments: SQLArguments = []
        var (tables, number) = ("assets", "assets.number")
        for (index, label) in labels.enumerated() {
            let table = "label\(index)"
            if index == 0 {
                // Its index has them in the order that is wanted.
                number = "\(table).asset"
                tables = "assetLabels AS \(table) \(dialect.orderedJoin) assets ON assets.number = \(number)"
            } else {
                tables += " \(dialect.orderedJoin) assetLabels AS \(table) ON \(table).asset = assets.number"
            }
            conditions.append("\(table).name = \(arguments.add(label.name))")
            if let value = label.value { conditions.append("\(table).value = \(arguments.add(value))") }
        }
        if let state { conditions.append("assets.stateName = \(arguments.add(state))") }
        if let digest { conditions.append("assets.sha256 = \(arguments.add(digest))") }
        if let after { conditions.append("\(number) < \(arguments.add(after))") }
        if let name {
            // Names alone are in the index, and are a tenth of the rows.
            let pattern = arguments.add("%\(Self.likePattern(name))%")
            conditions.append(
                "assets.number IN (SELECT number FROM assets WHERE name \(dialect.like) \(pattern) ESCAPE '\\')")
        }
        let condition = conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
        let sql = """
            SELECT \(columns) FROM \(tables) LEFT JOIN contents ON contents.sha256 = assets.sha256
            \(condition) ORDER BY \(number) DESC LIMIT \(arguments.add(limit))
            """
        return (sql, arguments)
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
    var unused: [UnusedContent] = []
    /// Whether there are others that fit.
    var hasMore = false
}

extension JobStore {
    /// Forgets assets that fit, as many as the query's limit at most.
    func remove(_ query: AssetQuery) async throws -> MassRemoval {
        try await database.write { session in
            let (sql, arguments) = query.request(
                "assets.id, assets.sha256", limit: query.limit + 1, session.dialect)
            return try remove(sql, arguments, limit: query.limit, session)
        }
    }

    /// Forgets assets whose time is over.
    func removeExpired(limit: Int) async throws -> MassRemoval {
        let sql = "SELECT id, sha256 FROM assets WHERE expires <= $1 ORDER BY expires LIMIT $2"
        // Most of the time there is none, and who only looks keeps nobody from writing.
        let isDue = try await database.read { session in try session.row(sql, [session.now(), 1]) != nil }
        guard isDue else { return MassRemoval() }
        return try await database.write { session in
            try remove(sql, [session.now(), limit + 1], limit: limit, session)
        }
    }

    private func remove(
        _ sql: String, _ arguments: SQLArguments, limit: Int, _ session: SQLSession
    ) throws -> MassRemoval {
        let rows = try session.rows("\(sql) \(session.dialect.locking("assets"))", arguments)
        var removal = MassRemoval(hasMore: rows.count > limit)
        for row in rows.prefix(limit) {
            guard let id = AssetID(try row["id"]) else { continue }
            try AssetRow.remove(id, at: session.now(), session)
            removal.removed.append(id)
            let digest = (try row["sha256"] as String?).flatMap { SHA256Digest(hex: $0) }
            if let digest, let unused = try AssetRow.release(digest, session) { removal.unused.append(unused) }
        }
        // Rows without a proper name stay, and would be looked at for ever.
        if removal.removed.isEmpty { removal.hasMore = false }
        return removal
    }

    /// Changes what a client says of an asset; gives the asset as it is then, `nil` where there is none.
    func change(
        _ id: AssetID, _ changing: @escaping @Sendable (inout AssetDetails) throws -> Void
    ) async throws -> AssetRecord? {
        try await database.write { session in
            guard let asset = try AssetRow.lock(id, session) else { return nil }
            var details = asset.details
            try changing(&details)
            if details != asset.details { try AssetRow.save(details, of: id, at: session.now(), session) }
            return try AssetRow.fetch(id, session)
        }
    }

    /// How an asset's link is downloaded; `nil` once it can be retried no more, and where nothing was said of it.
    func download(of id: AssetID) async throws -> DownloadDetails? {
        let texts: [String] = try await database.values(
            "SELECT details FROM assetDownloads WHERE asset = $1", [id.text])
        return try texts.first.map { try StateText.read(DownloadDetails.self, $0) }
    }
}
