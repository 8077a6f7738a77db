import Glibc
import Testing

@testable import Download

@Suite struct TransferThreadTests {
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
