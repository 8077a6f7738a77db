// Entries of one folder mostly follow one another: the folder stays open for the next.

import Glibc

/// Walks from one folder below a root to another, step by step and through no link.
struct FolderCursor: ~Copyable {
    enum Missing {
        case fail, make
    }

    private let root: OpenFolder
    private let missing: Missing
    private var path: ArraySlice<UInt8> = []
    /// The folder that was entered last; at first the root.
    private(set) var folder: OpenFolder

    /// - Parameter missing: What becomes of folders on the way that are not there.
    init(_ root: borrowing OpenFolder, missing: Missing = .fail) throws(SystemFailure) {
        let one = try root.copy()
        let other = try root.copy()
        self.root = one
        self.missing = missing
        folder = other
    }

    /// Enters the folder in which `path` stands; gives the last component.
    mutating func enter(folderOf path: [UInt8]) throws(SystemFailure) -> FileName {
        let slash = path.lastIndex(of: UInt8(ascii: "/"))
        try enter(slash.map { path[..<$0] } ?? [])
        return FileName(path[(slash.map { $0 + 1 } ?? 0)...])
    }

    /// - Parameter target: From the root; empty for the root itself.
    mutating func enter(_ target: ArraySlice<UInt8>) throws(SystemFailure) {
        guard target != path else { return }
        var current = try root.copy()
        for component in target.split(separator: UInt8(ascii: "/")) {
            let name = FileName(component)
            switch missing {
            case .fail: break
            case .make:
                do throws(SystemFailure) { try current.makeFolder(name) } catch {
                    guard error.code == EEXIST else { throw error }
                }
            }
            current = try current.folder(name)
        }
        folder = current
        path = target
    }
}
