import DaeCore
import DaeObjectStore
import DaePostgreSQL
import Daedalus
import GRDB
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import DaeService

/// Installations that are moved or copied from one database and store to others.
@Suite struct TransferTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let hasBoth = PostgreSQLServer.isInstalled && S3Server.isInstalled
    private static let needs: Comment =
        "needs PostgreSQL's server (Debian's package postgresql) and SeaweedFS (scripts/tools/fetch-object-store)"
    private static let environment = [
        "AWS_ACCESS_KEY_ID": S3Server.accessKey, "AWS_SECRET_ACCESS_KEY": S3Server.secretKey,
    ]

    // MARK: - Installations

    private func local(_ name: String) async throws -> (stores: ServiceStores, folder: ServiceFolder) {
        let service = ServiceFolder(path: "\(folder.path)/\(name)")
        try service.prepare()
        return (
            ServiceStores(
                database: try SQLiteDatabase(path: service.database), objects: FolderObjectStore(folder: service),
                pieces: FolderUploadPieces(folder: service), liveness: .locks(service)), service
        )
    }

    private func shared() async throws -> ServiceStores {
        let server = try S3Server.shared()
        var settings = S3Settings(endpoint: server.endpoint)
        settings.credentials = .fixed(S3Credentials(accessKey: S3Server.accessKey, secret: S3Server.secretKey))
        let location = try S3Location("s3://\(server.makeBucket())/a prefix/")
        let objects = S3ObjectStore(client: try S3Client(location, settings))
        let way = ServiceFolder(path: "\(folder.path)/way")
        try way.prepare()
        let database = try await PostgreSQLDatabase(RowDatabases.newDatabase())
        return ServiceStores(
            database: database, objects: objects,
            pieces: ObjectUploadPieces(objects: objects, folder: way, uploads: UploadStore(database)),
            liveness: .unknown)
    }

    /// Adds an asset with bytes of its own, which are put first.
    private func add(
        _ text: String, to stores: ServiceStores, _ service: ServiceFolder, by owner: String? = nil
    ) async throws -> AssetRecord {
        let digest = SHA256Digest(hashing: Array(text.utf8))
        let content = StoredContent(digest: digest, bytes: Int64(text.utf8.count), name: "a.dae", in: "a.dae")
        var asset = AssetRecord(
            id: .random(), name: "ä \(text.prefix(20))", origin: .upload, content: content,
            state: .downloading(.first), created: 5, changed: 6, addedBy: owner)
        asset.details.labels = try AssetLabels(["kind": "chair", "n": "\(text.utf8.count)"])
        asset.details.expires = 1 << 42
        let key = ObjectKey.blob(digest, putBy: .random())
        try await stores.objects.put(Array(text.utf8), at: key)
        _ = try await JobStore(stores.database).add(
            asset, bytes: .put(key, instead: nil), key: RequestKey(client: owner ?? "", text: asset.id.text),
            queueLimit: .max)
        return asset
    }

    /// Has something in every table.
    private func fill(_ stores: ServiceStores, _ service: ServiceFolder) async throws {
        let (store, access, hooks) = (
            JobStore(stores.database), AccessStore(stores.database), WebhookStore(stores.database)
        )
        let token = StoredToken(
            id: "0123456789abcdef", name: "one", scope: .write, digest: SHA256Digest(hashing: [1]), created: 5,
            quota: TokenQuota(assets: 50, bytes: 1 << 40, requests: 1000))
        #expect(try await access.add(token))
        #expect(try await access.add(StoredToken.other("two")))
        #expect(try await access.revoke("two", at: 7))
        try await access.add(requests: 12, of: token.id, on: 3)
        try await access.add(SigningKey.random(now: 3))
        try await access.add(SigningKey.random(now: 4))
        _ = try await Sessions(store: access).begin(token: token.id)
        let hook = Webhook(
            name: "hook", url: "https://example.org/", secret: try #require(WebhookSecret("0123456789abcdef")),
            events: [.settled, .removed],
            labels: AssetLabels(), created: 8)
        #expect(try await hooks.put(hook))
        for number in 0..<9 { _ = try await add("\(number) times \(number)", to: stores, service, by: token.id) }
        // Equal bytes as the first of them, in another page.
        _ = try await add("0 times 0", to: stores, service)
        let link = AssetRecord(
            id: .random(), name: "b", origin: .address("https://example.org/b?c"), content: nil,
            state: .downloading(.first), created: 1, changed: 1, addedBy: nil,
            details: AssetDetails(
                labels: AssetLabels(), expires: nil,
                download: try DownloadDetails(sha256: nil, headers: ["Authorization": "Bearer x"])))
        _ = try await store.add(link, key: nil, queueLimit: .max)
        let held = try #require(try await store.claim(owner: "a", lease: 60_000, mostBytes: nil))
        #expect(held.claims == 1)
        // The last number of an asset is nobody's any more.
        let last = try await add("gone", to: stores, service, by: token.id)
        _ = try await store.remove(last.id, key: nil)
        let upload = ResumableUpload(
            id: .random(), name: "c", metadata: "name Yw==", length: 90, received: 40, expires: 1 << 42, phase: .open,
            addedBy: token.id)
        #expect(try await UploadStore(stores.database).add(upload, limit: 10))
        let pieces = try #require(try await stores.pieces.acquire(upload.id))
        try pieces.cut(to: 0)
        // Some of it was not told of yet.
        try await pieces.write([UInt8](repeating: 7, count: 45))
        try await pieces.sync()
        await pieces.release()
    }

    // MARK: - What is there

    private static let copied = TransferTable.all.flatMap { [$0.name] + $0.parts.map(\.table) }

    /// What says who works on something there.
    private static let own = ["jobs.owner", "jobs.claimeduntil", "uploads.holds", "uploads.helduntil"]

    /// All rows that are copied, as texts.
    private func rows(of stores: ServiceStores) async throws -> [String: [String]] {
        try await stores.database.read { session in
            var all: [String: [String]] = [:]
            for table in Self.copied {
                all[table] = try session.rows("SELECT * FROM \(table)").map { row in
                    let values = row.named.filter { !Self.own.contains("\(table).\($0.name)") }
                    return values.sorted { $0.name < $1.name }.map { "\($0.name) \($0.value)" }.joined(separator: ", ")
                }.sorted()
            }
            all["usage"] = try session.rows(
                """
                SELECT owner, CAST(sum(assets) AS bigint) AS assets, CAST(sum(bytes) AS bigint) AS bytes FROM usage
                GROUP BY owner ORDER BY owner
                """
            ).map { "\($0.named)" }
            all["numbers"] = try TransferTable.numbers.map { table, column in
                let number: Int64? = try session.value(session.dialect.lastNumber(of: table, column))
                return "\(table) \(number ?? 0)"
            }
            return all
        }
    }

    private func expectEqual(_ one: ServiceStores, _ other: ServiceStores, but left: Set<String> = []) async throws {
        let (expected, found) = (try await rows(of: one), try await rows(of: other))
        for (table, rows) in expected where !left.contains(table) { #expect(found[table] == rows, "\(table)") }
        #expect(try await JobStore(one.database).originalBytes() == JobStore(other.database).originalBytes())
        #expect(try await JobStore(one.database).counts().states == JobStore(other.database).counts().states)
        #expect(try await JobStore(other.database).owners().isEmpty)
        let objects = try await keys(of: other)
        #expect(try await keys(of: one) == objects)
        for key in objects { #expect(try await one.objects.bytes(key) == other.objects.bytes(key), "\(key)") }
        let uploads: [String] = try await one.database.read { try $0.values("SELECT id FROM uploads WHERE phase = 0") }
        for id in uploads.compactMap({ AssetID($0) }) {
            let held = try #require(try await other.pieces.acquire(id))
            #expect(try await held.size() == 40)
            let file = folder.path + "/whole"
            #expect(
                try await held.assemble(toLocalFile: file).digest
                    == SHA256Digest(hashing: [UInt8](repeating: 7, count: 40)))
            unlink(file)
            await held.release()
        }
    }

    /// Those that rows name.
    private func keys(of stores: ServiceStores) async throws -> [ObjectKey] {
        let digests: [String] = try await stores.database.read { try $0.values("SELECT sha256 FROM contents") }
        let named = try await JobStore(stores.database).objects(of: digests.compactMap { SHA256Digest(hex: $0) })
        return named.values.sorted { $0.text < $1.text }
    }

    // MARK: - Moving

    @Test(arguments: RowDatabases.here) func everyTableIsCopiedOrNot(_ kind: RowDatabases) async throws {
        let databases = try await kind.empty(in: folder)
        let tables: [String] = try await databases[0].read { session in
            switch session.dialect {
            case .sqlite:
                try session.values(
                    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT IN ('sqlite_sequence', 'grdb_migrations')"
                )
            case .postgreSQL:
                try session.values(
                    """
                    SELECT table_name FROM information_schema.tables
                    WHERE table_schema = current_schema() AND table_name <> 'migrations'
                    """)
            }
        }
        // SQLite counts without tables, and has no other nodes.
        let own = ["eventHead", "stateTotals", "nodeUse", "sweeps"]
        let known = (Self.copied + TransferTable.others).filter { kind == .postgreSQL || !own.contains($0) }
        #expect(tables.map { $0.lowercased() }.sorted() == known.map { $0.lowercased() }.sorted())
        #expect(tables.count > 10)
    }

    @Test(.enabled(if: hasBoth, needs)) func allGoesThereAndComesBack() async throws {
        let (one, service) = try await local("one")
        try await fill(one, service)
        for (table, rows) in try await rows(of: one) { #expect(!rows.isEmpty, "\(table)") }
        let two = try await shared()
        let there = try await transfer(one, two, ServiceFolder(path: "\(folder.path)/way"), .move)
        #expect(there.assets == 11 && there.originals == 9 && there.lost == 0)
        #expect(there.bytes == 9 * 9)
        try await expectEqual(one, two)
        let (three, back) = try await local("three")
        _ = try await transfer(two, three, back, .move)
        try await expectEqual(one, three)
        // What goes on sends what waits itself.
        let (four, copy) = try await local("four")
        _ = try await transfer(two, four, copy, .copy)
        try await expectEqual(one, four, but: ["deliveries", "numbers"])
        #expect(try await rows(of: four)["deliveries"] == [])
        // Numbers go on right behind those of before.
        for (stores, service) in [(two, ServiceFolder(path: "\(folder.path)/way")), (three, back)] {
            let newest = try await JobStore(stores.database).events(after: 0, of: nil, limit: 1000).newest
            let new = try await add("new", to: stores, service)
            let events = try await JobStore(stores.database).events(after: newest, of: nil, limit: 10).events
            #expect(events.map(\.number) == [newest + 1])
            let numbers: [Int64] = try await stores.database.read {
                try $0.values("SELECT number FROM assets WHERE id = $1", [new.id.text])
            }
            #expect(numbers == [13])
        }
    }

    private func transfer(
        _ one: ServiceStores, _ two: ServiceStores, _ folder: ServiceFolder, _ purpose: Transfer.Purpose
    ) async throws -> Transfer.Progress {
        let transfer = Transfer(one, two, folder, name: "one", purpose)
        guard case .done(let progress) = try await transfer.run() else { throw NeverCame(what: "a first run") }
        guard case .wasDone(let again) = try await transfer.run() else { throw NeverCame(what: "a second run") }
        #expect(again.assets == progress.assets && again.bytes == progress.bytes)
        return progress
    }

    @Test func whereverItBreaksOffItGoesOn() async throws {
        let (one, service) = try await local("one")
        try await fill(one, service)
        let (two, new) = try await local("two")
        var (runs, outcome): (Int, Transfer.Outcome?) = (0, nil)
        while outcome == nil {
            runs += 1
            // Later at each run, so that it gets further.
            let fuse = Fuse(steps: runs)
            let weak = ServiceStores(
                database: WeakRows(rows: two.database, fuse: fuse), objects: WeakStore(store: two.objects, fuse: fuse),
                pieces: two.pieces, liveness: two.liveness)
            let transfer = Transfer(one, weak, new, name: "one", .move, pageRows: 2)
            do { outcome = try await transfer.run() } catch is Fuse.Blown {}
            if (2...5).contains(runs) { #expect(try await Transfer.isUnfinished(in: two.database)) }
        }
        #expect(runs > 5)
        let progress: Transfer.Progress
        switch outcome {
        // The last step may be done already, and nobody have heard of it.
        case .done(let found), .wasDone(let found): progress = found
        case nil: throw NeverCame(what: "an end")
        }
        #expect(progress.assets == 11 && progress.originals == 9 && progress.bytes == 81)
        try await expectEqual(one, two)
        #expect(try await !Transfer.isUnfinished(in: two.database))
        // Nothing is left on its way.
        #expect(ServiceFolder.names(in: new.uploads).isEmpty)
    }

    @Test func whatIsLostIsLeftOut() async throws {
        let (one, service) = try await local("one")
        let (lost, changed) = (try await add("lost", to: one, service), try await add("changed", to: one, service))
        let kept = try await add("kept", to: one, service)
        let objects = try await JobStore(one.database).objects(of: [lost, changed].compactMap { $0.content?.digest })
        for (digest, key) in objects {
            unlink("\(service.path)/\(key)")
            if digest == changed.content?.digest { try await one.objects.put(Array("CHANGED".utf8), at: key) }
        }
        let (two, new) = try await local("two")
        let told = Mutex<[String]>([])
        let transfer = Transfer(one, two, new, name: "one", .move) { news in
            if case .lost(_, let reason) = news { told.withLock { $0.append(reason) } }
        }
        guard case .done(let progress) = try await transfer.run() else { throw NeverCame(what: "an end") }
        #expect(progress.assets == 1 && progress.originals == 1 && progress.lost == 2 && progress.bytes == 4)
        #expect(told.withLock { $0.sorted() } == ["it is not there", "its bytes have another SHA-256"])
        #expect(try await JobStore(two.database).assets(AssetQuery()).assets.map(\.id) == [kept.id])
    }

    @Test func whatIsRemovedMeanwhileIsNotInTheCopy() async throws {
        let (one, service) = try await local("one")
        let (first, second) = (try await add("first", to: one, service), try await add("second", to: one, service))
        let kept = try await add("kept", to: one, service)
        let (two, new) = try await local("two")
        let objects = try await JobStore(one.database).objects(of: [first, second].compactMap { $0.content?.digest })
        let removing = WeakStore(store: one.objects) { key in
            guard let digest = second.content?.digest, key == objects[digest] else { return }
            // The other one's bytes are copied by then.
            for key in objects.values where key.digest != digest {
                while try await two.objects.head(key) == nil { await Task.yield() }
            }
            for id in [first.id, second.id] { _ = try await JobStore(one.database).remove(id, key: nil) }
            for key in objects.values { try await one.objects.remove(key) }
        }
        let source = ServiceStores(
            database: one.database, objects: removing, pieces: one.pieces, liveness: one.liveness)
        guard case .done(let progress) = try await Transfer(source, two, new, name: "one", .copy).run() else {
            throw NeverCame(what: "an end")
        }
        #expect(progress.assets == 1 && progress.originals == 1 && progress.lost == 0)
        #expect(try await JobStore(two.database).assets(AssetQuery()).assets.map(\.id) == [kept.id])
        let named = try await keys(of: two)
        #expect(try await two.objects.keys("blobs/", after: nil, limit: 10).map(\.key) == named)
    }

    /// Who sends to an upload right now sends it to the copy from its beginning.
    @Test func anUploadThatIsHeldIsCopiedAsAnEmptyOne() async throws {
        let (one, service) = try await local("one")
        try await fill(one, service)
        let ids: [String] = try await one.database.read { try $0.values("SELECT id FROM uploads") }
        let id = try #require(ids.first.flatMap { AssetID($0) })
        let held = try #require(try await one.pieces.acquire(id))
        let (two, copy) = try await local("two")
        _ = try await transfer(one, two, copy, .copy)
        let copied = try #require(try await UploadStore(two.database).upload(id))
        #expect(copied.received == 0 && copied.length == 90)
        let pieces = try #require(try await two.pieces.acquire(id))
        #expect(try await pieces.size() == 0)
        await held.release()
        #expect(try await UploadStore(one.database).upload(id)?.received == 40)
    }

    /// One that was broken off held an upload's pieces in the target.
    @Test(.enabled(if: hasBoth, needs)) func anImportGoesOnWithinItsLease() async throws {
        let (one, service) = try await local("one")
        try await fill(one, service)
        let two = try await shared()
        let name = "uploads"
        let row = try #require(try await one.database.read { try $0.rows("SELECT * FROM \(name)") }.first)
        try await two.database.write { session in
            _ = try TransferTable.insert(row, into: name, session)
        }
        let id = try #require(AssetID(try row["id"]))
        #expect(try await two.pieces.acquire(id) != nil)
        try await two.database.write { _ = try TransferTable.insert(row, into: name, $0) }
        let held = try await two.pieces.acquire(id)
        #expect(held != nil)
        await held?.release()
    }

    // MARK: - Commands

    private func run(_ words: [String], environment: [String: String] = [:]) throws -> Program.Outcome {
        try Program.run(words, environment: environment, program: ServiceProcess.program)
    }

    @Test func aKilledImportGoesOn() async throws {
        let (one, service) = try await local("one")
        for number in 0..<250 { _ = try await add("\(number)", to: one, service) }
        try one.database.close()
        let words = ["import-folder", service.path, "--data", "\(folder.path)/two"]
        let child = try Program.start(words, program: ServiceProcess.program)
        _ = try eventually("the first bytes") {
            ((try? Repository.files(below: "\(folder.path)/two/blobs")) ?? []).count > 20 ? true : nil
        }
        kill(child, SIGKILL)
        #expect(Program.wait(for: child) == -SIGKILL)
        let end = try run(words)
        #expect(end.code == 0, "\(end.errors)")
        #expect(end.text == "250 assets, 250 originals, 640 bytes\n")
        #expect(try run(words).text == "It was done before, and nothing now: 250 assets, 250 originals, 640 bytes\n")
        let (again, two) = (try await local("one").stores, try await local("two"))
        try await expectEqual(again, two.stores)
        // What the killed one left on its way went with the next.
        #expect(ServiceFolder.names(in: two.folder.uploads).isEmpty)
        #expect(ServiceFolder.names(in: two.folder.owners).isEmpty)
    }

    @Test(.enabled(if: hasBoth, needs)) func aServiceGoesOnWhereItWasMoved() throws {
        func data(_ name: String) throws -> String {
            let path = "\(folder.path)/\(name)"
            try ServiceFolder.make(path)
            return path
        }
        let server = try S3Server.shared()
        let options = [
            "--database", try RowDatabases.newDatabaseText(), "--store", "s3://\(try server.makeBucket())/models",
        ]
        let environment = Self.environment.merging(["DAED_S3_ENDPOINT": server.endpoint]) { $1 }
        let (source, way, target) = (try data("source"), try data("way"), "\(folder.path)/target")
        let command = ["import-folder", source, "--data", way] + options
        let bytes = try Repository.fixture("bundles/walker.zip")
        let one = try ServiceProcess(data: source)
        let id = try one.client.upload(bytes, name: "walker.zip")
        #expect(try one.client.outcome(of: id)["state"] == "ready")
        let failed = try one.client.upload(Array("no model".utf8), name: "a.zip")
        #expect(try one.client.outcome(of: failed)["state"] == "failed")
        let paths =
            ["/v1/assets", "/v1/assets/\(id)", "/v1/assets/\(failed)"]
            + ["inspect", "report", "original"].map { "/v1/assets/\(id)/\($0)" }
        let before = try paths.map { try one.client.get($0) }
        let refused = try run(command, environment: environment)
        #expect(refused.code == 75 && refused.errors == "daed: \(source): a daed runs on it; stop it first\n")
        #expect(one.end() == 0)

        let moved = try run(command + ["--format", "json"], environment: environment)
        #expect(moved.code == 0, "\(moved.errors)")
        let told = try JSONNode(parsing: moved.output)
        #expect(told["outcome"] == "done" && told["assets"] == 2 && told["originals"] == 2 && told["lost"] == 0)
        #expect(told["bytes"]?.number.map { Int($0) } == bytes.count + 8)
        let two = try ServiceProcess(data: way, options, environment: environment)
        for (path, answer) in zip(paths, before) { #expect(try two.client.get(path).body == answer.body, "\(path)") }

        // Others come and go meanwhile.
        let (client, end) = (two.client, Flag())
        BackgroundThread.start {
            for number in 0..<20 {
                guard let other = try? client.upload(bytes + Array("\(number)".utf8), name: "a.zip") else { break }
                if number.isMultiple(of: 2) { _ = try? client.send("DELETE", "/v1/assets/\(other)") }
            }
            end.raise()
        }
        for number in 0..<3 {
            let busy = "\(folder.path)/busy\(number)"
            let copied = try run(["export", busy, "--data", way] + options, environment: environment)
            #expect(copied.code == 0, "\(copied.errors)")
            #expect(try run(["doctor", "--deep", "--data", busy]).text.hasPrefix("Healthy.\n"))
        }
        try end.wait()
        for asset in try two.client.get("/v1/assets?limit=500").json?["assets"]?.elements ?? [] {
            let other = try #require(asset["id"]?.string)
            if ![id, failed].contains(other) { _ = try two.client.send("DELETE", "/v1/assets/\(other)") }
        }
        // From another machine, which sees no process of this one.
        let elsewhere = ["import-folder", source, "--data", "\(folder.path)/elsewhere"] + options
        let served = try run(elsewhere, environment: environment)
        #expect(served.code == 75, "\(served.errors)")
        #expect(served.errors.hasSuffix(": a service runs on it; stop it first\n"))
        let copied = try run(["export", target, "--data", way] + options, environment: environment)
        #expect(copied.code == 0, "\(copied.errors)")
        #expect(two.end() == 0)
        let worker = try ServiceProcess(
            data: data("worker"), options, environment: environment, command: "worker")
        _ = try eventually("a refusal beside a worker") {
            try run(elsewhere, environment: environment).code == 75 ? true : nil
        }
        #expect(worker.end() == 0)
        // It said that it left: nobody waits for what it told last.
        #expect(try run(elsewhere, environment: environment).text.hasPrefix("It was done before"))
        let three = try ServiceProcess(data: target)
        for (path, answer) in zip(paths, before) { #expect(try three.client.get(path).body == answer.body, "\(path)") }
        #expect(try run(["export", target, "--data", way] + options, environment: environment).code == 75)
        #expect(three.end() == 0)
        #expect(try run(["doctor", "--deep", "--data", target]).text.hasPrefix("Healthy.\n"))

        // Where bytes stay in their folder rows alone are moved.
        let mixed = ["--data", source, "--database", try RowDatabases.newDatabaseText()]
        #expect(try run(["import-folder", source] + mixed).text == "2 assets, 2 originals, \(bytes.count + 8) bytes\n")
        let four = try ServiceProcess(data: source, mixed)
        for (path, answer) in zip(paths, before) { #expect(try four.client.get(path).body == answer.body, "\(path)") }
    }

    @Test func whatCannotBeCopiedIsRefusedInOneLine() async throws {
        let (one, service) = try await local("one")
        _ = try await add("one", to: one, service)
        try one.database.close()
        func refused(_ words: [String], _ code: Int32, _ said: String) throws {
            let outcome = try run(words)
            #expect(outcome.code == code, "\(words): \(outcome.errors)")
            #expect(outcome.errors.hasPrefix("daed: ") && outcome.errors.contains(said), "\(words): \(outcome.errors)")
            #expect(outcome.errors.split(separator: "\n").count == 1 && outcome.text.isEmpty, "\(words)")
        }
        let none = "\(folder.path)/none"
        let (from, to) = (["import-folder", service.path, "--data"], ["--data", service.path])
        try refused(["import-folder", none] + to, 66, "no daed.sqlite is in it")
        try refused(["export", "\(folder.path)/copy", "--data", none], 66, "no daed.sqlite is in it")
        try refused(from + [service.path], 64, "would go, too")
        try refused(["export", service.path] + to, 64, "would go, too")
        // What has tokens or assets of its own.
        let used = "\(folder.path)/used"
        #expect(try run(["token", "add", "ops", "--data", used]).code == 0)
        try refused(from + [used], 73, "has tokens of something else")
        try refused(["export", used] + to, 73, "has tokens of something else")
        // Not a half of it is served.
        let half = "\(folder.path)/half"
        #expect(try run(from + [half]).code == 0)
        let queue = try DatabaseQueue(path: half + "/daed.sqlite")
        try await queue.write { try $0.execute(sql: "UPDATE transfers SET ended = NULL") }
        try refused(["serve", "--port", "0", "--data", half], 78, "not all was copied here")
        #expect(try run(from + [half]).code == 0)
        #expect(try run(from + [half]).text.hasPrefix("It was done before"))
        // Of other versions nothing is changed.
        let source = try DatabaseQueue(path: service.database)
        try await source.write {
            try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('1000: of a newer version')")
        }
        try refused(from + ["\(folder.path)/new"], 73, "a newer daed keeps its database here")
        try await source.write {
            try $0.execute(sql: "DELETE FROM grdb_migrations WHERE identifier LIKE '1000:%' OR identifier LIKE '12:%'")
        }
        try refused(from + ["\(folder.path)/new"], 78, "'daed migrate' brings its tables up to date")
        try await source.write { try $0.execute(sql: "DROP TABLE transfers") }
        #expect(try run(["migrate"] + to).text == "The tables were brought up to date.\n")
        #expect(try run(["migrate"] + to).text == "The tables are up to date, as they were.\n")
        #expect(try run(from + ["\(folder.path)/new"]).code == 0)
    }
}

/// Breaks what goes through it after some steps, before or behind the last. A class because all stores share it.
private final class Fuse: Sendable {
    struct Blown: Error {}

    private let left: Mutex<Int>

    init(steps: Int) { left = Mutex(steps) }

    func run<Value>(_ step: () async throws -> Value) async throws -> Value {
        let now = left.withLock { left in
            left -= 1
            return left
        }
        guard now >= 0 else { throw Blown() }
        let value = try await step()
        // The step is done, and nobody hears of it.
        if now == 0 { throw Blown() }
        return value
    }
}

private struct WeakRows: RowDatabase {
    let rows: any RowDatabase
    let fuse: Fuse

    func read<Value: Sendable>(_ body: @escaping @Sendable (SQLSession) throws -> Value) async throws -> Value {
        try await rows.read(body)
    }
    func write<Value: Sendable>(_ body: @escaping @Sendable (SQLSession) throws -> Value) async throws -> Value {
        let rows = rows
        return try await fuse.run { try await rows.write(body) }
    }
    func rows(_ sql: String, _ arguments: SQLArguments) async throws -> [SQLRow] {
        try await rows.rows(sql, arguments)
    }
    var bytes: Int64 { rows.bytes }
    var dialect: SQLDialect { rows.dialect }
    func close() throws { try rows.close() }
}

private struct WeakStore: ObjectStore {
    let store: any ObjectStore
    var fuse = Fuse(steps: .max)
    /// Told before an object is brought.
    var watch: @Sendable (ObjectKey) async throws -> Void = { _ in }

    func put(localFile file: String, at key: ObjectKey) async throws {
        let store = store
        try await fuse.run { try await store.put(localFile: file, at: key) }
    }
    func put(_ bytes: [UInt8], at key: ObjectKey) async throws { try await store.put(bytes, at: key) }
    func open(_ key: ObjectKey) async throws -> (any ObjectReading)? { try await store.open(key) }
    func head(_ key: ObjectKey) async throws -> StoredObject? { try await store.head(key) }
    func remove(_ key: ObjectKey) async throws { try await store.remove(key) }
    func keys(_ prefix: String, after: ObjectKey?, limit: Int) async throws -> [StoredObject] {
        try await store.keys(prefix, after: after, limit: limit)
    }
    func bring(_ key: ObjectKey, toLocalFile file: String) async throws -> Bool {
        try await watch(key)
        return try await store.bring(key, toLocalFile: file)
    }
}

extension StoredToken {
    fileprivate static func other(_ name: String) -> StoredToken {
        StoredToken(
            id: "fedcba9876543210", name: name, scope: .read, digest: SHA256Digest(hashing: [2]), created: 6)
    }
}
