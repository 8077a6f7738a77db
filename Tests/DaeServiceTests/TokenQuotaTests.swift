import Daedalus
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import DaeService

/// Tokens that expire, and what a token may have and ask for.
@Suite struct TokenQuotaTests {
    private let folder: TemporaryFolder
    private let service: ServiceProcess
    private let client: ServiceClient

    init() throws {
        folder = try TemporaryFolder()
        service = try ServiceProcess(data: folder.path)
        client = service.client
    }

    private func daed(_ words: [String]) throws -> Program.Outcome {
        try ServiceProcess.run(["token"] + words + ["--data", folder.path])
    }

    private func token(_ name: String, _ options: String...) throws -> [String: String] {
        let run = try daed(["add", name, "--scope", "write"] + options)
        try #require(run.code == 0, "\(run.errors)")
        return ["Authorization": "Bearer " + run.text.dropLast()]
    }

    private func upload(_ text: String, _ headers: [String: String]) throws -> ServiceClient.Answer {
        try client.send("POST", "/v1/assets?name=\(text.prefix(20)).dae", headers: headers, body: Array(text.utf8))
    }

    // MARK: - Expiry

    @Test func aTokenThatExpiredIsRefusedAndItsStreamsEnd() throws {
        let before = AssetOperations.Instant.systemTime()
        let (short, long) = (try token("short", "--expires", "3s"), try token("long", "--expires", "30d"))
        #expect(try client.get("/v1/assets", headers: short).status == 200)
        let stream = try LoopbackClient(port: service.port)
        stream.send(
            "GET /v1/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: \(short["Authorization"] ?? "")\r\n\r\n")
        let refused = try eventually("a refusal") {
            let answer = try client.get("/v1/assets", headers: short)
            return answer.status == 401 ? answer : nil
        }
        #expect(refused.json?["detail"] == "The token has expired.")
        #expect(refused.headers["www-authenticate"]?.contains("invalid_token") == true)
        #expect(refused.headers["www-authenticate"]?.contains("expired") == true)
        // It ends by itself, or this would wait for ever.
        #expect(String(decoding: stream.rest().bytes, as: UTF8.self).contains("200 OK"))
        #expect(try client.get("/v1/assets", headers: long).status == 200)
        let admin = try daed(["add", "admin", "--scope", "admin"]).text.dropLast()
        let listed = try client.get("/v1/tokens", headers: ["Authorization": "Bearer \(admin)"])
        let tokens = listed.json?["tokens"]?.elements ?? []
        #expect(tokens.compactMap { $0["name"]?.string } == ["admin", "long", "short"])
        #expect(tokens.first?["expires"] == .null)
        let expires = try #require(tokens[1]["expires"]?.number)
        #expect(expires >= Double(before + 30 * 86_400_000))
        let text = try daed(["list"]).text
        #expect(text.contains("admin  admin\n"))
        #expect(text.contains("short  write  expired\n"))
        // Its name is free again.
        let next = try token("short")
        #expect(try client.get("/v1/assets", headers: next).status == 200)
        #expect(try client.get("/v1/assets", headers: short).status == 401)
    }

    @Test func whatIsNoTimeOrNoQuotaIsRefused() throws {
        for words in [
            ["--expires", "30"], ["--expires", "0d"], ["--expires", "-1d"], ["--expires", "d"], ["--expires", "9w"],
            ["--expires", "99999999999999999999d"], ["--expires", "36526d"], ["--assets", "-1"], ["--assets", "many"],
            ["--bytes", "1X"], ["--bytes", "5/day"], ["--requests", "5/hour"], ["--requests", "99999999999999999999"],
            ["--requests", "10M"], ["--requests", "10M/day"], ["--requests", "/day"], ["--requests", "none/day"],
            ["--requests", "-1/day"], ["--assets", "10M"], ["--assets", "5/day"], ["--assets", "+5"], ["--assets", ""],
        ] {
            #expect(try daed(["add", "a"] + words).code == 64, "\(words)")
        }
        let refused = try daed(["add", "a", "--requests", "10M"]).errors
        #expect(refused.contains("Expected a number of requests of a day, such as 1000/day, or none."), "\(refused)")
        #expect(try daed(["limit", "none", "--assets", "1"]).code == 3)
        #expect(try daed(["limit", "none"]).code == 64)
        #expect(try daed(["list"]).text.isEmpty)
    }

