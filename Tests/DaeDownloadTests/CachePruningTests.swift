import DaeCore
import Glibc
import TestSupport
import Testing

@testable import DaeDownload

@Suite struct CachePruningTests {
    private let hour: Int64 = 3600

    private func filled() throws -> CacheFixture {
        let fixture = try CacheFixture()
        for number in 1...5 {
            try fixture.add(sampleBytes(100 * number), url: "http://host/\(number)")
            fixture.clock.advance(hour)
        }
        return fixture
    }

    private func sizes(_ fixture: CacheFixture) throws -> [Int64] { try fixture.cache.contents().blobs.map(\.size) }

    @Test func theLongestUnusedGoesFirst() throws {
        let fixture = try filled()
        _ = fixture.cache.reference(for: CacheKey(url: "http://host/1"))
        fixture.clock.advance(hour)
        let removal = try fixture.cache.prune(to: 1000)
        #expect(removal == DownloadCache.Removal(blobs: 2, partials: 0, references: 2, bytes: 500))
        #expect(try sizes(fixture) == [100, 500, 400])
        #expect(fixture.cache.reference(for: CacheKey(url: "http://host/2")) == nil)
        #expect(fixture.cache.reference(for: CacheKey(url: "http://host/4")) != nil)
        #expect(try fixture.cache.prune(to: 1000) == DownloadCache.Removal())
    }

    @Test func whatNoAddressLeadsToGoesBeforeThat() throws {
        let fixture = try filled()
        try fixture.add(sampleBytes(50))
        try fixture.add(sampleBytes(501), url: "http://host/5")
        fixture.clock.advance(hour)
        #expect(try fixture.cache.prune(to: 1501).blobs == 2)
        #expect(try sizes(fixture).sorted() == [100, 200, 300, 400, 501])
    }

    @Test func whatWasUsedJustNowStays() throws {
        let fixture = try filled()
        _ = fixture.cache.reference(for: CacheKey(url: "http://host/1"))
        fixture.clock.advance(599)
        #expect(try fixture.cache.prune(to: 0).blobs == 4)
        #expect(try sizes(fixture) == [100])
        #expect(try fixture.cache.prune(unusedFor: .zero).blobs == 0)
        fixture.clock.advance(1)
        #expect(try fixture.cache.prune(unusedFor: .zero).blobs == 1)
        #expect(fixture.files == [])
    }

    @Test func whatIsOldGoesHoweverSmallTheCacheIs() throws {
        let fixture = try filled()
        let removal = try fixture.cache.prune(unusedFor: .seconds(3 * hour))
        #expect(removal == DownloadCache.Removal(blobs: 3, partials: 0, references: 3, bytes: 600))
        #expect(try sizes(fixture) == [500, 400])
    }

    @Test func partialsThatAreWrittenToStay() throws {
        let fixture = try filled()
        try fixture.keep(sampleBytes(10), url: "http://host/left")
        try fixture.keep(sampleBytes(20), url: "http://host/held")
        let time = timespec(tv_sec: Int(fixture.clock.now - 2 * hour), tv_nsec: 0)
        for url in ["http://host/left", "http://host/held"] {
            #expect(utimensat(AT_FDCWD, fixture.cache.partialPath(of: CacheKey(url: url)), [time, time], 0) == 0)
        }
        let lock = try fixture.lock("http://host/held")
        #expect(try fixture.cache.contents().partials.map(\.url) == ["http://host/left", "http://host/held"])
        let removal = try fixture.cache.clear()
        #expect(removal == DownloadCache.Removal(blobs: 5, partials: 1, references: 5, bytes: 1510))
        let key = CacheKey(url: "http://host/held").hex
        #expect(fixture.files == ["locks/\(key.prefix(2))/\(key).lock", "partial/\(key).json", "partial/\(key).part"])
        withExtendedLifetime(lock) {}
    }

    @Test func theLimitIsHeldAfterEachDownload() throws {
        let fixture = try CacheFixture(sizeLimit: .bytes(1000))
        for number in 0..<20 {
            try fixture.add(sampleBytes(300 + number), url: "http://host/\(number)")
            fixture.clock.advance(hour)
            #expect(try fixture.cache.contents().size <= 1000)
            #expect(fixture.cache.reference(for: CacheKey(url: "http://host/\(number)")) != nil)
        }
        #expect(try sizes(fixture).count == 2)
    }

    @Test func theLimitTakesNothingFromThoseWhoUseIt() throws {
        let fixture = try CacheFixture(sizeLimit: .bytes(1000))
        for number in 0..<5 { try fixture.add(sampleBytes(300 + number), url: "http://host/\(number)") }
        #expect(try sizes(fixture).count == 5)
    }

    @Test func whatIsNotTheCachesIsLeftAlone() throws {
        let fixture = try filled()
        let strangers = [
            "README", "blobs/sha256/notes.txt", "blobs/sha256/ab/notes.txt", "refs/ab/x.json", "partial/123-abc",
            "blobs/sha256/zz/\(SHA256Digest(hashing: [9]).hex)",
        ]
        for name in strangers { try fixture.folder.write("mine", to: "cache/" + name) }
        _ = try fixture.cache.clear()
        #expect(fixture.files == strangers.sorted())
    }

    @Test func aCacheThatIsNotThereIsNotMade() throws {
        let folder = try TemporaryFolder()
        let cache = DownloadCache(folder: folder.path + "/cache")
        #expect(try cache.clear() == DownloadCache.Removal())
        #expect(try cache.prune(to: 0) == DownloadCache.Removal())
        #expect(try cache.verify() == DownloadCache.Verification())
        #expect(try cache.contents().size == 0)
        #expect(cache.reference(for: CacheKey(url: "a")) == nil)
        #expect(access(cache.folder, F_OK) != 0)
    }

    @Test(
        arguments: [
            ("unlimited", .unlimited), ("0", .bytes(0)), ("1000", .bytes(1000)), ("2k", .bytes(2048)),
            ("500 MB", .bytes(500 << 20)), ("20GiB", .bytes(20 << 30)), ("1 T", .bytes(1 << 40)), ("7b", .bytes(7)),
            ("", nil), ("G", nil), ("-1", nil), ("1.5G", nil), ("1 x", nil), ("9999999999999G", nil), ("1 G B", nil),
        ] as [(String, SizeLimit?)])
    func aLimitIsWrittenAsPeopleWriteIt(text: String, limit: SizeLimit?) {
        #expect(SizeLimit(text) == limit)
    }
}
