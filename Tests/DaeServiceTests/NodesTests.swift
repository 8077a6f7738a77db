import DaePostgreSQL
import Daedalus
import Glibc
import TestSupport
import Testing

@testable import DaeService

/// Several services on one PostgreSQL database and one S3 store, each with a folder of its own.
@Suite(
    .enabled(
        if: PostgreSQLServer.isInstalled && S3Server.isInstalled,
        "needs PostgreSQL's server (Debian's package postgresql) and SeaweedFS (scripts/tools/fetch-object-store)"))
struct NodesTests {
    private let folder: TemporaryFolder
    private let options: [String]
    private let environment = [
        "AWS_ACCESS_KEY_ID": S3Server.accessKey, "AWS_SECRET_ACCESS_KEY": S3Server.secretKey,
    ]

    init() throws {
        folder = try TemporaryFolder()
        let store = try S3Server.shared()
        options = [
            "--database", try RowDatabases.newDatabaseText(), "--store", "s3://\(try store.makeBucket())/models",
            "--s3-endpoint", store.endpoint,
        ]
    }

    private func node(_ name: String, _ more: [String] = []) throws -> ServiceProcess {
        let data = "\(folder.path)/\(name)"
        try ServiceFolder.make(data)
        return try ServiceProcess(data: data, options + more, environment: environment)
    }

    private func fixture(_ path: String) throws -> [UInt8] { try Repository.fixture(path) }

    /// All events up to the first removal, with their numbers.
    private func events(_ node: ServiceProcess) throws -> [(number: Int, text: String)] {
        let connection = try LoopbackClient(port: node.port)
        connection.send("GET /v1/events HTTP/1.1\r\nHost: localhost\r\nLast-Event-ID: 0\r\n\r\n")
        var (bytes, found): ([UInt8], [(Int, String)]) = ([], [])
        while case let byte = connection.read(1), !byte.isEmpty {
            bytes += byte
            guard bytes.suffix(2).elementsEqual("\n\n".utf8) else { continue }
            let text = String(decoding: bytes, as: UTF8.self)
            let id = text.split(whereSeparator: \.isNewline).first { $0.hasPrefix("id: ") }
            if let id, let number = Int(id.dropFirst(4)) { found.append((number, text)) }
            if text.contains("event: removed") { break }
            bytes = []
        }
        return found
    }

