import DaeResources
import Testing

@Suite struct HostileBundleTests {
    /// Shows its paths, and nothing when it is asked for one.
    private struct PathsOnly: ResourceContainer {
        let paths: [String]
        func contains(_ path: String) -> Bool { false }
    }

    @Test func twoHundredThousandFilesOfOneNameAreHalvedNotWalked() {
        let files = (0..<200_000).map { "f\($0 % 1_000)/g\($0)/x.png" } + ["f7/only/y.png", "f8/y.png"]
        let locator = ResourceLocator(container: PathsOnly(paths: files))
        for index in 0..<500 {
            let near = locator.resolve("far/x.png", from: "f\(index % 1_000)/g\(index)/a.dae")
            #expect(near.path == "f\(index % 1_000)/g\(index)/x.png")
        }
        #expect(locator.resolve("far/x.png", from: "a.dae").status == .ambiguous)
        #expect(locator.resolve("far/x.png", from: "f7/a.dae").status == .ambiguous)
        #expect(locator.resolve("far/y.png", from: "f7/a.dae").path == "f7/only/y.png")
    }

    @Test func manyReferencesInALargeBundleCostLittleEach() {
        var files = (0..<100_000).map { "d\($0 / 100)/T\($0).PNG" }
        files += (0..<50_000).map { "A\($0 % 100).bundle/en.lproj/y\($0)@2x.png" }
        files += (0..<50_000).map { "é\($0 % 10)/deep/z\($0).jpg" }
        let locator = ResourceLocator(container: ResourceList(files))
        for index in stride(from: 0, to: 100_000, by: 97) {
            let base = "d\(index / 100)/a.dae"
            #expect(locator.resolve("t\(index).png", from: base).rule == .caseFolded)
            #expect(locator.resolve("x/y\(index / 2).png", from: base).rule == .resourceBundle)
            #expect(
                locator.resolve("e\u{301}\(index / 2 % 10)/deep/z\(index / 2).jpg", from: base).rule
                    == .bundleRootUnicodeForm)
            #expect(locator.resolve("C:/p/z\(index / 2).tga", from: base).rule == .otherExtension)
            #expect(locator.resolve("C:/p/q/none\(index).tga", from: base).status == .missing)
        }
    }

    @Test func aReferenceAsLongAndDeepAsCanBeIsBounded() {
        let deep = String(repeating: "a/", count: 32_000)
        let locator = ResourceLocator(container: ResourceList([deep + "x.png", "x.png"]))
        let missed = locator.resolve(deep + "y/x.png", from: deep + "b.dae")
        #expect(missed.trace.count < 200)
        #expect(locator.resolve("../x.png", from: deep + "b/c.dae").rule == .exact)
        let many = String(repeating: "../", count: 20_000) + String(repeating: "C:/", count: 1_000) + "x.png"
        #expect(locator.resolve(many, from: deep + "b.dae").trace.count < 200)
    }

    @Test func anyTextGivesAnOutcomeAndAPathThatIsThere() {
        let files = ["a.dae", "models/b.dae", "x.png", "t/x.png", "models/x y.png", "é.png", "models/t/%41"]
        let container = ResourceList(files)
        let locator = ResourceLocator(container: container)
        let parts: [String] = [
            "x", ".png", "/", "..", ".", #"\"#, "%", "%20", "%2e", "%2F", "%5c", "%00", "%FF", "%41", "file:", "//",
            ":",
            "C:", "#", "?", "http", "package:", "model:", "data:", " ", "\n", "\0", "é", "e\u{301}", "😀", "models", "t",
            "y",
        ]
        var generator = SplitMix(state: 411)
        var seen: Set<Resolution.Status> = []
        for _ in 0..<5_000 {
            let text = (0..<Int.random(in: 0...8, using: &generator))
                .map { _ in parts.randomElement(using: &generator) ?? "" }.joined()
            let resolution = locator.resolve(text, from: "models/b.dae")
            seen.insert(resolution.status)
            #expect(resolution == locator.resolve(text, from: "models/b.dae"))
            #expect(resolution.reference == text)
            if let path = resolution.path {
                #expect(resolution.hostFile == nil)
                #expect(files.contains(path))
                #expect(resolution.trace.last?.result == .hit)
            }
            #expect(resolution.trace.dropLast().allSatisfy { [.miss, .outside, .folder].contains($0.result) })
        }
        #expect(seen.isSuperset(of: [.found, .missing, .blocked, .embedded]))
    }
}
