// dae unpack where users point it, and when it is stopped. What a run needs beyond files is had by unshare and setpriv,
// where the machine has them and lets us.

import Glibc
import TestSupport
import Testing

@Suite struct UnpackCommandTests {
    private let place: TemporaryFolder
    private let chair = Repository.fixtures + "/bundles/chair.zip"

    init() throws {
        place = try TemporaryFolder()
    }

    private func files(_ folder: String = "") throws -> [String] {
        try Repository.files(below: place.path + "/" + folder)
    }

    private func archive(_ count: Int, name: String = "many.zip") throws -> String {
        var zip = ZipBuilder()
        for index in 0..<count { zip.add("f\(index % 10)/\(index).txt", "text") }
        return try place.write(zip.bytes(), to: name)
    }

    /// Whether a command can be run here at all, such as one that needs other rights.
    private static func works(_ words: String...) -> Bool {
        guard Program.isInstalled(words[0]) else { return false }
        return (try? Program.run(Array(words.dropFirst()), program: words[0]))?.code == 0
    }

    // MARK: Where

    @Test func theFolderOneStandsInIsFilledAndNothingInItReplaced() throws {
        try place.write(try Repository.fixture("bundles/chair.zip"), to: "chair.zip")
        let outcome = try Program.run(["unpack", "chair.zip", "-d", "."], folder: place.path)
        #expect(outcome.code == 0, "\(outcome.errors)")
        let after = try files()
        #expect(after.contains("chair.zip") && after.contains { $0.hasSuffix(".dae") })
        let again = try Program.run(["unpack", "chair.zip", "-d", "."], folder: place.path)
        #expect(again.code == 73)
        #expect(again.errors.contains("is there already"))
        #expect(try files() == after)
    }

    @Test func aLinkAndAFileAsFolder() throws {
        mkdir(place.path + "/real", 0o755)
        #expect(symlink("real", place.path + "/link") == 0)
        #expect(try Program.run(["unpack", chair, "-d", place.path + "/link/", "--quiet"]).code == 0)
        #expect(try files("real").contains { $0.hasSuffix(".dae") })
        try place.write("text", to: "file")
        let outcome = try Program.run(["unpack", chair, "-d", place.path + "/file"])
        #expect(outcome.code == 73)
        #expect(outcome.errors.contains("is no folder"))
        #expect(try files().count { !$0.hasPrefix("real") } == 2)
    }

