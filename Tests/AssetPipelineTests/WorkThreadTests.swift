import Glibc
import Testing

@testable import AssetPipeline

@Suite struct WorkThreadTests {
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