    @Test func quotasAreTakenAsTheyAreWritten() throws {
        _ = try token("a", "--requests", "10/day", "--assets", "20", "--bytes", "30K")
        #expect(try daed(["list"]).text == "a  write  20 assets  30720 bytes  10 requests/day\n")
        #expect(try daed(["limit", "a", "--requests", "11", "--bytes", "5", "--assets", "0"]).code == 0)
        #expect(try daed(["list"]).text == "a  write  0 assets  5 bytes  11 requests/day\n")
        #expect(try daed(["limit", "a", "--requests", "none", "--bytes", "none", "--assets", "none"]).code == 0)
        #expect(try daed(["list"]).text == "a  write\n")
    }

    @Test func theHelpSaysWhatNeedsNoToken() throws {
        let help = try ServiceProcess.run(["token", "--help"]).text
        for path in ["/healthz", "/readyz", "/page/", "/viewer/", "/v1/findings"] {
            #expect(help.contains(path), "\(path)")
        }
    }

    // MARK: - Quotas

    @Test func assetsAreCountedWhileTheyAreThere() throws {
        let headers = try token("a", "--assets", "2")
        let first = try upload("one", headers)
        #expect(first.status == 201)
        #expect(try upload("two", headers).status == 201)
        let refused = try upload("three", headers)
        #expect(refused.status == 403)
        #expect(refused.json?["quota"] == "assets")
        #expect(refused.json?["used"] == 2)
        #expect(refused.json?["allowed"] == 2)
        let link = #"{"url":"http://example.org/a.zip"}"#
        let json = headers.merging(["Content-Type": "application/json"]) { $1 }
        #expect(try client.send("POST", "/v1/assets", headers: json, body: Array(link.utf8)).status == 403)
        // Others have their own.
        #expect(try upload("three", try token("b")).status == 201)
        let id = try #require(first.json?["id"]?.string)
        #expect(try client.send("DELETE", "/v1/assets/\(id)", headers: headers).status == 204)
        #expect(try upload("four", headers).status == 201)
        let usage = try client.get("/v1/usage", headers: headers)
        #expect(usage.json?["token"] == "a")
        #expect(usage.json?["assets"] == ["used": 2, "allowed": 2])
        #expect(usage.json?["bytes"] == ["used": 7, "allowed": .null])
        #expect(try daed(["limit", "a", "--assets", "none"]).code == 0)
        #expect(try upload("five", headers).status == 201)
        #expect(try daed(["list"]).text == "a  write\nb  write\n")
    }

    @Test func whatIsTooLargeIsRefusedBeforeItsBody() throws {
        let headers = try token("a", "--bytes", "1K")
        let line = "Authorization: \(headers["Authorization"] ?? "")\r\n"
        let connection = try LoopbackClient(port: service.port)
        // The body never comes.
        connection.send(
            "POST /v1/assets?name=a.dae HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1025\r\n\(line)\r\n")
        let refused = ServiceClient.answer(connection.rest().bytes)
        #expect(refused.status == 403)
        #expect(refused.json?["quota"] == "bytes")
        #expect(refused.json?["allowed"] == 1024)
        let tus = headers.merging(["Tus-Resumable": "1.0.0", "Upload-Length": "1025"]) { $1 }
        #expect(try client.send("POST", "/v1/uploads", headers: tus).status == 403)
        // What does not say how long it is is known at its end.
        let chunked = try LoopbackClient(port: service.port)
        let body = "410\r\n" + String(repeating: "x", count: 0x410) + "\r\n0\r\n\r\n"
        chunked.send(
            "POST /v1/assets?name=a.dae HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n"
                + "Connection: close\r\n\(line)\r\n\(body)")
        #expect(ServiceClient.answer(chunked.rest().bytes).status == 403)
        #expect(try upload(String(repeating: "x", count: 1024), headers).status == 201)
        // Equal bytes count for each asset.
        #expect(try upload(String(repeating: "x", count: 1024), headers).status == 403)
    }

