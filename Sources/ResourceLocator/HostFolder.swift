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

    func contains(_ path: String) -> Bool { presence(of: path) == .file }

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

    /// Which links are listed as what they lead to.
    enum Links {
        case none, files
    }

    /// What lies in the folder at a path; an empty path is the folder itself.
    func list(_ path: String, most: Int, links: Links = .none) -> (files: [String], folders: [String]) {
        var found: (files: [String], folders: [String]) = ([], [])
        guard let opened = descend(path, last: O_DIRECTORY) else { return found }
        guard let stream = fdopendir(opened) else {
            close(opened)
            return found
        }
        defer { closedir(stream) }
        while found.files.count + found.folders.count < most, let item = readdir(stream) {
            let bytes = withUnsafeBytes(of: &item.pointee.d_name) { bytes in Array(bytes.prefix { $0 != 0 }) }
            // What is no UTF-8 cannot stand in a document.
            guard let name = String(validating: bytes, as: UTF8.self), name != ".", name != ".." else { continue }
            switch kind(of: item.pointee.d_type, bytes, in: opened, links) {
            case UInt32(S_IFREG): found.files.append(name)
            case UInt32(S_IFDIR): found.folders.append(name)
            default: continue  // C codes
            }
        }
        return (found.files.sortedOnce(), found.folders.sortedOnce())
    }

    /// The type bits of a mode; asks the file only where the folder does not know.
    private func kind(of type: UInt8, _ name: [UInt8], in folder: Int32, _ links: Links) -> UInt32 {
        switch Int(type) {
        case Int(DT_REG): return UInt32(S_IFREG)
        case Int(DT_DIR): return UInt32(S_IFDIR)
        case Int(DT_UNKNOWN), Int(DT_LNK):
            var status = stat()
            let text = name.map { CChar(bitPattern: $0) } + [0]
            guard fstatat(folder, text, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return 0 }
            let own = UInt32(status.st_mode & S_IFMT)
            guard own == UInt32(S_IFLNK), links == .files, fstatat(folder, text, &status, 0) == 0 else { return own }
            // A folder may hold the one it leads to.
            return status.st_mode & S_IFMT == S_IFREG ? UInt32(S_IFREG) : own
        default: return 0  // C codes
        }
    }

    /// Opens what lies at a relative path; `nil` with `errno` where that fails.
    private func descend(_ path: String, last: Int32) -> Int32? {
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

// MARK: - Walking

extension HostFolder {
    /// Files below the folder, its own first, then those of each further level; and whether they are all.
    ///
    /// - Parameters:
    ///   - depth: Levels looked into, 1 for the folder alone.
    ///   - most: Files and folders looked at.
    func walk(depth: Int, most: Int, links: Links = .none) -> (paths: [String], isComplete: Bool) {
        var paths: [String] = []
        var level = [""]
        var left = most
        for _ in 0..<depth where !level.isEmpty {
            var next: [String] = []
            for folder in level {
                guard left > 0 else { return (paths, false) }
                let (files, folders) = list(folder, most: left, links: links)
                left -= files.count + folders.count
                let prefix = folder.isEmpty ? "" : folder + "/"
                paths += files.map { prefix + $0 }
                next += folders.filter { !$0.hasPrefix(".") }.map { prefix + $0 }
            }
            level = next
        }
        return (paths, level.isEmpty && left > 0)
    }

    /// Folders that hold a file of this name, by their own names, the outermost first; none inside another.
    func folders(holding name: String, depth: Int, most: Int) -> [String: String] {
        var found: [String: String] = [:]
        var level = [""]
        var left = most
        for _ in 0..<depth where !level.isEmpty && left > 0 {
            var next: [String] = []
            for folder in level where left > 0 {
                let (files, folders) = list(folder, most: left)
                left -= files.count + folders.count
                if files.contains(name) {
                    let own = folder.split(separator: "/").last.map(String.init) ?? ""
                    if found[own] == nil { found[own] = folder }
                } else {
                    next += folders.filter { !$0.hasPrefix(".") }.map { folder.isEmpty ? $0 : folder + "/" + $0 }
                }
            }
            level = next
        }
        return found
    }
}
