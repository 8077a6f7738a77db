import DaeCore
import DaeObjectStore
import Daedalus
import Glibc
import TestSupport
import Testing

@testable import DaeService

/// A kind of store, of which each test makes one.
struct ObjectStoreKind: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// - Parameter folder: Of this test alone.
    let make: @Sendable (_ folder: ServiceFolder) throws -> any ObjectStore

    static let all =
        [
            ObjectStoreKind(testDescription: "folder") { FolderObjectStore(folder: $0) },
            ObjectStoreKind(testDescription: "distant") { DistantStore(store: FolderObjectStore(folder: $0)) },
        ] + s3

    /// None where no S3 server is installed, which `theS3StoreIsTried` says.
    private static let s3 =
        S3Server.isInstalled
        ? [
            ObjectStoreKind(testDescription: "S3") { _ in
                let server = try S3Server.shared()
                var settings = S3Settings(endpoint: server.endpoint)
                settings.credentials = .fixed(
                    S3Credentials(accessKey: S3Server.accessKey, secret: S3Server.secretKey))
                let location = try S3Location("s3://\(server.makeBucket())/a prefix/")
                return S3ObjectStore(client: try S3Client(location, settings))
            }
        ] : []
}

/// A store that does nothing but what each must.
struct DistantStore: ObjectStore {
    let store: FolderObjectStore

    func put(localFile file: String, at key: ObjectKey) async throws { try await store.put(localFile: file, at: key) }
    func put(_ bytes: [UInt8], at key: ObjectKey) async throws { try await store.put(bytes, at: key) }
    func open(_ key: ObjectKey) async throws -> (any ObjectReading)? { try store.open(key) }
    func head(_ key: ObjectKey) async throws -> StoredObject? { store.head(key) }
    func remove(_ key: ObjectKey) async throws { try store.remove(key) }
    func keys(_ prefix: String, after: ObjectKey?, limit: Int) async throws -> [StoredObject] {
        try await store.keys(prefix, after: after, limit: limit)
    }
    func bring(_ key: ObjectKey, toLocalFile file: String) async throws -> Bool {
        try await store.bring(key, toLocalFile: file)
    }
}

/// What every ``ObjectStore`` does.
@Suite struct ObjectStoreConformance {
    private let folder: TemporaryFolder
    private let service: ServiceFolder

    init() throws {
        folder = try TemporaryFolder()
        service = ServiceFolder(path: folder.path + "/data")
        try service.prepare()
    }

