import DaeCore
import DaeDiagnostics
import Glibc
import TestSupport
import Testing

@testable import DaeDownload

@Suite struct PartialFileTests {
    private let url = "http://host/a"
    private let strong = Validators(etag: "\"1\"")

    @Test func aFileThatCannotBeResumedGoesWithItsValue() throws {
        let fixture = try CacheFixture()
        do {
            let file = PartialFile(holding: try fixture.lock(url))
            try file.begin(url: url, validators: Validators(etag: "W/\"1\"", lastModified: "x"), total: nil)
            try file.write(Array("abc".utf8))
            #expect(fixture.contents == ["partial/\(CacheKey(url: url).hex).part"])
        }
        #expect(fixture.contents == [])
    }

    @Test func aCommittedFileReplacesADamagedOneOfItsName() throws {
        let fixture = try CacheFixture()
        let digest = SHA256Digest(hashing: Array("abc".utf8))
        try fixture.folder.write("damaged", to: "cache/blobs/sha256/ba/\(digest.hex)")
        let file = PartialFile(holding: try fixture.lock(url))
        try file.begin(url: url, validators: strong, total: 3)
        for letter in "abc".utf8 { try file.write([letter]) }
        let (path, committed) = try file.commit(verifying: [digest])
        #expect(committed == digest)
        #expect(path == fixture.cache.path(of: digest))
        #expect(content(of: path) == Array("abc".utf8))
        #expect(fixture.contents == ["blobs/sha256/ba/\(digest.hex)"])
        #expect(throws: DownloadFailure.self) { try file.write([1]) }
        #expect(throws: DownloadFailure.self) { try file.commit() }
    }

    @Test func whatIsKeptIsResumedToTheSameBytes() throws {
        let fixture = try CacheFixture()
        let bytes = sampleBytes(3_000_000)
        do {
            let file = PartialFile(holding: try fixture.lock(url))
            #expect(file.kept == nil)
            try file.begin(url: url, validators: strong, total: 3_000_000)
            try file.write(Array(bytes[..<2_500_000]))
        }
        let file = PartialFile(holding: try fixture.lock(url))
        #expect(file.kept == KeptBytes(validators: strong, bytes: 2_500_000, total: 3_000_000))
        try file.resume { false }
        #expect(file.kept == nil)
        #expect(file.size == 2_500_000)
        try file.write(Array(bytes[2_500_000...]))
        let (path, digest) = try file.commit()
        #expect(digest == SHA256Digest(hashing: bytes))
        #expect(content(of: path) == bytes)
    }

    @Test func aResumeThatIsStoppedLosesNothing() throws {
        let fixture = try CacheFixture()
        try fixture.keep(sampleBytes(2_500_000), url: url)
        do {
            let file = PartialFile(holding: try fixture.lock(url))
            var questions = 0
            #expect(throws: DownloadFailure.cancelled) {
                try file.resume {
                    questions += 1
                    return questions == 2
                }
            }
        }
        #expect(PartialFile(holding: try fixture.lock(url)).kept?.bytes == 2_500_000)
    }

    @Test func aTransferMayBeginAgainAtAnyTime() throws {
        let fixture = try CacheFixture()
        try fixture.keep([1, 2, 3], url: url)
        do {
            let file = PartialFile(holding: try fixture.lock(url))
            try file.resume { false }
            try file.write([4])
            try file.begin(url: url, validators: Validators(etag: "\"2\""), total: nil)
            try file.write([5])
        }
        let file = PartialFile(holding: try fixture.lock(url))
        #expect(file.kept == KeptBytes(validators: Validators(etag: "\"2\""), bytes: 1, total: nil))
        try file.resume { false }
        #expect(try file.commit().sha256 == SHA256Digest(hashing: [5]))
    }

    @Test func anOldRecordThatStaysEndsTheAttempt() throws {
        let fixture = try CacheFixture()
        try fixture.keep([1, 2, 3], url: url)
        var calls = FileSystem.Calls.kernel
        calls.bootID = { "this boot" }
        calls.remove = { _ in
            errno = EPERM
            return -1
        }
        let cache = DownloadCache(
            folder: fixture.cache.folder, sizeLimit: .standard, files: FileSystem(calls: calls))
        do {
            let lock = try CacheLock.acquire(CacheKey(url: url), in: cache, isStopped: { false }, onWait: {})
            let file = PartialFile(holding: lock)
            #expect(throws: DownloadFailure.self) { try file.begin(url: url, validators: strong, total: nil) }
        }
        #expect(PartialFile(holding: try fixture.lock(url)).kept == nil)
    }

    /// complaints.md B44.
    @Test func bytesOfAnotherDigestThanPromisedAreNeverSeen() throws {
        let fixture = try CacheFixture()
        let file = PartialFile(holding: try fixture.lock(url))
        try file.begin(url: url, validators: strong, total: nil)
        try file.write([1])
        let (promised, found) = (SHA256Digest(hashing: [2]), SHA256Digest(hashing: [1]))
        let failure = #expect(throws: DownloadFailure.self) { try file.commit(verifying: [promised]) }
        #expect(failure == .checksumMismatch(expected: promised, actual: found))
        #expect(failure?.code == .downloadChecksumMismatch)
        #expect(failure?.observed.contains(found.hex) == true)
        #expect(failure?.expected.contains(promised.hex) == true)
        #expect(fixture.contents == [])
    }

    @Test func aFileThatAnotherProgramWritesToIsNotCommitted() throws {
        let fixture = try CacheFixture()
        let file = PartialFile(holding: try fixture.lock(url))
        try file.begin(url: url, validators: strong, total: nil)
        try file.write([1])
        try fixture.folder.write([1, 2], to: "cache/partial/\(CacheKey(url: url).hex).part")
        #expect(throws: DownloadFailure.self) { try file.commit() }
        #expect(fixture.contents.filter { $0.hasPrefix("blobs") } == [])
    }

    @Test func bytesAreMadeToLastAtEachCheckpoint() throws {
        let fixture = try CacheFixture()
        let file = PartialFile(holding: try fixture.lock(url), checkpoint: 10)
        try file.begin(url: url, validators: strong, total: nil)
        var synced: [Int64?] = []
        for _ in 0..<5 {
            try file.write([1, 2, 3, 4, 5, 6])
            let path = fixture.cache.recordPath(of: CacheKey(url: url))
            synced.append(PartialRecord(of: CacheKey(url: url), at: path, fixture.cache.files)?.synced)
        }
        #expect(synced == [0, 12, 12, 24, 24])
    }

    @Test(.enabled(if: access("/dev/full", W_OK) == 0, "this system has no /dev/full")) func aFullDiskIsAnError() throws
    {
        let file = CacheFile(open("/dev/full", O_WRONLY | O_CLOEXEC), path: "cache/partial/1", calls: .kernel)
        let failure = #expect(throws: DownloadFailure.self) {
            try [1, 2, 3].withUnsafeBytes { bytes in try file.write(bytes) }
        }
        #expect(failure?.code == .ioError)
        #expect(failure?.observed == "cannot write cache/partial/1: No space left on device")
    }
}
