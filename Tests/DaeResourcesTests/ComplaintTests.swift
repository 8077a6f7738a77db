import DaeDiagnostics
import DaeResources
import TestSupport
import Testing

/// Complaints about other tools, each as its author met it, with names of our own; numbered as in the list that the
/// project was planned by.
@Suite struct ComplaintTests {
    private func resolve(
        _ reference: String, from base: String, in files: [String], as use: ResourceUse = .image()
    ) -> Resolution {
        ResourceLocator(container: ResourceList(files)).resolve(reference, from: base, as: use)
    }

    /// B1.
    @Test func aTextureInAZaeWhoseSpaceWasWrittenAsPercent20IsLoaded() {
        let files = ["manifest.xml", "model.dae", "textures/oak wood.png"]
        let resolution = resolve("textures/oak%20wood.png", from: "model.dae", in: files)
        #expect(
            resolution.outcome == .found(path: "textures/oak wood.png", rule: .percentDecoded, confidence: .certain))
        // An archive packed from encoded names has them so.
        let encoded = ["model.dae", "textures/oak%20wood.png"]
        #expect(resolve("textures/oak%20wood.png", from: "model.dae", in: encoded).rule == .exact)
    }

    /// B2.
    @Test func aTextureThatCannotBeFoundIsToldWithAllThatWasTried() {
        let files = ["meshes/robot.dae", "materials/textures/Other.png"]
        let resolution = resolve("Material%20Ambient.png", from: "meshes/robot.dae", in: files)
        #expect(resolution.outcome == .missing)
        #expect(
            resolution.trace.map(\.path) == [
                "meshes/Material%20Ambient.png", "meshes/Material Ambient.png", "Material%20Ambient.png",
                "Material Ambient.png", "meshes/{textures,images,materials/textures,maps}/Material%20Ambient.png",
                "{textures,images,materials/textures,maps}/Material%20Ambient.png",
                "meshes/{textures,images,materials/textures,maps}/Material Ambient.png",
                "{textures,images,materials/textures,maps}/Material Ambient.png", "Material%20Ambient.png",
                "Material%20Ambient.png", "Material Ambient.png", "material%20ambient.*", "material ambient.*",
            ])
        let beside = resolve(
            "Material%20Ambient.png", from: "meshes/robot.dae",
            in: files + ["materials/textures/Material Ambient.png"])
        #expect(beside.outcome == found("materials/textures/Material Ambient.png", .siblingFolder, .likely))
    }

    /// B3.
    @Test func anEncodedWindowsPathIsReadAgain() {
        let reference = #"C%3a\My%20Folder\maps\brick%20wall.jpg"#
        let resolution = resolve(reference, from: "out/scene.dae", in: ["out/scene.dae", "out/brick wall.jpg"])
        #expect(resolution.outcome == .found(path: "out/brick wall.jpg", rule: .ancestorSuffix, confidence: .likely))
        #expect(resolution.isAbsolute)
    }

    /// B4.
    @Test func mixedSeparatorsAndSpacesDoNotCutAName() {
        let reference = #"/C:\games\my game 2\data/objects/some ship/hull part.tif"#
        let files = ["ship.dae", "objects/hull part.tif", "objects/part.tif"]
        let resolution = resolve(reference, from: "ship.dae", in: files)
        #expect(resolution.path == "objects/hull part.tif")
        #expect(resolution.rule == .baseName)
    }

    /// B5.
    @Test func anImageThatNamesAFolderIsGuessedByItsNameAndTold() {
        let files = ["a.dae", "textures/x.png", "textures/hull.png"]
        for reference in ["textures/", "textures", "file:///C:/work/textures/", #"textures\"#] {
            let resolution = resolve(reference, from: "a.dae", in: files, as: .image(id: "hull-image", name: "hull"))
            #expect(resolution.path == "textures/hull.png", "\(resolution)")
            #expect(resolution.rule == .imageName)
        }
        let lost = resolve("textures/", from: "a.dae", in: files, as: .image(id: "mast"))
        #expect(lost.imageFindings().map(\.code) == [.imageURIIsDirectory])
    }

    /// B6.
    @Test func aBrokenPathKeepsItsTextAndTakesTheNameBesideTheSource() {
        let resolution = resolve("../lost/skin.png", from: "figure.dae", in: ["figure.dae", "skin.png"])
        #expect(resolution.reference == "../lost/skin.png")
        #expect(resolution.outcome == .found(path: "skin.png", rule: .ancestorSuffix, confidence: .likely))
        #expect(resolution.imageFindings().map(\.code) == [.imageFoundByFallback])
    }

    /// B10.
    @Test func filesInMemoryAreABundle() {
        let resolution = resolve("./x.png", from: "dropped.dae", in: ["dropped.dae", "x.png"])
        #expect(resolution.rule == .exact)
    }

    /// B7.
    @Test func anAddressOfFuelThatIsInTheLocalCacheIsFound() throws {
        let home = try TemporaryFolder()
        try home.write("x", to: "fuel.gazebosim.org/openrobotics/models/rover/4/materials/textures/wheel.png")
        let locator = ResourceLocator(
            container: ResourceList(["rover.dae"]), policy: .hostPaths([HostRoot(.fuelCache, folder: home.path)]))
        let address =
            "https://fuel.gazebosim.org/1.0/OpenRobotics/models/Rover/4/files/materials/textures/wheel.png"
        let resolution = locator.resolve(address, from: "rover.dae")
        #expect(resolution.rule == .fuelCache)
        #expect(resolution.status == .found)
    }

    /// B8.
    @Test func aModelOfGazeboNeedsNoRewritingOfItsPaths() {
        let files = [
            "rover/meshes/rover.dae", "rover/materials/textures/hull.png", "other/materials/textures/hull.png",
        ]
        let resolution = resolve("hull.png", from: "rover/meshes/rover.dae", in: files)
        #expect(resolution.outcome == found("rover/materials/textures/hull.png", .siblingFolder, .likely))
    }

    /// B9.
    @Test func aRobotWhoseTexturesAreNotWhereWrittenIsToldBeforeItIsShipped() {
        let files = ["models/hand.dae", "models/skin.png"]
        let references = ["skin.png", "../textures/skin.png", "../textures/nail.png"]
        let results = references.map { resolve($0, from: "models/hand.dae", in: files) }
        #expect(results.map(\.status) == [.found, .found, .missing])
        #expect(
            results.map { $0.imageFindings().map(\.code) } == [[], [.imageFoundByFallback], [.imageNotFound]])
    }

    /// B11.
    @Test func aModelOfAWarehouseFindsItsTexturesHoweverItWasUnpacked() {
        let archive = ["doc.kml", "models/house.dae", "images/brick.jpg"]
        #expect(resolve("../images/brick.jpg", from: "models/house.dae", in: archive).rule == .exact)
        // Unpacked into one folder, renamed, or with the document moved out.
        #expect(
            resolve("../images/brick.jpg", from: "house.dae", in: ["house.dae", "brick.jpg"]).rule == .ancestorSuffix)
        #expect(
            resolve("../images/brick.jpg", from: "house.dae", in: ["house.dae", "images/brick.jpg"]).rule
                == .ancestorSuffix)
        #expect(
            resolve("../images/brick.jpg", from: "models/house.dae", in: ["models/house.dae", "Images/Brick.JPG"]).rule
                == .caseFolded)
        #expect(
            resolve("../images/brick.jpg", from: "untitled.dae", in: ["untitled.dae", "untitled/brick.jpg"]).path
                == "untitled/brick.jpg")
    }

    /// B12.
    @Test func aPackageIsFoundWithoutAnInstallation() {
        let files = ["arm_description/meshes/arm.dae", "arm_description/tex/arm.png"]
        let resolution = resolve(
            "package://arm_description/tex/arm.png", from: "arm_description/meshes/arm.dae", in: files)
        #expect(resolution.outcome == found("arm_description/tex/arm.png", .rosPackage, .likely))
        let unknown = resolve("package://hand/tex/hand.png", from: "arm_description/meshes/arm.dae", in: files)
        #expect(unknown.imageFindings().map(\.code) == [.resourcePackageUnknown])
    }
}
