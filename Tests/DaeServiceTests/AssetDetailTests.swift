import DaeCore
import Daedalus
import GRDB
import TestSupport
import Testing

@testable import DaeService

/// What clients say of assets: labels and expiries, by every way in.
@Suite struct AssetDetailTests {
    private let folder: TemporaryFolder
    private let service: ServiceProcess
    private let client: ServiceClient
    /// Long from now.
    private let later = 4_102_444_800_000

    init() throws {
        folder = try TemporaryFolder()
        service = try ServiceProcess(data: folder.path)
        client = service.client
    }

    private func names(_ path: String) throws -> [String] {
        let answer = try client.get(path)
        #expect(answer.status == 200)
        return answer.json?["assets"]?.elements.compactMap { $0["name"]?.string } ?? []
    }

    private func patch(_ id: String, _ body: String) throws -> ServiceClient.Answer {
        try client.send(
            "PATCH", "/v1/assets/\(id)", headers: ["Content-Type": "application/merge-patch+json"],
            body: Array(body.utf8))
    }

    private func add(_ body: String) throws -> ServiceClient.Answer {
        try client.send(
            "POST", "/v1/assets", headers: ["Content-Type": "application/json"], body: Array(body.utf8))
    }

    @Test func everyWayInTakesLabelsAndAnExpiry() throws {
        let raw = try client.send(
            "POST", "/v1/assets?name=raw.dae&label=project=atlas&label=note=a%20b%3Dc&expires=\(later)",
            body: Array("raw".utf8))
        #expect(raw.json?["labels"] == ["project": "atlas", "note": "a b=c"])
        #expect(raw.json?["expires"]?.number == Double(later))
        let order = #"{"url":"http://example.org/a.zip","labels":{"project":"atlas"},"expires":\#(later)}"#
        let link = try add(order)
        #expect(link.json?["labels"] == ["project": "atlas"])
        #expect(link.json?["expires"]?.number == Double(later))
        let metadata = [
            "filename \(Self.base64("tus.dae"))", "labels \(Self.base64(#"{"project":"atlas","part":"arm"}"#))",
            "expires \(Self.base64(String(later)))",
        ].joined(separator: ",")
        let begun = try client.send(
            "POST", "/v1/uploads",
            headers: [
                "Tus-Resumable": "1.0.0", "Upload-Length": "3", "Upload-Metadata": metadata,
                "Content-Type": "application/offset+octet-stream",
            ], body: Array("tus".utf8))
        let asset = try client.get(try #require(begun.headers["asset-location"]))
        #expect(asset.json?["labels"] == ["project": "atlas", "part": "arm"])
        #expect(asset.json?["expires"]?.number == Double(later))
        #expect(try names("/v1/assets?label=project=atlas") == ["tus.dae", "a.zip", "raw.dae"])
        #expect(try names("/v1/assets?label=project=atlas&label=part=arm") == ["tus.dae"])
        #expect(try names("/v1/assets?label=note") == ["raw.dae"])
        #expect(try names("/v1/assets?label=project=other").isEmpty)
        #expect(try names("/v1/assets?label=part=arm&name=raw").isEmpty)
    }

    private static func base64(_ text: String) -> String {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        let bytes = Array(text.utf8)
        return stride(from: 0, to: bytes.count, by: 3).map { at in
            let group = (0..<3).map { at + $0 < bytes.count ? Int(bytes[at + $0]) : 0 }
            let bits = group[0] << 16 | group[1] << 8 | group[2]
            let all = [18, 12, 6, 0].map { digits[bits >> $0 & 63] }
            let count = min(3, bytes.count - at)
            return String(all.prefix(count + 1)) + String(repeating: "=", count: 3 - count)
        }.joined()
    }

    @Test func pagesKeepTheLabelsTheyWereAskedFor() throws {
        for number in 0..<5 {
            let label = number.isMultiple(of: 2) ? "even" : "odd"
            let answer = try client.send(
                "POST", "/v1/assets?name=\(number).dae&label=kind=\(label)", body: Array("\(number)".utf8))
            #expect(answer.status == 201)
        }
        let first = try client.get("/v1/assets?limit=2&label=kind=even")
        #expect(first.json?["assets"]?.elements.compactMap { $0["name"]?.string } == ["4.dae", "2.dae"])
        let next = try #require(first.json?["links"]?["next"]?.string)
        #expect(try names(next) == ["0.dae"])
    }

    @Test func aPatchMergesAndIsTold() throws {
        let answer = try client.send("POST", "/v1/assets?name=a.dae&label=a=1&label=b=2", body: Array("a".utf8))
        let id = try #require(answer.json?["id"]?.string)
        let events = try LoopbackClient(port: service.port)
        events.send(
            "GET /v1/assets/\(id)/events HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nLast-Event-ID: 0\r\n\r\n")
        let changed = try patch(id, #"{"labels":{"b":null,"c":"3"},"expires":\#(later)}"#)
        #expect(changed.status == 200)
        #expect(changed.json?["labels"] == ["a": "1", "c": "3"])
        #expect(changed.json?["expires"]?.number == Double(later))
        #expect(try patch(id, "{}").json?["labels"] == ["a": "1", "c": "3"])
        let cleared = try patch(id, #"{"labels":null,"expires":null}"#)
        #expect(cleared.json?["labels"] == [:])
        #expect(cleared.json?["expires"] == .null)
        #expect(try client.get("/v1/assets/\(id)").json?["labels"] == [:])
        #expect(try names("/v1/assets?label=a").isEmpty)
        #expect(try client.send("DELETE", "/v1/assets/\(id)").status == 204)
        let text = String(decoding: events.rest().bytes, as: UTF8.self)
        let told = text.split { $0 == "\n" || $0 == "\r\n" }.filter { $0.contains("labels") }
        #expect(told.count == 2, "\(text)")
        #expect(told.first?.contains(#""labels":{"a":"1","c":"3"}"#) == true)
        #expect(text.contains("event: details"))
        #expect(try patch("none", "{}").status == 404)
        #expect(service.logged("action").contains { $0["action"] == "change" && $0["asset"]?.string == id })
    }

    static let wrongPatches = [
        #"{"labels":{"A":"1"}}"#, #"{"labels":{"a":"\u0000"}}"#, #"{"labels":{"a":1}}"#, #"{"labels":7}"#,
        #"{"expires":1}"#, #"{"expires":"soon"}"#, #"{"expires":1795346140}"#, #"{"expires":999999999999999999}"#,
        #"{"name":"b"}"#, #"{"state":null}"#, "[]", "7", "",
    ]

    /// Members of a type that they never have, by their names.
    static let wrongTypes = [
        ("expires", #""2030-01-01""#), ("expires", "1.5"), ("expires", "true"), ("expires", "[]"), ("expires", "{}"),
        ("expires", "99999999999999999999"), ("labels", #"["x"]"#), ("labels", "1.5"), ("labels", #"{"a":1}"#),
        ("labels", "false"), ("name", #""b""#),
    ]

    @Test func aChangeOfAWrongTypeIsRefusedByItsName() throws {
        let answer = try client.send("POST", "/v1/assets?name=a.dae&label=a=1", body: Array("a".utf8))
        let id = try #require(answer.json?["id"]?.string)
        for (name, value) in Self.wrongTypes {
            let refused = try patch(id, "{\"\(name)\":\(value)}")
            #expect(refused.status == 400, "\(name): \(value)")
            #expect(refused.json?["parameter"]?.string == name)
            #expect(
                refused.json?["detail"]?.string?.hasPrefix("'\(name)' cannot be changed so; expected labels") == true)
        }
        #expect(try client.get("/v1/assets/\(id)").json?["labels"] == ["a": "1"])
    }

    @Test func amongTheMembersOfALinkNoneIsMisspelt() throws {
        for (name, order) in [
            ("lables", #"{"url":"http://example.org/a.zip","lables":{"a":"1"}}"#),
            ("ulr", #"{"ulr":"http://example.org/"}"#),
            ("Sha256", #"{"url":"http://example.org/a.zip","Sha256":7,"headers":{}}"#), ("", #"{"":1}"#),
        ] {
            let refused = try add(order)
            #expect(refused.status == 400, "\(order)")
            #expect(refused.json?["parameter"]?.string == name)
            #expect(
                refused.json?["detail"]?.string
                    == "There is no member '\(name)' here; expected expires, headers, labels, name, sha256, url.")
        }
        #expect(try client.get("/v1/assets").json?["assets"]?.elements.isEmpty == true)
    }

    @Test func whatIsNoChangeIsRefusedAndChangesNothing() throws {
        let answer = try client.send("POST", "/v1/assets?name=a.dae&label=a=1", body: Array("a".utf8))
        let id = try #require(answer.json?["id"]?.string)
        for body in Self.wrongPatches { #expect(try patch(id, body).status == 400, "\(body)") }
        let many = (0..<16).map { #""n\#($0)":"x""# }.joined(separator: ",")
        #expect(try patch(id, "{\"labels\":{\(many)}}").status == 400)
        #expect(try patch(id, "{\"labels\":{\"a\":null,\(many)}}").status == 200)
        #expect(try client.get("/v1/assets/\(id)").json?["labels"]?.members.count == 16)
    }

    @Test func hostileLabelsAreRefused() throws {
        let long = String(repeating: "x", count: 1 << 20)
        #expect(try add(#"{"url":"http://example.org/a.zip","labels":{"a":"\#(long)"}}"#).status == 413)
        let many = (0..<5000).map { #""n\#($0)":"""# }.joined(separator: ",")
        #expect(try add(#"{"url":"http://example.org/a.zip","labels":{\#(many)}}"#).status == 400)
        let tooLong = String(repeating: "x", count: 201)
        for labels in [
            #"{"a":"\u0000"}"#, #"{"a":"\r\nSet-Cookie: b"}"#, #"{"a\u0000":"b"}"#, #"{"":"b"}"#, #"{"-a":"b"}"#,
            #"{"A":"b"}"#, #"{"ä":"b"}"#, #"{"a":"\#(tooLong)"}"#, #"{"a":null}"#, #"{"a":{"b":"c"}}"#, #"["a"]"#,
        ] {
            #expect(try add(#"{"url":"http://example.org/a.zip","labels":\#(labels)}"#).status == 400, "\(labels)")
        }
        let queries = [
            "label=a", "label==b", "label=A=b", "label=a=%00", "label=a=%0d%0aX:1", "label=a=1&label=a=2", "expires=1",
            "expires=x", "expires=-1", "expires=", "expires=9223372036854775808",
            (0..<17).map { "label=n\($0)=x" }.joined(separator: "&"),
        ]
        for query in queries {
            let answer = try client.send("POST", "/v1/assets?name=a.dae&\(query)", body: Array("a".utf8))
            #expect(answer.status == 400, "\(query)")
            #expect(answer.json?["parameter"] != nil, "\(query)")
        }
        for query in ["label=", "label==x", "label=A", "label=a=%00", "label=a%00=b"] {
            #expect(try client.get("/v1/assets?\(query)").status == 400, "\(query)")
        }
        for value in [#"{"a":1}"#, "[]", "x", #"{"A":"b"}"#] {
            let headers = [
                "Tus-Resumable": "1.0.0", "Upload-Length": "3", "Upload-Metadata": "labels \(Self.base64(value))",
            ]
            #expect(try client.send("POST", "/v1/uploads", headers: headers).status == 400, "\(value)")
        }
        #expect(try client.get("/v1/assets").json?["assets"]?.elements.isEmpty == true)
        #expect(service.logText.utf8.count < 100_000)
    }

    @Test func aRequestThatIsSentAgainWithOtherLabelsIsAnotherOne() throws {
        let headers = ["Idempotency-Key": "one"]
        func send(_ label: String) throws -> ServiceClient.Answer {
            try client.send("POST", "/v1/assets?name=a.dae&label=\(label)", headers: headers, body: Array("a".utf8))
        }
        #expect(try send("a=1&expires=\(later)").status == 201)
        let again = try send("a=1&expires=\(later + 1)")
        #expect(again.status == 201)
        #expect(again.headers["idempotency-replayed"] == "true")
        #expect(again.json?["expires"]?.number == Double(later))
        #expect(try send("a=2").status == 422)
    }

    // MARK: - Expiry

    @Test func whatExpiredIsRemovedByTheServiceItself() throws {
        let now = AssetOperations.Instant.systemTime()
        func upload(_ name: String, _ expires: Int64) throws -> String {
            let answer = try client.send(
                "POST", "/v1/assets?name=\(name)&expires=\(expires)", body: Array(name.utf8))
            return try #require(answer.json?["id"]?.string)
        }
        let (short, long) = (try upload("short.dae", now + 1500), try upload("long.dae", now + 3_600_000))
        _ = try eventually("the end of an asset") { try client.get("/v1/assets/\(short)").status == 404 ? true : nil }
        #expect(try client.get("/v1/assets/\(long)").status == 200)
        let blobs = ServiceFolder(path: folder.path).blobs
        _ = try eventually("the end of its bytes") {
            try Repository.files(below: blobs).count { $0.utf8.count > 60 } == 1 ? true : nil
        }
        #expect(service.logged("expired").map { $0["asset"]?.string } == [short])
        let all = try LoopbackClient(port: service.port)
        all.send("GET /v1/events HTTP/1.1\r\nHost: localhost\r\nLast-Event-ID: 0\r\n\r\n")
        var text = ""
        while !text.contains("event: removed"), case let more = all.read(1), !more.isEmpty {
            text += String(decoding: more, as: UTF8.self)
        }
        #expect(text.contains("event: removed"))
    }

    @Test func aRestartAndADefaultExpireAssets() throws {
        let id = try client.upload(Array("a".utf8), name: "a.dae")
        #expect(try client.get("/v1/assets/\(id)").json?["expires"] == .null)
        #expect(try patch(id, #"{"expires":\#(AssetOperations.Instant.systemTime() + 300)}"#).status == 200)
        service.end(SIGKILL)
        let next = try ServiceProcess(data: folder.path, ["--expire-after", "3600"])
        let given = try next.client.send("POST", "/v1/assets?name=b.dae&expires=\(later)", body: Array("b".utf8))
        #expect(given.json?["expires"]?.number == Double(later))
        let other = try next.client.send("POST", "/v1/assets?name=c.dae", body: Array("c".utf8))
        let (created, expires) = (other.json?["created"]?.number, other.json?["expires"]?.number)
        #expect(expires == created.map { $0 + 3_600_000 })
        _ = try eventually("the end of an asset") {
            try next.client.get("/v1/assets/\(id)").status == 404 ? true : nil
        }
    }

    @Test func expiredAssetsGoInBatches() async throws {
        let service = ServiceFolder(path: folder.path + "/other")
        try service.prepare()
        let store = JobStore(try SQLiteDatabase(path: service.database, now: { 5000 }))
        for number in 0..<7 {
            let digest = SHA256Digest(hashing: Array("\(number / 2)".utf8))
            let path = try folder.write("\(number / 2)", to: "bytes")
            var asset = AssetRecord(
                id: .random(), name: "\(number)", origin: .upload,
                content: StoredContent(digest: digest, bytes: 1, name: "a.dae", in: path),
                state: .downloading(.first), created: 0, changed: 0)
            asset.details.expires = number == 6 ? 5001 : Int64(4000 + number)
            let put = ObjectKey.blob(digest, putBy: .random())
            #expect(
                try await store.add(asset, bytes: .put(put, instead: nil), key: nil, queueLimit: 10)
                    == .added(put: number % 2 == 0 ? .named : .unneeded))
        }
        let first = try await store.removeExpired(limit: 4)
        #expect(first.removed.count == 4)
        #expect(first.unused.count == 2)
        #expect(first.hasMore)
        let second = try await store.removeExpired(limit: 4)
        #expect(second.removed.count == 2)
        #expect(!second.hasMore)
        #expect(try await store.assets(AssetQuery()).assets.map(\.name) == ["6"])
        #expect(try await store.events(after: 0, of: nil, limit: 100).events.count { $0.kind == .removed } == 6)
    }
}
