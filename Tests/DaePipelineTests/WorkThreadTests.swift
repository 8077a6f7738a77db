import Glibc
import TestSupport
import Testing

@testable import DaePipeline

@Suite struct WorkThreadTests {
    /// What libraries free at a thread's end is freed before anything can end the process.
    @Test func theThreadIsGoneWhenItsResultIsThere() async throws {
        let end = SlowThreadEnd()
        try await WorkThread.run { _ in end.attach() }
        #expect(end.hasCome)
    }

    @Test func itIsGoneBehindAFailureToo() async {
        struct Failure: Error {}
        let end = SlowThreadEnd()
        await #expect(throws: Failure.self) {
            try await WorkThread.run { _ in
                end.attach()
                throw Failure()
            }
        }
        #expect(end.hasCome)
    }

    @Test func whatItGivesOrThrowsComesBack() async throws {
        struct Failure: Error {}
        #expect(try await WorkThread.run { _ in 7 } == 7)
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
