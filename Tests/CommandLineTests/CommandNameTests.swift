import TestSupport
import Testing

@Suite struct CommandNameTests {
    private static let chair = "Fixtures/bundles/chair.zip"

    @Test(arguments: [
        (["inspcet", "model.zip"], "'inspcet' is no command; did you mean inspect?\n"),
        (["frobnicate"], "'frobnicate' is no command.\n"),
        ([chair], "'\(chair)' is no command; a command comes first: dae inspect \(chair)\n"),
        (["https://example.org/a.zip"], "a command comes first: dae inspect https://example.org/a.zip\n"),
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
