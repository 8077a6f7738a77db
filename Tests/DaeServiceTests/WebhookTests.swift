import DaeCore
import Daedalus
import FoundationEssentials
import GRDB
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import DaeService

/// Receivers that are told of assets by the service itself.
@Suite struct WebhookTests {
    private let folder: TemporaryFolder
    private let service: ServiceProcess
    private let client: ServiceClient
    private static let local = ["--allow-addresses", "127.0.0.0/8", "--metrics-port", "0"]
    private static let secret = "whsec_" + Data("a key of more than 16".utf8).base64EncodedString()

    init() throws {
        folder = try TemporaryFolder()
        service = try ServiceProcess(data: folder.path, Self.local)
        client = service.client
    }

    private func put(
        _ name: String, _ url: String, _ more: String = "", to client: ServiceClient? = nil
    ) throws -> ServiceClient.Answer {
        let body = #"{"url":"\#(url)","secret":"\#(Self.secret)"\#(more)}"#
        return try (client ?? self.client).send("PUT", "/v1/webhooks/\(name)", body: Array(body.utf8))
    }

    private func status(_ name: String, _ client: ServiceClient? = nil) throws -> JSONNode? {
        let list = try (client ?? self.client).get("/v1/webhooks").json?["webhooks"]?.elements
        return list?.first { $0["name"]?.string == name }
    }

    // MARK: - Delivery

    @Test func aReceiverIsToldInOrderAndCanVerify() throws {
        let receiver = try WebhookReceiver()
        #expect(try put("one", receiver.url).status == 200)
        let answer = try client.send(
            "POST", "/v1/assets?name=walker.zip&label=project=atlas", body: Repository.fixture("bundles/walker.zip"))
        let id = try #require(answer.json?["id"]?.string)
        _ = try client.outcome(of: id)
        #expect(try client.send("DELETE", "/v1/assets/\(id)").status == 204)
        let deliveries = try receiver.wait(for: 2)
        #expect(deliveries.map { $0.json["event"]?.string } == ["settled", "removed"])
        for delivery in deliveries {
            let asset = delivery.json["asset"]
            #expect(asset?["id"]?.string == id)
            #expect(asset?["name"] == "walker.zip")
            #expect(asset?["labels"] == ["project": "atlas"])
            #expect(asset?["state"]?["state"] == "ready")
            #expect(asset?["sha256"]?.string?.count == 64)
            #expect(delivery.request["webhook-id"] == delivery.json["id"]?.string)
            #expect(delivery.request["content-type"] == "application/json")
            #expect(delivery.request["user-agent"]?.hasPrefix("daed/") == true)
        }
        #expect(Set(deliveries.compactMap { $0.request["webhook-id"] }).count == 2)
        _ = try eventually("an empty queue") { try status("one")?["waiting"] == 0 ? true : nil }
        let first = try #require(deliveries.first)
        #expect(try Self.isVerified(first.body, first, Self.secret))
        #expect(try !Self.isVerified(first.body + [0x20], first, Self.secret))
        #expect(try !Self.isVerified(first.body, first, "another secret, of no use"))
        let figures = try #require(service.metrics).get("/metrics").text
        #expect(figures.contains("daed_webhook_deliveries_total{outcome=\"delivered\"} 2.0"))
        #expect(figures.contains("daed_webhooks{state=\"active\"} 1.0"))
    }

    /// By the code that the article shows.
    private static func isVerified(
        _ body: [UInt8], _ delivery: WebhookReceiver.Delivery, _ secret: String
    ) throws -> Bool {
        let article = String(
            decoding: try Repository.bytes(at: Repository.root + "/Sources/Daedalus/Daedalus.docc/Service.md"),
            as: UTF8.self)
        let parts = article.split(separator: "```python\n")
        let shown = try #require(parts.count == 2 ? parts[1].split(separator: "```").first : nil)
        let script = """
            \(shown)
            import sys
            secret, identifier, timestamp, signature, body = sys.argv[1:]
            headers = {"Webhook-Id": identifier, "Webhook-Timestamp": timestamp, "Webhook-Signature": signature}
            verify(secret, headers, bytes.fromhex(body))
            """
        let hex = body.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        let names = ["webhook-id", "webhook-timestamp", "webhook-signature"]
        let run = try Program.run(
            ["-c", script, secret] + names.map { delivery.request[$0] ?? "" } + [hex], program: "python3")
        return run.code == 0
    }

