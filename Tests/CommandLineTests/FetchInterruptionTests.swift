// Every moment is one in the order of events: a server that stands still, or a number of bytes that it has sent.

import Daedalus
import Glibc
import TestSupport
import Testing

/// `dae fetch` that is stopped, killed, or one of many.
@Suite(.timeLimit(.minutes(20))) struct FetchInterruptionTests {
    private static let isFull = Repository.environment("DAE_TEST_FULL") != nil
    private static let path = "/model.zip"
    /// 20 MB, no two mebibytes alike.
    private static let body: [UInt8] = {
        let block = FaultResource.noise(1_000_003)
        return Array((0..<20).map { _ in block }.joined())
    }()

    private let fixture: FetchFixture

    init() throws { fixture = try FetchFixture() }

    @Test func aStopKeepsWhatHasComeAndTheNextRunGoesOn() throws {
        let paths = (1...4).map { "/\($0).zip" }
        let bodies = (1...4).map { FaultResource.noise(300_000, seed: UInt64($0)) }
        let server = try FaultServer()
        for (path, body) in zip(paths, bodies) {
            server.serve(FaultResource(body), at: path)
            // Nothing ever lets them go on: the program ends by the signal alone.
            server.play([.stall(after: 100_000)], at: path)
        }
        let arguments = ["fetch", "--jobs", "4", "--per-host", "4"] + paths.map { server.url($0) }
        let child = try fixture.start(arguments, as: "stopped")
        while !hasEnded(child), partialSizes != [100_000, 100_000, 100_000, 100_000] { _ = poll(nil, 0, 1) }
        kill(child, SIGINT)
        #expect(Program.wait(for: child) == 130, "\(fixture.text("stopped.errors"))")
        #expect(fixture.text("stopped.output") == "")
        #expect(fixture.text("stopped.errors").contains("dae: interrupted; what has come is kept"))
        #expect(fixture.files("blobs") == [])
        let rest = try fixture.run(arguments)
        #expect(rest.code == 0, "\(rest.errors)")
        #expect(rest.text == bodies.map(fixture.line).joined())
        #expect(server.requests.dropFirst(4).map { $0["range"] } == Array(repeating: "bytes=100000-", count: 4))
        #expect(server.requests.reduce(0) { $0 + $1.bodyBytesSent } == 4 * 300_000)
        #expect(fixture.files("partial") == [])
    }

    /// Killed after any number of pieces, the last of them the moment of the file's own end.
    @Test(arguments: 0..<UInt64(isFull ? 50 : 10)) func aKilledDownloadIsGoneOnWith(_ seed: UInt64) throws {
        let (body, piece) = (Self.body, 1 << 18)
        let pieces = (body.count + piece - 1) / piece
        var numbers = SeededNumbers(seed: seed)
        let sent = seed == 0 ? pieces : Int(numbers.next() % UInt64(pieces + 1))
        let server = try FaultServer([Self.path: FaultResource(body)])
        let gate = FaultGate()
        server.play([.slow(by: piece, gate)], at: Self.path)
        gate.letPass(sent)
        let child = try fixture.start(["fetch", server.url(Self.path)], as: "killed")
        while !hasEnded(child), (server.requests.first?.bodyBytesSent ?? -1) < min(sent * piece, body.count) {
            _ = poll(nil, 0, 1)
        }
        // Some time at work with what has come, different every time.
        _ = poll(nil, 0, Int32(numbers.next() % 30))
        kill(child, SIGKILL)
        _ = Program.wait(for: child)
        try fixture.expectWholeFiles("seed \(seed)")
        let kept = partialSizes.first ?? 0
        let again = try fixture.run("fetch", server.url(Self.path))
        #expect(again.code == 0, "seed \(seed): \(again.errors)")
        #expect(again.text == fixture.line(of: body), "seed \(seed)")
        try fixture.expectWholeFiles("seed \(seed)")
        #expect(fixture.files("blobs").count == 1)
        #expect(fixture.files("partial") == [], "seed \(seed)")
        #expect(server.requests.count <= 2, "seed \(seed)")
        // Bytes are worth something once it is written down what they are, after the first mebibyte. None of them is
        // asked for again; beside the bodies there are heads.
        let worth = kept > 2 << 20 ? kept : 0
        #expect(server.bytesOnTheWire <= 2 * body.count - worth + 4096, "seed \(seed)")
        if kept > 2 << 20, let range = server.requests.dropFirst().first?["range"] {
            #expect(range == "bytes=\(kept)-", "seed \(seed)")
        } else {
            #expect(kept <= 2 << 20 || server.requests.count == 1, "seed \(seed)")
        }
    }

    @Test func tenProcessesMakeOneDownload() throws {
        let body = FaultResource.noise(500_000)
        let server = try FaultServer([Self.path: FaultResource(body)])
        let gate = FaultGate()
        server.play([.stall(after: 200_000, until: gate)], at: Self.path)
        let names = (0..<10).map { "process\($0)" }
        let children = try names.map { try fixture.start(["fetch", server.url(Self.path)], as: $0) }
        func waiting() -> Int { names.count { fixture.text("\($0).errors").contains("waiting for another process") } }
        // The bytes come once all others wait for them.
        while waiting() < 9, !children.contains(where: hasEnded) { _ = poll(nil, 0, 5) }
        gate.open()
        for child in children { #expect(Program.wait(for: child) == 0) }
        let line = fixture.line(of: body)
        for name in names { #expect(fixture.text("\(name).output") == line, "\(fixture.text("\(name).errors"))") }
        #expect(server.requests.count { $0.bodyBytesSent > 0 } == 1)
        #expect(server.requests.reduce(0) { $0 + $1.bodyBytesSent } == body.count)
        try fixture.expectWholeFiles()
        #expect(fixture.files("blobs").count == 1 && fixture.files("partial") == [])
    }

    // MARK: - Looking

    /// Sizes of the files that are not whole yet.
    private var partialSizes: [Int] {
        fixture.files("partial").filter { $0.hasSuffix(".part") }.compactMap { file in
            var status = stat()
            return stat("\(fixture.cache)/partial/\(file)", &status) == 0 ? Int(status.st_size) : nil
        }
    }

    /// Whether it has ended; its exit code stays to be waited for.
    private func hasEnded(_ child: pid_t) -> Bool {
        var info = siginfo_t()
        return waitid(P_PID, id_t(child), &info, WEXITED | WNOHANG | WNOWAIT) != 0
            || info._sifields._sigchld.si_pid == child
    }
}
