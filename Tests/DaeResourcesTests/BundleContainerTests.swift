import DaeArchive
import DaeCore
import DaeDiagnostics
import DaeResources
import TestSupport
import Testing

/// Bundles as they are opened, not lists of paths.
@Suite struct BundleContainerTests {
    private func locator(_ files: [(String, String)], name: String) throws -> ResourceLocator {
        var zip = ZipBuilder()
        for (path, text) in files { zip.add(path, text) }
        return ResourceLocator(bundle: try Bundle.open(MemoryByteSource(zip.bytes()), name: name))
    }

    @Test func theManifestsOfAnArchiveAreRead() throws {
        let robot = try locator(
            [
                ("src/one/package.xml", "<package><name>arm</name></package>"), ("src/one/tex/x.png", ""),
                ("src/two/package.xml", "<package>"), ("src/two/tex/x.png", ""),
            ], name: "robot.zip")
        #expect(
            robot.resolve("package://arm/tex/x.png", from: "src/two/a.dae").outcome
                == found("src/one/tex/x.png", .rosPackage, .certain))
        #expect(
            robot.resolve("package://two/tex/x.png", from: "a.dae").outcome
                == found("src/two/tex/x.png", .rosPackage, .certain))
        let place = try locator(
            [("models/a.dae", ""), ("images/x_0.jpg", ""), ("textures.txt", "<../images/x_0.jpg> <../x.jpg>")],
            name: "place.kmz")
        #expect(place.resolve("../x.jpg", from: "models/a.dae").rule == .textureAlias)
    }

    private static func model(_ link: String, _ source: String, _ target: String) -> String {
        """
        <Model><Link><href>\(link)</href></Link><ResourceMap><Alias><sourceHref>\(source)</sourceHref>\
        <targetHref>\(target)</targetHref></Alias></ResourceMap></Model>
        """
    }

    /// Others sort before it, as many as once were read.
    @Test func theMapThatBelongsToTheSceneIsRead() throws {
        let own = "<NetworkLink><Link><href>z/own.kml</href></Link></NetworkLink>"
        let others = (0..<300).map { ("a\($0).kml", "<kml/>") }
        let kml = [
            ("doc.kml", "<kml>\(own)</kml>"),
            ("z/own.kml", "<kml>\(Self.model("m.dae", "../images/t.jpg", "u.jpg"))</kml>"),
        ]
        let place = try locator(others + kml + [("z/m.dae", ""), ("z/u.jpg", "")], name: "a.kmz")
        #expect(
            place.resolve("../images/t.jpg", from: "z/m.dae").outcome == found("z/u.jpg", .textureAlias, .certain))
    }

    /// Each reference once asked all maps of all models.
    @Test func mapsOfManyModelsAreOnePerDocument() throws {
        let models = (0..<10_000).map {
            Self.model("m\($0 % 2).dae", "q.png", $0 % 2 == 0 ? "y\($0 / 2 % 20).png" : "z.png")
        }
        let place = try locator(
            [
                ("doc.kml", "<kml>\(models.joined())</kml>"), ("m0.dae", ""), ("m1.dae", ""), ("z.png", ""),
                ("y7.png", ""), ("y8.png", ""),
            ],
            name: "a.kmz")
        #expect(place.resolve("q.png", from: "m0.dae").path == "y7.png")
        #expect(place.resolve("q.png", from: "m1.dae").path == "z.png")
        for number in 0..<1000 { #expect(place.resolve("q\(number).png", from: "m0.dae").outcome == .missing) }
    }

    @Test func upperAndLowerCaseAreOneThroughArchives() throws {
        var textures = ZipBuilder()
        textures.add("Deep/T.png", "x")
        var inner = ZipBuilder()
        inner.add("tex.ZIP", textures.bytes())
        inner.add("m/b.dae", "<COLLADA/>")
        var zip = ZipBuilder()
        zip.add("sub/inner.kmz", inner.bytes())
        zip.add("twice/a.zip", inner.bytes())
        zip.add("twice/A.zip", inner.bytes())
        let locator = ResourceLocator(bundle: try Bundle.open(MemoryByteSource(zip.bytes()), name: "a.zae"))
        #expect(
            locator.resolve("SUB/Inner.kmz/M/b.dae", from: "manifest.xml", as: .document).outcome
                == found("sub/inner.kmz/m/b.dae", .caseFolded, .likely))
        #expect(
            locator.resolve("Sub/inner.KMZ/Tex.zip/deep/t.PNG", from: "a.dae").outcome
                == found("sub/inner.kmz/tex.ZIP/Deep/T.png", .caseFolded, .likely))
        #expect(locator.resolve("sub/inner.kmz/m/c.dae", from: "a.dae", as: .document).outcome == .missing)
        #expect(locator.resolve("TWICE/a.zip/m/b.dae", from: "a.dae", as: .document).outcome == .missing)
    }

    @Test func whatLeadsIntoAnArchiveThatCannotBeOpenedIsTold() throws {
        let locator = try locator([("a.dae", ""), ("tex.zip", "PK\u{3}\u{4}no")], name: "a.zip")
        let resolution = locator.resolve("tex.zip/t.png", from: "a.dae")
        #expect(resolution.outcome == .missing && resolution.trace.first?.result == .unreadable)
        #expect(
            resolution.imageFindings()[0].message.hasSuffix(
                "and tex.zip/t.png leads into an archive that cannot be opened"))
    }

    @Test func aManifestThatIsTooLargeOrBrokenIsPassedOver() throws {
        let padding = String(repeating: "<!-- -->", count: 200_000)
        let robot = try locator(
            [("a/package.xml", padding + "<package><name>arm</name></package>"), ("a/x.png", ""), ("b/x.png", "")],
            name: "robot.zip")
        #expect(robot.resolve("package://arm/x.png", from: "c/a.dae").status == .ambiguous)
    }

    @Test func whatAnArchiveHoldsIsReadFromTheArchive() throws {
        let locator = try locator([("a.dae", ""), ("x.png", "")], name: "a.zip")
        let resolution = locator.resolve("x.png", from: "a.dae")
        #expect(resolution.status == .found)
        #expect(try locator.source(of: resolution) == nil)
    }
}
