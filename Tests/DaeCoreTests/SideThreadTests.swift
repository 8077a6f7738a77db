import DaeCore
import Synchronization
import Testing

@Suite struct SideThreadTests {
    private struct Stop: Error {}

    @Test func bothResultsComeFromTwoThreads() throws {
        let here = pthread_self()
        let both = SideThread.run(
            { pthread_equal(here, pthread_self()) != 0 }, beside: { pthread_equal(here, pthread_self()) != 0 })
        let results = try #require(both)
        #expect(!results.side)
        #expect(results.value)
    }

    @Test func aFailureIsThrownWhenTheSideHasEnded() {
        let hasEnded = Mutex(false)
        #expect(throws: Stop.self) {
            _ = try SideThread.run {
                usleep(20_000)
                hasEnded.withLock { $0 = true }
            } beside: {
                throw Stop()
            }
        }
        #expect(hasEnded.withLock { $0 })
    }
}
