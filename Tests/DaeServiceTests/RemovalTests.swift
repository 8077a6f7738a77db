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
    private let store: JobStore
    private let objects: FolderObjectStore

    init() throws {
        folder = try TemporaryFolder()
        service = ServiceFolder(path: folder.path + "/data")
        try service.prepare()
        store = JobStore(try SQLiteDatabase(path: service.database))
        objects = FolderObjectStore(folder: service)
    }

    /// An asset of bytes of its own that is kept.
    private func asset(_ text: String) async throws -> AssetRecord {
        let digest = SHA256Digest(hashing: Array(text.utf8))
        let path = try folder.write(text, to: "data/uploads/\(AssetID.random().text)")
        let content = StoredContent(digest: digest, bytes: Int64(text.utf8.count), name: "a.zip", in: path)
        let asset = AssetRecord(
            id: .random(), name: "a.zip", origin: .upload, content: content,
            state: .downloading(.first), created: 0, changed: 0)
        let outcome = try await intake.put(content, from: path, intake.presence(content)) {
            try await store.add(asset, bytes: $0, key: nil, queueLimit: 10)
        }
        #expect(outcome == .added(put: .named))
        return asset
    }

    private var intake: ContentIntake {
        ContentIntake(objects: objects, store: store, puts: PendingPuts(owner: .random()))
    }

    private func has(_ asset: AssetRecord) throws -> Bool {
        let digest = try #require(asset.content).digest
        return try Repository.files(below: service.blobs).contains { $0.contains(digest.hex) }
    }

    /// What is unused once no other asset has its bytes.
    private func unused(_ asset: AssetRecord) async throws -> UnusedContent {
        let digest = try #require(asset.content).digest
        return UnusedContent(digest: digest, object: try #require(try await store.object(of: digest)))
    }

    @Test func bytesAreThereUntilTheRowIsGoneForAll() async throws {
        let asset = try await asset("bytes")
        let unused = try await unused(asset)
        #expect(try await store.remove(asset.id, key: nil) == .removed(unused: unused))
        // As another process sees it, and after a kill right here.
        let other = JobStore(try SQLiteDatabase(path: service.database))
        #expect(try await other.asset(asset.id) == nil)
        #expect(try has(asset))
        try objects.remove(unused.object)
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
        #expect(try await store.asset(asset.id)?.state == asset.state)
        #expect(try has(asset))
        #expect(try await store.events(after: 0, of: asset.id, limit: 10).events.map(\.kind) == [.state])
    }

    @Test func bytesThatCameBackMeanwhileStay() async throws {
        let first = try await asset("bytes")
        let unused = try await unused(first)
        #expect(try await store.remove(first.id, key: nil) == .removed(unused: unused))
        let second = try await asset("bytes")
        #expect(try Repository.files(below: service.blobs).count { $0.contains(unused.digest.hex) } == 2)
        try objects.remove(unused.object)
        #expect(try has(second))
        #expect(try await self.unused(second).object != unused.object)
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

    @Test func aKillWhileAssetsAreAddedLeavesNoBytesOfNobody() throws {
        var numbers = SeededNumbers(seed: 36)
        for round in 0..<4 {
            let daed = try ServiceProcess(data: service.path)
            let client = daed.client
            let end = Flag()
            BackgroundThread.start {
                for number in 0..<100 {
                    let bytes = Array("\(round) \(number)".utf8)
                    guard (try? client.upload(bytes, name: "a.zip")) != nil else { break }
                }
                end.raise()
            }
            usleep(UInt32(2_000 + numbers.next() % 100_000))
            #expect(daed.end(SIGKILL) == -SIGKILL)
            try end.wait()
        }
        let daed = try ServiceProcess(data: service.path)
        let isClear = try daed.waits {
            let assets = try daed.client.get("/v1/assets?limit=500").json?["assets"]?.elements.count
            return try Repository.files(below: service.blobs).count { $0.utf8.count > 60 } == assets
        }
        #expect(isClear, "\(daed.logText)")
        #expect(daed.end() == 0)
        #expect(try ServiceProcess.run(["doctor", "--deep", "--data", service.path]).code == 0)
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
