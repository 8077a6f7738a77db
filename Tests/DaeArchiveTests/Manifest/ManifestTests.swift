import DaeArchive
import DaeDiagnostics
import TestSupport
import Testing

@Suite struct ManifestTests {
    private func zae(_ root: String, name: String = "x.zae") throws -> Chosen {
        try zae(manifest: "<?xml version='1.0'?><manifest xmlns='u'>\(root)</manifest>", name: name)
    }

    private func zae(manifest: String, name: String = "x.zae") throws -> Chosen {
        try Chosen(
            [
                ("manifest.xml", manifest), ("big.dae", "<COLLADA version='1.4.1'/>"),
                ("models/my robot.dae", "<COLLADA/>"),
                ("models/50%25.dae", "<COLLADA/>"), ("models/a#b.dae", "<COLLADA/>"),
            ], name: name)
    }

    private static let roots: [(String, path: String, fragment: String?)] = [
        ("<dae_root>big.dae</dae_root>", "big.dae", nil), ("<dae_root>\n  big.dae\t\r\n</dae_root>", "big.dae", nil),
        ("<dae_root>./big.dae</dae_root>", "big.dae", nil), ("<dae_root>/big.dae</dae_root>", "big.dae", nil),
        ("<dae_root>./models/../big.dae</dae_root>", "big.dae", nil),
        ("<dae_root>models\\my robot.dae</dae_root>", "models/my robot.dae", nil),
        ("<dae_root>models/my%20robot.dae</dae_root>", "models/my robot.dae", nil),
        ("<dae_root>models/my%20robot.dae#scene</dae_root>", "models/my robot.dae", "scene"),
        ("<dae_root>big.dae#</dae_root>", "big.dae", nil),
        ("<dae_root>models/50%25.dae</dae_root>", "models/50%25.dae", nil),
        ("<dae_root>models/a#b.dae</dae_root>", "models/a#b.dae", nil),
        ("<dae_root>models/a#b.dae#c</dae_root>", "models/a#b.dae", "c"),
        ("<dae_root><!-- x -->big<![CDATA[.dae]]></dae_root>", "big.dae", nil),
        ("<o><dae_root>big.dae</dae_root></o>", "big.dae", nil),
        ("<x:dae_root xmlns:x='v'>big.dae</x:dae_root>", "big.dae", nil),
        ("<dae_root>&#98;ig.dae</dae_root>", "big.dae", nil),
    ]

    @Test(arguments: roots.indices)
    func theRootOfAManifestIsFollowedInEveryForm(index: Int) throws {
        let (root, path, fragment) = Self.roots[index]
        let chosen = try zae(root)
        #expect(chosen.path == path, "\(root)")
        #expect(chosen.fragment == fragment)
        #expect(chosen.rule == .zaeManifest)
        #expect(chosen.manifests == ["manifest.xml"])
        #expect(chosen.candidates.count == 3)
        let told: [FindingCode] = root.contains("\\") ? [.quirkManifestBackslash] : []
        #expect(chosen.findings.map(\.code) == told, "\(chosen.findings)")
    }

    @Test(arguments: [
        "<dae_root>none.dae</dae_root>", "<dae_root>../big.dae</dae_root>", "<dae_root/>", "<dae_root>  </dae_root>",
        "<dae_root>#big.dae</dae_root>",
        "<dae_root>http://example.com/big.dae</dae_root>", "<dae_root>BIG.DAE</dae_root>",
        "<dae_root>models/</dae_root>", "<dae_root>..\\..\\big.dae</dae_root>",
        "<dae_root>%2e%2e/big.dae</dae_root>", "<dae_root>%</dae_root>",
    ])
    func aRootThatLeadsNowhereIsToldAndAnotherDocumentChosen(root: String) throws {
        let chosen = try zae(root)
        #expect(chosen.codes == [.zaeRootNotFound, .bundleMultipleScenes], "\(root)")
        #expect(chosen.path == "big.dae")
        #expect(chosen.rule?.isGuess == true)
        #expect(chosen.findings.first?.place.entry == "manifest.xml")
    }

    @Test(arguments: [
        "", "not XML", "<manifest>", "<manifest><dae_root>big.dae</manifest>",
        "<!DOCTYPE m [<!ENTITY e 'x'>]><manifest/>",
    ])
    func aManifestThatIsNoXMLIsAFaultOfAZAEOnly(manifest: String) throws {
        #expect(try zae(manifest: manifest).codes == [.zaeManifestInvalid, .bundleMultipleScenes])
        #expect(try zae(manifest: manifest, name: "x.zip").codes == [.bundleMultipleScenes])
    }

    @Test func aManifestWithoutARootIsAFaultOfAZAEOnly() throws {
        #expect(try zae("<other/>").codes == [.zaeManifestInvalid, .bundleMultipleScenes])
        #expect(try zae("<other/>", name: "x.zip").codes == [.bundleMultipleScenes])
    }

    @Test func aZAEWithoutAManifestIsTold() throws {
        let chosen = try Chosen([("a.dae", "x")], name: "x.zae")
        #expect(chosen.codes == [.zaeManifestMissing])
        #expect(chosen.path == "a.dae")
        #expect(chosen.rule == .onlyDocument)
    }

