import Daedalus
import Glibc
import Synchronization
import TestSupport
import Testing

/// Clients that send too slowly, too much or nothing, or do not take what they asked for: no other one notices.
@Suite(.timeLimit(.minutes(10))) struct SlowClientTests {
    private let folder: TemporaryFolder
    private let service: ServiceProcess
    private let sockets: Int

    init() throws {
        folder = try TemporaryFolder()
        mkdir(folder.path + "/data", 0o700)
        service = try ServiceProcess(
            data: folder.path + "/data",
            ["--client-time", "2", "--upload-limit", "\(100 << 20)", "--connections", "40"])
        sockets = try Self.sockets(of: service.pid)
    }

    /// Connections that a process has open, and what else it listens to.
    private static func sockets(of process: pid_t) throws -> Int {
        var count = 0
        let folder = "/proc/\(process)/fd"
        guard let stream = opendir(folder) else { throw Gone() }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            var target = [UInt8](repeating: 0, count: 32)
            let read = readlink(folder + "/" + name, &target, target.count)
            if read > 0, String(decoding: target.prefix(read), as: UTF8.self).hasPrefix("socket:") { count += 1 }
        }
        return count
    }

    struct Gone: Error {}

    /// Whether the service has given up all connections, within half a minute.
    private func isAlone() throws -> Bool {
        for _ in 0..<300 {
            if try Self.sockets(of: service.pid) <= sockets { return true }
            usleep(100_000)
        }
        return false
    }

    private func expectNothingStored() throws {
        #expect(try service.client.get("/v1/assets").json?["assets"]?.elements.isEmpty == true)
        // What was on its way goes behind its connection.
        _ = try eventually("no file is left") {
            let files = try Repository.files(below: folder.path + "/data")
            return files.contains { $0.hasPrefix("uploads/") || $0.hasPrefix("blobs/") } ? nil : true
        }
    }

    @Test(arguments: [
        "POST /v1/assets?name=a.zip HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nabc",
        "POST /v1/assets?name=a.zip HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
        "POST /v1/assets HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{",
        "GET /v1/assets HTTP/1.1\r\nHost: local", "",
    ])
    func aRequestThatStopsIsEnded(_ text: String) throws {
        let connection = try LoopbackClient(port: service.port)
        connection.send(text)
        #expect(try service.client.get("/healthz").status == 200)
        #expect(connection.rest().end != .silent)
        try expectNothingStored()
        #expect(try isAlone())
    }

    @Test func aBodyThatTricklesIsEnded() throws {
        let connection = try LoopbackClient(port: service.port)
        connection.send("POST /v1/assets HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n")
        let isOver = Atomic(false)
        BackgroundThread.start {
            while !isOver.load(ordering: .relaxed) {
                connection.send("x")
                usleep(100_000)
            }
        }
        #expect(connection.rest().end != .silent)
        isOver.store(true, ordering: .relaxed)
        try expectNothingStored()
    }

    @Test func anUploadFarBeyondTheLimitIsRefusedByItsLength() async throws {
        let path = folder.path + "/huge.zip"
        let descriptor = open(path, O_WRONLY | O_CREAT, 0o600)
        #expect(ftruncate(descriptor, 10 << 30) == 0)
        close(descriptor)
        let sent = Mutex<Int64>(0)
        let client = try AssetServiceClient("http://127.0.0.1:\(service.port)")
        await #expect { try await client.add(file: path) { count in sent.withLock { $0 = count } } } throws: {
            let problem = ($0 as? AssetServiceError)?.problem
            return problem?.status == 413 && problem?.code == .downloadTooLarge
        }
        #expect(sent.withLock { $0 } < 64 << 20)
        try expectNothingStored()
        #expect(try isAlone())
    }

    @Test func anUploadWithoutALengthIsRefusedWhereItGoesBeyondTheLimit() throws {
        let connection = try LoopbackClient(port: service.port)
        connection.send("POST /v1/assets HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
        let chunk = Array("100000\r\n".utf8) + [UInt8](repeating: 0, count: 1 << 20) + Array("\r\n".utf8)
        // Of 10 GB; after the end of the connection nothing can be sent.
        let answer = Mutex<LoopbackClient.Answer?>(nil)
        BackgroundThread.start {
            let read = connection.rest()
            answer.withLock { $0 = read }
        }
        var sent = 0
        while sent < 10 << 10, connection.send(chunk) { sent += 1 }
        #expect(sent < 1 << 10, "\(sent) MiB were sent")
        let end = try eventually("the end of the connection") { answer.withLock { $0 }?.end }
        #expect(end != .silent)
        try expectNothingStored()
        #expect(try isAlone())
    }

    @Test func anAnswerThatNobodyTakesIsGivenUp() throws {
        var numbers = SeededNumbers(seed: 3)
        let bytes = (0..<(48 << 17)).flatMap { _ in withUnsafeBytes(of: numbers.next()) { Array($0) } }
        let id = try service.client.upload(bytes, name: "large.zip")
        let reader = try LoopbackClient(port: service.port)
        reader.send("GET /v1/assets/\(id)/original HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(reader.read(12) == Array("HTTP/1.1 200".utf8))
        #expect(try service.client.get("/healthz").status == 200)
        #expect(try isAlone())
        #expect(reader.rest().bytes.count < bytes.count)
    }

    @Test func whoFindsAllConnectionsTakenWaits() throws {
        let idle = try (0..<60).map { _ in try LoopbackClient(port: service.port) }
        // Those are given up after two seconds, and then it is this one's turn.
        #expect(try service.client.get("/healthz").status == 200)
        #expect(idle.count == 60)
        #expect(try isAlone())
    }
}
