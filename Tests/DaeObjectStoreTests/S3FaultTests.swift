import DaeCore
import DaeDownload
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import DaeObjectStore

/// What a store or the way to it does wrong. The server answers the requests one after the other by its list of answers,
/// the last one again and again.
@Suite struct S3FaultTests {
    private typealias Answer = @Sendable (LoopbackRequest, LoopbackConnection) -> Void

    private func server(_ answers: [Answer]) throws -> LoopbackServer {
        let count = Mutex(0)
        let next: @Sendable () -> Int = {
            count.withLock { count in
                defer { count += 1 }
                return min(count, answers.count - 1)
            }
        }
        return try LoopbackServer { request, connection in
            let answer = answers[next()]
            if request["content-length"] != nil { _ = connection.body(of: request) }
            answer(request, connection)
        }
    }

    private static func status(_ line: String, _ code: String = "", _ headers: [String] = []) -> Answer {
        { _, connection in connection.respond(line, headers, body: code.isEmpty ? [] : S3Fixture.error(code)) }
    }

    private static let fine: Answer = { _, connection in connection.respond(body: Array("0123456789".utf8)) }
    private static let busy = status("503 Service Unavailable", "SlowDown")

    @Test func aBusyStoreIsAskedAgainAfterPausesThatGrow() async throws {
        let pauses = Pauses()
        let server = try server([Self.busy, Self.status("429 Too Many Requests"), Self.busy, Self.busy, Self.fine])
        let client = try S3Fixture.client(of: server, pauses: pauses)
        #expect(try await client.put([1], "k") == .stored)
        #expect(server.requests.count == 5)
        for (pause, most) in zip(pauses.all, [0.5, 1, 2, 4]) { #expect((most / 2...most).contains(pause)) }
    }

    @Test func aBusyStoreIsNotAskedForEver() async throws {
        let server = try server([Self.busy])
        let client = try S3Fixture.client(of: server, retries: 2)
        await #expect(throws: S3Error.transient("it answered 503 SlowDown")) { try await client.put([1], "k") }
        #expect(server.requests.count == 3)
    }

    @Test func whatTheStoreAsksForIsWaitedUnlessItIsTooLong() async throws {
        let pauses = Pauses()
        let patient = try server([Self.status("503 Slow", "SlowDown", ["Retry-After: 7"]), Self.fine])
        try await S3Fixture.client(of: patient, pauses: pauses).put([1], "k")
        #expect(pauses.all == [7])
        let hour = try server([Self.status("503 Slow", "SlowDown", ["Retry-After: 3600"]), Self.fine])
        await #expect(throws: S3Error.self) { try await S3Fixture.client(of: hour).put([1], "k") }
        #expect(hour.requests.count == 1)
    }

    @Test(arguments: [
        ("400 Bad Request", "InvalidArgument", 1), ("403 Forbidden", "AccessDenied", 1),
        ("400 Bad Request", "RequestTimeout", 5), ("409 Conflict", "OperationAborted", 5),
        ("409 Conflict", "ConditionalRequestConflict", 5), ("500 Internal Server Error", "InternalError", 5),
        ("501 Not Implemented", "NotImplemented", 5), ("404 Not Found", "NoSuchBucket", 1),
    ])
    func onlyWhatMayPassIsTriedAgain(_ line: String, _ code: String, requests: Int) async throws {
        let server = try server([Self.status(line, code)])
        await #expect(throws: S3Error.self) { try await S3Fixture.client(of: server).put([1], "k") }
        #expect(server.requests.count == requests)
    }

    @Test func aBodyThatBreaksOffIsGoneOnWith() async throws {
        let bytes = S3Fixture.bytes(300_000)
        let server = try server([
            { _, connection in
                connection.sendHead("200 OK", ["Content-Length: 300000", "ETag: \"v1\""])
                connection.send(Array(bytes[..<100_000]))
            },
            Self.busy,
            { _, connection in
                connection.sendHead(
                    "206 Partial Content", ["Content-Length: 200000", "Content-Range: bytes 100000-299999/300000"])
                connection.send(Array(bytes[100_000..<150_000]))
                connection.resetAtEnd()
            },
            { request, connection in
                let start = Int(request["range"]?.dropFirst(6).prefix { $0 != "-" } ?? "") ?? 0
                connection.respond(
                    "206 Partial Content", ["Content-Range: bytes \(start)-299999/300000"], body: Array(bytes[start...])
                )
            },
        ])
        let client = try S3Fixture.client(of: server)
        let (object, body) = try await client.get("k", sha256: SHA256Digest(hashing: bytes))
        #expect(object.size == 300_000)
        #expect(try await body.all() == bytes)
        let again = server.requests.dropFirst()
        #expect(again.allSatisfy { $0["if-match"] == "\"v1\"" })
        #expect(again.first?["range"] == "bytes=100000-")
    }

    @Test func aRangeThatBreaksOffIsGoneOnWithToItsEnd() async throws {
        let server = try server([
            { _, connection in
                connection.sendHead("206 Partial Content", ["Content-Length: 6", "Content-Range: bytes 2-7/10"])
                connection.send("234")
            },
            { _, connection in
                connection.respond("206 Partial Content", ["Content-Range: bytes 5-7/10"], body: Array("567".utf8))
            },
        ])
        let body = try await S3Fixture.client(of: server).get("k", range: 2..<8).body
        #expect(String(decoding: try await body.all(), as: UTF8.self) == "234567")
        #expect(server.requests.map { $0["range"] } == ["bytes=2-7", "bytes=5-7"])
    }

    @Test(arguments: ["412 Precondition Failed", "200 OK"])
    func anObjectThatBecameAnotherIsNotMixed(_ line: String) async throws {
        let server = try server([
            { _, connection in
                connection.sendHead("200 OK", ["Content-Length: 10", "ETag: \"v1\""])
                connection.send("01234")
            },
            { _, connection in connection.respond(line, ["ETag: \"v2\""], body: Array("abcdefghij".utf8)) },
        ])
        let body = try await S3Fixture.client(of: server).get("k").body
        let error = await #expect(throws: S3Error.self) { try await body.all() }
        guard case .unexpected = error else {
            Issue.record("\(error as Any)")
            return
        }
    }

    @Test func wrongBytesOfTheRightLengthAreNoticed() async throws {
        let server = try server([Self.fine])
        let client = try S3Fixture.client(of: server)
        let digest = SHA256Digest(hashing: Array("9876543210".utf8))
        await #expect(throws: S3Error.checksumMismatch(key: "k")) {
            try await client.get("k", sha256: digest).body.all()
        }
        let folder = try TemporaryFolder()
        await #expect(throws: S3Error.checksumMismatch(key: "k")) {
            try await client.get("k", to: folder.path + "/k", sha256: digest)
        }
        #expect(FileMetadata(following: folder.path + "/k") == nil)
    }

    @Test func aStoreThatStandsStillIsLeft() async throws {
        let server = try server([{ _, connection in connection.waitUntilClosed() }])
        let client = try S3Fixture.client(of: server, retries: 1)
        let error = await #expect(throws: S3Error.self) { try await client.head("k") }
        guard case .unreachable = error else {
            Issue.record("\(error as Any)")
            return
        }
        #expect(server.requests.count == 2)
    }

    @Test func cancellingEndsATransferThatStandsStill() async throws {
        let server = try server([{ _, connection in connection.waitUntilClosed() }])
        let client = try S3Fixture.client(of: server)
        let task = Task { try await client.put([1], "k") }
        while server.requests.isEmpty { await Task.yield() }
        task.cancel()
        await #expect(throws: S3Error.cancelled) { try await task.value }
        #expect(server.requests.count == 1)
    }

    @Test func aBodyThatNobodyReadsEnds() async throws {
        let (ended, done) = AsyncStream<Void>.makeStream()
        let server = try server([
            { _, connection in
                connection.sendHead("200 OK", ["Content-Length: 1000000000"])
                while connection.send([UInt8](repeating: 0, count: 1 << 16)) {}
                done.finish()
            }
        ])
        var body: S3Body? = try await S3Fixture.client(of: server).get("k").body
        for try await piece in try #require(body) where !piece.isEmpty { break }
        body = nil
        for await _ in ended {}
        #expect(server.requests.count == 1)
    }

    @Test func whatABrokenCheckLeavesIsRemovedByTheNext() async throws {
        let list: Answer = { _, connection in connection.respond(body: Array("<ListBucketResult/>".utf8)) }
        let server = try server([list, Self.fine, Self.busy, list, Self.fine, Self.fine])
        let client = try S3Fixture.client(of: server, retries: 0)
        await #expect(throws: S3Error.self) { try await client.check() }
        try await client.check()
        let changes = server.requests.filter { $0.method != "GET" }
        #expect(changes.map(\.method) == ["PUT", "DELETE", "PUT", "DELETE"])
        #expect(Set(changes.map(\.target)).count == 1)
    }

    @Test(arguments: ["301 Moved Permanently", "307 Temporary Redirect", "400 Bad Request"])
    func theBucketsRegionIsTold(_ line: String) async throws {
        let headers = line.hasPrefix("400") ? [] : ["Location: http://127.0.0.1:1/", "x-amz-bucket-region: eu-north-1"]
        let body = S3Fixture.error("AuthorizationHeaderMalformed", "<Region>eu-north-1</Region>")
        let server = try server([{ _, connection in connection.respond(line, headers, body: body) }])
        let error = await #expect(throws: S3Error.self) { try await S3Fixture.client(of: server).check() }
        #expect(error == .wrongRegion(bucket: "bucket", region: "eu-north-1"))
        #expect(error?.description == "the bucket bucket is in region eu-north-1; set that as the region")
        #expect(server.requests.count == 1)
    }

    @Test func aRedirectThatTellsNoRegionIsNotFollowed() async throws {
        let server = try server([Self.status("307 Temporary Redirect", "", ["Location: http://127.0.0.1:1/"])])
        await #expect(throws: S3Error.unexpected("307 Temporary Redirect")) {
            try await S3Fixture.client(of: server).head("k")
        }
    }

    @Test(arguments: ["RequestTimeTooSkewed", ""])
    func bothClocksAreTold(_ code: String) async throws {
        let server = try server([Self.status("403 Forbidden", code, ["Date: Mon, 21 Sep 2026 14:13:20 GMT"])])
        let client = try S3Fixture.client(of: server, now: 1_790_003_600)
        let error = await #expect(throws: S3Error.self) { try await client.head("k") }
        #expect(
            error?.description == "the clocks differ too much: here it is 2026-09-21T15:13:20Z, at the S3 store "
                + "2026-09-21T14:13:20Z")
    }

    @Test func noErrorShowsASecretOrASignature() async throws {
        for answer in [
            Self.status("403 Forbidden", "SignatureDoesNotMatch"), Self.status("400 Bad Request", "Weird\u{7}Code"),
            Self.status("200 OK", "NoList"), Self.busy,
        ] {
            let server = try server([answer])
            let error = await #expect(throws: S3Error.self) { try await S3Fixture.client(of: server).list() }
            let text = "\(error as Any)" + String(reflecting: error) + (error?.description ?? "")
            for secret in [S3Server.secretKey, "AWS4-HMAC", "Signature=", "\u{7}"] { #expect(!text.contains(secret)) }
        }
        let credentials = S3Credentials(accessKey: "AK", secret: "very-secret", sessionToken: "token-secret")
        var text = ""
        dump(credentials, to: &text)
        dump(S3CredentialSource.fixed(credentials), to: &text)
        #expect(!(text + "\(credentials)" + String(reflecting: credentials)).contains("secret"))
    }

    @Test(arguments: [
        "", "no xml", "<ListBucketResult>", "<Other/>", "<ListBucketResult><Contents/></ListBucketResult>",
        "<ListBucketResult><Contents><Key>k</Key><Size>x</Size></Contents></ListBucketResult>",
        "<!DOCTYPE a [<!ENTITY b \"bb\">]><ListBucketResult>&b;</ListBucketResult>",
        String(repeating: "<a>", count: 100_000),
    ])
    func aListThatIsNoneIsRefused(_ text: String) async throws {
        let server = try server([{ _, connection in connection.respond(body: Array(text.utf8)) }])
        let error = await #expect(throws: S3Error.self) { try await S3Fixture.client(of: server).list() }
        guard case .unexpected = error else {
            Issue.record("\(error as Any)")
            return
        }
    }

    @Test func anAnswerWithoutEndIsNotKept() async throws {
        let server = try server([
            { _, connection in
                connection.sendHead("200 OK", ["Transfer-Encoding: chunked"])
                while connection.sendChunk([UInt8](repeating: 0x20, count: 1 << 16)) {}
            }
        ])
        let error = await #expect(throws: S3Error.self) { try await S3Fixture.client(of: server).list() }
        #expect(error == .unexpected("more than 8388608 bytes"))
    }

    @Test func noStoreAtAllIsUnreachable() async throws {
        let listener = try Listener(accepts: false)
        defer { close(listener.descriptor) }
        var settings = S3Settings(endpoint: "http://127.0.0.1:\(listener.port)")
        settings.credentials = S3Fixture.fixed
        settings.retries.attempts = 0
        let error = await #expect(throws: S3Error.self) {
            try await S3Client(S3Location("s3://bucket"), settings).check()
        }
        guard case .unreachable(let reason) = error else {
            Issue.record("\(error as Any)")
            return
        }
        #expect(reason.contains("Connection refused"))
    }

    // MARK: - Parts

    @Test func aFailedPartAbortsTheUpload() async throws {
        let server = try LoopbackServer { request, connection in
            _ = connection.body(of: request)
            switch (request.method, request.target) {
            case ("POST", let target) where target.contains("uploads="):
                connection.respond(body: Array("<R><UploadId>u 1</UploadId></R>".utf8))
            case ("PUT", let target) where target.contains("partNumber=3"):
                Self.status("403 No", "AccessDenied")(request, connection)
            default: connection.respond(["ETag: \"e\""])
            }
        }
        let client = try S3Fixture.client(of: server)
        let bytes = [UInt8](repeating: 7, count: 64 << 20)
        await #expect(throws: S3Error.refused(code: "AccessDenied", status: 403)) { try await client.put(bytes, "k") }
        #expect(server.requests.last?.method == "DELETE" && server.requests.last?.target == "/bucket/k?uploadId=u%201")
        #expect(!server.requests.contains { $0.method == "POST" && $0.target.contains("uploadId") })
    }

    @Test(arguments: ["<Error><Code>InternalError</Code></Error>", "", "lost"])
    func anEndWhoseAnswerIsLostIsLookedFor(_ text: String) async throws {
        let size = 64 << 20
        let server = try LoopbackServer { request, connection in
            _ = connection.body(of: request)
            switch (request.method, request.target) {
            case ("POST", let target) where target.contains("uploads="):
                connection.respond(body: Array("<R><UploadId>u</UploadId></R>".utf8))
            case ("POST", _) where text == "lost": Self.status("404 Not Found", "NoSuchUpload")(request, connection)
            case ("POST", _): connection.respond(body: Array(text.utf8))
            case ("HEAD", _): connection.sendHead("200 OK", ["Content-Length: \(size)"])
            default: connection.respond(["ETag: \"e\""])
            }
        }
        let bytes = [UInt8](repeating: 7, count: size)
        #expect(try await S3Fixture.client(of: server).put(bytes, "k") == .stored)
    }
}

extension LoopbackConnection {
    fileprivate func respond(_ headers: [String]) { respond("200 OK", headers) }
}
