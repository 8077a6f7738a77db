import ByteSource

/// The folder around a lone document as a container.
///
/// Its files are listed only when a name has to be searched for, and then near ones first and not without end: a
/// document may lie in a folder of a million downloads.
final class LoneFolder: ResourceContainer {
    private let root: String
    private let folder: HostFolder
    private let links: HostFolder.Links
    private let walk: Lazy<(paths: [String], isComplete: Bool)>

    /// Levels of folders listed, the document's root being the first.
    static let depth = 6
    /// Files and folders listed.
    static let most = 20_000

    /// - Parameter links: Which are followed; where one leads out of the root, its file is one outside.
    init?(_ document: LoneDocument, links: HostFolder.Links) {
        guard let folder = HostFolder(path: document.root) else { return nil }
        root = document.root
        self.folder = folder
        self.links = links
        walk = Lazy { folder.walk(depth: Self.depth, most: Self.most, links: links) }
    }

    var paths: [String] { walk.value.paths }
    /// Hidden folders are not listed, and files come and go.
    var isListComplete: Bool { false }

    func contains(_ path: String) -> Bool { presence(of: path) == .file }

    func presence(of path: String) -> ResourcePresence {
        let presence = folder.presence(of: path)
        guard presence == .link, let target = target(of: path) else { return presence }
        return target.path(below: root).map(folder.presence) ?? target.presence
    }

    /// A file of the root itself, or one that a link leads to within it.
    func file(at path: String, shown: String) throws(ByteSourceError) -> FileByteSource {
        let isLink = folder.presence(of: path) == .link
        let inside = isLink ? target(of: path)?.path(below: root) : nil
        return try folder.file(at: inside ?? path, shown: shown)
    }

    private func target(of path: String) -> LinkTarget? {
        switch links {
        case .none: nil
        case .files: LinkTarget(following: root + "/" + path)
        }
    }

    func bytes(at path: String, limit: Int) -> [UInt8]? {
        guard let file = try? file(at: path, shown: path), file.size <= Int64(limit) else { return nil }
        return try? file.bytes(at: 0, count: limit)
    }
}
