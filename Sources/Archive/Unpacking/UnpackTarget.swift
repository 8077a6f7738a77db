import Glibc

/// Where a bundle is unpacked to.
struct UnpackTarget: ~Copyable {
    enum Place {
        /// The folder is there; ``ground`` is it.
        case present
        /// It is to be made under this name in ``ground``.
        case missing(FileName)
    }

    let place: Place
    /// The folder in which everything is written.
    let ground: OpenFolder
    /// As the person wrote it, without slashes at its end.
    let path: String
    /// Of ``ground``, as it may be joined with a name.
    private let groundPath: String

    private init(_ ground: consuming OpenFolder, at groundPath: String, _ place: Place, _ path: String) {
        self.ground = ground
        self.groundPath = groundPath
        self.place = place
        self.path = path
    }

    /// - Parameter path: May be or lead through a symbolic link: a person named it, not the bundle.
    static func open(_ path: String) throws(UnpackError) -> UnpackTarget {
        var path = path
        while path.utf8.count > 1, path.utf8.last == UInt8(ascii: "/") { path.removeLast() }
        do throws(SystemFailure) {
            return UnpackTarget(try OpenFolder.at(path), at: path == "/" ? "" : path, .present, path)
        } catch {
            switch error.code {
            case ENOENT: return try parent(of: path)
            case ENOTDIR: throw .notAFolder(path)
            default: throw .cannotWrite(path, error)
            }
        }
    }

    private static func parent(of path: String) throws(UnpackError) -> UnpackTarget {
        var status = stat()
        guard lstat(path, &status) != 0 else { throw .leadsNowhere(path) }
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let name = FileName(path.utf8[(slash.map { path.utf8.index(after: $0) } ?? path.utf8.startIndex)...])
        guard !name.isDots, !name.bytes.isEmpty else { throw .cannotWrite(path, SystemFailure(code: ENOENT)) }
        let parent = slash.map { $0 == path.utf8.startIndex ? "/" : String(path[..<$0]) } ?? "."
        do throws(SystemFailure) {
            return UnpackTarget(
                try OpenFolder.at(parent), at: parent == "/" ? "" : parent, .missing(name), path)
        } catch {
            throw .cannotMake(path, in: parent, error)
        }
    }

    /// Of ``ground``, for messages.
    var groundName: String { groundPath.isEmpty ? "/" : groundPath }

    /// The path of something in ``ground``, for messages.
    func path(of name: FileName) -> String { path(of: name.bytes) }

    func path(of below: [UInt8]) -> String { "\(groundPath)/\(String(decoding: below, as: UTF8.self))" }
}
