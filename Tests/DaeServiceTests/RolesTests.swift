import DaeObjectStore
import DaePostgreSQL
import Glibc
import TestSupport
import Testing

@testable import DaeService

/// Nodes that do a part of the work each.
@Suite(.timeLimit(.minutes(10))) struct RolesTests {
    private let folder: TemporaryFolder
    private let walker: [UInt8]
    private static let isStoreHere = PostgreSQLServer.isInstalled && S3Server.isInstalled
    private let environment = [
        "AWS_ACCESS_KEY_ID": S3Server.accessKey, "AWS_SECRET_ACCESS_KEY": S3Server.secretKey,
    ]

    init() throws {
        folder = try TemporaryFolder()
        walker = try Repository.fixture("bundles/walker.zip")
    }

    /// What makes nodes share a database and a store.
    private static func shared() throws -> [String] {
        let store = try S3Server.shared()
        return [
            "--database", try RowDatabases.newDatabaseText(), "--store", "s3://\(try store.makeBucket())/models",
            "--s3-endpoint", store.endpoint, "--allow-addresses", "127.0.0.0/8",
        ]
    }

    private func node(
        _ name: String, _ options: [String], tasks: String, command: String = "worker",
        environment more: [String: String] = [:]
    ) throws -> ServiceProcess {
        let data = "\(folder.path)/\(name)"
        try ServiceFolder.make(data)
        return try ServiceProcess(
            data: data, options + ["--worker-tasks", tasks], environment: environment.merging(more) { $1 },
            command: command)
    }

    /// The states of an asset that were kept, each with its attempt, to its end.
    private func states(of id: String, _ node: ServiceProcess) throws -> [String] {
        let connection = try LoopbackClient(port: node.port)
        connection.send("GET /v1/assets/\(id)/events HTTP/1.1\r\nHost: localhost\r\nLast-Event-ID: 0\r\n\r\n")
        var (bytes, found): ([UInt8], [String]) = ([], [])
        while case let byte = connection.read(1), !byte.isEmpty {
            bytes += byte
            guard bytes.suffix(2).elementsEqual("\n\n".utf8) else { continue }
            let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
            bytes = []
            guard lines.contains(where: { $0.hasPrefix("id: ") }),
                let data = lines.first(where: { $0.hasPrefix("data: ") })
            else { continue }
            let event = try JSONNode(parsing: Array(data.dropFirst(6).utf8))
            guard let state = event["state"]?.string else { continue }
            found.append("\(state) \(event["attempt"]?.number ?? 0)")
            if state == "ready" || state == "failed" { break }
        }
        return found
    }

    @Test(.enabled(if: isStoreHere, "needs PostgreSQL's server and SeaweedFS (scripts/tools/fetch-object-store)"))
    func whatEachCanDoComesToOne() throws {
        let server = try FaultServer(["/walker.zip": FaultResource(walker), "/none.zip": FaultResource([1, 2, 3])])
        let shared = try Self.shared()
        let front = try node("front", shared, tasks: "none", command: "serve")
        let fetcher = try node("fetcher", shared, tasks: "download")
        let maker = try node("maker", shared, tasks: "process,derive")
        let alone = try node("alone", Self.shared(), tasks: "download,process,derive", command: "serve")
        let nodes = [front, alone]
        var links: [String] = []
        for node in nodes { links.append(try node.client.add(url: server.url("/walker.zip"))) }
        let ends = try zip(nodes, links).map { try $0.client.outcome(of: $1) }
        #expect(ends[0]["state"] == "ready" && ends[0] == ends[1])
        let told = try zip(nodes, links).map { try states(of: $1, $0) }
        #expect(told[0] == told[1] && told[0].allSatisfy { $0.hasSuffix(" 1.0") || $0.hasSuffix(" 1") }, "\(told)")
        // What is no model fails in the same way.
        let bad = try nodes.map { try $0.client.add(url: server.url("/none.zip")) }
        let failures = try zip(nodes, bad).map { try $0.client.outcome(of: $1) }
        #expect(failures[0]["state"] == "failed" && failures[0]["code"] == failures[1]["code"])
        let upload = try front.client.upload(walker + [0], name: "walker.zip")
        #expect(try front.client.outcome(of: upload)["state"] == "ready")
        for path in ["inspect", "tree", "files", "report", "model.glb", "changes", "thumbnail.png?size=64", "original"]
        {
            let answers = try zip(nodes, links).map { try $0.client.get("/v1/assets/\($1)/\(path)") }
            #expect(answers.map(\.status) == [200, 200], "\(path): \(answers[0].text.prefix(300))")
            #expect(answers[0].body.elementsEqual(answers[1].body), "\(path)")
        }
        let absent = try zip(nodes, links).map { try $0.client.get("/v1/assets/\($1)/files/none.dae") }
        #expect(absent.map(\.status) == [404, 404])
        #expect(absent[0].json?["code"] == absent[1].json?["code"] && absent[0].json?["code"] != nil)
        // Each did its part alone, of one asset the one after the other.
        #expect(front.logged("taken").isEmpty && front.logged("made").isEmpty)
        #expect(fetcher.logged("taken").count == 2 && fetcher.logged("made").isEmpty)
        #expect(maker.logged("taken").count == 3)
        #expect(Set(maker.logged("made").compactMap { $0["what"]?.string }) == ["report", "model", "picture", "entry"])
        #expect(server.requests.count == 4 && [fetcher, maker, front].allSatisfy { $0.end() == 0 })
    }

    /// Who is to read them finds that, and does not download itself.
    @Test(.enabled(if: isStoreHere, "needs PostgreSQL's server and SeaweedFS (scripts/tools/fetch-object-store)"))
    func lostBytesOfALinkAreDownloadedAgain() async throws {
        let server = try FaultServer(["/walker.zip": FaultResource(walker)])
        let shared = try Self.shared()
        var settings = S3Settings(endpoint: try S3Server.shared().endpoint)
        settings.credentials = .fixed(S3Credentials(accessKey: S3Server.accessKey, secret: S3Server.secretKey))
        let objects = S3ObjectStore(client: try S3Client(try S3Location(shared[3]), settings))
        let front = try node("front", shared, tasks: "none", command: "serve")
        let fetcher = try node("fetcher", shared, tasks: "download")
        let id = try front.client.add(url: server.url("/walker.zip"))
        var blobs: [StoredObject] = []
        while blobs.isEmpty {
            try await Task.sleep(for: .milliseconds(20))
            blobs = try await objects.keys("blobs/", after: nil, limit: 10)
        }
        for blob in blobs { try await objects.remove(blob.key) }
        let maker = try node("maker", shared, tasks: "process,derive")
        #expect(try front.client.outcome(of: id)["state"] == "ready")
        #expect(try front.client.get("/v1/assets/\(id)/original").body == walker)
        #expect(try states(of: id, front).allSatisfy { $0.hasSuffix(" 1.0") || $0.hasSuffix(" 1") })
        #expect(server.requests.count == 2 && fetcher.logged("taken").count == 2 && maker.logged("taken").count == 2)
    }

    /// What is asked of an asset that was removed is not there, whichever node would have made it.
    @Test(.enabled(if: isStoreHere, "needs PostgreSQL's server and SeaweedFS (scripts/tools/fetch-object-store)"))
    func whatIsAskedOfARemovedAssetIsNotThere() async throws {
        let shared = try Self.shared()
        let database = try await PostgreSQLDatabase(try PostgreSQLAddress(shared[1]))
        let front = try node("front", shared, tasks: "none", command: "serve")
        let maker = try node("maker", shared, tasks: "process")
        let ids = try (0..<2).map { _ in try front.client.upload(walker, name: "walker.zip") }
        for id in ids { #expect(try front.client.outcome(of: id)["state"] == "ready") }
        var waiting: [LoopbackClient] = []
        for id in ids {
            let connection = try front.client.connected()
            connection.send("GET /v1/assets/\(id)/model.glb HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            waiting.append(connection)
            // The first is the one by which it is asked for.
            var isAsked = false
            while !isAsked { isAsked = try await database.read { try $0.has("SELECT 1 FROM derivations") } }
        }
        #expect(try front.client.send("DELETE", "/v1/assets/\(ids[0])").status == 204)
        let first = ServiceClient.answer(waiting[0].rest().bytes)
        #expect(first.status == 404 && first.json?["code"] == "ASSET_UNKNOWN", "\(first.text)")
        // Of equal bytes it can still be made.
        let deriver = try node("deriver", shared, tasks: "derive")
        let second = ServiceClient.answer(waiting[1].rest().bytes)
        #expect(second.status == 200 && second.body.starts(with: "glTF".utf8), "\(second.text)")
        #expect(deriver.logged("made").count == 1 && maker.logged("made").isEmpty)
        #expect(!front.logText.contains("asking other nodes"))
    }

    @Test(.enabled(if: ReplacedWorker.isPossible, "clang or bash is not installed"))
    func whatWaitsForAWorkerAndIsRemovedIsNotThere() throws {
        let still = try ReplacedWorker(
            """
            *'"name":"still.zip"'*) while [[ ! -e '\(folder.path)/on' ]]; do sleep 0.05; done; work ;;
            """, in: folder)
        let alone = try ServiceProcess(
            data: folder.path, ["--workers", "1"], environment: still.environment)
        let ids = try ["walker.zip", "still.zip"].enumerated().map { number, name in
            let id = try alone.client.upload(walker + [UInt8](repeating: 0, count: number), name: name)
            if number == 0 { #expect(try alone.client.outcome(of: id)["state"] == "ready") }
            return id
        }
        _ = try eventually("the only worker is busy") { alone.workers.isEmpty ? nil : true }
        let waiting = try ["model.glb", "report"].map { name in
            let connection = try alone.client.connected()
            connection.send("GET /v1/assets/\(ids[0])/\(name) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            return connection
        }
        // Either way it is the answer.
        usleep(100_000)
        #expect(try alone.client.send("DELETE", "/v1/assets/\(ids[0])").status == 204)
        try folder.write("", to: "on")
        for connection in waiting {
            let answer = ServiceClient.answer(connection.rest().bytes)
            #expect(answer.status == 404 && answer.json?["code"] == "ASSET_UNKNOWN", "\(answer.text)")
        }
        #expect(try alone.client.outcome(of: ids[1])["state"] == "ready")
    }

    /// One holds a job and what it was asked for when it is killed, and another goes on with both.
    @Test(
        .enabled(
            if: isStoreHere && ReplacedWorker.isPossible, "needs PostgreSQL's server, SeaweedFS, and clang and bash"))
    func whatAKilledWorkerHeldAnotherEnds() throws {
        let shared = try Self.shared()
        let front = try node("front", shared, tasks: "none", command: "serve")
        let still = try ReplacedWorker(
            """
            *'"name":"still.zip"'*|*'"task":{"model"'*) exec cat > /dev/null ;;
            """, in: folder)
        let one = try node("one", shared, tasks: "process,derive", environment: still.environment)
        let ready = try front.client.upload(walker, name: "walker.zip")
        #expect(try front.client.outcome(of: ready)["state"] == "ready")
        let held = try front.client.upload(walker + [0], name: "still.zip")
        let asking = try front.client.connected()
        asking.send("GET /v1/assets/\(ready)/model.glb HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        _ = try eventually("both are begun") { one.workers.count == 2 ? true : nil }
        kill(one.pid, SIGKILL)
        let other = try node("other", shared, tasks: "process,derive")
        #expect(try front.client.outcome(of: held)["state"] == "ready")
        let answer = ServiceClient.answer(asking.rest().bytes)
        #expect(answer.status == 200 && answer.body.starts(with: "glTF".utf8))
        #expect(other.logged("made").count == 1)
    }

    /// On one machine, so that the part that answers strangers is another process than those that read what they send.
    @Test func aWorkerWorksBesideAServerOnOneFolder() throws {
        func node(_ command: String, _ options: [String]) throws -> ServiceProcess {
            try ServiceProcess(data: folder.path, options, command: command)
        }
        let front = try node("serve", ["--worker-tasks", "none"])
        let worker = try node("worker", ["--metrics-port", "0"])
        let id = try front.client.upload(walker, name: "walker.zip")
        #expect(try front.client.outcome(of: id)["state"] == "ready")
        #expect(try front.client.get("/v1/assets/\(id)/model.glb").body.starts(with: "glTF".utf8))
        let metrics = try eventually("its port") { worker.metrics }
        #expect(try metrics.get("/readyz").status == 200)
        #expect(try metrics.get("/metrics").text.contains("daed_worker_starts_total{task=\"model\"} 1"))
        #expect(try ServiceProcess.run(["health", "--worker", "--ready", "--port", "\(metrics.port)"]).code == 0)
        #expect(worker.end() == 0)
        #expect(try ServiceProcess.run(["health", "--worker", "--port", "\(metrics.port)"]).code == 1)
        // Nobody is left who would make it.
        let answer = try front.client.get("/v1/assets/\(id)/model.stl")
        #expect(answer.status == 503 && answer.headers["retry-after"] == "10", "\(answer.text)")
        #expect(try front.client.get("/v1/assets/\(id)/model.glb").status == 200)
        #expect(front.workers.isEmpty && front.end() == 0)
    }

    @Test(arguments: [
        (["serve", "--worker-tasks", "download,proces"], "--worker-tasks is 'download,proces'; expected some of"),
        (["serve", "--worker-tasks", ""], "--worker-tasks is ''; expected some of download, process, derive"),
        (["serve", "--worker-tasks", "none,derive"], "--worker-tasks is 'none,derive'; expected some of"),
        (["worker", "--worker-tasks", "none"], "--worker-tasks is 'none': a worker without tasks"),
        (["worker", "--port", "0"], "--port is for daed serve: a worker listens at --metrics-port alone"),
        (["serve", "--results-redirect", "on"], "--results-redirect is 'on'; expected off, since"),
    ])
    func whatIsSetWronglyIsSaidInOneLine(_ words: [String], _ said: String) throws {
        let outcome = try ServiceProcess.run(words + ["--data", folder.path])
        #expect(outcome.code == 78, "\(outcome.errors)")
        let lines = outcome.errors.split(separator: "\n")
        #expect(lines.count == 1 && lines[0].hasPrefix("daed: \(said)"), "\(outcome.errors)")
    }

    @Test func aWorkerWithoutAPortSaysThatItCannotBeAsked() throws {
        let outcome = try ServiceProcess.run(["health", "--worker"])
        #expect(outcome.code == 1)
        #expect(outcome.errors == "daed: --metrics-port is 'off': a worker answers at a port of it alone\n")
    }
}
