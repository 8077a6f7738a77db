import DaeCore
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import DaeDownload

@Suite struct CacheReferenceTests {
    private let url = "http://host/a"
    private let bytes = Array("abc".utf8)

    @Test func aReferenceReadsBackAsItWasStored() throws {
        let fixture = try CacheFixture()
        try fixture.add(bytes, url: url)
        #expect(fixture.cache.reference(for: CacheKey(url: url)) == fixture.reference(to: bytes, url: url))
        var bare = fixture.reference(to: bytes, url: url)
        bare.contentType = nil
        bare.freshUntil = nil
        bare.validators = Validators()
        bare.suggestedName = "ä\u{1f}\u{7f}\n\\\"\u{1F600}"
        try fixture.cache.store(bare, holding: try fixture.lock(url))
        #expect(fixture.cache.reference(for: CacheKey(url: url)) == bare)
        #expect(fixture.cache.reference(for: CacheKey(url: url, variant: ["x"])) == nil)
    }

    @Test func keysTellAddressesAndVariantsApart() {
        let keys = [
            CacheKey(url: "a"), CacheKey(url: "a", variant: [""]), CacheKey(url: "a", variant: ["", ""]),
            CacheKey(url: "a", variant: ["b", "c"]), CacheKey(url: "a", variant: ["c", "b"]),
            CacheKey(url: "a", variant: ["bc"]), CacheKey(url: "a1:b"), CacheKey(url: "ab"), CacheKey(url: ""),
        ]
        #expect(Set(keys).count == keys.count)
        #expect(CacheKey(hex: keys[0].hex) == keys[0])
        #expect(CacheKey(hex: keys[0].hex.uppercased()) == nil)
        #expect(CacheKey(hex: keys[0].hex + "0") == nil)
    }

    @Test func aReferenceWithoutItsBlobIsNone() throws {
        let fixture = try CacheFixture()
        let digest = try fixture.add(bytes, url: url)
        unlink(fixture.cache.path(of: digest))
        #expect(fixture.cache.reference(for: CacheKey(url: url)) == nil)
        #expect(fixture.contents == [])
    }

    @Test func aReferenceAndABlobThatDisagreeBothGo() throws {
        let fixture = try CacheFixture()
        let digest = try fixture.add(bytes, url: url)
        try fixture.folder.write("ab", to: "cache/blobs/sha256/\(digest.hex.prefix(2))/\(digest.hex)")
        #expect(fixture.cache.reference(for: CacheKey(url: url)) == nil)
        #expect(fixture.contents == [])
    }

    @Test func aReferenceToABlobThatIsNotThereIsNotStored() throws {
        let fixture = try CacheFixture()
        let reference = fixture.reference(to: bytes, url: url)
        #expect(throws: DownloadFailure.self) { try fixture.cache.store(reference, holding: try fixture.lock(url)) }
        #expect(fixture.contents == [])
    }

    @Test(arguments: [
        ("{", ""), ("\"version\": 1", "\"version\": 2"), ("\"size\": 3", "\"size\": -3"),
        ("\"size\": 3", "\"size\": \"3\""),
        ("\"size\": 3", "\"size\": 3.0"), ("\"storedAt\"", "\"size\""), ("\"key\": \"", "\"key\": \"0"), ("}", "} "),
        ("}", "}x"), ("\"sha256\": \"ba", "\"sha256\": \"xx"), ("\"url\": \"http", "\"url\": \"\\q"),
    ])
    func aReferenceThatWasWrittenOverIsNone(old: String, new: String) throws {
        let fixture = try CacheFixture()
        try fixture.add(bytes, url: url)
        let key = CacheKey(url: url)
        let text = String(decoding: content(of: fixture.cache.referencePath(of: key)), as: UTF8.self)
        #expect(text.contains(old))
        try fixture.folder.write(text.replacing(old, with: new), to: "cache/refs/\(key.hex.prefix(2))/\(key.hex).json")
        let isSpace = new == "} "
        #expect((fixture.cache.reference(for: key) != nil) == isSpace)
        #expect(fixture.contents.contains { $0.hasPrefix("refs/") } == isSpace)
    }

    @Test func aReferenceCutAnywhereIsNone() throws {
        let fixture = try CacheFixture()
        try fixture.add(bytes, url: url)
        let key = CacheKey(url: url)
        let path = fixture.cache.referencePath(of: key)
        let text = content(of: path).dropLast(2)
        for count in text.indices {
            try fixture.folder.write(Array(text[..<count]), to: "cache/refs/\(key.hex.prefix(2))/\(key.hex).json")
            #expect(CacheReference(of: key, at: path, fixture.cache.files) == nil)
        }
    }

    @Test func whatIsFoundIsMarkedAsUsed() throws {
        let fixture = try CacheFixture()
        let digest = try fixture.add(bytes, url: url)
        func lastUse() throws -> Int64? { try fixture.cache.contents().blobs.first?.lastUse }
        #expect(try lastUse() == fixture.clock.now)
        fixture.clock.advance(100)
        #expect(fixture.cache.reference(for: CacheKey(url: url)) != nil)
        #expect(try lastUse() == fixture.clock.now)
        fixture.clock.advance(100)
        let blob = fixture.cache.blob(of: digest)
        #expect(blob == DownloadedBlob(path: fixture.cache.path(of: digest), size: 3, sha256: digest))
        #expect(try lastUse() == fixture.clock.now)
        #expect(fixture.cache.blob(of: SHA256Digest(hashing: [])) == nil)
    }
}
