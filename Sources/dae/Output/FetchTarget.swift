import DaeCore
import Daedalus

/// Where fetched files are put beside the cache.
struct FetchTarget: Sendable {
    private enum Place {
        case standardOutput
        case file(String)
        case folder(String)
    }

    /// What is at the place already.
    private enum Occupant {
        case nothing
        case same
        case other
    }

    private let place: Place
    private let replaces: Bool

    init(_ path: String, replaces: Bool) {
        place = path == "-" ? .standardOutput : Self.isFolder(path) ? .folder(path) : .file(path)
        self.replaces = replaces
    }

    /// Whether a path means a folder: it is one, or it ends like one.
    static func isFolder(_ path: String) -> Bool {
        path.hasSuffix("/") || FileMetadata(following: path)?.kind == .folder
    }

    /// Copies a file of the cache, so that a change of the copy is none of the cache; gives the copy's path, `nil` where
    /// it went to standard output. A cancelled task ends the copying, and nothing is left of it.
    func put(_ file: DownloadedFile) throws(DaeExit) -> String? {
        switch place {
        case .standardOutput:
            try copy(file, to: "-")
            return nil
        case .file(let name):
            try place(file, at: name)
            return name
        case .folder(let folder):
            if mkdir(folder, 0o777) != 0, errno != EEXIST {
                throw refuse(folder, "cannot be made: \(SystemError(folder).reason)")
            }
            let path = folder + (folder.hasSuffix("/") ? "" : "/") + file.suggestedName
            try place(file, at: path)
            return path
        }
    }

    private func place(_ file: DownloadedFile, at path: String) throws(DaeExit) {
        switch try occupant(of: path, for: file) {
        case .same: return
        case .other where !replaces: throw refuse(path, "a file with other bytes is there; --force replaces it")
        case .nothing, .other: try copy(file, to: path)
        }
    }

    private func occupant(of path: String, for file: DownloadedFile) throws(DaeExit) -> Occupant {
        guard let present = FileMetadata(following: path) else { return .nothing }
        switch present.kind {
        case .folder: throw refuse(path, "a folder is there")
        case .file: break
        // A device or a pipe takes what it is given.
        case .link, .pipe, .socket, .device, .other: return .nothing
        }
        guard present.size == file.size else { return .other }
        return try digest(of: path) { _ in } == file.sha256 ? .same : .other
    }

    private func copy(_ file: DownloadedFile, to path: String) throws(DaeExit) {
        let stream = try OutputStream(path: path)
        let digest = try digest(of: file.path) { bytes throws(DaeExit) in try stream.write(bytes) }
        guard digest == file.sha256 else {
            throw refuse(file.path, "the file in the cache is damaged; dae cache verify removes it")
        }
        try stream.finish()
    }

    /// Reads a file, and hashes what it hands on.
    private func digest(
        of path: String, handing take: ([UInt8]) throws(DaeExit) -> Void
    ) throws(DaeExit) -> SHA256Digest {
        let source: FileByteSource
        do { source = try FileByteSource(path: path) } catch { throw refuse(path, "\(error)") }
        var hasher = SHA256Hasher()
        var offset: Int64 = 0
        while offset < source.size {
            if Task.isCancelled { throw .interrupted }
            let bytes: [UInt8]
            do { bytes = try source.bytes(at: offset, count: 1 << 20) } catch { throw refuse(path, "\(error)") }
            guard !bytes.isEmpty else { throw refuse(path, "became shorter while it was read") }
            hasher.update(bytes)
            try take(bytes)
            offset += Int64(bytes.count)
        }
        return hasher.finish()
    }

    private func refuse(_ path: String, _ reason: String) -> DaeExit {
        complain("\(path): \(reason)")
        return .cannotWrite
    }
}
