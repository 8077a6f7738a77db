import DaeDiagnostics
import DaeDownload
import FoundationEssentials
import Testing

@testable import DaePipeline

@Suite(.timeLimit(.minutes(10))) struct SourceTests {
    // MARK: - What cannot be reached

    @Test(arguments: [
        ("/dev/null/below/a.dae", FindingCode.sourceNotFound, "/dev/null/below/a.dae: no such file or folder"),
        ("/none/" + String(repeating: "x", count: 5_000), .ioError, ": File name too long"),
        (
            "ftp://ada:s3cret@host/a.dae", .sourceNotFound,
            "ftp://host/a.dae: addresses of ftp:// are not read; expected http://, https:// or file://"
        ),
    ])
    func whatIsMissingAndWhatCannotBeLookedAtAreToldApart(path: String, code: FindingCode, ending: String) async throws
    {
        let pipeline = AssetPipeline(operations: .live())
        let id = try await pipeline.perform(.add(source: path))
        await pipeline.coordinator(of: id).start()
        let failure = try #require(await pipeline.state(of: id)?.failure)
        #expect(failure.stage == .download)
        #expect(failure.code == code)
        #expect(failure.message.hasSuffix(ending), "\(failure.message.suffix(80))")
    }

    // MARK: - What a text means

    @Test(
        arguments: [
            ("-", .standardInput, nil), ("-!/a.png", .standardInput, "a.png"),
            ("-!/b.zae!/c.dae", .standardInput, "b.zae!/c.dae"), ("-x", .path("-x"), nil),
            ("a.zip", .path("a.zip"), nil), ("a.zip!/b.zae!/c.dae", .path("a.zip"), "b.zae!/c.dae"),
            ("odd!/a.zip!/c.dae", .path("odd!/a.zip"), "c.dae"), ("odd!/a.zip", .path("odd!/a.zip"), nil),
            ("none.zip!/a.dae", .path("none.zip!/a.dae"), nil), ("a.zip!/", .path("a.zip"), ""),
            ("http://h/a.zip!/b.zae!/c.dae", .url("http://h/a.zip"), "b.zae!/c.dae"),
            ("https://h/a.zip", .url("https://h/a.zip"), nil), ("HTTP://h/a!/", .url("HTTP://h/a"), ""),
            ("file:///m/a%20b.zip", .path("/m/a b.zip"), nil),
            ("FILE://LocalHost/m/a%20b.zip?q#sha256=0!/c%20d.dae", .path("/m/a b.zip"), "c%20d.dae"),
            ("file:///m/a%20b.zip!/c.zae!/d.dae", .path("/m/a b.zip"), "c.zae!/d.dae"),
            ("file:///m/odd%21/e.zip", .path("/m/odd!/e.zip"), nil), ("file:///none.dae", .path("/none.dae"), nil),
            ("file://host/m/a.zip", .path("file://host/m/a.zip"), nil), ("file://", .path("file://"), nil),
            ("file:///m/a%2.zip", .path("/m/a%2.zip"), nil), ("file:///m/a%00", .path("/m/a%00"), nil),
            ("file:///m/%FF", .path("/m/%FF"), nil),
        ] as [(String, SourceAddress.Location, String?)])
    func aSourceIsSplitFromItsEntry(text: String, location: SourceAddress.Location, entry: String?) {
        let source = SourceAddress(text) {
            ["a.zip", "odd", "odd!/a.zip", "/m/a b.zip", "/m/odd!/e.zip"].contains($0)
        }
        #expect(source.location == location)
        #expect(source.entry == entry)
    }

    @Test func aPathThatExistsWinsOverStandardInput() {
        #expect(SourceAddress("-!/a.png") { $0 == "-!/a.png" }.location == .path("-!/a.png"))
    }

    @Test func anEntryIsAddressedBehindOneMark() {
        #expect(SourceAddress.address(of: "b.dae", in: "a.zip") == "a.zip!/b.dae")
        #expect(SourceAddress.address(of: "b.dae", in: "a.zip!/") == "a.zip!/b.dae")
        #expect(SourceAddress.address(of: "b.dae", in: "a.zip!/c.zae!/") == "a.zip!/c.zae!/b.dae")
    }

    // MARK: - What is shown

    @Test(arguments: [
        ("http://user:secret@h/x", "http://h/x"), ("https://user@h:80/x!/a@b", "https://h:80/x!/a@b"),
        ("HTTP://u:p@q@h?x#y", "HTTP://h?x#y"), ("http://u:se/cret@h/x", "http://h/x"), ("http://u:p@", "http://"),
        ("http://u:p@[::1]:80/x", "http://[::1]:80/x"), ("ftp://u:p@h/x", "ftp://h/x"),
        ("http://[::1]/@x", "http://[::1]/@x"), ("http://h:80/@x", "http://h:80/@x"),
        ("http://h/x?a@b", "http://h/x?a@b"),
        ("http://h/http://u:p@h", "http://h/http://u:p@h"), ("a/b://c@d", "a/b://c@d"), ("me@home.dae", "me@home.dae"),
        ("-", "-"), ("", ""), ("://a@b", "://a@b"),
    ])
    func anAddressIsShownWithoutUserAndPassword(text: String, shown: String) {
        #expect(SourceAddress.display(text) == shown)
    }

    private static let secret = "http://ada:s3cret@host/a.zip"

    @Test func nothingThatIsShownOfAStateHasAPassword() {
        for state in [AssetState.downloading(.first), .failed(.init(.download, .cancelled, .resume, of: .first))] {
            #expect(!AssetStatePresentation(state, source: Self.secret).line.contains("s3cret"))
        }
        let shown = AssetStatePresentation(.downloading(.first), source: Self.secret)
        #expect(shown.line.contains("http://host/a.zip"))
    }

    /// What a state carries has no part of the source, so that an attempt that follows a failure has the whole address.
    @Test func anAttemptThatIsTakenUpAgainIsGivenThePassword() async throws {
        let given = Notes<String>()
        var operations = AssetOperations.succeeding()
        operations.stages.download = { source, _, _ in
            given.add(source.text)
            return Sample.file("a.zip")
        }
        let failed = AssetState.failed(.init(.download, .cancelled, .resume, of: .first))
        let kept = try JSONDecoder().decode(AssetState.self, from: try JSONEncoder().encode(failed))
        let pipeline = AssetPipeline(operations: operations)
        let id = AssetID.random()
        try await pipeline.restore(kept, source: .typed(Self.secret), as: id)
        try await pipeline.perform(.retry(id))
        #expect(await pipeline.outcome(of: id)?.isReady == true)
        #expect(given.all == [Self.secret])
    }

    @Test func aDownloadIsGivenThePasswordThatItsOutcomeDoesNotShow() async throws {
        var operations = AssetOperations.succeeding()
        let given = Notes<String>()
        operations.stages.download = { source, _, _ in
            given.add(source.text)
            return AssetFile(name: "a.zip", location: .path("a"), input: source.text)
        }
        let files = Notes<String>()
        let parse = operations.stages.parse
        operations.stages.parse = { state, file, bundle, report in
            files.add(file.input)
            return try await parse(state, file, bundle, report)
        }
        let outcomes = Notes<BatchCoordinator.Outcome>()
        let pipeline = AssetPipeline(operations: operations)
        await BatchCoordinator([.typed(Self.secret)], in: pipeline, atMost: 1) { outcomes.add($0) }.start()
        #expect(given.all == [Self.secret])
        #expect(files.all == ["http://host/a.zip"])
        #expect(outcomes.all.map(\.source) == ["http://host/a.zip"])
    }
}
