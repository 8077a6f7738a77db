import DaeCore
import Daedalus
import Synchronization

/// One line on standard error that says what is going on, for people at a terminal and work that takes a while.
final class ProgressLine: Sendable {
    private struct Contents {
        var settled = 0
        var lastDrawn: ContinuousClock.Instant?
        var isDrawn = false  // reason: whether the terminal shows the line now
    }

    private let sources: Int
    private let start = ContinuousClock.now
    private let contents = Mutex(Contents())

    private static let patience: Duration = .milliseconds(500)
    private static let interval: Duration = .milliseconds(100)

    static func isWanted(quiet: Bool) -> Bool { !quiet && isatty(STDERR_FILENO) == 1 }

    init(sources: Int) {
        self.sources = sources
    }

    /// Shows the pipeline's states until its task is cancelled or the pipeline ends.
    func follow(_ pipeline: AssetPipeline) async {
        for await update in await pipeline.states {
            if Task.isCancelled { return }
            show(update.state, of: await pipeline.source(of: update.asset)?.text)
        }
    }

    /// - Parameter source: Path or address; `nil` for what only a server knows.
    func show(_ state: AssetState, of source: String?) {
        if state.isSettled {
            contents.withLock { $0.settled += 1 }
        } else {
            show(Self.line(of: state, source))
        }
    }

    private static func line(of state: AssetState, _ source: String?) -> String {
        if state.kind == .downloading, let source {
            switch SourceAddress(source, exists: { ControlFile.kind($0) != nil }).location {
            case .path, .standardInput: return "opening \(SourceAddress.display(source))"
            case .url: break
            }
        }
        return AssetStatePresentation(state, source: source).line
    }

    /// Shows what goes on beside the states of assets.
    func show(_ text: @autoclosure () -> String) {
        let now = ContinuousClock.now
        contents.withLock { contents in
            guard now - start >= Self.patience else { return }
            if let last = contents.lastDrawn, now - last < Self.interval { return }
            contents.lastDrawn = now
            contents.isDrawn = true
            var line = text()
            if sources > 1 { line = "[\(contents.settled + 1)/\(sources)] " + line }
            // Of a path its end says most.
            writeToStandardError("\r\u{1B}[K" + line.withoutControls.cutInTheMiddle(to: Self.width - 1))
        }
    }

    /// Takes the line away.
    func clear() {
        contents.withLock { contents in
            guard contents.isDrawn else { return }
            contents.isDrawn = false
            writeToStandardError("\r\u{1B}[K")
        }
    }

    private static var width: Int {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 1 else { return 80 }
        return Int(size.ws_col)
    }
}
