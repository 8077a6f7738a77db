import DaeCore
import Daedalus
import GRDB
import TestSupport
import Testing

@testable import DaeService

/// Links that come with a digest or with headers.
@Suite struct LinkDetailTests {
    private let folder: TemporaryFolder
    private let service: ServiceProcess
    private let client: ServiceClient
    private let walker: [UInt8]
    private let digest: String

    init() throws {
        folder = try TemporaryFolder()
        service = try ServiceProcess(data: folder.path, ["--allow-addresses", "127.0.0.0/8"])
        client = service.client
        walker = try Repository.fixture("bundles/walker.zip")
        digest = SHA256Digest(hashing: walker).hex
    }

    private func add(_ url: String, _ more: String) throws -> ServiceClient.Answer {
        try client.send(
            "POST", "/v1/assets", headers: ["Content-Type": "application/json"],
            body: Array(#"{"url":"\#(url)"\#(more)}"#.utf8))
    }

    private func outcome(_ url: String, _ more: String) throws -> JSONNode {
        let answer = try add(url, more)
        try #require(answer.status == 201, "\(answer.text)")
        return try client.outcome(of: try #require(answer.json?["id"]?.string))
    }

    private func kept() throws -> Int {
        try DatabaseQueue(path: ServiceFolder(path: folder.path).database).read {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM assetDownloads") ?? 0
        }
    }

    @Test func aDownloadMustHashToItsDigest() throws {
        let server = try FaultServer(["/a.zip": FaultResource(walker)])
        #expect(try outcome(server.url("/a.zip"), #","sha256":"\#(digest.uppercased())""#)["state"] == "ready")
        let wrong = try outcome(server.url("/a.zip"), #","sha256":"\#(String(repeating: "0", count: 64))""#)
        #expect(wrong["state"] == "failed")
        #expect(wrong["code"] == "DOWNLOAD_CHECKSUM_MISMATCH")
        for sha256 in ["12", String(repeating: "g", count: 64), ""] {
            #expect(try add(server.url("/a.zip"), #","sha256":"\#(sha256)""#).status == 400)
        }
    }

    @Test func headersGoToTheirOriginAndAreShownToNobody() throws {
        let secret = "SECRETVALUE0123456789"
        let other = try FaultServer(["/b.zip": FaultResource(walker)])
        let server = try FaultServer(["/a.zip": FaultResource(walker), "/c.zip": FaultResource(walker)])
        server.play([.redirect(to: .text(other.url("/b.zip")))], at: "/c.zip")
        let more = #","headers":{"Authorization":"Bearer \#(secret)","X-Tenant":"\#(secret)"}"#
        #expect(try outcome(server.url("/a.zip"), more)["state"] == "ready")
        #expect(server.requests.first?["authorization"] == "Bearer \(secret)")
        #expect(server.requests.first?["x-tenant"] == secret)
        #expect(try outcome(server.url("/c.zip"), more)["state"] == "ready")
        #expect(server.requests.last?.path == "/c.zip")
        #expect(server.requests.last?["x-tenant"] == secret)
        #expect(other.requests.count == 1)
        #expect(other.requests.allSatisfy { $0["authorization"] == nil && $0["x-tenant"] == nil })
        #expect(try kept() == 0)
        let events = try LoopbackClient(port: service.port)
        events.send("GET /v1/events HTTP/1.1\r\nHost: localhost\r\nLast-Event-ID: 0\r\n\r\n")
        var told = ""
        while told.components(of: "\"state\":\"ready\"") < 2, case let next = events.read(1), !next.isEmpty {
            told += String(decoding: next, as: UTF8.self)
        }
        let list = try client.get("/v1/assets")
        var texts = [told, list.text, service.logText]
        for asset in list.json?["assets"]?.elements ?? [] {
            let id = try #require(asset["id"]?.string)
            for part in ["", "/inspect", "/report", "/tree"] {
                texts.append(try client.get("/v1/assets/\(id)\(part)").text)
            }
        }
        #expect(texts.allSatisfy { !$0.contains(secret) })
        #expect(service.end() == 0)
        // Overwritten, and not only forgotten.
        for file in try Repository.files(below: folder.path) {
            let path = folder.path + "/" + file
            let bytes = (try? Repository.bytes(at: path)) ?? []
            #expect(bytes.firstRange(of: Array(secret.utf8)) == nil, "\(file)")
        }
    }

    @Test func headersAreKeptForARetryAndNoLonger() throws {
        let server = try FaultServer(["/a.zip": FaultResource(walker)])
        // As often as it is asked for by itself.
        server.play(Array(repeating: .status(503), count: 5), at: "/a.zip")
        let answer = try add(server.url("/a.zip"), #","headers":{"X-Tenant":"atlas"}"#)
        let id = try #require(answer.json?["id"]?.string)
        let failed = try client.outcome(of: id)
        #expect(failed["state"] == "failed")
        let actions = try client.get("/v1/assets/\(id)").json?["availableActions"]?.elements.compactMap(\.string) ?? []
        try #require(actions.contains("retry"))
        #expect(try kept() == 1)
        let retry = Array(#"{"version":1,"action":"retry"}"#.utf8)
        #expect(try client.send("POST", "/v1/assets/\(id)/actions", body: retry).status == 200)
        #expect(try client.outcome(of: id)["state"] == "ready")
        #expect(server.requests.allSatisfy { $0["x-tenant"] == "atlas" })
        #expect(try kept() == 0)
    }

    static let wrongHeaders = [
        #"{"Host":"evil"}"#, #"{"content-length":"0"}"#, #"{"Transfer-Encoding":"chunked"}"#,
        #"{"Connection":"close"}"#,
        #"{"TE":"x"}"#, #"{"Upgrade":"h2c"}"#, #"{"Proxy-Authorization":"x"}"#, #"{"Range":"bytes=0-1"}"#,
        #"{"X-A":"a\r\nX-B: b"}"#, #"{"X-A":"a\nb"}"#, #"{"X-A":"a\u0000"}"#, #"{"X A":"a"}"#, #"{"X-A\r\nX-B":"a"}"#,
        #"{"":"a"}"#, #"{"X-A":"a","x-a":"b"}"#, #"{"X-A":7}"#, #"["X-A"]"#,
    ]

    @Test func headersThatAreNoneAreRefused() throws {
        for headers in Self.wrongHeaders {
            let answer = try add("http://127.0.0.1:9/a.zip", #","headers":\#(headers)"#)
            #expect(answer.status == 400, "\(headers)")
        }
        let many = (0..<17).map { #""X-\#($0)":"a""# }.joined(separator: ",")
        #expect(try add("http://127.0.0.1:9/a.zip", ",\"headers\":{\(many)}").status == 400)
        let long = String(repeating: "a", count: 9000)
        let answer = try add("http://127.0.0.1:9/a.zip", #","headers":{"X-A":"\#(long)"}"#)
        #expect(answer.status == 400)
        #expect(answer.body.count < 1000)
        #expect(try client.get("/v1/assets").json?["assets"]?.elements.isEmpty == true)
    }

    @Test func theClientLibrarySendsThem() async throws {
        let server = try FaultServer(["/a.zip": FaultResource(walker)])
        let client = try AssetServiceClient("http://127.0.0.1:\(service.port)")
        let added = try await client.add(
            url: server.url("/a.zip"), labels: ["a": "b"], sha256: digest,
            headers: [try RequestHeader("X-Tenant", "atlas")])
        #expect(added.labels == ["a": "b"])
        #expect(try await client.settled(added.id).state.isReady)
        #expect(server.requests.first?["x-tenant"] == "atlas")
    }
}

extension String {
    fileprivate func components(of text: String) -> Int { ranges(of: text).count }
}
