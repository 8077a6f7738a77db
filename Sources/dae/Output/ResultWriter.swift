import Daedalus
import Synchronization

/// Writes results one after the other; safe to call from any task. A class because the first failure ends it for all.
final class ResultWriter: Sendable {
    private struct Contents: ~Copyable {
        var stream: OutputStream?
        var failure: DaeExit?
        var written = 0
    }

    private let contents: Mutex<Contents>
    private let isCompact: Bool
    private let isSeparated: Bool

    /// - Parameters:
    ///   - path: `nil` for standard output.
    ///   - isCompact: JSON on one line each.
    ///   - isSeparated: An empty line between texts.
    init(path: String?, isCompact: Bool, isSeparated: Bool) throws(DaeExit) {
        contents = Mutex(Contents(stream: try OutputStream(path: path)))
        self.isCompact = isCompact
        self.isSeparated = isSeparated
    }

    /// Whether the output still takes anything.
    func write(_ rendering: SourceRun.Rendering) -> Bool {
        var bytes: [UInt8]
        switch rendering {
        case .nothing: return contents.withLock { $0.failure == nil }
        case .text(let text): bytes = Array(text.utf8)
        case .json(let value):
            bytes = value.text(isCompact ? .compact : .indented)
            bytes.append(UInt8(ascii: "\n"))
        }
        return contents.withLock { contents in
            guard contents.failure == nil else { return false }
            do throws(DaeExit) {
                if isSeparated && contents.written > 0 { try contents.stream?.write([UInt8(ascii: "\n")]) }
                try contents.stream?.write(bytes)
                contents.written += 1
                return true
            } catch {
                contents.failure = error
                return false
            }
        }
    }

    /// Puts a file in its place; throws what went wrong until then.
    func finish() throws(DaeExit) {
        let failure: DaeExit? = contents.withLock { contents in
            if let failure = contents.failure { return failure }
            guard let stream = contents.stream.take() else { return nil }
            do throws(DaeExit) {
                try stream.finish()
                return nil
            } catch { return error }
        }
        if let failure { throw failure }
    }
}
