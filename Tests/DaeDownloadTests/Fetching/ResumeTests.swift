import DaeCore
import DaeDiagnostics
import Synchronization
import TestSupport
import Testing

@testable import DaeDownload

/// Downloads that go on, are confirmed, or start over, over a real socket.
@Suite struct ResumeTests {
    @Test func aTransferThatWasCutGoesOnWhereItEnded() async throws {
        let bytes = sampleBytes(200_000)
        let server = try RangeServer(bytes, etag: "\"a\"", cuts: [70_000, 50_000])
        let fixture = try DownloadFixture()
        let file = try await fixture.download(DownloadRequest(server.url))
        #expect(file.sha256 == SHA256Digest(hashing: bytes))
        #expect(file.origin == .server(resumedAt: 120_000))
        #expect(server.log.map(\.range) == [nil, "bytes=70000-", "bytes=120000-"])
        #expect(server.log.map(\.ifRange) == [nil, "\"a\"", "\"a\""])
        #expect(fixture.pauses.all == [0.25, 0.25])
        #expect(fixture.partials == [])
    }

    @Test func anotherDownloadGoesOnWithWhatAFailedOneLeft() async throws {
        let bytes = sampleBytes(200_000)
        let server = try RangeServer(bytes, etag: "\"a\"", cuts: [70_000])
        let fixture = try DownloadFixture()
        var request = DownloadRequest(server.url)
        request.retries = .never
        await #expect(throws: DownloadError.self) { try await fixture.download(request) }
        #expect(fixture.files == [])
        #expect(fixture.partials.count == 2)
        let file = try await fixture.download(request)
        #expect(file.origin == .server(resumedAt: 70_000))
        #expect(file.sha256 == SHA256Digest(hashing: bytes))
    }

    @Test(arguments: [nil, "W/\"a\""])
    func withoutAStrongValidatorAllIsFetchedAgain(etag: String?) async throws {
        let bytes = sampleBytes(200_000)
        let server = try RangeServer(bytes, etag: etag, cuts: [70_000])
        let fixture = try DownloadFixture()
        let file = try await fixture.download(DownloadRequest(server.url))
        #expect(file.sha256 == SHA256Digest(hashing: bytes))
        #expect(file.origin == .server(resumedAt: 0))
        #expect(server.log.map(\.range) == [nil, nil])
    }

