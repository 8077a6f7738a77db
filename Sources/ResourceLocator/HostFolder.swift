import ByteSource
import Glibc
import Synchronization
import URIReference

/// A folder of this machine whose files are opened step by step from its own descriptor, so that no link leads out.
///
/// A class because it owns that descriptor.
final class HostFolder: Sendable {
    private let descriptor: Int32
    /// Folders that were looked for and are not there, each as it was asked for: the textures of a document lie side by
    /// side.
    private let missing = Mutex<Set<[CChar]>>([])
    private static let mostMissing = 1024

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
        guard !path.isEmpty else {
            let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
            return copy >= 0 ? copy : nil
        }
        // One array for all parts: each ends where it is cut, as C wants its strings.
        var text = path.utf8.map { CChar(bitPattern: $0) } + [0]
        guard let ends = Self.partEnds(of: text) else {
            errno = ENOENT
            return nil
        }
        var current = descriptor
        var start = 0
        for end in ends {
            let isLast = end == text.count - 1
            text[end] = 0
            var next: Int32 = -1
            if !isLast, isMissing(text[..<end]) {
                errno = ENOENT
            } else {
                next = text.withUnsafeBufferPointer { text in
                    text.extracting(start...).baseAddress.map {
                        openat(current, $0, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | (isLast ? last : O_DIRECTORY))
                    } ?? -1
                }
            }
            if current != descriptor {
                let reason = errno
                close(current)
                errno = reason
            }
            guard next >= 0 else {
                if !isLast, errno == ENOENT { noteMissing(text[..<end]) }
                return nil
            }
            (current, start) = (next, end + 1)
        }
        return current
    }

    /// - Parameter folder: Its path, with a zero behind each part but the last.
    private func isMissing(_ folder: ArraySlice<CChar>) -> Bool {
        missing.withLock { !$0.isEmpty && $0.contains(Array(folder)) }
    }

    private func noteMissing(_ folder: ArraySlice<CChar>) {
        let reason = errno
        missing.withLock { missing in
            if missing.count < Self.mostMissing { missing.insert(Array(folder)) }
        }
        errno = reason
    }

    /// Where each part of a path ends that has a zero behind it; `nil` where one is empty, holds a zero or is dots.
    private static func partEnds(of text: [CChar]) -> [Int]? {
        let dot = CChar(bitPattern: UInt8(ascii: "."))
        var ends: [Int] = []
        var start = 0
        for end in text.indices {
            let isEnd = end == text.count - 1
            guard isEnd || text[end] == CChar(bitPattern: UInt8(ascii: "/")) else {
                if text[end] == 0 { return nil }
                continue
            }
            let isDots = end - start <= 2 && text[start..<end].allSatisfy { $0 == dot }
            if isDots { return nil }
            ends.append(end)
            start = end + 1
        }
        return ends
    }
}
