// Bytes are there before the rows that name them, and how far it came is kept with the rows: whoever stops it, in whatever
// way, goes on there. A page of assets is read as it is at one moment, with all that belongs to them.

import DaeCore
import Daedalus
import Logging

/// Copies all that one installation keeps to another that has nothing yet. Results are made anew when they are asked for.
struct Transfer: Sendable {
    let source: ServiceStores
    let target: ServiceStores
    /// Of the target, for what is on its way.
    let folder: ServiceFolder
    /// What the source is called: what was begun with one is not ended with another.
    let name: String
    let purpose: Purpose

    enum Purpose: Sendable {
        /// The target takes the place of the source, which has stopped.
        case move
        /// The source goes on, and sends what waits for webhooks itself.
        case copy
    }

    /// How far it came.
    struct Progress: Sendable, Codable {
        fileprivate var table = TransferTable.all[0].name
        /// The key of the last row of the table.
        fileprivate var last = TransferTable.all[0].start
        fileprivate(set) var assets = 0
        fileprivate(set) var originals = 0
        /// Of the originals.
        fileprivate(set) var bytes: Int64 = 0
        /// Originals that the source has not, or not as they should be; their assets are left out.
        fileprivate(set) var lost = 0
    }

    enum Outcome: Sendable {
        case done(Progress)
        /// By an earlier run.
        case wasDone(Progress)
    }

    enum News: Sendable {
        case progress(Progress)
        /// An original that cannot be copied, and why.
        case lost(ObjectKey, String)
        /// An upload whose pieces cannot be copied: a client begins it anew there.
        case begunAnew(AssetID)
    }

    /// Nodes serve the target.
    struct Served: Error {}

    /// The target has something that did not come from the source.
    struct Occupied: Error {
        let table: String
    }

    private let pageRows: Int
    private let report: @Sendable (News) -> Void

    /// Originals that are copied at once.
    private static let atOnce = 4

    /// - Parameters:
    ///   - purpose: Why it is done.
    ///   - pageRows: Rows of one transaction, beside those that belong to them.
    ///   - report: Told one thing after the other.
    init(
        _ source: ServiceStores, _ target: ServiceStores, _ folder: ServiceFolder, name: String, _ purpose: Purpose,
        pageRows: Int = 200, report: @escaping @Sendable (News) -> Void = { _ in }
    ) {
        (self.source, self.target, self.folder, self.name) = (source, target, folder, name)
        (self.purpose, self.pageRows, self.report) = (purpose, pageRows, report)
    }

    func run() async throws -> Outcome {
        let begun = try await begin()
        guard case .done(var progress) = begun else { return begun }
        for table in TransferTable.all.drop(while: { $0.name != progress.table }) where table.isCopied(to: purpose) {
            if progress.table != table.name { (progress.table, progress.last) = (table.name, table.start) }
            while let next = try await copyPage(table, progress) { progress = next }
        }
        try await end()
        return .done(progress)
    }

    /// Whether a database has a part of what was to come, and no more.
    static func isUnfinished(in database: any RowDatabase) async throws -> Bool {
        try await database.read { try $0.has("SELECT 1 FROM transfers WHERE ended IS NULL") }
    }

    /// Where it goes on.
    private func begin() async throws -> Outcome {
        let name = name
        return try await target.database.write { session in
            if session.dialect.hasNodes {
                let isServed = try session.has("SELECT 1 FROM nodeUse WHERE at > $1", [session.now() - 5000])
                guard !isServed else { throw Served() }
            }
            if let row = try session.row("SELECT progress, ended FROM transfers WHERE source = $1", [name]) {
                let (progress, ended): (String, Int64?) = (try row["progress"], try row["ended"])
                let known = try StateText.read(Progress.self, progress)
                return ended == nil ? .done(known) : .wasDone(known)
            }
            // A service that was only started has made a key.
            for table in ["transfers"] + TransferTable.all.map(\.name) where table != "signingKeys" {
                guard try !session.has("SELECT 1 FROM \(table)") else { throw Occupied(table: table) }
            }
            try session.execute("DELETE FROM signingKeys")
            let progress = Progress()
            try session.execute(
                "INSERT INTO transfers (source, progress) VALUES ($1, $2)", [name, try StateText.text(progress)])
            return .done(progress)
        }
    }

    /// Has numbers go on where they are in the source.
    private func end() async throws {
        switch purpose {
        case .move: break
        case .copy:
            // Assets were removed when their bytes were copied already.
            try await ObjectSweep(
                objects: target.objects, store: JobStore(target.database), uploads: UploadStore(target.database),
                puts: PendingPuts(owner: .random()),
                liveness: target.liveness, log: Logger(label: "daed") { _ in SwiftLogNoOpLogHandler() }
            ).run(now: AssetOperations.Instant.systemTime() / 1000)
        }
        let numbers = try await source.database.read { session in
            try TransferTable.numbers.map { table, column -> Int64? in
                try session.value(session.dialect.lastNumber(of: table, column))
            }
        }
        try await target.database.write { session in
            for ((table, column), number) in zip(TransferTable.numbers, numbers) {
                for statement in number.map({ session.dialect.goOn(behind: $0, table, column) }) ?? [] {
                    try session.execute(statement)
                }
            }
            try session.execute("UPDATE transfers SET ended = $1", [session.now()])
        }
    }

