import DaeCore
import Daedalus
import Synchronization

/// The end of a command's work, however it comes: by itself, by a signal, or since nobody takes its output any more.
struct CommandRun {
    let writer: ResultWriter
    let progress: ProgressLine?

    /// - Parameter work: Ends soon once its task is cancelled; gives the exit code that it asks for.
    /// - Throws: ``DaeExit`` unless all is fine.
    func run(_ work: @escaping @Sendable () async -> DaeExit) async throws {
        let task = Task(operation: work)
        let interrupts = Interrupts { task.cancel() }
        let code = await task.value
        progress?.clear()
        if let code = interrupts.code { throw code }
        try writer.finish()
        if code != .fine { throw code }
    }
}

// A handler for each signal writes its number into a pipe, and a thread takes it from there: whichever thread the kernel
// hands a signal to, and however early it comes, it is neither lost nor deadly.

/// Turns SIGINT, SIGTERM and SIGHUP into a cancellation; who does not end soon after is ended.
struct Interrupts {
    private let caught: CaughtSignal

    /// A class because the waiting thread shares it.
    private final class CaughtSignal: Sendable {
        let number = Atomic<Int32>(0)
        let cancel: @Sendable () -> Void

        init(_ cancel: @escaping @Sendable () -> Void) { self.cancel = cancel }
    }

    /// Milliseconds that work has to leave nothing behind.
    private static let grace: Int32 = 2000
    /// Both ends of the pipe; made by ``install()`` before any handler can run.
    private static let channel: (reader: Int32, writer: Int32) = {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return (-1, -1) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }()

    /// Begins to catch signals, to be called once; one that the caller of the program ignores stays ignored.
    static func install() {
        guard channel.writer >= 0 else { return }
        for number in [SIGINT, SIGTERM, SIGHUP] {
            let earlier = signal(number, SIG_IGN)
            let isIgnored = unsafeBitCast(earlier, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
            guard !isIgnored else { continue }
            signal(number) { number in
                var byte = UInt8(truncatingIfNeeded: number)
                _ = write(Interrupts.channel.writer, &byte, 1)
            }
        }
    }

    /// - Parameter cancel: Called once, at the first signal, on a thread of its own.
    init(_ cancel: @escaping @Sendable () -> Void) {
        caught = CaughtSignal(cancel)
        let context = Unmanaged.passRetained(caught)
        var thread = pthread_t()
        let status = pthread_create(
            &thread, nil,
            { context in
                if let context { Interrupts.wait(Unmanaged<CaughtSignal>.fromOpaque(context).takeRetainedValue()) }
                return nil
            }, context.toOpaque())
        if status == 0 { pthread_detach(thread) } else { context.release() }
    }

    private static func wait(_ caught: CaughtSignal) {
        var number: UInt8 = 0
        while read(channel.reader, &number, 1) != 1 {
            guard errno == EINTR else { return }
        }
        caught.number.store(Int32(number), ordering: .relaxed)
        caught.cancel()
        // A second one means: at once. So does work that does not end; to remove a hundred thousand files is no such work.
        var next = pollfd(fd: channel.reader, events: Int16(POLLIN), revents: 0)
        while poll(&next, 1, grace) == 0, PartialFolder.isBeingTidied {}
        PartialFiles.removeAll()
        PartialFolder.tellWhatIsLeft()
        _exit(128 + Int32(number))
    }

    /// The exit code of what was caught.
    var code: DaeExit? {
        switch caught.number.load(ordering: .relaxed) {
        case 0: nil
        case SIGINT: .interrupted
        default: .terminated
        }
    }
}

/// The folder into which a bundle is unpacked, for an end that lets nobody tidy up.
enum PartialFolder {
    private static let step = Mutex(Unpacker.Step.ended)

    static func follow(_ next: Unpacker.Step) { step.withLock { $0 = next } }

    static var isBeingTidied: Bool {
        switch step.withLock({ $0 }) {
        case .placing, .removing: true
        case .found, .writing, .ended: false
        }
    }

    static func tellWhatIsLeft() {
        switch step.withLock({ $0 }) {
        case .writing(let folder), .removing(let folder):
            guard FileMetadata(folder) != nil else { return }
            complain("\(folder) is left, half-written; unpacking to the same place again removes it")
        case .placing(let folder):
            guard FileMetadata(folder) != nil else { return }
            complain(
                "\(folder) is left with files that are not in their place; what was replaced is in its folder replaced")
        case .found, .ended: return
        }
    }
}
