import DaeArchive
import TestSupport
import Testing

@Suite struct KMLDocumentTests {
    @Test func everythingOfAModelIsRead() throws {
        let text = """
            <k:kml xmlns:k="http://www.opengis.net/kml/2.2"><k:Document><k:name>all</k:name><k:Placemark><k:name>house</k:name>
            <k:Model><k:altitudeMode>absolute</k:altitudeMode><k:Location><k:longitude> 8.5 </k:longitude><k:latitude>47</k:latitude>
            <k:altitude>400</k:altitude></k:Location><k:Orientation><k:heading>10</k:heading><k:tilt>20</k:tilt><k:roll>30</k:roll>
            </k:Orientation><k:Scale><k:x>2</k:x><k:y>3</k:y><k:z>4</k:z></k:Scale><k:Link><k:href> a.dae </k:href></k:Link>
            <k:ResourceMap><k:Alias><k:targetHref>b.png</k:targetHref><k:sourceHref>a.png</k:sourceHref></k:Alias></k:ResourceMap>
            </k:Model></k:Placemark><k:NetworkLink><k:Url><k:href>x.kml</k:href></k:Url></k:NetworkLink></k:Document></k:kml>
            """
        let document = try #require(KMLDocument(Array(text.utf8)))
        let model = try #require(document.models.first)
        #expect(document.models.count == 1 && document.networkLinks == ["x.kml"])
        #expect(model.name == "house" && model.link == "a.dae")
        #expect(model.aliases == [.init(source: "a.png", target: "b.png")])
        let placement = model.placement
        #expect(placement.longitude == 8.5 && placement.latitude == 47 && placement.altitude == 400)
        #expect(
            placement.heading == 10 && placement.tilt == 20 && placement.roll == 30 && placement.scale == [2, 3, 4])
        #expect(!placement.isOnGround && !placement.isPlain)
    }

    @Test func numbersThatAreNoneCountAsNothing() throws {
        let text =
            "<kml><Model><Scale><x>nan</x><y/><z>1e999</z></Scale><Location><longitude>x</longitude></Location></Model></kml>"
        let model = try #require(KMLDocument(Array(text.utf8))?.models.first)
        #expect(model.placement.isPlain && model.placement.longitude == 0 && model.link.isEmpty)
        #expect(KMLDocument(Array("<kml>".utf8)) == nil)
    }

    @Test(arguments: [
        ("Location", "longitude", "1e308"), ("Location", "longitude", "1e999"), ("Location", "latitude", "91"),
        ("Location", "altitude", "-1e10"), ("Orientation", "heading", "east"), ("Orientation", "tilt", "1e300"),
        ("Orientation", "roll", "nan"), ("Scale", "x", "1e13"), ("Scale", "y", "inf"), ("Scale", "z", "one"),
    ])
    func numbersThatCannotBeMeantAreKeptApart(parent: String, name: String, value: String) throws {
        let text = "<kml><Model><\(parent)><\(name)>\(value)</\(name)></\(parent)></Model></kml>"
        let model = try #require(KMLDocument(Array(text.utf8))?.models.first)
        #expect(model.invalidNumbers == [value])
        #expect(model.placement == KMLPlacement())
    }

    @Test func aModelOfVeryManyAliasesIsReadInItsPlace() throws {
        let alias = { (number: Int) in
            "<Alias><sourceHref>\(number)</sourceHref><targetHref>t\(number)</targetHref></Alias>"
        }
        let model = "<Model><ResourceMap>\((0..<10_001).map(alias).joined())</ResourceMap></Model>"
        let document = try #require(
            KMLDocument(Array("<kml>\(String(repeating: model, count: 3))</kml>".utf8)))
        #expect(document.models.map(\.aliases.count) == [10_000, 10_000, 10_000])
        #expect(document.models[2].aliases[9999] == .init(source: "9999", target: "t9999"))
        #expect(document.isCut)
    }

    @Test func moreModelsThanAreReadAreKnown() throws {
        let kml = { (count: Int) in Array("<kml>\(String(repeating: "<Model/>", count: count))</kml>".utf8) }
        #expect(KMLDocument(kml(10_000))?.isCut == false)
        let cut = try #require(KMLDocument(kml(10_001)))
        #expect(cut.isCut && cut.models.count == 10_000)
    }

    @Test func placesAreMetresApart() {
        var (zurich, east) = (KMLPlacement(), KMLPlacement())
        (zurich.latitude, zurich.longitude) = (47, 8)
        (east.latitude, east.longitude) = (47, 8.001)
        let offset = east.offset(from: zurich)
        #expect(abs(offset.x - 76.06) < 0.05, "\(offset)")
        #expect(abs(offset.y) < 0.01 && abs(offset.z) < 0.01)
        #expect(zurich.offset(from: zurich) == [0, 0, 0])
    }
}

