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

    /// How many bytes may be written of a source.
    struct Limit {
        let bytes: Int
        let source: String

        fileprivate func check(_ count: Int) throws(DaeExit) {
            guard count > bytes else { return }
            let code = FindingCode.outputTooLarge
            complain(
                "\(SourceAddress.display(source)): the result would have more than \(bytes) bytes; see --max-output [\(code.rawValue)]"
            )
            throw .budget
        }
    }

    /// Whether the output still takes anything.
    func write(_ rendering: SourceRun.Rendering, within limit: Limit? = nil) -> Bool {
        state.withLock { state in
            switch consume state {
            case .waiting:
                guard !rendering.isNothing else {
                    state = .waiting
                    return true
                }
                do throws(DaeExit) {
                    let stream = try OutputStream(path: path)
                    try put(rendering, limit, into: stream)
                    state = .writing(stream)
                    return true
                } catch {
                    state = .failed(error)
                    return false
                }
            case .writing(let stream):
                do throws(DaeExit) {
                    if isSeparated && !rendering.isNothing { try stream.write([UInt8(ascii: "\n")]) }
                    try put(rendering, limit, into: stream)
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

    private func put(
        _ rendering: SourceRun.Rendering, _ limit: Limit?, into stream: borrowing OutputStream
    ) throws(DaeExit) {
        var count = 0
        func write(_ bytes: [UInt8]) throws(DaeExit) {
            count += bytes.count
            try limit?.check(count)
            try stream.write(bytes)
        }
        let style = style.withLock { $0 }
        switch rendering {
        case .nothing: break
        case .text(let text): try write(Array(text.utf8))
        case .textPieces(let make): try pieces(make, write)
        case .bytes(let text): try write(text)
        case .json(let value): try write(value.text(style) + [UInt8(ascii: "\n")])
        case .jsonLines(let values):
            for value in values { try write(value.text(.compact) + [UInt8(ascii: "\n")]) }
        case .jsonPieces(let make):
            try pieces({ make(style, $0) }, write)
            try stream.write([UInt8(ascii: "\n")])
        }
    }

    private func pieces(
        _ make: @escaping (_ take: ([UInt8]) -> Bool) -> Void, _ write: ([UInt8]) throws(DaeExit) -> Void
    ) throws(DaeExit) {
        var failure: DaeExit?
        make { piece in
            do throws(DaeExit) { try write(piece) } catch { failure = error }
            return failure == nil
        }
        if let failure { throw failure }
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
