import DaeCore
import Synchronization

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
            throw ByteSourceError(operation: "open", SystemError(shown))
        }
        return try FileByteSource(OpenFile(adopting: opened, name: shown))
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
        switch FileMetadata(opened)?.kind {
        case .file: return .file
        case .folder: return .folder
        case .link, .pipe, .socket, .device, .other: return .special
        case nil: return .none
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

extension HostFolder {
    /// Which links are listed as what they lead to.
    enum Links {
        case none, files
    }

    /// What lies in a folder, as far as it was looked at.
    struct Listing {
        var files: [String] = []
        var folders: [String] = []
        /// Whether the system gave all there is.
        var isWhole = true

        var count: Int { files.count + folders.count }
    }

    /// What lies in the folder at a path; an empty path is the folder itself.
    func list(_ path: String, most: Int, links: Links = .none) -> Listing {
        var found = Listing()
        guard most > 0, let opened = descend(path, last: O_DIRECTORY) else { return found }
        let fault = FolderReading.read(adopting: opened) { bytes, type in
            // What is no UTF-8 cannot stand in a document.
            guard let name = String(validating: bytes, as: UTF8.self) else { return true }
            switch kind(of: type, bytes, in: opened, links) {
            case .file: found.files.append(name)
            case .folder: found.folders.append(name)
            case .link, .pipe, .socket, .device, .other, nil: break
            }
            return found.count < most
        }
        found.isWhole = fault == nil
        found.files = found.files.sortedOnce()
        found.folders = found.folders.sortedOnce()
        return found
    }

    /// Asks the file only where the folder does not know.
    private func kind(
        of type: Int, _ name: UnsafeRawBufferPointer, in folder: Int32, _ links: Links
    ) -> FileMetadata.Kind? {
        switch type {
        case Int(DT_REG): return .file
        case Int(DT_DIR): return .folder
        case Int(DT_UNKNOWN), Int(DT_LNK):
            let text = name.map { CChar(bitPattern: $0) } + [0]
            let own = FileMetadata(text, in: folder)?.kind
            guard own == .link, links == .files else { return own }
            // A folder may hold the one it leads to.
            return FileMetadata(text, in: folder, follows: true)?.kind == .file ? .file : own
        default: return nil
        }
    }

    /// Files below the folder, its own first, then those of each further level; and whether they are all.
    ///
    /// - Parameters:
    ///   - depth: Levels looked into, 1 for the folder alone.
    ///   - most: Files and folders looked at.
    func walk(depth: Int, most: Int, links: Links = .none) -> (paths: [String], isComplete: Bool) {
        var paths: [String] = []
        var level = [""]
        var left = most
        var isWhole = true
        for _ in 0..<depth where !level.isEmpty {
            var next: [String] = []
            for folder in level {
                guard left > 0 else { return (paths, false) }
                let found = list(folder, most: left, links: links)
                left -= found.count
                isWhole = isWhole && found.isWhole
                let prefix = folder.isEmpty ? "" : folder + "/"
                paths += found.files.map { prefix + $0 }
                next += found.folders.filter { !$0.hasPrefix(".") }.map { prefix + $0 }
            }
            level = next
        }
        return (paths, isWhole && level.isEmpty && left > 0)
    }

    /// Folders that hold a file of this name, by their own names, the outermost first; none inside another.
    func folders(holding name: String, depth: Int, most: Int) -> [String: String] {
        var holders: [String: String] = [:]
        var level = [""]
        var left = most
        for _ in 0..<depth where !level.isEmpty && left > 0 {
            var next: [String] = []
            for folder in level where left > 0 {
                let found = list(folder, most: left)
                left -= found.count
                if found.files.contains(name) {
                    let own = folder.split(separator: "/").last.map(String.init) ?? ""
                    if holders[own] == nil { holders[own] = folder }
                } else {
                    next += found.folders.filter { !$0.hasPrefix(".") }.map { folder.isEmpty ? $0 : folder + "/" + $0 }
                }
            }
            level = next
        }
        return holders
    }
}

/// Folders that were looked for and are not there: the textures of a document lie side by side, in few of them.
private struct MissingFolders: Sendable {
    /// Their paths as bytes.
    private var folders: [[UInt8]] = []

    /// They are gone through one by one.
    private static let most = 64

    mutating func insert(_ folder: [UInt8]) {
        if folders.count < Self.most { folders.append(folder) }
    }

    /// Whether a path leads through one of them.
    func hold(_ path: String) -> Bool {
        let path = path.utf8.span
        for index in folders.indices where Self.leads(path, through: folders[index]) { return true }
        return false
    }

    private static func leads(_ path: Span<UInt8>, through folder: [UInt8]) -> Bool {
        guard folder.count < path.count, path[folder.count] == UInt8(ascii: "/") else { return false }
        for index in folder.indices where path[index] != folder[index] { return false }
        return true
    }
}
