import DaeDiagnostics
import DaeResources
import Testing

/// Rules that guess by names.
@Suite struct NameRuleTests {
    // MARK: Maps of textures

    private func locator(_ files: [String], _ map: String, at path: String = "textures.txt") -> ResourceLocator {
        ResourceLocator(container: ResourceList(files + [path], contents: [path: Array(map.utf8)]))
    }

    @Test func theMapOfAKMZIsFollowed() {
        let files = ["models/a.dae", "images/oak_0.jpg", "images/elm.jpg", "far/oak.jpg"]
        let map = "<../images/oak_0.jpg> <../files/oak.jpg>\r\n<../images/elm.jpg> <../images/elm.jpg>\nnoise <\n"
        let locator = locator(files, map)
        let resolution = locator.resolve("../files/oak.jpg", from: "models/a.dae")
        #expect(resolution.outcome == found("images/oak_0.jpg", .textureAlias, .certain))
        #expect(resolution.imageFindings().isEmpty)
        #expect(locator.resolve("../images/elm.jpg", from: "models/a.dae").rule == .exact)
        #expect(locator.resolve("../files/ash.jpg", from: "models/a.dae").outcome == .missing)
        // Writers differ in which side is which.
        let turned = self.locator(files, "<../files/oak.jpg> <../images/oak_0.jpg>", at: "models/textures.txt")
        #expect(turned.resolve("../files/oak.jpg", from: "models/a.dae").path == "images/oak_0.jpg")
    }

    @Test func theResourceMapOfKMLIsFollowed() {
        let kml =
            "<kml><Model><ResourceMap><Alias><targetHref>../images/o.jpg</targetHref><sourceHref>../files/oak.jpg</sourceHref></Alias><Alias><sourceHref>C:\\elm.jpg</sourceHref><targetHref>images/e.jpg</targetHref></Alias></ResourceMap></Model></kml>"
        let locator = locator(["images/o.jpg", "images/e.jpg"], kml, at: "doc.kml")
        #expect(locator.resolve("../files/oak.jpg", from: "models/a.dae").path == "images/o.jpg")
        #expect(locator.resolve(#"C:\elm.jpg"#, from: "models/a.dae").rule == .textureAlias)
        #expect(locator.resolve("../files/ash.jpg", from: "models/a.dae").outcome == .missing)
    }

    @Test func aMapThatLeadsNowhereOrIsBrokenChangesNothing() {
        for map in [
            "", "<a>", "<a> <", "<../files/oak.jpg> <../../../etc/oak.jpg>", "<../files/oak.jpg> <>", "\0\u{FF}",
        ] {
            let resolution = locator(["models/a.dae"], map).resolve("../files/oak.jpg", from: "models/a.dae")
            #expect(resolution.status == .missing, "\(map)")
        }
        for kml in ["<kml>", "", "<kml><Alias><sourceHref>../files/oak.jpg</sourceHref></Alias></kml>"] {
            let resolution = locator(["a.dae"], kml, at: "doc.kml").resolve("../files/oak.jpg", from: "m/a.dae")
            #expect(resolution.status == .missing, "\(kml)")
        }
    }

    // MARK: Another ending

    @Test func anotherImageFormatOfTheNameIsAGuess() {
        #expect(resolve("t/x.tga", "u/x.PNG").outcome == found("u/x.PNG", .otherExtension, .guess))
        #expect(resolve("t/X.tif", "u/x.jpg").rule == .otherExtension)
        #expect(resolve("t/x", "u/x.jpg").rule == .otherExtension)
        #expect(resolve("t/x.v2", "u/x.v2.jpg").rule == .otherExtension)
        #expect(resolve("t/x%20y.tga", "u/x y.png").rule == .otherExtension)
        #expect(resolve("t/x.tga", "models/x.png", "u/x.png").outcome == found("models/x.png", .otherExtension, .guess))
    }

    @Test func whatIsNoImageIsNotTakenForOne() {
        #expect(resolve("t/x.tga", "u/x.txt", "u/x.dae", "u/x", "u/xx.png").outcome == .missing)
        #expect(resolve("t/x.tga", "u/x.png", "v/x.jpg").status == .ambiguous)
        #expect(resolve("t/lib.dae", "u/lib.png", as: .document).outcome == .missing)
    }

