import DaeCore
import Daedalus
import GRDB
import TestSupport
import Testing

@testable import DaeService

/// A request that was done by a service that was killed before it answered.
@Suite struct DoneOnceTests {
    private let folder: TemporaryFolder
    private let store: JobStore
    private let url = "http://model.invalid/a.zip"

    init() throws {
        folder = try TemporaryFolder()
        try ServiceFolder(path: folder.path).prepare()
        store = JobStore(try SQLiteDatabase(path: folder.path + "/daed.sqlite"))
    }

    private let key = RequestKey(client: "", text: "one")

    private func asset(_ origin: AssetOrigin, _ content: StoredContent? = nil) -> AssetRecord {
        AssetRecord(
            id: .random(), name: "a.zip", origin: origin, content: content,
            state: .downloading(.first), created: 0, changed: 0)
    }

    private struct Unexpected: Error {}

    private func post(
        _ service: ServiceProcess, _ path: String, _ body: String, type: String? = "application/json"
    ) throws -> ServiceClient.Answer {
        var headers = ["Idempotency-Key": "one"]
        headers["Content-Type"] = type
        return try service.client.send("POST", path, headers: headers, body: Array(body.utf8))
    }

    private func ids(_ service: ServiceProcess) throws -> [String?]? {
        try service.client.get("/v1/assets").json?["assets"]?.elements.map { $0["id"]?.string }
    }

    @Test func aLinkIsAddedOnce() async throws {
        let asset = asset(.address(url))
        #expect(try await store.add(asset, key: key, queueLimit: 10) == .added(put: .named))
        let service = try ServiceProcess(data: folder.path)
        #expect(try post(service, "/v1/assets", #"{"url": "http://model.invalid/b.zip"}"#).status == 422)
        for _ in 0..<2 {
            let answer = try post(service, "/v1/assets", #"{"url": "\#(url)"}"#)
            #expect(answer.status == 201)
            #expect(answer.headers["location"] == asset.path)
            #expect(answer.headers["idempotency-replayed"] == "true")
        }
        #expect(try ids(service) == [asset.id.text])
    }

    @Test func anUploadIsAddedOnce() async throws {
        let file = try folder.write("no model", to: "uploads/one")
        let digest = SHA256Digest(hashing: Array("no model".utf8))
        let asset = asset(.upload, StoredContent(digest: digest, bytes: 8, name: "a.zip", in: file))
        let object = ObjectKey.blob(digest, putBy: .random())
        try await FolderObjectStore(folder: ServiceFolder(path: folder.path)).put(localFile: file, at: object)
        #expect(
            try await store.add(asset, bytes: .put(object, instead: nil), key: key, queueLimit: 10)
                == .added(put: .named))
        let service = try ServiceProcess(data: folder.path)
        #expect(try post(service, "/v1/assets?name=a.zip", "another", type: nil).status == 422)
        let answer = try post(service, "/v1/assets?name=a.zip", "no model", type: nil)
        #expect(answer.status == 201)
        #expect(answer.json?["id"]?.string == asset.id.text)
        #expect(try ids(service) == [asset.id.text])
        #expect(try service.client.outcome(of: asset.id.text)["state"] == "failed")
        // What was refused goes behind its answer.
        _ = try eventually("no upload is left") {
            try Repository.files(below: folder.path + "/uploads").isEmpty ? true : nil
        }
    }

    @Test func whatWasRemovedSinceIsNotAddedAgain() async throws {
        let asset = asset(.address(url))
        #expect(try await store.add(asset, key: key, queueLimit: 10) == .added(put: .named))
        #expect(try await store.remove(asset.id, key: nil) == .removed(unused: nil))
        let service = try ServiceProcess(data: folder.path)
        #expect(try post(service, "/v1/assets", #"{"url": "\#(url)"}"#).status == 410)
        #expect(try ids(service) == [])
    }

    @Test func aKeyIsForgottenInTime() async throws {
        var now: Int64 = 0
        func store() throws -> JobStore {
            let time = now
            return JobStore(try SQLiteDatabase(path: folder.path + "/daed.sqlite", now: { time }))
        }
        let asset = asset(.address(url))
        #expect(try await store().add(asset, key: key, queueLimit: 10) == .added(put: .named))
        now = RequestKey.lifetime
        #expect(try await store().add(asset, key: key, queueLimit: 10) == .wasAdded(asset))
        #expect(try await store().isKnown(key))
        now += 1
        #expect(try await !store().isKnown(key))
        #expect(try await store().add(self.asset(.address(url)), key: key, queueLimit: 10) == .added(put: .named))
        #expect(try await !store().isKnown(RequestKey(client: "another", text: "one")))
    }

