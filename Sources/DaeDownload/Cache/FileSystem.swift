// Every call that changes the disk goes through `Calls`, so that a test can end a process's life between any two of them.

import DaeCore

/// What the cache asks of the system, with its reasons as failures.
struct FileSystem: Sendable {
    /// The system calls that change something, and what differs from one run to the next. Those that fail give -1 and
    /// leave the reason in `errno`.
    struct Calls: Sendable {
        var makeFolder: @Sendable (_ path: String) -> Int32
        var open: @Sendable (_ path: String, _ flags: Int32) -> Int32
        var write: @Sendable (_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int
        var truncate: @Sendable (_ descriptor: Int32, _ size: Int64) -> Int32
        var sync: @Sendable (_ descriptor: Int32) -> Int32
        var rename: @Sendable (_ path: String, _ target: String) -> Int32
        var remove: @Sendable (_ path: String) -> Int32
        /// Sets the time of last change, in Unix seconds.
        var setTime: @Sendable (_ path: String, _ seconds: Int64) -> Int32
        /// What names the time since the machine was started; `nil` where the system does not say.
        var bootID: @Sendable () -> String?
        /// Unix seconds.
        var now: @Sendable () -> Int64
    }

    var calls = Calls.kernel
}

// MARK: - Folders

extension FileSystem {
    /// Makes a folder and those above it, readable for its owner alone; one that is there already is fine.
    func makeFolder(_ path: String) throws(DownloadFailure) {
        guard status(of: path)?.kind != .folder else { return }
        var made = ""
        for part in path.split(separator: "/") {
            made += made.isEmpty && !path.hasPrefix("/") ? String(part) : "/" + part
            guard calls.makeFolder(made) != 0 else { continue }
            let reason = errno
            // A folder above may be there and yet not be ours to write in (EACCES, EROFS), which is no failure.
            switch status(of: made)?.kind {
            case .folder: continue
            case .file, .pipe, .socket, .device, .other: throw Self.failure("make the folder", made, ENOTDIR)
            case .link, nil:
                let isDangling = linkStatus(of: made)?.kind == .link
                throw Self.failure(
                    "make the folder", made, isDangling ? "a link that leads nowhere is there" : Self.text(reason))
            }
        }
    }

    /// Makes one folder of the cache; what is there must be a folder and no link to one.
    func makeInnerFolder(_ path: String) throws(DownloadFailure) {
        switch linkStatus(of: path)?.kind {
        case .folder: return
        case .link: throw Self.failure("use the folder", path, "a link is there")
        case .file, .pipe, .socket, .device, .other: throw Self.failure("make the folder", path, ENOTDIR)
        case nil: break
        }
        guard calls.makeFolder(path) != 0, errno != EEXIST else { return }
        throw Self.failure("make the folder", path, errno)
    }

    /// The names in a folder, sorted; none where it is not there.
    func names(in folder: String) throws(DownloadFailure) -> [String] {
        do throws(SystemError) { return try FolderReading.names(in: folder) } catch {
            guard error.code == ENOENT else { throw Self.failure("list", folder, error.code) }
            return []
        }
    }

    /// Makes the changes of names in a folder last through a power cut.
    func syncFolder(_ path: String) throws(DownloadFailure) {
        let descriptor = DaeCore.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.failure("open", path, errno) }
        defer { close(descriptor) }
        // EINVAL: a file system that has nothing to sync in a folder.
        guard calls.sync(descriptor) == 0 || errno == EINVAL else { throw Self.failure("sync", path, errno) }
    }
}

// MARK: - Files

