import DaeCore
import Daedalus
import TestSupport
import Testing

@testable import DaeService

/// What every ``UploadPieces`` does.
@Suite struct UploadPiecesTests {
    enum Kind: CaseIterable {
        case folder, objects
    }

    private let folder: TemporaryFolder
    private let service: ServiceFolder
    private let uploads: UploadStore
    private let id = AssetID.random()
    private let other = AssetID.random()

    init() async throws {
        folder = try TemporaryFolder()
        service = ServiceFolder(path: folder.path + "/data")
        try service.prepare()
        uploads = UploadStore(try SQLiteDatabase(path: service.database))
        for id in [id, other] {
            let upload = ResumableUpload(
                id: id, name: "a", metadata: nil, length: 99, received: 0, expires: 0, phase: .open)
            #expect(try await uploads.add(upload, limit: 10))
        }
    }

    /// As another process has them.
    private func pieces(_ kind: Kind) -> any UploadPieces {
        switch kind {
        case .folder: FolderUploadPieces(folder: service)
        case .objects:
            ObjectUploadPieces(objects: FolderObjectStore(folder: service), folder: service, uploads: uploads)
        }
    }

    /// Those that somebody has, as long as `body` runs.
    private func held<Value>(_ kind: Kind, _ body: (any HeldPieces) async throws -> Value) async throws -> Value {
        let held = try #require(try await pieces(kind).acquire(id))
        let value = try await body(held)
        await held.release()
        return value
    }

    private func size(_ kind: Kind) async throws -> Int64 { try await held(kind) { try await $0.size() } }

    private func append(_ text: String, at offset: Int64, _ kind: Kind) async throws {
        try await held(kind) { held in
            try held.cut(to: offset)
            for byte in text.utf8 { try await held.write([byte]) }
            try await held.sync()
        }
    }

    private func whole(_ kind: Kind) async throws -> String {
        let file = service.newUpload()
        let upload = try await held(kind) { try await $0.assemble(toLocalFile: file) }
        #expect(try FileDigest.of(file) == upload.digest)
        return try TextFile.read(file)
    }

    @Test(arguments: Kind.allCases) func piecesBecomeOneFile(_ kind: Kind) async throws {
        #expect(try await size(kind) == 0)
        try await append("ab", at: 0, kind)
        try await append("cdefghijkl", at: 2, kind)
        try await append("m", at: 12, kind)
        #expect(try await size(kind) == 13)
        #expect(try await whole(kind) == "abcdefghijklm")
        #expect(try await whole(kind) == "abcdefghijklm")
        try await held(kind) { try await $0.remove() }
        #expect(try await size(kind) == 0)
    }

    @Test(arguments: Kind.allCases) func whatNobodyCountedIsWrittenOver(_ kind: Kind) async throws {
        try await append("ab", at: 0, kind)
        try await append("lost", at: 2, kind)
        try await append("xy", at: 2, kind)
        #expect(try await whole(kind) == "abxy")
        let size = try await held(kind) { held in
            try held.cut(to: 4)
            try await held.write([0])
            try held.cut(to: 4)
            try await held.write(Array("z".utf8))
            try await held.sync()
            return try await held.size()
        }
        #expect(size == 5)
        #expect(try await whole(kind) == "abxyz")
    }

    /// Sizes that no store has, and that a broken one may list.
    @Test func sizesThatCannotBeAreNoPieces() async throws {
        let objects = WrongSizes(store: FolderObjectStore(folder: service), sizes: [3, .max, 1])
        let place = ObjectUploadPieces(objects: objects, folder: service, uploads: uploads)
        for offset: Int64 in [0, 3, 4] { try await objects.put([1], at: .piece(of: id, at: offset, holds: 1)) }
        let held = try #require(try await place.acquire(id))
        #expect(try await held.size() == 3)
        await held.release()
    }

    @Test(arguments: Kind.allCases) func oneAtATimeHoldsThem(_ kind: Kind) async throws {
        let first = try #require(try await pieces(kind).acquire(id))
        for pieces in [pieces(kind), pieces(kind)] {
            let (same, another) = (try await pieces.acquire(id), try await pieces.acquire(other))
            #expect(same == nil)
            #expect(another != nil)
            await another?.release()
        }
        await first.release()
        let next = try await pieces(kind).acquire(id)
        #expect(next != nil)
    }

    /// A process stood still while another went on: what it puts then counts for nothing.
    @Test func whatIsPutWithoutTheLeaseCountsForNothing() async throws {
        let objects = FolderObjectStore(folder: service)
        let late = try #require(try await pieces(.objects).acquire(id))
        try late.cut(to: 0)
        try await late.write(Array("late".utf8))
        // As if its time had run out.
        let holds = try #require(late.holds)
        try await uploads.renew(id, holds, lease: -1)
        try await append("ab", at: 0, .objects)
        try await late.sync()
        try await append("c", at: 2, .objects)
        #expect(try await whole(.objects) == "abc")
        // Of a version that counted no holds.
        let key = try #require(ObjectKey("partials/\(other.text)/0"))
        try await objects.put(Array("old".utf8), at: key)
        let old = try #require(try await pieces(.objects).acquire(other))
        #expect(try await old.size() == 3)
    }
}

/// Lists objects with other sizes, in the order of their keys.
private struct WrongSizes: ObjectStore {
    let store: FolderObjectStore
    let sizes: [Int64]

    func put(localFile file: String, at key: ObjectKey) async throws { try await store.put(localFile: file, at: key) }
    func put(_ bytes: [UInt8], at key: ObjectKey) async throws { try await store.put(bytes, at: key) }
    func open(_ key: ObjectKey) async throws -> (any ObjectReading)? { try store.open(key) }
    func head(_ key: ObjectKey) async throws -> StoredObject? { store.head(key) }
    func remove(_ key: ObjectKey) async throws { try store.remove(key) }
    func bring(_ key: ObjectKey, toLocalFile file: String) async throws -> Bool {
        try await store.bring(key, toLocalFile: file)
    }
    func keys(_ prefix: String, after: ObjectKey?, limit: Int) async throws -> [StoredObject] {
        zip(try await store.keys(prefix, after: after, limit: limit), sizes).map { object, size in
            StoredObject(key: object.key, size: size, changed: object.changed)
        }
    }
}
