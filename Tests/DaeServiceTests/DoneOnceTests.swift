import Daedalus
import TestSupport
import Testing

@testable import DaeService

/// A request that was done by a service that was killed before it answered.
@Suite struct DoneOnceTests {
    private let folder: TemporaryFolder
    private let store: SQLiteJobStore
    private let access: SQLiteAccessStore
    private let url = "http://model.invalid/a.zip"

    init() throws {
        folder = try TemporaryFolder()
        try ServiceFolder(path: folder.path).prepare()
        store = try SQLiteJobStore(path: folder.path + "/daed.sqlite")
        access = SQLiteAccessStore(store)
    }

    /// Begins a request as a service does that is gone since.
    ///
    /// - Parameter ago: How many of its leases are over.
    private func begin(_ line: String, ago: Int64 = 2) async throws -> OnceID {
        let now = AssetOperations.Instant.systemTime() - ago * KeyedRequest.lease
        guard case .begun(let once) = try await access.begin(keyed(line), now: now) else { throw Unexpected() }
        return once
    }

    private func keyed(_ line: String) -> KeyedRequest { KeyedRequest(client: "", key: "one", line: line) }

    private struct Unexpected: Error {}

    private func asset(_ origin: AssetOrigin, _ content: StoredContent? = nil) -> AssetRecord {
        AssetRecord(
            id: .random(), name: "a.zip", origin: origin, content: content,
            state: .downloading(.first), created: 0, changed: 0)
    }

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
        let once = try await begin("POST /v1/assets")
        let asset = asset(.address(url))
        #expect(try await store.add(asset, once: once, queueLimit: 10) {} == .added)
        let service = try ServiceProcess(data: folder.path)
        #expect(try post(service, "/v1/assets", #"{"url": "http://model.invalid/b.zip"}"#).status == 422)
        for replayed in [nil, "true"] {
            let answer = try post(service, "/v1/assets", #"{"url": "\#(url)"}"#)
            #expect(answer.status == 201)
            #expect(answer.headers["location"] == asset.path)
            #expect(answer.headers["idempotency-replayed"] == replayed)
        }
        #expect(try ids(service) == [asset.id.text])
    }

    @Test func anUploadIsAddedOnce() async throws {
        let once = try await begin("POST /v1/assets?name=a.zip")
        let file = try folder.write("no model", to: "uploads/one")
        let digest = SHA256Digest(hashing: Array("no model".utf8))
        let asset = asset(.upload, StoredContent(digest: digest, bytes: 8, name: "a.zip", in: file))
        let blobs = FolderBlobStore(folder: ServiceFolder(path: folder.path).blobs)
        #expect(try await store.add(asset, once: once, queueLimit: 10) { try blobs.adopt(file, as: digest) } == .added)
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
        let once = try await begin("POST /v1/assets")
        let asset = asset(.address(url))
        #expect(try await store.add(asset, once: once, queueLimit: 10) {} == .added)
        #expect(try await store.remove(asset.id, once: nil) == .removed(unused: nil))
        let service = try ServiceProcess(data: folder.path)
        #expect(try post(service, "/v1/assets", #"{"url": "\#(url)"}"#).status == 410)
        #expect(try ids(service) == [])
    }

    @Test func whatWasNotDoneIsDone() async throws {
        let once = try await begin("POST /v1/assets", ago: 9)
        #expect(try await begin("POST /v1/assets", ago: 7) == once)
        #expect(try await begin("POST /v1/assets?name=x", ago: 5) != once)
        #expect(try await begin("POST /v1/assets", ago: 3) != once)
        let service = try ServiceProcess(data: folder.path)
        #expect(try post(service, "/v1/assets", #"{"url": "\#(url)"}"#).status == 201)
        #expect(try ids(service)?.count == 1)
    }

    @Test func anAttemptIsRetriedOnce() async throws {
        var asset = asset(.address(url))
        var machine = AssetStateMachine(source: asset.source, state: asset.state)
        _ = try machine.handle(.failed(.init(.ioError, "No."), .resume, attempt: machine.state.attempt))
        asset.state = machine.state
        #expect(try await store.add(asset, once: nil, queueLimit: 10) {} == .added)
        let path = "\(asset.path)/actions"
        let once = try await begin("POST \(path)")
        let taken = try await store.take(.retry(asset.id), on: asset.id, once: once) { record in
            var machine = AssetStateMachine(source: record.source, state: record.state)
            _ = try machine.handle(.retry)
            return machine.state
        }
        #expect(taken?.state.attempt.number == 2)
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
        var machine = AssetStateMachine(source: asset.source, state: asset.state)
        _ = try machine.handle(.failed(.init(.ioError, "No."), .resume, attempt: machine.state.attempt))
        asset.state = machine.state
        #expect(try await store.add(asset, once: nil, queueLimit: 10) {} == .added)
        let path = "\(asset.path)/actions"
        let once = try await begin("POST \(path)")
        _ = try await store.take(.retry(asset.id), on: asset.id, once: once) { $0.state }
        let service = try ServiceProcess(data: folder.path)
        for action in ["cancel", "remove"] {
            #expect(try post(service, path, #"{"version":1,"action":"\#(action)"}"#).status == 422)
        }
        #expect(try await store.remove(asset.id, once: nil) == .removed(unused: nil))
        #expect(try post(service, path, #"{"version":1,"action":"retry"}"#).status == 410)
    }

    @Test func anAssetIsRemovedOnce() async throws {
        let service = try ServiceProcess(data: folder.path)
        let id = try service.client.upload(Array("no model".utf8), name: "a.zip")
        let path = "/v1/assets/\(id)/actions"
        let once = try await begin("POST \(path)")
        let asset = try #require(AssetID(id))
        #expect(try await store.remove(asset, once: once) != .unknown)
        #expect(try post(service, path, #"{"version":1,"action":"remove"}"#).status == 204)
        #expect(try post(service, path, #"{"version":1,"action":"retry"}"#).status == 422)
    }

    /// The action was taken, and what follows was refused: the action is not taken again.
    @Test func whatWasDoneWithoutAnAnswerIsNotForgotten() async throws {
        let once = try await begin("POST /v1/assets")
        #expect(try await store.add(asset(.address(url)), once: once, queueLimit: 10) {} == .added)
        try await access.forget(keyed("POST /v1/assets"))
        #expect(try await begin("POST /v1/assets") == once)
        let other = KeyedRequest(client: "", key: "two", line: "POST /v1/assets")
        guard case .begun(let first) = try await access.begin(other, now: 0) else { throw Unexpected() }
        try await access.forget(other)
        guard case .begun(let second) = try await access.begin(other, now: 0) else { throw Unexpected() }
        #expect(first != second)
    }
}
