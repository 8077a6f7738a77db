import DaeDiagnostics
import Synchronization
import TestSupport
import Testing

@testable import DaeDownload

@Suite(.timeLimit(.minutes(10))) struct LoopPoolTests {
    @Test func requestsOneAfterTheOtherShareAConnection() async throws {
        let server = try KeepAliveServer { _ in KeepAliveServer.ok("hello") }
        let fixture = try GuardFixture(.closed(.except(KeepAliveServer.host)))
        for _ in 0..<3 { #expect(try await fixture.download(server.url("/")).size == 5) }
        #expect(server.exchanges.map(\.connection) == [0, 0, 0])
    }

    @Test func oneJobsRequestsShareAConnectionAndHeadHasNoBody() throws {
        let server = try KeepAliveServer { head in
            head.hasPrefix("HEAD") ? KeepAliveServer.ok("") : KeepAliveServer.ok("hello")
        }
        let pool = LoopPool(policy: .open, options: RequestOptions())
        let hops = Hops(from: try WebAddress(server.url("/a")), under: .open)
        let collector = Collector()
        try pool.withLoop { loop throws(DownloadFailure) in
            let limits = DownloadLimits.forTests
            for request in [hops.request(.head), hops.request(.get, [.range(from: 1, through: 3)])] {
                let ending = try loop.run(request, within: limits, stoppedBy: StopSignal(), to: collector)
                #expect(ending.isWhole)
            }
        }
        #expect(server.exchanges.map(\.connection) == [0, 0])
        #expect(server.exchanges[0].head.hasPrefix("HEAD /a HTTP/1.1\r\n"))
        #expect(server.exchanges[1].head.contains("\r\nRange: bytes=1-3\r\n"))
        #expect(collector.body == Array("hello".utf8))
        #expect(collector.lines.first == "HTTP/1.1 200 OK\r\n")
    }

    @Test func anotherPoolsConnectionIsNeverUsed() async throws {
        let server = try KeepAliveServer { _ in KeepAliveServer.ok("hello") }
        let open = try GuardFixture(.open)
        _ = try await open.download(server.url("/"))
        let closed = try GuardFixture(.closed(.except("127.0.0.1")))
        #expect(await closed.failure(of: server.url("/"))?.code == .downloadBlockedAddress)
        _ = try await open.download(server.url("/"))
        let other = try GuardFixture(.closed(.except(KeepAliveServer.host)))
        _ = try await other.download(server.url("/"))
        #expect(server.exchanges.map(\.connection) == [0, 0, 1])
    }

    @Test func aConnectionIsNotKeptForAnAnswerThatWasLeftHalfway() async throws {
        let server = try KeepAliveServer { head in
            head.hasPrefix("GET /a") ? KeepAliveServer.redirect(to: "/b") : KeepAliveServer.ok("hello")
        }
        let fixture = try GuardFixture(.open)
        #expect(try await fixture.download(server.url("/a")).size == 5)
        #expect(server.exchanges.count == 2)
    }

    @Test func aHostThatTurnsIntoARefusedOneKeepsOnlyTheJudgedConnection() async throws {
        let server = try KeepAliveServer { _ in KeepAliveServer.ok("hello") }
        let port = server.port
        let answers = Mutex(["127.0.0.9", "10.0.0.1"])
        let next: @Sendable () -> String = { answers.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] } }
        var options = RequestOptions()
        options.faults.resolved = { ["name.test:\(port):\(next())"] }
        let fixture = try GuardFixture(.closed(.except(KeepAliveServer.host)), options: options)
        for _ in 0..<2 { #expect(try await fixture.download("http://name.test:\(port)/").size == 5) }
        #expect(server.exchanges.map(\.connection) == [0, 0])
    }
}

private final class Collector: TransferReceiver {
    var lines: [String] = []
    var body: [UInt8] = []

    func readHeader(_ line: UnsafeRawBufferPointer) -> Bool {
        lines.append(String(decoding: line, as: UTF8.self))
        return true
    }

    func readBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        body += bytes
        return true
    }
}