    @Test func uploadsOnTheirWayCount() throws {
        let headers = try token("a", "--bytes", "1000", "--assets", "3")
        let tus = headers.merging(["Tus-Resumable": "1.0.0", "Upload-Length": "400"]) { $1 }
        let begun = try client.send("POST", "/v1/uploads", headers: tus)
        #expect(begun.status == 201)
        let path = try #require(begun.headers["location"])
        let slow = try LoopbackClient(port: service.port)
        slow.send(
            "POST /v1/assets?name=a.dae HTTP/1.1\r\nHost: localhost\r\nContent-Length: 400\r\n"
                + "Authorization: \(headers["Authorization"] ?? "")\r\nConnection: close\r\n\r\nbeginning")
        // Too much in any case, so that it takes no room from the one that is on its way.
        let much = String(repeating: "y", count: 700)
        let refused = try eventually("that it counts") {
            let answer = try upload(much, headers)
            return answer.json?["used"] == 800 ? answer : nil
        }
        #expect(refused.status == 403)
        let text = String(repeating: "y", count: 300)
        slow.send(Array(repeating: UInt8(ascii: "z"), count: 391))
        #expect(ServiceClient.answer(slow.rest().bytes).status == 201)
        #expect(try upload(text, headers).status == 403)
        let usage = try client.get("/v1/usage", headers: headers).json
        #expect(usage?["bytes"] == ["used": 800, "allowed": 1000])
        #expect(usage?["assets"] == ["used": 2, "allowed": 3])
        // An upload that becomes an asset takes no more than it did.
        let piece = headers.merging([
            "Tus-Resumable": "1.0.0", "Upload-Offset": "0", "Content-Type": "application/offset+octet-stream",
        ]) { $1 }
        let whole = try client.send("PATCH", path, headers: piece, body: Array(repeating: 0x61, count: 400))
        #expect(whole.status == 204)
        #expect(whole.headers["asset-location"] != nil)
        #expect(try client.get("/v1/usage", headers: headers).json?["bytes"]?["used"] == 800)
        #expect(try client.get("/v1/usage", headers: headers).json?["assets"]?["used"] == 2)
    }

    @Test func aDownloadBringsNoMoreThanWhatIsLeft() throws {
        let server = try FaultServer(["/a.zip": FaultResource(FaultResource.noise(5000))])
        let daed = try ServiceProcess(data: folder.path, ["--allow-addresses", "127.0.0.0/8"])
        let headers = try token("a", "--bytes", "4999").merging(["Content-Type": "application/json"]) { $1 }
        let order = #"{"url":"\#(server.url("/a.zip"))"}"#
        let added = try daed.client.send("POST", "/v1/assets", headers: headers, body: Array(order.utf8))
        #expect(added.status == 201)
        let path = try #require(added.headers["location"])
        let state = try eventually("the end of a download") {
            let state = try daed.client.get(path, headers: headers).json?["state"]
            return state?["state"] == "failed" ? state : nil
        }
        #expect(state["code"] == "DOWNLOAD_TOO_LARGE")
    }

