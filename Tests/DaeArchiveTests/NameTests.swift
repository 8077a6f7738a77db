import DaeDiagnostics
import TestSupport
import Testing

@testable import DaeArchive

/// What the bytes of a name mean, and what names mean together.
@Suite struct NameTests {
    private func bundle(_ name: [UInt8], flags: UInt16 = 0, extra: [UInt8] = []) throws(CodedFailure) -> Bundle {
        var zip = ZipBuilder()
        zip.add("", "x") { ($0.name, $0.flags, $0.extra) = (name, flags, extra) }
        return try Bundle.open(zip)
    }

    @Test func utf8IsReadWithAndWithoutItsFlag() throws {
        for flags: UInt16 in [0, 0x800] {
            let bundle = try bundle(Array("Bäume/木.png".utf8), flags: flags)
            #expect(bundle.entries.map(\.path) == ["Bäume/木.png"])
            #expect(bundle.findings == [])
        }
    }

    @Test func otherBytesAreReadAsCodePage437() throws {
        let bundle = try bundle([0x42, 0x84, 0x75, 0x6D, 0x65, 0x2F, 0xE1, 0x2E, 0x70, 0x6E, 0x67])
        #expect(bundle.entries.map(\.path) == ["Bäume/ß.png"])
        #expect(bundle.findings.map(\.code) == [.archiveNameEncoding])
        #expect(bundle.findings.map(\.place.entry) == ["Bäume/ß.png"])
        #expect(try bundle.contents("Bäume/ß.png") == Array("x".utf8))
    }

    @Test func everyByteOfTheCodePageHasItsLetter() {
        let text = CodePage437.decode((0...255).map { UInt8($0) })
        #expect(text.unicodeScalars.count == 256)
        #expect(Set(text.unicodeScalars).count == 256)
        #expect(text.unicodeScalars.dropFirst(0x80).allSatisfy { $0.value >= 0x80 })
        #expect(text.hasSuffix("ⁿ²■\u{A0}"))
    }

    @Test func damagedUTF8IsToldAndStillReadable() throws {
        let bundle = try bundle([0x61, 0xC3, 0x2E, 0x70], flags: 0x800)
        #expect(bundle.entries.map(\.path) == ["a\u{FFFD}.p"])
        #expect(bundle.findings.map(\.code) == [.archiveNameEncoding])
        #expect(try bundle.contents("a\u{FFFD}.p") == Array("x".utf8))
    }

    /// Version, CRC-32 of the raw name, UTF-8.
    private func unicodeField(_ text: String, for raw: [UInt8], version: UInt8 = 1) -> [UInt8] {
        let sum = TestSupport.CRC32.of(raw)
        let body = [version] + (0..<4).map { UInt8(truncatingIfNeeded: sum >> (8 * $0)) } + Array(text.utf8)
        return [0x75, 0x70, UInt8(body.count), 0] + body
    }

    @Test func theUnicodeFieldWinsWhileItBelongsToTheName() throws {
        let raw: [UInt8] = [0x3F, 0x84]
        #expect(try bundle(raw, extra: unicodeField("木ä", for: raw)).entries.map(\.path) == ["木ä"])
        #expect(try bundle(raw, extra: unicodeField("木ä", for: raw)).findings == [])
        #expect(try bundle(raw, extra: unicodeField("木ä", for: [0x3F])).entries.map(\.path) == ["?ä"])
        #expect(try bundle(raw, extra: unicodeField("木ä", for: raw, version: 2)).entries.map(\.path) == ["?ä"])
        #expect(try bundle(raw, extra: [0x75, 0x70, 2, 0, 1, 1]).entries.map(\.path) == ["?ä"])
    }

