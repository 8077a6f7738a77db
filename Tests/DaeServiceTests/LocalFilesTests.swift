import DaeCore
import Daedalus
import TestSupport
import Testing

@testable import DaeService

/// Objects as files of this machine.
@Suite struct LocalFilesTests {
    private let folder: TemporaryFolder
    private let service: ServiceFolder
    private let store: FolderObjectStore
    private let distant: LocalFiles
    private let owner = AssetID.random()

    init() throws {
        folder = try TemporaryFolder()
        service = ServiceFolder(path: folder.path + "/data")
        try service.prepare()
        store = FolderObjectStore(folder: service)
        distant = LocalFiles(DistantStore(store: store), folder: folder.path + "/copies", limit: 10)
    }

    private func put(_ text: String, as digest: SHA256Digest? = nil) async throws -> ObjectKey {
        let key = ObjectKey.blob(digest ?? SHA256Digest(hashing: Array(text.utf8)), putBy: owner)
        try await store.put(Array(text.utf8), at: key)
        return key
    }

    private var copies: Int { ServiceFolder.names(in: folder.path + "/copies").count }

    @Test func aStoreOnThisMachineHandsOutItsOwn() async throws {
        let key = try await put("bytes")
        let files = LocalFiles(store, folder: folder.path + "/copies", limit: 10)
        #expect(try await files.with(key) { $0 } == store.path(key))
        #expect(try await files.with(.blob(SHA256Digest(hashing: []))) { $0 } == nil)
        #expect(copies == 0)
    }

    @Test func copiesStayUpToTheLimit() async throws {
        let keys = [try await put("aaaa"), try await put("bbbb"), try await put("cccc")]
        for key in keys.prefix(2) { try await distant.with(key) { #expect($0 != nil) } }
        // The first is used again, so that the second goes.
        try await distant.with(keys[0]) { _ in }
        #expect(try await distant.with(keys[2]) { try $0.map(TextFile.read) } == "cccc")
        #expect(copies == 2)
        try store.remove(keys[0])
        try store.remove(keys[1])
        #expect(try await distant.with(keys[0]) { try $0.map(TextFile.read) } == "aaaa")
        #expect(try await distant.with(keys[1]) { $0 } == nil)
    }

    @Test func whatIsInUseStays() async throws {
        let (first, second) = (try await put("a long text"), try await put("another long text"))
        let text = try await distant.with(first) { path in
            try await distant.with(second) { _ in }
            return try path.map(TextFile.read)
        }
        #expect(text == "a long text")
        try await distant.with(try await put("a")) { _ in }
        #expect(copies == 1)
    }

    @Test func manyWhoAskAtOnceGetOneCopy() async throws {
        let key = try await put("bytes")
        try await withThrowingTaskGroup(of: String?.self) { group in
            for _ in 0..<20 { group.addTask { try await distant.with(key) { try $0.map(TextFile.read) } } }
            for try await text in group { #expect(text == "bytes") }
        }
        #expect(copies == 1)
    }

    @Test func otherBytesThanTheKeySaysAreRefused() async throws {
        let key = try await put("bytes", as: SHA256Digest(hashing: [1]))
        for _ in 0..<2 {
            await #expect(throws: StorageError.self) { try await distant.with(key) { _ in } }
            #expect(copies == 0)
        }
        // What is put right is found.
        try await store.put([1], at: key)
        #expect(try await distant.with(key) { $0 } != nil)
    }
}
