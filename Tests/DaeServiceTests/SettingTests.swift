import TestSupport
import Testing

@testable import DaeService

/// Where settings come from, and what is refused.
@Suite struct SettingTests {
    private func resolve(
        _ flags: [String] = [], _ environment: [String: String] = [:]
    ) throws -> ResolvedSettings {
        try SettingSources(flags: SettingFlags(flags), environment: environment).resolve()
    }

    private func file(_ text: String) throws -> (TemporaryFolder, String) {
        let folder = try TemporaryFolder()
        return (folder, try folder.write(text, to: "config.json"))
    }

    @Test func aFlagStandsAboveAVariableAndAVariableAboveTheFile() throws {
        let (folder, path) = try file(#"{"port": 1, "workers": 3, "queue-limit": 7}"#)
        let resolved = try resolve(["--port=3"], ["DAED_PORT": "2", "DAED_WORKERS": "4", "DAED_CONFIG": path])
        #expect(resolved.settings.port == 3)
        #expect(resolved.settings.workers == 4)
        #expect(resolved.settings.queueLimit == 7)
        let origins = ["port", "workers", "queue-limit", "burst"].map { key in
            SettingTable.setting(key).map(resolved.origin)
        }
        #expect(origins == [.flag, .variable, .file, .standard])
        withExtendedLifetime(folder) {}
    }

    @Test func listsComeInEveryForm() throws {
        let (folder, path) = try file(#"{"public-host": ["a.example", "b.example"]}"#)
        #expect(try resolve(["--config", path]).settings.publicHosts == ["a.example", "b.example"])
        #expect(try resolve([], ["DAED_PUBLIC_HOST": "c.example,d.example"]).settings.publicHosts.count == 2)
        let flags = try resolve(["--public-host", "e.example", "--public-host", "f.example"])
        #expect(flags.settings.publicHosts == ["e.example", "f.example"])
        withExtendedLifetime(folder) {}
    }

    @Test(arguments: [
        (["--prot", "1"], "'--prot' is no option of this command. Did you mean '--port'?"),
        (["--port"], "--port needs a value."), (["--port", "x"], "--port is 'x'; expected a number."),
        (["--port", "65536"], "--port is 65536; expected 0 to 65535."),
        (["serve"], "'serve' is no option of this command."),
        (
            ["--log-level", "loud"],
            "--log-level is 'loud'; expected trace, debug, info, notice, warning, error or critical."
        ),
        (["--access-log", "yes"], "--access-log is 'yes'; expected on or off."),
        (["--s3-addressing", "host"], "--s3-addressing is 'host'; expected auto, path or virtual-host."),
        (["--metrics-port", "on"], "--metrics-port is 'on'; expected a number, or off."),
        (["--metrics-port", "70000"], "--metrics-port is 70000; expected 0 to 65535, or off."),
        (["--cors-origin", "*"], "--cors-origin is '*'; expected one such as https://example.org."),
    ])
    func flagsThatCannotBeUsedAreRefused(_ flags: [String], _ text: String) {
        #expect(throws: SettingError(text)) { try resolve(flags) }
    }

    /// Beside a service called daed, each container has these.
    @Test func variablesThatKubernetesSetsAreNoSettings() throws {
        let resolved = try resolve(
            [],
            [
                "DAED_PORT": "tcp://10.0.0.7:8080", "DAED_SERVICE_HOST": "10.0.0.7", "DAED_SERVICE_PORT": "8080",
                "DAED_PORT_8080_TCP": "tcp://10.0.0.7:8080", "DAED_PORT_8080_TCP_ADDR": "10.0.0.7", "DAED_WORKERS": "3",
            ])
        #expect(resolved.settings.port == ServiceSettings().port)
        #expect(resolved.settings.workers == 3)
    }

    @Test func aVariableThatNobodyKnowsIsRefused() {
        #expect(throws: SettingError("DAED_WORKER is no variable of this program. Did you mean 'DAED_WORKERS'?")) {
            try resolve([], ["DAED_WORKER": "1"])
        }
        #expect(throws: SettingError("DAED_PORT is 'x'; expected a number.")) { try resolve([], ["DAED_PORT": "x"]) }
    }

    @Test(arguments: [
        ("{\n\"prot\": 1}", "f:2: there is no setting 'prot'. Did you mean 'port'?"),
        ("{\"port\": 1,\n\n\"port\": 2}", "f:3: 'port' stands here twice."),
        ("{\"port\": [\"1\"]}", "f:1: port: expected one value."),
        ("{\"public-host\": \"a\"}", "f:1: public-host: expected an array of texts."),
        ("{\"port\": true}", "f:1: port: expected a text, a whole number or an array of texts."),
        ("{\"port\": 1} 2", "f:1: nothing more is expected here."),
        ("{\"data\": \"a\nb\"}", "f:1: a text is not closed, or holds a control character."),
        ("", "f:1: the text ends where a value is expected."),
        ("[]", "f:1: expected {."),
        (
            "{\"port\": 99999999999999999999}",
            "f:1: port: expected a text, a whole number or an array of texts."
        ),
    ])
    func aFileThatCannotBeUsedIsRefusedWithItsLine(_ text: String, _ message: String) {
        #expect(throws: SettingError(message)) { try SettingFile.entries(Array(text.utf8), "f") }
    }

    @Test func aTextOfAFileIsTakenAsItIs() throws {
        let entries = try SettingFile.entries(Array(#"{ "data" : " a \"b\" \\ ä" }"#.utf8), "f")
        #expect(entries.map(\.words) == [[#" a "b" \ ä"#]])
        #expect(try SettingFile.entries(Array("{}\n".utf8), "f").isEmpty)
    }

    @Test func everySettingSaysWhatItIs() {
        #expect(Set(SettingTable.all.map(\.key)).count == SettingTable.all.count)
        for setting in SettingTable.all { #expect(SettingTable.help.contains("--\(setting.key) <")) }
    }

    @Test(arguments: [
        ("max 100000\n", nil), ("200000 100000\n", 2), ("150000 100000", 2), ("50000 100000\n", 1), ("1 1\n", 1),
        ("0 100000", nil), ("-1 100000", nil), ("100000 0", nil), ("100000", nil), ("", nil),
        ("9223372036854775807 1", Int.max),
    ])
    func aControlGroupsTimeIsCountedInProcessors(_ text: String, _ count: Int?) {
        #expect(ProcessorCount.quota(in: text) == count)
    }

    @Test func workersAreAsManyAsProcessors() throws {
        #expect(ProcessorCount.usable >= 1)
        #expect(try resolve().settings.workers == min(16, max(2, ProcessorCount.usable)))
    }

    // MARK: - The program

    @Test func theLogHoldsNoLessThanWasAskedFor() throws {
        let folder = try TemporaryFolder()
        let service = try ServiceProcess(data: folder.path)
        // It listens, and then finds the other port taken.
        let arguments = ["serve", "--data", folder.path + "/b", "--port", "0", "--metrics-port", "\(service.port)"]
        for (level, isTold) in [("info", true), ("warning", false)] {
            let run = try ServiceProcess.run(arguments + ["--log-level", level])
            #expect(run.code == 69)
            #expect(run.errors.contains("\"message\":\"listening\"") == isTold, "\(run.errors)")
        }
    }

    @Test func theProgramPrintsWhatHolds() throws {
        let (folder, path) = try file(#"{"workers": 3}"#)
        let run = try Program.run(
            ["config", "--port", "1", "--format", "json"],
            environment: ["DAED_CONFIG": path, "DAED_BURST": "9"], program: ServiceProcess.program)
        #expect(run.code == 0)
        let rows = try JSONNode(parsing: run.output)["settings"]?.elements ?? []
        let origins = Dictionary(
            uniqueKeysWithValues: rows.map { ($0["key"]?.string ?? "", $0["origin"]?.string ?? "") })
        #expect(origins["port"] == "flag")
        #expect(origins["burst"] == "variable")
        #expect(origins["workers"] == "file")
        #expect(origins["queue-limit"] == "default")
        let text = try Program.run(["config"], environment: ["DAED_CONFIG": path], program: ServiceProcess.program).text
        #expect(text.contains("workers"))
        #expect(text.contains("3  (file)"))
        withExtendedLifetime(folder) {}
    }

    @Test func theProgramRefusesWhatItDoesNotKnow() throws {
        let run = try Program.run(
            ["serve", "--port", "0"], environment: ["DAED_PROT": "1"], program: ServiceProcess.program)
        #expect(run.code == 64)
        #expect(run.errors.contains("Did you mean 'DAED_PORT'?"))
        let help = try Program.run(["serve", "--help"], program: ServiceProcess.program)
        #expect(help.code == 0)
        #expect(help.text.contains("--worker-memory <bytes>"))
    }
}
