import DaeCore
import Daedalus
import Synchronization

/// One child process, its folder, and what it says. A class because it owns the process and the pipes to it.
final class WorkerProcess: Sendable {
    fileprivate enum Event: Sendable {
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
        var complaint = ""
    }

    fileprivate let events: AsyncStream<Event>
    private let pid: pid_t
    private let orders: Int32
    private let state = Mutex(State())

    /// What ends the service by a signal to all that it started, as a terminal and systemd send it, is not for workers: the
    /// service decides what becomes of their work, and they end with their pipe at the latest.
    static let foreignSignals = [SIGTERM, SIGINT, SIGHUP]

    /// A line that is longer comes from no worker of ours.
    private static let lineLimit = 1 << 20
    /// Bytes that a worker may say in all: ten states a second for as long as the longest may take are fewer.
    private static let speechLimit = 16 << 20
    /// Bytes of what it last wrote to standard error that are kept.
    private static let complaintLimit = 2000

    /// Starts this program again, with an order to begin with.
    fileprivate init(_ order: WorkerOrder) throws(StorageError) {
        let (input, output, errors) = (try PipeEnds(), try PipeEnds(), try PipeEnds())
        pid = try Self.spawn(input.reading, output.writing, errors.writing)
        orders = input.takeWriting()
        let (events, continuation) = AsyncStream.makeStream(of: Event.self)
        self.events = events
        let text = (try? StateText.text(order)) ?? ""
        let (said, complained) = (output.takeReading(), errors.takeReading())
        let isHeard = DetachedThread.start { [self] in
            Self.write(text + "\n", to: orders)
            listen(said, complained) { continuation.yield(.message($0)) }
            for descriptor in [said, complained] { close(descriptor) }
            continuation.yield(.ended(wait()))
            continuation.finish()
        }
        guard isHeard else {
            kill(as: .killed(signal: SIGKILL))
            for descriptor in [said, complained] { close(descriptor) }
            _ = wait()
            throw StorageError("a thread", EAGAIN)
        }
    }

    /// What it last wrote to standard error, as a crash does.
    var complaint: String { state.withLock { $0.complaint } }

    /// Ends it at once, and what it may have started.
    func kill(as end: WorkerEnd) {
        state.withLock { state in
            guard state.phase == .running else { return }
            if state.kill == nil { state.kill = end }
            DaeCore.kill(-pid, SIGKILL)
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
            DaeCore.kill(-pid, SIGKILL)
            var status: Int32 = 0
            while waitpid(pid, &status, 0) < 0, errno == EINTR {}
            let end = WorkerEnd(status: status)
            switch end {
            case .killed(SIGKILL): return state.kill ?? end
            case .killed, .exited, .overdue, .talkative, .notStarted: return end
            }
        }
    }

    private static func spawn(_ input: Int32, _ output: Int32, _ errors: Int32) throws(StorageError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (end, standard) in [(input, STDIN_FILENO), (output, STDOUT_FILENO), (errors, STDERR_FILENO)] {
            posix_spawn_file_actions_adddup2(&actions, end, standard)
        }
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("daed"), strdup(WorkerProgram.name), nil]
        defer { for argument in arguments { free(argument) } }
        // Tokens and addresses of the service are not a worker's to know.
        var environment: [UnsafeMutablePointer<CChar>?] = [nil]
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
        guard status == 0 else { throw StorageError("worker", status) }
        return child
    }

    private static func write(_ text: String, to descriptor: Int32) {
        // One that is gone shows itself by its end.
        try? WholeFile.write(Array(text.utf8)[...], to: descriptor, "worker")
    }

    // MARK: - What it says

    /// Hands on all that is said, until both pipes have ended.
    private func listen(_ said: Int32, _ complained: Int32, _ take: (WorkerMessage) -> Void) {
        var lines = LineReader(limit: Self.lineLimit)
        var (ends, count) = ([pollfd(fd: said, events: Int16(POLLIN), revents: 0)], 0)
        ends.append(pollfd(fd: complained, events: Int16(POLLIN), revents: 0))
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while ends.contains(where: { $0.fd >= 0 }) {
            guard poll(&ends, nfds_t(ends.count), -1) >= 0 || errno == EINTR else { return }
            for index in ends.indices where ends[index].revents != 0 {
                let read = DaeCore.read(ends[index].fd, &buffer, buffer.count)
                if read < 0, errno == EINTR { continue }
                guard read > 0 else {
                    // A descriptor below zero is passed over.
                    ends[index].fd = -1
                    continue
                }
                count += read
                guard count <= Self.speechLimit else {
                    kill(as: .talkative)
                    continue
                }
                guard index == 0 else {
                    complain(buffer[..<read])
                    continue
                }
                lines.read(buffer[..<read]) { line in
                    if let message = try? StateText.read(WorkerMessage.self, line) { take(message) }
                }
            }
        }
    }

    private func complain(_ bytes: ArraySlice<UInt8>) {
        state.withLock { state in
            let text = state.complaint + String(decoding: bytes, as: UTF8.self)
            state.complaint = String(text.suffix(Self.complaintLimit))
        }
    }
}

