import Daedalus
import Synchronization

/// Writes results one after the other; safe to call from any task. A class because the first failure ends it for all.
final class ResultWriter: Sendable {
    private enum State: ~Copyable {
        /// Nothing was written yet, so nothing was opened: a run without a result leaves the path as it was.
        case waiting
        case writing(OutputStream)
        case failed(DaeExit)
    }

    private let state = Mutex(State.waiting)
    private let path: String?
    private let style: Mutex<JSONValue.Style>
    private let isSeparated: Bool

    /// - Parameters:
    ///   - path: `nil` for standard output.
    ///   - isCompact: JSON on one line each.
    ///   - isSeparated: An empty line between texts.
    init(path: String?, isCompact: Bool, isSeparated: Bool) {
        self.path = path
        style = Mutex(isCompact ? .compact : .indented)
        self.isSeparated = isSeparated
    }

    /// What was taken for one source is several: each has a line.
    func beginSeveral() { style.withLock { $0 = .compact } }

    /// Whether the output still takes anything.
    func write(_ rendering: SourceRun.Rendering) -> Bool {
        state.withLock { state in
            switch consume state {
            case .waiting:
                guard !rendering.isNothing else {
                    state = .waiting
                    return true
                }
                do throws(DaeExit) {
                    let stream = try OutputStream(path: path)
                    try put(rendering, into: stream)
                    state = .writing(stream)
                    return true
                } catch {
                    state = .failed(error)
                    return false
                }
            case .writing(let stream):
                do throws(DaeExit) {
                    if isSeparated && !rendering.isNothing { try stream.write([UInt8(ascii: "\n")]) }
                    try put(rendering, into: stream)
                    state = .writing(stream)
                    return true
                } catch {
                    state = .failed(error)
                    return false
                }
            case .failed(let error):
                state = .failed(error)
                return false
            }
        }
    }

    private func put(_ rendering: SourceRun.Rendering, into stream: borrowing OutputStream) throws(DaeExit) {
        let style = style.withLock { $0 }
        switch rendering {
        case .nothing: break
        case .text(let text): try stream.write(Array(text.utf8))
        case .bytes(let text): try stream.write(text)
        case .json(let value): try stream.write(value.text(style) + [UInt8(ascii: "\n")])
        case .jsonLines(let values):
            for value in values { try stream.write(value.text(.compact) + [UInt8(ascii: "\n")]) }
        case .jsonPieces(let make):
            var failure: DaeExit?
            make(style) { piece in
                do throws(DaeExit) { try stream.write(piece) } catch { failure = error }
                return failure == nil
            }
            if let failure { throw failure }
            try stream.write([UInt8(ascii: "\n")])
        }
    }

    /// Puts a file in its place; throws what went wrong until then.
    func finish() throws(DaeExit) {
        let failure: DaeExit? = state.withLock { state in
            switch consume state {
            case .waiting:
                state = .waiting
                return nil
            case .writing(let stream):
                state = .waiting
                do throws(DaeExit) {
                    try stream.finish()
                    return nil
                } catch { return error }
            case .failed(let error):
                state = .failed(error)
                return error
            }
        }
        if let failure { throw failure }
    }
}