    @Test func onlyWhatWasAskedForIsTold() throws {
        let receiver = try WebhookReceiver()
        #expect(try put("one", receiver.url, #","events":["removed"],"labels":{"a":"1"}"#).status == 200)
        func add(_ query: String) throws -> String {
            let answer = try client.send("POST", "/v1/assets?name=a.dae\(query)", body: Array("a\(query)".utf8))
            return try #require(answer.json?["id"]?.string)
        }
        let (other, wanted) = (try add("&label=a=2"), try add("&label=a=1&label=b=2"))
        for id in [other, wanted] {
            _ = try client.outcome(of: id)
            #expect(try client.send("DELETE", "/v1/assets/\(id)").status == 204)
        }
        let deliveries = try receiver.wait(for: 1)
        #expect(deliveries.map { $0.json["asset"]?["id"]?.string } == [wanted])
        #expect(deliveries.map { $0.json["event"]?.string } == ["removed"])
        #expect(try client.send("DELETE", "/v1/webhooks/one").status == 204)
        #expect(try client.send("DELETE", "/v1/webhooks/one").status == 404)
    }

    @Test func whatFailsIsTriedAgainAlsoAfterARestart() throws {
        let receiver = try WebhookReceiver(first: ["500 Internal Server Error", "302 Found"])
        let closed = try Listener(accepts: false)
        defer { close(closed.descriptor) }
        #expect(try put("one", receiver.url).status == 200)
        #expect(try put("two", "http://127.0.0.1:\(closed.port)/").status == 200)
        let id = try client.upload(Array("a".utf8), name: "a.dae")
        _ = try client.outcome(of: id)
        let tries = try receiver.wait(for: 3)
        #expect(tries.map { $0.request.target } == ["/hook", "/hook", "/hook"])
        #expect(Set(tries.compactMap { $0.request["webhook-id"] }).count == 1)
        #expect(Set(tries.map(\.body)).count == 1)
        _ = try eventually("a delivery") { try status("one")?["waiting"] == 0 ? true : nil }
        #expect(try status("one")?["fault"] == .null)
        let refused = try eventually("a fault") { try status("two")?["fault"]?.string }
        #expect(refused.contains("refused"), "\(refused)")
        #expect(service.logged("webhook failed").contains { $0["reason"] == "HTTP 500" })
        service.end(SIGKILL)
        let next = try ServiceProcess(data: folder.path, Self.local)
        #expect(try status("two", next.client)?["waiting"] == 1)
        // The same receiver at another address.
        let open = try WebhookReceiver()
        #expect(try put("two", open.url, to: next.client).status == 200)
        let delivery = try #require(try open.wait(for: 1).first)
        #expect(delivery.json["asset"]?["id"]?.string == id)
        #expect(next.end() == 0)
        #expect(!service.logText.contains(Self.secret) && !next.logText.contains(Self.secret))
    }

    @Test func aReceiverThatStandsStillHoldsUpNoOther() throws {
        let slow = try LoopbackServer { _, connection in
            connection.sendHead("200")
            connection.waitUntilClosed()
        }
        let stuck = try LoopbackServer { _, connection in connection.waitUntilClosed() }
        let receiver = try WebhookReceiver()
        for (name, url) in [("a", stuck.url("/")), ("b", slow.url("/")), ("c", receiver.url)] {
            #expect(try put(name, url).status == 200)
        }
        let ids = try (0..<3).map { try client.upload(Array("\($0)".utf8), name: "a.dae") }
        for id in ids { _ = try client.outcome(of: id) }
        #expect(Set(try receiver.wait(for: 3).compactMap { $0.json["asset"]?["id"]?.string }) == Set(ids))
        // A body without an end is not waited for.
        _ = try eventually("a delivery") { try status("b")?["waiting"] == 0 ? true : nil }
        #expect(try status("a")?["waiting"] == 3)
        #expect(service.end() == 0)
    }

