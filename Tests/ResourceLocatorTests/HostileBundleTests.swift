import ResourceLocator
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

    @Test func anyTextGivesAnOutcomeAndAPathThatIsThere() {
        let files = ["a.dae", "models/b.dae", "x.png", "t/x.png", "models/x y.png", "é.png", "models/t/%41"]
        let container = ResourceList(files)
        let locator = ResourceLocator(container: container)
        let parts: [String] = [
            "x", ".png", "/", "..", ".", #"\"#, "%", "%20", "%2e", "%2F", "%5c", "%00", "%FF", "%41", "file:", "//",
            ":",
            "C:", "#", "?", "http", "data:", " ", "\n", "\0", "é", "e\u{301}", "😀", "models", "t", "y",
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
                #expect(files.contains(path))
                #expect(resolution.trace.last?.result == .hit)
            }
            #expect(resolution.trace.dropLast().allSatisfy { $0.result == .miss || $0.result == .outside })
        }
        #expect(seen.isSuperset(of: [.found, .missing, .blocked, .embedded]))
    }
}
