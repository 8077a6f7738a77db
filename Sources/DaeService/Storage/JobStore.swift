import DaeCore
import Daedalus
import Synchronization

/// - Throws: ``RequestKeyError`` where a key is known that does not fit what is asked for. After an error nothing was kept,
///   unless a ``CommitError`` says that it may be.
struct JobStore: Sendable {
    let database: any RowDatabase
    private let damaged = DamagedJobs()

    init(_ database: any RowDatabase) { self.database = database }

    // MARK: - Assets

    /// Keeps a new asset; one that is not settled gets a job, with the trace of the present task.
    ///
    /// - Parameters:
    ///   - bytes: Where its bytes are.
    ///   - key: Of the request, which adds it once; `nil` where each time adds one.
    ///   - upload: What it came by in pieces, which is finished then.
    func add(
        _ asset: AssetRecord, bytes: ContentBytes, key: RequestKey?, upload: ResumableUpload? = nil, queueLimit: Int
    ) async throws -> Admission {
        let trace = TraceContext.current?.trace
        return try await database.write { session in
            let (order, now) = (try asset.order(), try session.now())
            if let done = try RequestKeyRow.asset(key, order, at: now, session) {
                guard let known = try AssetRow.fetch(done, session) else { throw RequestKeyError.removedSince }
                return .wasAdded(known)
            }
            if let upload, try !UploadStore.isHeld(upload, session) { return .notHeld }
            guard try asset.state.isSettled || Self.hasRoom(queueLimit, session) else { return .queueIsFull }
            try QuotaRow.check(asset.addedBy, asset.id, adding: asset.content?.bytes, session)
            let put = try asset.content.map { try AssetRow.keep($0, bytes, session) } ?? .named
            guard put != .missing else { return .lacksBytes }
            try AssetRow.insert(asset, session)
            if let upload { try UploadStore.finish(upload, session) }
            try RequestKeyRow.keep(key, order, asset.id, at: now, session)
            session.record(.state, try StateText.text(asset.state), of: asset.id, at: now)
            if asset.state.isSettled {
                try WebhookRow.add(.settled, of: asset.id, at: now, session)
            } else {
                try session.execute("INSERT INTO jobs (asset, trace) VALUES ($1, $2)", [asset.id.text, trace])
            }
            return .added(put: put)
        }
    }

    private static func hasRoom(_ queueLimit: Int, _ session: SQLSession) throws -> Bool {
        let waiting: Int? = try session.value("SELECT count(*) FROM jobs WHERE owner IS NULL")
        return waiting ?? 0 < queueLimit
    }

    /// Whether an asset that has to be read could be added now.
    func hasRoom(queueLimit: Int) async throws -> Bool {
        try await database.read { try Self.hasRoom(queueLimit, $0) }
    }

    /// Whether a request with this key did what it asked for.
    func isKnown(_ key: RequestKey) async throws -> Bool {
        try await database.read { session in try RequestKeyRow.fetch(key, at: session.now(), session) != nil }
    }

    func asset(_ id: AssetID) async throws -> AssetRecord? {
        try await database.row(AssetRow.one(database.dialect), [id.text]).map(AssetRow.asset)
    }

    func assets(_ query: AssetQuery) async throws -> AssetPage {
        let dialect = database.dialect
        let (sql, arguments) = query.request(AssetRow.columns(dialect), limit: query.limit + 1, dialect)
        let rows = try await database.rows(sql, arguments)
        let shown = rows.prefix(query.limit)
        let next: Int64? = rows.count > query.limit ? try shown.last?["number"] : nil
        // One that another version wrote, or that is damaged, hides none of the others.
        let assets = shown.map { row in Result { try AssetRow.asset(row) } }
        let read = try zip(shown, assets).compactMap { row, asset in
            try (try? asset.get()).map { ($0, try row["state"] as String) }
        }
        return AssetPage(
            assets: read.map(\.0), states: read.map(\.1), next: next,
            unread: try zip(shown, assets).compactMap { row, asset in
                guard case .failure(let error) = asset else { return nil }
                return "\(try row["id"] as String): \(error)"
            })
    }

