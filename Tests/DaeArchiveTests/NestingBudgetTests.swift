import DaeCore
import DaeDiagnostics
import TestSupport
import Testing

@testable import DaeArchive

/// What archives within a bundle may take together, at every level.
@Suite struct NestingBudgetTests {
    private static func zip(_ files: [(String, [UInt8])], isPacked: Bool = true) -> [UInt8] {
        var zip = ZipBuilder()
        for (path, bytes) in files {
            if isPacked { zip.addDeflated(path, bytes) } else { zip.add(path, bytes) }
        }
        return zip.bytes()
    }

    private static func inner(_ count: Int) -> [UInt8] {
        zip([("pad", [UInt8](repeating: 0, count: count)), ("t.png", [1])])
    }

    /// Archives `a0.zip`, `a1.zip` … in an archive, each with `b0.zip`, `b1.zip` … of so many bytes.
    private static func outer(_ outer: Int, _ inner: Int, bytes: Int) -> [UInt8] {
        let middle = zip((0..<inner).map { ("b\($0).zip", Self.inner(bytes)) })
        return zip((0..<outer).map { ("a\($0).zip", middle) })
    }

    @Test func archivesOfArchivesShareOneBudget() throws {
        let bytes = Self.outer(4, 4, bytes: 100_000)
        let own = try Bundle.open(bytes).declaredBytes
        // Of the innermost there is room for five, beside the archives that hold them.
        let bundle = try Bundle.open(bytes, limits: .init(inflatedBytes: .fixed(own + 5 * 100_100)))
        let found = (0..<4).flatMap { outer in (0..<4).map { "a\(outer).zip/b\($0).zip/t.png" } }.filter {
            bundle.entry(at: $0) != nil
        }
        #expect((4...5).contains(found.count), "\(found)")
        #expect(bundle.nestingFindings.findings.map(\.code).contains(.archiveTotalSizeExceeded))
        #expect(bundle.nestingFindings.findings.allSatisfy { $0.severity == .warning })
        // What was opened stays open.
        #expect(found.allSatisfy { bundle.entry(at: $0) != nil })
    }

    @Test func archivesAreCountedAtAllLevels() throws {
        let bundle = try Bundle.open(Self.outer(3, 3, bytes: 10), limits: .init(nestedArchives: 5))
        let found = (0..<3).flatMap { outer in (0..<3).map { "a\(outer).zip/b\($0).zip/t.png" } }.filter {
            bundle.entry(at: $0) != nil
        }
        #expect(found == ["a0.zip/b0.zip/t.png", "a0.zip/b1.zip/t.png", "a0.zip/b2.zip/t.png"])
        let told = try #require(bundle.nestingFindings.findings.first)
        #expect(told.code == .archiveEntryCountExceeded && told.place.entry == "a1.zip/b0.zip")
        #expect(told.message.contains("budget of 5"))
    }

    @Test func entriesAreCountedAtAllLevels() throws {
        let many = Self.zip((0..<40).map { ("\($0)", []) })
        let bundle = try Bundle.open(
            Self.zip((0..<3).map { ("\($0).zip", many) }), limits: .init(entryCount: 100))
        #expect((0..<3).map { bundle.entry(at: "\($0).zip/7") != nil } == [true, true, false])
        #expect(bundle.nestingFindings.findings.map(\.code) == [.archiveEntryCountExceeded])
    }

