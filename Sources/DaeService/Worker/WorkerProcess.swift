import DaeCore
import Daedalus
import Synchronization

/// One child process and what it says. A class because it owns the process and the pipes to it.
final class WorkerProcess: Sendable {
    enum Event: Sendable {
        case message(WorkerMessage)
        /// The last event: the process is gone.
        case ended(WorkerEnd)
    }

    private enum Phase {
        case running
        /// The process may be gone, and its number another's.
        case ended
    }
    private struct State {
        var phase = Phase.running
        var kill: WorkerEnd?
    }

    let events: AsyncStream<Event>
    private let pid: pid_t
    private let orders: Int32
    private let scratch: String
    private let state = Mutex(State())

    /// What ends the service by a signal to all that it started, as a terminal and systemd send it, is not for workers: the
    /// service decides what becomes of their work, and they end with their pipe at the latest.
    static let foreignSignals = [SIGTERM, SIGINT, SIGHUP]

    /// A line that is longer comes from no worker of ours.
    private static let lineLimit = 1 << 20

    /// Starts this program again, with an order to begin with.
    init(_ order: WorkerOrder) throws(StorageError) {
        var (input, output): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
        guard pipe(&input) == 0 else { throw StorageError("pipe", errno) }
        guard pipe(&output) == 0 else {
            let code = errno
            for end in input { close(end) }
            throw StorageError("pipe", code)
        }
        // A worker closes what it was handed beyond these: another may start between the two calls.
        for end in input + output { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let started = Self.spawn(input: input[0], output: output[1])
        close(input[0])
        close(output[1])
        guard case .success(let child) = started else {
            close(input[1])
            close(output[0])
            guard case .failure(let error) = started else { throw StorageError("worker", EIO) }
            throw error
        }
        pid = child
        scratch = order.scratch
        orders = input[1]
        let (events, continuation) = AsyncStream.makeStream(of: Event.self)
        self.events = events
        let said = output[0]
        let text = (try? StateText.text(order)) ?? ""
        let isHeard = DetachedThread.start { [self] in
            Self.write(text + "\n", to: orders)
            Self.read(said, limit: Self.lineLimit) { line in
                if let message = try? StateText.read(WorkerMessage.self, line) { continuation.yield(.message(message)) }
            }
            close(said)
            let end = wait()
            // What it left half made is gone before anybody hears of its end.
            ServiceFolder.discard(scratch)
            continuation.yield(.ended(end))
            continuation.finish()
        }
        guard isHeard else {
            kill(as: .killed(signal: SIGKILL))
            close(said)
            _ = wait()
            ServiceFolder.discard(scratch)
            throw StorageError("a thread", EAGAIN)
        }
    }

    /// Lets it go on behind its word of what the bytes are.
    func goOn() {
        state.withLock { state in
            if state.phase == .running { Self.write("go\n", to: orders) }
        }
    }

    /// Ends it at once.
    func kill(as end: WorkerEnd) {
        state.withLock { state in
            guard state.phase == .running else { return }
            if state.kill == nil { state.kill = end }
            DaeCore.kill(pid, SIGKILL)
        }
    }

    private func wait() -> WorkerEnd {
        // Its number stays its own until it is waited for, so that `kill` never hits another.
        var info = siginfo_t()
        while waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) < 0, errno == EINTR {}
        return state.withLock { state in
            state.phase = .ended
            close(orders)
            var status: Int32 = 0
            while waitpid(pid, &status, 0) < 0, errno == EINTR {}
            let end = WorkerEnd(status: status)
            switch end {
            case .killed(SIGKILL): return state.kill ?? end
            case .killed, .exited, .overdue, .notStarted: return end
            }
        }
    }

    private static func spawn(input: Int32, output: Int32) -> Result<pid_t, StorageError> {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("daed"), strdup("worker"), nil]
        defer { for argument in arguments { free(argument) } }
        // Tokens and addresses of the service are not a worker's to know.
        var environment: [UnsafeMutablePointer<CChar>?] = [strdup("PATH=/usr/bin:/bin"), strdup("TZ=UTC"), nil]
        defer { for variable in environment { free(variable) } }
        var child = pid_t()
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setpgroup(&attributes, 0)
        var signals = sigset_t()
        sigemptyset(&signals)
        for signal in foreignSignals { sigaddset(&signals, signal) }
        posix_spawnattr_setsigmask(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK))
        let status = posix_spawn(&child, "/proc/self/exe", &actions, &attributes, &arguments, &environment)
        return status == 0 ? .success(child) : .failure(StorageError("worker", status))
    }

    @discardableResult
    private static func write(_ text: String, to descriptor: Int32) -> Bool {
        (try? WholeFile.write(Array(text.utf8)[...], to: descriptor, "worker")) != nil
    }

    /// Reads lines to the end; of one that is too long nothing is given.
    static func read(_ descriptor: Int32, limit: Int, _ body: (String) -> Void) {
        var line: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = DaeCore.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            for byte in buffer[..<count] {
                if byte != UInt8(ascii: "\n") {
                    if line.count <= limit { line.append(byte) }
                    continue
                }
                if line.count <= limit { body(String(decoding: line, as: UTF8.self)) }
                line.removeAll(keepingCapacity: true)
            }
        }
    }
}

extension WorkerEnd {
    /// Why an asset failed whose worker ended before the asset did.
    func reason(_ limits: WorkerLimits) -> AssetState.Reason {
        AssetState.Reason(code, "The process that worked on it \(phrase(limits)).")
    }

    /// Each kind of end has a code of its own: what helps is another each time.
    var code: FindingCode {
        switch self {
        case .exited(MemoryTrap.exitCode): .workerOutOfMemory
        case .exited, .notStarted: .workerLost
        case .killed(SIGXCPU): .workerProcessorTimeExceeded
        case .killed(SIGXFSZ): .storageFull
        case .killed(SIGKILL), .killed(SIGTERM), .killed(SIGINT), .killed(SIGHUP): .workerKilled
        case .killed: .workerCrashed
        case .overdue: .workerTimeExceeded
        }
    }

    func phrase(_ limits: WorkerLimits) -> String {
        switch self {
        case .exited(MemoryTrap.exitCode): "needed more than \(limits.memory >> 20) MiB of memory"
        case .exited(let code): "ended by itself with code \(code)"
        case .killed(SIGXCPU): "took more than \(limits.processorSeconds) s of processor time"
        case .killed(SIGXFSZ): "wrote a file for which there is no room"
        case .killed(SIGKILL), .killed(SIGTERM), .killed(SIGINT), .killed(SIGHUP): "was killed from outside"
        case .killed(let signal): "crashed (signal \(signal))"
        case .overdue: "took longer than \(limits.wallSeconds) s"
        case .notStarted(let reason): "could not be started: \(reason)"
        }
    }
}
