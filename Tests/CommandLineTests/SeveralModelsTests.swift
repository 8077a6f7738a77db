import TestSupport
import Testing

/// Folders and archives of several models mean the same to every verb.
@Suite struct SeveralModelsTests {
    private let trial: BundleTrial

    init() throws { trial = try BundleTrial() }

    private static let broken = String(modelDocument().prefix(700))
    private static let files = [
        ("p/a.dae", modelDocument()), ("p/b.dae", broken), ("p/c.dae", modelDocument(image: "gone.png")),
    ]

    private func folder(_ name: String, _ files: [(String, String)]) throws -> String {
        for (path, text) in files { try trial.place.write(text, to: name + "/" + path) }
        return trial.place.path + "/" + name
    }

    @Test(arguments: ["package.xml", "model.config", "readme.txt"])
    func eachModelIsLookedAtByEveryVerb(manifest: String) throws {
        let files = Self.files + [("p/" + manifest, "<package><name>p</name></package>")]
        let archive = try trial.zip("several.zip", files)
        let package = try folder("several", files) + "/p"
        for (source, names) in [
            (archive, ["a", "b", "c"].map { "\(archive)!/p/\($0).dae" }),
            (package, ["a", "b", "c"].map { "\(package)/\($0).dae" }),
        ] {
            for verb in ["inspect", "validate", "tree", "resolve"] {
                let (values, code) = try trial.lines([verb, source])
                // The second one is cut off, whatever is wrong with the third.
                #expect(code == 5, "\(verb) \(source)")
                #expect(values.map { $0["source"]?["input"]?.string } == names, "\(verb)")
                #expect(values.map { $0["failure"]?["code"]?.string } == [nil, "XML_NOT_WELL_FORMED", nil], "\(verb)")
            }
            let text = try Program.run(["validate", source])
            #expect(text.text.contains("gone.png") && text.text.contains("b.dae:"))
        }
    }

    @Test func anArchiveFromStandardInputIsTakenApartToo() throws {
        let archive = try trial.zip("in.zip", [("a.dae", modelDocument()), ("b.dae", modelDocument())])
        let outcome = try Program.run(["inspect", "--format", "json", "-"], input: archive)
        #expect(outcome.code == 0)
        #expect(outcome.text.contains("\"-!/a.dae\"") && outcome.text.contains("\"-!/b.dae\""))
    }