@Suite struct DocumentReferenceTests {
    private func files(_ text: String, chunk: Int = 7) -> [String] { files(Array(text.utf8), chunk: chunk) }

    private func files(_ bytes: [UInt8], chunk: Int) -> [String] {
        var references = DocumentReferences()
        for start in stride(from: 0, to: bytes.count, by: chunk) {
            bytes[start..<min(start + chunk, bytes.count)].withUnsafeBytes { references.read($0) }
        }
        return references.files
    }

    @Test func referencesIntoOtherDocumentsAreFoundHoweverTheyAreCut() {
        let text =
            "<a url=\"b.dae#x\"/> <c source='d/E%20f.DAE#y'/> #z <g>h.dae#i</g> \"#k\" <l m=\"n.txt#o\"/> <p q=\".dae#\"/>"
        for chunk in 1...40 { #expect(files(text, chunk: chunk) == ["b.dae", "d/E%20f.DAE"], "\(chunk)") }
    }

    @Test func whatIsNoReferenceNamesNothing() {
        let text = """
            <!DOCTYPE a [<!-- "y.dae#x" -->]><!-- see url="b.dae#x" -- > ---><a b="url='c.dae#x'" title="d.dae#x" surl="e.dae#x">
            <![CDATA[<f url="f.dae#x">]]]><?g url="g.dae#x" ??> url="h.dae#x"</a><i  url = 'i &amp; j.dae#x' url="i &amp; j.dae#y"/>
            <k aurl="k.dae#x" target="l.dae#m#n"/><o url="o.dae"/><p url="p.dae#
            """
        for chunk in 1...40 { #expect(files(text, chunk: chunk) == ["i & j.dae", "l.dae"], "\(chunk)") }
        #expect(files("<a url=\"" + String(repeating: "x", count: 4100) + ".dae#y\" source='b.dae#c'>") == ["b.dae"])
    }

    @Test func referencesInUTF16AreFound() {
        let text = "<?xml version='1.0' encoding='utf-16'?><a url=\"\u{43A}\u{1F600}.dae#x\"/><!-- 'c.dae#x' -->"
        for (mark, isLittle) in [([0xFF, 0xFE], true), ([0xFE, 0xFF], false), ([], true), ([], false)]
            as [([UInt8], Bool)]
        {
            let bytes = text.utf16.flatMap { unit in
                isLittle ? [UInt8(unit & 255), UInt8(unit >> 8)] : [UInt8(unit >> 8), UInt8(unit & 255)]
            }
            for chunk in 1...9 {
                #expect(files(mark + bytes, chunk: chunk) == ["\u{43A}\u{1F600}.dae"], "\(mark) \(chunk)")
            }
        }
    }

    /// Each mark was once looked back from, as far as a reference may be long.
    @Test func marksWithoutEndAreReadOnce() {
        let marks = String(repeating: ".dae#", count: 1_000_000)
        #expect(files("<!-- \(marks) --><a url='b.dae#x'/>\(marks)<c d='\(marks)'/>", chunk: 1 << 18) == ["b.dae"])
        let many = (0..<20_000).map { "<a url='\($0 % 3000).dae#x'/>" }.joined()
        #expect(files(many, chunk: 1 << 18).count == 1024)
    }

    @Test func partsAreNoModels() {
        let files = [
            "a.dae": ["sub/b.dae", "gone.dae"], "sub/b.dae": ["..\\c.dae"], "c.dae": [], "d.dae": ["d.dae"],
            "e.dae": ["f.dae"],
            "f.dae": ["E.DAE"],
        ]
        let models = DocumentReferences.models(among: files.keys.sorted()) { files[$0] ?? [] }
        #expect(models == ["a.dae", "d.dae", "e.dae"])
    }
}
