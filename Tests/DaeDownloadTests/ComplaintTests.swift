import DaeCore
import DaeDiagnostics
import FoundationEssentials
import TestSupport
import Testing

@testable import DaeDownload

/// What users of other tools complained of, replayed from end to end; the rows are those of complaints.md.
@Suite struct ComplaintTests {
    private let bytes = FaultResource.noise(300_000)

    private func isNotInCache(_ fixture: DownloadFixture, _ url: String) async -> Bool {
        let error = await #expect(throws: DownloadError.self) {
            try await fixture.download(DownloadRequest(url, mode: .offline))
        }
        return error?.code == .downloadNotInCache && fixture.files == []
    }

    /// B44: success despite a wrong SHA-256; partials of an interrupted transfer counted as complete.
    @Test func b44() async throws {
        let server = try FaultServer(["/a.zip": FaultResource(bytes)])
        let fixture = try DownloadFixture()
        let url = server.url("/a.zip")
        let wrong = SHA256Digest(hashing: [0])
        for _ in 1...2 {
            let error = await #expect(throws: DownloadError.self) {
                try await fixture.download(DownloadRequest(url, sha256: wrong))
            }
            #expect(error?.code == .downloadChecksumMismatch)
            #expect(await isNotInCache(fixture, url))
        }
        let gate = FaultGate()
        server.play([.stall(after: 200_000, until: gate)], at: "/a.zip")
        let (arrivals, continuation) = AsyncStream.makeStream(of: Int64.self)
        let task = Task {
            try await fixture.download(url) { continuation.yield($0.received) }
        }
        for await received in arrivals where received == 200_000 { break }
        task.cancel()
        await #expect(throws: DownloadError.self) { try await task.value }
        #expect(await isNotInCache(fixture, url))
        let file = try await fixture.download(DownloadRequest(url, sha256: SHA256Digest(hashing: bytes)))
        #expect(try Repository.bytes(at: file.path) == bytes)
        #expect(file.origin == .server(resumedAt: 200_000))
    }

    /// B45: cached yet fetched again; files changed on the way; a failure is cached.
    @Test func b45() async throws {
        let server = try FaultServer(["/a.zip": FaultResource(bytes, fields: ["Cache-Control: max-age=60"])])
        server.play([.status(404, ["Cache-Control: max-age=3600"]), .page], at: "/a.zip")
        let fixture = try DownloadFixture()
        let url = server.url("/a.zip")
        #expect(await fixture.failure(of: url)?.code == .downloadHTTPStatus)
        #expect(await fixture.failure(of: url)?.code == .downloadContentTypeMismatch)
        for origin in [DownloadedFile.Origin.server(resumedAt: 0), .cache, .cache] {
            let file = try await fixture.download(DownloadRequest(url))
            #expect(file.origin == origin)
            #expect(file.sha256 == SHA256Digest(hashing: bytes))
            #expect(try Repository.bytes(at: file.path) == bytes)
        }
        #expect(server.requests.count == 3)
        let sound = try fixture.cache.verify()
        #expect(sound.isSound && sound.blobs == 1)
        // Damaged behind our back: it is found, and the next download brings it again.
        let path = fixture.cache.path(of: SHA256Digest(hashing: bytes))
        try FileManager.default.removeItem(atPath: path)
        try Data(bytes.reversed()).write(to: URL(filePath: path))
        #expect(try fixture.cache.verify().damaged.count == 1)
        #expect(try await Repository.bytes(at: fixture.download(DownloadRequest(url)).path) == bytes)
        #expect(server.requests.count == 4)
    }

    /// B46: a partial that was allocated at full length looks complete.
    @Test func b46() async throws {
        let server = try FaultServer(["/a.zip": FaultResource(bytes)])
        let fixture = try DownloadFixture()
        let url = server.url("/a.zip")
        server.play([.cut(after: 100_000)], at: "/a.zip")
        #expect(await fixture.failure(of: url) != nil)
        let folder = fixture.cache.folder + "/partial/"
        let part = try #require(fixture.partials.first { $0.hasSuffix(".part") })
        let record = try #require(fixture.partials.first { $0.hasSuffix(".json") })
        // The machine went down before the bytes were on disk; the length was there already.
        try Data([UInt8](repeating: 0, count: bytes.count)).write(to: URL(filePath: folder + part))
        let text = String(decoding: try Repository.bytes(at: folder + record), as: UTF8.self)
        let older = text.replacing(/"bootID": *"[^"]*"/, with: "\"bootID\": \"another\"")
            .replacing(/"synced": *[0-9]+/, with: "\"synced\": 0")
        #expect(older != text)
        try Data(older.utf8).write(to: URL(filePath: folder + record))
        let file = try await fixture.download(DownloadRequest(url))
        #expect(try Repository.bytes(at: file.path) == bytes)
        #expect(file.origin == .server(resumedAt: 0))
    }
}
