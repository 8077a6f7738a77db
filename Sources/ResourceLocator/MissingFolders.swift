/// Folders that were looked for and are not there: the textures of a document lie side by side, in few of them.
struct MissingFolders: Sendable {
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