extension FileSystem {
    /// Opens a file for reading and writing, and makes it where it is missing; links are not followed.
    func openForWriting(_ path: String) throws(DownloadFailure) -> CacheFile {
        let descriptor = calls.open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.failure("write", path, errno) }
        return CacheFile(descriptor, path: path, calls: calls)
    }

    /// Links are not followed, and a pipe is not waited for.
    func openForReading(_ path: String) throws(DownloadFailure) -> CacheFile {
        let descriptor = DaeCore.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.failure("read", path, errno) }
        return CacheFile(descriptor, path: path, calls: calls)
    }

    /// Gives a file new content at one stroke: whoever reads it sees the old or the new, also after a power cut, which may
    /// bring the old back until the folder is synced. No two writers may be at one path at once.
    func replace(_ path: String, with bytes: [UInt8]) throws(DownloadFailure) {
        let temporary = path + FileSystem.temporarySuffix
        do throws(DownloadFailure) {
            let file = try openForWriting(temporary)
            try file.truncate(to: 0)
            try bytes.withUnsafeBytes { bytes in Result { () throws(DownloadFailure) in try file.write(bytes) } }.get()
            try file.sync()
            try rename(temporary, to: path)
        } catch {
            remove(temporary)
            throw error
        }
    }

    static let temporarySuffix = ".new"

    /// The content of a small file; `nil` where there is none that can be read, or it is longer than `limit`.
    func content(of path: String, limit: Int) -> [UInt8]? {
        guard let file = try? openForReading(path), let size = file.status?.size, size <= Int64(limit) else {
            return nil
        }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while bytes.count <= limit {
            guard let count = try? file.read(into: &buffer, at: Int64(bytes.count)) else { return nil }
            guard count > 0 else { return bytes }
            bytes += buffer[..<count]
        }
        return nil
    }

    func rename(_ path: String, to target: String) throws(DownloadFailure) {
        guard calls.rename(path, target) == 0 else { throw Self.failure("rename a file to", target, errno) }
    }

    /// Whether something was there and is gone now.
    @discardableResult
    func remove(_ path: String) -> Bool { calls.remove(path) == 0 }

    static func failure(_ operation: String, _ path: String, _ code: Int32) -> DownloadFailure {
        failure(operation, path, text(code))
    }

    static func failure(_ operation: String, _ path: String, _ reason: String) -> DownloadFailure {
        .io(operation: operation, subject: path.printable(), reason: reason)
    }

    private static func text(_ code: Int32) -> String { SystemError("", code).reason }
}

extension FileSystem.Calls {
    /// The system's own. What a download was fetched with may have been a secret, so that folders and files are for
    /// their owner alone.
    static let kernel = FileSystem.Calls(
        makeFolder: { mkdir($0, 0o700) },
        open: { DaeCore.open($0, $1, 0o600) },
        write: { DaeCore.write($0, $1.baseAddress, $1.count) },
        truncate: { ftruncate($0, off_t($1)) },
        sync: { fsync($0) },
        rename: { DaeCore.rename($0, $1) },
        remove: { unlink($0) },
        setTime: { path, seconds in
            let time = timespec(tv_sec: Int(seconds), tv_nsec: 0)
            return withUnsafeTemporaryAllocation(of: timespec.self, capacity: 2) { times in
                times.initialize(repeating: time)
                return utimensat(AT_FDCWD, path, times.baseAddress, AT_SYMLINK_NOFOLLOW)
            }
        },
        bootID: { boot },
        now: { Int64(time(nil)) })

    private static let boot: String? = {
        let bytes = FileSystem().content(of: "/proc/sys/kernel/random/boot_id", limit: 100)
        let text = String(decoding: (bytes ?? []).filter { $0 > 0x20 }, as: UTF8.self)
        return text.isEmpty ? nil : text
    }()
}

extension FileSystem {
    /// `nil` where nothing is there, or it cannot be seen.
    func status(of path: String) -> FileMetadata? { FileMetadata(following: path) }

    /// The same of a link itself.
    func linkStatus(of path: String) -> FileMetadata? { FileMetadata(path) }

    /// The size of a regular file; `nil` for anything else, links too.
    func size(ofFile path: String) -> Int64? {
        guard let status = linkStatus(of: path), status.kind == .file else { return nil }
        return status.size
    }
}

/// An open file of the cache, every change of which is one of the calls. A class because it owns a descriptor.
final class CacheFile {
    let descriptor: Int32
    let path: String
    private let calls: FileSystem.Calls

    /// Takes the descriptor over.
    init(_ descriptor: Int32, path: String, calls: FileSystem.Calls) {
        self.descriptor = descriptor
        self.path = path
        self.calls = calls
    }

    deinit { close(descriptor) }

    var status: FileMetadata? { FileMetadata(descriptor) }

    /// Writes all bytes where the last ones ended.
    func write(_ bytes: UnsafeRawBufferPointer) throws(DownloadFailure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = calls.write(descriptor, UnsafeRawBufferPointer(rebasing: rest))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw FileSystem.failure("write", path, count < 0 ? errno : ENOSPC) }
            rest = rest.dropFirst(count)
        }
    }

    /// Reads at most the buffer's size into its front; 0 at the end of the file.
    func read(into buffer: inout [UInt8], at offset: Int64) throws(DownloadFailure) -> Int {
        while true {
            let count = buffer.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, off_t(offset)) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw FileSystem.failure("read", path, errno) }
            return count
        }
    }

    /// Cuts the file; the next bytes are written at its new end.
    func truncate(to size: Int64) throws(DownloadFailure) {
        guard calls.truncate(descriptor, size) == 0, lseek(descriptor, off_t(size), SEEK_SET) >= 0 else {
            throw FileSystem.failure("write", path, errno)
        }
    }

    /// Makes the bytes last through a power cut.
    func sync() throws(DownloadFailure) {
        guard calls.sync(descriptor) == 0 else { throw FileSystem.failure("write", path, errno) }
    }
}
