// Not `async`: what follows has to stand before the runtime opens descriptors and starts threads of its own.

import CAllocator
import Dispatch
import Glibc

@main enum Main {
    static func main() {
        // Settings of the whole process, which a library leaves alone; before any thread is started.
        dae_use_one_arena()
        dae_give_long_arrays_back()
        StandardDescriptors.fill()
        // Else the C library looks for the time zone's file again at every date of an archive's directory.
        setenv("TZ", ":/etc/localtime", 0)
        // A closed pipe shows itself when writing, and ends the program quietly.
        signal(SIGPIPE, SIG_IGN)
        Interrupts.install()
        Task {
            await Dae.main()
            Dae.leave(.fine)
        }
        dispatchMain()
    }
}

/// The three descriptors that every program has.
private enum StandardDescriptors {
    /// Gives those that are closed something to stand for, so that no other file takes their numbers.
    ///
    /// Standard output gets what cannot be written, so that a result which goes nowhere is an error.
    static func fill() {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) < 0 {
            _ = open("/dev/null", descriptor == STDERR_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}
