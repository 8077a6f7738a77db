import Archive
import ByteSource
import ResourceLocator
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
