import Glibc
import TestSupport
import Testing

@testable import DaeDownload

@Suite struct TransferThreadTests {
    /// What libraries free at a thread's end is freed before anything can end the process.
    @Test func theThreadIsGoneWhenItsResultIsThere() async throws {
        let end = SlowThreadEnd()
        try await TransferThread.run("http://host/") { _ in end.attach() }
        #expect(end.hasCome)
    }

    @Test func whatItGivesOrThrowsComesBack() async throws {
        #expect(try await TransferThread.run("http://host/") { _ in 7 } == 7)
        await #expect(throws: DownloadError.self) {
            try await TransferThread.run("http://host/") { _ throws(DownloadError) -> Int in
                throw DownloadError(.cancelled, url: "http://host/")
            }
        }
    }

    @Test func cancellingTheTaskStopsIt() async throws {
        let task = Task {
            try await TransferThread.run("http://host/") { signal in
                while !signal.isStopped { usleep(100) }
                return true
            }
        }
        task.cancel()
        #expect(try await task.value)
    }
}
