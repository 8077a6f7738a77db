import DaeArchive
import DaeCore
import DaeDiagnostics
import DaeResources
import TestSupport
import Testing

/// A .dae that lies among other files.
@Suite struct LoneDocumentTests {
    private let place: TemporaryFolder

    /// A robot's folders, with pictures in and around it.
    init() throws {
        place = try TemporaryFolder()
        for file in [
            "robot/meshes/v/a.dae", "robot/meshes/v/own.png", "robot/materials/textures/skin.png", "photos/p.jpg",
            "photos/Deep/q.jpg", "robot/meshes/v/Tex/Rust.PNG", "robot/meshes/lib.dae", "photos/lib.dae",
        ] { try place.write("bytes of \(file)", to: file) }
    }

    private var file: String { place.path + "/robot/meshes/v/a.dae" }

    private func locator(_ policy: LocatorPolicy, root: String? = nil) throws -> ResourceLocator {
        ResourceLocator(
            bundle: try Bundle.open(path: file), policy: policy, document: try LoneDocument.locate(file, root: root))
    }

    private func text(_ locator: ResourceLocator, _ resolution: Resolution) throws -> String? {
        try locator.source(of: resolution).map { String(decoding: try $0.bytes(at: 0, count: 999), as: UTF8.self) }
    }

    // MARK: Its root

    @Test(arguments: LoneDocument.markers)
    func theNearestFolderThatHoldsAMarkerIsTheRoot(marker: String) throws {
        try place.write("x", to: "robot/\(marker)")
        try place.write("x", to: marker)
        let document = try LoneDocument.locate(file)
        #expect(document.root.hasSuffix("/robot"))
        #expect(document.path == "meshes/v/a.dae")
        try place.write("x", to: "robot/meshes/v/\(marker)")
        #expect(try LoneDocument.locate(file).path == "a.dae")
    }

    @Test func withoutAMarkerItsOwnFolderIsTheRoot() throws {
        try FileSystem.folder(place.path + "/robot/meshes/model.config")
        try FileSystem.link(place.path + "/robot/package.xml", to: "meshes/lib.dae")
        let document = try LoneDocument.locate(file)
        #expect(document.path == "a.dae")
        #expect(document.root.hasSuffix("/robot/meshes/v"))
    }

    @Test func sixFoldersAroundAreLookedInto() throws {
        try place.write("x", to: "n/model.config")
        try place.write("x", to: "n/1/2/3/4/5/6/a.dae")
        try place.write("x", to: "n/1/2/3/4/5/6/7/a.dae")
        #expect(try LoneDocument.locate(place.path + "/n/1/2/3/4/5/6/a.dae").path == "1/2/3/4/5/6/a.dae")
        #expect(try LoneDocument.locate(place.path + "/n/1/2/3/4/5/6/7/a.dae").path == "a.dae")
    }

