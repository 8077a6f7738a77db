import TestSupport
import Testing

@testable import DaeService

/// How much of the service one client may hold at once.
@Suite struct ClientBoundTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func stream(_ service: ServiceProcess, _ path: String = "/v1/events", _ header: String = "") throws
        -> (client: LoopbackClient, status: String)
    {
        let client = try LoopbackClient(port: service.port)
        client.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\(header)\r\n")
        return (client, String(decoding: client.read(12).suffix(3), as: UTF8.self))
    }

    @Test func streamsOfEventsHaveABound() throws {
        let service = try ServiceProcess(data: folder.path, ["--client-streams", "3"])
        let id = try service.client.upload(Array("no model".utf8), name: "a.zip")
        var streams = try (0..<3).map { _ in try stream(service) }
        #expect(streams.map(\.status) == ["200", "200", "200"])
        // Those of one asset count among them.
        for path in ["/v1/events", "/v1/assets/\(id)/events"] {
            let more = try stream(service, path)
            #expect(more.status == "429")
            let rest = more.client.rest()
            #expect(rest.text.lowercased().contains("retry-after: 1"))
            #expect(rest.end == .closed)
        }
        #expect(try service.client.get("/v1/assets").status == 200)
        #expect(try service.client.get("/healthz").status == 200)
        streams.removeLast()
        _ = try eventually("a place") { try stream(service).status == "200" ? true : nil }
    }

    @Test func aClientThatOpensHundredsLocksNobodyOut() throws {
        let service = try ServiceProcess(data: folder.path, ["--connections", "200"])
        let streams = try (0..<400).map { _ in try stream(service) }
        #expect(streams.count { $0.status == "200" } == 100)
        #expect(streams.count { $0.status == "429" } == 300)
        #expect(try service.client.get("/healthz").status == 200)
        #expect(try service.client.get("/readyz").status == 200)
    }

    @Test func tokensAreClientsOfTheirOwn() throws {
        let service = try ServiceProcess(data: folder.path, ["--client-streams", "1"])
        let tokens = try ["one", "two"].map {
            "Authorization: Bearer \(try ServiceProcess.run(["token", "add", $0, "--data", folder.path]).text.dropLast())\r\n"
        }
        let first = try stream(service, "/v1/events", tokens[0])
        let second = try stream(service, "/v1/events", tokens[0])
        let other = try stream(service, "/v1/events", tokens[1])
        #expect([first.status, second.status, other.status] == ["200", "429", "200"])
    }

    @Test func requestsHaveABoundAndHealthHasNone() throws {
        let service = try ServiceProcess(data: folder.path, ["--client-requests", "2"])
        let head = "POST /v1/assets?name=a.zip HTTP/1.1\r\nHost: localhost\r\nContent-Length: 8\r\n\r\nno"
        var slow = try (0..<2).map { _ in try LoopbackClient(port: service.port) }
        for client in slow { client.send(head) }
        _ = try eventually("both files") {
            try Repository.files(below: folder.path + "/uploads").count == 2 ? true : nil
        }
        #expect(try service.client.get("/v1/assets").status == 429)
        for path in ["/healthz", "/readyz"] { #expect(try service.client.get(path).status == 200) }
        #expect(slow[0].send(" model"))
        #expect(slow[0].readAnswer().head.hasPrefix("HTTP/1.1 201 "))
        _ = try eventually("a place") { try service.client.get("/v1/assets").status == 200 ? true : nil }
        // Who leaves without an answer gives its place back, too.
        slow = []
        _ = try eventually("all places") {
            let streams = try (0..<2).map { _ in try stream(service) }
            return streams.allSatisfy { $0.status == "200" } ? true : nil
        }
    }

    @Test func placesAreGivenBackWithTheirValue() {
        let ledger = ClientLedger(rate: 0, burst: 1, isShared: false) { 0 }
        var first = ledger.acquire(\.requests, of: "a", limit: 1)
        #expect(first != nil)
        #expect(ledger.acquire(\.requests, of: "a", limit: 1) == nil)
        #expect(ledger.acquire(\.streams, of: "a", limit: 1) != nil)
        #expect(ledger.acquire(\.requests, of: "b", limit: 1) != nil)
        first = nil
        #expect(ledger.acquire(\.requests, of: "a", limit: 1) != nil)
        let many = (0..<100).map { _ in ledger.acquire(\.requests, of: "c", limit: 0) }
        #expect(many.allSatisfy { $0 != nil })
    }
}
