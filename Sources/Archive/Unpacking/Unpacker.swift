import Glibc

/// Writes a bundle's files below a folder: plain files and folders, with the permissions that the process gives new
/// ones. Nothing half-written is ever seen there.
public struct Unpacker: Sendable {
    /// What happens where the folder is there already and holds something.
    public enum Conflict: Sendable {
        case refuse
        /// Files of the same path are replaced, each at once; all others stay.
        case replaceFiles
    }

    public struct Result: Sendable, Equatable {
        public var files = 0
        public var bytes: Int64 = 0
    }

    public let folder: String
    public let conflict: Conflict

    /// - Parameter folder: Made when it is missing; the folder it stands in must be there.
    public init(folder: String, conflict: Conflict = .refuse) {
        var folder = folder
        while folder.utf8.count > 1, folder.utf8.last == UInt8(ascii: "/") { folder.removeLast() }
        self.folder = folder
        self.conflict = conflict
    }

    /// Unpacks every entry that `selects` wants; the first of those that share a path.
    ///
    /// All is written into a new folder beside the target and then renamed. When something fails, what was written is
    /// removed and the target is as it was; only the last step of ``Conflict/replaceFiles`` goes file by file.
    ///
    /// - Parameter isCancelled: Asked now and then.
    /// - Throws: ``UnpackError``.
    public func unpack(
        _ bundle: Bundle, selects: (Bundle.Entry) -> Bool = { _ in true }, isCancelled: () -> Bool = { false }
    ) throws(UnpackError) -> Result {
        let entries = bundle.entries.filter { selects($0) && bundle.entry(at: $0.path) == $0 }
        do { try bundle.check(readable: entries) } catch { throw UnpackError(error) }
        try check(entries)
        let partial = folder + ".partial-\(getpid())"
        guard mkdir(partial, 0o777) == 0 else { throw .cannotWrite(partial, errno: errno) }
        guard var target = TargetFolder(path: partial) else {
            let reason = errno
            rmdir(partial)
            throw .cannotWrite(partial, errno: reason)
        }
        do throws(UnpackError) {
            let result = try write(entries, of: bundle, to: &target, isCancelled)
            if try !rename(partial) {
                try replace(entries, from: target)
                target.takeBack()
                rmdir(partial)
            }
            return result
        } catch {
            target.takeBack()
            rmdir(partial)
            throw error
        }
    }

    // MARK: - Before

    /// Whether all of it may be put into the target, as far as can be told before anything is written.
    private func check(_ entries: [Bundle.Entry]) throws(UnpackError) {
        var status = stat()
        guard lstat(folder, &status) == 0 else {
            guard errno == ENOENT else { throw .cannotWrite(folder, errno: errno) }
            return
        }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw .notAFolder(folder) }
        switch conflict {
        case .refuse: guard isEmpty else { throw .occupied(folder) }
        case .replaceFiles:
            guard let present = TargetFolder(path: folder) else { throw .cannotWrite(folder, errno: errno) }
            for entry in entries {
                switch present.occupant(of: Array(entry.path.utf8)) {
                case .nothing, .file: break
                case .other: throw .inTheWay(entry.path, in: folder)
                }
            }
        }
    }

    private var isEmpty: Bool {
        guard let stream = opendir(folder) else { return false }
        defer { closedir(stream) }
        while let record = readdir(stream) {
            // "." and "..", and nothing else.
            let name = withUnsafeBytes(of: record.pointee.d_name) { $0.prefix(3) }
            let isDots = name.first == 0x2E && (name[1] == 0 || name[1] == 0x2E && name[2] == 0)
            if !isDots { return false }
        }
        return true
    }

    // MARK: - Writing

    private func write(
        _ entries: [Bundle.Entry], of bundle: Bundle, to target: inout TargetFolder, _ isCancelled: () -> Bool
    ) throws(UnpackError) -> Result {
        var result = Result()
        let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 17, alignment: 16)
        defer { chunk.deallocate() }
        for entry in entries {
            let file = target.makeFile(at: Array(entry.path.utf8))
            guard file >= 0 else { throw .cannotWrite(entry.path, errno: errno) }
            defer { close(file) }
            let reader: EntryReader
            do { reader = try bundle.reader(for: entry) } catch { throw UnpackError(error) }
            while true {
                if isCancelled() { throw .cancelled }
                let count: Int
                do { count = try reader.read(into: chunk) } catch { throw UnpackError(error) }
                if count == 0 { break }
                try Self.write(UnsafeRawBufferPointer(rebasing: chunk[..<count]), to: file, of: entry.path)
            }
            result.files += 1
            result.bytes += reader.position
        }
        return result
    }

    private static func write(
        _ bytes: UnsafeRawBufferPointer, to file: Int32, of path: String
    ) throws(UnpackError) {
        var at = 0
        while at < bytes.count {
            let count = Glibc.write(file, bytes.baseAddress.map { $0 + at }, bytes.count - at)
            if count >= 0 { at += count } else if errno != EINTR { throw .cannotWrite(path, errno: errno) }
        }
    }

    // MARK: - Afterwards

    /// Whether the new folder is in its place; else its files are to be moved one by one.
    private func rename(_ partial: String) throws(UnpackError) -> Bool {
        // Takes the place of an empty folder, too; fails where there is anything else by now.
        if Glibc.rename(partial, folder) == 0 { return true }
        guard errno == ENOTEMPTY || errno == EEXIST else { throw .cannotWrite(folder, errno: errno) }
        switch conflict {
        case .refuse: throw .occupied(folder)
        case .replaceFiles: return false
        }
    }

    private func replace(_ entries: [Bundle.Entry], from written: borrowing TargetFolder) throws(UnpackError) {
        guard var present = TargetFolder(path: folder) else { throw .cannotWrite(folder, errno: errno) }
        for entry in entries where !present.take(Array(entry.path.utf8), from: written) {
            throw .cannotWrite(folder + "/" + entry.path, errno: errno)
        }
    }
}
