import DaeDiagnostics
public import DaePipeline

/// An asset as the service tells of it.
public struct ServedAsset: Sendable {
    public let id: AssetID
    /// Under which it was added.
    public let name: String
    /// Of its bytes, in hexadecimal digits; `nil` until they are there.
    public let sha256: String?
    public let bytes: Int64?
    public let state: AssetState
    /// Of the present stage, 0...1; `nil` where it cannot be known.
    public let progress: Double?
    /// Those that this library knows.
    public let availableActions: [AssetAction.Kind]
    /// Milliseconds since 1970.
    public let created: Int64
    public let changed: Int64
    /// Paths on the server, by what they lead to.
    public let links: [String: String]

    init(_ json: JSONValue) throws(AssetServiceError) {
        guard let id = json["id"]?.string.flatMap({ AssetID($0) }), let name = json["name"]?.string,
            let written = json["state"]
        else { throw .notUnderstood("an asset without id, name or state") }
        do { state = try written.decoded(AssetState.self) } catch { throw .notUnderstood("a state: \(error)") }
        self.id = id
        self.name = name
        sha256 = json["sha256"]?.string
        bytes = json["bytes"]?.integer
        progress = json["progress"]?.real
        availableActions =
            json["availableActions"]?.elements?.compactMap {
                $0.string.flatMap { AssetAction.Kind(rawValue: $0) }
            } ?? []
        created = json["created"]?.integer ?? 0
        changed = json["changed"]?.integer ?? 0
        var links: [String: String] = [:]
        if case .object(let members) = json["links"] { links = members.compactMapValues(\.string) }
        self.links = links
    }
}

/// Assets, the newest first, as many as were asked for at most.
public struct ServedAssets: Sendable {
    public let assets: [ServedAsset]
    /// Where the next page begins; `nil` behind the last.
    public let next: Int64?
}

/// A file of a bundle.
public struct ServedFile: Sendable, Hashable {
    public let path: String
    /// In bytes, unpacked; `nil` where the service does not say.
    public let size: Int64?
}