    @Test func anOrdinaryArchiveMayHoldAManifestToo() throws {
        #expect(try zae("<dae_root>models/my%20robot.dae</dae_root>", name: "x.zip").path == "models/my robot.dae")
    }

    // MARK: - KMZ

    private func kmz(_ models: String, doc: String = "doc.kml", name: String = "x.kmz") throws -> Chosen {
        try Chosen(
            [
                ("__MACOSX/._doc.kml", "\u{0}\u{5}"),
                (doc, "<kml xmlns='http://www.opengis.net/kml/2.2'><Placemark>\(models)</Placemark></kml>"),
                ("models/house.dae", "<COLLADA/>"), ("models/tree.dae", "<COLLADA/>"), ("root.dae", "<COLLADA/>"),
            ], name: name)
    }

    private func model(_ href: String) -> String { "<Model id='m'><Link><href>\(href)</href></Link></Model>" }

    @Test func theModelOfADocumentIsFollowed() throws {
        for href in [
            "models/house.dae", " models/house.dae\n", "./models/house.dae", "models/x/../house.dae",
            "models/hous%65.dae", "models\\house.dae",
        ] {
            let chosen = try kmz(model(href))
            #expect(chosen.path == "models/house.dae", "\(href)")
            #expect(chosen.rule == .kmzModelLink)
            #expect(chosen.manifests == ["doc.kml"])
            #expect(chosen.candidates == ["models/tree.dae", "root.dae"])
            let told: [FindingCode] = href.contains("\\") ? [.quirkManifestBackslash] : []
            #expect(chosen.findings.map(\.code) == told)
        }
    }

    @Test func theMapOfTexturesIsAManifestToo() throws {
        let chosen = try Chosen(
            [
                ("doc.kml", "<kml>\(model("models/house.dae"))</kml>"), ("models/house.dae", "<COLLADA/>"),
                ("textures.txt", "<a> <b>"),
            ], name: "x.kmz")
        #expect(chosen.manifests == ["doc.kml", "textures.txt"])
        #expect(try Chosen([("a.dae", "x"), ("textures.txt", "<a> <b>")], name: "x.zip").manifests.isEmpty)
    }

    @Test func aLinkIsTakenFromTheDocumentsFolder() throws {
        #expect(try kmz(model("../models/house.dae"), doc: "files/my.kml").path == "models/house.dae")
        let outside = try kmz(model("../models/house.dae"))
        #expect(outside.codes == [.kmzModelLinkBroken, .bundleMultipleScenes])
        #expect(outside.path == "root.dae")
    }

    @Test func ofSeveralModelsTheFirstThatIsThereIsTaken() throws {
        #expect(try kmz(model("models/tree.dae") + model("models/house.dae")).path == "models/tree.dae")
        let chosen = try kmz(model("none.dae") + model("models/house.dae"))
        #expect(chosen.path == "models/house.dae")
        #expect(chosen.codes == [.kmzModelLinkBroken])
        #expect(chosen.findings.first?.message.contains("none.dae") == true)
    }

    @Test func ofManyBrokenLinksAllAreCountedAndFewKept() throws {
        let chosen = try kmz(String(repeating: model("none.dae"), count: 1_000))
        #expect(chosen.log.counts[.kmzModelLinkBroken] == 1_000)
        #expect(chosen.codes.count { $0 == .kmzModelLinkBroken } == chosen.log.capPerCode)
        #expect(chosen.path == "root.dae")
    }

    @Test func otherLinksOfADocumentAreNoModels() throws {
        let chosen = try kmz(
            "<NetworkLink><Link><href>root.dae</href></Link></NetworkLink><Icon><href>a.png</href></Icon>")
        #expect(chosen.rule == .shallowest)
        #expect(chosen.codes == [.bundleMultipleScenes])
    }

    @Test func aDocumentThatIsMissingOrBrokenIsToldOfAKMZOnly() throws {
        let files = [("a.dae", "x")]
        #expect(try Chosen(files, name: "x.kmz").codes == [.kmzDocMissing])
        #expect(try Chosen(files + [("__MACOSX/._a.kml", "x")], name: "x.kmz").codes == [.kmzDocMissing])
        #expect(try Chosen(files + [("doc.kml", "<kml>")], name: "x.kmz").codes == [.kmzModelLinkBroken])
        #expect(try Chosen(files + [("doc.kml", "<kml>")], name: "x.zip").codes == [])
        #expect(try Chosen(files, name: "x.zip").codes == [])
    }

    @Test func randomManifestsNeverTrap() throws {
        let words = [
            "<dae_root>", "</dae_root>", "<manifest>", "</manifest>", "../", "%", "%2", "%zz", "#", "/", "\\", "a.dae",
            " ", "&amp;", "é", "\u{0}",
        ]
        var random = SeededNumbers(seed: 31)
        for _ in 0..<2000 {
            let inside = (0..<Int.random(in: 0...8, using: &random)).map { _ in
                words.randomElement(using: &random) ?? ""
            }.joined()
            let chosen = try Chosen(
                [("manifest.xml", "<manifest><dae_root>\(inside)</dae_root></manifest>"), ("a.dae", "x")], name: "x.zae"
            )
            #expect(chosen.path == "a.dae", "\(inside)")
        }
    }
}
