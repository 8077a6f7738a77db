import DaeResources
import Testing

@Suite struct ResolutionRuleTests {
    @Test func rawValuesAndOrderAreStable() {
        #expect(
            ResolutionRule.allCases.map(\.rawValue) == [
                "exact", "percentDecoded", "unicodeForm", "backslashes", "machinePath", "caseFolded",
                "bundleRoot", "bundleRootPercentDecoded", "bundleRootUnicodeForm", "bundleRootBackslashes",
                "bundleRootMachinePath", "bundleRootCaseFolded", "package", "model", "fuel", "ancestorSuffix",
                "siblingFolder", "resourceBundle", "textureAlias", "baseName", "otherExtension", "imageName",
            ])
        #expect(Set(ResolutionRule.allCases.map(\.title)).count == ResolutionRule.allCases.count)
    }

    // MARK: One rule each: it hits, and nearly does

    @Test func exactIsAgainstTheDocumentsFolder() {
        #expect(resolve("t/x.png", "models/t/x.png").outcome == found("models/t/x.png", .exact, .certain))
        #expect(resolve("../t/x.png", "t/x.png").outcome == found("t/x.png", .exact, .certain))
        #expect(resolve("./x%20y.png", "models/x%20y.png").outcome == found("models/x%20y.png", .exact, .certain))
        #expect(resolve("x.png", "models/xx.png", "models/x.png/y").outcome == .missing)
        #expect(resolve("x.png", "models/X.png").rule != .exact)
    }

    @Test func exactTakesNoComposedLetterForADecomposedOne() {
        #expect(resolve("t/\u{E9}.png", "models/t/e\u{301}.png").rule != .exact)
    }

    @Test func percentDecodedIsDoneOnce() {
        #expect(resolve("a%20b.png", "models/a b.png").outcome == found("models/a b.png", .percentDecoded, .certain))
        #expect(resolve("%C3%A9.png", "models/é.png").outcome == found("models/é.png", .percentDecoded, .certain))
        #expect(resolve("a%2520b.png", "models/a b.png").rule == nil)
        #expect(resolve("a%2520b.png", "models/a%20b.png").rule == .percentDecoded)
        #expect(resolve("a%2xb%.png", "models/a%2xb%.png").rule == .exact)
        #expect(resolve("a%20b.png", "models/a  b.png").outcome == .missing)
    }

    @Test func whatDecodesToNoUTF8IsTakenForLatin1() {
        #expect(resolve("%E9.png", "models/é.png").outcome == found("models/é.png", .percentDecoded, .likely))
        #expect(resolve("%E9.png", "models/e\u{301}.png").rule == .unicodeForm)
        #expect(resolve("preis%20in%20%80.png", "models/preis in €.png").rule == .percentDecoded)
        #expect(resolve("%C4.png", "models/ä.png").rule == .caseFolded)
        #expect(resolve("%C3%A9.png", "models/Ã©.png").rule != .percentDecoded)
        #expect(resolve("%E9.png", "models/è.png").outcome == .missing)
        #expect(resolve("%E9%00.png", "models/é.png").outcome == .blocked(.controlCharacter))
        #expect(resolve("..%2F..%2F%E9.png", "é.png").rule != .percentDecoded)
    }

    @Test func backslashesAreSeparators() {
        #expect(resolve(#"t\x.png"#, "models/t/x.png").outcome == found("models/t/x.png", .backslashes, .likely))
        #expect(resolve(#"..\t\x%20y.png"#, "t/x y.png").outcome == found("t/x y.png", .backslashes, .likely))
        #expect(resolve("t%5Cx.png", "models/t/x.png").rule == .backslashes)
        #expect(resolve(#"t\x.png"#, #"models/t\x.png"#, "models/t/x.png").rule == .exact)
        #expect(resolve(#"t\y.png"#, "models/t/x.png").outcome == .missing)
    }

    @Test func theBundlesTopComesAfterTheDocumentsFolder() {
        #expect(resolve("t/x.png", "t/x.png").outcome == found("t/x.png", .bundleRoot, .likely))
        #expect(resolve("/t/x.png", "t/x.png").outcome == found("t/x.png", .bundleRoot, .likely))
        #expect(resolve("t/x.png", "t/x.png", "models/t/x.png").rule == .exact)
        #expect(resolve("t/x.png", "u/t/y.png").outcome == .missing)
        #expect(resolve("t/x.png", "u/t/x.png").rule == .baseName)
    }

    @Test func theBundlesTopIsTriedDecodedToo() {
        #expect(
            resolve("t/x%20y.png", "t/x y.png").outcome == found("t/x y.png", .bundleRootPercentDecoded, .likely))
        #expect(resolve("t/x%20y.png", "t/x%20y.png", "t/x y.png").rule == .bundleRoot)
    }

    @Test func theBundlesTopIsTriedWithBackslashesToo() {
        #expect(resolve(#"t\x.png"#, "t/x.png").outcome == found("t/x.png", .bundleRootBackslashes, .likely))
        #expect(resolve(#"\t\x.png"#, "t/x.png").outcome == found("t/x.png", .bundleRootBackslashes, .likely))
    }

    @Test func aBaseNameIsFoundAnywhereInAnyCase() {
        #expect(resolve("far/X.PNG", "deep/er/x.png").outcome == found("deep/er/x.png", .baseName, .guess))
        #expect(resolve("far/X.PNG", "deep/er/x.png", "other/X.PNG").path == "other/X.PNG")
        #expect(resolve("far/x.png", "deep/er/x.png").outcome == found("deep/er/x.png", .baseName, .likely))
        #expect(resolve("far/x%20y.png", "deep/x y.png").outcome == found("deep/x y.png", .baseName, .likely))
        #expect(resolve(#"far\x.png"#, "deep/x.png").outcome == found("deep/x.png", .baseName, .likely))
        #expect(resolve("far/x.png", "deep/xx.png", "x.png/y").outcome == .missing)
        #expect(resolve("far/", "deep/far", "far").outcome == .missing)
    }

    // MARK: Several of one name

    @Test func ofSeveralTheOneBesideTheDocumentIsMeant() {
        let resolution = resolve("far/x.png", "x.png", "models/x.png", "models/t/x.png", "u/x.png")
        #expect(resolution.outcome == found("models/x.png", .ancestorSuffix, .likely))
        let document = resolve("package://p/x.dae", "x.dae", "models/x.dae", "u/x.dae", as: .document)
        #expect(document.outcome == found("x.dae", .rosPackage, .likely))
        let other = resolve("x.dae", "u/X.dae", "models/X.DAE", "models/a/X.dae", "models/b/x.DAE", as: .document)
        #expect(other.outcome == found("models/X.DAE", .caseFolded, .likely))
    }

    @Test func ofSeveralTheOnlyOneBelowTheDocumentsFolderIsMeant() {
        let resolution = resolve("far/x.png", "a/x.png", "models/t/x.png", "models2/x.png", "z/x.png")
        #expect(resolution.outcome == found("models/t/x.png", .baseName, .guess))
    }

    @Test func ofSeveralTheOnlyOneBelowTheNearestFolderAroundIsMeant() {
        let files = ["robots/one/tex/x.png", "robots/two/tex/x.png", "x.png/x"]
        let locator = ResourceLocator(container: ResourceList(files))
        #expect(locator.resolve("far/x.png", from: "robots/two/meshes/v/a.dae").path == files[1])
        #expect(locator.resolve("far/x.png", from: "robots/meshes/a.dae").status == .ambiguous)
        #expect(locator.resolve("far/x.png", from: "three/a.dae").status == .ambiguous)
    }

    @Test func whatMacOSLeavesBesideFilesIsNeverMeant() {
        let files = ["u/x.png", "__MACOSX/v/x.png", "__MACOSX/u/._x.png", "w/._x.png"]
        let resolution = ResourceLocator(container: ResourceList(files)).resolve("far/x.png", from: "models/a.dae")
        #expect(resolution.outcome == found("u/x.png", .baseName, .likely))
        #expect(resolve("far/x.png", "__MACOSX/v/x.png").outcome == .missing)
    }

    @Test func severalAlikeAreAmbiguous() {
        let outside = resolve("far/x.png", "u/x.png", "t/x.png")
        #expect(outside.outcome == .ambiguous(paths: ["t/x.png", "u/x.png"], count: 2, rule: .baseName))
        #expect(outside.trace.last?.result == .several(2))
        let below = resolve("far/x.png", "models/u/x.png", "models/t/x.png", "x.png/x")
        #expect(below.status == .ambiguous)
        let cases = resolve("far/X.png", "u/x.png", "t/x.PNG")
        #expect(cases.outcome == .ambiguous(paths: ["t/x.PNG", "u/x.png"], count: 2, rule: .baseName))
        let top = resolve("far/x.png", "u/x.png", "t/x.png", from: "a.dae")
        #expect(top.status == .ambiguous)
    }

    @Test func aPathThatAnArchiveHasTwiceIsOneFile() {
        let once = resolve("far/x.png", "t/x.png", "t/x.png", "t/y.png")
        #expect(once.outcome == found("t/x.png", .baseName, .likely))
        let twice = resolve("far/x.png", "u/x.png", "t/x.png", "u/x.png")
        #expect(twice.outcome == .ambiguous(paths: ["t/x.png", "u/x.png"], count: 2, rule: .baseName))
    }

    @Test func anAmbiguousOutcomeKeepsFewPathsAndTheirNumber() throws {
        let files = (0..<1_000).map { "f\($0)/x.png" }
        let resolution = ResourceLocator(container: ResourceList(files)).resolve("x.png", from: "models/a.dae")
        guard case .ambiguous(let paths, let count, _) = resolution.outcome else {
            Issue.record("not ambiguous: \(resolution)")
            return
        }
        #expect(count == 1_000)
        #expect(paths == Array(files.sorted().prefix(Resolution.shownPaths)))
    }

    // MARK: Order

    @Test func eachRuleWinsOnceThoseBeforeItFindNothing() {
        let order: [(rule: ResolutionRule, file: String)] = [
            (.exact, #"models/t\x%20é.png"#),
            (.percentDecoded, #"models/t\x é.png"#),
            (.unicodeForm, "models/t\\x e\u{301}.png"),
            (.backslashes, "models/t/x%20é.png"),
            (.backslashes, "models/t/x é.png"),
            (.backslashes, "models/t/x e\u{301}.png"),
            (.caseFolded, "models/T/X é.png"),
            (.bundleRoot, #"t\x%20é.png"#),
            (.bundleRootPercentDecoded, #"t\x é.png"#),
            (.bundleRootUnicodeForm, "t\\x e\u{301}.png"),
            (.bundleRootBackslashes, "t/x%20é.png"),
            (.bundleRootBackslashes, "t/x é.png"),
            (.bundleRootCaseFolded, "T/X é.png"),
            (.siblingFolder, "models/textures/x é.png"),
            (.siblingFolder, "materials/textures/x é.png"),
            (.resourceBundle, "app/X.bundle/x é.png"),
            (.baseName, "u/x%20é.png"),
            (.baseName, "v/x é.png"),
            (.otherExtension, "u/x é.jpg"),
            (.imageName, "u/oak.tga"),
        ]
        for index in order.indices {
            let locator = ResourceLocator(container: ResourceList(order[index...].map(\.file)))
            let resolution = locator.resolve(
                #"t\x%20é.png"#, from: "models/a.dae", as: .image(id: "oak-image", name: nil))
            #expect(resolution.rule == order[index].rule, "\(order[index].file): \(resolution)")
            #expect(resolution.path.map { Array($0.utf8) } == Array(order[index].file.utf8))
        }
    }

    @Test func theTraceHoldsEveryPathOnceInOrder() {
        let resolution = resolve(#"t\x%20y.png"#, "other.png")
        #expect(
            resolution.trace.map { "\($0.rule.rawValue) \($0.path)" } == [
                #"exact models/t\x%20y.png"#, #"percentDecoded models/t\x y.png"#,
                "backslashes models/t/x%20y.png", "backslashes models/t/x y.png",
                #"bundleRoot t\x%20y.png"#, #"bundleRootPercentDecoded t\x y.png"#,
                "bundleRootBackslashes t/x%20y.png", "bundleRootBackslashes t/x y.png",
                "siblingFolder models/{textures,images,materials/textures,maps}/x%20y.png",
                "siblingFolder {textures,images,materials/textures,maps}/x%20y.png",
                "siblingFolder models/{textures,images,materials/textures,maps}/x y.png",
                "siblingFolder {textures,images,materials/textures,maps}/x y.png", "resourceBundle x%20y.png",
                "baseName x%20y.png", "baseName x y.png", "otherExtension x%20y.*", "otherExtension x y.*",
            ])
        #expect(resolution.trace.allSatisfy { $0.result == .miss })
        #expect(
            resolve("x.png", "y.png", from: "a.dae").trace.map(\.rule) == [
                .exact, .siblingFolder, .resourceBundle, .baseName, .otherExtension,
            ])
    }
}
