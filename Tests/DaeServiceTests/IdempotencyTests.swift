import Glibc
import TestSupport
import Testing

/// Requests that a client sends again because it does not know whether it was heard.
@Suite struct IdempotencyTests {
    private let folder: TemporaryFolder
    private let service: ServiceProcess

    init() throws {
        folder = try TemporaryFolder()
        service = try ServiceProcess(data: folder.path)
    }

    private func add(
        _ key: String, _ text: String = "no model", path: String = "/v1/assets?name=a.zip",
        headers: [String: String] = [:]
    ) throws -> ServiceClient.Answer {
        let all = headers.merging(["Idempotency-Key": key]) { first, _ in first }
        return try service.client.send("POST", path, headers: all, body: Array(text.utf8))
    }

    private func count() throws -> Int? { try service.client.get("/v1/assets").json?["assets"]?.elements.count }

    @Test func theSameRequestIsAnsweredWithItsAsset() throws {
        let first = try add("one")
        #expect(first.status == 201)
        #expect(first.headers["idempotency-replayed"] == nil)
        let id = try #require(first.json?["id"]?.string)
        let state = try service.client.outcome(of: id)
        let again = try add("one")
        #expect(again.status == 201)
        #expect(again.json?["id"]?.string == id)
        // As it is by now.
        #expect(again.json?["state"] == state)
        #expect(again.headers["location"] == first.headers["location"])
        #expect(again.headers["content-type"] == "application/json")
        #expect(again.headers["idempotency-replayed"] == "true")
        #expect(try count() == 1)
        #expect(try add("two").json?["id"] != first.json?["id"])
        #expect(try count() == 2)
    }

    @Test func itIsKnownAfterARestart() throws {
        let first = try add("one")
        service.end(SIGKILL)
        let next = try ServiceProcess(data: folder.path)
        let again = try next.client.send(
            "POST", "/v1/assets?name=a.zip", headers: ["Idempotency-Key": "one"], body: Array("no model".utf8))
        #expect(again.json?["id"] == first.json?["id"])
        #expect(again.headers["idempotency-replayed"] == "true")
        #expect(try next.client.get("/v1/assets").json?["assets"]?.elements.count == 1)
    }

    @Test func anotherRequestMayNotHaveTheKey() throws {
        let first = try add("one")
        #expect(try add("one", "other").status == 422)
        #expect(try add("one", path: "/v1/assets?name=b.zip").status == 422)
        let path = try #require(first.headers["location"])
        #expect(try add("one", #"{"version":1,"action":"retry"}"#, path: path + "/actions").status == 422)
        #expect(try add(String(repeating: "k", count: 256)).status == 400)
        #expect(try count() == 1)
    }

    @Test func whatFailedMayBeSentAgain() throws {
        #expect(try add("one", "").status == 400)
        #expect(try add("one").status == 201)
    }

    @Test func ofTwoAtOnceOneIsDone() throws {
        let head = "POST /v1/assets HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nIdempotency-Key: slow\r\n"
        let connection = try LoopbackClient(port: service.port)
        connection.send(head + "Content-Length: 8\r\n\r\nno m")
        _ = try eventually("the first one's file") {
            try Repository.files(below: folder.path + "/uploads").isEmpty ? nil : true
        }
        let second = try add("slow", path: "/v1/assets")
        #expect(second.status == 201)
        connection.send("odel")
        let first = ServiceClient.answer(connection.rest().bytes)
        #expect(first.status == 201)
        #expect(first.headers["idempotency-replayed"] == "true")
        #expect(first.json?["id"] == second.json?["id"])
        #expect(try count() == 1)
    }

    @Test func ofManyAtOnceOneIsDone() throws {
        let connections = try (0..<8).map { _ in try LoopbackClient(port: service.port) }
        let order = #"{"url":"http://model.invalid/a.zip"}"#
        let head =
            "POST /v1/assets HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nIdempotency-Key: many\r\n"
            + "Content-Type: application/json\r\nContent-Length: \(order.utf8.count)\r\n\r\n"
        for connection in connections { connection.send(head + order) }
        let answers = connections.map { ServiceClient.answer($0.rest().bytes) }
        #expect(answers.allSatisfy { $0.status == 201 })
        #expect(answers.count { $0.headers["idempotency-replayed"] == nil } == 1)
        #expect(Set(answers.map { $0.headers["location"] }).count == 1)
        #expect(try count() == 1)
    }

    @Test func whatWasRemovedSinceIsGone() throws {
        let first = try add("one")
        let path = try #require(first.headers["location"])
        #expect(try service.client.send("DELETE", path).status == 204)
        #expect(try add("one").status == 410)
        #expect(try count() == 0)
    }

    @Test func anActionIsTakenOnce() throws {
        let client = service.client
        let id = try client.upload(Array("no model".utf8), name: "a.zip")
        _ = try client.outcome(of: id)
        let order = #"{"version":1,"action":"remove"}"#
        let first = try add("gone", order, path: "/v1/assets/\(id)/actions")
        let again = try add("gone", order, path: "/v1/assets/\(id)/actions")
        #expect(first.status == 204)
        #expect(first.headers["idempotency-replayed"] == nil)
        #expect(again.status == 204)
        #expect(again.headers["idempotency-replayed"] == "true")
        // Nor is it told of twice.
        #expect(service.logged("action").count { $0["action"] == "remove" } == 1)
    }

    @Test func keysOfOneTokenAreNotAnothers() throws {
        func token(_ name: String) throws -> [String: String] {
            let run = try Program.run(
                ["token", "add", name, "--scope", "write", "--data", folder.path], program: ServiceProcess.program)
            return ["Authorization": "Bearer " + run.text.dropLast()]
        }
        let (first, second) = (try token("first"), try token("second"))
        let one = try add("key", headers: first)
        let other = try add("key", headers: second)
        #expect(one.status == 201)
        #expect(other.status == 201)
        #expect(one.json?["id"] != other.json?["id"])
    }
}