    /// Forgets an asset and its job.
    ///
    /// - Parameter key: As for ``add(_:bytes:key:queueLimit:)``.
    func remove(_ id: AssetID, key: RequestKey?) async throws -> Removal {
        let text = try StateText.text(AssetAction.remove(id))
        return try await database.write { session in
            let now = try session.now()
            if try RequestKeyRow.asset(key, text, at: now, session) != nil { return .wasRemoved }
            guard let asset = try AssetRow.lock(id, session) else { return .unknown }
            try RequestKeyRow.keep(key, text, id, at: now, session)
            try AssetRow.remove(id, at: now, session)
            return .removed(unused: try asset.content.flatMap { try AssetRow.release($0.digest, session) })
        }
    }

    /// What the bytes of some digests are in, of those that assets have; asked for some thousands at once at most.
    func objects(of digests: [SHA256Digest]) async throws -> [SHA256Digest: ObjectKey] {
        let (sql, arguments) = AssetRow.objectRequest(digests, database.dialect)
        return try AssetRow.objects(await database.rows(sql, arguments))
    }

    /// What some bytes are in; `nil` where no asset has them.
    func object(of digest: SHA256Digest) async throws -> ObjectKey? { try await objects(of: [digest])[digest] }

    /// The ids of all assets whose bytes are not here, or not yet.
    func assetsWithoutContent() async throws -> Set<String> {
        Set(try await database.values("SELECT id FROM assets WHERE sha256 IS NULL"))
    }

    // MARK: - States

    /// Keeps what a job's worker said; a state that is settled ends the job.
    ///
    /// - Returns: Whether the job is still its owner's: an asset may be stopped, removed or taken over meanwhile.
    func save(_ state: AssetState, of job: Job) async throws -> Bool {
        try await database.write { session in
            guard try AssetRow.isHeld(job, session) else { return false }
            try AssetRow.save(state, of: job.asset.id, at: session.now(), session)
            return true
        }
    }

    /// Keeps what an asset's bytes are; `bytes` as for a new one.
    func save(_ content: StoredContent, of job: Job, bytes: ContentBytes) async throws -> ContentAdmission {
        try await database.write { session in
            guard try AssetRow.isHeld(job, session) else { return .notHeld }
            try QuotaRow.check(bytes: content.bytes, of: job.asset.addedBy, session)
            let put = try AssetRow.keep(content, bytes, session)
            guard put != .missing else { return .lacksBytes }
            try session.execute(
                "UPDATE assets SET sha256 = $1, contentName = $2, contentKey = $3 WHERE id = $4",
                [content.digest.hex, content.name, content.key.text, job.asset.id.text])
            let isRead = try session.has(
                """
                SELECT 1 FROM jobs JOIN assets ON assets.id = jobs.asset
                WHERE sha256 = $1 AND jobs.id <> $2 AND owner IS NOT NULL AND claimedUntil >= $3
                """, [content.digest.hex, job.id, session.now()])
            return isRead ? .isReadElsewhere(put: put) : .kept(put: put)
        }
    }

    /// Takes an action: decides on the state as it is and keeps what follows, with or without a job.
    func perform(
        _ action: AssetAction, on id: AssetID, key: RequestKey?,
        deciding: @escaping @Sendable (AssetRecord) throws -> AssetState
    ) async throws -> ActionOutcome {
        let (text, trace) = (try StateText.text(action), TraceContext.current?.trace)
        return try await database.write { session in
            let (asset, now) = (try AssetRow.lock(id, session), try session.now())
            if try RequestKeyRow.asset(key, text, at: now, session) != nil {
                guard let asset else { throw RequestKeyError.removedSince }
                return .wasTaken(asset)
            }
            guard let asset else { return .unknown }
            let state = try deciding(asset)
            try RequestKeyRow.keep(key, text, id, at: now, session)
            session.record(.action, text, of: id, at: now)
            if state != asset.state { try AssetRow.save(state, of: id, at: now, session) }
            if !state.isSettled {
                try session.execute(
                    "INSERT INTO jobs (asset, trace) VALUES ($1, $2) ON CONFLICT (asset) DO NOTHING", [id.text, trace])
            }
            return try AssetRow.fetch(id, session).map { .taken($0) } ?? .unknown
        }
    }

    // MARK: - Jobs

