import BundleManifest
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
    private func files(_ text: String, chunk: Int = 7) -> [String] {
        var references = DocumentReferences()
        let bytes = Array(text.utf8)
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
