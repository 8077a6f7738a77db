import TestSupport
import Testing

@Suite struct CommandNameTests {
    private static let chair = "Fixtures/bundles/chair.zip"

    @Test(arguments: [
        (["inspcet", "model.zip"], "'inspcet' is no command; did you mean inspect?\n"),
        (["info", "model.zip"], "'info' is no command; did you mean inspect?\n"),
        (["Export"], "'Export' is no command; did you mean convert?\n"),
        (["unzip"], "'unzip' is no command; did you mean unpack?\n"), (["frobnicate"], "'frobnicate' is no command.\n"),
        ([chair], "'\(chair)' is no command; one comes before a source: dae inspect '\(chair)'\n"),
        (["Fixtures"], "one comes before a source: dae inspect 'Fixtures'\n"),
        (["not there.dae"], "one comes before a source: dae inspect 'not there.dae'\n"),
        (["-!/a.dae"], "one comes before a source: dae inspect '-!/a.dae'\n"),
        (["https://example.org/a.zip"], "one comes before a source: dae inspect 'https://example.org/a.zip'\n"),
        (["--inspect"], "Unknown option '--inspect'"),
        (["inspect", "--formta", "json"], "Did you mean '--format'?"),
    ])
    func aCommandThatIsNoneIsTold(arguments: [String], words: String) throws {
        let outcome = try Program.run(arguments)
        #expect(outcome.code == 64 && outcome.text.isEmpty)
        #expect(outcome.errors.contains(words), "\(outcome.errors)")
    }

    @Test(arguments: [[], ["help"], ["help", "inspect"], ["--help"], ["--version"], ["cache", "--help"]])
    func whatIsNoCommandOfOursIsUnderstood(arguments: [String]) throws {
        let outcome = try Program.run(arguments)
        #expect(outcome.code == 0 && !outcome.text.isEmpty && outcome.errors.isEmpty)
    }
}
