import Synchronization
import TestSupport
import Testing

@testable import DaeCore

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

    /// What libraries free at a thread's end is freed before anything can end the process.
    @Test func theThreadIsGoneWhenItsResultIsThere() async {
        let end = SlowThreadEnd()
        let value = await JoinedThread.run {
            end.attach()
            return [7]
        }
        #expect(value == [7])
        #expect(end.hasCome)
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
