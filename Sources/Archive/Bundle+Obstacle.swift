extension Bundle {
    /// Why something that has a path is no entry.
    public enum Obstacle: Sendable, Hashable {
        /// A symbolic link, at the path or on the way.
        case link
        /// A pipe, a device or the like.
        case special
    }

    /// What keeps the path from being one of an entry, in a folder or beside a lone document; `nil` where nothing that
    /// could be a file lies there. Links are not followed.
    public func obstacle(at path: String) -> Obstacle? {
        store.folder?.obstacle(at: Array(path.utf8))
    }
}
