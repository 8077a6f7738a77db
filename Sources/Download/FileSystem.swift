import Glibc

/// The few system calls that the cache needs, with their reasons as failures.
enum FileSystem {
    /// Makes a folder and those above it, readable for its owner alone; one that is there already is fine.
    static func makeFolder(_ path: String) throws(DownloadFailure) {
        var made = ""
        for part in path.split(separator: "/") {
            made += made.isEmpty && !path.hasPrefix("/") ? String(part) : "/" + part
            guard mkdir(made, 0o700) != 0 else { continue }
            let reason = errno
            var status = stat()
            // A folder above may be there and yet not be ours to write in (EACCES, EROFS), which is no failure.
            guard stat(made, &status) == 0 else { throw failure("make the folder", made, reason) }
            guard status.st_mode & S_IFMT == S_IFDIR else { throw failure("make the folder", made, ENOTDIR) }
        }
    }

    /// Opens a file that must not exist yet, for writing.
    static func create(_ path: String) throws(DownloadFailure) -> Int32 {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw failure("create", path, errno) }
        return descriptor
    }

    static func write(
        _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, path: String
    ) throws(DownloadFailure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: rest)
            let count = Glibc.write(descriptor, part.baseAddress, part.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure("write", path, count < 0 ? errno : ENOSPC) }
            rest = rest.dropFirst(count)
        }
    }

    static func sync(_ descriptor: Int32, path: String) throws(DownloadFailure) {
        guard fsync(descriptor) == 0 else { throw failure("write", path, errno) }
    }

    static func rename(_ path: String, to target: String) throws(DownloadFailure) {
        guard Glibc.rename(path, target) == 0 else { throw failure("rename a file to", target, errno) }
    }

    static func syncFolder(_ path: String) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    private static func failure(_ operation: String, _ path: String, _ code: Int32) -> DownloadFailure {
        .io(operation: operation, subject: path, reason: String(cString: strerror(code)))
    }
}
