// No step takes a name away before another file has it, and what is replaced gets a name elsewhere first: so it can be
// put back, and never was missing.

import DaeCore

/// Moves what was unpacked into a folder that is there, and back when that fails.
struct Placement: ~Copyable {
    private let conflict: Unpacker.Conflict
    private let links: Links
    /// In the order they were begun.
    private var moves: [Move] = []

    /// Whether files may get a second name; not every file system has that.
    enum Links {
        case tried, never
    }

    private struct Move {
        let path: [UInt8]
        let kind: Kind

        enum Kind {
            case newFile, newFolder
            /// What was there has this name in the folder for replaced files.
            case replaced(FileName)
        }
    }

    /// Where it did not go on: `EEXIST` at a file that is there and stays, `ENOTDIR` at what is no file or no folder.
    struct Stop: Error {
        let failure: SystemError
        let path: [UInt8]
    }

    init(_ conflict: Unpacker.Conflict, links: Links = .tried) {
        self.conflict = conflict
        self.links = links
    }

    // MARK: - There

    /// Moves all that is in `files` to `target`; folders that are in both become one.
    mutating func run(
        _ files: borrowing OpenFolder, to target: borrowing OpenFolder, replaced: borrowing OpenFolder,
        isCancelled: () -> Bool
    ) throws(Stop) {
        var path: [UInt8] = []
        do throws(SystemError) {
            var from = try FolderCursor(files)
            var to = try FolderCursor(target)
            var waiting: [[UInt8]] = [[]]
            while let folder = waiting.popLast() {
                path = folder
                try from.enter(folder[...])
                try to.enter(folder[...])
                for name in try from.folder.names() {
                    path = folder.isEmpty ? name.bytes : folder + [UInt8(ascii: "/")] + name.bytes
                    guard !isCancelled() else { throw SystemError(name.text, ECANCELED) }
                    switch try from.folder.metadata(name)?.kind {
                    case .folder:
                        if try !moveFolder(name, path, from.folder, to.folder) { waiting.append(path) }
                    case .file: try moveFile(name, path, from.folder, to.folder, replaced)
                    case .link, .pipe, .socket, .device, .other, nil: throw SystemError(name.text, ENOENT)
                    }
                }
            }
        } catch {
            throw Stop(failure: error, path: path)
        }
    }

    /// Whether there was none.
    private mutating func moveFolder(
        _ name: FileName, _ path: [UInt8], _ from: borrowing OpenFolder, _ to: borrowing OpenFolder
    ) throws(SystemError) -> Bool {
        do throws(SystemError) { try to.makeFolder(name) } catch {
            guard error.code == EEXIST else { throw error }
            guard try to.metadata(name)?.kind == .folder else { throw SystemError(name.text, ENOTDIR) }
            return false
        }
        do throws(SystemError) { try from.move(name, to: to, as: name) } catch {
            try? to.removeFolder(name)
            throw error
        }
        moves.append(Move(path: path, kind: .newFolder))
        return true
    }

    private mutating func moveFile(
        _ name: FileName, _ path: [UInt8], _ from: borrowing OpenFolder, _ to: borrowing OpenFolder,
        _ replaced: borrowing OpenFolder
    ) throws(SystemError) {
        guard try !moveNewFile(name, from, to) else {
            moves.append(Move(path: path, kind: .newFile))
            return
        }
        guard try to.metadata(name)?.kind == .file else { throw SystemError(name.text, ENOTDIR) }
        switch conflict {
        case .refuse: throw SystemError(name.text, EEXIST)
        case .replaceFiles:
            let spare = FileName("\(moves.count)")
            if try !link(name, from: to, to: replaced, as: spare) { try to.move(name, to: replaced, as: spare) }
            moves.append(Move(path: path, kind: .replaced(spare)))
            try from.move(name, to: to, as: name)
        }
    }

    /// Whether there was nothing.
    private func moveNewFile(
        _ name: FileName, _ from: borrowing OpenFolder, _ to: borrowing OpenFolder
    ) throws(SystemError) -> Bool {
        do throws(SystemError) {
            if try link(name, from: from, to: to, as: name) {
                // Else it goes with the folder.
                try? from.removeFile(name)
                return true
            }
            // An empty file of our own keeps the place.
            _ = try to.makeFile(name)
        } catch {
            guard error.code == EEXIST else { throw error }
            return false
        }
        do throws(SystemError) { try from.move(name, to: to, as: name) } catch {
            try? to.removeFile(name)
            throw error
        }
        return true
    }

    /// Whether the file system can do that.
    private func link(
        _ name: FileName, from: borrowing OpenFolder, to: borrowing OpenFolder, as newName: FileName
    ) throws(SystemError) -> Bool {
        switch links {
        case .never: return false
        case .tried: break
        }
        do throws(SystemError) {
            try from.link(name, to: to, as: newName)
            return true
        } catch {
            switch error.code {
            case EPERM, EOPNOTSUPP, ENOSYS, EINVAL, EMLINK, EXDEV: return false
            default: throw error
            }
        }
    }

    // MARK: - And back

    /// Undoes every move; gives the paths where that failed.
    mutating func rollBack(
        to files: borrowing OpenFolder, from target: borrowing OpenFolder, replaced: borrowing OpenFolder
    ) -> [[UInt8]] {
        defer { moves = [] }
        do throws(SystemError) {
            var from = try FolderCursor(target)
            var to = try FolderCursor(files)
            var failed: [[UInt8]] = []
            for move in moves.reversed() {
                do throws(SystemError) {
                    let name = try from.enter(folderOf: move.path)
                    switch move.kind {
                    case .newFile: try from.folder.removeFile(name)
                    case .newFolder:
                        _ = try to.enter(folderOf: move.path)
                        try from.folder.move(name, to: to.folder, as: name)
                    case .replaced(let spare): try replaced.move(spare, to: from.folder, as: name)
                    }
                } catch {
                    failed.append(move.path)
                }
            }
            return failed
        } catch {
            return moves.map(\.path)
        }
    }
}
