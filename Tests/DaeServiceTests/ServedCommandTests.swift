import Glibc
import Synchronization
import TestSupport
import Testing

/// The command line that lets a service do its work.
@Suite(.timeLimit(.minutes(10)), .enabled(if: access(Program.path, X_OK) == 0, "needs dae"))
struct ServedCommandTests {
    private let folder: TemporaryFolder
    private let server: String
    private let service: ServiceProcess

    init() throws {
        folder = try TemporaryFolder()
        mkdir(folder.path + "/data", 0o700)
        try folder.write(Repository.fixture("bundles/walker.zip"), to: "walker.zip")
        try folder.write(Repository.fixture("bundles/lamp.zae"), to: "lamp.zae")
        try folder.write(Array("no model".utf8), to: "none.zip")
        service = try ServiceProcess(data: folder.path + "/data")
        server = "http://127.0.0.1:\(service.port)"
    }

    private func run(_ arguments: [String], environment: [String: String] = [:]) throws -> Program.Outcome {
        try Program.run(arguments, environment: environment, folder: folder.path)
    }

    @Test(arguments: ["inspect", "validate", "tree"], ["walker.zip", "lamp.zae", "none.zip"])
    func itSaysWhatItSaysLocally(_ command: String, _ source: String) throws {
        let here = try run([command, source, "--format", "json"])
        let there = try run([command, source, "--format", "json", "--server", server])
        #expect(there.output == here.output)
        #expect(there.code == here.code)
        #expect(there.errors == here.errors)
    }

    @Test(arguments: ["sarif", "md"]) func reportsComeInOtherForms(_ form: String) throws {
        let here = try run(["validate", "walker.zip", "--format", form, "--fail-on", "warning"])
        let there = try run(["validate", "walker.zip", "--format", form, "--fail-on", "warning", "--server", server])
        #expect(there.output == here.output)
        #expect(here.code == 1)
        #expect(there.code == 1)
    }

    @Test func severalSourcesAreALineEach() throws {
        let sources = [folder.path + "/walker.zip", "none.zip", "lamp.zae"]
        let here = try run(["inspect", "--format", "json"] + sources)
        let there = try run(["inspect", "--server", server] + sources)
        #expect(there.text.split(separator: "\n").count == 3)
        #expect(there.output == here.output)
        #expect(there.code == here.code)
    }

    @Test func aModelIsTheSame() throws {
        let here = try run(["convert", "walker.zip", "-o", "here.glb", "--quiet"])
        let there = try run(["convert", "walker.zip", "-o", "there.glb", "--server", server])
        #expect(here.code == 0)
        #expect(there.code == 0)
        #expect(try Repository.bytes(at: folder.path + "/here.glb") == Repository.bytes(at: folder.path + "/there.glb"))
        #expect(try run(["convert", "chair.zip", "-o", "there.glb", "--server", server]).code == 73)
        let again = ["convert", "walker.zip", "-o", "there.glb", "--force", "--color", "never", "--server", server]
        #expect(try run(again).code == 0)
        #expect(try Repository.bytes(at: folder.path + "/here.glb") == Repository.bytes(at: folder.path + "/there.glb"))
        let secret = try run(again + ["--password", "x"])
        #expect(secret.code == 64 && secret.errors.contains("the service opens no encrypted archives"))
        #expect(try run(["convert", "none.zip", "-o", "none.glb", "--server", server]).code == 4)
        #expect(access(folder.path + "/none.glb", F_OK) != 0)
    }

    @Test(arguments: [
        (["--strict"], "--strict"), (["--format", "text"], "--format"), (["--schema=off"], "--schema"),
        (["--token-file", "/none"], "/none"),
    ])
    func whatAServiceDoesNotDoIsRefused(_ options: [String], _ text: String) throws {
        let there = try run(["validate", "walker.zip", "--server", server] + options)
        #expect(there.code == 64)
        #expect(there.errors.contains(text))
        #expect(there.output.isEmpty)
    }

