import DaeResources
import Testing

/// Rules that read the reference's whole path otherwise than as written.
@Suite struct PathRuleTests {
    // MARK: Unicode

    @Test func composedAndDecomposedLettersAreTheSame() {
        #expect(
            resolve("t/\u{E9}.png", "models/t/e\u{301}.png").outcome
                == found("models/t/e\u{301}.png", .unicodeForm, .likely))
        #expect(resolve("t/e\u{301}.png", "models/t/\u{E9}.png").rule == .unicodeForm)
        #expect(resolve("t/%C3%A9.png", "models/t/e\u{301}.png").rule == .unicodeForm)
        #expect(resolve("\u{AC00}.png", "models/\u{1100}\u{1161}.png").rule == .unicodeForm)
        #expect(resolve("t/\u{E9}.png", "t/e\u{301}.png").rule == .bundleRootUnicodeForm)
        #expect(resolve(#"t\é.png"#, "models/t/e\u{301}.png").rule == .backslashes)
    }

    @Test func lettersThatOnlyLookAlikeAreNotTheSame() {
        #expect(resolve("t/e.png", "models/t/\u{E9}.png").outcome == .missing)
        #expect(resolve("t/a.png", "models/t/\u{430}.png").outcome == .missing)
        let exact = resolve("\u{E9}.png", "models/e\u{301}.png", "models/\u{E9}.png")
        #expect(exact.rule == .exact)
        #expect(exact.path.map { Array($0.utf8) } == Array("models/\u{E9}.png".utf8))
    }

    @Test func aNameWhoseUTF8WasTakenForAnotherEncodingIsAGuess() {
        for file in ["FÃ¼r Ã„rger", "F├╝r ├ärger"] {
            let resolution = resolve("t/Für%20Ärger.png", "models/t/\(file).png")
            #expect(resolution.outcome == found("models/t/\(file).png", .unicodeForm, .guess), "\(resolution)")
            #expect(resolve("t/Für Ärger.png", "t/\(file).png").rule == .bundleRootUnicodeForm)
            #expect(resolve("C:/für ärger.png", "far/off/\(file).png").rule == .baseName)
            // The document has it so, and the file was mended.
            #expect(resolve("t/\(file).png", "models/t/Für Ärger.png").rule == .unicodeForm)
        }
        #expect(resolve("Übung/für.png", "models/Übung/fÃ¼r.png").rule == .unicodeForm)
        #expect(resolve("t/für.png", "models/t/fÃr.png", "models/t/f¼r.png").outcome == .missing)
        let both = resolve("t/für.png", "models/t/fÃ¼r.png", "models/t/f├╝r.png")
        #expect(both.status == .ambiguous)
    }

    // MARK: Machines' paths

    @Test(arguments: [
        #"C:t\x.png"#, "C:t/x.png", "/C:t/x.png", "file://t/x.png", "file:t/x.png", #"file:t\x.png"#,
        "file://t%2Fx.png",
        "c%3At%5Cx.png", #"file:C:t\x.png"#,
    ])
    func aDriveOrFileAddressWithARelativePathIsReadAgainstTheDocument(reference: String) {
        let resolution = resolve(reference, "models/t/x.png")
        #expect(resolution.outcome == found("models/t/x.png", .machinePath, .likely), "\(resolution)")
        #expect(resolution.isAbsolute)
        #expect(resolve(reference, "models/t/y.png").outcome == .missing)
    }

    @Test(arguments: [
        "C:/t/x.png", #"C:\t\x.png"#, "/C:/t/x.png", #"/C:\t\x.png"#, "file:///C:/t/x.png", #"file:///C:\t\x.png"#,
        #"file://C:\t\x.png"#, #"file://G:\t\x.png"#, "file:///t/x.png", "file://localhost/t/x.png",
        "file:///C%3A/t/x.png", #"file:\\\t\x.png"#,
    ])
    func aDriveOrFileAddressWithAnAbsolutePathIsReadAgainstTheTop(reference: String) {
        let resolution = resolve(reference, "t/x.png", "models/t/y.png")
        #expect(resolution.outcome == found("t/x.png", .bundleRootMachinePath, .likely), "\(resolution)")
        #expect(resolution.isAbsolute)
    }

    @Test func aNameWithAColonIsNoDrive() {
        #expect(resolve("ab:t/x.png", "models/t/x.png").rule == .baseName)
        #expect(resolve("ab:t/x.png", "models/ab:t/x.png").rule == .exact)
        #expect(resolve("1:t/x.png", "models/1:t/x.png", "models/t/x.png").rule == .exact)
    }

    // MARK: Case

    @Test func upperAndLowerCaseAreTheSameInEveryReading() {
        #expect(resolve("T/X.PNG", "models/t/x.png").outcome == found("models/t/x.png", .caseFolded, .likely))
        #expect(resolve("t/x%20y.PNG", "models/T/X Y.png").rule == .caseFolded)
        #expect(resolve(#"T\x.png"#, "models/t/x.png").rule == .caseFolded)
        #expect(resolve("file://X.png", "models/x.png").rule == .caseFolded)
        #expect(resolve("t/\u{C9}.png", "models/t/e\u{301}.png").rule == .caseFolded)
        #expect(resolve("../TEX/x.png", "tex/x.png").rule == .caseFolded)
        #expect(resolve("T/x.png", "t/x.png").outcome == found("t/x.png", .bundleRootCaseFolded, .likely))
    }

    @Test func caseIsFoldedAsUnicodeHasItBeyondASCII() {
        let pairs = [
            ("STRASSE", "straße"), ("straße", "STRASSE"), ("STRAẞE", "strasse"), ("ÄÖÜ", "äöü"), ("ΟΔΟΣ", "οδος"),
            ("ДОМ", "дом"), ("ﬁn", "FIN"), ("\u{212A}", "k"), ("a\u{308}", "Ä"),
        ]
        for (reference, file) in pairs {
            let resolution = resolve("t/\(reference).png", "models/T/\(file).png")
            #expect(resolution.outcome == found("models/T/\(file).png", .caseFolded, .likely), "\(resolution)")
            #expect(resolve("/lost/\(reference).png", "far/off/\(file).png").rule == .baseName)
            #expect(resolve("/lost/\(reference).tga", "far/off/\(file).png").rule == .otherExtension)
        }
        // A Turkish I is another letter with or without its dot.
        for (reference, file) in [("İ", "i"), ("ı", "I"), ("I", "ı"), ("i", "İ"), ("ss", "s"), ("ß", "s")] {
            #expect(resolve("t/\(reference).png", "models/t/\(file).png").outcome == .missing, "\(reference)")
        }
    }

    @Test func ofTwoPathsThatDifferInCaseAloneNoneIsTakenForAThird() {
        let resolution = resolve("t/x.png", "models/T/x.png", "models/t/X.png")
        #expect(
            resolution.outcome
                == .ambiguous(paths: ["models/T/x.png", "models/t/X.png"], count: 2, rule: .caseFolded))
        #expect(resolve("t/x.png", "models/T/x.png", "models/t/x.png").rule == .exact)
        #expect(resolve("t/x.png", "models/tt/x.png").rule == .baseName)
    }

    // MARK: The end of the path

    @Test func theEndOfAPathIsFoundBelowTheDocumentsFolderAndThoseAround() {
        let reference = #"C:\Users\me\robot\textures\arm\x.png"#
        #expect(
            resolve(reference, "models/textures/arm/x.png").outcome
                == found("models/textures/arm/x.png", .ancestorSuffix, .likely))
        #expect(resolve(reference, "textures/arm/x.png").rule == .ancestorSuffix)
        #expect(resolve(reference, "models/arm/x.png").rule == .ancestorSuffix)
        #expect(resolve("/home/me/a%20b/x.png", "models/a b/x.png").rule == .ancestorSuffix)
        #expect(resolve("../../out/tex/x.png", "models/tex/x.png").rule == .ancestorSuffix)
        #expect(resolve(#"\\server\share\tex\x.png"#, "models/tex/x.png").rule == .ancestorSuffix)
        #expect(resolve("file:////server/share/tex/x.png", "models/tex/x.png").rule == .ancestorSuffix)
    }

    @Test func theLongestEndWinsAndTheNearestFolder() {
        let reference = "/p/q/tex/x.png"
        let longest = resolve(reference, "models/tex/x.png", "q/tex/x.png")
        #expect(longest.path == "q/tex/x.png")
        let nearest = resolve(reference, "tex/x.png", "models/tex/x.png")
        #expect(nearest.path == "models/tex/x.png")
    }

    @Test(arguments: [#"C:\art\wood.png"#, "/home/x/wood.png", "file:///C:/art/wood.png", "../lost/wood.png"])
    func whatLiesBesideTheDocumentComesBeforeFoldersOfTextures(reference: String) {
        for folder in ["maps", "textures", "models/textures", "images"] {
            let resolution = resolve(reference, "\(folder)/wood.png", "models/wood.png")
            #expect(resolution.outcome == found("models/wood.png", .ancestorSuffix, .likely), "\(resolution)")
        }
        // Two parts of the path are more than the name alone.
        let art = resolve(#"C:\work\art\wood.png"#, "art/wood.png", "models/wood.png")
        #expect(art.path == "art/wood.png")
        let document = resolve(#"C:\art\part.dae"#, "maps/part.dae", "models/part.dae", as: .document)
        #expect(document.path == "models/part.dae")
    }

    @Test func aNameAloneIsNoEndOfAPath() {
        #expect(resolve("/p/q/x.png", "models/deep/x.png").rule == .baseName)
        #expect(
            resolve("/p/q/x.png", "models/r/x.png", "z/q/x.png").outcome == found("models/r/x.png", .baseName, .guess))
        #expect(resolve("q/../x.png", "u/q/x.png").rule == .baseName)
    }
}
