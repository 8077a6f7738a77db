import DaeCore
import Daedalus
import Dispatch
import Synchronization

/// What the service starts for itself: `daed worker-process`, with its order on standard input.
enum WorkerProgram {
    static let name = "worker-process"

    /// Works, and ends the process. To be called before a second thread begins.
    static func main() -> Never {
        // As in the service, and before a thread begins that would not keep them blocked as its parent left them.
        for number in [SIGPIPE] + WorkerProcess.foreignSignals { signal(number, SIG_IGN) }
        Descriptors.closeOthers()
        guard let line = readLine(), let order = try? StateText.read(WorkerOrder.self, line) else {
            complain("worker: expected an order on standard input; the service starts this by itself")
            exit(64)
        }
        MemoryTrap.set()
        WorkerBounds(order.limits, fileLimit: order.fileLimit).apply()
        // What does not fit into memory lies there, too.
        setenv("TMPDIR", order.folder.path, 1)
        do { try Sandbox(order).enter() } catch {
            complain("worker: \(error)")
            exit(Sandbox.exitCode)
        }
        let isListening = DetachedThread.start {
            while readLine() != nil {}
            // Nobody is left who could take what is made.
            _exit(75)
        }
        guard isListening else { _exit(MemoryTrap.exitCode) }
        Task {
            await WorkerRun(order: order, report: WorkerReport()).run()
            _exit(0)
        }
        dispatchMain()
    }
}

/// Sockets, the database and other workers' pipes are not a worker's to hold.
private enum Descriptors {
    /// Closes all but the three that every program has, and those that this process made for itself.
    static func closeOthers() {
        guard let folder = opendir("/proc/self/fd") else { return }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard let descriptor = Int32(name), descriptor > 2, descriptor != dirfd(folder) else { continue }
            var target = [UInt8](repeating: 0, count: 16)
            let count = target.withUnsafeMutableBytes { bytes in
                bytes.bindMemory(to: CChar.self).baseAddress.map { readlink("/proc/self/fd/" + name, $0, bytes.count) }
            }
            let text = String(decoding: target.prefix(max(0, count ?? 0)), as: UTF8.self)
            if ["pipe:", "socket:", "/"].contains(where: text.hasPrefix) { close(descriptor) }
        }
    }
}

/// What the system ends a worker for.
private struct WorkerBounds {
    private let limits: WorkerLimits
    private let fileLimit: Int64

    init(_ limits: WorkerLimits, fileLimit: Int64) { (self.limits, self.fileLimit) = (limits, fileLimit) }

    /// Holds from now on, and cannot be taken back.
    func apply() {
        bound(__rlimit_resource_t(RLIMIT_DATA.rawValue), UInt64(clamping: limits.memory))
        // Where both are the same the system kills without saying why.
        let seconds = UInt64(clamping: limits.processorSeconds)
        bound(__rlimit_resource_t(RLIMIT_CPU.rawValue), seconds, hard: seconds + 5)
        bound(__rlimit_resource_t(RLIMIT_CORE.rawValue), 0)
        // A write beyond it ends the worker.
        bound(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), UInt64(clamping: fileLimit))
        bound(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), 4096)
        // RLIMIT_NPROC counts all threads of the user, whoever began them; the sandbox lets none begin a process.
        // Others that the machine runs come first.
        _ = nice(5)
    }

    private func bound(_ resource: __rlimit_resource_t, _ most: UInt64, hard: UInt64? = nil) {
        var limit = rlimit(rlim_cur: rlim_t(most), rlim_max: rlim_t(hard ?? most))
        _ = setrlimit(resource, &limit)
    }
}

// Whoever gets no memory aborts, traps or reads address 0, and the signal alone does not tell that from a fault. The
// allocator leaves ENOMEM in the thread's errno, which is still there when the signal comes.

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

/// What a worker says, to its parent on standard output. A class because it knows what it said last.
final class WorkerReport: Sendable {
    private let last = Mutex<(state: AssetState, at: Int64)?>(nil)
    /// Milliseconds between two states of one stage.
    private static let pause: Int64 = 100

    /// Says a new state; counts that come fast are left out, and so is what lies behind the last one.
    func send(_ state: AssetState) {
        let now = AssetOperations.Instant.systemTime()
        last.withLock { last in
            if let before = last {
                guard state != before.state, state.rank >= before.state.rank else { return }
                let isSameStage = state.rank == before.state.rank
                guard !isSameStage || now - before.at >= Self.pause else { return }
            }
            last = (state, now)
            write(.state(state))
        }
    }

    func send(_ message: WorkerMessage) { last.withLock { _ in write(message) } }

    private func write(_ message: WorkerMessage) {
        guard let text = try? StateText.text(message) else { return }
        do { try WholeFile.write(Array((text + "\n").utf8)[...], to: STDOUT_FILENO, "standard output") } catch {
            // Who was to read it is gone.
            _exit(75)
        }
    }
}