    // MARK: - Where they lead

    @Test func privateAddressesAreRefused() async throws {
        let receiver = try WebhookReceiver()
        let other = folder.path + "/closed"
        mkdir(other, 0o700)
        let closed = try ServiceProcess(data: other)
        for url in [
            receiver.url, "http://localhost/hook", "http://10.0.0.1/", "http://[::1]/", "http://169.254.169.254/latest",
            "http://2130706433/",
        ] {
            let answer = try put("one", url, to: closed.client)
            #expect(answer.status == 400, "\(url)")
            #expect(answer.json?["code"] == "DOWNLOAD_BLOCKED_ADDRESS", "\(url)")
        }
        for url in ["ftp://example.org/", "file:///etc/passwd", "/hook", "", "http://exa mple.org/"] {
            #expect(try put("one", url, to: closed.client).status == 400, "\(url)")
        }
        // One that was put while its block was allowed.
        let store = WebhookStore(try SQLiteDatabase(path: ServiceFolder(path: other).database))
        let secret = try #require(WebhookSecret(Self.secret))
        let hook = Webhook(
            name: "old", url: receiver.url, secret: secret, events: [.settled], labels: AssetLabels(), created: 0)
        #expect(try await store.put(hook))
        _ = try closed.client.outcome(of: try closed.client.upload(Array("a".utf8), name: "a.dae"))
        let fault = try eventually("a fault") { try status("old", closed.client)?["fault"]?.string }
        #expect(fault.contains("not allowed") || fault.contains("loopback"), "\(fault)")
        #expect(receiver.deliveries.isEmpty)
    }

