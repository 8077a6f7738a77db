import TestSupport
import Testing

/// Names of entries that are in a code page, as packers of Windows write them.
@Suite struct EntryNameFieldTests {
    private let trial: BundleTrial

    init() throws { trial = try BundleTrial() }

    @Test(arguments: [
        ("shift-jis", "テクスチャ.png"), ("shift-jis-5c", "ソ.png"), ("gbk", "贴图.png"), ("cp1251", "Дерево.png"),
    ])
    func theNameThatTheDocumentHasIsFound(file: String, name: String) throws {
        let path = BundleTrial.field("A06-entry-names/\(file).zip")
        let outcome = try Program.run(["resolve", path])
        #expect(outcome.code == 0)
        #expect(try trial.resolved(path) == [name])
        let report = try trial.json(["validate", path])
        let told = report["findings"]?["messages"]?.elements.first { $0["code"] == "ARCHIVE_NAME_ENCODING" }
        #expect(told?["message"]?.string?.contains("a guess") == true)
        #expect(try trial.converted(path).images.count == 1)
    }

    @Test func thePictureIsThatOfTheName() throws {
        let path = BundleTrial.field("A06-entry-names/shift-jis.zip")
        let listed = try Program.run(["cat", path + "!/テクスチャ.png"])
        #expect(listed.code == 0)
        #expect(try trial.converted(path).images.first == listed.output)
    }

    /// A name in each code page, and its bytes there.
    private static let pages: [(name: String, bytes: [UInt8])] = [
        ("表示", [0x95, 0x5C, 0x8E, 0xA6]), ("能", [0x94, 0x5C]), ("材质", [0xB2, 0xC4, 0xD6, 0xCA]),
        ("貼圖", [0xB6, 0x4B, 0xB9, 0xCF]), ("功能", [0xA5, 0x5C, 0xAF, 0xE0]),
        ("텍스처", [0xC5, 0xD8, 0xBD, 0xBA, 0xC3, 0xB3]),
        ("Кирпич", [0xCA, 0xE8, 0xF0, 0xEF, 0xE8, 0xF7]), ("Камень", [0x8A, 0xA0, 0xAC, 0xA5, 0xAD, 0xEC]),
        ("Fußböden Á", Array("Fu".utf8) + [0xE1] + Array("b".utf8) + [0x94] + Array("den ".utf8) + [0xB5]),
        ("Wände", Array("W".utf8) + [0xE4] + Array("nde".utf8)),
    ]

    @Test(arguments: pages.indices)
    func filesFoldersDocumentsAndManifestsAreReadInOnePage(index: Int) throws {
        let (name, bytes) = Self.pages[index]
        let picture = pixel(red: 200)
        // A file in a folder of that name.
        let slash = [UInt8(ascii: "/")]
        let folder = try trial.zip(
            "folder.zip",
            [
                (Array("a.dae".utf8), Array(modelDocument(image: "\(name)/\(name).png").utf8)),
                (bytes + slash + bytes + Array(".png".utf8), picture),
            ])
        #expect(try trial.resolved(folder) == ["\(name)/\(name).png"])
        // A document that a manifest names, with its texture beside it; percent-encoded in it as COLLADA wants.
        let manifest = "<?xml version=\"1.0\" encoding=\"utf-8\"?><dae_root>\(name)/\(name).dae</dae_root>"
        let encoded = name.utf8.map {
            $0 < 0x80 && $0 != 0x20 ? String(UnicodeScalar($0)) : "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16)
        }
        let document = try trial.zip(
            "document.zae",
            [
                (Array("manifest.xml".utf8), Array(manifest.utf8)),
                (
                    bytes + slash + bytes + Array(".dae".utf8),
                    Array(modelDocument(image: encoded.joined() + ".png", version: "1.5.0").utf8)
                ),
                (bytes + slash + bytes + Array(".png".utf8), picture),
                (Array("b.dae".utf8), Array(modelDocument().utf8)),
            ])
        #expect(try trial.scene(document) == "\(name)/\(name).dae")
        #expect(try trial.resolved(document) == ["\(name)/\(name).png"])
        // A document that another one refers to.
        let part = try trial.zip(
            "part.zip",
            [
                (Array("main.dae".utf8), Array(modelDocument(parts: ["./\(name).dae#n"]).utf8)),
                (bytes + Array(".dae".utf8), Array(modelDocument(at: [5, 0, 0]).utf8)),
            ])
        #expect(try trial.converted(part).size.x == 6)
    }

