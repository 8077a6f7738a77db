import Diagnostics
import ResourceLocator
import Testing

/// Complaints about other tools, each as its author met it, with names of our own.
@Suite struct ComplaintTests {
    private func resolve(_ reference: String, from base: String, in files: [String]) -> Resolution {
        ResourceLocator(container: ResourceList(files)).resolve(reference, from: base)
    }

    @Test func aTextureInAZaeWhoseSpaceWasWrittenAsPercent20IsLoaded() {
        let files = ["manifest.xml", "model.dae", "textures/oak wood.png"]
        let resolution = resolve("textures/oak%20wood.png", from: "model.dae", in: files)
        #expect(
            resolution.outcome == .found(path: "textures/oak wood.png", rule: .percentDecoded, confidence: .certain))
        // An archive packed from encoded names has them so.
        let encoded = ["model.dae", "textures/oak%20wood.png"]
        #expect(resolve("textures/oak%20wood.png", from: "model.dae", in: encoded).rule == .exact)
    }

    @Test func aTextureThatCannotBeFoundIsToldWithAllThatWasTried() {
        let files = ["meshes/robot.dae", "materials/textures/Other.png"]
        let resolution = resolve("Material%20Ambient.png", from: "meshes/robot.dae", in: files)
        #expect(resolution.outcome == .missing)
        #expect(
            resolution.trace.map(\.path) == [
                "meshes/Material%20Ambient.png", "meshes/Material Ambient.png", "Material%20Ambient.png",
                "Material Ambient.png", "Material%20Ambient.png", "Material Ambient.png",
            ])
        let beside = resolve(
            "Material%20Ambient.png", from: "meshes/robot.dae",
            in: files + ["materials/textures/Material Ambient.png"])
        #expect(beside.rule == .baseName)
    }

    @Test func anEncodedWindowsPathIsReadAgain() {
        let reference = #"C%3a\My%20Folder\maps\brick%20wall.jpg"#
        let resolution = resolve(reference, from: "out/scene.dae", in: ["out/scene.dae", "out/brick wall.jpg"])
        #expect(resolution.outcome == .found(path: "out/brick wall.jpg", rule: .baseName, confidence: .likely))
        #expect(resolution.isAbsolute)
    }

    @Test func mixedSeparatorsAndSpacesDoNotCutAName() {
        let reference = #"/C:\games\my game 2\data/objects/some ship/hull part.tif"#
        let files = ["ship.dae", "objects/hull part.tif", "objects/part.tif"]
        let resolution = resolve(reference, from: "ship.dae", in: files)
        #expect(resolution.path == "objects/hull part.tif")
        #expect(resolution.rule == .baseName)
    }

    @Test func anImageThatNamesAFolderFindsNoFile() {
        let files = ["a.dae", "textures/x.png"]
        #expect(resolve("textures/", from: "a.dae", in: files).status == .missing)
        #expect(resolve("file:///C:/work/textures/", from: "a.dae", in: files).status == .missing)
    }

    @Test func aBrokenPathKeepsItsTextAndTakesTheNameBesideTheSource() {
        let resolution = resolve("../lost/skin.png", from: "figure.dae", in: ["figure.dae", "skin.png"])
        #expect(resolution.reference == "../lost/skin.png")
        #expect(resolution.outcome == .found(path: "skin.png", rule: .baseName, confidence: .likely))
        #expect(resolution.imageFindings().map(\.code) == [.imageFoundByFallback])
    }

    @Test func filesInMemoryAreABundle() {
        let resolution = resolve("./x.png", from: "dropped.dae", in: ["dropped.dae", "x.png"])
        #expect(resolution.rule == .exact)
    }
}
