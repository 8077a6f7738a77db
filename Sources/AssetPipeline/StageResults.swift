// What one stage hands to the next. These stay with the asset's worker and, the last, with the pipeline; states carry
// only what is small and can be written down.

/// What downloading gives: all bytes of the source, verified.
public struct AssetFile: Sendable, Hashable {
    /// Where the bytes are.
    public enum Location: Sendable, Hashable {
        /// A file or a folder.
        case path(String)
        /// A buffer that the operations know by this name.
        case memory(String)
    }

    /// The name without its folder, for people.
    public let name: String
    public let location: Location
    /// `nil` for a folder.
    public let bytes: Int64?
    /// In hexadecimal; `nil` where there is no single file.
    public let sha256: String?

    public init(name: String, location: Location, bytes: Int64? = nil, sha256: String? = nil) {
        self.name = name
        self.location = location
        self.bytes = bytes
        self.sha256 = sha256
    }
}

/// What unzipping gives: a bundle that was checked, and the scene picked from it.
public struct OpenedBundle: Sendable {
    /// The scene's path in the bundle.
    public let scene: String
    /// Bytes of the scene's document; `nil` where only reading to the end can tell.
    public let sceneBytes: Int64?
    /// Entries in the bundle.
    public let entries: Int

    public init(scene: String, sceneBytes: Int64? = nil, entries: Int) {
        self.scene = scene
        self.sceneBytes = sceneBytes
        self.entries = entries
    }
}

/// What parsing gives; the pipeline keeps it until the asset is removed.
public struct AssetProduct: Sendable {
    public let summary: AssetSummary

    public init(summary: AssetSummary) { self.summary = summary }
}
