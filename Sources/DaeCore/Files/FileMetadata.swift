/// What the file system says of a file.
package struct FileMetadata: Sendable, Equatable {
    package enum Kind: Sendable {
        case file, folder, link, pipe, socket, device, other
    }

    /// Tells one file from every other, whatever they are called.
    package struct Identity: Sendable, Hashable {
        package let device: UInt64
        package let inode: UInt64
    }

    package let kind: Kind
    package let identity: Identity
    /// Bytes.
    package let size: Int64
    /// How many names it has.
    package let links: Int
    /// The user's number.
    package let owner: UInt32
    /// The nine bits of who may do what.
    package let permissions: mode_t
    /// Of the last use, in Unix seconds.
    package let used: Int64
    /// Of the last change, in Unix seconds.
    package let changed: Int64

    /// Of a path; a symbolic link is itself and not what it leads to. `nil` where nothing is there, or it cannot be asked.
    package init?(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Of what a path leads to.
    package init?(following path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Of what is open; `nil` where it cannot be asked, and `errno` says why.
    package init?(_ descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Of a name in an open folder; `nil` where it cannot be asked, and `errno` says why.
    ///
    /// - Parameter follows: Whether a link is what it leads to.
    package init?(_ name: UnsafePointer<CChar>, in folder: Int32, follows: Bool = false) {
        var status = stat()
        guard fstatat(folder, name, &status, follows ? 0 : AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .folder
            case S_IFLNK: .link
            case S_IFIFO: .pipe
            case S_IFSOCK: .socket
            case S_IFCHR, S_IFBLK: .device
            default: .other
            }
        identity = Identity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
        size = Int64(status.st_size)
        links = Int(clamping: status.st_nlink)
        owner = status.st_uid
        permissions = status.st_mode & 0o777
        #if canImport(Darwin)
            used = Int64(status.st_atimespec.tv_sec)
            changed = Int64(status.st_mtimespec.tv_sec)
        #else
            used = Int64(status.st_atim.tv_sec)
            changed = Int64(status.st_mtim.tv_sec)
        #endif
    }

    /// Sets the time of last use to now, whatever the disk is mounted with; whether the file is there.
    package static func markUsed(_ path: String) -> Bool {
        // UTIME_NOW and UTIME_OMIT, which are macros.
        #if canImport(Darwin)
            let (now, omit) = (-1, -2)
        #else
            let (now, omit) = ((1 << 30) - 1, (1 << 30) - 2)
        #endif
        let times = [timespec(tv_sec: 0, tv_nsec: now), timespec(tv_sec: 0, tv_nsec: omit)]
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

/// A path without links and detours.
package enum RealPath {
    /// That of what is at a path.
    package static func of(_ path: String) throws(SystemError) -> String {
        // C would cut it at a NUL.
        guard !path.utf8.contains(0) else { throw SystemError(path, ENOENT) }
        guard let real = realpath(path, nil) else { throw SystemError(path) }
        defer { free(real) }
        return String(cString: real)
    }
}

/// What lies in folders.
package enum FolderReading {
    /// Hands over the name and type (`DT_REG`, …) of each thing in an open folder, but `.` and `..`, in no order, until
    /// `visit` says that it wants no more.
    ///
    /// - Parameter descriptor: Of the folder; closed when it is read.
    /// - Returns: The system's number for what kept the rest from being read; `nil` where nothing did.
    package static func read(
        adopting descriptor: Int32, _ visit: (_ name: UnsafeRawBufferPointer, _ type: Int) -> Bool
    ) -> Int32? {
        guard let stream = fdopendir(descriptor) else {
            let reason = errno
            close(descriptor)
            return reason
        }
        defer { closedir(stream) }
        while true {
            // The end and a fault look the same but for this.
            errno = 0
            guard let item = readdir(stream) else { return errno == 0 ? nil : errno }
            let goesOn = withUnsafeBytes(of: &item.pointee.d_name) { bytes in
                let name = UnsafeRawBufferPointer(rebasing: bytes.prefix { $0 != 0 })
                return name.elementsEqual(".".utf8) || name.elementsEqual("..".utf8)
                    || visit(name, Int(item.pointee.d_type))
            }
            guard goesOn else { return nil }
        }
    }

    /// The same of the folder at a path.
    package static func read(
        _ path: String, _ visit: (_ name: UnsafeRawBufferPointer, _ type: Int) -> Bool
    ) -> Int32? {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        return descriptor < 0 ? errno : read(adopting: descriptor, visit)
    }

    /// The names in the folder at a path, sorted.
    package static func names(in path: String) throws(SystemError) -> [String] {
        var names: [String] = []
        let fault = read(path) { bytes, _ in
            names.append(String(decoding: bytes, as: UTF8.self))
            return true
        }
        if let fault { throw SystemError(path, fault) }
        return names.sorted()
    }

    /// The path of the folder in which a path's last part stands.
    package static func folder(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
