import DaeCore
import DaeDiagnostics
import TestSupport
import Testing

@testable import DaeArchive

/// What a source is taken for, by content and name.
@Suite struct KindTests {
    private var zip: [UInt8] {
        var zip = ZipBuilder()
        zip.add("a.dae", "<COLLADA/>")
        return zip.bytes()
    }

    @Test(
        arguments: [("a.zip", .zip), ("a.ZAE", .zae), ("b/a.kmz", .kmz), ("a", .zip), ("-", .zip), ("a.bin", .zip)]
            as [(String, Bundle.Kind)])
    func anArchiveIsOfTheKindItsNameSays(name: String, kind: Bundle.Kind) throws {
        let bundle = try Bundle.open(zip, name: name)
        #expect(bundle.kind == kind)
        #expect(bundle.findings == [])
    }

    @Test(arguments: ["a.dae", "a", "a.xml", "-", ""])
    func aDocumentIsALoneEntry(name: String) throws {
        let bundle = try Bundle.open(Array("<COLLADA/>".utf8), name: name)
        #expect(bundle.kind == .dae)
        #expect(bundle.entries.map(\.path) == [name.isEmpty ? "document.dae" : name])
        #expect(bundle.findings == [])
        #expect(try bundle.contents(bundle.entries[0].path, chunkSize: 3) == Array("<COLLADA/>".utf8))
        #expect(bundle.entry(at: "texture.png") == nil)
    }

    @Test func anArchiveNamedAsADocumentIsOpenedAndTold() throws {
        let bundle = try Bundle.open(zip, name: "model.dae")
        #expect(bundle.kind == .zip)
        #expect(bundle.findings.map(\.code) == [.archiveExtensionMismatch])
    }

    @Test(arguments: ["a.zip", "a.zae", "a.kmz"])
    func aDocumentNamedAsAnArchiveIsOpenedAndTold(name: String) throws {
        let bundle = try Bundle.open(Array("<COLLADA/>".utf8), name: name)
        #expect(bundle.kind == .dae)
        #expect(bundle.findings.map(\.code) == [.archiveExtensionMismatch])
        #expect(bundle.findings.map(\.severity) == [.warning])
    }

    @Test(arguments: [
        "<x/>", " \r\n\t<x/>", "\u{FEFF}<x/>", "\u{FEFF}\n <x/>", String(repeating: " ", count: 1000) + "<x/>",
    ])
    func aDocumentIsKnownByItsFirstTag(text: String) {
        let wide = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        #expect(Content(start: Array(text.utf8)) == .document)
        #expect(Content(start: wide) == .document)
    }

    @Test func aTagBehindVeryMuchWhiteSpaceIsNotLookedFor() throws {
        func kind(_ spaces: Int) throws -> Content {
            let text = String(repeating: " ", count: spaces) + "<x/>"
            return try Content(of: MemoryByteSource(Array(text.utf8)))
        }
        #expect(try kind(4095) == .document)
        #expect(try kind(4096) == .unknown)
    }

    @Test func bothByteOrdersOfUTF16AreKnown() {
        #expect(Content(start: [0xFE, 0xFF, 0, 0x20, 0, 0x3C]) == .document)
        #expect(Content(start: [0xFF, 0xFE, 0x20, 0, 0x3C, 0]) == .document)
        #expect(Content(start: [0, 0x3C, 0, 0x3F]) == .document)
        #expect(Content(start: [0x3C, 0, 0x3F, 0]) == .document)
        #expect(Content(start: [0xFE, 0xFF]) == .unknown)
        #expect(Content(start: [0xFF]) == .unknown)
    }

    @Test(arguments: [
        (Array("bplist00".utf8), "an Xcode-compiled binary .dae"), ([0x1F, 0x8B, 8, 0], "gzip data"),
        ([0xFF, 0xD8, 0xFF, 0xE0], "a JPEG image"), (Array("Rar!".utf8), "a RAR archive"),
        (Array("glTF".utf8), "a binary glTF"), ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "a 7z archive"),
        ([UInt8](repeating: 0x61, count: 257) + Array("ustar\u{0}00".utf8), "a tar archive"),
        (Array("version https://git-lfs.github.com/spec/v1\noid sha256:0".utf8), "a pointer of Git LFS"),
    ])
    func otherFormatsAreNamed(start: [UInt8], what: String) {
        for name in ["model.dae", "model.zip", "model"] {
            let error = #expect(throws: CodedFailure.self) { try Bundle.open(start, name: name) }
            #expect(error?.code == .archiveInvalid)
            #expect(error?.message.contains("\(name) is \(what), where an archive or a COLLADA document") == true)
        }
    }

    @Test func aCompiledDocumentSaysWhatHelps() {
        let error = #expect(throws: CodedFailure.self) { try Bundle.open(Array("bplist00".utf8), name: "a.dae") }
        #expect(error?.message.hasSuffix("export it again as text COLLADA (.dae)") == true)
    }

    @Test(arguments: [
        (Array("Rar!".utf8), "pack it again as .zip"),
        (Array("version https://git-lfs.github.com/spec/v1\n".utf8), "git lfs pull"),
    ])
    func whatIsNoArchiveHereSaysWhatHelps(start: [UInt8], hint: String) {
        let error = #expect(throws: CodedFailure.self) { try Bundle.open(start, name: "a.dae") }
        #expect(error?.message.contains(hint) == true)
    }

    @Test func anEmptyFileIsRefused() {
        let error = #expect(throws: CodedFailure.self) { try Bundle.open([], name: "a.dae") }
        #expect(error?.code == .archiveInvalid)
        #expect(error?.message.hasPrefix("a.dae is empty (0 bytes)") == true)
    }

    @Test func plainTextIsADocumentOnlyWhereItsNameSaysSo() throws {
        #expect(try Bundle.open(Array("hello".utf8), name: "a.dae").kind == .dae)
        for name in ["a.zip", "a", "-"] {
            #expect(
                code { () throws(CodedFailure) in _ = try Bundle.open(Array("hello".utf8), name: name) }
                    == .archiveInvalid)
        }
    }

    @Test func aSpoolIsOpenedLikeAFile() throws {
        for (size, inMemory) in [(1000, true), (9 << 20, false)] {
            let contents = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 37) }
            var zip = ZipBuilder()
            zip.add("big.bin", contents)
            let bytes = zip.bytes()
            var position = 0
            let spool = try SpooledByteSource(name: "-", limit: 1 << 30) { buffer in
                let count = min(buffer.count, bytes.count - position)
                buffer.copyBytes(from: bytes[position..<position + count])
                position += count
                return count
            }
            #expect(spool.isInMemory == inMemory)
            let bundle = try Bundle.open(spool, name: "-")
            #expect(try bundle.contents("big.bin") == contents)
            #expect(try bundle.source?.bytes(at: 0, count: 4) == [0x50, 0x4B, 3, 4])
        }
    }

    @Test func namesWithControlCharactersAreShownWithoutThem() {
        func shown(_ name: String) -> String? { CodedFailure(.archiveInvalid, entry: name, "").place.entry }
        #expect(shown("a\u{1B}[31mb\n") == "a\u{FFFD}[31mb\u{FFFD}")
        #expect(shown(String(repeating: "n", count: 300))?.count == 201)
    }
}
