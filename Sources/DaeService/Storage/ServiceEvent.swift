import Daedalus

/// Something that happened, as watchers are told of it.
struct ServiceEvent: Sendable {
    /// Grows from event to event; `nil` for one that is not kept, which tells how far a worker is within a state.
    let number: Int64?
    let asset: AssetID
    let kind: Kind
    /// A JSON text.
    let data: String
    /// What of the asset's link not everybody may see.
    var secret: LinkSecret?

    enum Kind: String, Sendable {
        case state, action, removed
        /// What a client says of the asset became something else.
        case details
    }
}

/// Some events, the oldest first.
struct EventPage: Sendable {
    let events: [ServiceEvent]
    /// Of all that happened: what is older is forgotten.
    let first: Int64
    /// There is no other up to this one that was asked for.
    let end: Int64
    let newest: Int64
}
