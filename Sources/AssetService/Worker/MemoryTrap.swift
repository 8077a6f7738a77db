// Whoever gets no memory aborts, traps or reads address 0, and the signal alone does not tell that from a fault. The
// allocator leaves ENOMEM in the thread's errno, which is still there when the signal comes.

import Glibc

/// Tells a worker that was refused memory from one that crashed.
enum MemoryTrap {
    /// How a worker exits that was refused memory; EX_OSERR of sysexits.h.
    static let exitCode: Int32 = 71

    /// From now on a fatal signal in a thread that was refused memory becomes ``exitCode``.
    static func set() {
        for number in [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP, SIGSYS] {
            // Nothing in it allocates, and all that it calls may be called from a handler.
            signal(number) { number in
                if errno == ENOMEM { _exit(71) }
                signal(number, SIG_DFL)
                raise(number)
            }
        }
    }
}
