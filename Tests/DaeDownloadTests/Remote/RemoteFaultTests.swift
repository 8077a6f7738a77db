import DaeCore
import DaeDiagnostics
import TestSupport
import Testing

@testable import DaeDownload

/// What a server can do to one who has opened a file and reads on: the bytes come, or the one right failure.
@Suite struct RemoteFaultTests {
    private static let size = 2_000_000
    private static let place = 1_000_000

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// One an answer, from the second request on.
        let faults: [Fault]
        /// With every later answer.
        var after = Fault.none
        /// `nil` where the bytes come.
        var failure: RemoteFailure?
        /// Requests for the part.
        let requests: Int
        var pauses = 0
        /// Of them, those that libcurl makes itself, without a pause, where a connection that was kept turns out to be
        /// closed; none where it saw that before it asked.
        var asked = 0
    }

    private static let other = FaultResource(FaultResource.noise(size, seed: 9), tag: .strong("two"))

    static let rows: [Row] = [
        Row(testDescription: "nothing", faults: [], requests: 1),
        Row(testDescription: "cut", faults: [.cut(after: 100)], requests: 2, pauses: 1),
        Row(testDescription: "reset", faults: [.cut(after: 100, by: .reset)], requests: 2, pauses: 1),
        Row(testDescription: "no answer", faults: [.drop(), .drop()], requests: 3, pauses: 1, asked: 1),
        Row(testDescription: "stalled", faults: [.stall(after: 100)], requests: 2, pauses: 1),
        Row(testDescription: "busy", faults: [.status(503), .status(500)], requests: 3, pauses: 2),
        Row(testDescription: "too many requests", faults: [.status(429, ["Retry-After: 7"])], requests: 2, pauses: 1),
        Row(testDescription: "chunked", faults: [.chunked(1000)], requests: 1),
        Row(testDescription: "moved", faults: [.redirect(to: .text("/moved.zip"))], requests: 1),
        Row(testDescription: "of unknown size", faults: [.contentRange(.unknownTotal)], requests: 1),
        Row(
            testDescription: "always cut", faults: [], after: .drop(), failure: .noConnection, requests: 6,
            pauses: 4, asked: 1),
        Row(
            testDescription: "always busy", faults: [], after: .status(503), failure: .refused, requests: 5, pauses: 4),
        Row(
            testDescription: "asked to stay away for an hour", faults: [.status(503, ["Retry-After: 3600"])],
            failure: .refused, requests: 1),
        Row(testDescription: "gone", faults: [], after: .status(410), failure: .refused, requests: 1),
        Row(testDescription: "another file", faults: [.replaced(by: other)], failure: .changed, requests: 1),
        Row(
            testDescription: "another file, If-Range ignored", faults: [.replacedUnnoticed(by: other)],
            failure: .changed, requests: 1),
        Row(testDescription: "no such range", faults: [.unsatisfied(total: 5)], failure: .changed, requests: 1),
        Row(testDescription: "the whole file", faults: [.ignoredRange], failure: .wrongBytes, requests: 1),
        Row(testDescription: "a page", faults: [.page], failure: .changed, requests: 1),
        Row(testDescription: "gzip", faults: [.encoded(["gzip"])], failure: .wrongBytes, requests: 1),
        Row(
            testDescription: "a coded part", faults: [.fields(["Content-Encoding: br"])], failure: .wrongBytes,
            requests: 1),
        Row(testDescription: "several parts", faults: [.multipart], failure: .wrongBytes, requests: 1),
        Row(
            testDescription: "a later part", faults: [.contentRange(.start(1))], failure: .wrongBytes, requests: 1),
        Row(testDescription: "another size", faults: [.contentRange(.total(1))], failure: .changed, requests: 1),
        Row(
            testDescription: "a part without saying which", faults: [.contentRange(.missing)], failure: .wrongBytes,
            requests: 1),
        Row(
            testDescription: "redirected in circles", faults: [], after: .redirect(to: .itself),
            failure: .redirectedTooOften, requests: 11),
    ]

    @Test(arguments: rows) func theBytesComeOrTheRightFailure(row: Row) async throws {
        let bytes = FaultResource.noise(Self.size)
        let server = try FaultServer(["/a.zip": FaultResource(bytes), "/moved.zip": FaultResource(bytes)])
        var limits = DownloadLimits.forTests
        limits.stallTimeout = .seconds(1)
        let fixture = try DownloadFixture(limits: limits)
        let source = try await fixture.remote(server.url("/a.zip"))
        server.play(row.faults, then: row.after, at: "/a.zip")
        let read = await read(source)
        let cause: ByteSourceError.Cause? = row.failure.map { .remote($0) }
        switch read {
        case .success(let read):
            #expect(row.failure == nil)
            #expect(read == Array(bytes[Self.place..<Self.place + 3000]))
        case .failure(let error):
            #expect(error.cause == cause, "\(error)")
            #expect(source.failure == error)
        }
        let requests = server.requests.count { $0.path == "/a.zip" } - 1
        #expect((row.requests - row.asked...row.requests).contains(requests))
        #expect((row.pauses...row.pauses + row.asked).contains(fixture.pauses.all.count))
        #expect(fixture.files == [], "what is read by ranges is not in the cache")
    }

    @Test func anAddressThatExpiresIsAskedForAgainOnce() async throws {
        let bytes = FaultResource.noise(Self.size)
        let server = try FaultServer(["/old": FaultResource(bytes), "/new": FaultResource(bytes)])
        server.play([.redirect(to: .text("/old"))], then: .redirect(to: .text("/new")), at: "/a.zip")
        let fixture = try DownloadFixture()
        let source = try await fixture.remote(server.url("/a.zip"))
        server.play([], then: .status(403), at: "/old")
        #expect(try await read(source).get() == Array(bytes[Self.place..<Self.place + 3000]))
        #expect(server.requests.map(\.path) == ["/a.zip", "/old", "/old", "/a.zip", "/new"])
        // From now on the new one is asked.
        #expect(try await read(source, at: 0 + Self.size - 100).get() == Array(bytes[(Self.size - 100)...]))
        #expect(server.requests.map(\.path).dropFirst(5) == ["/new"])
    }

    @Test func anAddressThatStaysExpiredIsAnError() async throws {
        let server = try FaultServer(["/old": FaultResource(FaultResource.noise(Self.size))])
        server.play([], then: .redirect(to: .text("/old")), at: "/a.zip")
        let fixture = try DownloadFixture()
        let source = try await fixture.remote(server.url("/a.zip"))
        server.play([], then: .status(410), at: "/old")
        let error = #expect(throws: ByteSourceError.self) { try source.bytes(at: 1_000_000, count: 1) }
        #expect(error?.cause == .remote(.refused))
        #expect(server.requests.map(\.path) == ["/a.zip", "/old", "/old", "/a.zip", "/old"])
    }

    @Test func stoppingEndsAWaitThatHasNoEnd() async throws {
        let gate = FaultGate()
        let server = try FaultServer(["/a.zip": FaultResource(FaultResource.noise(Self.size))])
        let fixture = try DownloadFixture()
        let file = try await fixture.remoteFile(server.url("/a.zip"))
        server.play([], then: .silence(until: gate), at: "/a.zip")
        async let reading = read(file.source)
        await withCheckedContinuation { continuation in
            BackgroundThread.start {
                gate.waitForArrival()
                continuation.resume()
            }
        }
        // The gate never opens, so that only the stop can end the wait.
        file.stop()
        guard case .failure(let error) = await reading else {
            Issue.record("bytes came from a server that sends none")
            return
        }
        #expect(error.cause == .remote(.cancelled))
    }

    // MARK: - What is not read by ranges

    static let wholes: [(String, FaultResource)] = [
        ("no ranges", FaultResource(FaultResource.noise(size), answersRanges: false)),
        ("a weak tag", FaultResource(FaultResource.noise(size), tag: .weak("w"))),
        (
            "a weak tag and a date",
            FaultResource(FaultResource.noise(size), tag: .weak("w"), lastModified: 1_700_000_000)
        ),
        ("neither tag nor date", FaultResource(FaultResource.noise(size), tag: nil)),
        ("small", FaultResource(FaultResource.noise(5000))),
        ("empty", FaultResource([])),
    ]

    @Test(arguments: wholes) func whatCannotBeReadByRangesIsDownloaded(
        name: String, resource: FaultResource
    ) async throws {
        let server = try FaultServer(["/a.zip": resource])
        let fixture = try DownloadFixture()
        guard case .whole(let file) = try await fixture.open(DownloadRequest(server.url("/a.zip"))) else {
            Issue.record("\(name): read by ranges")
            return
        }
        #expect(try Repository.bytes(at: file.path) == resource.bytes)
    }

    @Test func whatIsFreshInTheCacheIsNotAskedFor() async throws {
        let bytes = FaultResource.noise(Self.size)
        let server = try FaultServer(["/a.zip": FaultResource(bytes, fields: ["Cache-Control: max-age=3600"])])
        let fixture = try DownloadFixture()
        let url = server.url("/a.zip")
        _ = try await fixture.download(DownloadRequest(url))
        for mode in [CacheMode.revalidate, .offline] {
            guard case .whole(let file) = try await fixture.open(DownloadRequest(url, mode: mode)) else {
                Issue.record("read by ranges")
                continue
            }
            #expect(file.origin == .cache)
        }
        #expect(server.requests.count == 1)
        guard case .remote = try await fixture.open(DownloadRequest(url, mode: .refresh)) else {
            Issue.record("what is in the cache was taken where it is not to be looked at")
            return
        }
        let error = await #expect(throws: DownloadError.self) {
            try await fixture.open(DownloadRequest(server.url("/other.zip"), mode: .offline))
        }
        #expect(error?.code == .downloadNotInCache)
    }

    private func read(_ source: RemoteByteSource, at place: Int = place) async -> Result<[UInt8], ByteSourceError> {
        await withCheckedContinuation { continuation in
            BackgroundThread.start {
                continuation.resume(
                    returning: Result { () throws(ByteSourceError) in
                        try source.bytes(at: Int64(place), count: 3000)
                    })
            }
        }
    }
}

extension DownloadFixture {
    struct NotRemote: Error {}

    fileprivate func remoteFile(_ url: String) async throws -> RemoteFile {
        switch try await open(DownloadRequest(url)) {
        case .remote(let file): return file
        case .whole: throw NotRemote()
        }
    }

    fileprivate func remote(_ url: String) async throws -> RemoteByteSource { try await remoteFile(url).source }
}