    /// - Returns: How far it is then; `nil` where no page was left.
    private func copyPage(_ table: TransferTable, _ progress: Progress) async throws -> Progress? {
        var (page, lost, looks): (TransferPage, [ObjectKey: String], Int)
        looks = 0
        repeat {
            let next = try await source.database.read { session in
                try table.page(after: progress.last, limit: pageRows, session)
            }
            guard let next else { return nil }
            (page, lost, looks) = (next, try await copyOriginals(of: next, progress), looks + 1)
            // Assets may have been removed meanwhile, and their bytes with them.
        } while !lost.isEmpty && looks < 2
        for row in page.rows(of: "uploads") {
            // Who puts pieces holds their upload's row.
            try await target.database.write { try TransferTable.insert(row, into: "uploads", $0) }
            guard let id = AssetID(try row["id"]), try await !copyPieces(row, of: id) else { continue }
            report(.begunAnew(id))
            try await target.database.write {
                try $0.execute("UPDATE uploads SET received = 0 WHERE id = $1", [id.text])
            }
        }
        for (key, reason) in lost { report(.lost(key, reason)) }
        let (copied, missing) = (page, Set(lost.keys.compactMap { $0.digest?.hex }))
        let next = try await target.database.write { session in
            var next = progress
            for (table, row) in copied.rows {
                let isNew = try TransferTable.insert(row, into: table, session)
                if table == "assets" { next.assets += 1 }
                guard table == "contents", isNew, !missing.contains(try row["sha256"]) else { continue }
                next.originals += 1
                next.bytes += try row["bytes"] as Int64
            }
            for digest in missing {
                next.assets -= try session.execute("DELETE FROM assets WHERE sha256 = $1", [digest])
                next.lost += try session.execute("DELETE FROM contents WHERE sha256 = $1", [digest])
            }
            next.last = copied.end
            try session.execute("UPDATE transfers SET progress = $1", [try StateText.text(next)])
            return next
        }
        report(.progress(next))
        return next
    }

    // MARK: - Bytes

    /// - Returns: Those that cannot be copied, and why.
    private func copyOriginals(of page: TransferPage, _ before: Progress) async throws -> [ObjectKey: String] {
        let objects = try page.rows(of: "contents").compactMap { row in
            try SHA256Digest(hex: row["sha256"] as String).map {
                (key: try AssetRow.object(of: $0, row["object"]), bytes: try row["bytes"] as Int64)
            }
        }
        return try await withThrowingTaskGroup(of: (key: ObjectKey, bytes: Int64, fault: String?).self) { group in
            var (lost, progress): ([ObjectKey: String], Progress) = ([:], before)
            for at in 0..<objects.count + Self.atOnce {
                if at < objects.count {
                    let object = objects[at]
                    group.addTask { (object.key, object.bytes, try await copy(object.key, object.bytes)) }
                }
                guard at + 1 >= Self.atOnce, let one = try await group.next() else { continue }
                lost[one.key] = one.fault
                progress.bytes += one.bytes
                report(.progress(progress))
            }
            return lost
        }
    }

    /// - Returns: Why it cannot be copied; `nil` where it is in the target.
    private func copy(_ key: ObjectKey, _ bytes: Int64) async throws -> String? {
        if try await target.objects.head(key)?.size == bytes { return nil }
        let file = folder.newUpload()
        defer { unlink(file) }
        if let own = source.objects.localFile(key) {
            try await Thread.run { () throws(StorageError) in try FileCopy.share(own, as: file) }
        } else if try await !source.objects.bring(key, toLocalFile: file) {
            return "it is not there"
        }
        let digest = try await Thread.run { () throws(StorageError) in try FileDigest.of(file) }
        guard digest == key.digest else { return "its bytes have another SHA-256" }
        try await target.objects.put(localFile: file, at: key)
        return nil
    }

    /// The bytes of an upload that has begun, which then lie as the target has them.
    ///
    /// - Returns: Whether they are there. They are not where a client sends some to the source right now, or did so to a node
    ///   that died within a lease, or where the source has lost some.
    private func copyPieces(_ row: SQLRow, of id: AssetID) async throws -> Bool {
        let (received, phase): (Int64, Int64) = (try row["received"], try row["phase"])
        guard received > 0, phase == ResumableUpload.Phase.open.rawValue else { return true }
        guard let held = try await source.pieces.acquire(id) else { return false }
        do {
            let isThere = try await copyPieces(of: id, received, from: held)
            await held.release()
            return isThere
        } catch {
            await held.release()
            throw error
        }
    }