    @Test func twoNamesThatBothMeanItAreRefused() {
        let raw = Array("a.png".utf8)
        #expect(
            code { () throws(CodedFailure) in _ = try bundle(raw, flags: 0x800, extra: unicodeField("b.png", for: raw))
            }
                == .archiveInvalid)
    }

    @Test func theUnicodeFieldCannotLeadOut() {
        let raw: [UInt8] = [0x84]
        #expect(
            code { () throws(CodedFailure) in _ = try bundle(raw, extra: unicodeField("../up", for: raw)) }
                == .archivePathTraversal)
    }

    @Test func namesThatDifferOnlyInCaseOrFormAreTold() throws {
        var zip = ZipBuilder()
        for name in ["Wood.PNG", "wood.png", "caf\u{E9}", "cafe\u{301}", "CAFE\u{301}", "other"] {
            zip.add(name, name) { $0.flags = 0x800 }
        }
        let bundle = try Bundle.open(zip)
        #expect(bundle.findings.map(\.code) == [.archiveCaseCollision, .archiveCaseCollision, .archiveCaseCollision])
        #expect(bundle.findings.map { $0.related.first?.entry } == ["Wood.PNG", "caf\u{E9}", "caf\u{E9}"])
        #expect(try bundle.contents("wood.png") == Array("wood.png".utf8))
    }

    @Test func whatFileManagersLeaveBehindIsNoContent() throws {
        var zip = ZipBuilder()
        let junk = ["__MACOSX/._model.dae", "a/.DS_Store", "Thumbs.db", "a/THUMBS.DB", "a/._wood.png", "desktop.ini"]
        let content = ["model.dae", "a/DS_Store.png", "thumbs.dbx", "_.png", "a.__MACOSX"]
        for name in junk + content { zip.add(name, "x") }
        let bundle = try Bundle.open(zip)
        #expect(bundle.entries.filter(\.isJunk).map(\.path) == junk)
        #expect(bundle.entries.filter { $0.role == .junk }.map(\.path) == junk)
        // THUMBS.DB lies in another folder than Thumbs.db, so nothing collides.
        #expect(bundle.findings.map(\.code) == [.archiveJunkEntry])
        #expect(bundle.findings.first?.arguments == [.init("count", "6")])
    }

    @Test func namesThatDifferOnlyInCaseAreFoundEach() throws {
        var zip = ZipBuilder()
        let names = [
            "a/wood.png", "A/Wood.PNG", "a/WOOD.png", "caf\u{E9}.png", "cafe\u{301}.png", "\u{212A}.dae", "k.dae",
        ]
        for name in names { zip.add(name, Array(name.utf8)) }
        zip.add("A/Wood.PNG", "again")
        zip.add("k.dae", "again")
        let bundle = try Bundle.open(zip)
        for name in names {
            let entry = try #require(bundle.entry(at: name))
            #expect(try bundle.bytes(of: entry, limit: 100) == Array(name.utf8), "\(name)")
        }
        for name in ["A/wood.png", "CAF\u{C9}.png", "K.dae", ""] { #expect(bundle.entry(at: name) == nil, "\(name)") }
        let codes = bundle.findings.map(\.code)
        #expect(codes.count { $0 == .archiveCaseCollision } == 4)
        #expect(codes.count { $0 == .archiveDuplicateEntry } == 2)
    }

    @Test(
        arguments: [
            ("a/model.DAE", .document), ("wood.jpeg", .image), ("doc.kml", .manifest), ("x/manifest.xml", .manifest),
            ("inner.kmz", .archive), ("readme.txt", .other), ("dae", .other), (".dae", .other),
            ("textures.txt", .manifest), ("x/MODEL.config", .manifest), ("model.config.bak", .other),
            ("a.dae/", .other), ("dae.kmz.x", .other), ("x.ktx2", .image), ("a_manifest.xml", .other),
            ("a.daedaedaedaedaedaedae", .other), ("__MACOSX/a.png", .junk),
        ] as [(String, Bundle.Entry.Role)])
    func aPathTellsWhatAnEntryIsFor(path: String, role: Bundle.Entry.Role) {
        #expect(Bundle.Entry(path: path, size: 0, location: .whole).role == role)
    }

    @Test func namesThatSteerATerminalOrTurnTheReadingAreTold() throws {
        var zip = ZipBuilder()
        let odd = ["a\u{1B}[2J", "b\u{9B}2J", "c\u{7F}", "d\u{202E}gnp.exe", "e\u{2066}f", "g\u{200F}h"]
        let plain = ["Müll.txt", "日本.png", "a\u{200D}b", "\u{A0}", "e\u{301}.txt", "~ !"]
        for name in odd + plain { zip.add(name, "x") }
        let bundle = try Bundle.open(zip)
        #expect(bundle.findings.map(\.code) == odd.map { _ in .archiveNameEncoding })
        #expect(bundle.findings.map(\.place.entry) == odd)
        #expect(bundle.findings[3].message == #"the name d\u{202E}gnp.exe holds control characters"#)
        #expect(bundle.entries.map(\.path) == odd + plain)
    }
}
