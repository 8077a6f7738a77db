import DaeArchive
import DaeCore
import DaeDiagnostics
import DaeResources
import TestSupport
import Testing

/// Symbolic links and special files around a document, and how they are told.
@Suite struct LinkTests {
    private let place: TemporaryFolder

    init() throws {
        place = try TemporaryFolder()
        for file in [
            "robot/meshes/a.dae", "robot/meshes/own.png", "robot/tex/skin.png", "photos/p.jpg", "robot/model.config",
        ] { try place.write("bytes of \(file)", to: file) }
        try FileSystem.link(place.path + "/robot/meshes/near.png", to: "../tex/skin.png")
        try FileSystem.link(place.path + "/robot/meshes/far.jpg", to: place.path + "/photos/p.jpg")
        try FileSystem.link(place.path + "/robot/album", to: "../photos")
        try FileSystem.link(place.path + "/robot/meshes/gone.png", to: "nowhere.png")
        try FileSystem.link(place.path + "/robot/meshes/loop.png", to: "loop.png")
        try FileSystem.link(place.path + "/photos/again.jpg", to: "p.jpg")
        try FileSystem.pipe(place.path + "/robot/meshes/pipe.png")
        try FileSystem.link(place.path + "/robot/meshes/piped.png", to: "pipe.png")
    }

    private var file: String { place.path + "/robot/meshes/a.dae" }

    private func locator(_ policy: LocatorPolicy) throws -> ResourceLocator {
        ResourceLocator(
            bundle: try Bundle.open(path: file), policy: policy, document: try LoneDocument.locate(file))
    }

    private func text(_ locator: ResourceLocator, _ resolution: Resolution) throws -> String? {
        try locator.source(of: resolution).map { String(decoding: try $0.bytes(at: 0, count: 999), as: UTF8.self) }
    }

    private func result(_ resolution: Resolution) -> Resolution.Candidate.Result? { resolution.trace.first?.result }

    // MARK: On a command line

    @Test func aLinkWithinTheRootIsFollowed() throws {
        let locator = try locator(.hostPaths([]))
        let near = locator.resolve("near.png", from: "a.dae")
        #expect(near.outcome == found("near.png", .exact, .certain))
        #expect(try text(locator, near) == "bytes of robot/tex/skin.png")
        #expect(near.imageFindings().isEmpty)
        // It is found by its name, too.
        #expect(locator.resolve("C:/x/NEAR.png", from: "../tex/b.dae").path == "near.png")
    }

    @Test func aLinkOutOfTheRootIsFollowedAndMarked() throws {
        let locator = try locator(.hostPaths([]))
        for (reference, path) in [
            ("far.jpg", "far.jpg"), ("../album/p.jpg", "../album/p.jpg"), ("../album/again.jpg", "../album/again.jpg"),
            ("FAR.JPG", "far.jpg"), ("../../photos/again.jpg", "../../photos/again.jpg"),
        ] {
            let resolution = locator.resolve(reference, from: "a.dae")
            #expect(resolution.path == path, "\(resolution)")
            #expect(resolution.isOutside)
            #expect(resolution.hostFile?.root.label == "through a link")
            #expect(try text(locator, resolution) == "bytes of photos/p.jpg")
            #expect(resolution.imageFindings().first?.code == .resourceOutside)
            #expect(resolution.imageFindings().allSatisfy { $0.severity <= .warning })
        }
    }

    @Test func whatIsNoFileIsToldAsWhatItIs() throws {
        let locator = try locator(.hostPaths([]))
        for (reference, result) in [
            ("gone.png", Resolution.Candidate.Result.link), ("loop.png", .link), ("pipe.png", .special),
            ("piped.png", .special), ("../tex", .folder), ("../album", .folder), ("../tex/none.png", .miss),
            ("own.png/x.png", .miss), ("../../photos", .folder), ("../../robot/meshes/pipe.png", .special),
        ] {
            let resolution = locator.resolve(reference, from: "a.dae")
            #expect(resolution.outcome == .missing, "\(resolution)")
            #expect(self.result(resolution) == result, "\(resolution)")
            #expect(try text(locator, resolution) == nil)
        }
        #expect(locator.resolve("gone.png", from: "a.dae").description.contains("link, not followed  gone.png"))
        #expect(locator.resolve("pipe.png", from: "a.dae").description.contains("not a regular file  pipe.png"))
    }

    // MARK: In a library

    @Test func inALibraryLinksAreRefusedAndTold() throws {
        let lone = try locator(.bundleOnly)
        let own = ResourceLocator(bundle: try Bundle.open(path: file))
        for locator in [lone, own] {
            for reference in ["near.png", "far.jpg", "gone.png", "loop.png"] {
                let resolution = locator.resolve(reference, from: "a.dae")
                #expect(resolution.outcome == .missing, "\(resolution)")
                #expect(result(resolution) == .link, "\(resolution)")
            }
            #expect(result(locator.resolve("pipe.png", from: "a.dae")) == .special)
            #expect(result(locator.resolve("none.png", from: "a.dae")) == .miss)
        }
        #expect(result(lone.resolve("../album/p.jpg", from: "a.dae")) == .link)
        #expect(lone.resolve("C:/x/far.jpg", from: "a.dae").status == .missing)
        let folder = ResourceLocator(bundle: try Bundle.open(path: place.path + "/robot"))
        #expect(result(folder.resolve("near.png", from: "meshes/a.dae")) == .link)
        #expect(result(folder.resolve("../album/p.jpg", from: "meshes/a.dae")) == .link)
        #expect(result(folder.resolve("../tex/none.png", from: "meshes/a.dae")) == .miss)
        #expect(result(folder.resolve("pipe.png", from: "meshes/a.dae")) == .special)
    }

