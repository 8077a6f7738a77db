import Glibc
import Synchronization
import Testing

@testable import Download

@Suite struct TransferThreadTests {
    private static let hasEnded = Atomic(false)

    /// What libraries free at a thread's end is freed before anything can end the process.
    @Test func theThreadIsGoneWhenItsResultIsThere() async throws {
        let value = try await TransferThread.run("http://host/") { _ in
            var key = pthread_key_t()
            pthread_key_create(&key) { _ in
                usleep(100_000)
                TransferThreadTests.hasEnded.store(true, ordering: .sequentiallyConsistent)
            }
            pthread_setspecific(key, UnsafeRawPointer(bitPattern: 1))
            return 7
        }
        #expect(value == 7)
        let hasEnded = Self.hasEnded.load(ordering: .sequentiallyConsistent)
        #expect(hasEnded)
    }

    @Test func aFailureComesTheSameWay() async {
        await #expect(throws: DownloadError.self) {
            try await TransferThread.run("http://host/") { _ throws(DownloadError) -> Int in
                throw DownloadError(.cancelled, url: "http://host/")
            }
        }
    }
}
