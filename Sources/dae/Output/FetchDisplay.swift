// On a terminal one line an address at work, with rate and time left, drawn again in place; elsewhere a note each.

import DaeCore
import Daedalus
import Synchronization

/// Shows how downloads go, on standard error.
final class FetchDisplay: Sendable {
    enum Manner {
        case silent
        /// A line for what a person should know, none for progress.
        case notes
        case terminal

        /// - Parameter quiet: As the person asked for it.
        init(quiet: Bool) {
            let canMove = getenv("TERM").map { String(cString: $0) } != "dumb"
            self = quiet ? .silent : isatty(STDERR_FILENO) == 1 && canMove ? .terminal : .notes
        }
    }

    private struct Contents {
        var lines: [Int: FetchLine] = [:]
        var drawn = 0
        var lastDrawn: ContinuousClock.Instant?
        var (files, bytes, fetched, failures) = (0, Int64(0), Int64(0), 0)
        /// Bytes of transfers that were stopped.
        var stopped: Int64 = 0
    }

    private let manner: Manner
    private let count: Int
    private let start = ContinuousClock.now
    private let contents = Mutex(Contents())

    /// Before that nothing is drawn: what is done so soon needs no line.
    private static let patience: Duration = .milliseconds(300)
    private static let interval: Duration = .milliseconds(100)

    init(_ manner: Manner, count: Int) {
        self.manner = manner
        self.count = count
    }

    func begin(_ index: Int, _ url: String) {
        contents.withLock { $0.lines[index] = FetchLine(url: url, start: .now) }
    }

    func progress(_ index: Int, _ progress: DownloadProgress) {
        contents.withLock { contents in
            contents.lines[index]?.show(progress)
            draw(&contents)
        }
    }

    /// Draws the lines again every now and then until its task is cancelled, as a server that is silent calls nobody.
    func follow() async {
        guard case .terminal = manner else { return }
        while (try? await Task.sleep(for: .milliseconds(200))) != nil {
            contents.withLock { draw(&$0) }
        }
    }

    func notice(_ index: Int, _ notice: DownloadNotice) {
        guard manner != .silent else { return }
        contents.withLock { contents in
            let url = contents.lines[index]?.url ?? ""
            let isTwice = contents.lines.contains { $0.key != index && $0.value.url == url }
            let text =
                notice == .waitingForAnotherProcess && isTwice
                ? "waiting for the other download of the same address" : notice.text
            erase(&contents)
            complain("\(url): \(text)")
        }
    }

    func end(_ index: Int, _ file: DownloadedFile) {
        contents.withLock { contents in
            contents.lines[index] = nil
            contents.files += 1
            contents.bytes += file.size
            if case .server(let first) = file.origin { contents.fetched += file.size - first }
            if manner != .silent {
                for finding in file.findings {
                    erase(&contents)
                    complain("\(finding.message) [\(finding.code.rawValue)]")
                }
            }
            if contents.lines.isEmpty { erase(&contents) } else { draw(&contents) }
        }
    }

    /// - Parameter reason: Is told at once, also by a silent display; `nil` for a transfer that was stopped.
    func fail(_ index: Int, _ reason: String?) {
        contents.withLock { contents in
            let received = contents.lines.removeValue(forKey: index)?.received ?? 0
            guard let reason else {
                contents.stopped += received
                return
            }
            contents.failures += 1
            erase(&contents)
            complain(reason)
        }
    }

    /// Runs what writes to the terminal by itself, with no lines in its way.
    func pausing<Value>(_ work: () -> Value) -> Value {
        guard case .terminal = manner else { return work() }
        return contents.withLock { contents in
            erase(&contents)
            return work()
        }
    }

    /// The last word: a sum where there was more than one address, and what a stop has left.
    func end(isStopped: Bool) {
        contents.withLock { contents in
            erase(&contents)
            guard manner != .silent else { return }
            if count > 1 { complain(Self.sum(of: contents, count, Figures.seconds(ContinuousClock.now - start))) }
            guard isStopped else { return }
            let kept = "; what has come is kept, and the same command goes on from there where the server lets it"
            complain("interrupted\(contents.stopped > 0 ? kept : "")")
        }
    }

    private static func sum(of contents: borrowing Contents, _ count: Int, _ seconds: Double) -> String {
        let files = contents.files == count ? Figures.count(count, "file") : "\(contents.files) of \(count) files"
        let failures = contents.failures == 0 ? "" : ", \(contents.failures) failed"
        let fetched = "\(Figures.bytes(contents.fetched)) of it fetched in \(Figures.time(seconds))"
        return "\(files), \(Figures.bytes(contents.bytes)), \(fetched)\(failures)"
    }
}

// MARK: - Drawing

