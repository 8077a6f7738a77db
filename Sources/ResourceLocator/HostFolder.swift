import ByteSource
import Glibc
import Synchronization
import URIReference

/// A folder of this machine whose files are opened step by step from its own descriptor, so that no link leads out.
///
/// A class because it owns that descriptor.
final class HostFolder: Sendable {
    private let descriptor: Int32
    private let missing = Mutex(MissingFolders())

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
            default: return .none
            }
        }
        defer { close(opened) }
        var status = stat()
        guard fstat(opened, &status) == 0 else { return .none }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return .file
        case S_IFDIR: return .folder
        default: return .special
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
        guard !path.isEmpty else {
            let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
            return copy >= 0 ? copy : nil
        }
        // One array for all parts: each ends where it is cut, as C wants its strings.
        guard !missing.withLock({ $0.hold(path) }), case var text = path.utf8CString, Self.leadsDown(text) else {
            errno = ENOENT
            return nil
        }
        let length = text.count - 1
        var current = descriptor
        var start = 0
        while true {
            var end = start
            while end < length, text[end] != Self.slash { end += 1 }
            let isLast = end == length
            text[end] = 0
            let next = text.withUnsafeBufferPointer { text in
                text.extracting(start...).baseAddress.map {
                    openat(current, $0, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | (isLast ? last : O_DIRECTORY))
                } ?? -1
            }
            if current != descriptor {
                let reason = errno
                close(current)
                errno = reason
            }
            guard next >= 0 else {
                if !isLast, errno == ENOENT { noteMissing(path, end) }
                return nil
            }
            if isLast { return next }
            (current, start) = (next, end + 1)
        }
    }

    /// - Parameter length: Of the folder's path, which the path begins with.
    private func noteMissing(_ path: String, _ length: Int) {
        let reason = errno
        let folder = Array(path.utf8.prefix(length))
        missing.withLock { $0.insert(folder) }
        errno = reason
    }

    private static let slash = CChar(bitPattern: UInt8(ascii: "/"))

    /// Whether no part of a path is empty, holds a zero or is dots.
    ///
    /// - Parameter text: With a zero behind it.
    private static func leadsDown(_ text: ContiguousArray<CChar>) -> Bool {
        let dot = CChar(bitPattern: UInt8(ascii: "."))
        let length = text.count - 1
        var start = 0
        // Of the part so far, whether there are dots alone.
        var isDots = true
        for end in text.indices {
            let byte = text[end]
            guard end == length || byte == slash else {
                if byte == 0 { return false }
                isDots = isDots && byte == dot
                continue
            }
            if isDots, end - start <= 2 { return false }
            start = end + 1
            isDots = true
        }
        return true
    }
}