    @Test func requestsOfADayAreCountedAcrossARestart() throws {
        let headers = try token("a", "--requests", "4/day")
        let path = "/v1/assets"
        for _ in 0..<4 { #expect(try client.get(path, headers: headers).status == 200) }
        let refused = try client.get(path, headers: headers)
        #expect(refused.status == 429)
        #expect(refused.json?["quota"] == "requests")
        #expect(refused.json?["used"] == 4)
        let wait = try #require(refused.headers["retry-after"].flatMap { Int($0) })
        #expect((1...86_400).contains(wait))
        #expect(try client.get(path, headers: try token("b")).status == 200)
        #expect(service.end() == 0)
        let next = try ServiceProcess(data: folder.path)
        #expect(try next.client.get(path, headers: headers).status == 429)
        #expect(try daed(["limit", "a", "--requests", "6"]).code == 0)
        _ = try eventually("the new limit") {
            try next.client.get(path, headers: headers).status == 200 ? true : nil
        }
        let usage = try next.client.get("/v1/usage", headers: headers)
        #expect(usage.json?["requests"]?["used"] == 5)
        #expect(usage.json?["requests"]?["allowed"] == 6)
        #expect(try daed(["list"]).text.contains("a  write  6 requests/day\n"))
    }

    @Test func whatTellsOfAQuotaIsAnsweredBeyondIt() throws {
        let daed = try ServiceProcess(data: folder.path, ["--metrics-port", "0"])
        let (client, metrics) = (daed.client, try #require(daed.metrics))
        for limit in ["quota", "rate"] {
            #expect(try metrics.get("/metrics").text.contains("_requests_total{limit=\"\(limit)\"} 0.0\n"), "\(limit)")
        }
        for outcome in ["delivered", "failed"] {
            #expect(try metrics.get("/metrics").text.contains("_deliveries_total{outcome=\"\(outcome)\"} 0.0\n"))
        }
        let headers = try token("a", "--requests", "2/day")
        let free = ["/", "/v1/findings", "/v1/session", "/v1/usage", "/page/app.js"]
        for path in free { #expect(try client.get(path, headers: headers).status == 200, "\(path)") }
        for _ in 0..<2 { #expect(try client.get("/v1/assets", headers: headers).status == 200) }
        for _ in 0..<3 { #expect(try client.get("/v1/assets", headers: headers).status == 429) }
        for path in free { #expect(try client.get(path, headers: headers).status == 200, "\(path)") }
        #expect(try client.send("POST", "/v1/session", headers: headers).status == 200)
        let usage = try client.get("/v1/usage", headers: headers).json?["requests"]
        #expect(usage?["used"] == 2)
        #expect(usage?["allowed"] == 2)
        #expect(try metrics.get("/metrics").text.contains("_requests_total{limit=\"quota\"} 3.0\n"))
    }

    @Test func aNewDayBeginsAnew() async throws {
        let store = JobStore(try SQLiteDatabase(path: folder.path + "/other.sqlite"))
        let access = AccessStore(store.database)
        let token = AccessToken.random()
        let stored = StoredToken(
            id: token.id, name: "a", scope: .read, digest: token.digest, created: 0,
            quota: TokenQuota(requests: 2))
        #expect(try await access.add(stored))
        let clock = Clock(milliseconds: 10 * UTCDay.milliseconds - 5000)
        let ledger = QuotaLedger(now: { clock.now })
        let client = Client.token(id: token.id, name: "a", .read)
        for _ in 0..<2 { try await ledger.chargeRequest(client, access) }
        await #expect(throws: QuotaFault(kind: .requests, used: 2, allowed: 2, retryAfter: 6)) {
            try await ledger.chargeRequest(client, access)
        }
        try await ledger.flush(access)
        // What another process sees.
        await #expect(throws: QuotaFault.self) {
            try await QuotaLedger(now: { clock.now }).chargeRequest(client, access)
        }
        clock.go(5000)
        try await ledger.chargeRequest(client, access)
        try await ledger.flush(access)
        #expect(try await access.usage(of: token.id, on: 10).requests == 1)
        #expect(try await access.usage(of: token.id, on: 9).requests == 0)
    }
}

/// A clock that stands until it is told to go. A class because those who look at it share it.
final class Clock: Sendable {
    private let milliseconds: Mutex<Int64>

    init(milliseconds: Int64) { self.milliseconds = Mutex(milliseconds) }

    var now: Int64 { milliseconds.withLock { $0 } }

    func go(_ time: Int64) { milliseconds.withLock { $0 += time } }
}
