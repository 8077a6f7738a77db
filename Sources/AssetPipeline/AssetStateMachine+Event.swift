public import Download

extension AssetStateMachine {
    /// What can happen to an asset.
    public enum Event: Sendable, Hashable {
        // From its worker. Counts are totals so far, not steps, so that one may stand for many.

        /// Bytes have arrived.
        case received(Tally, attempt: Attempt)
        /// The last byte has arrived and was verified.
        case downloaded(archive: String, attempt: Attempt)
        /// Entries were held against the budgets.
        case checked(Tally, attempt: Attempt)
        /// The bundle is open and its scene picked.
        case unzipped(document: String, bytes: Int64?, attempt: Attempt)
        /// Bytes of the document were read.
        case read(Tally, attempt: Attempt)
        /// The scene is there.
        case parsed(AssetSummary, attempt: Attempt)
        /// The stage at work gave up; what trying again can do about it.
        case failed(AssetState.Reason, Recovery, attempt: Attempt)

        // From a person.

        case retry
        case cancel
        case convert
    }

    /// What is to be done now.
    public enum Effect: Sendable, Hashable {
        case none
        case download(AssetState.Download)
        case unzip(AssetState.Unzip)
        case parse(AssetState.Parse)
        /// Keep the product whose summary came last.
        case keep
        /// Make the converted model of the product that is kept.
        case convert
        /// End the work on this stage.
        case stop(AssetStage)
    }

    /// An event the present state has no answer to: the caller's mistake, reported rather than trapped.
    public struct UnexpectedEvent: Error, Sendable, Hashable {
        public let event: Event
        public let state: AssetState
    }

    /// How an event's attempt stands to the present one.
    enum Timing {
        case past, present, future
    }
}

extension AssetStateMachine.UnexpectedEvent: CustomStringConvertible {
    public var description: String { "The event \(event) has no meaning in the state \(state)." }
}

extension AssetStateMachine.Event {
    /// The attempt a worker speaks of; `nil` for what a person asks.
    public var attempt: Attempt? {
        switch self {
        case .received(_, let attempt), .downloaded(_, let attempt), .checked(_, let attempt),
            .unzipped(_, _, let attempt), .read(_, let attempt), .parsed(_, let attempt), .failed(_, _, let attempt):
            attempt
        case .retry, .cancel, .convert: nil
        }
    }

    func timing(at present: Attempt) -> AssetStateMachine.Timing {
        guard let attempt else { return .present }
        return attempt < present ? .past : attempt == present ? .present : .future
    }
}
