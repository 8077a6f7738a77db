import ArgumentParser
import DaeCore
import Daedalus
import Synchronization

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

// What one process tells the other stands on one line each, so that a worker that dies in the middle of one has said
// nothing wrong.

/// What a worker is asked to do; the first line that it reads.
struct WorkerOrder: Codable, Sendable {
    enum Task: Codable, Sendable {
        /// Takes an asset from the beginning of an attempt to its end.
        case process(AssetState.Download)
        /// Makes the reports of a file.
        case report
        case model(ModelForm)
        /// Draws a picture of so many pixels a side.
        case picture(side: Int)
        /// Copies one entry of the file.
        case entry(path: String)
    }

    var task: Task
    var asset: AssetID
    /// What the state machine calls the asset.
    var source: String
    /// The file; `nil` where it has to be downloaded.
    var file: SourceFile?
    /// The folder of all that is kept.
    var folder: String
    /// Whose uploads what is handed over lies among.
    var owner: String?
    /// Where what is made goes to.
    var output: String?
    /// A folder of its own, where that lies until it is whole; its parent makes and removes it.
    var scratch: String
    var limits: WorkerLimits
    /// Bytes of one file at most.
    var fileLimit: Int64
    var contentLimit: Int64
    var allowedBlocks: [String]
    /// Beside the address of what has to be downloaded.
    var download: DownloadDetails?

    struct SourceFile: Codable, Sendable {
        var path: String
        var name: String
        var bytes: Int64
        var sha256: String
        /// Of its ``ContentKey``.
        var key: String
    }
}

/// What a worker says.
enum WorkerMessage: Codable, Sendable {
    /// The asset's new state; a settled one comes when all that was read of it is in its place.
    case state(AssetState)
    /// The bytes are here, in a file that is the reader's to move; its word to go on is waited for.
    case content(file: String, sha256: String, bytes: Int64, name: String)
    /// What was asked for is in its place.
    case made
    case failed(code: String, message: String)
}

/// How a worker ended.
enum WorkerEnd: Sendable, Equatable {
    case exited(Int32)
    case killed(signal: Int32)
    /// By its parent, since it took too long.
    case overdue
    case notStarted(String)

    /// Of the status that `waitpid` gives.
    init(status: Int32) {
        let signal = status & 0x7F
        self = signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal: signal)
    }
}

extension WorkerOrder.SourceFile {
    var content: StoredContent? {
        guard let digest = SHA256Digest(hex: sha256), let key = ContentKey(digest: digest, text: key) else {
            return nil
        }
        return StoredContent(digest: digest, bytes: bytes, name: name, key: key)
    }
}

/// What a worker says, to its parent on standard output. A class because it knows what it said last.
final class WorkerReport: Sendable {
    private let last = Mutex<(state: AssetState, at: Int64)?>(nil)
    /// Milliseconds between two states of one stage.
    private static let pause: Int64 = 100

    /// Says a new state; counts that come fast are left out, and so is what lies behind the last one.
    func tell(_ state: AssetState) {
        let now = AssetOperations.Instant.systemTime()
        last.withLock { last in
            if let before = last {
                guard state != before.state, Self.rank(state) >= Self.rank(before.state) else { return }
                let isSameStage = Self.rank(state) == Self.rank(before.state)
                guard !isSameStage || now - before.at >= Self.pause else { return }
            }
            last = (state, now)
            write(.state(state))
        }
    }

    func tell(_ message: WorkerMessage) { last.withLock { _ in write(message) } }

    private static func rank(_ state: AssetState) -> Int {
        switch state {
        case .downloading: state.attempt.number * 8
        case .unzipping: state.attempt.number * 8 + 1
        case .parsing: state.attempt.number * 8 + 2
        case .ready, .failed: state.attempt.number * 8 + 3
        }
    }

    private func write(_ message: WorkerMessage) {
        guard let text = try? StateText.text(message) else { return }
        do { try WholeFile.write(Array((text + "\n").utf8)[...], to: STDOUT_FILENO, "standard output") } catch {
            // Who was to read it is gone.
            _exit(75)
        }
    }
}
