import ResourceLocator
import Testing

@Suite struct ResolutionRuleTests {
    /// What a reference in `models/a.dae` of a bundle with these files comes to.
    private func resolve(_ reference: String, _ files: String..., from base: String = "models/a.dae") -> Resolution {
        ResourceLocator(container: ResourceList(files)).resolve(reference, from: base)
    }

    private func found(
        _ path: String, _ rule: ResolutionRule, _ confidence: Resolution.Confidence
    ) -> Resolution.Outcome {
        .found(path: path, rule: rule, confidence: confidence)
    }

    @Test func rawValuesAndOrderAreStable() {
        #expect(
            ResolutionRule.allCases.map(\.rawValue) == [
                "exact", "percentDecoded", "backslashes", "bundleRoot", "bundleRootPercentDecoded",
                "bundleRootBackslashes", "baseName",
            ])
    }

    // MARK: One rule each: it hits, and nearly does

    @Test func exactIsAgainstTheDocumentsFolder() {
        #expect(resolve("t/x.png", "models/t/x.png").outcome == found("models/t/x.png", .exact, .certain))
        #expect(resolve("../t/x.png", "t/x.png").outcome == found("t/x.png", .exact, .certain))
        #expect(resolve("./x%20y.png", "models/x%20y.png").outcome == found("models/x%20y.png", .exact, .certain))
        #expect(resolve("x.png", "models/X.png").outcome == .missing)
    }

    @Test func exactTakesNoComposedLetterForADecomposedOne() {
        #expect(resolve("t/\u{E9}.png", "models/t/e\u{301}.png").rule != .exact)
    }

    @Test func percentDecodedIsDoneOnce() {
        #expect(resolve("a%20b.png", "models/a b.png").outcome == found("models/a b.png", .percentDecoded, .certain))
        #expect(resolve("%C3%A9.png", "models/é.png").outcome == found("models/é.png", .percentDecoded, .certain))
        #expect(resolve("a%2520b.png", "models/a b.png").outcome == .missing)
        #expect(resolve("a%2520b.png", "models/a%20b.png").rule == .percentDecoded)
        #expect(resolve("a%2xb%.png", "models/a%2xb%.png").rule == .exact)
        #expect(resolve("%E9.png", "models/é.png").outcome == .missing)
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

    @Test func aBaseNameIsFoundAnywhere() {
        #expect(resolve("far/x.png", "deep/er/x.png").outcome == found("deep/er/x.png", .baseName, .likely))
        #expect(resolve("far/x%20y.png", "deep/x y.png").outcome == found("deep/x y.png", .baseName, .likely))
        #expect(resolve(#"far\x.png"#, "deep/x.png").outcome == found("deep/x.png", .baseName, .likely))
        #expect(resolve("far/x.png", "deep/xx.png", "x.png/y").outcome == .missing)
        #expect(resolve("far/", "deep/far", "far").outcome == .missing)
    }

    // MARK: Several of one name

    @Test func ofSeveralTheOneBesideTheDocumentIsMeant() {
        let resolution = resolve("far/x.png", "x.png", "models/x.png", "models/t/x.png", "u/x.png")
        #expect(resolution.outcome == found("models/x.png", .baseName, .guess))
    }

    @Test func ofSeveralTheOnlyOneBelowTheDocumentsFolderIsMeant() {
        let resolution = resolve("far/x.png", "a/x.png", "models/t/x.png", "models2/x.png", "z/x.png")
        #expect(resolution.outcome == found("models/t/x.png", .baseName, .guess))
    }

    @Test func severalAlikeAreAmbiguous() {
        let outside = resolve("far/x.png", "u/x.png", "t/x.png")
        #expect(outside.outcome == .ambiguous(paths: ["t/x.png", "u/x.png"], count: 2, rule: .baseName))
        #expect(outside.trace.last?.result == .several(2))
        let below = resolve("far/x.png", "models/u/x.png", "models/t/x.png", "x.png/x")
        #expect(below.status == .ambiguous)
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
            (.exact, #"models/t\x%20y.png"#),
            (.percentDecoded, #"models/t\x y.png"#),
            (.backslashes, "models/t/x%20y.png"),
            (.backslashes, "models/t/x y.png"),
            (.bundleRoot, #"t\x%20y.png"#),
            (.bundleRootPercentDecoded, #"t\x y.png"#),
            (.bundleRootBackslashes, "t/x%20y.png"),
            (.bundleRootBackslashes, "t/x y.png"),
            (.baseName, "u/x%20y.png"),
            (.baseName, "u/x y.png"),
        ]
        for index in order.indices {
            let locator = ResourceLocator(container: ResourceList(order[index...].map(\.file)))
            let resolution = locator.resolve(#"t\x%20y.png"#, from: "models/a.dae")
            #expect(resolution.rule == order[index].rule)
            #expect(resolution.path == order[index].file)
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
                "baseName x%20y.png", "baseName x y.png",
            ])
        #expect(resolution.trace.allSatisfy { $0.result == .miss })
        #expect(resolve("x.png", "y.png", from: "a.dae").trace.map(\.rule) == [.exact, .baseName])
    }
}
