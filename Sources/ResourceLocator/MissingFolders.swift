/// Folders that were looked for and are not there: the textures of a document lie side by side, in few of them.
struct MissingFolders: Sendable {
    private var folders: [String] = []

    /// They are gone through one by one.
    private static let most = 64

    mutating func insert(_ folder: String) {
        guard folders.count < Self.most else { return }
        folders.append(folder)
    }

    /// Whether a path leads through one of them.
    func hold(_ path: String) -> Bool {
        for index in folders.indices where path.isBelow(folders[index]) { return true }
        return false
    }
}
