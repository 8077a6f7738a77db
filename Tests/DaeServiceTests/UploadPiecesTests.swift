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
    private let id = AssetID.random()

    init() throws {
        folder = try TemporaryFolder()
        service = ServiceFolder(path: folder.path + "/data")
        try service.prepare()
    }

    /// As another process has them.
    private func pieces(_ kind: Kind) -> any UploadPieces {
        switch kind {
        case .folder: FolderUploadPieces(folder: service)
        case .objects: ObjectUploadPieces(objects: FolderObjectStore(folder: service), folder: service)
        }
    }

    private func hold(_ kind: Kind) throws -> any HeldPieces { try #require(try pieces(kind).hold(id)) }

    private func append(_ text: String, at offset: Int64, _ kind: Kind) async throws {
        let held = try hold(kind)
        try held.cut(to: offset)
        for byte in text.utf8 { try await held.write([byte]) }
        try await held.sync()
    }

    private func whole(_ kind: Kind) async throws -> String {
        let file = service.newUpload()
        let upload = try await hold(kind).assemble(toLocalFile: file)
        #expect(try FileDigest.of(file) == upload.digest)
        return try TextFile.read(file)
    }

    @Test(arguments: Kind.allCases) func piecesBecomeOneFile(_ kind: Kind) async throws {
        #expect(try await hold(kind).size() == 0)
        try await append("ab", at: 0, kind)
        try await append("cdefghijkl", at: 2, kind)
        try await append("m", at: 12, kind)
        #expect(try await hold(kind).size() == 13)
        #expect(try await whole(kind) == "abcdefghijklm")
        #expect(try await whole(kind) == "abcdefghijklm")
        try await hold(kind).remove()
        #expect(try await hold(kind).size() == 0)
    }

    @Test(arguments: Kind.allCases) func whatNobodyCountedIsWrittenOver(_ kind: Kind) async throws {
        try await append("ab", at: 0, kind)
        try await append("lost", at: 2, kind)
        try await append("xy", at: 2, kind)
        #expect(try await whole(kind) == "abxy")
        let held = try hold(kind)
        try held.cut(to: 4)
        try await held.write([0])
        try held.cut(to: 4)
        try await held.write(Array("z".utf8))
        try await held.sync()
        #expect(try await held.size() == 5)
        let file = service.newUpload()
        _ = try await held.assemble(toLocalFile: file)
        #expect(try TextFile.read(file) == "abxyz")
    }

    @Test(arguments: Kind.allCases) func oneAtATimeHoldsThem(_ kind: Kind) throws {
        let pieces = pieces(kind)
        var first = try pieces.hold(id)
        #expect(first != nil)
        #expect(try pieces.hold(id) == nil)
        #expect(try pieces.hold(.random()) != nil)
        first = nil
        #expect(try pieces.hold(id) != nil)
    }
}