    @Test func theirOrderIsThatOfTheSources() throws {
        let several = try trial.zip("s.zip", [("y.dae", modelDocument()), ("x.dae", modelDocument())])
        let one = try trial.zip("o.zip", [("z.dae", modelDocument())])
        let (values, code) = try trial.lines(["inspect", several, one, several])
        #expect(code == 0)
        #expect(
            values.map { $0["source"]?["input"]?.string } == [
                several + "!/x.dae", several + "!/y.dae", one, several + "!/x.dae", several + "!/y.dae",
            ])
    }

    @Test func bundleMeansOneSceneAndSaysWhatWasLeftOut() throws {
        for source in [try trial.zip("s.zip", Self.files), try folder("s", Self.files)] {
            for verb in ["inspect", "validate", "tree", "resolve"] {
                let values = try trial.lines(
                    [verb, "--jsonl", "--folders", "bundle", source].filter { verb != "resolve" || $0 != "--jsonl" })
                #expect(values.code <= 1, "\(verb)")
            }
            let text = try Program.run(["validate", "--folders", "bundle", source]).text
            #expect(text.contains("BUNDLE_MULTIPLE_SCENES") && text.contains("not looked at: p/"))
        }
    }

    @Test func convertNamesTheModelsAndEndsWith64() throws {
        for source in [try trial.zip("s.zip", Self.files), try folder("s", Self.files)] {
            let outcome = try Program.run(["convert", source, "-o", trial.place.path + "/x.glb"])
            #expect(outcome.code == 64)
            #expect(outcome.errors.contains("holds 3 models; name one of them: \(source)!/p/a.dae, \(source)!/p/b.dae"))
        }
        let archive = try trial.zip("t.zip", Self.files)
        #expect(try trial.converted(archive + "!/p/a.dae").points.count == 3)
    }

    @Test func whatAnotherDocumentRefersToIsNoModel() throws {
        let files = [
            ("main.dae", modelDocument(parts: ["parts/wheel.dae#n", "Parts\\Door.dae#n"])),
            ("parts/wheel.dae", modelDocument(parts: ["../main.dae#n"], at: [5, 0, 0])),
            ("parts/door.dae", modelDocument(parts: ["bolt.dae#n"], at: [0, 7, 0])),
            ("parts/bolt.dae", modelDocument()),
        ]
        for source in [try trial.zip("car.zip", files), try folder("car", files)] {
            let inspected = try trial.json(["inspect", source])
            #expect(inspected["bundle"]?["scene"]?["path"] == "main.dae")
            #expect(try !trial.codes(source).contains("BUNDLE_MULTIPLE_SCENES"))
            #expect(try trial.converted(source).size.x == 6)
        }
        // Of several, each with its parts.
        let two = files + [("other.dae", modelDocument())]
        for source in [try trial.zip("two.zip", two), try folder("two", two)] {
            let names = try trial.lines(["inspect", source]).values.compactMap {
                $0["bundle"]?["scene"]?["path"]?.string
            }
            #expect(names == ["main.dae", "other.dae"])
        }
    }

    @Test func documentsThatReferToEachOtherAreOneModel() throws {
        let files = [("b.dae", modelDocument(parts: ["a.dae#n"])), ("a.dae", modelDocument(parts: ["b.dae#n"]))]
        for source in [try trial.zip("ring.zip", files), try folder("ring", files)] {
            #expect(try trial.lines(["inspect", source]).values.count == 1)
        }
    }

    @Test func whatAManifestNamesIsTheScene() throws {
        let root = ("manifest.xml", "<manifest><dae_root>b.dae</dae_root></manifest>")
        let other = ("manifest.xml", "<manifest><application/></manifest>")
        let models = [("a.dae", modelDocument()), ("b.dae", modelDocument(at: [0, 0, 3]))]
        for source in [
            try trial.zip("r.zip", models + [root]), try folder("r", models + [root]),
            try trial.zip("r.zae", models + [root]),
        ] {
            let (values, code) = try trial.lines(["inspect", source])
            #expect(code == 0)
            #expect(values.count == 1 && values.first?["bundle"]?["scene"]?["path"] == "b.dae", "\(source)")
            #expect(try trial.converted(source).low.z == 3)
        }
        // Such a file may be anything.
        for source in [try trial.zip("n.zip", models + [other]), try folder("n", models + [other])] {
            #expect(try trial.lines(["inspect", source]).values.count == 2, "\(source)")
        }
        #expect(try trial.lines(["inspect", "--folders", "each", folder("e", models + [root])]).values.count == 2)
    }

    @Test func theOnlyArchiveMayHoldSeveralModels() throws {
        var inner = ZipBuilder()
        inner.add("m.dae", modelDocument())
        inner.add("n.dae", modelDocument())
        let path = try trial.zip("outer.zip", [(Array("a.zip".utf8), inner.bytes())])
        let (values, code) = try trial.lines(["inspect", path])
        #expect(code == 0)
        #expect(
            values.map { $0["source"]?["input"]?.string } == ["a.zip!/m.dae", "a.zip!/n.dae"].map { path + "!/" + $0 })
        #expect(try Program.run(["convert", path, "-o", trial.place.path + "/x.glb"]).code == 64)
    }

    private func archive(_ files: [(String, String)]) -> [UInt8] {
        var zip = ZipBuilder()
        for (path, text) in files { zip.add(path, text) }
        return zip.bytes()
    }

    @Test func modelsInArchivesWithinAreLookedAt() throws {
        let inner = archive([("x.dae", Self.broken), ("y.dae", modelDocument())])
        let textures = archive([("t.txt", "none is a model")])
        let documents = [("a.dae", modelDocument()), ("b.dae", modelDocument())]
        for count in 0...2 {
            let files = documents.prefix(count).map { (Array($0.0.utf8), Array($0.1.utf8)) }
            let path = try trial.zip(
                "two\(count).zip",
                files + [(Array("in/inner.zip".utf8), inner), (Array("in/textures.zip".utf8), textures)])
            let names =
                documents.prefix(count).map { path + "!/" + $0.0 }
                + ["x", "y"].map { path + "!/in/inner.zip!/\($0).dae" }
            for verb in ["inspect", "validate", "tree", "resolve"] {
                let (values, code) = try trial.lines([verb, path])
                #expect(code == 5, "\(verb) of \(count)")
                #expect(values.map { $0["source"]?["input"]?.string } == names, "\(verb) of \(count)")
                #expect(
                    values.map { $0["failure"]?["code"]?.string }
                        == (0..<count + 2).map { $0 == count ? "XML_NOT_WELL_FORMED" : nil }, "\(verb)")
            }
            guard count > 0 else { continue }
            let text = try Program.run(["validate", "--folders", "bundle", path]).text
            #expect(text.contains("archives that hold models are not looked at: in/inner.zip [BUNDLE_MULTIPLE_SCENES]"))
        }
    }

    @Test func anArchiveWithinIntoWhichADocumentLeadsHoldsPartsOfIt() throws {
        let inner = archive([("dir/part.dae", modelDocument()), ("more.dae", modelDocument())])
        let root = modelDocument().replacing(
            "</COLLADA>",
            with: "<extra><technique profile='x'><a url='parts.zip/dir/part.dae#n'/></technique></extra></COLLADA>")
        let path = try trial.zip(
            "linked.zip", [(Array("a.dae".utf8), Array(root.utf8)), (Array("parts.zip".utf8), inner)])
        let (values, _) = try trial.lines(["inspect", path])
        #expect(values.map { $0["bundle"]?["scene"]?["path"]?.string } == ["a.dae"])
    }

    @Test func anArchiveWithinThatCannotBeOpenedIsAnError() throws {
        let path = try trial.zip(
            "bad.zip",
            [
                (Array("a.dae".utf8), Array(modelDocument().utf8)),
                (Array("in.zip".utf8), Array("PK\u{3}\u{4} and nothing else".utf8)),
            ])
        for how in ["auto", "bundle"] {
            let outcome = try Program.run(["validate", "--folders", how, path])
            #expect(outcome.code == 1)
            #expect(outcome.text.contains("error: what the archive in.zip holds is not looked at: "), "\(outcome.text)")
        }
    }

    @Test func eachIsEachModelWhateverAManifestNames() throws {
        let root = ("manifest.xml", "<manifest><dae_root>a.dae</dae_root></manifest>")
        let models = [("a.dae", modelDocument()), ("b.dae", Self.broken)]
        let place = "<Placemark><Model><Link><href>a.dae</href></Link></Model></Placemark>"
        let kml = ("doc.kml", "<kml xmlns=\"http://www.opengis.net/kml/2.2\">\(place)</kml>")
        for source in [
            try trial.zip("m.zip", models + [root]), try trial.zip("m.zae", models + [root]),
            try trial.zip("m.kmz", models + [kml]),
        ] {
            for verb in ["inspect", "validate", "tree", "resolve"] {
                let (values, code) = try trial.lines([verb, "--folders", "each", source])
                #expect(code == 5 && values.count == 2, "\(verb) \(source)")
                #expect(try trial.lines([verb, source]).values.count == 1, "\(verb) \(source)")
            }
        }
    }

    @Test func whatIsOddAboutTheBundleIsToldOnce() throws {
        let path = try trial.zip(
            "twins.zip",
            [
                (Array("a.dae".utf8), Array(modelDocument().utf8)), (Array("b.dae".utf8), Array(modelDocument().utf8)),
                (Array("c.dae".utf8), Array(modelDocument(image: "t.png").utf8)),
                (Array("t.png".utf8), pixel(red: 1)), (Array("__MACOSX/._a.dae".utf8), [1]),
            ])
        for code in ["BUNDLE_DUPLICATE_CONTENT", "ARCHIVE_JUNK_ENTRY"] {
            let values = try trial.lines(["validate", path]).values
            let told = values.map { value in
                value["findings"]?["messages"]?.elements.count { $0["code"]?.string == code }
            }
            #expect(told == [1, 0, 0], "\(code)")
        }
    }

    @Test func whyAnArchiveCannotBeOpenedIsToldOnce() throws {
        let files = [("a", "a"), ("b", nil), ("c", "x")].map { name, archive in
            (Array("\(name).dae".utf8), Array(modelDocument(image: archive.map { "\($0).zip/t.png" }).utf8))
        }
        let path = try trial.zip(
            "leads.zip", files + ["a", "x"].map { (Array("\($0).zip".utf8), Array("PK\u{3}\u{4} no".utf8)) })
        let told = try trial.lines(["validate", "--jobs", "1", path]).values.map { value in
            value["findings"]?["messages"]?.elements.compactMap { $0["message"]?.string }
                .filter { $0.hasPrefix("a path leads into") }.count
        }
        #expect(told == [1, 0, 1])
    }

    @Test func whatOneModelDoesNotUseIsNoFaultOfIt() throws {
        let path = try trial.zip(
            "tex.zip",
            [
                (Array("a.dae".utf8), Array(modelDocument(image: "a.png").utf8)), (Array("a.png".utf8), pixel(red: 1)),
                (Array("b.dae".utf8), Array(modelDocument(image: "b.png").utf8)), (Array("b.png".utf8), pixel(red: 2)),
            ])
        #expect(try !Program.run(["validate", path]).text.contains("BUNDLE_UNUSED_FILE"))
    }

    // MARK: - Counts

    @Test func countsAreTheRootsAndLinkedHasTheRest() throws {
        let path = try trial.zip(
            "linked.zip",
            [
                (Array("main.dae".utf8), Array(modelDocument(parts: ["part.dae#n"]).utf8)),
                (Array("part.dae".utf8), Array(modelDocument(image: "t.png", at: [4, 0, 0]).utf8)),
                (Array("t.png".utf8), pixel(red: 3)),
            ])
        let inspected = try trial.json(["inspect", path])
        #expect(inspected["counts"]?["materials"] == 0)
        #expect(inspected["counts"]?["geometries"] == 1)
        #expect(inspected["geometries"]?.elements.count == 1 && inspected["images"]?.elements.isEmpty == true)
        let linked = inspected["linked"]
        #expect(linked?["documents"] == ["part.dae"])
        #expect(
            linked?["counts"]?["materials"] == 1 && linked?["counts"]?["geometries"] == 1
                && linked?["counts"]?["nodes"] == 1)
        #expect(linked?["images"]?.elements.first?["path"] == "t.png")
        let text = try Program.run(["inspect", path]).text
        #expect(text.contains("1 material") && text.contains("2 triangles"))
        #expect(try trial.json(["inspect", path + "!/part.dae"])["linked"] == .null)
    }
}
