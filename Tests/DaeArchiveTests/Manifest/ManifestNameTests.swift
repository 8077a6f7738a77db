import DaeArchive
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
        #expect(aliases.targets(of: "a.jpg").map(\.path) == ["../b.jpg"])
        #expect(aliases.targets(of: "../b.jpg").map(\.path) == ["a.jpg"])
        #expect(aliases.targets(of: "d.png").map(\.path) == ["e.png"])
        #expect(aliases.targets(of: "same").isEmpty)
        #expect(aliases.targets(of: "c").isEmpty)
        aliases.add([.init(source: "s.png", target: "t.png")], in: "f")
        #expect(aliases.targets(of: "s.png") == [.init(folder: "f", path: "t.png")])
        #expect(aliases.targets(of: "t.png").isEmpty)
    }

    @Test func ofManyTargetsOfOneNameFewAreKept() {
        var aliases = TextureAliases()
        aliases.add(texturesText: Array((0..<10_000).map { "<x.png> <\($0).png>\n" }.joined().utf8))
        #expect(aliases.targets(of: "x.png").count == 8)
        #expect(aliases.targets(of: "9999.png").map(\.path) == ["x.png"])
    }
}