    @Test func linksOfANamedFolderAreRefusedAndTold() throws {
        let locator = ResourceLocator(
            container: ResourceList([]),
            policy: .hostPaths([HostRoot(.package("robot"), folder: place.path + "/robot")]))
        for (path, result) in [
            ("meshes/far.jpg", Resolution.Candidate.Result.link), ("meshes/near.png", .link), ("album/p.jpg", .link),
            ("meshes/pipe.png", .special), ("meshes", .folder), ("meshes/none.png", .miss),
        ] {
            let resolution = locator.resolve("package://robot/\(path)", from: "a.dae")
            #expect(resolution.hostFile == nil)
            #expect(self.result(resolution) == result, "\(resolution)")
            #expect(resolution.trace.first?.folder == place.path + "/robot")
            #expect(resolution.description.contains("  package robot: \(path)  (in \(place.path)/robot)"))
        }
    }

    // MARK: A document that is a link itself

    @Test func aLinkOfTheDocumentsNameStandsForItsFile() throws {
        // As `colcon build --symlink-install` lays out an installation: each file is a link into the sources.
        try place.write("x", to: "install/share/robot/readme.txt")
        let link = place.path + "/install/share/robot/a.dae"
        try FileSystem.link(link, to: file)
        let document = try LoneDocument.locate(link)
        #expect(document.isLinkTarget)
        #expect(document.root.hasSuffix("/robot"))
        #expect(document.path == "meshes/a.dae")
        for policy in [LocatorPolicy.bundleOnly, .hostPaths([])] {
            let locator = ResourceLocator(bundle: try Bundle.open(path: link), policy: policy, document: document)
            let skin = locator.resolve("../tex/skin.png", from: "a.dae")
            #expect(skin.outcome == found("../tex/skin.png", .exact, .certain))
            #expect(try text(locator, skin) == "bytes of robot/tex/skin.png")
        }
        // Where the folder named as root holds the link alone, it is the link that is meant.
        let named = try LoneDocument.locate(link, root: place.path + "/install")
        #expect(named.path == "share/robot/a.dae")
        #expect(!named.isLinkTarget)
        #expect(throws: LoneDocument.Failure.self) { try LoneDocument.locate(link, root: place.path + "/photos") }
        #expect(try !LoneDocument.locate(file).isLinkTarget)
    }

    @Test func aLinkByAnotherNameStaysWhereItIs() throws {
        // As stores of files by their digests make them, such as git-annex.
        try place.write("bytes of a digest", to: "store/5f3a.dae")
        try place.write("x", to: "work/tex/skin.png")
        let link = place.path + "/work/model.dae"
        try FileSystem.link(link, to: "../store/5f3a.dae")
        let document = try LoneDocument.locate(link)
        #expect(!document.isLinkTarget)
        #expect(document.root.hasSuffix("/work"))
        let locator = ResourceLocator(
            bundle: try Bundle.open(path: link), policy: .hostPaths([]), document: document)
        #expect(locator.resolve("tex/skin.png", from: "model.dae").rule == .exact)
        #expect(locator.resolve("model.dae", from: "model.dae", as: .document).path == "model.dae")
    }

    // MARK: Any text

    @Test func anyTextLeadsToARegularFileOrNowhere() throws {
        try FileSystem.link(place.path + "/robot/out", to: "/")
        try FileSystem.link(place.path + "/photos/out.jpg", to: "/etc/hostname")
        let parts = [
            "..", "/", "../..", "/photos/", "p.jpg", "out", "out.jpg", "etc", "hostname", "/etc/hostname", "file://",
            "meshes", "own.png", "near.png", "album", "loop.png", #"\"#, "%2e%2e", "%2f", ".", "C:", "package://",
            "pipe.png", "/dev/zero", "out/dev/zero", "gone.png",
        ]
        let (open, closed) = (try locator(.hostPaths([])), try locator(.bundleOnly))
        var generator = SplitMix(state: 97)
        var linked = 0
        for _ in 0..<3_000 {
            let text = (0..<Int.random(in: 1...6, using: &generator))
                .map { _ in parts.randomElement(using: &generator) ?? "" }.joined()
            let inside = closed.resolve(text, from: "a.dae")
            #expect(inside.hostFile == nil)
            if inside.path != nil { #expect(try self.text(closed, inside)?.hasPrefix("bytes of robot/") == true) }
            let resolution = open.resolve(text, from: "a.dae")
            guard resolution.path != nil else { continue }
            // Opened, and a regular file: anything else is refused there.
            let bytes = try #require(try self.text(open, resolution))
            #expect(resolution.isOutside || bytes.hasPrefix("bytes of robot/"), "\(text): \(resolution)")
            linked += resolution.isOutside ? 1 : 0
        }
        #expect(linked > 0)
    }
}
