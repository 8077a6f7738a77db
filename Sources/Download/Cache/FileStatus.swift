import Glibc

/// What the system says of a path.
struct FileStatus: Sendable, Equatable {
    enum Kind: Sendable {
        case file, folder, link, other
    }

    /// Tells one file from every other, whatever they are called.
    struct Identity: Sendable, Equatable {
        let device: UInt64
        let inode: UInt64
    }

    let kind: Kind
    let size: Int64
    /// Of the last change, in Unix seconds.
    let time: Int64
    let owner: UInt32
    let identity: Identity
    /// Names that the file has.
    let links: Int

    fileprivate init(_ status: stat) {
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .folder
            case S_IFLNK: .link
            default: .other
            }
        size = Int64(status.st_size)
        time = Int64(status.st_mtim.tv_sec)
        owner = status.st_uid
        identity = Identity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
        links = Int(clamping: status.st_nlink)
    }
}

extension FileSystem {
    /// `nil` where nothing is there, or it cannot be seen.
    func status(of path: String) -> FileStatus? {
        var status = stat()
        return stat(path, &status) == 0 ? FileStatus(status) : nil
    }

    /// The same of a link itself.
    func linkStatus(of path: String) -> FileStatus? {
        var status = stat()
        return lstat(path, &status) == 0 ? FileStatus(status) : nil
    }

    /// The size of a regular file; `nil` for anything else, links too.
    func size(ofFile path: String) -> Int64? {
        guard let status = linkStatus(of: path), status.kind == .file else { return nil }
        return status.size
    }
}

extension OpenFile {
    var status: FileStatus? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? FileStatus(status) : nil
    }
}
