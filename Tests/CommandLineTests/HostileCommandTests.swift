import FoundationEssentials
import TestSupport
import Testing

/// What a person sees of hostile archives: the code and the exit code, and never a crash.
@Suite struct HostileCommandTests {
    @Test(.enabled(if: Program.isInstalled("python3")))
    func everyHostileArchiveIsRefusedWithItsCodeAndExitCode() throws {
        let folder = try TemporaryFolder()
        let outcome = try Program.run(
            [folder.path + "/set", "--run", Program.path], program: Repository.root + "/scripts/tools/make-hostile")
        #expect(outcome.code == 0, "\(outcome.text)\(outcome.errors)")
        #expect(outcome.text.contains(" archives, 0 not as expected"))
    }

    @Test(.enabled(if: Program.isInstalled("python3")))
    func unpackingAHostileArchiveWritesNothingOutsideItsFolder() throws {
        let folder = try TemporaryFolder()
        let set = folder.path + "/set"
        #expect(try Program.run([set], program: Repository.root + "/scripts/tools/make-hostile").code == 0)
        let before = try Repository.files(below: folder.path)
        var refused = 0
        for name in before where name.hasPrefix("set/") && !name.hasSuffix(".tsv") {
            // Those of many files are many writes, and their names are like the others.
            if name.contains("opens-65") || name.contains("opens-200") { continue }
            let target = folder.path + "/target"
            let outcome = try Program.run(["unpack", folder.path + "/" + name, "-d", target, "--quiet"])
            #expect(outcome.code >= 0, "\(name): signal \(-outcome.code)")
            let added = try Set(Repository.files(below: folder.path)).subtracting(before)
            if outcome.code == 0 {
                #expect(added.allSatisfy { $0 == "target" || $0.hasPrefix("target/") }, "\(name)")
                try FileManager.default.removeItem(atPath: target)
            } else {
                refused += 1
                #expect(added.isEmpty, "\(name) left \(added.prefix(3))")
            }
        }
        #expect(refused >= 60, "\(refused) refused")
    }
}