    private func key(_ text: String) throws -> ObjectKey { try #require(ObjectKey(text)) }

    private func numbers(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) } }

    private func read(_ object: any ObjectReading, _ range: Range<Int64>) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        try await object.read(range) { piece in
            #expect(!piece.isEmpty && piece.count <= 1 << 19)
            bytes += piece
        }
        return bytes
    }

    @Test(.enabled(if: S3Server.isInstalled, "scripts/tools/fetch-object-store fetches an S3 server"))
    func theS3StoreIsTried() { #expect(ObjectStoreKind.all.count == 3) }

    // MARK: - Putting and reading

    @Test(arguments: ObjectStoreKind.all, [0, 1, 1 << 18, 1 << 18 + 1, 3_000_000])
    func whatIsPutIsReadBack(_ kind: ObjectStoreKind, _ count: Int) async throws {
        let (store, key, bytes) = (try kind.make(service), try key("results/ab/one/a.json"), numbers(count))
        let before = AssetOperations.Instant.systemTime() / 1000
        try await store.put(bytes, at: key)
        let whole = try #require(try await store.open(key))
        #expect(whole.size == Int64(count))
        #expect(try await read(whole, 0..<Int64(count)) == bytes)
        let head = try #require(try await store.head(key))
        #expect(head.key == key && head.size == Int64(count))
        // A file's time is that of the last tick.
        #expect((before - 1...AssetOperations.Instant.systemTime() / 1000).contains(head.changed))
        #expect(try await store.bytes(key) == bytes)
    }

    @Test(arguments: ObjectStoreKind.all)
    func aLocalFileIsPutAndBroughtBack(_ kind: ObjectStoreKind) async throws {
        let (store, key) = (try kind.make(service), try key("blobs/ab/one"))
        let file = try folder.write("all of it", to: "data/uploads/file")
        try await store.put(localFile: file, at: key)
        let copy = service.newUpload()
        #expect(try await store.bring(key, toLocalFile: copy))
        #expect(try Repository.bytes(at: copy) == Array("all of it".utf8))
        // What is done to the copy is not done to the object.
        try folder.write("another", to: String(copy.dropFirst(folder.path.utf8.count + 1)))
        #expect(try await store.bytes(key) == Array("all of it".utf8))
    }

    @Test(arguments: ObjectStoreKind.all)
    func rangesAreWhatTheySay(_ kind: ObjectStoreKind) async throws {
        let (store, key, bytes) = (try kind.make(service), try key("blobs/ab/one"), numbers(600_000))
        try await store.put(bytes, at: key)
        let object = try #require(try await store.open(key))
        for range in [0..<1, 5..<5, 262_143..<262_145, 1..<600_000, 599_999..<600_000] {
            let found = try await read(object, Int64(range.lowerBound)..<Int64(range.upperBound))
            #expect(found == Array(bytes[range]), "\(range)")
        }
        await #expect(throws: (any Error).self) { try await read(object, 599_999..<600_001) }
    }

    @Test(arguments: ObjectStoreKind.all)
    func whoReadsSetsThePace(_ kind: ObjectStoreKind) async throws {
        struct Enough: Error {}
        let (store, key) = (try kind.make(service), try key("blobs/ab/one"))
        try await store.put(numbers(2 << 20), at: key)
        let object = try #require(try await store.open(key))
        var pieces = 0
        await #expect(throws: Enough.self) {
            try await object.read(0..<2 << 20) { _ in
                pieces += 1
                if pieces == 2 { throw Enough() }
            }
        }
        #expect(pieces == 2)
    }

    @Test(arguments: ObjectStoreKind.all)
    func ofTwoPutsTheLastStays(_ kind: ObjectStoreKind) async throws {
        let (store, key) = (try kind.make(service), try key("results/ab/one/a.json"))
        try await store.put(Array("the first".utf8), at: key)
        try await store.put(Array("second".utf8), at: key)
        #expect(try await store.bytes(key) == Array("second".utf8))
    }

    @Test(arguments: ObjectStoreKind.all)
    func whatIsPutAtOnceIsWhole(_ kind: ObjectStoreKind) async throws {
        let (store, key) = (try kind.make(service), try key("results/ab/one/a.json"))
        let all = (0..<8).map { [UInt8](repeating: UInt8($0), count: 100_000 + $0) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for bytes in all { group.addTask { try await store.put(bytes, at: key) } }
            try await group.waitForAll()
        }
        #expect(all.contains(try #require(try await store.bytes(key))))
    }

    @Test(arguments: ObjectStoreKind.all)
    func putsOfEqualBytesAreEachOnesOwn(_ kind: ObjectStoreKind) async throws {
        let store = try kind.make(service)
        let (bytes, owner) = (Array("equal".utf8), AssetID.random())
        let keys = (0..<8).map { _ in ObjectKey.blob(SHA256Digest(hashing: bytes), putBy: owner) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for key in keys { group.addTask { try await store.put(bytes, at: key) } }
            try await group.waitForAll()
        }
        for key in keys.dropLast() { try await store.remove(key) }
        for key in keys.dropLast() { #expect(try await store.head(key) == nil) }
        #expect(try await store.bytes(try #require(keys.last)) == bytes)
    }

    @Test(arguments: ObjectStoreKind.all)
    func whatCannotBePutIsNotThere(_ kind: ObjectStoreKind) async throws {
        let (store, key) = (try kind.make(service), try key("blobs/ab/one"))
        await #expect(throws: (any Error).self) {
            try await store.put(localFile: service.newUpload(), at: key)
        }
        #expect(try await store.head(key) == nil)
        #expect(try await store.keys("blobs/", after: nil, limit: 10).isEmpty)
    }

    // MARK: - Absence

    @Test(arguments: ObjectStoreKind.all)
    func whatIsNotThereIsNotThere(_ kind: ObjectStoreKind) async throws {
        let store = try kind.make(service)
        try await store.put([1], at: try key("results/ab/one/files/a"))
        // Neither is what other keys begin with, or what stands behind a key.
        for text in ["blobs/ab/none", "results/ab/one", "results/ab/one/files", "results/ab/one/files/a/b"] {
            let key = try key(text)
            #expect(try await store.open(key) == nil, "\(text)")
            #expect(try await store.head(key) == nil, "\(text)")
            let copy = service.newUpload()
            #expect(try await !store.bring(key, toLocalFile: copy), "\(text)")
            #expect(FileMetadata(copy) == nil)
            try await store.remove(key)
        }
        #expect(try await store.bytes(try key("results/ab/one/files/a")) == [1])
    }

    @Test(arguments: ObjectStoreKind.all)
    func whatIsRemovedIsGoneAndMayComeBack(_ kind: ObjectStoreKind) async throws {
        let (store, key) = (try kind.make(service), try key("blobs/ab/one"))
        for round in 0..<2 {
            try await store.put([UInt8(round)], at: key)
            #expect(try await store.bytes(key) == [UInt8(round)])
            try await store.remove(key)
            #expect(try await store.open(key) == nil)
            try await store.remove(key)
        }
    }

    // MARK: - Lists

    private static let names = [
        "results/ab/a-b/c", "results/ab/a.b", "results/ab/a/b", "results/ab/a/b-c", "results/ab/aa/z",
        "results/ab/b/files/1", "results/ab/b/files/2", "results/ac/a", "results/b/a",
    ]

    @Test(arguments: ObjectStoreKind.all, [1, 2, 3, 500])
    func listsComeInPages(_ kind: ObjectStoreKind, _ limit: Int) async throws {
        let store = try kind.make(service)
        for name in Self.names.shuffled() { try await store.put(Array(name.utf8), at: try key(name)) }
        try await store.put([0], at: try key("blobs/ab/other"))
        for prefix in ["results/", "results/ab/", "results/ab/a", "results/ab/a/", "results/ab/b/files/2", "results/c"]
        {
            var found: [String] = []
            try await store.eachPage(prefix, limit: limit) { page in
                #expect(page.count <= limit)
                found += page.map(\.key.text)
                for object in page { #expect(object.size == Int64(object.key.text.utf8.count)) }
            }
            #expect(found.sorted() == Self.names.filter { $0.hasPrefix(prefix) }.sorted(), "\(prefix)")
        }
        #expect(try await store.keys("results", after: nil, limit: 500).count == Self.names.count)
    }

    @Test(arguments: ObjectStoreKind.all)
    func allThatBeginsSoIsRemoved(_ kind: ObjectStoreKind) async throws {
        let store = try kind.make(service)
        for name in Self.names { try await store.put([0], at: try key(name)) }
        try await store.removeAll("results/ab/a")
        var left: [String] = []
        try await store.eachPage("results/") { left += $0.map(\.key.text) }
        #expect(left.sorted() == Self.names.filter { !$0.hasPrefix("results/ab/a") }.sorted())
        try await store.removeAll("results/none/")
        try await store.removeAll("uploads/")
    }

    // MARK: - Keys

    @Test(arguments: [
        "", "/", "blobs", "blobs/", "/blobs/a", "blobs//a", "blobs/.", "blobs/..", "blobs/../daed.sqlite",
        "blobs/a/../../b", "blobs/a\0", "blobs/a b", "blobs/ä", "blobs/a\nb", "blobs\\a", "uploads/a", "daed.sqlite",
        "Blobs/a", "blobs/" + String(repeating: "a", count: 256), "blobs" + String(repeating: "/aaaa", count: 120),
    ])
    func whatIsNoKeyIsNone(_ text: String) { #expect(ObjectKey(text) == nil) }

    /// By the error that all who wait know as no fault.
    @Test func whoIsCancelledIsToldSo() async throws {
        var settings = S3Settings(endpoint: "http://127.0.0.1:9")
        settings.credentials = .fixed(S3Credentials(accessKey: S3Server.accessKey, secret: S3Server.secretKey))
        let objects = S3ObjectStore(client: try S3Client(try S3Location("s3://bucket"), settings))
        let key = try key("blobs/\(SHA256Digest(hashing: [1]).hex)")
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            for call in 0..<3 {
                await #expect(throws: CancellationError.self, "\(call)") {
                    switch call {
                    case 0: _ = try await objects.head(key)
                    case 1: try await objects.put([1], at: key)
                    default: _ = try await objects.keys("blobs/", after: nil, limit: 1)
                    }
                }
            }
        }
        task.cancel()
        await task.value
    }

    @Test func keysSayWhatTheyAreOf() throws {
        let digest = SHA256Digest(hashing: [1])
        let owner = AssetID.random()
        let put = ObjectKey.blob(digest, putBy: owner)
        #expect(ObjectKey(put.text) == put)
        #expect(put.digest == digest && put.origin == .process(owner.text))
        #expect(ObjectKey.blob(digest).origin == .olderVersion)
        let result = ObjectKey.result("files/a", of: ContentKey(digest: digest, name: "a.dae", file: ""))
        #expect(ObjectKey(result.text) == result)
        #expect(result.digest == digest && result.origin == nil)
        #expect(result.text.hasPrefix(ObjectKey.results(of: digest)))
        for text in ["blobs/ab/\(digest.hex).a", "blobs/ab/\(digest.hex).a.b.c", "blobs/\(digest.hex)", "blobs/ab/cd"] {
            #expect(try key(text).origin == nil, "\(text)")
        }
    }

    @Test(arguments: ["", ".zip", ".zip/../../../daed", ".zip/x", ".Zip", ".a.b", "0"])
    func aContentsKeyLeadsNowhereElse(_ ending: String) {
        let digest = SHA256Digest(hashing: [1])
        #expect((ContentKey(digest: digest, text: digest.hex + ending) != nil) == ["", ".zip"].contains(ending))
    }
}
