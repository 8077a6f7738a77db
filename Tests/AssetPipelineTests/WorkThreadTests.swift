import Glibc
import Synchronization
import Testing

@testable import AssetPipeline

@Suite struct WorkThreadTests {
    private static let hasEnded = Atomic(false)

    /// What libraries free at a thread's end is freed before anything can end the process.
    @Test func theThreadIsGoneWhenItsResultIsThere() async throws {
        let value = try await WorkThread.run { _ in
            var key = pthread_key_t()
            pthread_key_create(&key) { _ in
                usleep(100_000)
                WorkThreadTests.hasEnded.store(true, ordering: .sequentiallyConsistent)
            }
            pthread_setspecific(key, UnsafeRawPointer(bitPattern: 1))
            return 7
        }
        #expect(value == 7)
        let hasEnded = Self.hasEnded.load(ordering: .sequentiallyConsistent)
        #expect(hasEnded)
    }

    @Test func itIsGoneBehindAFailureToo() async {
        struct Failure: Error {}
        await #expect(throws: Failure.self) { try await WorkThread.run { _ in throw Failure() } }
    }

    @Test func itsWorkLearnsOfACancellation() async throws {
        let task = Task {
            try await WorkThread.run { cancellation in
                while !cancellation.isCancelled { usleep(100) }
                return true
            }
        }
        task.cancel()
        #expect(try await task.value)
    }
}
