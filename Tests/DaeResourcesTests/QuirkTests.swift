import DaeDiagnostics
import DaeResources
import TestSupport
import Testing

/// What exporters are known to write in references, each as it comes out of them, with names of our own.
@Suite struct QuirkTests {
    /// Blender: `%20` in names, names with dots.
    @Test func blenderEncodesSpacesAndKeepsDotsInNames() {
        let resolution = resolve("wood%20planks.001.png", "models/wood planks.001.png")
        #expect(resolution.outcome == found("models/wood planks.001.png", .percentDecoded, .certain))
    }

    /// OpenCOLLADA (Max, Maya): `file:///C:/…`.
    @Test func openColladaWritesAbsoluteAddressesOfTheArtistsMachine() {
        let resolution = resolve(
            "file:///C:/Users/anna/Documents/maya/projects/yard/sourceimages/fence.tga", "models/fence.tga",
            "other/fence.tga")
        #expect(resolution.outcome == found("models/fence.tga", .ancestorSuffix, .likely))
        #expect(resolution.imageFindings().map(\.code) == [.imageURIAbsolute, .imageFoundByFallback])
        let kept = resolve(
            "file:///C:/Users/anna/Documents/maya/projects/yard/sourceimages/fence.tga", "sourceimages/fence.tga")
        #expect(kept.rule == .ancestorSuffix)
    }

    /// OpenCOLLADA (Max, Maya): `init_from` is a folder.
    @Test func openColladaNamesAFolderWhereAnImageIsMeant() {
        let resolution = resolve(
            "file:///C:/Users/anna/yard/sourceimages/", "models/gate.png", "models/fence.png",
            as: .image(id: "gate-image", name: "gate"))
        #expect(resolution.outcome == found("models/gate.png", .imageName, .guess))
    }

    /// Cinema 4D: `file:///C:\…`, and `<init_from/>` without a text.
    @Test func cinema4DWritesThreeSlashesAndBackslashes() {
        let resolution = resolve(#"file:///C:\Arbeit\Bank\tex\holz.jpg"#, "models/tex/holz.jpg")
        #expect(resolution.outcome == found("models/tex/holz.jpg", .ancestorSuffix, .likely))
        #expect(resolution.isAbsolute)
        #expect(resolve("").imageFindings().map(\.code) == [.imageEmptyURI])
        #expect(resolve("  \n").imageFindings().map(\.code) == [.imageEmptyURI])
    }

    /// 3ds Max, FBX-COLLADA: spaces in addresses and ids.
    @Test func autodeskWritesSpacesInAddresses() {
        #expect(resolve("my textures/old wall.png", "models/my textures/old wall.png").rule == .exact)
        #expect(resolve("parts/left door.dae#Left Door", "models/parts/left door.dae", as: .document).rule == .exact)
    }

    /// Assimp: `%3a` in paths.
    @Test func assimpEncodesTheColonOfADrive() {
        let resolution = resolve("C%3a%5cwork%5ctex%5cwall.png", "models/tex/wall.png")
        #expect(resolution.outcome == found("models/tex/wall.png", .ancestorSuffix, .likely))
        #expect(resolution.isAbsolute)
    }

    /// Cryengine-Converter: `/C:\…`, `_x005E_` for `^`.
    @Test func cryengineConverterPutsASlashBeforeADrive() {
        let resolution = resolve(#"/C:\Games\ship 2\objects/hull plate_x005E_1.tif"#, "models/hull plate_x005E_1.tif")
        #expect(resolution.path == "models/hull plate_x005E_1.tif")
        let converted = resolve(#"/C:\Games\ship 2\objects/hull plate.tif"#, "objects/hull plate.dds")
        #expect(converted.outcome == found("objects/hull plate.dds", .otherExtension, .guess))
    }

    /// Google Earth: KMZ with `../images` and `textures.txt`.
    @Test func googleEarthKeepsImagesBesideTheModelsAndAMapOfThem() {
        let map = "<../images/texture0.jpg> <../images/texture0.jpg>\n<../images/texture1.jpg> <../Roof Tiles.jpg>\n"
        let locator = ResourceLocator(
            container: ResourceList(
                ["doc.kml", "models/house.dae", "images/texture0.jpg", "images/texture1.jpg", "textures.txt"],
                contents: ["textures.txt": Array(map.utf8)]))
        #expect(locator.resolve("../images/texture0.jpg", from: "models/house.dae").rule == .exact)
        let mapped = locator.resolve("../Roof Tiles.jpg", from: "models/house.dae")
        #expect(mapped.outcome == found("images/texture1.jpg", .textureAlias, .certain))
    }

    /// SketchUp: textures in a folder of the document's name.
    @Test func sketchUpWritesAFolderNamedAfterTheDocument() {
        #expect(resolve("house/Roof_0.jpg", "models/house/Roof_0.jpg").rule == .exact)
        #expect(resolve("house/Roof_0.jpg", "models/Roof_0.jpg").rule == .ancestorSuffix)
        #expect(resolve("house/Roof_0.jpg", "models/barn/Roof_0.jpg", "models/shed/Roof_0.jpg").status == .ambiguous)
    }
}
