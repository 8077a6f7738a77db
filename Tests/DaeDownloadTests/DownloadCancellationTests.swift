// The servers here never send what would end a download: that it ends at all is the cancellation's doing.

import DaeDiagnostics
import DaeDownload
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct DownloadCancellationTests {
    @Test func aCancelledTransferEndsAndLeavesNothing() async throws {
        let server = try LoopbackServer { _, connection in
            connection.sendHead("200 OK", ["Content-Length: 1000000"])
            connection.send(sampleBytes(5000))
            connection.waitUntilClosed()
        }
        let fixture = try DownloadFixture()
        let (arrivals, continuation) = AsyncStream.makeStream(of: Int64.self)
        let task = Task {
            try await fixture.download(server.url("/model.zip")) { continuation.yield($0.received) }
        }
        for await received in arrivals where received == 5000 { break }
        #expect(fixture.files == [])
        task.cancel()
        await expectCancelled(task)
        #expect(fixture.files == [])
    }

    @Test func aCancelledWaitForTheAnswerEnds() async throws {
        let (requests, continuation) = AsyncStream.makeStream(of: Void.self)
        let server = try LoopbackServer { _, connection in
            continuation.yield()
            connection.waitUntilClosed()
        }
        let fixture = try DownloadFixture()
        let task = Task { try await fixture.download(server.url("/model.zip")) }
        for await _ in requests { break }
        task.cancel()
        await expectCancelled(task)
        #expect(fixture.files == [])
    }

    @Test func aFloodOfBytesDoesNotKeepATransferFromBeingCancelled() async throws {
        let server = try LoopbackServer { _, connection in
            connection.sendHead("200 OK")
            let bytes = sampleBytes(100_000)
            while connection.send(bytes) {}
        }
        let fixture = try DownloadFixture()
        let (arrivals, continuation) = AsyncStream.makeStream(of: Int64.self)
        let task = Task {
            try await fixture.download(server.url("/model.zip")) { continuation.yield($0.received) }
        }
        for await received in arrivals where received > 1_000_000 { break }
        task.cancel()
        await expectCancelled(task)
        #expect(fixture.files == [])
    }

    @Test func aTaskCancelledBeforehandNeverConnects() async throws {
        let server = try LoopbackServer { _, connection in connection.respond() }
        let fixture = try DownloadFixture()
        let (gate, continuation) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            for await _ in gate {}
            return try await fixture.download(server.url("/model.zip"))
        }
        task.cancel()
        continuation.finish()
        await expectCancelled(task)
        #expect(server.requests.isEmpty)
        #expect(fixture.files == [])
    }

    private func expectCancelled(
        _ task: Task<DownloadedFile, any Error>, sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        let error = await #expect(throws: DownloadError.self, sourceLocation: sourceLocation) { try await task.value }
        #expect(error?.isCancelled == true, sourceLocation: sourceLocation)
        #expect(error?.code == .assetCancelled, sourceLocation: sourceLocation)
        #expect(error?.recovery == .resume, sourceLocation: sourceLocation)
    }
}
