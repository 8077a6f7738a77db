import ByteSource
import Glibc
import URIReference

/// A folder of this machine whose files are opened step by step from its own descriptor, so that no link leads out.
///
/// A class because it owns that descriptor.
final class HostFolder: Sendable {
    private let descriptor: Int32

    /// `nil` where there is no such folder. The folder itself may be a link.
    init?(path: String) {
        guard !path.utf8.contains(0) else { return nil }
        let opened = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard opened >= 0 else { return nil }
        descriptor = opened
    }

    deinit { close(descriptor) }

    /// The regular file at a path without `.`, `..`, empty parts and links, for reading.
    ///
    /// - Parameter shown: What errors call it.
    func file(at path: String, shown: String) throws(ByteSourceError) -> FileByteSource {
        // Without O_NONBLOCK the opening of a pipe would wait for its writer.
        guard let opened = descend(path, last: O_NONBLOCK | O_NOCTTY) else {
            throw ByteSourceError(operation: "open", subject: shown, errno: errno)
        }
        return try FileByteSource(adopting: opened, name: shown)
    }

    /// What lies at a path; a link is none of its target.
    func presence(of path: String) -> ResourcePresence {
        guard let opened = descend(path, last: O_NONBLOCK | O_NOCTTY) else {
            switch errno {
            case ELOOP: return .link
            case ENOTDIR: return isLinkOnTheWay(path) ? .link : .none
            case ENXIO: return .special  // a socket
            default: return .none  // C codes
            }
        }
        defer { close(opened) }
        var status = stat()
        guard fstat(opened, &status) == 0 else { return .none }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return .file
        case S_IFDIR: return .folder
        default: return .special  // C codes
        }
    }

    private func isLinkOnTheWay(_ path: String) -> Bool {
        guard path.utf8.count <= PATH_MAX else { return false }
        var folder = BundlePath.folder(of: path)
        while !folder.isEmpty {
            if let opened = descend(folder, last: O_NONBLOCK | O_NOCTTY) {
                close(opened)
                return false
            }
            if errno == ELOOP { return true }
            folder = BundlePath.folder(of: folder)
        }
        return false
    }

    /// Opens what lies at a relative path; `nil` with `errno` where that fails.
    func descend(_ path: String, last: Int32) -> Int32? {
        let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map(Array.init)
        let isLocal = parts.allSatisfy { part in
            !part.isEmpty && !part.contains(0) && part != [UInt8(ascii: ".")]
                && part != [UInt8(ascii: "."), UInt8(ascii: ".")]
        }
        guard isLocal || path.isEmpty else {
            errno = ENOENT
            return nil
        }
        var current = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        for (index, part) in parts.enumerated() where !part.isEmpty && current >= 0 {
            let extra = index == parts.count - 1 ? last : O_DIRECTORY
            let text = part.map { CChar(bitPattern: $0) } + [0]
            let next = openat(current, text, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | extra)
            let reason = errno
            close(current)
            errno = reason
            current = next
        }
        return current >= 0 ? current : nil
    }
}
