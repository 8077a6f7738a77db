import DaeCore
import DaeDiagnostics
import TestSupport
import Testing

@testable import DaeArchive

/// What an archive's entries are called and what they hold.
@Suite struct EntryTests {
    @Test func filesAreListedInTheArchivesOrderWithoutFolders() throws {
        var zip = ZipBuilder()
        zip.add("textures/", "")
        zip.add("textures/wood.png", "png")
        zip.add("plain folder", "") { $0.mode = 0o040_755 }
        zip.addDeflated("model.dae", Array("<COLLADA/>".utf8))
        let bundle = try Bundle.open(zip)
        #expect(bundle.entries.map(\.path) == ["textures/wood.png", "model.dae"])
        #expect(bundle.entries.map(\.size) == [3, 10])
        #expect(bundle.entries.map(\.method) == [.stored, .deflated])
        #expect(bundle.entries.map(\.crc32) == [CRC32.of(Array("png".utf8)), CRC32.of(Array("<COLLADA/>".utf8))])
        #expect(bundle.entries[1].name == "model.dae")
        #expect(bundle.size == Int64(zip.bytes().count))
        #expect(bundle.findings == [])
    }

    @Test(arguments: [
        ("a/b.dae", "b.dae"), ("b.dae", "b.dae"), ("/a/b//", "b"), ("x/\u{600}/", "\u{600}"),
        ("B\u{E4}ume/\u{DF}", "\u{DF}"),
        ("//", ""), ("", ""),
    ])
    func thatBehindTheLastSlashIsAName(path: String, name: String) { #expect(path.lastComponent == name) }

    @Test(arguments: [
        ("tex\\wood.png", "tex/wood.png"), ("./tex/wood.png", "tex/wood.png"), ("tex//wood.png", "tex/wood.png"),
        ("tex/./wood.png", "tex/wood.png"), (".\\tex\\.\\wood.png", "tex/wood.png"), ("Bäume/ß.png", "Bäume/ß.png"),
    ])
    func namesAreMadeUniform(written: String, path: String) throws {
        var zip = ZipBuilder()
        zip.add(written, "x") { $0.flags = 0x800 }
        let bundle = try Bundle.open(zip)
        #expect(bundle.entries.map(\.path) == [path])
        #expect(try bundle.contents(path) == Array("x".utf8))
    }

    @Test(arguments: ["folder\\", "./", "a/./", "a/.", "."])
    func foldersByAnyNameAreNotListed(written: String) throws {
        var zip = ZipBuilder()
        zip.add(written, "")
        #expect(try Bundle.open(zip).entries == [])
    }

    @Test func theFirstOfTwoEntriesWithOneNameIsUsed() throws {
        var zip = ZipBuilder()
        zip.add("a.dae", "first")
        zip.add("./a.dae", "second")
        let bundle = try Bundle.open(zip)
        #expect(bundle.findings.map(\.code) == [.archiveDuplicateEntry])
        #expect(bundle.findings.map(\.place.entry) == ["a.dae"])
        #expect(try bundle.contents("a.dae") == Array("first".utf8))
        #expect(try bundle.bytes(of: bundle.entries[1], limit: 100) == Array("second".utf8))
    }

    @Test func entriesAreFoundByTheExactBytesOfTheirPath() throws {
        var zip = ZipBuilder()
        zip.add("caf\u{E9}.png", "composed") { $0.flags = 0x800 }
        zip.add("cafe\u{301}.png", "decomposed") { $0.flags = 0x800 }
        let bundle = try Bundle.open(zip)
        #expect(bundle.findings.map(\.code) == [.archiveCaseCollision])
        #expect(try bundle.contents("caf\u{E9}.png") == Array("composed".utf8))
        #expect(try bundle.contents("cafe\u{301}.png") == Array("decomposed".utf8))
        #expect(bundle.entry(at: "CAF\u{E9}.png") == nil)
        #expect(bundle.entry(at: "./caf\u{E9}.png") == nil)
    }

    @Test func anEmptyArchiveHasNoEntries() throws {
        let bundle = try Bundle.open(ZipBuilder())
        #expect(bundle.kind == .zip)
        #expect(bundle.entries == [])
    }

    @Test func commentsAndBytesAfterTheArchiveDoNoHarm() throws {
        var zip = ZipBuilder()
        zip.add("a.txt", "hello")
        zip.comment = Array("made by hand".utf8)
        #expect(try Bundle.open(zip).contents("a.txt") == Array("hello".utf8))
        #expect(try Bundle.open(zip.bytes() + [0x0A]).contents("a.txt") == Array("hello".utf8))
    }

    @Test func anEntryOfAnotherBundleIsRefused() throws {
        var zip = ZipBuilder()
        zip.add("a.txt", "hello")
        let entry = try #require(try Bundle.open(zip).entry(at: "a.txt"))
        let document = try Bundle.open(Array("<x/>".utf8), name: "x.dae")
        #expect(code { () throws(CodedFailure) in _ = try document.reader(for: entry) } == .archiveInvalid)
    }
}