    /// The version before kept answers in two tables.
    @Test func aFolderOfTheVersionBeforeLosesItsKeysAlone() async throws {
        let path = folder.path + "/old.sqlite"
        let asset = asset(.address(url))
        let queue = try DatabaseQueue(path: path)
        try SQLiteSchema.migrator.migrate(queue, upTo: "5: totals, owners of assets")
        try await queue.write { database in
            try database.execute(
                sql: """
                    INSERT INTO assets (id, name, url, stateName, state, created, changed, addedBy)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    asset.id.text, asset.name, asset.source, asset.state.kind.rawValue,
                    try StateText.text(asset.state), asset.created, asset.changed, asset.addedBy,
                ])
            try database.execute(
                sql: """
                    INSERT INTO doneOnce (once, what, asset, at) VALUES ('a', 'add', ?, 0);
                    """, arguments: [asset.id.text])
            try database.execute(
                sql: """
                    INSERT INTO requestKeys (client, key, line, begun, workedUntil, once)
                    VALUES ('', 'one', 'POST /v1/assets', 0, 0, 'a')
                    """)
        }
        try queue.close()
        let store = JobStore(try SQLiteDatabase(path: path))
        #expect(try await store.asset(asset.id) == asset)
        #expect(try await !store.isKnown(key))
    }

    @Test func anAttemptIsRetriedOnce() async throws {
        var asset = asset(.address(url))
        var machine = AssetStateMachine(source: .url(asset.source), state: asset.state)
        _ = try machine.handle(.failed(.init(.ioError, "No."), .resume, attempt: machine.state.attempt))
        asset.state = machine.state
        #expect(try await store.add(asset, key: nil, queueLimit: 10) == .added(put: .named))
        let path = "\(asset.path)/actions"
        let taken = try await store.perform(.retry(asset.id), on: asset.id, key: key) { record in
            var machine = AssetStateMachine(source: .url(record.source), state: record.state)
            _ = try machine.handle(.retry)
            return machine.state
        }
        guard case .taken(let retried) = taken else { throw Unexpected() }
        #expect(retried.state.attempt.number == 2)
        let service = try ServiceProcess(data: folder.path)
        #expect(try service.client.outcome(of: asset.id.text)["attempt"] == 2)
        let answer = try post(service, path, #"{"version":1,"action":"retry"}"#)
        #expect(answer.status == 200)
        #expect(answer.json?["state"]?["attempt"] == 2)
        #expect(
            try await store.events(after: 0, of: asset.id, limit: 100).events.filter { $0.kind == .action }.count == 1)
    }

    @Test func anotherActionIsNotTakenForTheOneThatWas() async throws {
        var asset = asset(.address(url))
        var machine = AssetStateMachine(source: .url(asset.source), state: asset.state)
        _ = try machine.handle(.failed(.init(.ioError, "No."), .resume, attempt: machine.state.attempt))
        asset.state = machine.state
        #expect(try await store.add(asset, key: nil, queueLimit: 10) == .added(put: .named))
        let path = "\(asset.path)/actions"
        _ = try await store.perform(.retry(asset.id), on: asset.id, key: key) { $0.state }
        let service = try ServiceProcess(data: folder.path)
        for action in ["cancel", "remove"] {
            #expect(try post(service, path, #"{"version":1,"action":"\#(action)"}"#).status == 422)
        }
        #expect(try await store.remove(asset.id, key: nil) == .removed(unused: nil))
        #expect(try post(service, path, #"{"version":1,"action":"retry"}"#).status == 410)
    }

    @Test func anAssetIsRemovedOnce() async throws {
        let service = try ServiceProcess(data: folder.path)
        let id = try service.client.upload(Array("no model".utf8), name: "a.zip")
        let path = "/v1/assets/\(id)/actions"
        let asset = try #require(AssetID(id))
        #expect(try await store.remove(asset, key: key) != .unknown)
        #expect(try post(service, path, #"{"version":1,"action":"remove"}"#).status == 204)
        #expect(try post(service, path, #"{"version":1,"action":"retry"}"#).status == 422)
    }
}
