import DaeCore
import DaeDiagnostics
import Glibc

/// A folder whose files are opened step by step from its own descriptor, so that no link leads out of it.
///
/// A class because it owns that descriptor.
final class FolderTree: Sendable {
    private let descriptor: Int32
    private let path: String

    /// `nil` where it cannot be opened; `errno` then says why. The folder itself may be a link.
    init?(path: String) {
        let opened = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard opened >= 0 else { return nil }
        descriptor = opened
        self.path = path
    }

    deinit { close(descriptor) }

    /// The regular file at a relative path without `.`, `..`, empty components and links.
    func file(at relative: [UInt8]) throws(ByteSourceError) -> FileByteSource {
        let name = String(decoding: relative, as: UTF8.self)
        return try FileByteSource(adopting: try descend(relative, last: O_NONBLOCK | O_NOCTTY), name: name)
    }

    /// What lies at a relative path or on the way to it that is neither a file nor a folder.
    func obstacle(at relative: [UInt8]) -> Bundle.Obstacle? {
        guard relative.count <= PATH_MAX else { return nil }
        let slash = UInt8(ascii: "/")
        var ends = relative.indices.filter { relative[$0] == slash } + [relative.endIndex]
        ends.removeAll { $0 == 0 }
        for end in ends {
            let parent = relative[..<end].lastIndex(of: slash)
            let folder = Array(relative[..<(parent ?? 0)])
            guard let opened = try? descend(folder, last: O_DIRECTORY) else { return nil }
            defer { close(opened) }
            let name = relative[(parent.map { $0 + 1 } ?? 0)..<end].map { CChar(bitPattern: $0) } + [0]
            var status = stat()
            guard fstatat(opened, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
            switch status.st_mode & S_IFMT {
            case S_IFDIR: continue
            case S_IFREG: return nil
            case S_IFLNK: return .link
            default: return .special
            }
        }
        return nil
    }

    /// Opens the file or folder at a relative path with the extra flags `last`; the path may be empty.
    private func descend(_ relative: [UInt8], last: Int32) throws(ByteSourceError) -> Int32 {
        let name = String(decoding: relative, as: UTF8.self)
        let components = relative.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let isLocal = components.allSatisfy { component in
            !component.isEmpty && !component.contains(0) && !component.elementsEqual(".".utf8)
                && !component.elementsEqual("..".utf8)
        }
        guard isLocal || relative.isEmpty else {
            throw ByteSourceError(
                operation: "open", subject: name, reason: "the path is not one below the folder", isMissing: true)
        }
        var current = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        for (index, component) in components.enumerated() where !component.isEmpty && current >= 0 {
            let extra = index == components.count - 1 ? last : O_DIRECTORY
            let next = (component.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { text in
                text.baseAddress.map { openat(current, $0, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | extra) } ?? -1
            }
            let reason = errno
            close(current)
            errno = reason
            current = next
        }
        guard current >= 0 else { throw ByteSourceError(operation: "open", subject: name, errno: errno) }
        return current
    }
}

// MARK: - Walking

extension FolderTree {
    /// Every regular file below, sorted by path; links and special files are told by a finding and left out.
    func entries(limits: ArchiveLimits, log: inout FindingLog) throws(CodedFailure) -> [Bundle.Entry] {
        var files: [Bundle.Entry] = []
        var seen = 0
        var waiting: [[UInt8]] = [[]]
        while let folder = waiting.popLast() {
            let children: [Child]
            do { children = try list(folder, most: limits.entryCount - seen) } catch {
                guard !folder.isEmpty else { throw .unreadable(error) }
                let place = Place(entry: String(decoding: folder, as: UTF8.self))
                log.add(.ioError, at: place, error.description, severity: .warning)
                continue
            }
            seen += children.count
            guard seen <= limits.entryCount else { throw .tooManyEntries(limits.entryCount) }
            for child in children {
                let raw = folder.isEmpty ? child.name : folder + [UInt8(ascii: "/")] + child.name
                let path = String(decoding: raw, as: UTF8.self)
                guard raw.count <= limits.nameBytes else { throw .longName(path, limit: limits.nameBytes) }
                switch child.kind {
                case .folder where PartialFolder.isName(child.name):
                    log.add(
                        .archiveJunkEntry, at: Place(entry: path),
                        "\(path.printable(limit: 200)) is where another bundle is being unpacked, or was; it is left out",
                        arguments: [.init("name", path)])
                case .folder: waiting.append(raw)
                case .file(let size):
                    let isText = path.utf8.elementsEqual(raw)
                    files.append(.init(path: path, size: size, location: .file(rawPath: isText ? nil : raw)))
                case .special(let what):
                    log.add(
                        .archiveSymlink, at: Place(entry: path),
                        "\(path.printable(limit: 200)) is \(what); it is left out",
                        arguments: [.init("name", path)], severity: .warning)
                }
            }
        }
        return files.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    }

    private struct Child {
        enum Kind {
            case file(size: Int64)
            case folder
            case special(String)
        }
        let name: [UInt8]
        let kind: Kind
    }

    /// What lies in one folder; stops one beyond `most`.
    private func list(_ folder: [UInt8], most: Int) throws(ByteSourceError) -> [Child] {
        let opened = try descend(folder, last: O_DIRECTORY)
        var children: [Child] = []
        let fault = FolderReading.read(adopting: opened) { bytes, _ in
            let name = Array(bytes)
            var status = stat()
            let text = name.map { CChar(bitPattern: $0) } + [0]
            // Gone since it was listed: not there.
            guard fstatat(opened, text, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return true }
            children.append(Child(name: name, kind: Self.kind(of: status)))
            return children.count <= most
        }
        if let fault {
            throw ByteSourceError(
                operation: "list", subject: String(decoding: folder, as: UTF8.self), errno: fault)
        }
        return children
    }

    private static func kind(of status: stat) -> Child.Kind {
        switch status.st_mode & S_IFMT {
        case S_IFREG: .file(size: Int64(status.st_size))
        case S_IFDIR: .folder
        case S_IFLNK: .special("a symbolic link")
        default: .special("a special file")
        }
    }
}
