import DaeCore
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import DaeService
@testable import Daedalus

/// What a parent takes from a worker's folder: files that are what they are called, and nothing that leads elsewhere.
@Suite struct WorkerFolderTests {
    private let folder: TemporaryFolder
    private let worker: WorkerFolder

    init() throws {
        folder = try TemporaryFolder()
        worker = WorkerFolder(path: folder.path)
    }

    @Test(arguments: [(9, true), (10, true), (8, false), (0, false)])
    func aTextIsWrittenWithinItsLimit(_ limit: Int, _ fits: Bool) throws {
        var asked = 0
        func make(_ take: ([UInt8]) -> Bool) {
            for piece in ["abcd", "efgh"] {
                asked += 1
                guard take(Array(piece.utf8)) else { return }
            }
        }
        if fits {
            try worker.write(as: "text", limit: limit, make)
            #expect(try Repository.bytes(at: worker.file("text")) == Array("abcdefgh\n".utf8))
        } else {
            let error = #expect(throws: CodedFailure.self) { try worker.write(as: "text", limit: limit, make) }
            #expect(error?.code == .outputTooLarge)
        }
        #expect(asked == (limit < 4 ? 1 : 2))
    }

    @Test func aFileIsTakenOnce() async throws {
        try worker.write(Array("all".utf8), as: "model.glb")
        let store = FolderObjectStore(folder: ServiceFolder(path: folder.path))
        let content = ContentKey(digest: SHA256Digest(hashing: []), name: "a.dae", file: "")
        let key = ObjectKey.result("model.glb", of: content)
        #expect(try worker.isLeft("model.glb", limit: 3))
        try await store.put(localFile: worker.file("model.glb"), at: key)
        #expect(try await store.bytes(key) == Array("all".utf8))
        #expect(try !worker.isLeft("model.glb", limit: 3))
    }

    @Test func whatNoWorkerLeavesIsRefused() throws {
        try folder.write("secret", to: "database")
        try FileManager.default.createSymbolicLink(
            atPath: worker.file("link"), withDestinationPath: folder.path + "/database")
        #expect(Glibc.link(folder.path + "/database", worker.file("other name")) == 0)
        #expect(mkfifo(worker.file("pipe"), 0o600) == 0)
        try FileManager.default.createDirectory(atPath: worker.file("folder"), withIntermediateDirectories: false)
        for name in ["link", "other name", "pipe", "folder"] {
            let error = #expect(throws: StorageError.self) {
                try worker.isLeft(name, limit: 1000)
            }
            #expect(error.map { "\($0)" } == "\(name): Invalid argument")
        }
        try worker.write([UInt8](repeating: 0, count: 1001), as: "long")
        let error = #expect(throws: StorageError.self) {
            try worker.isLeft("long", limit: 1000)
        }
        #expect(error.map { "\($0)" } == "long: File too large")
    }
}
