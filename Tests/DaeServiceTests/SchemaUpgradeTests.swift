import DaeCore
import Daedalus
import GRDB
import TestSupport
import Testing

@testable import DaeService

/// Folders of older versions, and what the database does for each question.
@Suite struct SchemaUpgradeTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func anOlderFolderIsServedAndCountsWhatItHas() async throws {
        let service = ServiceFolder(path: folder.path + "/data")
        try service.prepare()
        let bytes = Array("<COLLADA/>".utf8)
        let digest = SHA256Digest(hashing: bytes)
        let path = try folder.write("<COLLADA/>", to: "file")
        let content = StoredContent(digest: digest, bytes: 10, name: "a.dae", in: path)
        try await FolderObjectStore(folder: service).put(localFile: path, at: .blob(digest))
        let state = try StateText.text(AssetState.downloading(.first))
        do {
            // As the last version before labels left it.
            let old = try DatabaseQueue(path: service.database)
            try SQLiteSchema.migrator.migrate(old, upTo: "6: request keys with what was done")
            try await old.write { database in
                try database.execute(
                    sql: """
                        INSERT INTO contents VALUES (:digest, 10);
                        INSERT INTO tokens (id, name, scope, digest, created)
                            VALUES ('0123456789abcdef', 'old', 'write', :digest, 1);
                        INSERT INTO uploads VALUES ('up', 'b.dae', NULL, 5, 0, 9000000000000, 0);
                        """, arguments: ["digest": digest.hex])
                for (id, owner) in [("one", "0123456789abcdef"), ("two", "0123456789abcdef"), ("three", nil)] {
                    try database.execute(
                        sql: """
                            INSERT INTO assets (
                                id, name, sha256, contentName, contentKey, stateName, state, created, changed, addedBy)
                            VALUES (?, 'a.dae', ?, 'a.dae', ?, 'downloading', ?, 1, 1, ?)
                            """, arguments: [id, digest.hex, content.key.text, state, owner])
                }
            }
            try old.close()
        }
        let store = JobStore(try SQLiteDatabase(path: service.database))
        let one = try #require(AssetID("one"))
        let asset = try #require(try await store.asset(one))
        #expect(asset.details == AssetDetails())
        let access = AccessStore(store.database)
        var usage = try await access.usage(of: "0123456789abcdef", on: 0)
        #expect(usage.assets == 2 && usage.bytes == 20)
        let token = try #require(try await access.tokens().first)
        #expect(token.expires == nil && token.quota == TokenQuota())
        _ = try await store.remove(one, key: nil)
        usage = try await access.usage(of: "0123456789abcdef", on: 0)
        #expect(usage.assets == 1 && usage.bytes == 10)
        let up = try #require(AssetID("up"))
        let upload = try #require(try await UploadStore(store.database).upload(up))
        #expect(upload.addedBy == nil)
        try store.database.close()
        #expect(try ServiceProcess.run(["doctor", "--data", service.path]).text.hasPrefix("Healthy.\n"))
    }

    /// What SQLite says of its way to the rows.
    private func plan(_ query: AssetQuery, _ store: JobStore) async throws -> String {
        return try await store.database.read { session in
            let (sql, arguments) = query.request(AssetRow.columns(session.dialect), limit: 51, session.dialect)
            return try session.rows("EXPLAIN QUERY PLAN " + sql, arguments)
                .map { try $0["detail"] as String }.joined(separator: "\n")
        }
    }

    @Test func listsUseIndexesAndSortNothing() async throws {
        let store = JobStore(try SQLiteDatabase(path: folder.path + "/daed.sqlite"))
        var queries: [(query: AssetQuery, way: String)] = [
            (AssetQuery(), "SCAN assets"), (AssetQuery(after: 5), "SEARCH assets USING INTEGER PRIMARY KEY"),
            (AssetQuery(state: "ready"), "SEARCH assets USING INDEX assetsByState"),
            (AssetQuery(state: "ready", after: 5), "SEARCH assets USING INDEX assetsByState (stateName=? AND rowid<?)"),
            (AssetQuery(digest: "00"), "SEARCH assets USING INDEX assetsByContent"),
            (AssetQuery(name: "a"), "SCAN assets USING COVERING INDEX assetsByName"),
        ]
        let (any, one) = (try LabelFilter("a"), try LabelFilter("a=b"))
        queries.append((AssetQuery(labels: [one]), "SEARCH label0 USING COVERING INDEX assetLabelsByValue"))
        queries.append((AssetQuery(labels: [any]), "SEARCH label0 USING COVERING INDEX assetLabelsByName"))
        queries.append((AssetQuery(labels: [one, any]), "SEARCH label1 USING PRIMARY KEY"))
        queries.append((AssetQuery(state: "ready", labels: [one], after: 5), "(name=? AND value=? AND asset<?)"))
        for (query, way) in queries {
            let plan = try await plan(query, store)
            #expect(plan.contains(way), "\(query): \(plan)")
            #expect(!plan.contains("TEMP B-TREE FOR ORDER BY"), "\(query): \(plan)")
        }
        // Looked for each second.
        let expired = try await store.database.read { session in
            try session.rows(
                "EXPLAIN QUERY PLAN SELECT id, sha256 FROM assets WHERE expires <= $1 ORDER BY expires LIMIT $2",
                [1, 2]
            ).map { try $0["detail"] as String }
        }
        #expect(expired.joined().contains("SEARCH assets USING INDEX assetsByExpiry"), "\(expired)")
        #expect(expired.count == 1)
    }
}