/// Both ends of a pipe. A class because it closes what nobody took.
private final class PipeEnds {
    private(set) var reading: Int32
    private(set) var writing: Int32

    init() throws(StorageError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw StorageError("pipe", errno) }
        (reading, writing) = (ends[0], ends[1])
        // A child that is started between the two calls closes what it was handed.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }

    deinit {
        for end in [reading, writing] where end >= 0 { close(end) }
    }

    func takeReading() -> Int32 {
        defer { reading = -1 }
        return reading
    }

    func takeWriting() -> Int32 {
        defer { writing = -1 }
        return writing
    }
}

/// Makes lines of what comes in pieces; of one that is too long nothing is given.
private struct LineReader {
    private let limit: Int
    private var line: [UInt8] = []

    init(limit: Int) { self.limit = limit }

    mutating func read(_ bytes: ArraySlice<UInt8>, _ take: (String) -> Void) {
        for byte in bytes {
            if byte != UInt8(ascii: "\n") {
                if line.count <= limit { line.append(byte) }
                continue
            }
            if line.count <= limit { take(String(decoding: line, as: UTF8.self)) }
            line.removeAll(keepingCapacity: true)
        }
    }
}

extension WorkerProcess {
    /// Has a worker carry out an order. Its folder is there from before its start until `finish` has returned, and gone when
    /// this returns, however it ends.
    ///
    /// - Parameters:
    ///   - begin: Whether it is still wanted, once it runs.
    ///   - hear: Takes what it says, while it runs.
    ///   - finish: Takes what it left, once it is gone.
    static func run<Value: Sendable>(
        _ order: WorkerOrder, isolation: isolated (any Actor)? = #isolation,
        begin: (WorkerProcess) -> Bool = { _ in true }, hear: (WorkerMessage) async throws -> Void,
        finish: (WorkerEnd, _ complaint: String) async throws -> Value
    ) async throws -> Value {
        let worker: WorkerProcess
        do throws(StorageError) {
            try ServiceFolder.make(order.folder.path)
            worker = try WorkerProcess(order)
        } catch {
            ServiceFolder.discard(order.folder.path)
            return try await finish(.notStarted(error.description), "")
        }
        let deadline = Task {
            try? await Task.sleep(for: .seconds(order.limits.wallSeconds))
            if !Task.isCancelled { worker.kill(as: .overdue) }
        }
        defer { deadline.cancel() }
        if !begin(worker) { worker.kill(as: .killed(signal: SIGKILL)) }
        var outcome: Result<Value, any Error>?
        var fault: (any Error)?
        for await event in worker.events {
            switch event {
            case .message(let message):
                guard fault == nil else { continue }
                do { try await hear(message) } catch {
                    fault = error
                    worker.kill(as: .killed(signal: SIGKILL))
                }
            case .ended(let end):
                if let fault {
                    outcome = .failure(fault)
                } else {
                    do { outcome = .success(try await finish(end, worker.complaint)) } catch {
                        outcome = .failure(error)
                    }
                }
            }
        }
        worker.kill(as: .killed(signal: SIGKILL))
        await Thread.run { ServiceFolder.discard(order.folder.path) }
        // A task that was cancelled hears no end.
        guard let outcome else { throw CancellationError() }
        return try outcome.get()
    }
}
