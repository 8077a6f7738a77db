import ArgumentParser
import Daedalus
import Glibc

/// What the service starts for itself.
struct WorkerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "worker", abstract: "Work on one asset, as the service asks on standard input.",
        shouldDisplay: false)

    func run() async throws {
        Descriptors.closeOthers()
        guard let line = readLine(), let order = try? StateText.read(WorkerOrder.self, line) else {
            throw ValidationError("The service starts this by itself.")
        }
        MemoryTrap.set()
        WorkerBounds(order.limits, fileLimit: order.fileLimit).apply()
        try ServiceFolder.make(order.scratch)
        let report = WorkerReport()
        let (goAhead, gate) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let run = WorkerRun(order: order, report: report, goAhead: goAhead)
        let isListening = DetachedThread.start {
            while let line = readLine() { if line == "go" { gate.yield() } }
            // Nobody is left who could take what is made.
            _exit(75)
        }
        guard isListening else { _exit(71) }
        await run.run()
        _exit(0)
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