    @Test func aWebhookIsForAdministratorsAndItsSecretForNobody() throws {
        let run = try ServiceProcess.run(["token", "add", "w", "--scope", "write", "--data", folder.path])
        let writer = ["Authorization": "Bearer " + run.text.dropLast()]
        #expect(try client.get("/v1/webhooks", headers: writer).status == 403)
        #expect(try client.send("DELETE", "/v1/webhooks/one", headers: writer).status == 403)
        let admin = try ServiceProcess.run(["token", "add", "a", "--scope", "admin", "--data", folder.path])
        let headers = ["Authorization": "Bearer " + admin.text.dropLast()]
        func put(_ body: String, name: String = "one") throws -> ServiceClient.Answer {
            try client.send("PUT", "/v1/webhooks/\(name)", headers: headers, body: Array(body.utf8))
        }
        let url = #""url":"https://user:word@example.org/hook?key=SECRETKEY""#
        let made = try put(#"{\#(url),"secret":"\#(Self.secret)"}"#)
        #expect(made.status == 200)
        #expect(made.json?["url"] == "https://example.org/hook?hidden")
        let listed = try client.get("/v1/webhooks", headers: headers)
        for hidden in [Self.secret, "SECRETKEY", "word"] {
            #expect(!made.text.contains(hidden) && !listed.text.contains(hidden) && !service.logText.contains(hidden))
        }
        for body in [
            "{\(url)}", #"{\#(url),"secret":"short"}"#, #"{\#(url),"secret":"whsec_*"}"#,
            #"{"secret":"\#(Self.secret)"}"#,
            #"{\#(url),"secret":"\#(Self.secret)","events":[]}"#,
            #"{\#(url),"secret":"\#(Self.secret)","events":["x"]}"#,
            #"{\#(url),"secret":"\#(Self.secret)","labels":{"A":"b"}}"#,
            #"{\#(url),"secret":"\#(Self.secret)","events":["removed","removed"]}"#,
            #"{"url":"http://example.org/\r\nX: y","secret":"\#(Self.secret)"}"#,
        ] {
            #expect(try put(body).status == 400, "\(body)")
        }
        let misspelt = try put(#"{\#(url),"secret":"\#(Self.secret)","event":["removed"]}"#)
        #expect(misspelt.status == 400)
        #expect(misspelt.json?["parameter"] == "event")
        #expect(try put(#"{\#(url),"secret":"\#(Self.secret)"}"#, name: "a.b").status == 400)
        for number in 0..<15 {
            #expect(try put(#"{\#(url),"secret":"\#(Self.secret)"}"#, name: "n\(number)").status == 200)
        }
        #expect(try put(#"{\#(url),"secret":"\#(Self.secret)"}"#, name: "more").status == 409)
    }
}

/// What is kept of deliveries, by a clock that stands.
@Suite struct WebhookStoreTests {
    private let folder: TemporaryFolder
    private let clock = Clock(milliseconds: 1_000_000)
    private let store: JobStore
    private let webhooks: WebhookStore

    init() async throws {
        let (folder, clock) = (try TemporaryFolder(), clock)
        self.folder = folder
        store = JobStore(try SQLiteDatabase(path: folder.path + "/daed.sqlite", now: { clock.now }))
        webhooks = WebhookStore(store.database)
        let secret = try #require(WebhookSecret("0123456789abcdef"))
        let hook = Webhook(
            name: "one", url: "https://example.org/", secret: secret, events: Set(WebhookEvent.allCases),
            labels: AssetLabels(), created: 0)
        #expect(try await webhooks.put(hook))
    }

    private func asset() async throws -> AssetID {
        let asset = AssetRecord(
            id: .random(), name: "a", origin: .address("http://example.org/a?key=SECRET"), content: nil,
            state: .downloading(.first), created: 0, changed: 0)
        #expect(try await store.add(asset, key: nil, queueLimit: 100) == .added(put: .named))
        let outcome = try await store.perform(.cancel(asset.id), on: asset.id, key: nil) { record in
            var machine = AssetStateMachine(source: .url(record.source), state: record.state)
            _ = try machine.handle(.cancel)
            return machine.state
        }
        guard case .taken = outcome else { throw NeverCame(what: "the end of an asset") }
        return asset.id
    }

    @Test func eventsOfAnAssetKeepTheirOrderAndNoOtherWaits() async throws {
        let (first, second) = (try await asset(), try await asset())
        _ = try await store.remove(first, key: nil)
        let one = try #require(try await webhooks.claim(for: "one", time: 1000))
        #expect(one.body.contains(first.text) && one.body.contains("settled"))
        #expect(!one.body.contains("SECRET"))
        let two = try #require(try await webhooks.claim(for: "one", time: 1000))
        #expect(two.body.contains(second.text))
        // The removal waits for what is not taken yet.
        #expect(try await webhooks.claim(for: "one", time: 1000) == nil)
        #expect(try await !webhooks.retry(one, after: 500, fault: "x"))
        try await webhooks.finish(two)
        #expect(try await webhooks.dueWebhooks().isEmpty)
        clock.go(500)
        #expect(try await webhooks.dueWebhooks() == ["one"])
        let again = try #require(try await webhooks.claim(for: "one", time: 1000))
        #expect(again.id == one.id)
        #expect(again.attempts == 2)
        try await webhooks.finish(again)
        #expect(try #require(try await webhooks.claim(for: "one", time: 1000)).body.contains("removed"))
        // Whoever took it and died keeps it for no longer than was said.
        #expect(try await webhooks.claim(for: "one", time: 1000) == nil)
        clock.go(1000)
        #expect(try await webhooks.claim(for: "one", time: 1000) != nil)
    }

    @Test func aReceiverThatTakesNothingForADayIsParkedUntilItIsPutAgain() async throws {
        _ = try await asset()
        _ = try await asset()
        clock.go(WebhookDelivery.lifetime - 1)
        let first = try #require(try await webhooks.claim(for: "one", time: 1))
        #expect(try await !webhooks.retry(first, after: 1, fault: "x"))
        clock.go(1)
        let second = try #require(try await webhooks.claim(for: "one", time: 1))
        #expect(try await webhooks.retry(second, after: 1, fault: "HTTP 500"))
        var status = try #require(try await webhooks.webhooks().first)
        #expect(status.phase == .parked)
        #expect(status.waiting == 0)
        #expect(status.fault == "HTTP 500")
        _ = try await asset()
        #expect(try await webhooks.claim(for: "one", time: 1) == nil)
        #expect(try await webhooks.put(status.hook))
        _ = try await asset()
        status = try #require(try await webhooks.webhooks().first)
        #expect(status.phase == .active)
        #expect(status.waiting == 1)
        #expect(status.fault == nil)
    }

    @Test func anEventThatIsNeverTakenIsDroppedAloneWhereOthersAre() async throws {
        let id = try await asset()
        clock.go(WebhookDelivery.lifetime - 10)
        _ = try await asset()
        let bad = try #require(try await webhooks.claim(for: "one", time: 100))
        #expect(bad.body.contains(id.text))
        let good = try #require(try await webhooks.claim(for: "one", time: 100))
        try await webhooks.finish(good)
        _ = try await asset()
        clock.go(10)
        #expect(try await !webhooks.retry(bad, after: 1, fault: "HTTP 500"))
        let status = try #require(try await webhooks.webhooks().first)
        #expect(status.phase == .active)
        #expect(status.waiting == 1)
        #expect(status.dropped == 1)
    }

    @Test func whatWaitsIsBounded() async throws {
        try await store.database.write { session in
            try session.execute(
                """
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9999)
                INSERT INTO deliveries (id, hook, asset, body, created, due) SELECT i, 'one', i, '{}', 0, 0 FROM n
                """)
        }
        _ = try await asset()
        _ = try await asset()
        let status = try #require(try await webhooks.webhooks().first)
        #expect(status.waiting == 10_000)
        #expect(status.dropped == 1)
    }

    @Test func pausesGrowToAnHour() throws {
        let secret = try #require(WebhookSecret("0123456789abcdef"))
        let hook = Webhook(name: "a", url: "", secret: secret, events: [], labels: AssetLabels(), created: 0)
        func pause(_ attempts: Int, _ chance: Double) -> Int64 {
            WebhookDelivery(number: 1, id: "a", hook: hook, body: "", created: 0, attempts: attempts)
                .pause(chance: chance)
        }
        #expect([1, 2, 3, 12, 13, 1000].map { pause($0, 0) } == [500, 1000, 2000, 1_024_000, 1_800_000, 1_800_000])
        #expect(pause(3, 0.5) == 3000)
        #expect("\(secret)" == "***")
    }
}

/// A server that takes deliveries. A class because its threads fill what the test reads.
private final class WebhookReceiver: Sendable {
    struct Delivery: Sendable {
        let request: LoopbackRequest
        let body: [UInt8]

        var json: JSONNode { (try? JSONNode(parsing: body)) ?? .null }
    }

    private final class Taken: Sendable {
        let all = Mutex<[Delivery]>([])
    }

    private let taken: Taken
    private let server: LoopbackServer

    /// - Parameter first: Statuses of the first answers; then 204.
    init(first: [String] = []) throws {
        let taken = Taken()
        self.taken = taken
        server = try LoopbackServer { request, connection in
            let body = connection.body(of: request)
            let count = taken.all.withLock { all in
                all.append(Delivery(request: request, body: body))
                return all.count
            }
            let status = count <= first.count ? first[count - 1] : "204 No Content"
            connection.respond(status, status.hasPrefix("3") ? ["Location: /elsewhere"] : [])
        }
    }

    var url: String { server.url("/hook") }
    var deliveries: [Delivery] { taken.all.withLock { $0 } }

    func wait(for count: Int) throws -> [Delivery] {
        try eventually("\(count) deliveries") { deliveries.count >= count ? deliveries : nil }
    }
}
