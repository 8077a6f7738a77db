// A module of its own: beside the web server's modules the system's `stat` cannot be named.

import Glibc

/// What the file system says of a file; a symbolic link is itself and not what it leads to.
package struct FileMetadata: Sendable {
    package enum Kind: Sendable {
        case file, folder, other
    }

    package let kind: Kind
    /// Bytes.
    package let size: Int64
    /// How many names it has.
    package let links: Int
    /// The user's number.
    package let owner: UInt32
    /// The nine bits of who may do what.
    package let permissions: UInt32
    /// Unix seconds.
    package let used: Int64
    /// Unix seconds.
    package let changed: Int64

    /// `nil` where there is nothing of this path, or it cannot be asked.
    package init?(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        switch status.st_mode & S_IFMT {
        case S_IFREG: kind = .file
        case S_IFDIR: kind = .folder
        default: kind = .other
        }
        size = Int64(status.st_size)
        links = Int(clamping: status.st_nlink)
        owner = status.st_uid
        permissions = UInt32(status.st_mode & 0o777)
        used = Int64(status.st_atim.tv_sec)
        changed = Int64(status.st_mtim.tv_sec)
    }

    /// Sets the time of last use to now, whatever the disk is mounted with; whether the file is there.
    package static func markUsed(_ path: String) -> Bool {
        // UTIME_NOW and UTIME_OMIT, which are macros.
        let times = [timespec(tv_sec: 0, tv_nsec: (1 << 30) - 1), timespec(tv_sec: 0, tv_nsec: (1 << 30) - 2)]
        return utimensat(AT_FDCWD, path, times, 0) == 0
    }

    /// Bytes that are free for this user where a path lies; `nil` where the system does not say.
    package static func freeBytes(at path: String) -> Int64? {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        let (bytes, isOver) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
        return isOver ? .max : Int64(clamping: bytes)
    }
}