    @Test func packedArchivesTakeLittleMemoryTogether() throws {
        let large = Self.zip([("t", [UInt8](repeating: 7, count: 3 << 20))], isPacked: false)
        let bundle = try Bundle.open(Self.zip((0..<6).map { ("\($0).zip", large) }))
        for index in 0..<6 { #expect(bundle.entry(at: "\(index).zip/t") != nil) }
        let spools = (0..<6).compactMap { bundle.archive(at: "\($0).zip")?.source as? SpooledByteSource }
        #expect(spools.map(\.isInMemory) == [true, true, false, false, false, false])
    }

    @Test func whatIsClosedIsGivenBack() throws {
        let bytes = Self.zip((0..<4).map { ("\($0).zip", Self.inner(1000)) })
        let bundle = try Bundle.open(bytes, limits: .init(nestedArchives: 1))
        for entry in bundle.entries { #expect(try bundle.open(nested: entry).entries.count == 2) }
        #expect(bundle.nesting.account.amount.archives == 1)
        let kept = try bundle.open(nested: bundle.entries[0])
        #expect(
            code { () throws(CodedFailure) in _ = try bundle.open(nested: bundle.entries[1]) }
                == .archiveEntryCountExceeded)
        #expect(kept.entries.count == 2)
    }

    @Test func oneArchiveIsUnpackedOnceForAPathAndForItself() throws {
        let bundle = try Bundle.open(Self.zip([("a.zip", Self.inner(1000))]))
        let entry = try #require(bundle.entry(at: "a.zip/t.png"))
        let left = bundle.nesting.account.amount
        let (inner, found, archives) = try bundle.innermost(of: entry)
        #expect(archives == ["a.zip"] && found.path == "t.png" && inner.surroundings?.path == "a.zip")
        #expect(bundle.nesting.account.amount.bytes == left.bytes)
    }

    @Test func archivesInAFolderShareABudget() throws {
        let folder = try TemporaryFolder()
        for index in 0..<3 { try folder.write(Self.inner(100_000), to: "\(index).zip") }
        let bundle = try Bundle.open(path: folder.path, limits: .init(inflatedBytes: .fixed(210_000)))
        #expect((0..<3).map { bundle.entry(at: "\($0).zip/t.png") != nil } == [true, true, false])
    }

    @Test func whyAnArchiveIsNotOpenedIsKept() throws {
        var deep = Self.zip([("t.png", [1])])
        for _ in 0..<5 { deep = Self.zip([("x.zip", deep)]) }
        let bundle = try Bundle.open(Self.zip([("bad.zip", Array("PK\u{3}\u{4}no".utf8)), ("x.zip", deep)]))
        #expect(bundle.entry(at: "bad.zip/t.png") == nil && bundle.entry(at: "bad.zip/u.png") == nil)
        let path = String(repeating: "x.zip/", count: 6) + "t.png"
        #expect(bundle.entry(at: path) == nil)
        #expect(bundle.leadsIntoUnreadable("bad.zip/t.png") && bundle.leadsIntoUnreadable(path))
        #expect(!bundle.leadsIntoUnreadable("x.zip/t.png"))
        let told = bundle.nestingFindings.findings
        #expect(told.map(\.code) == [.archiveInvalid, .archiveDepthExceeded])
        #expect(told.map(\.place.entry) == ["bad.zip", "x.zip/x.zip/x.zip/x.zip"])
    }

    @Test func ofAPathOfVeryManyArchivesFewAreLookedFor() {
        let path = String(repeating: "a.zip/", count: 20_000) + "t.png"
        #expect(Bundle.archives(in: path).count == 16)
        #expect(Bundle.archives(in: "a.ZAE/b/c.kmz/d.zip").map(\.archive) == ["a.ZAE", "a.ZAE/b/c.kmz"])
        #expect(Bundle.archives(in: "zip/azip/.dae/a.dae/x").isEmpty)
    }
}

/// How a code page is guessed, where there is too much to guess by.
@Suite struct NamePageGuessTests {
    private static func name(_ number: Int) -> [UInt8] { [0xC0 + UInt8(number & 31)] + Array(String(number).utf8) }

    @Test func namesOfBothKindsAreCounted() {
        var guess = NamePageGuess()
        let head = Array("<?xml version=\"1.0\" encoding=\"windows-1251\"?>".utf8)
        for start in stride(from: 0, to: 160_000, by: 40_000) {
            guess.read(head + (start..<start + 40_000).flatMap { Self.name($0) + [UInt8(ascii: "/")] })
        }
        #expect(guess.count == 20_000)
    }

    @Test func theSameNameIsNotLookedAtWithoutEnd() {
        var guess = NamePageGuess()
        guess.read(Array(String(repeating: "\u{E9}/", count: 300_000).utf8))
        #expect(guess.count == 1 && guess.looksLeft == 0)
    }

    @Test func partsOfNamesAreCountedAndShort() {
        let names = (0..<100).map { row in
            Array((0..<1000).map { Self.name(row * 1000 + $0) }.joined(separator: [0x2F]))
        }
        #expect(NamePageGuess.parts(of: names).count == 20_000)
        #expect(NamePageGuess.parts(of: [[UInt8](repeating: 0xC1, count: 2000), [0xC1], [0x41]]) == [[0xC1]])
    }

    @Test(arguments: [true, false])
    func namesInUTF16AndInPercentEncodingCount(isUTF16: Bool) {
        let (raw, text) = ([UInt8]([0xEA, 0xEE]), isUTF16 ? "<a>\u{43A}\u{43E}.png</a>" : "<a>%D0%BA%D0%BE.png</a>")
        var bytes = Array(text.utf8)
        if isUTF16 { bytes = [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] } }
        var guess = NamePageGuess()
        guess.read(bytes)
        #expect(guess.page(of: [raw + Array(".png".utf8)])?.labels.contains("windows-1251") == true)
    }
}
