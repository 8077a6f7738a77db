import Synchronization

/// The folder in which a lone document lies, opened when the first file in it is asked for: most documents ask for none.
final class FolderBeside: Sendable {
    private enum State {
        case unopened
        /// `nil` where it cannot be opened.
        case opened(FolderTree?)
    }

    private let document: String
    private let state = Mutex(State.unopened)

    /// - Parameter document: Its path.
    init(_ document: String) { self.document = document }

    var tree: FolderTree? {
        state.withLock { state in
            switch state {
            case .opened(let tree): return tree
            case .unopened:
                let folder = document.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(document[...$0]) } ?? "."
                let tree = FolderTree(path: folder)
                state = .opened(tree)
                return tree
            }
        }
    }
}
