// {"version": 1, "action": "retry", "asset": "…"}. Over HTTP the asset stands in the path and may be left out of the
// body; a body that names another asset than the path is refused.

extension AssetAction {
    /// What a decoder is told (its `userInfo`) where the asset is known and the text may leave it out.
    public static func userInfo(asset: AssetID) -> [CodingUserInfoKey: any Sendable] {
        assetKey.map { [$0: asset] } ?? [:]
    }

    private static let assetKey = CodingUserInfoKey(rawValue: "AssetAction.asset")
}

extension AssetAction: Codable {
    private enum Key: String, CodingKey {
        case version, action, asset, source
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        try container.checkVersion(at: .version)
        switch try container.name(Kind.self, at: .action) {
        case .add: self = .add(source: try container.decode(String.self, forKey: .source))
        case .retry: self = .retry(try Self.asset(in: container, decoder))
        case .cancel: self = .cancel(try Self.asset(in: container, decoder))
        case .convert: self = .convert(try Self.asset(in: container, decoder))
        case .remove: self = .remove(try Self.asset(in: container, decoder))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(WireFormat.version, forKey: .version)
        try container.encode(kind, forKey: .action)
        switch self {
        case .add(let source): try container.encode(source, forKey: .source)
        case .retry(let id), .cancel(let id), .convert(let id), .remove(let id):
            try container.encode(id, forKey: .asset)
        }
    }

    private static func asset(
        in container: KeyedDecodingContainer<Key>, _ decoder: any Decoder
    ) throws -> AssetID {
        guard let known = assetKey.flatMap({ decoder.userInfo[$0] as? AssetID }) else {
            return try container.decode(AssetID.self, forKey: .asset)
        }
        if let written = try container.decodeIfPresent(AssetID.self, forKey: .asset), written != known {
            throw container.refusal(.asset, "The action names '\(written)' but was sent to '\(known)'.")
        }
        return known
    }
}
