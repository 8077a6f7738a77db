import DaeResources
import Testing

@Suite struct ReferenceFormTests {
    @Test(arguments: [
        "file:///C:/work/x.png", "file:///home/me/x.png", "file:/home/me/x.png", "FILE://localhost/h/x.png",
    ])
    func aFileAddressFallsThroughToItsBaseName(reference: String) {
        let resolution = resolve(reference, "t/x.png")
        #expect(resolution.outcome == .found(path: "t/x.png", rule: .baseName, confidence: .likely))
        #expect(resolution.isAbsolute)
    }

    @Test func aFileAddressWithoutAFolderIsReadAgainstTheDocument() {
        #expect(resolve("file://x.png", "models/x.png").outcome == found("models/x.png", .machinePath, .likely))
        #expect(resolve("file:x.png", "models/x.png").rule == .machinePath)
        #expect(resolve("file:///t/x.png", "t/x.png").rule == .bundleRootMachinePath)
        #expect(resolve("filed/x.png", "models/filed/x.png").isAbsolute == false)
    }

    @Test(arguments: [
        #"C:\work\x.png"#, "C:/work/x.png", "/C:/work/x.png", "c%3A%5Cwork%5Cx.png", "/work/x.png",
        #"\\host\share\x.png"#,
    ])
    func anAbsolutePathIsCalledAbsoluteAndFoundByName(reference: String) {
        let resolution = resolve(reference, "t/x.png")
        #expect(resolution.isAbsolute)
        #expect(resolution.rule == .baseName)
        #expect(resolve(reference).status == .missing)
    }

    @Test func anUnknownSchemeIsFoundByNameOnly() {
        let resolution = resolve("asset://robot/x.png", "t/x.png", "models/asset:/robot/x.png")
        #expect(resolution.path == "models/asset:/robot/x.png")
        #expect(Set(resolution.trace.map(\.rule)) == [.siblingFolder, .resourceBundle, .baseName])
        #expect(!resolution.isAbsolute)
    }

    @Test func whiteSpaceAroundAReferenceIsLayout() {
        #expect(resolve("\n\t  x y.png \r\n", "models/x y.png").rule == .exact)
        #expect(resolve(" \n ").outcome == .missing)
        #expect(resolve("").trace.isEmpty)
    }

    @Test func aFragmentOrQueryIsCutOnlyIfTheWholeNameIsNotThere() {
        #expect(resolve("other.dae#body", "models/other.dae").path == "models/other.dae")
        #expect(resolve("x.png?v=2#f", "models/x.png").rule == .exact)
        #expect(resolve("x#1.png", "models/x#1.png", "models/x").path == "models/x#1.png")
        #expect(resolve("x%231.png", "models/x#1.png", "models/x").path == "models/x#1.png")
        #expect(resolve("a%20b.dae#body", "models/a b.dae").rule == .percentDecoded)
        #expect(resolve("far/x.png?v=2", "t/x.png").rule == .baseName)
        #expect(resolve("#body", "models/a.dae").status == .missing)
    }

    @Test(arguments: ["http://example.org/x.png", "HTTPS://example.org/a%20b.png?x#y"])
    func aWebAddressIsRemote(url: String) {
        #expect(resolve(" \(url)\n", "models/x.png").outcome == .remote(url: url))
        #expect(resolve("httpx.png", "models/httpx.png").rule == .exact)
    }

    @Test func aDataAddressIsEmbedded() {
        #expect(resolve("data:image/png;base64,AAAA").outcome == .embedded(mediaType: "image/png"))
        #expect(resolve("DATA:image/jpeg,x").outcome == .embedded(mediaType: "image/jpeg"))
        #expect(resolve("data:,x").outcome == .embedded(mediaType: nil))
        #expect(resolve("data:;base64,AAAA").outcome == .embedded(mediaType: nil))
        let large = "data:image/png;base64," + String(repeating: "A", count: 1 << 20)
        #expect(resolve(large).outcome == .embedded(mediaType: "image/png"))
    }

    // MARK: Blocked

    @Test func aPathOutOfTheBundleIsBlockedUnlessItsNameIsInside() {
        for reference in ["../../x.png", #"..\..\x.png"#, "..%2f..%2fx.png", "t/../../../x.png", "/../x.png"] {
            let blocked = resolve(reference, "models/a.dae")
            #expect(blocked.outcome == .blocked(.leavesBundle))
            #expect(blocked.trace.contains { $0.result == .outside })
            #expect(
                resolve(reference, "t/x.png").outcome == .found(path: "t/x.png", rule: .baseName, confidence: .likely))
        }
    }

    @Test func aPathThatOnlyLeavesTheTopWhenReadAgainstItIsMissing() {
        let resolution = resolve("../t/x.png")
        #expect(resolution.outcome == .missing)
        #expect(resolution.trace.map(\.result) == [.miss, .outside] + Array(repeating: .miss, count: 5))
    }

    @Test(arguments: ["a\0.png", "a%00.png", "a\u{1B}[2J.png", "a\nb.png", "a%0Ab.png", "a\u{7F}"])
    func aControlCharacterIsBlocked(reference: String) {
        let resolution = resolve(reference, "models/a", "models/\(reference)")
        #expect(resolution.outcome == .blocked(.controlCharacter))
        #expect(resolution.trace.isEmpty)
    }

    @Test func aReferenceLongerThanAnyPathIsBlocked() {
        let longest = String(repeating: "a", count: 65_535)
        #expect(resolve(longest, "models/" + longest).rule == .exact)
        #expect(resolve(longest + "a", "models/" + longest + "a").outcome == .blocked(.tooLong))
    }
}
