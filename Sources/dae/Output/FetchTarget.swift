import Daedalus
import Glibc

/// Where fetched files are put beside the cache.
struct FetchTarget: Sendable {
    private enum Place {
        case file(String)
        case folder(String)
    }

    private let place: Place
    private let replaces: Bool  // an option

    init(_ path: String, replaces: Bool) {
        place = Self.isFolder(path) ? .folder(path) : .file(path)
        self.replaces = replaces
    }

    /// Whether a path means a folder: it is one, or it ends like one.
    static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return path.hasSuffix("/") || stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Copies a file of the cache, so that a change of the copy is none of the cache; gives the copy's path.
    func put(_ file: DownloadedFile) throws(DaeExit) -> String {
        let path: String
        switch place {
        case .file(let name): path = name
        case .folder(let folder):
            if mkdir(folder, 0o777) != 0, errno != EEXIST { throw refuse(folder, String(cString: strerror(errno))) }
            path = folder + (folder.hasSuffix("/") ? "" : "/") + file.suggestedName
        }
        do {
            let source = try FileByteSource(path: file.path)
            if access(path, F_OK) == 0 {
                if try Self.digest(of: FileByteSource(path: path), if: source.size) == file.sha256 { return path }
                guard replaces else { throw refuse(path, "a file with other bytes is there; --force replaces it") }
            }
            try copy(source, to: path)
            return path
        } catch let exit as DaeExit {
            throw exit
        } catch {
            throw refuse(path, "\(error)")
        }
    }

    private func copy(_ source: FileByteSource, to path: String) throws {
        let stream = try OutputStream(path: path)
        var offset: Int64 = 0
        while offset < source.size {
            let bytes = try source.bytes(at: offset, count: 1 << 20)
            try stream.write(bytes)
            offset += Int64(bytes.count)
        }
        try stream.finish()
    }

    /// `nil` where the size already tells that it is another file.
    private static func digest(of source: FileByteSource, if size: Int64) throws -> SHA256Digest? {
        guard source.size == size else { return nil }
        var hasher = SHA256Hasher()
        var offset: Int64 = 0
        while offset < size {
            let bytes = try source.bytes(at: offset, count: 1 << 20)
            hasher.update(bytes)
            offset += Int64(bytes.count)
        }
        return hasher.finish()
    }

    private func refuse(_ path: String, _ reason: String) -> DaeExit {
        complain("\(path): \(reason)")
        return .cannotWrite
    }
}
