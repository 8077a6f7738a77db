import DaeCore
import Daedalus
import Testing

@testable import DaeService

/// Calls that wait are made on threads of their own.
@Suite struct ThreadTests {
    @Test func whatIsMadeOrGoesWrongThereComesBack() async throws {
        let here = pthread_self()
        #expect(await Thread.run { pthread_equal(here, pthread_self()) == 0 })
        await #expect {
            try await Thread.run { () throws(StorageError) in throw StorageError("a file", ENOSPC) }
        } throws: {
            ($0 as? StorageError)?.isFull == true
        }
    }

    @Test func aFileThatIsNoneIsNotSynced() async {
        await #expect(throws: StorageError.self) { try await Durable.sync(-1, "nothing") }
    }
}