    @Test func aRootThatIsGivenMustHoldTheDocument() throws {
        try place.write("x", to: "robot/meshes/model.config")
        #expect(try LoneDocument.locate(file, root: place.path).path == "robot/meshes/v/a.dae")
        #expect(try LoneDocument.locate(file, root: place.path + "/photos/../robot/").path == "meshes/v/a.dae")
        #expect(throws: LoneDocument.Failure.notBelow(root: place.path + "/photos")) {
            try LoneDocument.locate(file, root: place.path + "/photos")
        }
        #expect(throws: LoneDocument.Failure.notBelow(root: place.path + "/robot/mesh")) {
            try FileSystem.folder(place.path + "/robot/mesh")
            _ = try LoneDocument.locate(file, root: place.path + "/robot/mesh")
        }
        #expect(throws: LoneDocument.Failure.self) { try LoneDocument.locate(file, root: place.path + "/none") }
        #expect(throws: LoneDocument.Failure.self) { try LoneDocument.locate(place.path + "/none/a.dae") }
    }

    // MARK: In its root

    @Test func pathsAreFromTheDocumentsFolderWhereverTheRootIs() throws {
        try place.write("x", to: "robot/model.config")
        for policy in [LocatorPolicy.bundleOnly, .hostPaths([])] {
            let locator = try locator(policy)
            let own = locator.resolve("own.png", from: "a.dae")
            #expect(own.outcome == found("own.png", .exact, .certain))
            #expect(try text(locator, own) == "bytes of robot/meshes/v/own.png")
            let skin = locator.resolve("../../materials/textures/skin.png", from: "a.dae")
            #expect(skin.outcome == found("../../materials/textures/skin.png", .exact, .certain))
            #expect(skin.trace.map(\.path) == ["../../materials/textures/skin.png"])
            #expect(skin.imageFindings().isEmpty)
            #expect(try text(locator, skin) == "bytes of robot/materials/textures/skin.png")
            #expect(locator.resolve("../v/own.png", from: "a.dae").path == "own.png")
            #expect(locator.resolve("skin.png", from: "../../materials/textures/b.dae").rule == .exact)
            #expect(locator.resolve("materials/textures/skin.png", from: "a.dae").rule == .bundleRoot)
            let library = locator.resolve("../lib.dae", from: "a.dae", as: .document)
            #expect(library.path == "../lib.dae")
            #expect(locator.resolve("v/a.dae", from: "../lib.dae", as: .document).path == "a.dae")
        }
    }

    /// Textures lie side by side, so a folder that one of them was not in is not looked for again for the next.
    @Test func aFolderThatIsNotThereIsLookedForOnce() throws {
        let locator = try locator(.bundleOnly)
        #expect(locator.resolve("later/deep/a.png", from: "a.dae").outcome == .missing)
        try place.write("x", to: "robot/meshes/v/later/deep/b.png")
        try place.write("x", to: "robot/meshes/v/later/c.png")
        try place.write("x", to: "robot/meshes/v/later.png")
        #expect(locator.resolve("later/deep/b.png", from: "a.dae").outcome == .missing)
        #expect(locator.resolve("later/c.png", from: "a.dae").outcome == .missing)
        #expect(locator.resolve("later.png", from: "a.dae").rule == .exact)
        #expect(try self.locator(.bundleOnly).resolve("later/deep/b.png", from: "a.dae").rule == .exact)
    }

    @Test func onlyWhatIsInAMissingFolderIsMissingWithIt() throws {
        let locator = try locator(.bundleOnly)
        try place.write("x", to: "robot/meshes/v/tex/a.png")
        try place.write("x", to: "robot/meshes/v/te.png")
        #expect(locator.resolve("te/a/b.png", from: "a.dae").outcome == .missing)
        #expect(locator.resolve("te.png", from: "a.dae").rule == .exact)
        #expect(locator.resolve("tex/a.png", from: "a.dae").rule == .exact)
        #expect(locator.resolve("tex/te/a.png", from: "a.dae").rule == .baseName)
        // More of them than are kept in mind.
        for index in 0..<200 {
            let resolution = locator.resolve("none\(index)/x.png", from: "a.dae")
            #expect(resolution.outcome == .missing)
            #expect(resolution.trace.first?.path == "none\(index)/x.png")
        }
        #expect(locator.resolve("none7/te.png", from: "a.dae").rule == .ancestorSuffix)
    }

    /// Names are bytes to the system: that one spelling of a folder is not there says nothing of another.
    @Test func aFolderInAnotherSpellingIsStillLookedInto() throws {
        try place.write("a rusty one", to: "robot/meshes/v/Te\u{301}x/deep/rust.png")
        let locator = try locator(.bundleOnly)
        let resolution = locator.resolve("T\u{E9}x/deep/rust.png", from: "a.dae")
        #expect(resolution.rule == .unicodeForm)
        #expect(try text(locator, resolution) == "a rusty one")
    }

    @Test func whatIsSearchedForIsSearchedForInTheRoot() throws {
        let own = try locator(.bundleOnly)
        #expect(own.resolve("tex/rust.png", from: "a.dae").outcome == found("Tex/Rust.PNG", .caseFolded, .likely))
        #expect(own.resolve("C:/x/rust.png", from: "a.dae").outcome == found("Tex/Rust.PNG", .baseName, .guess))
        #expect(own.resolve("C:/x/skin.png", from: "a.dae").outcome == .missing)
        try place.write("x", to: "robot/model.config")
        let whole = try locator(.bundleOnly)
        #expect(
            whole.resolve("C:/x/skin.png", from: "a.dae").outcome
                == found("../../materials/textures/skin.png", .baseName, .guess))
    }

    @Test func thePackageAroundItIsKnownByItsManifest() throws {
        try place.write("<package><name>hand</name></package>", to: "robot/package.xml")
        let resolution = try locator(.bundleOnly).resolve("package://hand/materials/textures/skin.png", from: "a.dae")
        #expect(resolution.outcome == found("../../materials/textures/skin.png", .rosPackage, .certain))
    }

    @Test func withoutAPlaceOnTheMachineOnlyWhatIsNamedIsFoundInItsFolder() throws {
        let locator = ResourceLocator(bundle: try Bundle.open(path: file))
        #expect(locator.resolve("own.png", from: "a.dae").rule == .exact)
        #expect(locator.resolve("C:/x/own.png", from: "a.dae").outcome == found("own.png", .ancestorSuffix, .likely))
        #expect(locator.resolve("Tex/Rust.PNG", from: "a.dae").rule == .exact)
        #expect(locator.resolve("../lib.dae", from: "a.dae").outcome == .blocked(.leavesBundle))
        #expect(try locator.source(of: locator.resolve("own.png", from: "a.dae")) == nil)
    }

    @Test func aListThatWouldBeEndlessEnds() throws {
        for index in 0..<30 { try place.write("x", to: "robot/meshes/v/d\(index)/deep/er/and/er/x\(index).png") }
        try place.write("x", to: "robot/meshes/v/d0/1/2/3/4/5/6/low.png")
        let locator = try locator(.bundleOnly)
        #expect(locator.resolve("C:/x7.png", from: "a.dae").path == "d7/deep/er/and/er/x7.png")
        #expect(locator.resolve("C:/low.png", from: "a.dae").status == .missing)
        #expect(locator.resolve("d0/1/2/3/4/5/6/low.png", from: "a.dae").rule == .exact)
    }

    // MARK: Above its root

    @Test func aPathThatLeavesTheRootIsBlockedInALibrary() throws {
        let resolution = try locator(.bundleOnly).resolve("../../../photos/p.jpg", from: "a.dae")
        #expect(resolution.outcome == .blocked(.leavesBundle))
        #expect(resolution.imageFindings().map(\.code) == [.resourceEscapesRoot])
    }

    @Test func aPathThatLeavesTheRootIsFollowedOnACommandLine() throws {
        let locator = try locator(.hostPaths([]))
        for reference in ["../../../photos/p.jpg", #"..\..\..\photos\p.jpg"#, "../../../%70hotos/p.jpg"] {
            let resolution = locator.resolve(reference, from: "a.dae")
            #expect(resolution.path == "../../../photos/p.jpg")
            #expect(resolution.hostFile?.path == "photos/p.jpg")
            #expect(try text(locator, resolution) == "bytes of photos/p.jpg")
            #expect(resolution.imageFindings().contains { $0.code == .resourceOutside && $0.severity == .info })
        }
        let exact = locator.resolve("../../../photos/p.jpg", from: "a.dae")
        #expect(exact.confidence == .certain)
        #expect(exact.imageFindings().map(\.severity) == [.info])
        let document = locator.resolve("../../../photos/lib.dae", from: "a.dae", as: .document)
        #expect(document.path == "../../../photos/lib.dae")
        #expect(locator.resolve("Deep/q.jpg", from: "../../../photos/lib.dae").path == "../../../photos/Deep/q.jpg")
    }

    @Test func whatIsNotThereAboveTheRootIsMissing() throws {
        let locator = try locator(.hostPaths([]))
        let up = String(repeating: "../", count: 90)
        for reference in ["../../../photos/none.jpg", "../../../photos", "../../..", "\(up)etc/none.png", "../../../"] {
            let resolution = locator.resolve(reference, from: "a.dae")
            #expect(resolution.outcome == .missing, "\(resolution)")
            #expect(!resolution.imageFindings().contains { $0.code == .resourceEscapesRoot })
        }
    }

    @Test func absolutePathsAreNeverOpened() throws {
        let locator = try locator(.hostPaths([]))
        let path = place.path + "/photos/p.jpg"
        for reference in [path, "file://" + path, "file://localhost" + path, "/../.." + path] {
            #expect(locator.resolve(reference, from: "a.dae").outcome == .missing, "\(reference)")
        }
    }

    @Test func anArchiveHasNoPlaceOnTheMachine() throws {
        var zip = ZipBuilder()
        zip.add("a.dae", "<COLLADA/>")
        let path = try place.write(zip.bytes(), to: "robot/meshes/b.zip")
        let locator = ResourceLocator(
            bundle: try Bundle.open(path: path), policy: .hostPaths([]),
            document: LoneDocument(root: place.path, path: "robot/meshes/a.dae"))
        #expect(locator.resolve("../../photos/p.jpg", from: "a.dae").outcome == .blocked(.leavesBundle))
        #expect(locator.resolve("v/own.png", from: "a.dae").status == .missing)
    }
}