    /// Whether the program, and the folder that tests write to, can be reached by somebody else.
    private static let runsAsNobody = [Program.path, TemporaryFolder.parent].allSatisfy {
        works("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "test", "-x", $0)
    }

    @Test(.enabled(if: runsAsNobody, "nobody else can start dae, or reach the folder for temporary files"))
    func onlyTheFolderItselfMustBeWritable() throws {
        chmod(place.path, 0o755)
        mkdir(place.path + "/open", 0o777)
        chmod(place.path + "/open", 0o777)
        let nobody = ["--reuid=65534", "--regid=65534", "--clear-groups", Program.path, "unpack", chair, "-d"]
        let outcome = try Program.run(nobody + [place.path + "/open"], program: "setpriv")
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(try files("open").contains { $0.hasSuffix(".dae") })
        let before = try files()
        for folder in ["closed", "new"] {
            if folder == "closed" { mkdir(place.path + "/closed", 0o755) }
            let outcome = try Program.run(nobody + [place.path + "/" + folder], program: "setpriv")
            #expect(outcome.code == 73)
            #expect(outcome.errors.contains("Permission denied"))
        }
        #expect(Set(try files()) == Set(before + ["closed"]))
    }

    /// A small disk of its own, mounted for one command.
    @Test(.enabled(if: works("unshare", "-rm", "sh", "-c", "mount -t tmpfs -o size=64k none /mnt")))
    func aMountPointIsFilledAndAFullDiskLeavesNothing() throws {
        mkdir(place.path + "/disk", 0o755)
        let disk = place.path + "/disk"
        var zip = ZipBuilder()
        zip.add("a/small.txt", "text")
        zip.add("a/large.bin", [UInt8](repeating: 7, count: 200_000))
        let large = try place.write(zip.bytes(), to: "large.zip")
        let script = """
            mount -t tmpfs -o size=64k none "$1" && "$2" unpack "$3" -d "$1"; echo "code $?"
            ls -A "$1"; "$2" unpack "$4" -d "$1"; echo "code $?"; ls -A "$1"
            """
        let outcome = try Program.run(
            ["-rm", "sh", "-c", script, "sh", disk, Program.path, large, chair], program: "unshare")
        #expect(outcome.errors.contains("a/large.bin cannot be written: No space left on device"), "\(outcome.errors)")
        #expect(outcome.text == "code 73\n3 files, 17 kB in \(disk)\ncode 0\nchair\n")
    }

    // MARK: The archive's fault

    @Test func aFileAndAFolderOfOneNameAreTheArchivesFault() throws {
        var zip = ZipBuilder()
        zip.add("a/b.txt", "below")
        zip.add("a", "file")
        let path = try place.write(zip.bytes(), to: "a.zip")
        let outcome = try Program.run(["unpack", path, "-d", place.path + "/out"])
        #expect(outcome.code == 4)
        #expect(outcome.errors.contains("[ARCHIVE_INVALID]"))
        #expect(try files() == ["a.zip"])
    }

    @Test func namesThatSteerATerminalAreShownEscaped() throws {
        var zip = ZipBuilder()
        zip.add("red\u{1B}[31m.txt", "text")
        zip.add("two\nlines.txt", "text")
        let path = try place.write(zip.bytes(), to: "a.zip")
        let outcome = try Program.run(["unpack", path, "-d", place.path + "/out"])
        #expect(outcome.code == 0)
        #expect(!outcome.errors.contains("\u{1B}"))
        #expect(outcome.errors.contains(#"red\u{1B}[31m.txt holds control characters [ARCHIVE_NAME_ENCODING]"#))
        #expect(outcome.errors.contains(#"two\nlines.txt holds control characters [ARCHIVE_NAME_ENCODING]"#))
        #expect(try files("out") == ["red\u{1B}[31m.txt", "two\nlines.txt"])
    }

    // MARK: Stopped

    /// Starts to unpack many files, and gives the process once some are written.
    private func startWriting(_ arguments: [String] = [], errors: String = "/dev/null") throws -> pid_t {
        let path = try archive(12_000)
        let child = try Program.start(
            ["unpack", path, "-d", place.path + "/out"] + arguments, errors: errors)
        while try !Repository.files(below: place.path).contains(where: { $0.contains("/files/f9/") }) {
            try #require(kill(child, 0) == 0)
            sched_yield()
        }
        return child
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func oneSignalLeavesNothing(signal: Int32) throws {
        let child = try startWriting()
        kill(child, signal)
        #expect(Program.wait(for: child) == (signal == SIGINT ? 130 : 143))
        #expect(try files() == ["many.zip"])
    }

    @Test func aSecondSignalEndsItAndSaysWhatIsLeft() throws {
        let errors = place.path + "/errors"
        let child = try startWriting(errors: errors)
        kill(child, SIGINT)
        kill(child, SIGTERM)
        let code = Program.wait(for: child)
        #expect(code == 130 || code == 143)
        let said = String(decoding: try Repository.bytes(at: errors), as: UTF8.self)
        let left = try files().filter { $0.hasPrefix(".dae-partial-") && !$0.contains("/") }
        for name in left { #expect(said.contains("\(name) is left"), "\(said)") }
        #expect(left.isEmpty == !said.contains("is left"))
        try unpackAfterwards(removes: left)
    }

    @Test func whatAKilledOneLeftIsRemovedByTheNext() throws {
        let child = try startWriting()
        kill(child, SIGKILL)
        #expect(Program.wait(for: child) == -SIGKILL)
        let left = try files().filter { $0.hasPrefix(".dae-partial-") && !$0.contains("/") }
        #expect(left.count == 1)
        try unpackAfterwards(removes: left)
    }

    private func unpackAfterwards(removes left: [String]) throws {
        let outcome = try Program.run(["unpack", chair, "-d", place.path + "/out"])
        #expect(outcome.code == 0)
        for name in left { #expect(outcome.errors.contains("\(name): left by an unpacking that was killed; removed")) }
        #expect(try files().allSatisfy { !$0.contains("partial") })
    }

    @Test func aForcedOneThatCannotBeDoneReplacesNothing() throws {
        let path = try archive(300)
        #expect(try Program.run(["unpack", path, "-d", place.path + "/out"]).code == 0)
        for index in stride(from: 0, to: 300, by: 7) { try place.write("mine", to: "out/f\(index % 10)/\(index).txt") }
        mkdir(place.path + "/out/f3/x", 0o755)
        var zip = ZipBuilder()
        for index in 0..<300 { zip.add("f\(index % 10)/\(index).txt", "new") }
        zip.add("f3/x", "a file where a folder is")
        let newer = try place.write(zip.bytes(), to: "newer.zip")
        let before = try files()
        let outcome = try Program.run(["unpack", newer, "-d", place.path + "/out", "--force"])
        #expect(outcome.code == 73)
        #expect(try files() == before)
        for index in 0..<300 {
            let bytes = try Repository.bytes(at: place.path + "/out/f\(index % 10)/\(index).txt")
            #expect(bytes == Array((index % 7 == 0 ? "mine" : "text").utf8))
        }
    }
}
