import DaeCore
import Daedalus
import Logging
import TestSupport
import Testing

@testable import DaeService

/// Bytes on their way to the row that names them, and what is left of those that no row names.
@Suite struct ContentIntakeTests {
    private let folder: TemporaryFolder
    private let service: ServiceFolder
    private let store: JobStore
    private let objects: FolderObjectStore
    private let puts = PendingPuts(owner: .random())

    init() throws {
        folder = try TemporaryFolder()
        service = ServiceFolder(path: folder.path + "/data")
        try service.prepare()
        store = JobStore(try SQLiteDatabase(path: service.database))
        objects = FolderObjectStore(folder: service)
    }

    private var intake: ContentIntake { ContentIntake(objects: objects, store: store, puts: puts) }

    private let digest = SHA256Digest(hashing: Array("bytes".utf8))

    private func content() throws -> (StoredContent, file: String) {
        let path = try folder.write("bytes", to: "data/uploads/\(AssetID.random().text)")
        return (StoredContent(digest: digest, bytes: 5, name: "a.zip", in: path), path)
    }

    private func asset(_ content: StoredContent) -> AssetRecord {
        AssetRecord(
            id: .random(), name: "a.zip", origin: .upload, content: content, state: .downloading(.first), created: 0,
            changed: 0)
    }

    /// - Parameter presence: What is found; `nil` to look.
    private func add(_ presence: ContentIntake.Presence? = nil, queueLimit: Int = 10) async throws -> Admission {
        let (content, file) = try content()
        let found = try await intake.presence(content)
        return try await intake.put(content, from: file, presence ?? found) {
            try await store.add(asset(content), bytes: $0, key: nil, queueLimit: queueLimit)
        }
    }

    private func blobs() async throws -> [ObjectKey] {
        try await objects.keys("blobs/", after: nil, limit: 100).map(\.key)
    }

    // MARK: - Puts

    @Test func knownBytesAreNotPutAgain() async throws {
        #expect(try await add() == .added(put: .named))
        let kept = try await blobs()
        #expect(try await add() == .added(put: .named))
        #expect(try await blobs() == kept)
        #expect(try await store.object(of: digest) == kept.first)
        #expect(puts.all.isEmpty)
    }

    @Test func bytesThatCameMeanwhileLeaveNoSecondObject() async throws {
        #expect(try await add() == .added(put: .named))
        let kept = try await blobs()
        #expect(try await add(.absent) == .added(put: .unneeded))
        #expect(try await blobs() == kept)
    }

    @Test func bytesThatWentMeanwhileArePutAfterAll() async throws {
        #expect(try await add(.here(.blob(digest))) == .added(put: .named))
        #expect(try await blobs().count == 1)
        #expect(try await store.object(of: digest) == blobs().first)
    }

    @Test func aLostObjectIsPutAnew() async throws {
        #expect(try await add() == .added(put: .named))
        let lost = try #require(try await blobs().first)
        try objects.remove(lost)
        #expect(try await add() == .added(put: .named))
        #expect(try await blobs().count == 1)
        #expect(try await store.object(of: digest) == blobs().first)
        #expect(try await store.object(of: digest) != lost)
        #expect(try await store.originalBytes() == 5)
    }

