import BundleManifest
import Testing

@Suite struct ManifestNameTests {
    @Test func aPackageAndAModelAreCalledWhatTheirManifestSays() {
        let package =
            "<?xml version='1.0'?><package format='3'><name>\n arm_description </name><version>1</version></package>"
        #expect(ManifestName.package(Array(package.utf8)) == "arm_description")
        let model = "<model><author><name>Ada</name></author><name>Big arm</name><version>1</version></model>"
        #expect(ManifestName.model(Array(model.utf8)) == "Big arm")
    }

    @Test(arguments: [
        "", "<package>", "<package/>", "<package><name/></package>", "<package><name>  </name></package>", "name",
        "<package><maintainer><name>Ada</name></maintainer></package>", "<name>Ada</name>", "\0",
    ])
    func whatHasNoNameHasNone(manifest: String) {
        #expect(ManifestName.package(Array(manifest.utf8)) == nil)
        #expect(ManifestName.model(Array(manifest.utf8)) == nil)
    }

    @Test func aliasesOfTexturesLeadBothWaysInATextAndOneWayInKML() {
        var aliases = TextureAliases()
        aliases.add(texturesText: Array("<a.jpg> <../b.jpg>\r\n\n<c>\n< d.png >  < e.png >\n<same> <same>".utf8))
        #expect(aliases.targets(of: "a.jpg") == ["../b.jpg"])
        #expect(aliases.targets(of: "../b.jpg") == ["a.jpg"])
        #expect(aliases.targets(of: "d.png") == ["e.png"])
        #expect(aliases.targets(of: "same").isEmpty)
        #expect(aliases.targets(of: "c").isEmpty)
        aliases.add(
            kml: Array(
                "<kml><Alias><sourceHref>s.png</sourceHref><targetHref>t.png</targetHref></Alias></kml>".utf8))
        #expect(aliases.targets(of: "s.png") == ["t.png"])
        #expect(aliases.targets(of: "t.png").isEmpty)
    }

    @Test func ofManyTargetsOfOneNameFewAreKept() {
        var aliases = TextureAliases()
        aliases.add(texturesText: Array((0..<10_000).map { "<x.png> <\($0).png>\n" }.joined().utf8))
        #expect(aliases.targets(of: "x.png").count == 8)
        #expect(aliases.targets(of: "9999.png") == ["x.png"])
    }
}