    @Test func aDocumentInTheSamePageTellsThePage() throws {
        let text = modelDocument(image: "@.png", encoding: "Shift_JIS")
        let parts = text.split(separator: "@", maxSplits: 1).map { Array($0.utf8) }
        let path = try trial.zip(
            "own.zip",
            [
                (Array("a.dae".utf8), parts[0] + [0x83, 0x5C] + parts[1]),
                ([0x83, 0x5C] + Array(".png".utf8), pixel(red: 9)),
            ])
        #expect(try trial.resolved(path) == ["ソ.png"])
    }

    @Test func codePage437AndUnmarkedUTF8StayAsTheyAre() throws {
        let old = try trial.zip(
            "old.zip",
            [
                (Array("a.dae".utf8), Array(modelDocument(image: "für.png").utf8)),
                (Array("f".utf8) + [0x81] + Array("r.png".utf8), pixel(red: 1)),
            ])
        #expect(try trial.resolved(old) == ["für.png"])
        let plain = try trial.zip(
            "plain.zip",
            [(Array("a.dae".utf8), Array(modelDocument(image: "贴图.png").utf8)), (Array("贴图.png".utf8), pixel(red: 1))])
        #expect(try trial.resolved(plain) == ["贴图.png"])
        #expect(try !trial.codes(plain).contains("ARCHIVE_NAME_ENCODING"))
        // Nothing in the documents says what the other name is.
        let unknown = try trial.zip(
            "unknown.zip",
            [(Array("a.dae".utf8), Array(modelDocument().utf8)), ([0x83, 0x65] + Array(".png".utf8), pixel(red: 1))])
        let listed = try trial.json(["ls", unknown])
        #expect(listed["entries"]?.elements.compactMap { $0["path"]?.string }.contains("âe.png") == true)
    }

    @Test(arguments: ["bundle.zip", "bundle.zip.001"])
    func aPartOfAnArchiveSaysSo(name: String) throws {
        for command in ["inspect", "validate", "ls", "tree"] {
            let outcome = try Program.run([command, BundleTrial.field("A17-small/\(name)")])
            #expect(outcome.code == 4)
            let said = outcome.text + outcome.errors
            #expect(said.contains("\(name) is one part of an archive in several"), "\(said)")
        }
    }

    @Test func otherPartsSaySoToo() throws {
        let whole = try Repository.bytes(at: trial.zip("whole.zip", [("a.dae", modelDocument()), ("b.txt", "x")]))
        for (name, bytes) in [
            ("m.z01", [0x50, 0x4B, 7, 8] + whole.prefix(200)), ("m.zip.002", Array(whole.suffix(100).prefix(60))),
            ("m.kmz.001", Array(whole.prefix(300))), ("m.z02", Array(whole[100..<200])),
        ] {
            let outcome = try Program.run(["inspect", trial.place.write(Array(bytes), to: name)])
            #expect(outcome.code == 4)
            let said = outcome.text + outcome.errors
            #expect(said.contains("\(name) is one part of an archive in several"), "\(said)")
        }
        // Whole archives may be called so.
        for name in ["m.v2.zip", "m.001.zip", "part.z01.zip", "x.zip.001"] {
            #expect(try Program.run(["inspect", trial.place.write(whole, to: name)]).code == 0, "\(name)")
        }
    }
}
