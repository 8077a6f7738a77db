import Glibc
import Synchronization
import Testing

@testable import Threading

@Suite struct JoinedThreadTests {
    private final class Flag: Sendable {
        let isSet = Atomic(false)
    }

    @Test func itsEndIsWaitedFor() throws {
        let flag = Flag()
        let started = JoinedThread {
            usleep(20_000)
            flag.isSet.store(true, ordering: .relaxed)
        }
        switch consume started {
        case .some(let thread): thread.join()
        case .none: Issue.record("the system gave no thread")
        }
        let isSet = flag.isSet.load(ordering: .relaxed)
        #expect(isSet)
    }

    @Test func itIsWaitedForWhereItIsForgotten() {
        let flag = Flag()
        do {
            _ = JoinedThread {
                usleep(20_000)
                flag.isSet.store(true, ordering: .relaxed)
            }
        }
        let isSet = flag.isSet.load(ordering: .relaxed)
        #expect(isSet)
    }

    private static let hasEnded = Atomic(false)

    /// What libraries free at a thread's end is freed before anything can end the process.
    @Test func theThreadIsGoneWhenItsResultIsThere() async {
        let value = await JoinedThread.run {
            var key = pthread_key_t()
            pthread_key_create(&key) { _ in
                usleep(100_000)
                JoinedThreadTests.hasEnded.store(true, ordering: .sequentiallyConsistent)
            }
            pthread_setspecific(key, UnsafeRawPointer(bitPattern: 1))
            return [7]
        }
        #expect(value == [7])
        let hasEnded = Self.hasEnded.load(ordering: .sequentiallyConsistent)
        #expect(hasEnded)
    }

    @Test func noHandlerOfTheProcessRunsThere() async {
        let blocked = await JoinedThread.run {
            var signals = sigset_t()
            pthread_sigmask(SIG_BLOCK, nil, &signals)
            return [SIGINT, SIGTERM, SIGPIPE, SIGUSR1, SIGSEGV].map { sigismember(&signals, $0) == 1 }
        }
        #expect(blocked == [true, true, true, true, false])
    }
}
