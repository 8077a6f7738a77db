import DaeCore
import Daedalus
import Logging
import Synchronization
import TestSupport
import Testing

@testable import DaeService

/// What becomes of uploads that nobody goes on with.
@Suite struct UploadTidyTests {
    private let folder: TemporaryFolder
    private let tools: ServiceTools
    private let pieces: any UploadPieces

    init() throws {
        folder = try TemporaryFolder()
        var settings = ServiceSettings()
        settings.data = folder.path + "/data"
        let service = ServiceFolder(path: settings.data)
        try service.prepare()
        let (database, objects) = (try SQLiteDatabase(path: service.database), FolderObjectStore(folder: service))
        let uploads = UploadStore(database)
        pieces = ObjectUploadPieces(objects: objects, folder: service, uploads: uploads)
        let stores = ServiceStores(
            database: database, objects: objects, pieces: OvertakenPieces(pieces: pieces, uploads: uploads),
            liveness: .unknown)
        tools = ServiceTools(settings, .all, service, stores, owner: .random(), Logger(label: "test"))
    }

    /// One that is over, with so many of its four bytes.
    private func upload(_ name: String, received: Int64) async throws -> ResumableUpload {
        var upload = ResumableUpload(
            id: .random(), name: name, metadata: nil, length: 4, received: 0, expires: 1, phase: .open)
        #expect(try await tools.uploads.add(upload, limit: 10))
        let held = try #require(try await pieces.acquire(upload.id))
        try held.cut(to: 0)
        try await held.write(Array("four".utf8.prefix(Int(received))))
        try await held.sync()
        (upload.received, upload.holds) = (received, held.holds ?? 0)
        #expect(try await tools.uploads.save(upload))
        await held.release()
        return upload
    }

    private func tidy() async throws { try await ResumableUploads(tools: tools).tidy() }

    @Test func whatIsOverGoesAndWhatIsWholeBecomesItsAsset() async throws {
        let (part, whole) = (try await upload("part", received: 3), try await upload("whole", received: 4))
        try await tidy()
        #expect(try await tools.uploads.upload(part.id) == nil)
        #expect(try await tools.uploads.upload(whole.id)?.phase == .finished)
        #expect(try await tools.store.asset(whole.id)?.content?.bytes == 4)
        #expect(try await tools.store.asset(part.id) == nil)
    }

    /// Another node goes on with it while this one reads its bytes: it is that node's to end.
    @Test func whatAnotherNodeTookMeanwhileIsLeftToIt() async throws {
        let upload = try await upload(OvertakenPieces.name, received: 4)
        try await tidy()
        #expect(try await tools.store.asset(upload.id) == nil)
        let kept = try #require(try await tools.uploads.upload(upload.id))
        #expect(kept.phase == .open)
        #expect(kept.holds == upload.holds + 2)
        // Its bytes, too.
        try await tools.uploads.renew(upload.id, kept.holds, lease: -1)
        let held = try #require(try await pieces.acquire(upload.id))
        #expect(try await held.size() == 4)
    }
}

/// Pieces that another node takes for itself while the whole is made of them, where the upload is called so.
private struct OvertakenPieces: UploadPieces {
    static let name = "overtaken"

    let pieces: any UploadPieces
    let uploads: UploadStore

    func acquire(_ id: AssetID) async throws -> (any HeldPieces)? {
        guard let held = try await pieces.acquire(id) else { return nil }
        guard try await uploads.upload(id)?.name == Self.name else { return held }
        return Held(held: held, id: id, uploads: uploads)
    }

    private struct Held: HeldPieces {
        let held: any HeldPieces
        let id: AssetID
        let uploads: UploadStore

        var holds: Int64? { held.holds }
        func size() async throws -> Int64 { try await held.size() }
        func cut(to count: Int64) throws { try held.cut(to: count) }
        func write(_ bytes: [UInt8]) async throws { try await held.write(bytes) }
        func sync() async throws { try await held.sync() }
        func remove() async throws { try await held.remove() }
        func release() async { await held.release() }

        func assemble(toLocalFile file: String) async throws -> Upload {
            let whole = try await held.assemble(toLocalFile: file)
            // As if this one had stood still for longer than its lease.
            try await uploads.renew(id, held.holds ?? 0, lease: -1)
            #expect(try await uploads.acquireLease(of: id, lease: 60_000) != nil)
            return whole
        }
    }
}
