import Synchronization

/// A file that appears under its name when it is whole, or not at all: until then it lies beside its place, under a name of
/// its own, and is gone with this value.
///
/// A class because it owns what lies there.
package final class AtomicFile: Sendable {
    /// What of a file that got its name lasts through a power cut.
    package enum Durability: Sendable {
        /// What the system has written by then.
        case none
        /// Its bytes, wherever its name is then.
        case bytes
        /// Its bytes under its name.
        case name
    }

    /// What becomes of a file that has the name already.
    package enum Existing: Sendable {
        case replaced
        /// It stays, and placing fails with `EEXIST`.
        case refused
    }

    /// To be written to.
    package let file: OpenFile
    private let target: String
    private let partial: String

    /// - Parameters:
    ///   - target: The path of the file to be; its folder must exist. Errors call the file so.
    ///   - partial: Where it lies until it is whole, on the same disk; nothing may be there.
    ///   - permissions: Less what the process's mask forbids.
    package init(_ target: String, by partial: String? = nil, permissions: mode_t = 0o666) throws(SystemError) {
        let partial = partial ?? Self.partialPath(of: target)
        file = try PartialFiles.create(partial, permissions, for: target)
        self.target = target
        self.partial = partial
    }

    deinit { PartialFiles.remove(partial) }

    /// Puts it in the place of what is there.
    package func place(_ durability: Durability) throws(SystemError) { try Self.place([self], durability) }

    /// Gives files their names, all or none, and none alone because the program ends.
    package static func place(
        _ files: [AtomicFile], _ durability: Durability, existing: Existing = .replaced
    ) throws(SystemError) {
        switch durability {
        case .none: break
        case .bytes, .name: for file in files { try file.file.sync() }
        }
        try PartialFiles.place(files.map { ($0.partial, $0.target) }, existing)
        switch durability {
        case .none, .bytes: break
        case .name: for file in files { try sync(folderOf: file.target) }
        }
    }

    /// Makes the changes of names in the folder of a path last through a power cut.
    package static func sync(folderOf path: String) throws(SystemError) {
        try OpenFile(FolderReading.folder(of: path), .reading).sync()
    }

    /// Hidden, so that it is not taken for a result meanwhile, and hardly longer, since names may not be.
    private static func partialPath(of path: String) -> String {
        let start = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        return "\(path[..<start]).\(path[start...]).\(String(UInt32.random(in: 0 ..< 1 << 31), radix: 36))"
    }
}

/// The files that have a name of their own until they are whole, for an end that lets nobody tidy up.
///
/// Of the whole program, since a signal ends all of it.
package enum PartialFiles {
    private enum State {
        case open(Set<String>)
        /// The program ends: none is made any more.
        case closed
    }

    private static let state = Mutex(State.open([]))

    /// Makes a file, unless the program ends.
    fileprivate static func create(
        _ path: String, _ permissions: mode_t, for target: String
    ) throws(SystemError) -> OpenFile {
        let opened = state.withLock { state -> Result<Int32, SystemError> in
            guard case .open(var paths) = state else { return .failure(SystemError(target, ECANCELED)) }
            let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, permissions)
            guard descriptor >= 0 else { return .failure(SystemError(target)) }
            paths.insert(path)
            state = .open(paths)
            return .success(descriptor)
        }
        return OpenFile(adopting: try opened.get(), name: target)
    }

    /// Takes one away that has not got its name.
    fileprivate static func remove(_ path: String) {
        state.withLock { state in
            guard case .open(var paths) = state, paths.remove(path) != nil else { return }
            unlink(path)
            state = .open(paths)
        }
    }

    fileprivate static func place(
        _ files: [(partial: String, target: String)], _ existing: AtomicFile.Existing
    ) throws(SystemError) {
        try state.withLock { state throws(SystemError) in
            guard case .open(var paths) = state else { throw SystemError(files.first?.target ?? "", ECANCELED) }
            for (index, file) in files.enumerated() {
                do throws(SystemError) { try place(file.partial, at: file.target, existing) } catch {
                    for placed in files[..<index] { unlink(placed.target) }
                    throw error
                }
            }
            for file in files { paths.remove(file.partial) }
            state = .open(paths)
        }
    }

    private static func place(
        _ partial: String, at target: String, _ existing: AtomicFile.Existing
    ) throws(SystemError) {
        switch existing {
        case .replaced: break
        case .refused:
            // The only call of every system that takes no name which is taken.
            if link(partial, target) == 0 {
                unlink(partial)
                return
            }
            // Some file systems have no second names.
            if errno == EEXIST || FileMetadata(target) != nil { throw SystemError(target, EEXIST) }
        }
        guard rename(partial, target) == 0 else { throw SystemError(target) }
    }

    /// Takes all away, to be called when nothing but the program's end is to follow.
    package static func removeAll() {
        state.withLock { state in
            if case .open(let paths) = state {
                for path in paths { unlink(path) }
            }
            state = .closed
        }
    }
}