    /// The oldest job that nobody has a claim on, of contents that nobody works on.
    ///
    /// - Parameters:
    ///   - lease: Milliseconds for which the claim holds unless it is renewed.
    ///   - mostBytes: Of its content, where that is here already; `nil` for any number.
    ///   - tasks: What its owner does: of an asset whose bytes are here it is to be read, of any other they are to be fetched.
    func claim(
        owner: String, lease: Int64, mostBytes: Int64?, tasks: Set<WorkerTask> = .all
    ) async throws -> Job? {
        let part: String
        switch (tasks.contains(.download), tasks.contains(.process)) {
        case (true, true): part = ""
        case (true, false): part = "AND assets.sha256 IS NULL"
        case (false, true): part = "AND assets.sha256 IS NOT NULL"
        case (false, false): return nil
        }
        let known = damaged.ids
        return try await database.write { session in
            let left = known.isEmpty ? "" : "AND jobs.id NOT IN (\(known.map(String.init).joined(separator: ", ")))"
            var arguments: SQLArguments = [try session.now()]
            let small = mostBytes.map {
                """
                AND NOT EXISTS (
                    SELECT 1 FROM contents WHERE contents.sha256 = assets.sha256 AND bytes > \(arguments.add($0)))
                """
            }
            let id: Int64? = try session.value(
                """
                SELECT jobs.id FROM jobs JOIN assets ON assets.id = jobs.asset
                WHERE (jobs.owner IS NULL OR jobs.claimedUntil < $1) AND NOT EXISTS (
                    SELECT 1 FROM jobs AS other JOIN assets AS its ON its.id = other.asset
                    WHERE other.id <> jobs.id AND other.owner IS NOT NULL AND other.claimedUntil >= $1
                        AND its.sha256 = assets.sha256) \(left) \(part) \(small ?? "")
                ORDER BY jobs.id LIMIT 1 \(session.dialect.lockingFree("jobs"))
                """, arguments)
            guard let id else { return nil }
            let row = try session.row(
                """
                UPDATE jobs SET owner = $1, claimedUntil = $2, claims = claims + 1 WHERE id = $3
                RETURNING asset, claims, handed, trace
                """, [owner, session.now() + lease, id])
            guard let row else { return nil }
            let record: AssetRecord?
            do { record = try AssetID(row["asset"]).flatMap { try AssetRow.fetch($0, session) } } catch let error
                where StoreFault(error) == nil && !(error is CancellationError)
            {
                // It is the row's, not the connection's. What was written is undone by it; those behind are claimed from
                // now on.
                damaged.add(id)
                throw error
            }
            return try record.map {
                Job(
                    id: id, owner: owner, asset: $0, claims: try row["claims"], handed: try row["handed"],
                    trace: try row["trace"])
            }
        }
    }

    /// Renews all claims of an owner.
    func renew(owner: String, lease: Int64) async throws {
        try await database.write { session in
            try session.execute(
                "UPDATE jobs SET claimedUntil = $1 WHERE owner = $2", [session.now() + lease, owner])
        }
    }

    /// Gives back one claim.
    func release(_ job: Job) async throws {
        try await database.write { session in
            try session.execute(
                "UPDATE jobs SET owner = NULL, claimedUntil = NULL WHERE id = $1 AND owner = $2 AND claims = $3",
                [job.id, job.owner, job.claims])
        }
    }

    /// Gives back one claim whose part is done: the bytes are here, and a node that reads them goes on where this one ended.
    ///
    /// - Parameter state: How far it came, of which nobody is told: the next one goes on within it.
    func handOver(_ job: Job, in state: AssetState) async throws {
        try await database.write { session in
            guard try AssetRow.isHeld(job, session) else { return }
            try session.execute(
                "UPDATE assets SET state = $1 WHERE id = $2", [try StateText.text(state), job.asset.id.text])
            try Self.handOver(job, session)
        }
    }

    /// Gives back one claim of an asset whose bytes are lost: a node that downloads brings them here again.
    ///
    /// Where others have brought equal bytes meanwhile it has those.
    ///
    /// - Returns: What no asset has any more.
    func forgetContent(of job: Job) async throws -> UnusedContent? {
        try await database.write { session in
            guard try AssetRow.isHeld(job, session), let content = job.asset.content else { return nil }
            if let object = try AssetRow.lock(content.digest, session), object != content.object {
                try Self.handOver(job, session)
                return nil
            }
            try session.execute(
                "UPDATE assets SET sha256 = NULL, contentName = NULL, contentKey = NULL WHERE id = $1",
                [job.asset.id.text])
            try Self.handOver(job, session)
            return try AssetRow.release(content.digest, session)
        }
    }

