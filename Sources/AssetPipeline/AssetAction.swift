/// What a person, the command line or the HTTP service may ask for. One enum, one way in: ``AssetPipeline/perform(_:)``.
public enum AssetAction: Sendable, Hashable {
    /// Takes in a path or an address and sets to work on it.
    case add(source: String)
    /// Begins the next attempt at an asset whose failure allows it.
    case retry(AssetID)
    /// Stops the work; the asset settles as failed and can be tried again.
    case cancel(AssetID)
    /// Makes a ready asset's converted model ahead of its being asked for.
    case convert(AssetID)
    /// Stops the work if need be, and forgets the asset and its product.
    case remove(AssetID)

    /// An action without the asset it is about. Raw values are what is written.
    public enum Kind: String, Sendable, Hashable, CaseIterable, Codable {
        case add, retry, cancel, convert, remove
    }

    public var kind: Kind {
        switch self {
        case .add: .add
        case .retry: .retry
        case .cancel: .cancel
        case .convert: .convert
        case .remove: .remove
        }
    }

    /// The asset it is about; `nil` for one that is still to be made.
    public var asset: AssetID? {
        switch self {
        case .add: nil
        case .retry(let id), .cancel(let id), .convert(let id), .remove(let id): id
        }
    }
}

/// One line of the audit trail: an action that was accepted.
public struct PerformedAction: Sendable, Hashable {
    /// From 1, without gaps: a gap shows an observer what it was too slow for.
    public let number: Int64
    public let action: AssetAction
    /// The asset it was about, the new one's for an `add`.
    public let asset: AssetID
    /// Milliseconds since 1970, UTC, by the pipeline's own clock.
    public let at: Int64
}
