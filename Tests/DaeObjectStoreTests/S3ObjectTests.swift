import DaeCore
import DaeDownload
import FoundationEssentials
import TestSupport
import Testing

@testable import DaeObjectStore

@Suite(.enabled(if: S3Server.isInstalled, "scripts/tools/fetch-object-store has not fetched SeaweedFS"))
struct S3ObjectTests {
    @Test func whatIsPutIsReadAgainWholeAndInRanges() async throws {
        let client = try S3Fixture.client(prefix: "some/where")
        let bytes = S3Fixture.bytes(3_000_000)
        #expect(try await client.put(bytes, "a/b") == .stored)
        let (object, body) = try await client.get("a/b", sha256: SHA256Digest(hashing: bytes))
        #expect(object.size == 3_000_000)
        #expect(try await body.all() == bytes)
        for range: Range<Int64> in [0..<1, 100..<200, 2_999_999..<3_000_000, 2_999_990..<9_000_000, 5..<Int64.max] {
            let (part, body) = try await client.get("a/b", range: range)
            #expect(part.size == 3_000_000)
            #expect(try await body.all() == Array(bytes[Int(range.lowerBound)..<Int(min(range.upperBound, 3_000_000))]))
        }
        await #expect(throws: S3Error.outOfRange(key: "some/where/a/b")) {
            _ = try await client.get("a/b", range: 3_000_000..<3_000_001)
        }
    }

    @Test func anObjectIsKnownUntilItIsRemoved() async throws {
        let client = try S3Fixture.client()
        try await client.put([1, 2, 3], "three")
        let object = try await client.head("three")
        #expect(object.size == 3 && object.etag?.hasPrefix("\"") == true)
        #expect(abs(try #require(object.modified) - S3Environment.live.now()) < 60)
        try await client.delete("three")
        try await client.delete("three")
        await #expect(throws: S3Error.keyAbsent("three")) { _ = try await client.head("three") }
        await #expect(throws: S3Error.keyAbsent("three")) { _ = try await client.get("three") }
    }

    @Test(arguments: ["a b", "grün/ö", "1+1", "~tilde", "100%25", "a=b&c=d?e#f", "'(quoted)!*'", "日本/語", "a//b", "."])
    func aKeyIsTakenAsItIsOrRefused(_ key: String) async throws {
        let client = try S3Fixture.client()
        guard S3Location.isKey(key) else {
            await #expect(throws: S3Error.self) { try await client.put([1], key) }
            return
        }
        try await client.put(Array(key.utf8), key)
        #expect(try await client.get(key).body.all() == Array(key.utf8))
        #expect(try await client.list().objects.map(\.key) == [key])
        #expect(try await client.list(prefix: String(key.prefix(1))).objects.count == 1)
        let url = try await client.presignedGet(key, seconds: 60)
        #expect(try await PlainClient.get(url).body == Array(key.utf8))
        try await client.delete(key)
        #expect(try await client.list().objects.isEmpty)
    }

    @Test func anEmptyObjectIsOne() async throws {
        let client = try S3Fixture.client()
        try await client.put([], "empty")
        #expect(try await client.head("empty").size == 0)
        #expect(try await client.get("empty", sha256: SHA256Digest(hashing: [])).body.all() == [])
    }

    @Test func aFileIsStoredAndReadIntoAFile() async throws {
        let (client, folder) = (try S3Fixture.client(), try TemporaryFolder())
        let bytes = S3Fixture.bytes(1_234_567)
        let digest = SHA256Digest(hashing: bytes)
        try await client.put(.file(folder.write(bytes, to: "in")), key: "file", sha256: digest)
        let copy = folder.path + "/out"
        #expect(try await client.get("file", to: copy, sha256: digest).size == 1_234_567)
        #expect(try [UInt8](Data(contentsOf: URL(filePath: copy))) == bytes)
        await #expect(throws: S3Error.checksumMismatch(key: "file")) {
            try await client.get("file", to: folder.path + "/other", sha256: SHA256Digest(hashing: []))
        }
        #expect(FileMetadata(following: folder.path + "/other") == nil)
        await #expect(throws: S3Error.self) { try await client.get("file", to: folder.path + "/absent/out") }
        await #expect(throws: S3Error.self) {
            try await client.put(.file(folder.path + "/absent"), key: "file", sha256: digest)
        }
    }

    @Test func whatIsWantedOnlyWhereAbsentIsStoredOnce() async throws {
        let client = try S3Fixture.client()
        let placements = try await withThrowingTaskGroup(of: S3Client.Placement.self) { group in
            for number in 0..<8 {
                group.addTask {
                    try await client.put(S3Fixture.bytes(10_000, seed: UInt64(number)), "one", ifAbsent: true)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(placements.count { $0 == .stored } == 1)
        #expect(try await client.put([1], "one", ifAbsent: true) == .alreadyThere)
        #expect(try await client.head("one").size == 10_000)
    }

    @Test func otherBytesThanWereNamedAreRefused() async throws {
        let client = try S3Fixture.client()
        await #expect(throws: S3Error.checksumMismatch(key: "wrong")) {
            try await client.put(.bytes([1, 2, 3]), key: "wrong", sha256: SHA256Digest(hashing: [1]))
        }
        await #expect(throws: S3Error.keyAbsent("wrong")) { _ = try await client.head("wrong") }
        try await client.put([1, 2, 3], "right")
        await #expect(throws: S3Error.checksumMismatch(key: "right")) {
            try await client.get("right", sha256: SHA256Digest(hashing: [1])).body.all()
        }
    }

    @Test func aListHasPagesInTheOrderOfKeys() async throws {
        let client = try S3Fixture.client(prefix: "p")
        let other = try S3Fixture.client(bucket: client.connection.location.bucket)
        try await other.put([1], "q/elsewhere")
        let keys = (0..<25).map { "k/\($0 < 10 ? "0" : "")\($0)" }
        for key in keys.shuffled() { try await client.put([1, 2], key) }
        var (found, last): ([String], String?) = ([], nil)
        while true {
            let page = try await client.list(prefix: "k/", after: last, limit: 10)
            found += page.objects.map(\.key)
            last = page.objects.last?.key
            #expect(page.objects.allSatisfy { $0.size == 2 && $0.modified != nil && $0.etag != nil })
            guard page.hasMore else { break }
        }
        #expect(found == keys)
        #expect(try await client.list(prefix: "nothing").objects.isEmpty)
    }

    @Test func aPresignedAddressIsReadByAnyClientForAWhile() async throws {
        let client = try S3Fixture.client()
        try await client.put(Array("hello".utf8), "a name.txt")
        let disposition = "attachment; filename*=UTF-8''gr%C3%BCn.glb"
        let url = try await client.presignedGet(
            "a name.txt", seconds: 60, contentType: "model/gltf-binary", disposition: disposition)
        let answer = try await PlainClient.get(url)
        #expect(answer.status == 200 && answer.body == Array("hello".utf8) && answer.type == "model/gltf-binary")
        #expect(try await PlainClient.get(url + "0").status == 403)
        #expect(try await PlainClient.get(url.replacing("a%20name", with: "b%20name")).status == 403)
        #expect(try await PlainClient.get(url.replacing("gltf-binary", with: "gltf-other")).status == 403)
        let long = try await client.presignedGet("a name.txt", seconds: .max)
        #expect(long.contains("X-Amz-Expires=604800&"))

        let endpoint = try S3Server.shared().endpoint
        var (settings, environment) = (S3Settings(endpoint: endpoint), S3Environment.live)
        settings.credentials = S3Fixture.fixed
        environment.now = { S3Environment.live.now() - 100 }
        let past = try S3Client(client.connection.location, settings, environment: environment)
        #expect(try await PlainClient.get(past.presignedGet("a name.txt", seconds: 10)).status == 403)
    }

    @Test func aStoreThatMayBeUsedPassesTheCheckAndNothingIsLeft() async throws {
        let client = try S3Fixture.client(prefix: "deep/down")
        try await client.check()
        #expect(try await client.list().objects.isEmpty)
    }

    @Test func theCheckSaysWhatIsWrong() async throws {
        let bucket = try S3Server.shared().makeBucket()
        func check(_ accessKey: String, _ secret: String, bucket: String = bucket) async throws {
            let source = S3CredentialSource.fixed(S3Credentials(accessKey: accessKey, secret: secret))
            try await S3Fixture.client(credentials: source, bucket: bucket).check()
        }
        await #expect(throws: S3Error.bucketAbsent("no-such-bucket")) {
            try await check(S3Server.accessKey, S3Server.secretKey, bucket: "no-such-bucket")
        }
        await #expect(throws: S3Error.refused(code: "InvalidAccessKeyId", status: 403)) {
            try await check("AKNOBODY", S3Server.secretKey)
        }
        await #expect(throws: S3Error.refused(code: "SignatureDoesNotMatch", status: 403)) {
            try await check(S3Server.accessKey, "wrong")
        }
        await #expect(throws: S3Error.refused(code: "AccessDenied", status: 403)) {
            try await check(S3Server.reader.accessKey, S3Server.reader.secretKey)
        }
    }

    @Test func aClockThatIsWrongIsNamedWithTheRightTime() async throws {
        let server = try S3Server.shared()
        var (settings, environment) = (S3Settings(endpoint: server.endpoint), S3Environment.live)
        settings.credentials = S3Fixture.fixed
        environment.now = { S3Environment.live.now() - 7200 }
        let client = try S3Client(S3Location("s3://" + server.makeBucket()), settings, environment: environment)
        let error = await #expect(throws: S3Error.self) { try await client.check() }
        guard case .clockSkew(let ours, let theirs) = error else {
            Issue.record("\(error as Any)")
            return
        }
        #expect((7190...7210).contains(theirs - ours))
    }

    @Test func whoReadsSlowlyHoldsTheStoreBack() async throws {
        let client = try S3Fixture.client()
        let bytes = S3Fixture.bytes(20 << 20)
        try await client.put(bytes, "large")
        let body = try await client.get("large").body
        var iterator = body.makeAsyncIterator()
        var whole = try await iterator.next() ?? []
        try await Task.sleep(for: .milliseconds(300))
        while let piece = try await iterator.next() { whole += piece }
        #expect(whole == bytes)
        // One that is left unread, or whose task is cancelled, ends.
        _ = try await client.get("large").body
        let reader = Task { try await client.get("large").body.all() }
        reader.cancel()
        await #expect(throws: S3Error.cancelled) { try await reader.value }
    }
}

/// A client that knows nothing of S3.
enum PlainClient {
    static func get(_ url: String) async throws -> (status: Int, type: String?, body: [UInt8]) {
        let arrival = S3Arrival(limit: 1 << 20)
        try await HTTPClient(RequestOptions()).run(HTTPExchange(url), to: arrival.receiver)
        let answer = try #require(arrival.answer)
        return (answer.head.status, answer.head.contentType, answer.body)
    }
}