    /// Gives back one claim, for a node that does another part of the work: to it the job is new.
    private static func handOver(_ job: Job, _ session: SQLSession) throws {
        try session.execute(
            "UPDATE jobs SET owner = NULL, claimedUntil = NULL, handed = claims WHERE id = $1", [job.id])
        try session.wake()
    }

    /// Gives back what an owner claimed.
    func release(owner: String) async throws {
        try await database.write { session in
            try session.execute("UPDATE jobs SET owner = NULL, claimedUntil = NULL WHERE owner = $1", [owner])
        }
    }

    /// Gives back what was claimed for a time that is over.
    func releaseExpired() async throws {
        try await database.write { session in
            try session.execute(
                "UPDATE jobs SET owner = NULL, claimedUntil = NULL WHERE claimedUntil < $1", [session.now()])
        }
    }

    func owners() async throws -> [String] {
        try await database.values("SELECT DISTINCT owner FROM jobs WHERE owner IS NOT NULL")
    }

    /// The jobs that are an owner's.
    func held(by owner: String) async throws -> [Int64] {
        try await database.values("SELECT id FROM jobs WHERE owner = $1", [owner])
    }

    // MARK: - Events

    func events(after number: Int64, of asset: AssetID?, limit: Int) async throws -> EventPage {
        try await database.read { session in
            let one = asset.map { _ in "AND asset = $3" } ?? ""
            var arguments: SQLArguments = [number, limit]
            if let asset { _ = arguments.add(asset.text) }
            let rows = try session.rows(
                """
                SELECT events.number, asset, kind, data, url, addedBy
                FROM events LEFT JOIN assets ON assets.id = events.asset
                WHERE events.number > $1 \(one) ORDER BY events.number LIMIT $2
                """, arguments)
            let newest: Int64 = try session.value("SELECT max(number) FROM events") ?? 0
            let last: Int64? = rows.count < limit ? nil : try rows.last?["number"]
            return EventPage(
                events: try rows.compactMap(AssetRow.event), first: max(1, newest - SQLSession.eventLimit + 1),
                end: last ?? newest, newest: newest)
        }
    }

    // MARK: - The whole

    func counts() async throws -> ServiceCounts {
        try await database.read { session in
            var counts = ServiceCounts()
            for row in try session.rows(session.dialect.stateCounts) {
                counts.states[try row["stateName"]] = try row["number"]
            }
            counts.queued = try session.value("SELECT count(*) FROM jobs WHERE owner IS NULL") ?? 0
            counts.oldest = try session.value(
                "SELECT min(changed) FROM jobs JOIN assets ON assets.id = asset WHERE owner IS NULL")
            counts.running = try session.value("SELECT count(*) FROM jobs WHERE owner IS NOT NULL") ?? 0
            return counts
        }
    }

    /// What all contents take.
    func originalBytes() async throws -> Int64 {
        let sums: [Int64] = try await database.values("SELECT CAST(sum(originals) AS bigint) FROM totals")
        return sums.first ?? 0
    }

    /// Whether what is kept can be read and written.
    func check() async throws {
        // Another value each time: what does not change is not written.
        try await database.write { session in
            _ = try session.execute("UPDATE totals SET checked = checked + 1")
        }
    }
}

struct ServiceCounts: Sendable {
    /// By the state's name.
    var states: [String: Int] = [:]
    var queued = 0
    /// When the asset changed last that waits for a worker longest, in milliseconds since 1970; `nil` where none waits.
    var oldest: Int64?
    var running = 0
}

/// Jobs whose assets cannot be read: they are left as they are, for a program that can. A class since copies of the
/// store share it.
private final class DamagedJobs: Sendable {
    private let known = Mutex<Set<Int64>>([])

    /// In order.
    var ids: [Int64] { known.withLock { $0.sorted() } }

    func add(_ id: Int64) { known.withLock { _ = $0.insert(id) } }
}
