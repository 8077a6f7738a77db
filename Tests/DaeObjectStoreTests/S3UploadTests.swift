import DaeCore
import FoundationEssentials
import TestSupport
import Testing

@testable import DaeObjectStore

/// Objects that are sent in parts.
@Suite(.serialized, .enabled(if: S3Server.isInstalled, "scripts/tools/fetch-object-store has not fetched SeaweedFS"))
struct S3UploadTests {
    private static let size = (64 << 20) + 12_345

    /// A file of random bytes, with its digest.
    private func file(_ size: Int, in folder: TemporaryFolder) throws -> (path: String, digest: SHA256Digest) {
        let piece = S3Fixture.bytes(1 << 20)
        let path = folder.path + "/large"
        let file = try OpenFile(path, .creating)
        var hasher = SHA256Hasher()
        for start in stride(from: 0, to: size, by: piece.count) {
            // No two pieces are equal.
            var bytes = Array(piece[..<min(piece.count, size - start)])
            withUnsafeBytes(of: start) { bytes.replaceSubrange(0..<8, with: $0) }
            hasher.update(bytes)
            try file.write(bytes)
        }
        return (path, hasher.finish())
    }

    private func uploads(of client: S3Client) async throws -> [String] {
        let answer = try await client.connection.send(S3Request(query: [("uploads", "")]))
        return S3Document(answer.body)?.elements.filter { $0.name == "Upload" }.compactMap { $0["Key"] } ?? []
    }

    @Test func aLargeFileIsSentInPartsAndReadAgain() async throws {
        let (client, folder) = (try S3Fixture.client(prefix: "ö"), try TemporaryFolder())
        let (path, digest) = try file(Self.size, in: folder)
        #expect(try await client.put(.file(path), key: "large one", sha256: digest, ifAbsent: true) == .stored)
        #expect(try await client.head("large one").size == Int64(Self.size))
        try await client.get("large one", to: folder.path + "/again", sha256: digest)
        #expect(try await client.put(.file(path), key: "large one", sha256: digest, ifAbsent: true) == .alreadyThere)
        #expect(try await uploads(of: client).isEmpty)
    }

    @Test func aLargeFileWithOtherBytesLeavesNothing() async throws {
        let (client, folder) = (try S3Fixture.client(), try TemporaryFolder())
        let (path, _) = try file(Self.size, in: folder)
        await #expect(throws: S3Error.checksumMismatch(key: "large")) {
            try await client.put(.file(path), key: "large", sha256: SHA256Digest(hashing: []))
        }
        await #expect(throws: S3Error.keyAbsent("large")) { _ = try await client.head("large") }
        #expect(try await uploads(of: client).isEmpty)
    }

    @Test(arguments: [60 << 20, size])
    func whatIsCancelledMidwayLeavesNothing(_ size: Int) async throws {
        let (client, folder) = (try S3Fixture.client(), try TemporaryFolder())
        let (path, digest) = try file(size, in: folder)
        let task = Task { try await client.put(.file(path), key: "large", sha256: digest) }
        if size >= S3Upload.threshold {
            while try await uploads(of: client).isEmpty { await Task.yield() }
        } else {
            try await Task.sleep(for: .milliseconds(20))
        }
        task.cancel()
        await #expect(throws: S3Error.cancelled) { try await task.value }
        await #expect(throws: S3Error.keyAbsent("large")) { _ = try await client.head("large") }
        #expect(try await uploads(of: client).isEmpty)
    }

    @Test(.enabled(if: Repository.environment("DAE_TEST_FULL") != nil, "200 MB are for scripts/test --full"))
    func twoHundredMegabytesTakeLittleMemory() async throws {
        let (client, folder) = (try S3Fixture.client(), try TemporaryFolder())
        let (path, digest) = try file(200_000_000, in: folder)
        let before = try Self.peak()
        try await client.put(.file(path), key: "large", sha256: digest)
        #expect(try Self.peak() - before < 60_000)
        var count = 0
        for try await piece in try await client.get("large", sha256: digest).body { count += piece.count }
        #expect(count == 200_000_000)
        #expect(try Self.peak() - before < 60_000)
    }

    /// The most that this process has had in memory, in kB.
    private static func peak() throws -> Int {
        let text = try String(contentsOf: URL(filePath: "/proc/self/status"), encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        return try #require(Int(line.filter(\.isNumber)))
    }

    @Test(arguments: [
        (1 << 20, 8 << 20), (83_886_080_000, 8 << 20), (83_886_080_001, 9 << 20), (671_088_640_000, 64 << 20),
    ])
    func tenThousandPartsAreEnough(_ size: Int64, part: Int64) {
        #expect(S3Upload.partBytes(of: size) == part)
        #expect((size + part - 1) / part <= 10_000)
    }
}
