import DaeResources
import Testing

/// Rules that know where tools put textures.
@Suite struct FolderRuleTests {
    // MARK: Beside the document

    @Test(arguments: [
        "models/textures", "models/images", "models/materials/textures", "models/maps", "images", "textures",
        "materials/textures", "maps",
    ])
    func textureFoldersBesideTheDocumentAreLookedInto(folder: String) {
        let resolution = resolve("/lost/x.png", "\(folder)/x.png", "far/off/x.png")
        #expect(resolution.outcome == found("\(folder)/x.png", .siblingFolder, .likely))
        #expect(resolve("/lost/x%20y.png", "\(folder)/x y.png", "far/x y.png").rule == .siblingFolder)
    }

    @Test func otherFoldersAreNoneOfThem() {
        #expect(resolve("/lost/x.png", "models/pictures/x.png").rule == .baseName)
        #expect(resolve("/lost/x.png", "models/textures/deep/x.png").rule == .baseName)
        #expect(resolve("/lost/x.png", "textures/x.png", from: "a/b/c.dae").rule == .baseName)
        #expect(resolve("lib.dae", "models/textures/lib.dae", as: .document).rule == .baseName)
    }

    // MARK: Bundles of resources

    @Test(arguments: [
        "Art.bundle", "Art.bundle/Contents/Resources", "Art.bundle/Resources", "art.scnassets", "App_Art.resources",
        "App_Art.bundle", "en.lproj", "Art.bundle/Contents/Resources/en.lproj", "art.scnassets/de.lproj",
    ])
    func aFileInABundleOfResourcesIsFoundAsIfItWereNotThere(folder: String) {
        let whole = resolve("tex/x.png", "\(folder)/tex/x.png", "far/x.png")
        #expect(whole.outcome == found("\(folder)/tex/x.png", .resourceBundle, .likely), "\(whole)")
        let name = resolve("C:/lost/x.png", "\(folder)/x.png", "far/x.png")
        #expect(name.outcome == found("\(folder)/x.png", .resourceBundle, .likely), "\(name)")
    }

    @Test func aScaledImageStandsForItsName() {
        #expect(resolve("x.png", "models/x@2x.png").outcome == found("models/x@2x.png", .resourceBundle, .likely))
        #expect(resolve("t/x.png", "A.bundle/t/x@3x.png").path == "A.bundle/t/x@3x.png")
        #expect(resolve("x.png", "A.bundle/x@3x.png", "A.bundle/x@2x.png").path == "A.bundle/x@2x.png")
        #expect(resolve("x.png", "A.bundle/x@3x.png", "A.bundle/x.png").path == "A.bundle/x.png")
        #expect(resolve("x@2x.png", "models/x@2x.png").rule == .exact)
        #expect(resolve("x.png", "models/x@4x.png").outcome == .missing)
        #expect(resolve("x.png", "models/xx@2x.png").outcome == .missing)
    }

    @Test func ofSeveralLanguagesTheBaseComesFirst() {
        let files = ["de", "Base", "en"].map { "A.bundle/\($0).lproj/x.png" }
        let locator = ResourceLocator(container: ResourceList(files))
        #expect(locator.resolve("x.png", from: "a.dae").path == "A.bundle/Base.lproj/x.png")
        let without = ResourceLocator(container: ResourceList([files[0], files[2]]))
        #expect(without.resolve("x.png", from: "a.dae").path == "A.bundle/en.lproj/x.png")
    }

    @Test func ofSeveralBundlesTheNearestIsMeant() {
        let near = resolve("x.png", "models/A.bundle/x.png", "B.bundle/x.png")
        #expect(near.outcome == found("models/A.bundle/x.png", .resourceBundle, .guess))
        let neither = resolve("x.png", "u/A.bundle/x.png", "v/B.bundle/x.png")
        #expect(
            neither.outcome
                == .ambiguous(paths: ["u/A.bundle/x.png", "v/B.bundle/x.png"], count: 2, rule: .resourceBundle))
        #expect(resolve("x.png", "u/A.bundle/x@2x.png", "v/B.bundle/x@2x.png").rule == .resourceBundle)
    }

    @Test func aFolderThatOnlyLooksLikeABundleIsNone() {
        #expect(resolve("tex/x.png", "A.bundles/tex/x.png").rule == .baseName)
        #expect(resolve("tex/x.png", "bundle/tex/x.png").rule == .baseName)
        #expect(resolve("tex/x.png", "Contents/Resources/tex/x.png").rule == .baseName)
        #expect(resolve("tex/x.png", "A.bundle/other/x.png").rule == .baseName)
    }
}
