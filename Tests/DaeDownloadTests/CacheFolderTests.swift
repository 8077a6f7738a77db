import DaeCore
import DaeDiagnostics
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import DaeDownload

@Suite struct CacheFolderTests {
    private let folder: TemporaryFolder
    private let cache: DownloadCache

    init() throws {
        folder = try TemporaryFolder()
        cache = DownloadCache(folder: folder.path + "/cache")
    }

    private func failure(sourceLocation: SourceLocation = #_sourceLocation) -> DownloadFailure? {
        #expect(throws: DownloadFailure.self, sourceLocation: sourceLocation) {
            try CacheLock.acquire(CacheKey(url: "a"), in: cache, isStopped: { false }, onWait: {})
        }
    }

    @Test func aNewCacheSaysWhatItIs() throws {
        try cache.prepare()
        #expect(content(of: cache.folder + "/version") == Array("1\n".utf8))
        let tag = String(decoding: content(of: cache.folder + "/CACHEDIR.TAG"), as: UTF8.self)
        #expect(tag.hasPrefix("Signature: 8a477f597d28d172789f06886806bc55\n"))
        var status = stat()
        #expect(stat(cache.folder, &status) == 0 && status.st_mode & 0o777 == 0o700)
        #expect(stat(cache.folder + "/version", &status) == 0 && status.st_mode & 0o777 == 0o600)
        try cache.prepare()
    }

    @Test func aCacheOfANewerProgramIsRefused() throws {
        try cache.prepare()
        try folder.write("2\n", to: "cache/version")
        #expect(
            failure()?.observed
                == "cannot use the cache \(cache.folder): a newer program made it (layout 2, known here is 1)")
        #expect(failure()?.code == .ioError)
        #expect(throws: CodedFailure.self) { try cache.clear() }
        #expect(throws: CodedFailure.self) { try cache.contents() }
        #expect(throws: CodedFailure.self) { try cache.verify() }
        #expect(cache.reference(for: CacheKey(url: "a")) == nil)
    }

    @Test(arguments: ["", "x", "-1", "0", "1x\n"]) func aVersionThatCannotBeReadIsRefused(text: String) throws {
        try cache.prepare()
        try folder.write(text, to: "cache/version")
        #expect(failure()?.observed.contains("its file `version` cannot be understood") == true)
    }

    @Test func aCacheFromBeforeVersionsIsTakenOver() throws {
        let digest = SHA256Digest(hashing: [1])
        try folder.write([1], to: "cache/blobs/sha256/\(digest.hex.prefix(2))/\(digest.hex)")
        try cache.prepare()
        #expect(cache.blob(of: digest)?.size == 1)
    }

    @Test func aLinkToAFolderIsFine() throws {
        try folder.write("", to: "real/x")
        #expect(symlink(folder.path + "/real", cache.folder) == 0)
        try cache.prepare()
        #expect(access(folder.path + "/real/version", F_OK) == 0)
    }

    @Test func aLinkThatLeadsNowhereIsAnError() throws {
        #expect(symlink(folder.path + "/nowhere", cache.folder) == 0)
        #expect(
            failure()?.observed == "cannot make the folder \(cache.folder): a link that leads nowhere is there")
    }

    @Test(arguments: ["blobs", "refs", "locks", "partial"]) func aLinkInsideIsNotFollowed(name: String) throws {
        try folder.write("", to: "real/x")
        try cache.prepare()
        try FileManager.default.removeItem(atPath: cache.folder + "/" + name)
        #expect(symlink(folder.path + "/real", cache.folder + "/" + name) == 0)
        #expect(failure()?.observed == "cannot use the folder \(cache.folder)/\(name): a link is there")
    }

    @Test func aFileInTheWayIsAnError() throws {
        try folder.write("", to: "cache/refs")
        #expect(failure()?.observed == "cannot make the folder \(cache.folder)/refs: Not a directory")
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a folder away, and read what it may not write"))
    func rootMayUseTheCacheOfAnother() throws {
        try cache.prepare()
        #expect(chown(cache.folder, 12345, 12345) == 0)
        try cache.prepare()
    }

    @Test func aFolderThatCannotBeWrittenIsAnError() throws {
        // What a file system answers that is mounted for reading alone.
        var calls = FileSystem.Calls.kernel
        calls.makeFolder = { _ in
            errno = EROFS
            return -1
        }
        let cache = DownloadCache(
            folder: folder.path + "/cache", sizeLimit: .standard, files: FileSystem(calls: calls))
        let failure = #expect(throws: DownloadFailure.self) { try cache.prepare() }
        #expect(failure?.observed == "cannot make the folder \(cache.folder): Read-only file system")
    }

    @Test func whatIsThereCanBeUsedWhereNothingCanBeWritten() throws {
        let fixture = try CacheFixture()
        try fixture.add([1], url: "http://host/a")
        var calls = FileSystem.Calls.kernel
        let refuse: @Sendable () -> Int32 = {
            errno = EROFS
            return -1
        }
        calls.open = { _, _ in refuse() }
        calls.setTime = { _, _ in refuse() }
        calls.remove = { _ in refuse() }
        let cache = DownloadCache(
            folder: fixture.cache.folder, sizeLimit: .standard, files: FileSystem(calls: calls))
        #expect(cache.reference(for: CacheKey(url: "http://host/a"))?.size == 1)
        #expect(cache.blob(of: SHA256Digest(hashing: [1])) != nil)
        #expect(try cache.contents().blobs.count == 1)
    }

    @Test(arguments: 1...40) func aDiskThatIsFullAtAnyMomentIsAnErrorAndLeavesNoLie(moment: Int) throws {
        let system = FullDisk(after: moment)
        let cache = DownloadCache(
            folder: folder.path + "/cache", sizeLimit: .standard, files: system.files)
        let url = "http://host/a"
        let bytes = sampleBytes(3000)
        do throws(DownloadFailure) {
            let lock = try CacheLock.acquire(CacheKey(url: url), in: cache, isStopped: { false }, onWait: {})
            let file = PartialFile(holding: lock, checkpoint: 500)
            try file.begin(url: url, validators: Validators(etag: "\"1\""), total: 3000)
            for start in stride(from: 0, to: 3000, by: 300) {
                let piece = Array(bytes[start..<start + 300])
                try piece.withUnsafeBytes { piece in Result { () throws(DownloadFailure) in try file.write(piece) } }
                    .get()
            }
            _ = try file.commit()
        } catch {
            #expect(error.code == .ioError)
            #expect(error.observed.hasSuffix("No space left on device"))
        }
        system.free()
        let again = DownloadCache(folder: cache.folder)
        let lock = try CacheLock.acquire(CacheKey(url: url), in: again, isStopped: { false }, onWait: {})
        let file = PartialFile(holding: lock)
        if file.kept != nil {
            try file.resume { false }
        } else {
            try file.begin(url: url, validators: Validators(etag: "\"1\""), total: 3000)
        }
        try file.write(Array(bytes[Int(file.size)...]))
        #expect(content(of: try file.commit(verifying: [SHA256Digest(hashing: bytes)]).path) == bytes)
        #expect(try again.verify().isSound)
    }
}
