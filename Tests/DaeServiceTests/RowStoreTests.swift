import DaeCore
import Daedalus
import Logging
import Synchronization
import TestSupport
import Testing

@testable import DaeService

/// What every database of rows has to hold, by one client and by several that know nothing of each other.
@Suite struct RowStoreTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    // MARK: - One client

    @Test(arguments: RowDatabases.here) func anAssetIsReadBackAsItWas(_ kind: RowDatabases) async throws {
        let databases = try await kind.empty(in: folder)
        let store = JobStore(databases[0])
        var asset = asset("ä%_\\'\"$1?.zip", by: "0123456789abcdef")
        asset.details.expires = 1 << 40
        asset.details.labels = try AssetLabels(["kind": "chair", "maker": "käse=y"])
        #expect(try await store.add(asset, key: nil, queueLimit: 10) == .added(put: .named))
        #expect(try await store.asset(asset.id) == asset)
        #expect(try await store.asset(.random()) == nil)
        let changed = try await store.change(asset.id) { $0.expires = nil }
        #expect(changed?.details.expires == nil)
        #expect(changed?.details.labels == asset.details.labels)
    }

    @Test(arguments: RowDatabases.here) func listsAreFilteredAndPaged(_ kind: RowDatabases) async throws {
        let databases = try await kind.empty(in: folder)
        let store = JobStore(databases[0])
        for number in 0..<7 {
            var asset = asset("Chair \(number)_100%.zip")
            asset.details.labels = try AssetLabels(number.isMultiple(of: 2) ? ["even": "yes", "n": "\(number)"] : [:])
            #expect(try await store.add(asset, key: nil, queueLimit: 10) == .added(put: .named))
        }
        var query = AssetQuery(limit: 3)
        let first = try await store.assets(query)
        query.after = first.next
        let second = try await store.assets(query)
        #expect((first.assets + second.assets).map(\.name) == (1...6).reversed().map { "Chair \($0)_100%.zip" })
        #expect(try await store.assets(AssetQuery(name: "chair 3_1")).assets.map(\.name) == ["Chair 3_100%.zip"])
        #expect(try await store.assets(AssetQuery(name: "r_3")).assets.isEmpty)
        #expect(try await store.assets(AssetQuery(labels: [try LabelFilter("even=yes")])).assets.count == 4)
        let both = AssetQuery(state: "downloading", labels: [try LabelFilter("n=2"), try LabelFilter("even")])
        #expect(try await store.assets(both).assets.map(\.name) == ["Chair 2_100%.zip"])
        #expect(try await store.assets(AssetQuery(state: "ready")).assets.isEmpty)
        let removal = try await store.remove(AssetQuery(labels: [try LabelFilter("even")], limit: 3))
        #expect(removal.removed.count == 3)
        #expect(removal.hasMore)
        #expect(try await store.assets(AssetQuery()).assets.count == 4)
    }

    @Test(arguments: RowDatabases.here) func eventsAreCountedInTheOrderInWhichTheyAreKept(_ kind: RowDatabases)
        async throws
    {
        let databases = try await kind.empty(in: folder)
        let store = JobStore(databases[0])
        let added = asset("a.zip")
        #expect(try await store.add(added, key: nil, queueLimit: 10) == .added(put: .named))
        let job = try #require(try await store.claim(owner: "a", lease: 60_000, mostBytes: nil))
        #expect(try await store.save(failed(job), of: job))
        var page = try await store.events(after: 0, of: nil, limit: 10)
        #expect(page.events.map(\.number) == [1, 2])
        #expect(page.events.map(\.kind) == [.state, .state])
        #expect((page.end, page.newest) == (2, 2))
        #expect(try await store.remove(added.id, key: nil) == .removed(unused: nil))
        page = try await store.events(after: 1, of: added.id, limit: 10)
        #expect(page.events.map(\.kind) == [.removed])
        #expect(page.events.map(\.number) == [3])
    }

    @Test(arguments: RowDatabases.here) func aRequestIsDoneOnce(_ kind: RowDatabases) async throws {
        let databases = try await kind.empty(in: folder)
        let store = JobStore(databases[0])
        let (key, added) = (RequestKey(client: "", text: "one"), asset("a.zip"))
        #expect(try await store.add(added, key: key, queueLimit: 10) == .added(put: .named))
        #expect(try await store.isKnown(key))
        var again = asset("a.zip")
        again.changed = 1
        #expect(try await store.add(again, key: key, queueLimit: 10) == .wasAdded(added))
        let other = try? await store.add(asset("b.zip"), key: key, queueLimit: 10)
        #expect(other == nil)
        #expect(try await store.assets(AssetQuery()).assets.count == 1)
    }

    @Test(arguments: RowDatabases.here) func tokensAndKeysAreKept(_ kind: RowDatabases) async throws {
        let databases = try await kind.empty(in: folder)
        let access = AccessStore(databases[0])
        let token = StoredToken(
            id: "0123456789abcdef", name: "one", scope: .write, digest: SHA256Digest(hashing: [1]), created: 5,
            expires: nil, quota: TokenQuota(assets: 3, bytes: nil, requests: 7))
        #expect(try await access.add(token))
        #expect(try await !access.add(token))
        #expect(try await access.token(token.id)?.quota == token.quota)
        #expect(try await access.limit("one") { $0.bytes = 9 })
        #expect(try await access.token(token.id)?.quota.bytes == 9)
        for day: Int64 in [3, 3, 4, 3] { try await access.add(requests: 2, of: token.id, on: day) }
        #expect(try await access.usage(of: token.id, on: 4).requests == 2)
        #expect(try await access.usage(of: token.id, on: 3).requests == 0)
        let changes = try await access.tokenChanges()
        #expect(try await access.revoke("one", at: 9))
        #expect(try await access.tokenChanges() == changes + 1)
        #expect(try await access.hasTokens())
        #expect(try await access.tokens().isEmpty)
        let key = SigningKey(id: "k", secret: "s", created: 1, phase: .active)
        try await access.add(key)
        #expect(try await access.retire("k", at: 2))
        #expect(try await !access.retire("k", at: 3))
        #expect(try await access.keys().map(\.secret) == [""])
    }

    @Test(arguments: RowDatabases.here) func sessionsAreKept(_ kind: RowDatabases) async throws {
        let access = AccessStore(try await kind.empty(in: folder)[0])
        let now = AssetOperations.Instant.systemTime()
        let sessions = (0..<4).map { number in
            StoredSession(
                digest: SHA256Digest(hashing: [UInt8(number)]), token: "one", began: now + Int64(number),
                expires: number == 1 ? now - 1 : now + 60_000)
        }
        for session in sessions.prefix(3) { try await access.add(session, limit: 2) }
        #expect(try await access.session(sessions[1].digest) == nil)
        #expect(try await access.session(sessions[0].digest)?.expires == sessions[0].expires)
        let changes = try await access.tokenChanges()
        try await access.add(sessions[3], limit: 2)
        #expect(try await access.session(sessions[0].digest) == nil)
        #expect(try await access.session(sessions[2].digest) != nil)
        #expect(try await access.tokenChanges() != changes)
        try await access.end(sessions[3].digest)
        #expect(try await access.session(sessions[3].digest) == nil)
        #expect(try await access.session(sessions[2].digest)?.token == "one")
    }

    @Test(arguments: RowDatabases.here) func uploadsAreKept(_ kind: RowDatabases) async throws {
        let databases = try await kind.empty(in: folder)
        let uploads = UploadStore(databases[0])
        var upload = ResumableUpload(
            id: .random(), name: "a.zip", metadata: "name YQ==", length: 10, received: 0, expires: 100,
            phase: .open, addedBy: "x")
        #expect(try await uploads.add(upload, limit: 1))
        #expect(try await !uploads.add(upload, limit: 1))
        upload.received = 4
        #expect(try await uploads.save(upload))
        #expect(try await uploads.upload(upload.id)?.received == 4)
        #expect(try await uploads.partialBytes() == 4)
        #expect(try await uploads.dueUploads(at: 50).isEmpty)
        #expect(try await uploads.dueUploads(at: 101).map(\.id) == [upload.id])
        try await uploads.remove(upload)
        #expect(try await uploads.upload(upload.id) == nil)
    }

    @Test(arguments: RowDatabases.here) func oneClientAtATimeHoldsAnUpload(_ kind: RowDatabases) async throws {
        let databases = try await kind.empty(in: folder, clients: 2)
        let (one, two) = (UploadStore(databases[0]), UploadStore(databases[1]))
        let upload = ResumableUpload(
            id: .random(), name: "a.zip", metadata: nil, length: 10, received: 0, expires: 100, phase: .open)
        #expect(try await one.acquireLease(of: upload.id, lease: 60_000) == nil)
        #expect(try await one.add(upload, limit: 10))
        #expect(try await one.acquireLease(of: upload.id, lease: 60_000) == 1)
        #expect(try await two.acquireLease(of: upload.id, lease: 60_000) == nil)
        try await one.renew(upload.id, 1, lease: nil)
        // A renewal that comes too late renews nothing.
        try await one.renew(upload.id, 1, lease: 60_000)
        #expect(try await two.acquireLease(of: upload.id, lease: -1) == 2)
        #expect(try await one.acquireLease(of: upload.id, lease: 60_000) == 3)
        // Who lost it writes nothing, and ends nothing.
        try await two.renew(upload.id, 2, lease: nil)
        #expect(try await two.acquireLease(of: upload.id, lease: 60_000) == nil)
        var (lost, held) = (upload, upload)
        (lost.holds, lost.received, held.holds, held.received) = (2, 4, 3, 6)
        let asset = asset("a.zip")
        let (first, second) = (JobStore(databases[0]), JobStore(databases[1]))
        #expect(try await second.add(asset, bytes: .known, key: nil, upload: lost, queueLimit: 9) == .notHeld)
        #expect(try await first.asset(asset.id) == nil)
        #expect(try await !two.save(lost))
        #expect(try await one.save(held))
        try await two.remove(lost)
        #expect(try await two.upload(upload.id)?.received == 6)
        #expect(try await first.add(asset, bytes: .known, key: nil, upload: held, queueLimit: 9) == .added(put: .named))
        #expect(try await two.upload(upload.id)?.phase == .finished)
        #expect(try await first.add(asset, bytes: .known, key: nil, upload: held, queueLimit: 9) == .notHeld)
        try await one.remove(held)
        #expect(try await two.upload(upload.id) == nil)
    }

    @Test(arguments: RowDatabases.here) func webhooksAreToldInOrder(_ kind: RowDatabases) async throws {
        let databases = try await kind.empty(in: folder)
        let (store, webhooks) = (JobStore(databases[0]), WebhookStore(databases[0]))
        let secret = try #require(WebhookSecret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
        let hook = Webhook(
            name: "one", url: "https://example.org/", secret: secret, events: [.settled, .removed],
            labels: AssetLabels(), created: 0)
        #expect(try await webhooks.put(hook))
        #expect(try await webhooks.dueWebhooks().isEmpty)
        let added = asset("a.zip")
        #expect(try await store.add(added, key: nil, queueLimit: 10) == .added(put: .named))
        let job = try #require(try await store.claim(owner: "a", lease: 60_000, mostBytes: nil))
        #expect(try await store.save(failed(job), of: job))
        _ = try await store.remove(added.id, key: nil)
        #expect(try await webhooks.dueWebhooks() == ["one"])
        let first = try #require(try await webhooks.claim(for: "one", time: 60_000))
        #expect(first.body.contains("settled"))
        #expect(try await webhooks.claim(for: "one", time: 60_000) == nil)
        #expect(try await !webhooks.retry(first, after: 0, fault: "a fault"))
        let again = try #require(try await webhooks.claim(for: "one", time: 60_000))
        #expect(again.id == first.id && again.attempts == 2)
        try await webhooks.finish(again)
        let second = try #require(try await webhooks.claim(for: "one", time: 60_000))
        #expect(second.body.contains("removed"))
        #expect(try await webhooks.webhooks().map(\.waiting) == [1])
        #expect(try await webhooks.removeWebhook("one"))
    }

    @Test(arguments: RowDatabases.here) func whatIsKeptIsCounted(_ kind: RowDatabases) async throws {
        let databases = try await kind.empty(in: folder)
        let store = JobStore(databases[0])
        let kept = content("bytes")
        let (first, second) = (asset("a", by: "x", content: kept), asset("b", by: "x", content: kept))
        let objects = [first, second].map { _ in ObjectKey.blob(kept.digest, putBy: .random()) }
        for (asset, put) in zip([first, second], [PutOutcome.named, .unneeded]) {
            let object = objects[put == .named ? 0 : 1]
            #expect(
                try await store.add(asset, bytes: .put(object, instead: nil), key: nil, queueLimit: 10)
                    == .added(put: put))
        }
        #expect(try await store.objects(of: [kept.digest, content("none").digest]) == [kept.digest: objects[0]])
        #expect(try await store.originalBytes() == 5)
        let access = AccessStore(databases[0])
        var usage = try await access.usage(of: "x", on: 0)
        #expect((usage.assets, usage.bytes) == (2, 10))
        #expect(try await store.remove(first.id, key: nil) == .removed(unused: nil))
        #expect(
            try await store.remove(second.id, key: nil)
                == .removed(unused: UnusedContent(digest: kept.digest, object: objects[0])))
        usage = try await access.usage(of: "x", on: 0)
        #expect((usage.assets, usage.bytes) == (0, 0))
        #expect(try await store.originalBytes() == 0)
        try await store.check()
    }

    // MARK: - Several clients

    @Test(arguments: RowDatabases.here) func whoLostItsClaimWritesNothing(_ kind: RowDatabases) async throws {
        let databases = try await kind.empty(in: folder, clients: 2)
        let (one, two) = (JobStore(databases[0]), JobStore(databases[1]))
        #expect(try await one.add(asset("a.zip"), key: nil, queueLimit: 10) == .added(put: .named))
        let lost = try #require(try await one.claim(owner: "one", lease: -1, mostBytes: nil))
        try await two.releaseExpired()
        let job = try #require(try await two.claim(owner: "two", lease: 60_000, mostBytes: nil))
        #expect(job.id == lost.id && job.claims == 2)
        #expect(try await !one.save(failed(lost), of: lost))
        try await one.release(lost)
        #expect(try await two.held(by: "two") == [job.id])
        // Nor does it by a later claim of its own.
        try await two.release(job)
        let later = try #require(try await one.claim(owner: "one", lease: 60_000, mostBytes: nil))
        #expect(try await !one.save(failed(lost), of: lost))
        #expect(try await one.save(failed(later), of: later))
    }

    @Test(arguments: RowDatabases.here) func whatIsSmallIsFoundBehindWhatIsLarge(_ kind: RowDatabases) async throws {
        let store = JobStore(try await kind.empty(in: folder)[0])
        for text in ["something large", "small"] {
            let bytes = ContentBytes.put(.blob(content(text).digest), instead: nil)
            _ = try await store.add(asset(text, content: content(text)), bytes: bytes, key: nil, queueLimit: 10)
        }
        _ = try await store.add(asset("a link"), key: nil, queueLimit: 10)
        for name in ["small", "a link", nil] {
            #expect(try await store.claim(owner: "a", lease: 60_000, mostBytes: 5)?.asset.name == name)
        }
        #expect(try await store.claim(owner: "a", lease: 60_000, mostBytes: nil)?.asset.name == "something large")
    }

    @Test(arguments: RowDatabases.here) func equalContentsAreReadByOneAtATime(_ kind: RowDatabases) async throws {
        let databases = try await kind.empty(in: folder, clients: 2)
        let (one, two) = (JobStore(databases[0]), JobStore(databases[1]))
        for name in ["a", "b"] {
            let (asset, object) = (asset(name, content: content("x")), ObjectKey.blob(content("x").digest))
            guard
                case .added = try await one.add(asset, bytes: .put(object, instead: nil), key: nil, queueLimit: 10)
            else {
                Issue.record("it was not added")
                return
            }
        }
        let job = try #require(try await one.claim(owner: "one", lease: 60_000, mostBytes: nil))
        #expect(try await two.claim(owner: "two", lease: 60_000, mostBytes: nil) == nil)
        #expect(try await one.save(failed(job), of: job))
        #expect(try await two.claim(owner: "two", lease: 60_000, mostBytes: nil) != nil)
    }

    /// Three clients take, give back, lose and end what there is, at random; a watcher reads on and on.
    @Test(arguments: RowDatabases.here) func everyJobEndsOnceAndNoEventIsMissed(_ kind: RowDatabases) async throws {
        let count = Repository.environment("DAE_TEST_FULL") == "1" ? 300 : 60
        let databases = try await kind.empty(in: folder, clients: 4)
        let stores = databases.map(JobStore.init)
        let ended = EndedJobs()
        let seen = try await withThrowingTaskGroup(of: [ServiceEvent].self) { group in
            for (number, store) in stores.prefix(3).enumerated() {
                group.addTask {
                    var random = SeededNumbers(seed: UInt64(number))
                    for turn in 0..<count / 3 {
                        _ = try await store.add(asset("\(number) \(turn)"), key: nil, queueLimit: .max)
                    }
                    while ended.count < count {
                        let lease: Int64 = Int.random(in: 0..<4, using: &random) == 0 ? -1 : 60_000
                        guard let job = try await store.claim(owner: "\(number)", lease: lease, mostBytes: nil) else {
                            try await store.releaseExpired()
                            try await Task.sleep(for: .milliseconds(1))
                            continue
                        }
                        if Int.random(in: 0..<4, using: &random) == 0 {
                            try await store.release(job)
                        } else if try await store.save(failed(job), of: job) {
                            ended.add(job.asset.id)
                        }
                    }
                    return []
                }
            }
            group.addTask {
                var (seen, at): ([ServiceEvent], Int64) = ([], 0)
                while seen.count < count * 2 {
                    let page = try await stores[3].events(after: at, of: nil, limit: 7)
                    seen += page.events
                    at = page.end
                }
                return seen
            }
            return try await group.reduce([], +)
        }
        #expect(ended.mostOfOne == 1)
        #expect(seen.map { $0.number ?? 0 } == (1...Int64(count * 2)).map { $0 })
        #expect(try await stores[0].counts().states == ["failed": count])
        let removal = try await stores[1].remove(AssetQuery(limit: count - 1))
        #expect(removal.hasMore)
        #expect(try await stores[0].counts().states == ["failed": 1])
    }

    /// Who reports on a job, who cancels it and who removes its asset lock rows in one order: none has to be undone for
    /// another's sake.
    @Test(arguments: RowDatabases.here) func whatIsDoneToOneAssetAtOnceIsDoneAtTheFirstAttempt(_ kind: RowDatabases)
        async throws
    {
        let databases = try await kind.empty(in: folder, clients: 4).map(CountedRuns.init)
        let stores = databases.map(JobStore.init)
        for turn in 0..<40 {
            let added = asset("\(turn)", content: content("\(turn)"))
            let bytes = ContentBytes.put(.blob(content("\(turn)").digest), instead: nil)
            #expect(try await stores[0].add(added, bytes: bytes, key: nil, queueLimit: 10) == .added(put: .named))
            let job = try #require(try await stores[0].claim(owner: "a", lease: 60_000, mostBytes: nil))
            let end = try failed(job)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    for _ in 0..<3 { _ = try await stores[0].save(job.asset.state, of: job) }
                    _ = try await stores[0].save(end, of: job)
                }
                group.addTask {
                    _ = try await stores[1].perform(.cancel(added.id), on: added.id, key: nil) { _ in end }
                }
                group.addTask { _ = try await stores[2].change(added.id) { $0.expires = 1 << 40 } }
                group.addTask { _ = try await stores[3].remove(added.id, key: nil) }
                try await group.waitForAll()
            }
        }
        #expect(databases.map(\.runs) == databases.map(\.transactions))
        #expect(try await stores[0].counts().states.isEmpty)
    }

    @Test(arguments: RowDatabases.here) func whoBringsTheBytesHandsOverToWhoReadsThem(_ kind: RowDatabases) async throws
    {
        let store = JobStore(try await kind.empty(in: folder)[0])
        let bytes = ContentBytes.put(.blob(content("sent").digest), instead: nil)
        _ = try await store.add(asset("a link"), key: nil, queueLimit: 10)
        _ = try await store.add(asset("sent", content: content("sent")), bytes: bytes, key: nil, queueLimit: 10)
        func claim(_ owner: String, _ tasks: Set<WorkerTask>) async throws -> Job? {
            try await store.claim(owner: owner, lease: 60_000, mostBytes: nil, tasks: tasks)
        }
        #expect(try await claim("a", [.derive]) == nil)
        #expect(try await claim("a", [.process, .derive])?.asset.name == "sent")
        #expect(try await claim("a", [.process]) == nil)
        // It was interrupted once, and is not any more by being handed over.
        let lost = try #require(try await claim("lost", [.download]))
        try await store.release(lost)
        let job = try #require(try await claim("b", [.download]))
        #expect(job.asset.name == "a link" && job.history == .interrupted)
        let object = ContentBytes.put(.blob(content("come").digest), instead: nil)
        #expect(try await store.save(content("come"), of: job, bytes: object) == .kept(put: .named))
        let far = AssetState.downloading(.init(attempt: .first.next, bytes: .init(done: 4, of: 4)))
        let told = try await store.events(after: 0, of: nil, limit: 10).newest
        try await store.handOver(job, in: far)
        try await store.handOver(lost, in: .downloading(.first))
        #expect(try await claim("b", [.download]) == nil)
        let next = try #require(try await claim("a", [.process]))
        #expect(next.asset.name == "a link" && next.history == .new && next.asset.state == far)
        #expect(try await store.events(after: 0, of: nil, limit: 10).newest == told)
        #expect(try await !store.save(failed(job), of: job))
        try await store.release(next)
        #expect(try await claim("a", .all)?.history == .interrupted)
    }

    /// Where the bytes of a link are lost, and who finds that downloads nothing.
    @Test(arguments: RowDatabases.here) func whatIsLostIsBroughtAgainByWhoDownloads(_ kind: RowDatabases) async throws {
        let store = JobStore(try await kind.empty(in: folder)[0])
        let lost = content("lost")
        for name in ["one", "two"] {
            _ = try await store.add(asset(name, by: "x"), key: nil, queueLimit: 10)
            let job = try #require(try await store.claim(owner: "a", lease: 60_000, mostBytes: nil, tasks: [.download]))
            _ = try await store.save(lost, of: job, bytes: .put(.blob(lost.digest), instead: nil))
            try await store.handOver(job, in: job.asset.state)
        }
        var owners: [Job] = []
        for _ in 0..<2 {
            // Equal contents are read by one at a time.
            let job = try #require(try await store.claim(owner: "b", lease: 60_000, mostBytes: nil, tasks: [.process]))
            owners.append(job)
            let unused = UnusedContent(digest: lost.digest, object: .blob(lost.digest))
            #expect(try await store.forgetContent(of: job) == (owners.count == 2 ? unused : nil))
            let after = try #require(try await store.asset(job.asset.id))
            #expect(after.content == nil && after.state == job.asset.state)
        }
        #expect(try await store.originalBytes() == 0)
        #expect(try await AccessStore(store.database).usage(of: "x", on: 0).bytes == 0)
        #expect(try await store.claim(owner: "b", lease: 60_000, mostBytes: nil, tasks: [.process]) == nil)
        let again = try #require(try await store.claim(owner: "c", lease: 60_000, mostBytes: nil, tasks: [.download]))
        #expect(again.asset.name == "one" && again.history == .new)
        // Who gave it away forgets nothing of it any more.
        _ = try await store.save(lost, of: again, bytes: .put(.blob(lost.digest), instead: nil))
        #expect(try await store.forgetContent(of: owners[0]) == nil)
        #expect(try await store.asset(again.asset.id)?.content?.digest == lost.digest)
        // Others have brought the same meanwhile.
        try await store.handOver(again, in: again.asset.state)
        let reading = try #require(try await store.claim(owner: "b", lease: 60_000, mostBytes: nil, tasks: [.process]))
        let new = ObjectKey.blob(lost.digest, putBy: .random())
        _ = try await store.add(
            asset("three", content: lost), bytes: .put(new, instead: .blob(lost.digest)), key: nil, queueLimit: 10)
        #expect(try await store.forgetContent(of: reading) == nil)
        #expect(try await store.asset(reading.asset.id)?.content?.object == new)
    }

    @Test(arguments: RowDatabases.here) func theQueueHasRoomUntilItIsFull(_ kind: RowDatabases) async throws {
        let store = JobStore(try await kind.empty(in: folder)[0])
        for _ in 0..<2 {
            #expect(try await store.hasRoom(queueLimit: 2))
            _ = try await store.add(asset("a"), key: nil, queueLimit: 2)
        }
        #expect(try await !store.hasRoom(queueLimit: 2))
        #expect(try await store.add(asset("a"), key: nil, queueLimit: 2) == .queueIsFull)
        _ = try await store.claim(owner: "a", lease: 60_000, mostBytes: nil)
        #expect(try await store.hasRoom(queueLimit: 2))
    }

    @Test(arguments: RowDatabases.here) func oneNodeSweepsASharedStore(_ kind: RowDatabases) async throws {
        let databases = try await kind.empty(in: folder, clients: 2)
        let service = ServiceFolder(path: folder.path + "/data")
        try service.prepare()
        let objects = FolderObjectStore(folder: service)
        let stray = ObjectKey.blob(content("stray").digest)
        /// Whether it found what nobody has.
        func sweeps(_ database: any RowDatabase, _ store: (any ObjectStore)? = nil) async throws -> Bool {
            try await objects.put([1], at: stray)
            let sweep = ObjectSweep(
                objects: store ?? objects, store: JobStore(database), uploads: UploadStore(database),
                puts: PendingPuts(owner: .random()), liveness: .unknown, log: Logger(label: "test"))
            try await sweep.run(now: AssetOperations.Instant.systemTime(), sharedEvery: 86_400_000)
            return objects.head(stray) == nil
        }
        #expect(try await sweeps(databases[0]))
        // Who has the database alone looks each time.
        #expect(try await sweeps(databases[1]) == (kind == .sqlite))
        #expect(try await sweeps(databases[0]) == (kind == .sqlite))
        guard kind == .postgreSQL else { return }
        try await databases[0].write {
            _ = try $0.execute("UPDATE sweeps SET begun = begun - $1", [86_400_000 as Int64])
        }
        await #expect(throws: StorageError.self) { _ = try await sweeps(databases[0], Unlisted(store: objects)) }
        // What broke off is another's.
        #expect(try await sweeps(databases[1]))
        #expect(try await !sweeps(databases[0]))
    }

    @Test(arguments: RowDatabases.here) func whatWasBegunTooOftenMayBeAskedForAnew(_ kind: RowDatabases) async throws {
        let databases = try await kind.empty(in: folder)
        let (store, requests) = (JobStore(databases[0]), DerivationRequests(database: databases[0]))
        let bytes = content("x")
        let asset = asset("a", content: bytes)
        let object = ContentBytes.put(.blob(bytes.digest), instead: nil)
        _ = try await store.add(asset, bytes: object, key: nil, queueLimit: 10)
        func ask() async throws -> Bool {
            guard
                case .kept = try await requests.ask(
                    "a", .report, of: asset.id, into: ResultPlace(content: bytes.key), limit: 2)
            else { return false }
            return true
        }
        #expect(try await ask())
        var claims = 0
        while try await requests.claim(owner: "a") != nil {
            claims += 1
            // Its node was killed.
            try await databases[0].write { _ = try $0.execute("UPDATE derivations SET claimedUntil = 0") }
            if claims < 5 { try await requests.sweep() }
        }
        #expect(claims == 5)
        #expect(try await ask())
        #expect(try await !requests.isAnyFree)
        // Somebody asks on and on meanwhile.
        try await requests.sweep()
        try await requests.sweep()
        #expect(try await requests.status(of: "a") == nil)
        #expect(try await ask())
        #expect(try await requests.isAnyFree)
    }

    @Test(arguments: RowDatabases.here) func whatIsAskedForIsMadeOnceForAll(_ kind: RowDatabases) async throws {
        let databases = try await kind.empty(in: folder, clients: 2)
        let (here, there) = (DerivationRequests(database: databases[0]), DerivationRequests(database: databases[1]))
        let (store, bytes) = (JobStore(databases[0]), content("x"))
        let (asset, place) = (asset("a", content: bytes), ResultPlace(content: bytes.key, folder: "reports/1"))
        let object = ContentBytes.put(.blob(bytes.digest), instead: nil)
        _ = try await store.add(asset, bytes: object, key: nil, queueLimit: 10)
        func ask(_ key: String) async throws -> Bool {
            switch try await here.ask(key, .picture(side: 64), of: asset.id, into: place, limit: 2) {
            case .kept: true
            case .queueIsFull, .assetUnknown: false
            }
        }
        for key in ["a", "b", "b"] { #expect(try await ask(key)) }
        #expect(try await !ask("c"))
        let first = try #require(try await there.claim(owner: "one"))
        guard case .picture(side: 64) = first.task, case .taken = try await here.status(of: "a") else {
            Issue.record("\(first)")
            return
        }
        #expect(first.key == "a" && first.asset.id == asset.id && first.place.folder == "reports/1")
        // What a node gave back, it says nothing of any more.
        try await there.release(owner: "one")
        let again = try #require(try await there.claim(owner: "two"))
        #expect(again.key == "a" && again.claims == 1)
        try await there.finish(first, .made)
        try await there.renew(again)
        try await there.sweep()
        try await there.finish(again, .failed(.sourceNotFound, "There is none."))
        guard case .done(.failed(.sourceNotFound, "There is none.")) = try await here.status(of: "a") else {
            Issue.record("it has another outcome")
            return
        }
        // Who asks anew does not get the answer of before.
        #expect(try await ask("a"))
        guard case .waiting = try await here.status(of: "a") else {
            Issue.record("it is answered")
            return
        }
        #expect(try await there.isAnyFree)
        _ = try await store.remove(asset.id, key: nil)
        #expect(try await here.status(of: "b") == nil)
        #expect(try await !there.isAnyFree)
        guard case .assetUnknown = try await here.ask("b", .report, of: asset.id, into: place, limit: 2) else {
            Issue.record("it is asked for")
            return
        }
    }

    @Test(arguments: RowDatabases.here) func aQuotaHoldsForAllClients(_ kind: RowDatabases) async throws {
        let databases = try await kind.empty(in: folder, clients: 3)
        let token = StoredToken(
            id: "0123456789abcdef", name: "one", scope: .write, digest: SHA256Digest(hashing: [1]), created: 5,
            quota: TokenQuota(assets: 5))
        #expect(try await AccessStore(databases[0]).add(token))
        let stores = databases.map(JobStore.init)
        let added = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<24 {
                let asset = asset("\(number)", by: token.id)
                group.addTask {
                    let admission = try? await stores[number % 3].add(asset, key: nil, queueLimit: .max)
                    return admission == .added(put: .named)
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(added == 5)
    }

    @Test(arguments: RowDatabases.here) func aKeyHoldsForAllClients(_ kind: RowDatabases) async throws {
        let databases = try await kind.empty(in: folder, clients: 3)
        let (stores, key) = (databases.map(JobStore.init), RequestKey(client: "", text: "one"))
        let admissions = try await withThrowingTaskGroup(of: Admission.self) { group in
            for number in 0..<12 {
                let asset = asset("a.zip")
                group.addTask { try await stores[number % 3].add(asset, key: key, queueLimit: .max) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(admissions.count { $0 == .added(put: .named) } == 1)
        #expect(try await stores[0].assets(AssetQuery()).assets.count == 1)
    }

    /// Equal contents come and go at once: an asset always has its bytes' row, and nothing else has one.
    @Test(arguments: RowDatabases.here) func contentsStayAsLongAsAnAssetHasThem(_ kind: RowDatabases) async throws {
        let databases = try await kind.empty(in: folder, clients: 3)
        let (stores, kept) = (databases.map(JobStore.init), content("shared"))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for store in stores {
                group.addTask {
                    for turn in 0..<20 {
                        let asset = asset("\(turn)", content: kept)
                        let object = ObjectKey.blob(kept.digest, putBy: .random())
                        let admission = try await store.add(
                            asset, bytes: .put(object, instead: nil), key: nil, queueLimit: .max)
                        guard case .added(let put) = admission else {
                            Issue.record("it was not added")
                            return
                        }
                        let named = try await store.object(of: kept.digest)
                        #expect((named == object) == (put == .named))
                        #expect(try await store.asset(asset.id)?.content?.bytes == kept.bytes)
                        guard case .removed = try await store.remove(asset.id, key: nil) else {
                            Issue.record("it was not there")
                            return
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await stores[0].object(of: kept.digest) == nil)
        #expect(try await stores[0].originalBytes() == 0)
    }
}

private func asset(
    _ name: String, by owner: String? = nil, content: StoredContent? = nil, state: AssetState = .downloading(.first)
) -> AssetRecord {
    AssetRecord(
        id: .random(), name: name, origin: content == nil ? .address("https://example.org/\(name)") : .upload,
        content: content, state: state, created: 0, changed: 0, addedBy: owner)
}

private func content(_ text: String) -> StoredContent {
    let digest = SHA256Digest(hashing: Array(text.utf8))
    return StoredContent(digest: digest, bytes: Int64(text.utf8.count), name: "a.dae", in: "a.dae")
}

private func failed(_ job: Job) throws -> AssetState {
    var machine = AssetStateMachine(source: .url(job.asset.source), state: job.asset.state)
    _ = try machine.handle(
        .failed(AssetState.Reason(.ioError, "It is only a test."), .resume, attempt: machine.state.attempt))
    return machine.state
}

/// A store that lists nothing.
private struct Unlisted: ObjectStore {
    let store: FolderObjectStore

    func put(localFile file: String, at key: ObjectKey) async throws { try await store.put(localFile: file, at: key) }
    func put(_ bytes: [UInt8], at key: ObjectKey) async throws { try await store.put(bytes, at: key) }
    func open(_ key: ObjectKey) async throws -> (any ObjectReading)? { try store.open(key) }
    func head(_ key: ObjectKey) async throws -> StoredObject? { store.head(key) }
    func remove(_ key: ObjectKey) async throws { try store.remove(key) }
    func bring(_ key: ObjectKey, toLocalFile file: String) async throws -> Bool {
        try await store.bring(key, toLocalFile: file)
    }
    func keys(_ prefix: String, after: ObjectKey?, limit: Int) async throws -> [StoredObject] {
        throw StorageError(prefix, EIO)
    }
}

/// Counts transactions that write, and how often they were run for that.
private final class CountedRuns: RowDatabase {
    private let database: any RowDatabase
    private let counts = Mutex((transactions: 0, runs: 0))

    init(_ database: any RowDatabase) { self.database = database }

    var transactions: Int { counts.withLock { $0.transactions } }
    var runs: Int { counts.withLock { $0.runs } }

    var bytes: Int64 { database.bytes }
    var dialect: SQLDialect { database.dialect }
    func close() throws { try database.close() }

    func read<Value: Sendable>(_ body: @escaping @Sendable (SQLSession) throws -> Value) async throws -> Value {
        try await database.read(body)
    }

    func rows(_ sql: String, _ arguments: SQLArguments) async throws -> [SQLRow] {
        try await database.rows(sql, arguments)
    }

    func write<Value: Sendable>(_ body: @escaping @Sendable (SQLSession) throws -> Value) async throws -> Value {
        counts.withLock { $0.transactions += 1 }
        return try await database.write { session in
            self.counts.withLock { $0.runs += 1 }
            return try body(session)
        }
    }
}

/// How often jobs came to their end.
private final class EndedJobs: Sendable {
    private let times = Mutex<[AssetID: Int]>([:])

    var count: Int { times.withLock { $0.count } }
    var mostOfOne: Int { times.withLock { $0.values.max() ?? 0 } }

    func add(_ asset: AssetID) { times.withLock { $0[asset, default: 0] += 1 } }
}
