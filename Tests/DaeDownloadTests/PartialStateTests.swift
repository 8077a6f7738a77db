// What a partial file and its record may be found as, after whatever has ended the process that wrote them.

import Glibc
import TestSupport
import Testing

@testable import DaeDownload

@Suite struct PartialStateTests {
    struct Found: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var part: Int? = 10
        var record: String?
        /// `nil` where nothing may be resumed; both files are removed then.
        var kept: Int64?
    }

    private static let key = CacheKey(url: "http://host/a")

    private static func record(
        etag: String? = "\"1\"", lastModified: String? = nil, total: Int64? = nil, synced: Int64 = 0,
        boot: String? = "this boot", key: CacheKey = key
    ) -> String {
        let record = PartialRecord(
            url: "http://host/a", validators: Validators(etag: etag, lastModified: lastModified), total: total,
            synced: synced, bootID: boot)
        return String(decoding: record.bytes(under: key), as: UTF8.self)
    }

    private static let table: [Found] = [
        Found(testDescription: "nothing", part: nil),
        Found(testDescription: "bytes without a record"),
        Found(testDescription: "a record without bytes", part: nil, record: record()),
        Found(testDescription: "emptied, not begun", part: 0, record: record()),
        Found(testDescription: "killed while bytes came", record: record(), kept: 10),
        Found(testDescription: "killed after a checkpoint", record: record(synced: 6), kept: 10),
        Found(testDescription: "killed at the end", record: record(total: 10), kept: 10),
        Found(testDescription: "no tag, but a date", record: record(etag: nil, lastModified: "then"), kept: 10),
        Found(testDescription: "a power cut after a checkpoint", record: record(synced: 6, boot: "old"), kept: 6),
        Found(testDescription: "a power cut before any", record: record(boot: "old")),
        Found(testDescription: "a power cut that made it shorter", record: record(synced: 16, boot: "old")),
        // complaints.md B46: the size of a file is no proof of its bytes.
        Found(testDescription: "as long as the whole, never synced", record: record(total: 10, boot: "old")),
        Found(testDescription: "an old record that came back", record: record(synced: 16)),
        Found(testDescription: "a boot without a name", record: record(synced: 6, boot: nil), kept: 6),
        Found(testDescription: "more bytes than there are", record: record(total: 9)),
        Found(testDescription: "a weak tag", record: record(etag: "W/\"1\"")),
        Found(testDescription: "a weak tag and a date", record: record(etag: "W/\"1\"", lastModified: "then")),
        Found(testDescription: "no validator", record: record(etag: nil)),
        Found(testDescription: "half a record", record: String(record().dropLast(20))),
        Found(testDescription: "an empty record", record: ""),
        Found(testDescription: "a record of another key", record: record(key: CacheKey(url: "http://host/b"))),
        Found(
            testDescription: "a record of another kind",
            record: record().replacing("\"version\": 1", with: "\"version\": 2")),
        Found(
            testDescription: "less than nothing synced",
            record: record(boot: "old").replacing("\"synced\": 0", with: "\"synced\": -5")),
    ]

    @Test(arguments: table) func whatIsFoundIsTrustedAsFarAsItMayBe(found: Found) throws {
        let fixture = try CacheFixture()
        let bytes = sampleBytes(20)
        if let part = found.part {
            try fixture.folder.write(Array(bytes[..<part]), to: "cache/partial/\(Self.key.hex).part")
        }
        if let record = found.record { try fixture.folder.write(record, to: "cache/partial/\(Self.key.hex).json") }
        let file = PartialFile(holding: try fixture.lock("http://host/a"))
        #expect(file.kept?.bytes == found.kept)
        guard let kept = found.kept else { return #expect(fixture.contents == []) }
        try file.resume { false }
        try file.write(Array(bytes[Int(kept)...]))
        #expect(content(of: try file.commit().path) == bytes)
        #expect(fixture.contents.count == 1)
    }

    @Test(arguments: [false, true]) func whatIsInUseElsewhereIsNotWrittenTo(isLink: Bool) throws {
        let fixture = try CacheFixture()
        let other = try fixture.folder.write("other", to: "other")
        let part = fixture.cache.partialPath(of: Self.key)
        #expect((isLink ? symlink(other, part) : link(other, part)) == 0)
        try fixture.folder.write(Self.record(), to: "cache/partial/\(Self.key.hex).json")
        let file = PartialFile(holding: try fixture.lock("http://host/a"))
        #expect(file.kept == nil)
        try file.begin(url: "http://host/a", validators: Validators(), total: nil)
        try file.write([1])
        #expect(content(of: other) == Array("other".utf8))
    }
}
