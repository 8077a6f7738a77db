// However deep the folders lie within one another, two are open at a time: those within a folder are moved up to the
// top before it is removed.

import Glibc

/// Removes all that a folder holds.
struct FolderRemoval: ~Copyable {
    private let root: OpenFolder
    private var moved = 0

    /// Names that are read at once.
    private static let batch = 8192

    init(of root: borrowing OpenFolder) throws(SystemFailure) {
        self.root = try root.copy()
    }

    /// - Throws: At what cannot be removed; and `ECANCELED`.
    mutating func run(isCancelled: () -> Bool = { false }) throws(SystemFailure) {
        while case let names = try root.names(most: Self.batch), !names.isEmpty {
            for name in names {
                guard !isCancelled() else { throw SystemFailure(code: ECANCELED) }
                guard try !removeFile(name, in: root) else { continue }
                try empty(try root.folder(name), isCancelled)
                try root.removeFolder(name)
            }
        }
    }

    private mutating func empty(
        _ folder: consuming OpenFolder, _ isCancelled: () -> Bool
    ) throws(SystemFailure) {
        while case let names = try folder.names(most: Self.batch), !names.isEmpty {
            for name in names {
                guard !isCancelled() else { throw SystemFailure(code: ECANCELED) }
                if try !removeFile(name, in: folder) { try moveUp(name, from: folder) }
            }
        }
    }

    /// Whether it was no folder.
    private func removeFile(_ name: FileName, in folder: borrowing OpenFolder) throws(SystemFailure) -> Bool {
        do throws(SystemFailure) {
            try folder.removeFile(name)
            return true
        } catch {
            switch error.code {
            case ENOENT: return true
            case EISDIR: return false
            default: throw error
            }
        }
    }

    private mutating func moveUp(_ name: FileName, from folder: borrowing OpenFolder) throws(SystemFailure) {
        while true {
            moved += 1
            do throws(SystemFailure) {
                return try folder.move(name, to: root, as: FileName("\(moved)"))
            } catch {
                // An earlier removal that was stopped may have left one of this name.
                guard error.code == ENOTEMPTY || error.code == EEXIST || error.code == ENOTDIR else { throw error }
            }
        }
    }
}
