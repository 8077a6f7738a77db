import FoundationEssentials
import TestSupport
import Testing

/// The files by which the service is run elsewhere: the unit of systemd, the image of a container, the workflows.
@Suite struct DeploymentTests {
    /// `$DAED_BINARY`, else what the package built beside the tests; where only these were built there is none.
    private static let service: String = {
        if let given = Repository.environment("DAED_BINARY"), !given.isEmpty { return given }
        return Repository.root + "/.build/debug/daed"
    }()
    private static let isBuilt = FileManager.default.isExecutableFile(atPath: service)

    private static func text(_ name: String) throws -> String {
        String(decoding: try Repository.bytes(at: "\(Repository.root)/\(name)"), as: UTF8.self)
    }

    /// What follows a word at the beginning of a line; a line that ends with a backslash goes on.
    private static func values(of word: String, in name: String) throws -> [String] {
        let text = try text(name).replacing(/\\\n */, with: "")
        return text.split(separator: "\n").filter { $0.hasPrefix(word) }.map { String($0.dropFirst(word.count)) }
    }

    private static func value(of word: String, in name: String) throws -> String {
        try #require(try values(of: word, in: name).last, "\(word) in \(name)")
    }

    /// Runs the service with nothing in its environment but what is given.
    private static func run(_ arguments: [String], _ environment: [String: String] = [:]) throws -> Program.Outcome {
        try Program.run(
            ["-i"] + environment.map { "\($0.key)=\($0.value)" } + [service] + arguments, program: "/usr/bin/env")
    }

    /// Seconds that a stop may take by itself.
    private static func stopSeconds() throws -> Int {
        let settings = try JSONNode(parsing: run(["config", "--format", "json"]).output)
        let stop = settings["settings"]?.elements.first { $0["key"]?.string == "stop-timeout" }
        return try #require(stop?["value"]?.number.map { Int($0) })
    }

    @Test(.enabled(if: isBuilt)) func theUnitStartsWhatTheServiceKnows() throws {
        let unit = "scripts/service/daed.service"
        let words = try Self.value(of: "ExecStart=", in: unit).split(separator: " ").map(String.init)
        #expect(words.prefix(2) == ["/usr/local/bin/daed", "serve"])
        let folder = try TemporaryFolder()
        // Where settings are wrong `config` ends as `serve` would.
        let options = words.dropFirst(2).map { $0 == "${STATE_DIRECTORY}" ? folder.path : $0 }
        let outcome = try Self.run(["config"] + options)
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.text.contains("\(folder.path)  (flag)"), "\(outcome.text)")
        // A stop ends by itself three seconds behind its time at the latest.
        let patience = try #require(Int(try Self.value(of: "TimeoutStopSec=", in: unit)))
        #expect(patience > (try Self.stopSeconds()) + 3)
        let user = try Self.value(of: "User=", in: unit)
        #expect(try Self.value(of: "u ", in: "scripts/service/daed.sysusers").hasPrefix("\(user) "))
        #expect(try Self.value(of: "StateDirectory=", in: unit) == "daed")
    }

    @Test(.enabled(if: isBuilt)) func theImageStartsAndAsksWhatTheServiceKnows() throws {
        let image = "Containerfile"
        func words(_ text: String) throws -> [String] {
            try JSONNode(parsing: Array(text.utf8)).elements.compactMap(\.string)
        }
        #expect(try words(Self.value(of: "ENTRYPOINT ", in: image)) == ["daed"])
        #expect(try words(Self.value(of: "CMD ", in: image)) == ["serve"])
        let variables = try Self.value(of: "ENV ", in: image).split(separator: " ").map {
            $0.split(separator: "=").map(String.init)
        }
        let environment = Dictionary(uniqueKeysWithValues: variables.map { ($0[0], $0[1]) })
        let outcome = try Self.run(["config"], environment)
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.text.split(separator: "\n").count { $0.hasSuffix("(variable)") } == variables.count)
        #expect(environment["DAED_DATA"] == (try Self.value(of: "VOLUME ", in: image)))
        // Nobody listens at that port: what it is told is understood, and the answer is no.
        let check = try Self.value(of: "HEALTHCHECK ", in: image).split(separator: "CMD ", maxSplits: 1)
        let command = try words(String(try #require(check.last)))
        #expect(command.first == "daed")
        let health = try Self.run(Array(command.dropFirst()), environment.merging(["DAED_PORT": "1"]) { $1 })
        #expect(health.code == 1, "\(health.errors)")
        #expect(health.errors.hasPrefix("daed: port 1: "), "\(health.errors)")
    }

    @Test(.enabled(if: isBuilt)) func aContainerHasTheTimeThatAStopTakes() throws {
        let lines = try Self.text("compose.yaml").split(separator: "\n").map { $0.drop { $0 == " " } }
        let grace = try #require(lines.first { $0.hasPrefix("stop_grace_period: ") })
        let seconds = try #require(Int(grace.dropFirst("stop_grace_period: ".count).dropLast()))
        #expect(seconds > (try Self.stopSeconds()) + 3)
    }

    @Test func whatWorkflowsAndTheImageRunIsThere() throws {
        let workflows = try Repository.files(below: Repository.root + "/.github/workflows").map {
            ".github/workflows/\($0)"
        }
        #expect(workflows.count >= 4)
        for name in workflows + ["Containerfile"] {
            let named = try Self.text(name).matches(of: /(?:^|[ (])((?:scripts\/|\.ci\/)[a-z\/-]+)/).map {
                String($0.1)
            }
            for path in named {
                #expect(FileManager.default.fileExists(atPath: "\(Repository.root)/\(path)"), "\(path)")
            }
        }
    }

    private static let readsYAML = (try? Program.run(["-c", "import yaml"], program: "python3"))?.code == 0

    /// Each workflow may read alone, where a job of it does not say more, has one run at a time, an end of each job, and
    /// GitHub's own actions by their major version.
    @Test(.enabled(if: readsYAML), arguments: ["docs", "api", "release", "test"])
    func workflowsAreBounded(_ name: String) throws {
        let script = """
            import re, sys, yaml
            flow = yaml.safe_load(open(sys.argv[1]))
            assert flow["permissions"] == {"contents": "read"}, "permissions"
            assert flow["concurrency"]["group"], "concurrency"
            for name, job in flow["jobs"].items():
                assert job["timeout-minutes"] <= 120, name
                for step in job["steps"]:
                    assert ("run" in step) != ("uses" in step), step
                    assert re.fullmatch(r"actions/[a-z-]+@v[0-9]+", step.get("uses", "actions/x@v1")), step
            """
        let outcome = try Program.run(
            ["-c", script, "\(Repository.root)/.github/workflows/\(name).yml"], program: "python3")
        #expect(outcome.code == 0, "\(outcome.errors)")
    }
}
