/// The work an asset goes through, in order.
public enum AssetStage: String, Sendable, Hashable, CaseIterable, Codable {
    case download, unzip, parse
}