    // MARK: The image's id and name

    @Test func aFileThatBearsTheImagesIdOrNameIsAGuess() {
        let use = ResourceUse.image(id: "Oak_png", name: "elm")
        #expect(resolve("t/7f3a.png", "u/oak.png", as: use).outcome == found("u/oak.png", .imageName, .guess))
        #expect(resolve("t/7f3a.png", "u/Elm.jpg", as: use).rule == .imageName)
        #expect(resolve("t/7f3a.png", "u/oak_png.tga", "u/elm.jpg", as: use).path == "u/oak_png.tga")
        #expect(resolve("t/7.png", "u/ash.jpg", as: .image(id: "ash-image")).rule == .imageName)
    }

    @Test func aNameThatOnlyBeginsAlikeIsNot() {
        let use = ResourceUse.image(id: "oak-bark", name: nil)
        #expect(resolve("t/7f3a.png", "u/oak.png", "u/oak-bark2.png", "u/oak-bark.txt", as: use).outcome == .missing)
        #expect(resolve("t/7f3a.png", "u/oak.png").outcome == .missing)
        #expect(resolve("t/7f3a.png", "u/.png", as: .image(id: "", name: "")).outcome == .missing)
    }

    @Test func anImageThatNamesNoFileIsGuessedByItsIdOrName() {
        let use = ResourceUse.image(id: "oak-image", name: "elm")
        for reference in ["", " \n"] {
            let resolution = resolve(reference, "u/oak.png", "u/ash.png", as: use)
            #expect(resolution.outcome == found("u/oak.png", .imageName, .guess))
            #expect(resolution.imageFindings().map(\.code) == [.imageFoundByFallback])
            let missing = resolve(reference, "u/ash.png", "models/oak.txt", as: use)
            #expect(missing.outcome == .missing)
            #expect(missing.trace.map(\.path) == ["oak-image.*", "oak.*", "elm.*"])
            #expect(missing.imageFindings().map(\.code) == [.imageEmptyURI])
            #expect(resolve(reference, "u/oak.png").outcome == .missing)
            #expect(resolve(reference, "u/oak.png", as: .document).outcome == .missing)
        }
    }

    // MARK: Folders

    @Test func aReferenceThatIsAFolderIsToldAndGuessedByTheImage() {
        let use = ResourceUse.image(id: "oak", name: nil)
        for reference in ["../textures", "../textures/", "../textures/.", "textures/"] {
            let files = ["textures/oak.png", "far/oak.png", "models/textures/elm.png", "models/textures/oak.png"]
            let locator = ResourceLocator(container: ResourceList(files))
            let resolution = locator.resolve(reference, from: "models/a.dae", as: use)
            let path = reference.hasPrefix("..") ? "textures/oak.png" : "models/textures/oak.png"
            #expect(resolution.outcome == found(path, .imageName, .guess), "\(resolution)")
            #expect(resolution.imageFindings().map(\.code) == [.imageURIIsDirectory, .imageFoundByFallback])
            let missing = locator.resolve(reference, from: "models/a.dae", as: .image(id: "ash"))
            #expect(missing.imageFindings().map(\.code) == [.imageURIIsDirectory])
        }
    }

    @Test func aFolderOfSomebodysMachineIsToldToo() {
        for reference in ["file:///C:/work/textures/", #"C:\work\textures\"#, "/work/textures/"] {
            let locator = ResourceLocator(container: ResourceList(["u/oak.png", "models/t/oak.png"]))
            let resolution = locator.resolve(reference, from: "models/a.dae", as: .image(id: "oak"))
            #expect(resolution.outcome == found("models/t/oak.png", .imageName, .guess), "\(resolution)")
            #expect(
                resolution.imageFindings().map(\.code) == [
                    .imageURIAbsolute, .imageURIIsDirectory, .imageFoundByFallback,
                ])
        }
    }

    @Test func aFileThatIsMissingIsNoFolder() {
        let resolution = resolve("../textures", "textures2/oak.png", "texture/oak.png")
        #expect(!resolution.namesFolder)
        #expect(resolution.imageFindings().map(\.code) == [.imageNotFound])
        #expect(!resolve("x.png", "models/x.png").namesFolder)
    }
}