    @Test(arguments: [nil, "W/\"a\""])
    func aServerThatCutsWhatCannotBeGoneOnWithIsGivenUp(etag: String?) async throws {
        let server = try RangeServer(sampleBytes(200_000), etag: etag, cuts: Array(repeating: 70_000, count: 250))
        let fixture = try DownloadFixture()
        let error = await #expect(throws: DownloadError.self) {
            try await fixture.download(DownloadRequest(server.url))
        }
        #expect(error?.code == .downloadTruncated)
        #expect(server.log.count == 5)
        #expect(fixture.pauses.all == [0.25, 0.5, 1, 2])
        #expect(fixture.partials == [])
    }

    @Test func aFileThatChangedInBetweenIsFetchedFromItsStartAndTold() async throws {
        let (old, new) = (sampleBytes(200_000), sampleBytes(150_000, seed: 9))
        let server = try RangeServer(old, etag: "\"a\"", cuts: [70_000], then: (new, "\"b\""))
        let fixture = try DownloadFixture()
        let notices = Mutex<[DownloadNotice]>([])
        let file = try await fixture.download(DownloadRequest(server.url)) { notice in
            notices.withLock { $0.append(notice) }
        }
        #expect(file.sha256 == SHA256Digest(hashing: new))
        #expect(file.findings.map(\.code) == [.downloadValidatorChanged])
        #expect(notices.withLock { $0 }.last == .startingOver(reason: "the file changed on the server"))
    }

    @Test func whatDidNotChangeIsConfirmedWithoutABody() async throws {
        let server = try RangeServer(sampleBytes(5000), etag: "\"a\"")
        let fixture = try DownloadFixture()
        let first = try await fixture.download(DownloadRequest(server.url))
        let second = try await fixture.download(DownloadRequest(server.url))
        #expect(second.origin == .confirmed)
        #expect(second.path == first.path)
        #expect(server.log.map(\.ifNoneMatch) == [nil, "\"a\""])
    }

    @Test func whatIsFreshIsNotAskedForUntilItIsStale() async throws {
        let server = try RangeServer(sampleBytes(5000), etag: "\"a\"", fields: ["Cache-Control: max-age=60"])
        let clock = Clock()
        let fixture = try DownloadFixture(now: { clock.now })
        #expect(try await fixture.download(DownloadRequest(server.url)).origin == .server(resumedAt: 0))
        clock.set(1059)
        #expect(try await fixture.download(DownloadRequest(server.url)).origin == .cache)
        clock.set(1060)
        #expect(try await fixture.download(DownloadRequest(server.url)).origin == .confirmed)
        clock.set(1119)
        #expect(try await fixture.download(DownloadRequest(server.url)).origin == .cache)
        #expect(server.log.count == 2)
    }

    @Test func whatMustNotBeStoredIsFetchedEachTime() async throws {
        let server = try RangeServer(sampleBytes(5000), etag: "\"a\"", fields: ["Cache-Control: no-store"])
        let fixture = try DownloadFixture()
        for _ in 1...2 {
            #expect(try await fixture.download(DownloadRequest(server.url)).origin == .server(resumedAt: 0))
        }
    }

    @Test func offlineOnlyTheCacheAnswers() async throws {
        let server = try RangeServer(sampleBytes(5000), etag: "\"a\"")
        let fixture = try DownloadFixture()
        let offline = DownloadRequest(server.url, mode: .offline)
        let error = await #expect(throws: DownloadError.self) { try await fixture.download(offline) }
        #expect(error?.code == .downloadNotInCache)
        #expect(server.log.count == 0)
        _ = try await fixture.download(DownloadRequest(server.url))
        #expect(try await fixture.download(offline).origin == .cache)
        #expect(server.log.count == 1)
    }

    @Test func aRefreshFetchesWhatIsFresh() async throws {
        let server = try RangeServer(sampleBytes(5000), etag: "\"a\"", fields: ["Cache-Control: max-age=60"])
        let fixture = try DownloadFixture()
        _ = try await fixture.download(DownloadRequest(server.url))
        let file = try await fixture.download(DownloadRequest(server.url, mode: .refresh))
        #expect(file.origin == .server(resumedAt: 0))
        #expect(server.log.map(\.ifNoneMatch) == [nil, nil])
    }

    @Test func aDigestThatDoesNotHoldLeavesNothing() async throws {
        let server = try RangeServer(sampleBytes(5000), etag: "\"a\"")
        let fixture = try DownloadFixture()
        let wrong = SHA256Digest(hashing: [1])
        for request in [
            DownloadRequest(server.url, sha256: wrong), DownloadRequest(server.url + "#sha256=" + wrong.hex),
        ] {
            let error = await #expect(throws: DownloadError.self) { try await fixture.download(request) }
            #expect(error?.code == .downloadChecksumMismatch)
            #expect(error?.message.contains(wrong.hex) == true)
        }
        #expect(fixture.files == [])
        #expect(fixture.partials == [])
    }

    @Test func aDigestThatIsInTheCacheNeedsNoServer() async throws {
        let bytes = sampleBytes(5000)
        let server = try RangeServer(bytes, etag: "\"a\"")
        let fixture = try DownloadFixture()
        let digest = SHA256Digest(hashing: bytes)
        #expect(try await fixture.download(DownloadRequest(server.url + "#SHA256=" + digest.hex)).sha256 == digest)
        #expect(try await fixture.download(DownloadRequest("http://127.0.0.1:9/x", sha256: digest)).origin == .cache)
        #expect(server.log.count == 1)
    }

    @Test(arguments: ["#sha256=12", "#sha256=", "#sha256=" + String(repeating: "g", count: 64)])
    func aFragmentThatIsNoDigestIsTold(fragment: String) async throws {
        let fixture = try DownloadFixture()
        let request = DownloadRequest("http://127.0.0.1:9/x" + fragment)
        let error = await #expect(throws: DownloadError.self) { try await fixture.download(request) }
        #expect(error?.code == .downloadURLInvalid)
    }

    @Test func aWrongDigestOfTheServerIsFound() async throws {
        let field = "Repr-Digest: sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:"
        let server = try RangeServer(sampleBytes(5000), etag: "\"a\"", fields: [field])
        let fixture = try DownloadFixture()
        let error = await #expect(throws: DownloadError.self) {
            try await fixture.download(DownloadRequest(server.url))
        }
        #expect(error?.code == .downloadChecksumMismatch)
    }

    @Test func manyAskersOfOneAddressAreOneDownload() async throws {
        let bytes = sampleBytes(300_000)
        let server = try RangeServer(bytes, etag: "\"a\"")
        let fixture = try DownloadFixture()
        let origins = try await withThrowingTaskGroup { group in
            for _ in 1...10 { group.addTask { try await fixture.download(DownloadRequest(server.url)) } }
            return try await group.reduce(into: []) { $0.append($1.origin) }
        }
        #expect(origins.count { $0 == .server(resumedAt: 0) } == 1)
        #expect(server.log.count { $0.ifNoneMatch == nil } == 1)
    }

    // MARK: - By ranges

    @Test func ofAFileThatIsReadHereAndThereOnlyThatIsFetched() async throws {
        let bytes = sampleBytes(4_000_000)
        let server = try RangeServer(bytes, etag: "\"a\"", cuts: [nil, 10_000])
        let fixture = try DownloadFixture()
        let remote = try #require(try await fixture.open(DownloadRequest(server.url)).remote)
        #expect(remote.source.size == 4_000_000)
        let read = try await onThread { try remote.source.bytes(at: 3_000_000, count: 50_000) }
        #expect(read == Array(bytes[3_000_000..<3_050_000]))
        #expect(remote.source.usage.bytes < 200_000)
        #expect(server.log.dropFirst().allSatisfy { $0.ifRange == "\"a\"" })
        #expect(server.log.count == 3, "a cut range goes on where it ended")
    }

    @Test func aFileThatChangesWhileItIsReadIsAnError() async throws {
        let server = try RangeServer(
            sampleBytes(4_000_000), etag: "\"a\"", cuts: [nil], then: (sampleBytes(4_000_000, seed: 2), "\"b\""))
        let fixture = try DownloadFixture()
        let remote = try #require(try await fixture.open(DownloadRequest(server.url)).remote)
        let result = await onThread { Result { try remote.source.bytes(at: 3_000_000, count: 50_000) } }
        #expect(throws: (any Error).self) { try result.get() }
        #expect("\(result)".contains("changed on the server"))
    }

    @Test func aSmallFileAServerWithoutRangesAndADigestTakeTheWhole() async throws {
        let fixture = try DownloadFixture()
        let small = try RangeServer(sampleBytes(5000), etag: "\"a\"")
        #expect(try await fixture.open(DownloadRequest(small.url)).remote == nil)
        let bytes = sampleBytes(2_000_000)
        let plain = try RangeServer(bytes, etag: "\"a\"", hasRanges: false)
        #expect(try await fixture.open(DownloadRequest(plain.url)).remote == nil)
        let weak = try RangeServer(bytes, etag: nil)
        #expect(try await fixture.open(DownloadRequest(weak.url)).remote == nil)
        let wanted = DownloadRequest(weak.url, sha256: SHA256Digest(hashing: bytes))
        #expect(try await fixture.open(wanted).remote == nil)
    }
}