    @Test(arguments: [".", "-", "walker.zip!/walker.dae"]) func onlyWholeFilesAreSent(_ source: String) throws {
        #expect(try run(["inspect", source, "--server", server]).code == 64)
        #expect(try service.client.get("/v1/assets").json?["assets"]?.elements.isEmpty == true)
    }

    @Test func aFileThatIsNotThereIsSaidSo() throws {
        let there = try run(["inspect", "nowhere.zip", "--server", server])
        #expect(there.code == 3)
        #expect(there.errors.contains("SOURCE_NOT_FOUND"))
    }

    @Test func aServiceThatIsNotThereIsSaidSo() throws {
        service.end()
        let there = try run(["inspect", "walker.zip", "--server", server])
        #expect(there.code == 3)
        #expect(there.errors.contains("DOWNLOAD_CONNECTION_FAILED"))
        #expect(try run(["inspect", "walker.zip", "--server", "localhost"]).code == 64)
    }

    @Test func aTokenIsSentAndAskedFor() throws {
        let seen = Mutex<[String?]>([])
        let server = try LoopbackServer { request, connection in
            seen.withLock { $0.append(request["authorization"]) }
            connection.respond("401 Unauthorized", ["Content-Type: application/problem+json"], body: Array("{}".utf8))
            connection.waitUntilClosed()
        }
        let without = try run(["inspect", "http://example.org/a.zip", "--server", server.url("/")])
        #expect(without.code == 3)
        #expect(without.errors.contains("401 Unauthorized; see --token-file and DAE_SERVER_TOKEN"))
        _ = try run(
            ["inspect", "http://example.org/a.zip", "--server", server.url("/")],
            environment: ["DAE_SERVER_TOKEN": "one"])
        try folder.write(Array("two\n".utf8), to: "token")
        let verbose = try run(
            ["inspect", "http://example.org/a.zip", "--server", server.url("/"), "--token-file", "token", "-v"],
            environment: ["DAE_SERVER_TOKEN": "one"])
        #expect(seen.withLock { $0 } == [nil, "Bearer one", "Bearer two"])
        #expect(!verbose.errors.contains("two"))
    }

    @Test func aServiceWithTokensAsksForOne() throws {
        let options = ["token", "add", "writer", "--scope", "write", "--data", folder.path + "/data"]
        let token = try Program.run(options, program: ServiceProcess.program)
        #expect(token.code == 0)
        try folder.write(token.output, to: "token")
        let words = ["validate", "walker.zip", "--server", server]
        // The service learns of its first token while it runs.
        let refused = try run(words)
        #expect(refused.code == 3)
        #expect(refused.errors.contains("401"))
        let there = try run(words + ["--token-file", "token"])
        #expect(there.code == 0)
        #expect(try there.output == run(["validate", "walker.zip", "--format", "json"]).output)
        let wrong = try run(words, environment: ["DAE_SERVER_TOKEN": "daed_wrong"])
        #expect(wrong.code == 3)
        #expect(!wrong.errors.contains("daed_wrong"))
    }

    @Test func aServiceThatIsBusyIsAskedAgain() throws {
        let asked = Atomic(0)
        let isAsked = Flag()
        let server = try LoopbackServer { _, connection in
            asked.add(1, ordering: .relaxed)
            isAsked.raise()
            connection.respond("429 Too Many Requests", ["Retry-After: 40"], body: Array("{}".utf8))
            connection.waitUntilClosed()
        }
        // Forty seconds would be waited for, had it not asked for them twice; a test does not wait that long.
        let child = try Program.start(["inspect", "http://example.org/a.zip", "--server", server.url("/")])
        try isAsked.wait()
        kill(child, SIGINT)
        #expect(Program.wait(for: child) == 130)
        #expect(asked.load(ordering: .relaxed) == 1)
    }
}
