import DaeCore
import DaeDiagnostics
import Glibc
import TestSupport
import Testing

@testable import DaeDownload

@Suite struct CacheVerificationTests {
    /// complaints.md B45: a damaged file is never handed out as if it were whole, and is fetched again.
    @Test func damagedFilesGoWithWhatRefersToThem() throws {
        let fixture = try CacheFixture()
        let good = try fixture.add(sampleBytes(3_000_000), url: "http://host/good")
        let bad = try fixture.add(sampleBytes(5000), url: "http://host/bad")
        try fixture.add(sampleBytes(5000), url: "http://host/also")
        var bytes = sampleBytes(5000)
        bytes[4999] ^= 1
        try fixture.folder.write(bytes, to: "cache/blobs/sha256/\(bad.hex.prefix(2))/\(bad.hex)")
        var progress: [DownloadCache.VerificationProgress] = []
        let result = try fixture.cache.verify(progress: { progress.append($0) })
        #expect(result.blobs == 2)
        #expect(result.bytes == 3_005_000)
        #expect(!result.isSound)
        #expect(result.references == 2)
        let damage = try #require(result.damaged.first)
        #expect(result.damaged.count == 1)
        #expect(damage.sha256 == bad)
        #expect(damage.found == SHA256Digest(hashing: bytes))
        #expect(damage.addresses == ["http://host/also", "http://host/bad"])
        #expect(damage.path == fixture.cache.path(of: bad))
        #expect(progress.map(\.bytes) == progress.map(\.bytes).sorted() && progress.count >= 4)
        #expect(progress.last?.bytes == 3_005_000 && progress.last?.bytesTotal == 3_005_000)
        #expect(fixture.cache.blob(of: bad) == nil)
        #expect(fixture.cache.reference(for: CacheKey(url: "http://host/good"))?.sha256 == good)
        #expect(try fixture.cache.verify().isSound)
    }

    @Test func aFileThatCannotBeReadIsDamaged() throws {
        let fixture = try CacheFixture()
        let digest = try fixture.add([1], url: "http://host/a")
        unlink(fixture.cache.path(of: digest))
        let other = try fixture.folder.write([1], to: "other")
        #expect(symlink(other, fixture.cache.path(of: digest)) == 0)
        #expect(fixture.cache.blob(of: digest) == nil)
        let result = try fixture.cache.verify()
        #expect(result.damaged.map(\.sha256) == [digest])
        #expect(result.damaged.first?.found == nil)
        #expect(fixture.contents == [])
        #expect(content(of: other) == [1])
    }

    @Test func whatEndedProcessesHaveLeftIsSweptUp() throws {
        let fixture = try CacheFixture()
        try fixture.add([1], url: "http://host/a")
        try fixture.keep([2], url: "http://host/kept")
        let (kept, gone) = (CacheKey(url: "http://host/kept").hex, CacheKey(url: "http://host/gone").hex)
        for name in [
            "partial/\(gone).part", "partial/\(kept).json.new", "refs/\(gone.prefix(2))/\(gone).json.new",
            "refs/\(gone.prefix(2))/\(gone).json", "locks/\(gone.prefix(2))/\(gone).lock",
        ] {
            try fixture.folder.write("x", to: "cache/" + name)
        }
        let before = fixture.files.count
        let result = try fixture.cache.verify()
        #expect(result.damaged == [] && result.references == 1 && result.staleFiles == 3)
        #expect(fixture.files.count == before - 5)
        #expect(fixture.contents.contains("partial/\(kept).part"))
        #expect(try fixture.cache.verify() == DownloadCache.Verification(blobs: 1, bytes: 1))
    }

    @Test func aCheckCanBeStopped() throws {
        let fixture = try CacheFixture()
        try fixture.add(sampleBytes(2_500_000), url: "http://host/a")
        var questions = 0
        let error = #expect(throws: CodedFailure.self) {
            try fixture.cache.verify(isStopped: {
                questions += 1
                return questions == 2
            })
        }
        #expect(error?.code == .assetCancelled)
        #expect(error?.code == .assetCancelled)
        #expect(fixture.cache.reference(for: CacheKey(url: "http://host/a")) != nil)
    }

    @Test func aFileThatIsReplacedMeanwhileStays() throws {
        let fixture = try CacheFixture()
        let bytes = sampleBytes(10)
        let digest = try fixture.add(bytes, url: "http://host/a")
        let path = fixture.cache.path(of: digest)
        try fixture.folder.write("damaged", to: "cache/blobs/sha256/\(digest.hex.prefix(2))/\(digest.hex)")
        let result = try fixture.cache.verify(progress: { _ in
            // Another process has fetched it again.
            _ = try? fixture.folder.write(bytes, to: "whole")
            rename(fixture.folder.path + "/whole", path)
        })
        #expect(result.damaged == [])
        #expect(content(of: path) == bytes)
    }
}
