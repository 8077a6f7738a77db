import ByteSource

/// The folder around a lone document as a container.
///
/// Its files are listed only when a name has to be searched for, and then near ones first and not without end: a
/// document may lie in a folder of a million downloads.
final class LoneFolder: ResourceContainer {
    private let folder: HostFolder
    private let walk: Lazy<(paths: [String], isComplete: Bool)>

    /// Levels of folders listed, the document's root being the first.
    static let depth = 6
    /// Files and folders listed.
    static let most = 20_000

    init?(_ document: LoneDocument) {
        guard let folder = HostFolder(path: document.root) else { return nil }
        self.folder = folder
        walk = Lazy { folder.walk(depth: Self.depth, most: Self.most) }
    }

    var paths: [String] { walk.value.paths }
    /// Hidden folders are not listed, and files come and go.
    var isListComplete: Bool { false }

    func contains(_ path: String) -> Bool { folder.contains(path) }

    func file(at path: String, shown: String) throws(ByteSourceError) -> FileByteSource {
        try folder.file(at: path, shown: shown)
    }

    func bytes(at path: String, limit: Int) -> [UInt8]? {
        guard let file = try? file(at: path, shown: path), file.size <= Int64(limit) else { return nil }
        return try? file.bytes(at: 0, count: limit)
    }
}
