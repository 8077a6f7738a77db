import DaeCore
import TestSupport
import Testing

@Suite struct BundlePathTests {
    private static let files: [(text: String, folder: String, path: String)] = [
        ("a.png", "", "a.png"),
        ("a.png", "models", "models/a.png"),
        ("../images/a.png", "models", "images/a.png"),
        ("./a//b/./c.png", "x/y", "x/y/a/b/c.png"),
        ("../../a.png", "x/y", "a.png"),
        ("b/../../a.png", "x", "a.png"),
        ("/a.png", "x", "x/a.png"),
        ("...", "x", "x/..."),
        ("..a", "x", "x/..a"),
        ("été/ü.png", "größe", "größe/été/ü.png"),
        ("a", "./x/../y//z/", "y/z/a"),
        (".a/b.", ".x", ".x/.a/b."),
        ("a/.b", "", "a/.b"),
    ]

    @Test(arguments: files)
    func dotSegmentsAreFollowed(text: String, folder: String, path: String) {
        #expect(BundlePath.resolve(text, against: folder) == .file(path))
    }

    @Test(arguments: ["..", "../a", "x/../../a", "x/../../x/a", "/..", "./../a"])
    func aTextThatEverRisesAboveTheTopIsOutside(text: String) {
        #expect(BundlePath.resolve(text) == .outside)
        #expect(BundlePath.resolve("../" + text, against: "x") == .outside)
        #expect(BundlePath.resolve(text, against: "x/y/z") != .outside)
    }

    @Test(arguments: [("", "x"), (".", "x"), ("a/", "x/a"), ("a/.", "x/a"), ("a/..", "x"), ("..", ""), ("/", "x")])
    func aTextThatEndsInNoNameIsAFolder(text: String, path: String) {
        #expect(BundlePath.resolve(text, against: "x") == .folder(path))
    }

    @Test func aPathComesApartAndTogether() {
        #expect(BundlePath.folder(of: "a/b/c.png") == "a/b")
        #expect(BundlePath.folder(of: "c.png") == "")
        #expect(BundlePath.baseName(of: "a/b/c.png") == "c.png")
        #expect(BundlePath.baseName(of: "c.png") == "c.png")
        #expect(BundlePath.baseName(of: "a/") == "")
        #expect(BundlePath.join("", "c.png") == "c.png")
        #expect(BundlePath.join("a/b", "c.png") == "a/b/c.png")
    }

    @Test func whatIsResolvedResolvesToItself() {
        var generator = SeededNumbers(seed: 7)
        let parts = ["a", "b.png", "..", ".", "", "%2e", "é", "c"]
        var files = 0
        for _ in 0..<4_000 {
            let text = (0..<Int.random(in: 1...7, using: &generator))
                .map { _ in parts.randomElement(using: &generator) ?? "" }.joined(separator: "/")
            guard case .file(let path) = BundlePath.resolve(text, against: "x/y") else { continue }
            files += 1
            #expect(BundlePath.resolve(path) == .file(path))
            #expect(BundlePath.join(BundlePath.folder(of: path), BundlePath.baseName(of: path)) == path)
            #expect(path.split(separator: "/").allSatisfy { $0 != "." && $0 != ".." })
        }
        #expect(files > 1_000)
    }

    @Test func manyDotSegmentsTakeNoMoreThanTheirLength() {
        let down = String(repeating: "a/", count: 30_000)
        let up = String(repeating: "../", count: 30_000)
        #expect(BundlePath.resolve(down + up + "x") == .file("x"))
        #expect(BundlePath.resolve(down + up + "../x") == .outside)
    }

    @Test func aWayThatLeadsAboveTheTopIsMeasuredAtItsHighest() {
        for (text, folder, levels, path) in [
            ("x", "a", 0, "a/x"), ("../x", "a", 0, "x"), ("../../x", "a", 1, "x"), ("../../../x", "a/b", 1, "x"),
            ("../x/../../y", "", 2, "y"), ("../../a/x", "a", 1, "a/x"), ("..", "", 1, ""), ("x", "../../b", 2, "b/x"),
            ("../../x", "../b", 2, "x"), ("./x//y/.", "a", 0, "a/x/y"), ("", "", 0, ""),
        ] {
            let climbed = BundlePath.climb(text, from: folder)
            #expect(climbed.levels == levels, "\(text) from \(folder)")
            #expect(climbed.path == path, "\(text) from \(folder)")
        }
    }
}
