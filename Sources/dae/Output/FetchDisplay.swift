// On a terminal one line an address at work, with rate and time left, drawn again in place; elsewhere a note each.

import Daedalus
import Glibc
import Synchronization

/// Shows how downloads go, on standard error.
final class FetchDisplay: Sendable {
    enum Manner {
        case silent
        /// A line for what a person should know, none for progress.
        case notes
        case terminal
    }

    private struct Line {
        let url: String
        let start: ContinuousClock.Instant
        /// Bytes when the transfer began to count.
        var first: Int64?
        var progress: DownloadProgress?
    }

    private struct Contents {
        var lines: [Int: Line] = [:]
        var drawn = 0
        var lastDrawn: ContinuousClock.Instant?
        var (files, bytes, fetched, failures) = (0, Int64(0), Int64(0), 0)
    }

    private let manner: Manner
    private let count: Int
    private let start = ContinuousClock.now
    private let contents = Mutex(Contents())

    private static let interval: Duration = .milliseconds(100)

    init(_ manner: Manner, count: Int) {
        self.manner = manner
        self.count = count
    }

    func begin(_ index: Int, _ url: String) {
        contents.withLock { $0.lines[index] = Line(url: url, start: .now) }
    }

    func progress(_ index: Int, _ progress: DownloadProgress) {
        contents.withLock { contents in
            contents.lines[index]?.progress = progress
            if contents.lines[index]?.first == nil { contents.lines[index]?.first = progress.received }
            draw(&contents)
        }
    }

    func notice(_ index: Int, _ notice: DownloadNotice) {
        guard manner != .silent else { return }
        contents.withLock { contents in
            erase(&contents)
            complain("\(contents.lines[index]?.url ?? ""): \(notice.text)")
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
            draw(&contents)
        }
    }

    func fail(_ index: Int) {
        contents.withLock { contents in
            contents.lines[index] = nil
            contents.failures += 1
        }
    }

    /// Takes the lines away, so that something else can be written.
    func pause() { contents.withLock { erase(&$0) } }

    /// The last word: a sum where there was more than one address.
    func end() {
        contents.withLock { contents in
            erase(&contents)
            guard manner != .silent, count > 1 else { return }
            let failures = contents.failures == 0 ? "" : ", \(contents.failures) failed"
            let files = "\(Figures.count(contents.files, "file")), \(Figures.bytes(contents.bytes))"
            let seconds = Self.seconds(ContinuousClock.now - start)
            complain("\(files), \(Figures.bytes(contents.fetched)) of it fetched in \(Self.time(seconds))\(failures)")
        }
    }
}

// MARK: - Drawing

extension FetchDisplay {
    private func draw(_ contents: inout Contents) {
        let now = ContinuousClock.now
        guard case .terminal = manner, contents.lastDrawn.map({ now - $0 >= Self.interval }) ?? true else { return }
        erase(&contents)
        contents.lastDrawn = now
        let width = Self.width
        var text = ""
        for (_, line) in contents.lines.sorted(by: { $0.key < $1.key }) where line.progress != nil {
            text += Self.text(of: line, now).withoutControls.prefix(width - 1) + "\n"
            contents.drawn += 1
        }
        writeToStandardError(text)
    }

    private func erase(_ contents: inout Contents) {
        guard contents.drawn > 0 else { return }
        writeToStandardError("\u{1B}[\(contents.drawn)A\u{1B}[J")
        contents.drawn = 0
    }

    /// `12 MB of 40 MB, 3.1 MB/s, 9 s left  https://…`
    private static func text(of line: Line, _ now: ContinuousClock.Instant) -> String {
        guard let progress = line.progress else { return line.url }
        let whole = progress.expected.map { " of \(Figures.bytes($0))" } ?? ""
        let seconds = max(Self.seconds(now - line.start), 0.001)
        let rate = Double(progress.received - (line.first ?? 0)) / seconds
        var text = "\(Figures.bytes(progress.received))\(whole), \(Figures.bytes(Int64(rate)))/s"
        if let expected = progress.expected, rate > 0 {
            text += ", \(time(Double(max(0, expected - progress.received)) / rate)) left"
        }
        return "\(text)  \(line.url)"
    }

    private static func seconds(_ duration: Duration) -> Double {
        Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
    }

    /// `0.4 s`, `12 s`, `3 min`, `2 h`.
    private static func time(_ seconds: Double) -> String {
        if seconds < 10 { return "\(Figures.digits(seconds, 1)) s" }
        if seconds < 120 { return "\(Int(seconds)) s" }
        if seconds < 7200 { return "\(Int(seconds / 60)) min" }
        return "\(Figures.count(Int(min(seconds / 3600, 1e9)))) h"
    }

    private static var width: Int {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 1 else { return 80 }
        return Int(size.ws_col)
    }
}