extension OpenedAddress {
    fileprivate var remote: RemoteFile? {
        switch self {
        case .remote(let file): file
        case .whole: nil
        }
    }
}

private func onThread<Value: Sendable, Failure: Error>(
    _ work: @escaping @Sendable () throws(Failure) -> Value
) async throws(Failure) -> Value {
    let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
        BackgroundThread.start {
            continuation.resume(returning: Result { () throws(Failure) in try work() })
        }
    }
    return try result.get()
}

/// One file that can be asked for in parts, with connections that break on order.
private final class RangeServer: Sendable {
    struct Entry: Sendable {
        let range, ifRange, ifNoneMatch: String?
    }

    private let server: LoopbackServer

    /// - Parameters:
    ///   - cuts: After how many bytes of its body each answer ends, of the first ones; `nil` for one that does not.
    ///   - then: What is served once all cuts were made.
    init(
        _ bytes: [UInt8], etag: String?, cuts: [Int?] = [], then: ([UInt8], String)? = nil, hasRanges: Bool = true,
        fields: [String] = []
    ) throws {
        let answers = Answers()
        server = try LoopbackServer { request, connection in
            let number = answers.next()
            let isLater = number >= cuts.count
            let (bytes, etag) = isLater ? then.map { ($0.0, Optional($0.1)) } ?? (bytes, etag) : (bytes, etag)
            var fields = fields
            if let etag { fields.append("ETag: \(etag)") }
            if let etag, request["if-none-match"] == etag {
                return connection.respond("304 Not Modified", fields)
            }
            var range = 0..<bytes.count
            if hasRanges, let text = request["range"], request["if-range"] ?? etag == etag {
                let ends = text.dropFirst("bytes=".count).split(separator: "-").compactMap { Int($0) }
                range = ends[0]..<min((ends.count > 1 ? ends[1] : bytes.count - 1) + 1, bytes.count)
                fields.append("Content-Range: bytes \(range.lowerBound)-\(range.upperBound - 1)/\(bytes.count)")
            }
            let isPart = fields.contains { $0.hasPrefix("Content-Range") }
            connection.sendHead(isPart ? "206 Partial Content" : "200 OK", fields + ["Content-Length: \(range.count)"])
            let cut = isLater ? nil : cuts[number]
            connection.send(Array(bytes[range].prefix(cut ?? .max)))
        }
    }

    var url: String { server.url("/model.zip") }

    var log: [Entry] {
        server.requests.map {
            Entry(range: $0["range"], ifRange: $0["if-range"], ifNoneMatch: $0["if-none-match"])
        }
    }
}

private final class Answers: Sendable {
    private let count = Atomic<Int>(0)

    func next() -> Int { count.add(1, ordering: .relaxed).oldValue }
}

private final class Clock: Sendable {
    private let seconds = Atomic<Int64>(1000)

    var now: Int64 { seconds.load(ordering: .relaxed) }

    func set(_ now: Int64) { seconds.store(now, ordering: .relaxed) }
}