    @Test func whatOneTakesAnyAnswers() throws {
        let (one, two) = (try node("one"), try node("two"))
        let bytes = try fixture("bundles/walker.zip")
        let id = try one.client.upload(bytes, name: "walker.zip")
        #expect(try two.client.outcome(of: id)["state"]?.string == "ready")
        for path in ["inspect", "tree", "files", "report", "model.glb", "thumbnail.png", "original"] {
            let answers = try [one, two].map { try $0.client.get("/v1/assets/\(id)/\(path)") }
            #expect(answers.map(\.status) == [200, 200], "\(path)")
            #expect(answers[0].body.elementsEqual(answers[1].body), "\(path)")
            if path == "original" { #expect(answers[1].body == bytes) }
        }
        let part = try two.client.get("/v1/assets/\(id)/original", headers: ["Range": "bytes=100-199"])
        #expect(part.status == 206)
        #expect(part.body == Array(bytes[100..<200]))
        // Equal bytes are read once, wherever they come.
        let again = try two.client.upload(bytes, name: "walker.zip")
        #expect(try one.client.outcome(of: again)["state"]?.string == "ready")
        #expect(try two.client.send("DELETE", "/v1/assets/\(id)").status == 204)
        #expect(try one.client.get("/v1/assets/\(id)").status == 404)
        #expect(try one.client.get("/v1/assets/\(again)/original").body == bytes)
    }

    @Test func anUploadGoesOnAtAnother() throws {
        let (one, two) = (try node("one"), try node("two"))
        let bytes = try fixture("bundles/walker.zip")
        let begun = try one.client.send(
            "POST", "/v1/uploads", headers: ["Tus-Resumable": "1.0.0", "Upload-Length": "\(bytes.count)"])
        let path = try #require(begun.headers["location"])
        func patch(_ node: ServiceProcess, _ range: Range<Int>) throws -> ServiceClient.Answer {
            try node.client.send(
                "PATCH", path,
                headers: [
                    "Tus-Resumable": "1.0.0", "Upload-Offset": "\(range.lowerBound)",
                    "Content-Type": "application/offset+octet-stream",
                ], body: Array(bytes[range]))
        }
        #expect(try patch(one, 0..<1000).status == 204)
        #expect(try patch(two, 1000..<5000).status == 204)
        #expect(try patch(two, 0..<1000).status == 409)
        #expect(one.end() == 0)
        #expect(try patch(two, 5000..<bytes.count).status == 204)
        let id = try #require(path.split(separator: "/").last.map(String.init))
        #expect(try two.client.outcome(of: id)["state"]?.string == "ready")
        #expect(try two.client.get("/v1/assets/\(id)/original").body == bytes)
    }

    /// A request with a piece of an upload, of which the last byte is still to come; the node has the upload for itself.
    private func halfPatch(
        _ node: ServiceProcess, _ path: String, _ bytes: [UInt8], _ name: String
    ) throws -> LoopbackClient {
        let connection = try LoopbackClient(port: node.port)
        connection.send(
            "PATCH \(path) HTTP/1.1\r\nHost: localhost\r\nTus-Resumable: 1.0.0\r\nUpload-Offset: 0\r\n"
                + "Content-Type: application/offset+octet-stream\r\nContent-Length: \(bytes.count)\r\n\r\n"
                + String(decoding: bytes.dropLast(), as: UTF8.self))
        _ = try eventually("bytes of the piece") {
            try Repository.files(below: "\(folder.path)/\(name)/uploads").isEmpty ? nil : true
        }
        return connection
    }

    @Test func oneNodeAtATimeTakesPiecesOfAnUpload() throws {
        let (one, two) = (try node("one"), try node("two"))
        let bytes = Array("no model".utf8)
        let begun = try one.client.send(
            "POST", "/v1/uploads", headers: ["Tus-Resumable": "1.0.0", "Upload-Length": "\(bytes.count)"])
        let path = try #require(begun.headers["location"])
        func patch() throws -> ServiceClient.Answer {
            let headers = [
                "Tus-Resumable": "1.0.0", "Upload-Offset": "0", "Content-Type": "application/offset+octet-stream",
            ]
            return try two.client.send("PATCH", path, headers: headers, body: bytes)
        }
        let first = try halfPatch(one, path, Array(bytes.prefix(4)), "one")
        let refused = try patch()
        #expect(refused.status == 423)
        #expect(refused.headers["retry-after"] == "1")
        #expect(first.send("m"))
        #expect(first.readAnswer().head.hasPrefix("HTTP/1.1 204 "))
        // Given back before the answer: nobody is refused for one that is over.
        #expect(try patch().status == 409)
    }

    @Test func whoStandsStillInAPieceDoesNotSpoilWhatOthersTake() throws {
        let (one, two) = (try node("one"), try node("two"))
        let bytes = Array("no model".utf8)
        let begun = try one.client.send(
            "POST", "/v1/uploads", headers: ["Tus-Resumable": "1.0.0", "Upload-Length": "\(bytes.count)"])
        let path = try #require(begun.headers["location"])
        let headers = [
            "Tus-Resumable": "1.0.0", "Upload-Offset": "0", "Content-Type": "application/offset+octet-stream",
        ]
        let late = try halfPatch(one, path, Array("LATE".utf8), "one")
        kill(one.pid, SIGSTOP)
        _ = try eventually("its lease ends") {
            try two.client.send("PATCH", path, headers: headers, body: Array("no".utf8)).status == 204 ? true : nil
        }
        kill(one.pid, SIGCONT)
        #expect(late.send("E"))
        #expect(late.readAnswer().head.hasPrefix("HTTP/1.1 423 "))
        let rest = try two.client.send(
            "PATCH", path, headers: headers.merging(["Upload-Offset": "2"]) { $1 }, body: Array(bytes[2...]))
        #expect(rest.status == 204)
        let id = try #require(path.split(separator: "/").last.map(String.init))
        #expect(try two.client.outcome(of: id)["state"]?.string == "failed")
        #expect(try one.client.get("/v1/assets/\(id)/original").body == bytes)
    }

    @Test func oneClientHasTheRateOfOneNode() throws {
        let options = ["--rate", "1", "--burst", "300"]
        let (one, two) = (try node("one", options), try node("two", options))
        while try one.client.get("/v1/assets").status == 200 {}
        // Alone it would answer 300 times.
        var answered = 0
        while try two.client.get("/v1/assets").status == 200 {
            answered += 1
            usleep(50_000)
        }
        #expect(answered < 300, "\(answered)")
        #expect(try two.client.get("/v1/assets").headers["retry-after"] != nil)
        #expect(try two.client.get("/healthz").status == 200)
    }

    @Test func openStreamsCountAtAllNodesUntilTheirsIsGone() throws {
        let options = ["--client-streams", "3"]
        let (one, two) = (try node("one", options), try node("two", options))
        func stream(_ node: ServiceProcess) throws -> (client: LoopbackClient, isOpen: Bool) {
            let client = try LoopbackClient(port: node.port)
            client.send("GET /v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
            return (client, client.read(12).suffix(3).elementsEqual("200".utf8))
        }
        let streams = try (0..<3).map { _ in try stream(one) }
        #expect(streams.map(\.isOpen) == [true, true, true])
        _ = try eventually("the other knows") { try stream(two).isOpen ? nil : true }
        #expect(try two.client.get("/v1/assets").status == 200)
        kill(one.pid, SIGKILL)
        _ = try eventually("places") { try stream(two).isOpen ? true : nil }
    }

    @Test func whatAKilledNodeHeldOthersEnd() throws {
        let (one, two) = (try node("one", ["--workers", "2"]), try node("two", ["--workers", "2"]))
        let bytes = try fixture("bundles/walker.zip")
        // Each with bytes of its own, so that each is read.
        let ids = try (0..<24).map { number in
            try one.client.upload(bytes + Array("\(number)".utf8), name: "walker\(number).zip")
        }
        kill(one.pid, SIGKILL)
        for id in ids { #expect(try two.client.outcome(of: id)["state"]?.string == "ready") }
        // None is told twice, and each ends once.
        _ = try two.client.send("DELETE", "/v1/assets/\(ids[0])")
        let all = try events(two)
        #expect(zip(all, all.dropFirst()).allSatisfy { $0.number < $1.number })
        for id in ids.dropFirst() {
            let ends = all.filter { $0.text.contains(id) && $0.text.contains("\"state\":\"ready\"") }
            #expect(ends.count == 1, "\(id): \(all.filter { $0.text.contains(id) })")
        }
    }

    @Test func whatIsSetWronglyIsSaidInOneLine() throws {
        let server = try RowDatabases.server.get()
        let store = try S3Server.shared()
        let rows = ["--database", try RowDatabases.newDatabaseText()]
        let cases: [(options: [String], code: Int32, said: String)] = [
            (["--database", "mysql://a:secret@b/c"], 78, "--database: expected sqlite"),
            (["--database", "postgresql://a:secret@[/c"], 78, "brackets"),
            (["--database", server.address(password: "secret")], 78, "password"),
            (["--database", server.address("nothing")], 78, "nothing"),
            (["--store", "s3:/bucket"], 78, "--store: "),
            (rows + ["--store", "s3://absent-bucket", "--s3-endpoint", store.endpoint], 78, "absent-bucket"),
        ]
        for (options, code, said) in cases {
            let data = "\(folder.path)/data"
            let outcome = try Program.run(
                ["serve", "--port", "0", "--data", data] + options, environment: environment,
                program: ServiceProcess.program)
            #expect(outcome.code == code, "\(options): \(outcome.errors)")
            let lines = outcome.errors.split(separator: "\n").filter { $0.hasPrefix("daed: ") }
            #expect(lines.count == 1 && lines[0].contains(said), "\(options): \(outcome.errors)")
            #expect(!outcome.errors.contains("secret"), "\(outcome.errors)")
        }
    }

    @Test func whatDoesNotAnswerIsSaidUntilItDoesAgain() throws {
        let server = try PostgreSQLServer()
        let data = "\(folder.path)/alone"
        try ServiceFolder.make(data)
        let node = try ServiceProcess(data: data, ["--database", server.address()])
        #expect(try node.client.get("/readyz").status == 200)
        let id = try node.client.upload(Array("no model".utf8), name: "a.zip")
        server.stop()
        let answer = try eventually("it is not ready") {
            let answer = try node.client.get("/readyz")
            return answer.status == 503 ? answer : nil
        }
        #expect(answer.json?["detail"]?.string?.contains("database") == true)
        #expect(try node.client.get("/healthz").status == 200)
        #expect(try node.client.get("/v1/assets/\(id)").status == 503)
        try server.start()
        _ = try eventually("it is ready again") { try node.client.get("/readyz").status == 200 ? true : nil }
        #expect(try node.client.outcome(of: id)["state"]?.string == "failed")
    }

    @Test func commandsKnowWhereAllIsKept() throws {
        func run(_ words: String...) throws -> Program.Outcome {
            try Program.run(
                words + ["--data", "\(folder.path)/commands"] + options.prefix(4),
                environment: environment.merging(["DAED_S3_ENDPOINT": options[5]]) { $1 },
                program: ServiceProcess.program)
        }
        #expect(try run("backup", "copy").code == 64)
        #expect(try run("backup", "copy").errors.contains("copy PostgreSQL with pg_dump, and let the bucket keep"))
        let mixed = try Program.run(["backup", "copy"] + options.prefix(2), program: ServiceProcess.program)
        #expect(mixed.errors.contains("copy PostgreSQL with pg_dump, and the folder blobs"), "\(mixed.errors)")
        let before = try run("doctor")
        #expect(before.code == 1)
        #expect(before.text.contains("`daed migrate` brings it up to date"))
        #expect(try run("migrate").text == "The tables were brought up to date.\n")
        #expect(try run("migrate").text == "The tables are up to date, as they were.\n")
        #expect(try run("doctor").text.hasPrefix("Healthy.\n"))
        #expect(try run("doctor").errors == "")
        #expect(try run("doctor", "--deep").errors.contains("--repair and --deep do nothing here"))
        let added = try run("token", "add", "one", "--scope", "write")
        #expect(added.code == 0, "\(added.errors)")
        #expect(try run("token", "list").text.contains("one"))
        let one = try node("one")
        #expect(try one.client.get("/v1/assets").status == 401)
        let token = try #require(added.text.split(whereSeparator: \.isWhitespace).first { $0.hasPrefix("daed_") })
        #expect(try one.client.get("/v1/assets", headers: ["Authorization": "Bearer \(token)"]).status == 200)
    }

    @Test func noPasswordIsShown() throws {
        let outcome = try Program.run(
            ["config", "--database", "postgresql://me:se@cr:et/@host/db"], program: ServiceProcess.program)
        #expect(outcome.text.contains("postgresql://me:***@host/db"))
        let one = try node("one")
        #expect(!one.logText.contains(PostgreSQLServer.password))
        #expect(!one.logText.contains(S3Server.secretKey))
    }
}
