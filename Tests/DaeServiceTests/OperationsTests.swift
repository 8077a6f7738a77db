import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// Stopping, being asked how it is, and how much of the disk it takes.
@Suite struct OperationsTests {
    private let folder: TemporaryFolder
    private let walker: [UInt8]

    init() throws {
        folder = try TemporaryFolder()
        walker = try Repository.fixture("bundles/walker.zip")
    }

    @Test func eachRequestIsInTheLogWhereThatIsWanted() throws {
        let service = try ServiceProcess(data: folder.path, ["--access-log", "on"])
        _ = try service.client.get("/v1/assets?name=secret")
        _ = try service.client.get("/v1/assets/none")
        let lines = try eventually("two lines") {
            let lines = service.logged("request").filter { $0["path"]?.string?.hasPrefix("/v1/assets") == true }
            return lines.count == 2 ? lines : nil
        }
        #expect(lines.map { $0["path"]?.string } == ["/v1/assets", "/v1/assets/none"])
        #expect(lines.map { $0["status"] } == [200, 404])
        #expect(lines[0]["method"] == "GET" && lines[0]["address"] == "127.0.0.1")
        #expect(lines.allSatisfy { ($0["milliseconds"]?.number ?? -1) > 0 })
        #expect(try service.client.get("/healthz").status == 200)
    }

    // MARK: - Stopping

