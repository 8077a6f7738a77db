import DaeCore
import DaeDiagnostics

/// A folder whose files are opened step by step from its own descriptor, so that no link leads out of it.
///
/// A class because it owns that descriptor.
final class FolderTree: Sendable {
    private let root: OpenFolder

    /// The folder itself may be a link.
    init(path: String) throws(SystemError) { root = try OpenFolder.at(path) }

    /// The regular file at a relative path without `.`, `..`, empty components and links.
    func file(at relative: [UInt8]) throws(ByteSourceError) -> FileByteSource {
        let shown = String(decoding: relative, as: UTF8.self)
        guard let parts = Self.parts(of: relative), let name = parts.last else {
            throw ByteSourceError(
                operation: "open", subject: shown, reason: "the path is not one below the folder", isMissing: true)
        }
        let file: OpenFile
        do throws(SystemError) { file = try folder(parts.dropLast()).file(name, shown: shown) } catch {
            throw ByteSourceError(operation: "open", SystemError(shown, error.code))
        }
        return try FileByteSource(file)
    }

    /// What lies at a relative path or on the way to it that is neither a file nor a folder.
    func obstacle(at relative: [UInt8]) -> Bundle.Obstacle? {
        guard relative.count <= PATH_MAX, let parts = Self.parts(of: relative), var folder = try? root.copy() else {
            return nil
        }
        for part in parts {
            guard let found = try? folder.metadata(part) else { return nil }
            switch found.kind {
            case .folder: break
            case .file: return nil
            case .link: return .link
            case .pipe, .socket, .device, .other: return .special
            }
            guard let next = try? folder.folder(part) else { return nil }
            folder = next
        }
        return nil
    }

    /// The components of a path; `nil` for one that does not lead below the folder.
    private static func parts(of relative: [UInt8]) -> [FileName]? {
        let parts = relative.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let isLocal = parts.allSatisfy { part in
            !part.isEmpty && !part.contains(0) && !part.elementsEqual(".".utf8) && !part.elementsEqual("..".utf8)
        }
        return isLocal ? parts.map { FileName($0) } : nil
    }

    private func folder(_ parts: some Sequence<FileName>) throws(SystemError) -> OpenFolder {
        var folder = try root.copy()
        for part in parts { folder = try folder.folder(part) }
        return folder
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
        var children: [Child] = []
        do throws(SystemError) {
            let opened = try self.folder(Self.parts(of: folder) ?? [])
            for name in try opened.names(most: max(most, most &+ 1)) {
                // Gone since it was listed: not there.
                guard let found = try? opened.metadata(name) else { continue }
                children.append(Child(name: name.bytes, kind: Self.kind(of: found)))
            }
        } catch {
            let shown = String(decoding: folder, as: UTF8.self)
            throw ByteSourceError(operation: "list", SystemError(shown, error.code))
        }
        return children
    }

    private static func kind(of found: FileMetadata) -> Child.Kind {
        switch found.kind {
        case .file: .file(size: found.size)
        case .folder: .folder
        case .link: .special("a symbolic link")
        case .pipe, .socket, .device, .other: .special("a special file")
        }
    }
}
