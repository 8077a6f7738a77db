import Synchronization

/// The folder in which a lone document lies, opened when the first file in it is asked for: most documents ask for none.
/// What a relative path leads to may be another folder by then, so that one is opened at once.
final class FolderBeside: Sendable {
    private enum State {
        case unopened
        /// `nil` where it cannot be opened.
        case opened(FolderTree?)
    }

    private let document: String
    private let state: Mutex<State>

    /// - Parameter document: Its path.
    init(_ document: String) {
        self.document = document
        let isAbsolute = document.utf8.first == UInt8(ascii: "/")
        state = Mutex(isAbsolute ? .unopened : .opened(Self.folder(of: document)))
    }

    var tree: FolderTree? {
        state.withLock { state in
            switch state {
            case .opened(let tree): return tree
            case .unopened:
                let tree = Self.folder(of: document)
                state = .opened(tree)
                return tree
            }
        }
    }

    private static func folder(of document: String) -> FolderTree? {
        FolderTree(path: document.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(document[...$0]) } ?? ".")
    }
}