    @Test func aStopHandsBackWhatDoesNotEndAndClosesStreams() throws {
        let gate = FaultGate()
        let server = try FaultServer(["/a.zip": FaultResource(walker)])
        server.play([.stall(after: 100, until: gate)], at: "/a.zip")
        defer { gate.open() }
        let options = ["--allow-addresses", "127.0.0.0/8", "--stop-timeout", "4", "--metrics-port", "0"]
        let service = try ServiceProcess(data: folder.path, options)
        let id = try service.client.add(url: server.url("/a.zip"))
        let watcher = try LoopbackClient(port: service.port)
        watcher.send("GET /v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        _ = watcher.read(20)
        _ = try eventually("a worker") { service.workers.first }
        let metrics = try #require(service.metrics)
        #expect(try metrics.get("/readyz").status == 200)
        kill(service.pid, SIGTERM)
        _ = try eventually("that it says so") { try metrics.get("/readyz").status == 503 ? true : nil }
        #expect(try metrics.get("/healthz").status == 200)
        // The stream ends by itself, and not by a reset connection.
        #expect(watcher.rest().end == .closed)
        _ = try eventually("a closed port") { (try? LoopbackClient(port: service.port)) == nil ? true : nil }
        #expect(Program.wait(for: service.pid) == 0)
        #expect(service.logged("handing back").first?["jobs"] == 1)
        gate.open()
        let next = try ServiceProcess(data: folder.path, options)
        #expect(try next.client.outcome(of: id)["state"] == "ready")
        #expect(next.end() == 0)
    }

    @Test func whatEndsInTimeIsFinished() throws {
        let gate = FaultGate()
        let server = try FaultServer(["/a.zip": FaultResource(walker)])
        server.play([.stall(after: 100, until: gate)], at: "/a.zip")
        let options = ["--allow-addresses", "127.0.0.0/8", "--stop-timeout", "300", "--metrics-port", "0"]
        let service = try ServiceProcess(data: folder.path, options)
        _ = try service.client.add(url: server.url("/a.zip"))
        _ = try eventually("a worker") { service.workers.first }
        kill(service.pid, SIGTERM)
        gate.open()
        #expect(Program.wait(for: service.pid) == 0)
        #expect(service.logged("settled").first?["state"] == "ready")
        #expect(service.logged("handing back").isEmpty)
    }

    @Test func aSecondSignalEndsItAtOnce() throws {
        let gate = FaultGate()
        let server = try FaultServer(["/a.zip": FaultResource(walker)])
        server.play([.stall(after: 100, until: gate)], at: "/a.zip")
        defer { gate.open() }
        let service = try ServiceProcess(
            data: folder.path, ["--allow-addresses", "127.0.0.0/8", "--stop-timeout", "3600"])
        _ = try service.client.add(url: server.url("/a.zip"))
        _ = try eventually("a worker") { service.workers.first }
        kill(service.pid, SIGTERM)
        _ = try eventually("that it heard") { service.logged("stopping").first }
        #expect(service.end(SIGTERM) == 128 + SIGTERM)
    }

    @Test func linesOfTheLogSayOfWhichAssetAndHowLong() throws {
        let service = try ServiceProcess(data: folder.path)
        let id = try service.client.upload(walker, name: "walker.zip")
        _ = try service.client.outcome(of: id)
        _ = try service.client.get("/v1/assets/\(id)/model.glb")
        let settled = try eventually("the line") { service.logged("settled").first }
        #expect(settled["asset"]?.string == id)
        #expect(settled["milliseconds"]?.number != nil)
        let made = try eventually("the line") { service.logged("made").first }
        #expect(made["asset"]?.string == id)
        #expect(made["what"] == "model")
        #expect(made["milliseconds"]?.number != nil)
    }

    @Test func healthIsAskedByACommand() throws {
        let service = try ServiceProcess(data: folder.path)
        let port = "\(service.port)"
        #expect(try ServiceProcess.run(["health", "--port", port]).code == 0)
        #expect(try ServiceProcess.run(["health", "--ready", "--port", port]).code == 0)
        service.end()
        let run = try ServiceProcess.run(["health", "--port", port])
        #expect(run.code == 1)
        #expect(run.errors.hasPrefix("daed: port \(port): "))
    }

    @Test func healthIsAskedWhereTheServiceListens() throws {
        let service = try ServiceProcess(data: folder.path, ["--host", "::1"])
        let port = "\(service.port)"
        #expect(try ServiceProcess.run(["health", "--port", port]).code == 1)
        #expect(try ServiceProcess.run(["health", "--host", "::1", "--port", port]).code == 0)
        try folder.write(Array(#"{"host": "::1", "port": \#(port)}"#.utf8), to: "settings.json")
        #expect(try ServiceProcess.run(["health", "--config", folder.path + "/settings.json"]).code == 0)
        let run = try ServiceProcess.run(["health", "--host", "none.invalid", "--port", port])
        #expect(run.code == 1)
        #expect(run.errors.contains("none.invalid: "))
    }

    @Test func allCommandsReadTheFileOfSettings() throws {
        let data = folder.path + "/kept"
        try folder.write(Array(#"{"data": "\#(data)"}"#.utf8), to: "settings.json")
        let config = ["--config", folder.path + "/settings.json"]
        #expect(try ServiceProcess.run(["doctor"] + config).code == 66)
        #expect(try ServiceProcess.run(["key", "add"] + config).code == 0)
        #expect(try ServiceProcess.run(["doctor"] + config).code == 0)
        #expect(try ServiceProcess.run(["backup", folder.path + "/copy"] + config).code == 0)
        #expect(try ServiceProcess.run(["doctor", "--data", folder.path + "/copy"] + config).code == 0)
    }

    @Test func aPortThatIsTakenIsSaidToBeSo() throws {
        let service = try ServiceProcess(data: folder.path)
        let run = try ServiceProcess.run(
            ["serve", "--data", folder.path + "/other", "--port", "\(service.port)"])
        #expect(run.code == 69)
        let place = "127.0.0.1:\(service.port)"
        #expect(run.errors.hasSuffix("daed: cannot listen on \(place): Address already in use\n"))
        #expect(!run.errors.contains("CancellationError"))
    }

    // MARK: - The disk

    /// Bytes of files that can be made again.
    private func derived() throws -> [String] {
        try Repository.files(below: folder.path + "/results").filter { name in
            ["inspect.json", "tree.json", "files.json", "model.glb", ".changes.json"].contains { name.hasSuffix($0) }
        }
    }

    @Test func resultsGoBeforeTheLimitIsPassedAndAreMadeAgain() throws {
        let first = try ServiceProcess(data: folder.path)
        let id = try first.client.upload(walker, name: "walker.zip")
        _ = try first.client.outcome(of: id)
        let whole = try first.client.get("/v1/assets/\(id)/model.glb")
        #expect(whole.status == 200)
        let inspection = try first.client.get("/v1/assets/\(id)/inspect").body
        #expect(try derived().count == 5)
        first.end()
        // Nothing but originals and the database finds room.
        let service = try ServiceProcess(data: folder.path, ["--disk-limit", "100000", "--metrics-port", "0"])
        _ = try eventually("that results go") { try derived().isEmpty ? true : nil }
        #expect(try service.client.get("/v1/assets/\(id)/original").body == walker)
        #expect(try service.client.get("/v1/assets/\(id)/model.glb").body == whole.body)
        #expect(try service.client.get("/v1/assets/\(id)/inspect").body == inspection)
        #expect(try service.client.get("/v1/assets/\(id)/tree").status == 200)
        #expect(try service.client.get("/v1/assets/\(id)/files").status == 200)
        #expect(try #require(service.metrics).get("/metrics").text.contains("daed_evicted_files_total 5.0\n"))
    }

    @Test func originalsBeyondTheLimitAreRefused() throws {
        let limit = walker.count + walker.count / 2
        let server = try FaultServer(["/b.zip": FaultResource(walker + [1])])
        let service = try ServiceProcess(
            data: folder.path, ["--disk-limit", "\(limit)", "--allow-addresses", "127.0.0.0/8"])
        let id = try service.client.upload(walker, name: "walker.zip")
        _ = try service.client.outcome(of: id)
        let answer = try service.client.send("POST", "/v1/assets?name=a.zip", body: walker + [0])
        #expect(answer.status == 507)
        #expect(answer.headers["content-type"] == "application/problem+json")
        #expect(answer.json?["code"] == "STORAGE_FULL")
        // Of a link nobody knows how much comes, until it is there.
        let link = try service.client.add(url: server.url("/b.zip"))
        #expect(try service.client.outcome(of: link)["code"] == "STORAGE_FULL")
        let originals = try Repository.files(below: folder.path + "/blobs").filter { $0.utf8.count > 60 }
        #expect(originals.count == 1)
        #expect(try service.client.get("/v1/assets/\(id)/original").body == walker)
        // With room it is taken again.
        #expect(try service.client.send("DELETE", "/v1/assets/\(id)").status == 204)
        #expect(try service.client.send("POST", "/v1/assets?name=a.zip", body: walker + [0]).status == 201)
    }

    @Test func whatIsOnItsWayCountsToo() throws {
        let limit = walker.count + walker.count / 2
        let service = try ServiceProcess(data: folder.path, ["--disk-limit", "\(limit)"])
        let client = service.client
        func begin() throws -> String {
            let headers = ["Tus-Resumable": "1.0.0", "Upload-Length": "\(walker.count)"]
            return try #require(try client.send("POST", "/v1/uploads", headers: headers).headers["location"])
        }
        func patch(_ path: String, at offset: Int, _ bytes: ArraySlice<UInt8>) throws -> Int {
            let headers = [
                "Tus-Resumable": "1.0.0", "Upload-Offset": "\(offset)",
                "Content-Type": "application/offset+octet-stream",
            ]
            return try client.send("PATCH", path, headers: headers, body: Array(bytes)).status
        }
        // What was only announced takes no room from others.
        let (first, second) = (try begin(), try begin())
        let most = walker.count * 3 / 4
        #expect(try patch(first, at: 0, walker[..<most]) == 204)
        #expect(try client.send("POST", "/v1/assets?name=a.zip", body: walker + [0]).status == 507)
        #expect(try patch(second, at: 0, walker[...]) == 507)
        #expect(try patch(first, at: most, walker[most...]) == 204)
        let id = try #require(first.split(separator: "/").last.map(String.init))
        #expect(try client.outcome(of: id)["state"] == "ready")
        #expect(try patch(second, at: 0, walker[...]) == 507)

        // By its own word one that is being sent takes all of it.
        let place = try TemporaryFolder()
        let other = try ServiceProcess(data: place.path, ["--disk-limit", "\(limit)"])
        var slow: LoopbackClient? = try LoopbackClient(port: other.port)
        slow?.send(
            "POST /v1/assets?name=b.zip HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(walker.count)\r\n\r\nPK")
        _ = try eventually("its file") {
            try Repository.files(below: place.path + "/uploads").isEmpty ? nil : true
        }
        #expect(try other.client.send("POST", "/v1/assets?name=a.zip", body: walker + [0]).status == 507)
        slow = nil
        let answer = try eventually("room") {
            let answer = try other.client.send("POST", "/v1/assets?name=a.zip", body: walker + [0])
            return answer.status == 507 ? nil : answer
        }
        #expect(answer.status == 201)
    }

    @Test func whatComesUnannouncedCountsWhenItIsThere() throws {
        let limit = walker.count + walker.count / 2
        let service = try ServiceProcess(
            data: folder.path, ["--disk-limit", "\(limit)", "--upload-time", "2"])
        let head = "Host: localhost\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n"
        func chunk(_ last: UInt8) -> [UInt8] {
            Array("\(String(walker.count + 1, radix: 16))\r\n".utf8) + walker + [last] + Array("\r\n".utf8)
        }
        let connections = try (0..<3).map { number in
            let connection = try LoopbackClient(port: service.port)
            connection.send("POST /v1/assets?name=\(number).zip HTTP/1.1\r\n\(head)\r\n")
            connection.send(chunk(UInt8(number)))
            return connection
        }
        for connection in connections { connection.send("0\r\n\r\n") }
        let answers = connections.map { ServiceClient.answer($0.rest().bytes).status }.sorted()
        #expect(answers == [201, 507, 507])
        #expect(try Repository.files(below: folder.path + "/uploads").isEmpty)

        // A whole one that finds no room is dropped when its time is over, and counts no longer.
        let upload = try #require(
            try service.client.send(
                "POST", "/v1/uploads", headers: ["Tus-Resumable": "1.0.0", "Upload-Length": "\(walker.count / 4)"]
            ).headers["location"])
        #expect(
            try service.client.send("POST", "/v1/assets?name=b.zip", body: Array(walker[..<(limit / 4)])).status == 201)
        let connection = try LoopbackClient(port: service.port)
        let tus = "Tus-Resumable: 1.0.0\r\nUpload-Offset: 0\r\nContent-Type: application/offset+octet-stream\r\n"
        connection.send("PATCH \(upload) HTTP/1.1\r\n\(head)\(tus)\r\n")
        let piece = walker[..<(walker.count / 4)]
        connection.send(Array("\(String(piece.count, radix: 16))\r\n".utf8) + piece + Array("\r\n0\r\n\r\n".utf8))
        #expect(ServiceClient.answer(connection.rest().bytes).status == 507)
        _ = try eventually("that it is dropped") {
            try Repository.files(below: folder.path + "/partials").isEmpty ? true : nil
        }
        // Its place is given back once its file is gone.
        _ = try eventually("that there is room again") {
            let answer = try service.client.send("POST", "/v1/assets?name=b.zip", body: Array("no model".utf8))
            return answer.status == 201 ? true : nil
        }
    }

    @Test func someOfTheDiskStaysFree() throws {
        let service = try ServiceProcess(data: folder.path, ["--free-disk", "\(1 << 60)"])
        let answer = try service.client.send("POST", "/v1/assets?name=a.zip", body: walker)
        #expect(answer.status == 507)
        #expect(answer.json?["code"] == "STORAGE_FULL")
        #expect(try service.client.get("/v1/assets").json?["assets"]?.elements.isEmpty == true)
    }
}