extension FetchDisplay {
    private func draw(_ contents: inout Contents) {
        guard case .terminal = manner else { return }
        let now = ContinuousClock.now
        guard now - start >= Self.patience, contents.lastDrawn.map({ now - $0 >= Self.interval }) ?? true else {
            return
        }
        contents.lastDrawn = now
        let size = Self.size
        // What has scrolled out at the top could not be taken away again.
        let room = max(1, size.rows - 2)
        let shown = contents.lines.keys.sorted().prefix(contents.lines.count > room ? room - 1 : room)
        var lines = shown.map { contents.lines[$0]?.text(at: now, columns: size.columns - 1) ?? "" }
        if shown.count < contents.lines.count { lines.append("… and \(contents.lines.count - shown.count) more") }
        // In one piece, so that nothing flickers.
        let text = lines.map { $0 + "\u{1B}[K\n" }.joined()
        writeToStandardError((contents.drawn > 0 ? "\u{1B}[\(contents.drawn)A" : "") + text + "\u{1B}[J")
        contents.drawn = lines.count
    }

    private func erase(_ contents: inout Contents) {
        guard contents.drawn > 0 else { return }
        writeToStandardError("\u{1B}[\(contents.drawn)A\u{1B}[J")
        contents.drawn = 0
    }

    private static var size: (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 1 else { return (80, 24) }
        return (Int(size.ws_col), size.ws_row > 0 ? Int(size.ws_row) : 24)
    }
}

/// What a terminal shows of one address at work.
private struct FetchLine {
    typealias Instant = ContinuousClock.Instant

    let url: String
    let start: Instant
    private var progress: DownloadProgress?
    private var rate = TransferRate()

    /// From then on a line says that nothing comes.
    private static let patience = 3.0
    /// Columns that an address needs to be worth its place.
    private static let leastAddress = 8

    init(url: String, start: Instant) {
        (self.url, self.start) = (url, start)
    }

    /// Bytes on disk, at least 0.
    var received: Int64 { progress?.received ?? 0 }

    mutating func show(_ next: DownloadProgress) {
        // Where it begins has to be known to the byte; later ones are noted when they are drawn.
        if progress == nil { rate.mark(next.received, at: .now) }
        progress = next
    }

    /// `12 MB of 40 MB, 3.1 MB/s, 9 s left  https://…`, cut to the columns given, at least 1.
    mutating func text(at now: Instant, columns: Int) -> String {
        let state = state(at: now)
        let room = columns - state.width - 2
        let address = url.withoutControls
        // Of an address its end says most.
        return room < Self.leastAddress ? state.cutAtTheEnd(to: columns) : "\(state)  \(address.cut(to: room))"
    }

    private mutating func state(at now: Instant) -> String {
        guard let progress else { return "waiting, \(Figures.time(Figures.seconds(now - start)))" }
        rate.mark(progress.received, at: now)
        let whole = progress.expected.map { " of \(Figures.bytes($0))" } ?? ""
        let sizes = "\(Figures.bytes(progress.received))\(whole)"
        if progress.received == progress.expected { return sizes }
        if let stillness = rate.stillness(at: now), stillness >= Self.patience {
            return "\(sizes), nothing for \(Figures.time(stillness))"
        }
        guard let speed = rate.perSecond, speed > 0 else { return sizes }
        let left = progress.expected.map { Double(max(0, $0 - progress.received)) / speed }
        return "\(sizes), \(Figures.bytes(Int64(speed)))/s" + (left.map { ", \(Figures.time($0)) left" } ?? "")
    }
}

// Of the last seconds alone: over the whole time, an end that stands still would look fast for minutes.

/// How fast something grows, told from how large it was at some moments.
private struct TransferRate {
    typealias Instant = ContinuousClock.Instant

    private var marks: [(bytes: Int64, time: Instant)] = []
    private var lastGrowth: Instant?

    private static let window: Duration = .seconds(5)

    /// Notes how large it is now, at least 0 bytes; less than before means that it was begun again.
    mutating func mark(_ bytes: Int64, at time: Instant) {
        if let last = marks.last, bytes < last.bytes { marks = [] }
        if marks.last?.bytes != bytes { lastGrowth = time }
        marks.append((bytes, time))
        // The oldest stays until the next is old enough too, so that there is a whole window.
        let needless = marks.indices.dropFirst().prefix { time - marks[$0].time >= Self.window }.count
        marks.removeFirst(needless)
    }

    /// Bytes a second, at least 0; `nil` before there is anything to compare.
    var perSecond: Double? {
        guard let first = marks.first, let last = marks.last, last.time > first.time else { return nil }
        return Double(last.bytes - first.bytes) / Figures.seconds(last.time - first.time)
    }

    /// Seconds since it grew last; `nil` before the first mark.
    func stillness(at time: Instant) -> Double? { lastGrowth.map { Figures.seconds(time - $0) } }
}
