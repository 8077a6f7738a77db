import DaeArchive
import DaeDiagnostics
import TestSupport
import Testing

/// KML documents that lead to each other, and those that are none of a model.
@Suite struct KMZTests {
    private static let document = "<COLLADA/>"

    private static func links(_ targets: [String]) -> String {
        targets.map { "<NetworkLink><Link><href>\($0)</href></Link></NetworkLink>" }.joined()
    }

    private static func model(_ link: String, _ more: String = "") -> String {
        "<Placemark><Model>\(more)<Link><href>\(link)</href></Link></Model></Placemark>"
    }

    private static func kml(_ content: String) -> String { "<kml>\(content)</kml>" }

    @Test func documentsAreReadOnceEachAndNotWithoutEnd() throws {
        var walk = KMLWalk(["a", "b"])
        var order: [String] = []
        while let path = walk.path() {
            order.append(path)
            for number in 0..<(path == "a" ? 3 : 0) {
                walk.add("c\(number)")
                walk.add("a")
            }
        }
        #expect(order == ["a", "c0", "c1", "c2", "b"] && !walk.isCut)
        var long = KMLWalk(["0"])
        var count = 0
        while let path = long.path(), let number = Int(path) {
            for next in 0..<256 { long.add(String(number * 256 + next)) }
            count += 1
        }
        #expect(count == 256 && long.isCut)
        #expect(long.limit == 64 << 20)
        long.take(bytes: .max)
        #expect(long.limit == 0)
    }

    @Test(
        arguments: [
            (["x.kml", "Doc.KML", "doc.kml"], "doc.kml"), (["x.kml", "Doc.KML"], "Doc.KML"),
            (["a/doc.kml", "x.kml"], "a/doc.kml"),
            (["kml", "x.kmz"], nil),
        ] as [([String], String?)])
    func aKMZBeginsWithItsOwnDocument(paths: [String], start: String?) { #expect(KMLWalk.start(among: paths) == start) }

    @Test func whatIsPassedOverIsTold() throws {
        let many = Self.kml(String(repeating: Self.model("m.dae"), count: 10_001))
        let models = try Chosen([("doc.kml", many), ("m.dae", Self.document)], name: "a.kmz")
        #expect(models.codes == [.workLimitExceeded])
        // A chain of 300 documents.
        let chain = (0..<300).map { index in
            (
                index == 0 ? "doc.kml" : "k\(index).kml",
                Self.kml(Self.model("m.dae") + Self.links(["k\(index + 1).kml"]))
            )
        }
        let documents = try Chosen(chain + [("k300.kml", Self.kml("")), ("m.dae", Self.document)], name: "a.kmz")
        #expect(documents.codes == [.workLimitExceeded] && documents.manifests.count == 256)
        let halves = Self.kml(String(repeating: Self.model("m.dae"), count: 6000))
        let both = try Chosen(
            [
                ("doc.kml", halves.replacing("</kml>", with: Self.links(["b.kml"]) + "</kml>")), ("b.kml", halves),
                ("m.dae", Self.document),
            ],
            name: "a.kmz")
        #expect(both.codes == [.workLimitExceeded] && both.findings[0].message.contains("12000 models"))
    }

    @Test func aStrayKMLMakesNoKMZOfAnArchive() throws {
        let files = [
            ("docs/x.kml", Self.kml(Self.model("m.dae"))), ("docs/m.dae", Self.document),
            ("big.dae", "<COLLADA></COLLADA>"),
        ]
        for name in ["a.zip"] {
            let chosen = try Chosen(files, name: name)
            #expect(chosen.path == "big.dae" && chosen.rule != .kmzModelLink)
        }
        #expect(try Chosen(files, name: "a.kmz").path == "docs/m.dae")
        let doc = files.map { ($0.0 == "docs/x.kml" ? "docs/doc.kml" : $0.0, $0.1) }
        #expect(try Chosen(doc, name: "a.zip").path == "big.dae")
        // In the one folder of an archive it counts.
        let packed = try Chosen(doc.map { ("robot/" + $0.0.replacing("docs/", with: ""), $0.1) }, name: "a.zip")
        #expect(packed.path == "robot/m.dae" && packed.rule == .kmzModelLink)
        #expect(SceneRule.kmzModelLink.title(manifest: packed.manifests.first) == "via robot/doc.kml › Model › Link")
    }

    @Test func aPlaceThatCannotBeMeantIsTold() throws {
        let place = "<Location><longitude>1e308</longitude><altitude>1e999</altitude></Location>"
        let chosen = try Chosen(
            [("doc.kml", Self.kml(Self.model("m.dae", place + "<Scale><x>0</x></Scale>"))), ("m.dae", Self.document)],
            name: "a.kmz")
        #expect(chosen.codes == [.schemaInvalidNumber, .nodeTransformSingular])
        #expect(chosen.findings[0].message.contains("\"1e308\", and 1 more"))
    }
}
