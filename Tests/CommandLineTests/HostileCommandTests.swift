import TestSupport
import Testing

/// What a person sees of hostile archives: the code and the exit code, and never a crash.
@Suite struct HostileCommandTests {
    @Test(.enabled(if: Program.isInstalled("python3")))
    func everyHostileArchiveIsRefusedWithItsCodeAndExitCode() throws {
        let folder = try TemporaryFolder()
        let outcome = try Program.run(
            [folder.path + "/set", "--run", Program.path], program: Repository.root + "/scripts/make-hostile")
        #expect(outcome.code == 0, "\(outcome.text)\(outcome.errors)")
        #expect(outcome.text.contains(" archives, 0 not as expected"))
    }
}
