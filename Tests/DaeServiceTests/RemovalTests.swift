import DaeCore
import Daedalus
import GRDB
import Glibc
import TestSupport
import Testing

@testable import DaeService

/// Removing an asset: its bytes go behind what says so, and never before.
@Suite struct RemovalTests {
    private let folder: TemporaryFolder
    private let service: ServiceFolder
    private let store: RowJobStore
    private let blobs: FolderBlobStore

    init() throws {
        folder = try TemporaryFolder()
        service = ServiceFolder(path: folder.path + "/data")
        try service.prepare()
        store = RowJobStore(try SQLiteDatabase(path: service.database))
        blobs = FolderBlobStore(folder: service.blobs)
    }

    /// An asset of bytes of its own that is kept.
    private func asset(_ text: String) async throws -> AssetRecord {
        let digest = SHA256Digest(hashing: Array(text.utf8))
        let path = try folder.write(text, to: "data/uploads/\(AssetID.random().text)")
        let content = StoredContent(digest: digest, bytes: Int64(text.utf8.count), name: "a.zip", in: path)
        let asset = AssetRecord(
            id: .random(), name: "a.zip", origin: .upload, content: content,
            state: .downloading(.first), created: 0, changed: 0)
        let blobs = blobs
        #expect(
            try await store.add(asset, key: nil, queueLimit: 10) { try blobs.adopt(path, as: digest) } == .added)
        return asset
    }

    private func has(_ asset: AssetRecord) throws -> Bool {
        try blobs.file(#require(asset.content).digest) != nil
    }

    @Test func bytesAreThereUntilTheRowIsGoneForAll() async throws {
        let asset = try await asset("bytes")
        let digest = try #require(asset.content).digest
        #expect(try await store.remove(asset.id, key: nil) == .removed(unused: digest))
        // As another process sees it, and after a kill right here.
        let other = RowJobStore(try SQLiteDatabase(path: service.database))
        #expect(try await other.asset(asset.id) == nil)
        #expect(try has(asset))
        let blobs = blobs
        #expect(try await store.discard(digest) { try blobs.remove(digest) })
        #expect(try !has(asset))
        #expect(try await store.remove(asset.id, key: nil) == .unknown)
    }

    @Test func aTransactionThatFailsAtItsEndRemovesNothing() async throws {
        let asset = try await asset("bytes")
        // A row elsewhere that must not lose its asset; looked at when the transaction ends, as a full disk is.
        try await store.database.write { session in
            try session.execute(
                "CREATE TABLE held (asset TEXT REFERENCES assets (id) DEFERRABLE INITIALLY DEFERRED)")
            try session.execute("INSERT INTO held SELECT id FROM assets")
        }
        await #expect(throws: DatabaseError.self) { try await store.remove(asset.id, key: nil) }
        #expect(try await store.asset(asset.id) == asset)
        #expect(try has(asset))
        #expect(try await store.events(after: 0, of: asset.id, limit: 10).events.map(\.kind) == [.state])
    }

    @Test func bytesThatCameBackMeanwhileStay() async throws {
        let first = try await asset("bytes")
        let digest = try #require(first.content).digest
        #expect(try await store.remove(first.id, key: nil) == .removed(unused: digest))
        let second = try await asset("bytes")
        let blobs = blobs
        #expect(try await !store.discard(digest) { try blobs.remove(digest) })
        #expect(try has(second))
    }

    @Test func whatEqualAssetsShareStays() async throws {
        let (first, second) = (try await asset("bytes"), try await asset("bytes"))
        #expect(try await store.remove(first.id, key: nil) == .removed(unused: nil))
        #expect(try has(second))
        #expect(try await store.originalBytes() == 5)
        _ = try await store.remove(second.id, key: nil)
        #expect(try await store.originalBytes() == 0)
    }

    @Test func aStartRemovesWhatNoRowNames() async throws {
        let (gone, kept) = (try await asset("gone"), try await asset("kept"))
        let digest = try #require(gone.content).digest
        try folder.write("{}", to: "data/results/\(digest.hex.prefix(2))/\(digest.hex).zip/inspect.json")
        _ = try await store.remove(gone.id, key: nil)
        let daed = try ServiceProcess(data: service.path)
        _ = try eventually("that the bytes go") { try has(gone) ? nil : true }
        _ = try eventually("that the results go") {
            try Repository.files(below: service.results).contains { $0.contains(digest.hex) } ? nil : true
        }
        #expect(try has(kept))
        #expect(daed.end() == 0)
        #expect(try ServiceProcess.run(["doctor", "--data", service.path]).text.hasPrefix("Healthy.\n"))
    }

    @Test func aKillWhileAssetsAreRemovedLosesNoneByHalf() throws {
        var numbers = SeededNumbers(seed: 35)
        for round in 0..<4 {
            let daed = try ServiceProcess(data: service.path)
            let client = daed.client
            let ids = try (0..<20).map { try client.upload(Array("\(round) \($0)".utf8), name: "a.zip") }
            let end = Flag()
            BackgroundThread.start {
                for id in ids {
                    guard let answer = try? client.send("DELETE", "/v1/assets/\(id)"), answer.status == 204 else {
                        break
                    }
                }
                end.raise()
            }
            usleep(UInt32(2_000 + numbers.next() % 60_000))
            #expect(daed.end(SIGKILL) == -SIGKILL)
            try end.wait()
            let next = try ServiceProcess(data: service.path)
            for id in ids where try next.client.get("/v1/assets/\(id)").status == 200 {
                #expect(try next.client.get("/v1/assets/\(id)/original").status == 200)
                #expect(try next.client.send("DELETE", "/v1/assets/\(id)").status == 204)
            }
            let isClear = try next.waits {
                try Repository.files(below: service.blobs).allSatisfy { $0.utf8.count < 60 }
            }
            #expect(isClear, "\(next.logText)")
            #expect(next.end() == 0)
        }
        #expect(try ServiceProcess.run(["doctor", "--repair", "--data", service.path]).code == 0)
    }
}
