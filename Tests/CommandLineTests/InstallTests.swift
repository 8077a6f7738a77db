import FoundationEssentials
import TestSupport
import Testing

/// `scripts/install`, with the programs that are tested as those that were built.
@Suite struct InstallTests {
    private let place: TemporaryFolder
    private static let prefix = "/opt/daedalus"
    private static let ofDae = [
        "bin/dae", "share/bash-completion/completions/dae", "share/fish/vendor_completions.d/dae.fish",
        "share/zsh/site-functions/_dae",
    ]
    private static let ofService = [
        "bin/daed", "lib/systemd/system/daed.service", "lib/systemd/system/daed.socket", "lib/sysusers.d/daed.conf",
        "share/bash-completion/completions/daed", "share/fish/vendor_completions.d/daed.fish",
        "share/zsh/site-functions/_daed",
    ]

    /// A checkout in which both programs are links: what was just written cannot be run while a child of another test
    /// still has it open. Any program will do as daed that makes its own completions.
    init() throws {
        place = try TemporaryFolder()
        let files = FileManager.default
        let built = place.path + "/checkout/.build/daedalus"
        try files.createDirectory(atPath: built, withIntermediateDirectories: true)
        try files.copyItem(atPath: Repository.root + "/scripts", toPath: place.path + "/checkout/scripts")
        for name in ["dae", "daed"] {
            try files.createSymbolicLink(atPath: "\(built)/\(name)", withDestinationPath: Program.path)
        }
    }

    private func install(_ arguments: [String], prefix: String = prefix) throws -> Program.Outcome {
        try Program.run(
            [place.path + "/checkout/scripts/install"] + arguments,
            environment: [
                "DAE_NO_BUILD": "1", "DESTDIR": place.path + "/root", "PREFIX": prefix, "HOME": place.path,
            ], folder: place.path, program: "/bin/bash")
    }

    /// The files below the prefix, but for the list of them.
    private func installed() throws -> [String] {
        let root = place.path + "/root" + Self.prefix
        guard FileManager.default.fileExists(atPath: root) else { return [] }
        return try Repository.files(below: root).filter { name in
            (try? FileManager.default.contentsOfDirectory(atPath: "\(root)/\(name)")) == nil
                && name != "share/daedalus/installed.txt"
        }
    }

    private func text(_ name: String) throws -> String {
        String(decoding: try Repository.bytes(at: place.path + "/root" + Self.prefix + "/" + name), as: UTF8.self)
    }

    @Test func daeAloneIsInstalledWhereNothingElseIsSaid() throws {
        let outcome = try install([])
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(try installed() == Self.ofDae)
        #expect(try text("share/bash-completion/completions/dae").contains("complete "))
        #expect(try Repository.files(below: place.path + "/root").allSatisfy { $0.hasPrefix("opt") })
        #expect(FileManager.default.isExecutableFile(atPath: place.path + "/root\(Self.prefix)/bin/dae"))
    }

    @Test func theServiceComesWithAUnitThatNamesItsProgram() throws {
        let outcome = try install(["--service"])
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(try installed() == (Self.ofDae + Self.ofService).sorted())
        let unit = try text("lib/systemd/system/daed.service")
        #expect(unit.contains("\nExecStart=\(Self.prefix)/bin/daed serve "), "\(unit)")
        #expect(!unit.contains("/usr/local/"), "\(unit)")
        #expect(try text("lib/sysusers.d/daed.conf").contains("\nu daed "))
    }

    @Test func theViewerComesWhereItWasFetched() throws {
        let files = ["LICENSE", "three.js"]
        for name in files { _ = try place.write(name, to: "checkout/.build/daedalus/viewer/\(name)") }
        #expect(try install([]).code == 0)
        #expect(try installed() == Self.ofDae)
        #expect(try install(["--service"]).code == 0)
        let viewer = files.map { "share/daed/viewer/\($0)" }
        #expect(try installed() == (Self.ofDae + Self.ofService + viewer).sorted())
        for name in files { #expect(try text("share/daed/viewer/\(name)") == name) }
        #expect(try install(["--uninstall"]).code == 0)
        #expect(!FileManager.default.fileExists(atPath: place.path + "/root\(Self.prefix)/share/daed"))
    }

    @Test func aServiceIsRenewedWithDaeAndGoesWithIt() throws {
        #expect(try install(["--service"]).code == 0)
        let unit = "lib/systemd/system/daed.service"
        _ = try place.write("old", to: "root\(Self.prefix)/\(unit)")
        #expect(try install([]).code == 0)
        #expect(try text(unit).contains("ExecStart="))
        #expect(try install(["--uninstall"]).code == 0)
        #expect(try installed() == [])
    }

    @Test func aPrefixThatCannotBeUsedIsRefusedBeforeAnythingIsPutInPlace() throws {
        #expect(try install([], prefix: "opt").code == 64)
        let outcome = try install(["--service"], prefix: "/opt/a b")
        #expect(outcome.code == 64)
        #expect(outcome.errors.contains("/opt/a b"), "\(outcome.errors)")
        #expect(try Repository.files(below: place.path).allSatisfy { !$0.hasSuffix("bin/dae") })
    }

    @Test func withoutABuildNothingThatIsMissingIsInstalled() throws {
        try FileManager.default.removeItem(atPath: place.path + "/checkout/.build/daedalus/daed")
        let outcome = try install(["--service"])
        #expect(outcome.code == 69)
        #expect(outcome.errors.contains("daed was not built yet"), "\(outcome.errors)")
        #expect(try installed() == [])
    }
}
