// Every step is taken from a folder's descriptor and follows no link, so that nothing that stands in an archive, or
// that somebody puts in the way meanwhile, leads out of the folder.

import Glibc

/// A folder below which files are made, and nothing else.
struct TargetFolder: ~Copyable {
    private let descriptor: Int32
    /// What was made below, in the order it was: taken back from the end.
    private var made: [Made] = []

    private enum Made {
        case folder([UInt8])
        case file([UInt8])
    }

    /// `nil` where it cannot be opened; `errno` then says why.
    init?(path: String) {
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
    }

    deinit { close(descriptor) }

    /// A new, empty file at a path, its folders made where they are missing; -1 where that fails, `errno` says why.
    ///
    /// The caller closes the descriptor.
    mutating func makeFile(at path: [UInt8]) -> Int32 {
        let (folder, name) = makeFolder(of: path)
        guard folder >= 0 else { return -1 }
        defer { close(folder) }
        let file = name.withCString { openat(folder, $0, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666) }
        if file >= 0 { made.append(.file(path)) }
        return file
    }

    /// Moves a file of `other` to the same path here, in place of a regular file; whether it worked, `errno` says why not.
    mutating func take(_ path: [UInt8], from other: borrowing TargetFolder) -> Bool {
        let (from, name) = other.openFolder(of: path)
        guard from >= 0 else { return false }
        defer { close(from) }
        let (to, _) = makeFolder(of: path)
        guard to >= 0 else { return false }
        defer { close(to) }
        return name.withCString { renameat(from, $0, to, $0) } == 0
    }

    /// What stands at a path.
    enum Occupant {
        case nothing, file
        /// A folder, a link or a special file, or something on the way that is no folder.
        case other
    }

    func occupant(of path: [UInt8]) -> Occupant {
        let (folder, name) = openFolder(of: path)
        guard folder >= 0 else { return errno == ENOENT ? .nothing : .other }
        defer { close(folder) }
        var status = stat()
        guard name.withCString({ fstatat(folder, $0, &status, AT_SYMLINK_NOFOLLOW) }) == 0 else {
            return errno == ENOENT ? .nothing : .other
        }
        return status.st_mode & S_IFMT == S_IFREG ? .file : .other
    }

    /// Removes all that was made here and is still there.
    mutating func takeBack() {
        for made in made.reversed() {
            switch made {
            case .file(let path): remove(path, flags: 0)
            case .folder(let path): remove(path, flags: AT_REMOVEDIR)
            }
        }
        made = []
    }

    private func remove(_ path: [UInt8], flags: Int32) {
        let (folder, name) = openFolder(of: path)
        guard folder >= 0 else { return }
        _ = name.withCString { unlinkat(folder, $0, flags) }
        close(folder)
    }

    // MARK: - Steps

    private mutating func makeFolder(of path: [UInt8]) -> (descriptor: Int32, name: FileName) {
        var missing: [[UInt8]] = []
        let result = descend(path) { parent, name, length in
            guard name.withCString({ mkdirat(parent, $0, 0o777) }) == 0 else { return errno == EEXIST }
            missing.append(Array(path[..<length]))
            return true
        }
        made += missing.map(Made.folder)
        return result
    }

    private func openFolder(of path: [UInt8]) -> (descriptor: Int32, name: FileName) {
        descend(path) { _, _, _ in true }
    }

    /// The folder that a path stands in, opened step by step, and the path's last component.
    ///
    /// - Parameter prepare: Called before each step, with the path's length up to there; `false` ends the walk.
    private func descend(
        _ path: [UInt8], prepare: (_ parent: Int32, _ name: FileName, _ length: Int) -> Bool
    ) -> (descriptor: Int32, name: FileName) {
        var current = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        var start = 0
        while current >= 0, let slash = path[start...].firstIndex(of: UInt8(ascii: "/")) {
            let name = FileName(path[start..<slash])
            var next: Int32 = -1
            if prepare(current, name, slash) {
                next = name.withCString { openat(current, $0, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) }
            }
            let reason = errno
            close(current)
            errno = reason
            current = next
            start = slash + 1
        }
        return (current, FileName(path[start...]))
    }
}

/// One component of a path, for C.
struct FileName {
    private let bytes: [CChar]

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes.map { CChar(bitPattern: $0) } + [0]
    }

    /// What `body` returns; -1 for nothing.
    func withCString(_ body: (UnsafePointer<CChar>) -> Int32) -> Int32 {
        bytes.withUnsafeBufferPointer { $0.baseAddress.map(body) ?? -1 }
    }
}
