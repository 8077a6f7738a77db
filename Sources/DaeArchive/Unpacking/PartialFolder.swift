// The folder's descriptor holds a lock as long as the process lives: who gets the lock knows that the owner is gone,
// which the number of a process would not prove.

import DaeCore

/// The folder in which an unpacking writes, gone at its end.
struct PartialFolder: ~Copyable {
    let name: FileName
    /// What is unpacked, as it will stand in the target.
    let files: OpenFolder
    private let folder: OpenFolder

    private static let prefix = Array(".dae-partial-".utf8)
    private static let digits = 16
    private static let filesName = FileName("files")
    private static let replacedName = FileName("replaced")
    /// What `replaced` is called once nobody needs it any more.
    private static let obsoleteName = FileName("obsolete")

    /// Whether a folder of this name is one of these: nothing else may be called so.
    static func isName(_ name: some Collection<UInt8>) -> Bool {
        guard name.count == prefix.count + digits, name.starts(with: prefix) else { return false }
        return name.dropFirst(prefix.count).allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
            default: false
            }
        }
    }

    // MARK: - Making

    /// Makes one in `ground`, under a name that nobody can foresee.
    static func make(in ground: borrowing OpenFolder) throws(SystemError) -> PartialFolder {
        for _ in 0..<8 {
            let number = String(UInt64.random(in: 0 ... .max), radix: 16)
            let padding = String(repeating: "0", count: digits - number.utf8.count)
            let name = FileName(prefix + Array((padding + number).utf8))
            do throws(SystemError) {
                try ground.makeFolder(name, mode: 0o700)
                let folder = try ground.folder(name)
                // Between the two somebody may have taken it for a dead one's.
                if lock(folder) != .held, ground.holds(folder, as: name) { return try fill(folder, name, in: ground) }
            } catch {
                guard error.code == EEXIST || error.code == ENOENT else { throw error }
            }
        }
        throw SystemError(".", EEXIST)
    }

    private static func fill(
        _ folder: consuming OpenFolder, _ name: FileName, in ground: borrowing OpenFolder
    ) throws(SystemError) -> PartialFolder {
        do throws(SystemError) {
            try folder.makeFolder(filesName)
            let files = try folder.folder(filesName)
            return PartialFolder(name: name, files: files, folder: folder)
        } catch {
            try? folder.removeFolder(filesName)
            try? ground.removeFolder(name)
            throw error
        }
    }

    private init(name: FileName, files: consuming OpenFolder, folder: consuming OpenFolder) {
        self.name = name
        self.files = files
        self.folder = folder
    }

    /// The folder for files that are replaced, so that they can be put back.
    func makeReplaced() throws(SystemError) -> OpenFolder {
        try folder.makeFolder(Self.replacedName, mode: 0o700)
        return try folder.folder(Self.replacedName)
    }

    /// Puts the unpacked folder in its place in `ground`, where nothing or an empty folder is.
    func moveFiles(to ground: borrowing OpenFolder, as name: FileName) throws(SystemError) {
        try folder.move(Self.filesName, to: ground, as: name)
    }

    // MARK: - Removing

    /// Removes it with all that is in it, replaced files too.
    func remove(from ground: borrowing OpenFolder) throws(SystemError) {
        try Self.remove(folder, name, from: ground) { false }
    }

    private static func remove(
        _ folder: borrowing OpenFolder, _ name: FileName, from ground: borrowing OpenFolder, _ isCancelled: () -> Bool
    ) throws(SystemError) {
        do throws(SystemError) { try folder.move(replacedName, to: folder, as: obsoleteName) } catch {
            guard error.code == ENOENT else { throw error }
        }
        var removal = try FolderRemoval(of: folder)
        try removal.run(isCancelled: isCancelled)
        try ground.removeFolder(name)
    }

    /// Removes what a process that is gone has left in `ground`.
    ///
    /// - Parameter report: Called for each that is found and not in use.
    static func removeLeftovers(
        in ground: borrowing OpenFolder, isCancelled: () -> Bool, report: (FileName, Unpacker.Leftover) -> Void
    ) throws(SystemError) {
        for name in try ground.names() where isName(name.bytes) {
            guard let fate = leftover(name, in: ground, isCancelled) else { continue }
            report(name, fate)
        }
    }

    private static func leftover(
        _ name: FileName, in ground: borrowing OpenFolder, _ isCancelled: () -> Bool
    ) -> Unpacker.Leftover? {
        do throws(SystemError) {
            let folder = try ground.folder(name)
            switch lock(folder) {
            case .held: return nil
            case .unknown: return .maybeInUse
            case .ours: break
            }
            do throws(SystemError) {
                let replaced = try folder.folder(replacedName)
                guard try replaced.names(most: 1).isEmpty else { return .holdsReplacedFiles }
            } catch {
                guard error.code == ENOENT else { throw error }
            }
            try remove(folder, name, from: ground, isCancelled)
            return .removed
        } catch {
            // Gone meanwhile: another one removed it.
            return error.code == ENOENT ? nil : .cannotBeRemoved(reason: error.reason)
        }
    }

    // MARK: - Locks

    private enum Lock {
        case ours
        /// By a process that lives.
        case held
        /// Not every file system knows locks.
        case unknown
    }

    private static func lock(_ folder: borrowing OpenFolder) -> Lock {
        while flock(folder.descriptor, LOCK_EX | LOCK_NB) != 0 {
            switch errno {
            case EINTR: continue
            case EWOULDBLOCK: return .held
            default: return .unknown
            }
        }
        return .ours
    }
}