    private func copyPieces(of id: AssetID, _ received: Int64, from held: any HeldPieces) async throws -> Bool {
        guard try await held.size() >= received else { return false }
        // Where both keep them in one place they are there already, and held.
        guard let new = try await target.pieces.acquire(id) else { return true }
        let file = folder.newUpload()
        defer { unlink(file) }
        _ = try await held.assemble(toLocalFile: file)
        try new.cut(to: 0)
        try await OpenedFile(file).read(0..<received) { try await new.write($0) }
        try await new.sync()
        await new.release()
        return true
    }
}

/// Rows that belong together, in the order in which they are kept.
struct TransferPage: Sendable {
    let rows: [(table: String, row: SQLRow)]
    /// The key of the last.
    let end: [SQLValue]

    func rows(of table: String) -> [SQLRow] { rows.filter { $0.table == table }.map(\.row) }
}

/// A table that is copied, whatever columns it has.
struct TransferTable: Sendable {
    let name: String
    /// By the order of which it is read.
    var key = ["number"]
    /// Tables of which rows belong to those of this one: by a column that has what a column here has.
    var parts: [(table: String, column: String, own: String)] = []

    /// Each behind those that its rows name. Events come first: none tells of what is not there yet.
    static let all = [
        TransferTable(name: "events"),
        TransferTable(
            name: "assets",
            parts: [
                ("contents", "sha256", "sha256"), ("assetLabels", "asset", "number"),
                ("assetDownloads", "asset", "id"), ("jobs", "asset", "id"),
            ]),
        TransferTable(name: "uploads", key: ["id"]), TransferTable(name: "tokens", key: ["id"]),
        TransferTable(name: "tokenRequests", key: ["token"]), TransferTable(name: "signingKeys"),
        TransferTable(name: "sessions", key: ["digest"]), TransferTable(name: "requestKeys", key: ["client", "key"]),
        TransferTable(name: "webhooks", key: ["name"]), TransferTable(name: "deliveries"),
    ]
    /// What a database counts itself, and what is of one installation alone.
    static let others = [
        "totals", "usage", "stateTotals", "eventHead", "transfers", "nodeUse", "derivations", "sweeps",
    ]
    /// Those that number their rows, and in which column.
    static let numbers = [
        ("assets", "number"), ("jobs", "id"), ("events", "number"), ("signingKeys", "number"), ("deliveries", "number"),
    ]

    /// Before the first key.
    var start: [SQLValue] { key == ["number"] ? [.integer(0)] : key.map { _ in .text("") } }

    func isCopied(to purpose: Transfer.Purpose) -> Bool {
        switch purpose {
        case .move: true
        case .copy: name != "deliveries"
        }
    }

    /// `nil` where no row is left.
    func page(after last: [SQLValue], limit: Int, _ session: SQLSession) throws -> TransferPage? {
        let (names, places) = (key.joined(separator: ", "), key.indices.map { "$\($0 + 1)" }.joined(separator: ", "))
        let rows = try session.rows(
            "SELECT * FROM \(name) WHERE (\(names)) > (\(places)) ORDER BY \(names) LIMIT \(limit)",
            SQLArguments(last))
        guard let end = try rows.last.map({ row in try key.map { try row[$0] as SQLValue } }) else { return nil }
        let others = try parts.map { part in
            try session.rows(
                """
                SELECT * FROM \(part.table) WHERE \(part.column) IN (
                    SELECT \(part.own) FROM \(name) WHERE number > $1 AND number <= $2)
                """, SQLArguments(last + end)
            ).map { (table: part.table, row: $0) }
        }
        // Contents are named by assets, which the others name.
        let all = (others.first ?? []) + rows.map { (table: name, row: $0) } + others.dropFirst().joined()
        return TransferPage(rows: all, end: end)
    }

    /// Whether it is new: equal contents belong to several pages, and an upload comes before its pieces.
    static func insert(_ row: SQLRow, into table: String, _ session: SQLSession) throws -> Bool {
        let named = row.named
        // Nobody works on it there.
        let values = named.map { name, value in
            ["jobs.owner", "jobs.claimeduntil", "uploads.helduntil"].contains("\(table).\(name)")
                ? SQLValue.null : value
        }
        // A lease in the target is of a run that was broken off.
        let known = ["contents": "(sha256) DO NOTHING", "uploads": "(id) DO UPDATE SET heldUntil = NULL"][table]
        let (names, places) = (named.map(\.name), values.indices.map { "$\($0 + 1)" })
        return try session.execute(
            """
            INSERT INTO \(table) (\(names.joined(separator: ", "))) VALUES (\(places.joined(separator: ", ")))
            \(known.map { "ON CONFLICT \($0)" } ?? "")
            """, SQLArguments(values)) == 1
    }
}