    @Test func nothingStaysOfWhatIsRefused() async throws {
        #expect(try await add(queueLimit: 0) == .queueIsFull)
        #expect(try await blobs().isEmpty)
        struct Refused: Error {}
        let (content, file) = try content()
        await #expect(throws: Refused.self) {
            try await intake.put(content, from: file, .absent) { _ -> Admission in throw Refused() }
        }
        #expect(try await blobs().isEmpty && puts.all.isEmpty)
    }

    @Test func nothingIsRemovedAfterACommitThatNobodyIsSureOf() async throws {
        struct Gone: CommitError { let mayBeKept = true }
        let (content, file) = try content()
        await #expect(throws: Gone.self) {
            try await intake.put(content, from: file, .absent) { bytes -> Admission in
                _ = try await store.add(asset(content), bytes: bytes, key: nil, queueLimit: 10)
                throw Gone()
            }
        }
        #expect(try await store.object(of: digest) == blobs().first)
        try await sweep(.unknown)
        #expect(try await blobs().count == 1)
    }

    @Test func equalUploadsAtOnceLeaveOneObject() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 { group.addTask { _ = try await add(queueLimit: 100) } }
            try await group.waitForAll()
        }
        #expect(try await blobs().count == 1)
        #expect(try await store.object(of: digest) == blobs().first)
        #expect(try await store.assets(AssetQuery()).assets.count == 8)
    }

    @Test func whatComesAndGoesAtOnceFitsInTheEnd() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<6 {
                group.addTask {
                    for _ in 0..<10 {
                        let (content, file) = try content()
                        let asset = asset(content)
                        let presence = try await intake.presence(content)
                        _ = try await intake.put(content, from: file, presence) {
                            try await store.add(asset, bytes: $0, key: nil, queueLimit: 1000)
                        }
                        // As long as the asset is there, so are its bytes.
                        let key = try #require(try await store.object(of: digest))
                        #expect(try await objects.bytes(key) == Array("bytes".utf8))
                        guard case .removed(let unused) = try await store.remove(asset.id, key: nil) else { continue }
                        if let unused { try objects.remove(unused.object) }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await blobs().isEmpty)
        #expect(try await store.object(of: digest) == nil)
    }

    // MARK: - What is left

    private func sweep(_ liveness: OwnerLiveness, later: Int64 = 0) async throws {
        let sweep = ObjectSweep(
            objects: objects, store: store, uploads: UploadStore(store.database), puts: puts, liveness: liveness,
            log: Logger(label: "test"))
        try await sweep.run(now: AssetOperations.Instant.systemTime() / 1000 + later)
    }

    @Test func whatNoRowNamesGoesOnceNobodyCanNameIt() async throws {
        #expect(try await add() == .added(put: .named))
        let named = try #require(try await blobs().first)
        let (gone, alive) = (AssetID.random(), AssetID.random())
        let other = SHA256Digest(hashing: [1])
        let keys = [ObjectKey.blob(other, putBy: gone), .blob(other, putBy: alive), .blob(other, putBy: puts.owner)]
        let pending = ObjectKey.blob(digest, putBy: puts.owner)
        puts.begin(pending)
        for key in keys + [pending, .blob(other)] { try await objects.put([1], at: key) }
        try await sweep(OwnerLiveness { $0 == gone.text })
        #expect(try await Set(blobs()) == [named, pending, keys[1]])
        try await sweep(.unknown, later: 3600)
        #expect(try await Set(blobs()) == [named, pending, keys[1]])
        try await sweep(.unknown, later: 90_000)
        #expect(try await Set(blobs()) == [named, pending])
        puts.end(pending)
        try await sweep(.unknown)
        #expect(try await blobs() == [named])
    }

    @Test func resultsOfWhatNoAssetHasGo() async throws {
        #expect(try await add() == .added(put: .named))
        let stays = ObjectKey.result("model.glb", of: ContentKey(digest: digest, name: "a.dae", file: ""))
        let other = SHA256Digest(hashing: [1])
        let goes = ObjectKey.result("files/x", of: ContentKey(digest: other, name: "a.dae", file: ""))
        for key in [stays, goes] { try await objects.put([1], at: key) }
        try await sweep(.unknown)
        #expect(try await objects.keys("results/", after: nil, limit: 10).map(\.key) == [stays])
    }

    @Test func piecesThatComeWhenTheirUploadIsOverGo() async throws {
        let (open, over) = (AssetID.random().text, AssetID.random().text)
        _ = try await store.database.write { session in
            try session.execute(
                "INSERT INTO uploads (id, name, length, received, expires, phase) VALUES ($1, 'a', 2, 1, 0, 0)", [open])
        }
        let (stays, goes) = (
            try #require(ObjectKey("partials/\(open)/0")), try #require(ObjectKey("partials/\(over)/0"))
        )
        for key in [stays, goes] { try await objects.put([1], at: key) }
        try await sweep(.unknown, later: 3600)
        #expect(try await Set(objects.keys("partials/", after: nil, limit: 10).map(\.key)) == [stays, goes])
        try await sweep(.unknown, later: 90_000)
        #expect(try await objects.keys("partials/", after: nil, limit: 10).map(\.key) == [stays])
    }
}
