// Decides, never acts: no clock, no file, no task. Whatever the pipeline does to the world was an effect here first.

package import DaeDownload

/// The way of one asset: every ``Event`` enters by ``handle(_:)`` and leaves as one ``Effect``.
///
/// - `downloading` goes on to `unzipping`, that to `parsing`, that to `ready`;
/// - each of the three can become `failed`;
/// - `failed` goes back to `downloading` where its failure says what to resume from;
/// - `ready` stays; what is made of it is no state of it.
package struct AssetStateMachine: Sendable, Hashable {
    /// As it was given, with what is secret in it: nothing else has it.
    package let source: AssetSource
    package private(set) var state: AssetState

    /// A new asset, and what is to be done first.
    package static func begin(source: AssetSource) -> (machine: AssetStateMachine, effect: Effect) {
        (AssetStateMachine(source: source, state: .downloading(.first)), .download(.first))
    }

    /// An asset whose state was kept while nothing ran, and what is to be done now.
    ///
    /// Work that was under way begins again as the next attempt, with the bytes that had arrived.
    package static func restore(_ state: AssetState, source: AssetSource) -> (
        machine: AssetStateMachine, effect: Effect
    ) {
        let download: AssetState.Download
        switch state {
        case .downloading(let interrupted):
            download = .init(attempt: interrupted.attempt.next, bytes: interrupted.bytes)
        case .unzipping, .parsing: download = .init(attempt: state.attempt.next, bytes: .none)
        case .ready, .failed: return (AssetStateMachine(source: source, state: state), .none)
        }
        return (AssetStateMachine(source: source, state: .downloading(download)), .download(download))
    }

    /// An asset as it stands, whose work goes on elsewhere: nothing is begun by it.
    package init(source: AssetSource, state: AssetState) {
        self.source = source
        self.state = state
    }

    /// Moves to the state that follows, and says what is to be done.
    ///
    /// - Throws: ``UnexpectedEvent`` when the event has no meaning now; the state is then what it was.
    package mutating func handle(_ event: Event) throws(UnexpectedEvent) -> Effect {
        switch event.timing(at: state.attempt) {
        case .past: return .none  // an attempt that was given up still had something to say
        case .future: throw unexpected(event)
        case .present: break
        }
        return switch event {
        case .received(let bytes, _): try received(bytes, event)
        case .downloaded(let archive, _): try downloaded(archive, event)
        case .checked(let entries, _): try checked(entries, event)
        case .unzipped(let document, let bytes, _): try unzipped(document, bytes: bytes, event)
        case .read(let bytes, _): try read(bytes, event)
        case .parsed(let summary, _): try parsed(summary, event)
        case .failed(let reason, let recovery, _): failed(reason, recovery)
        case .retry: try retry(event)
        case .cancel: cancel()
        case .convert: try convert(event)
        }
    }
}

// MARK: - One method an event, one line a state

extension AssetStateMachine {
    private mutating func received(_ bytes: StageProgress, _ event: Event) throws(UnexpectedEvent) -> Effect {
        switch state {
        case .downloading(let download): return become(.downloading(download.advanced(to: bytes)))
        case .failed: return .none  // late bytes of a stopped transfer
        case .unzipping, .parsing, .ready: throw unexpected(event)
        }
    }

    private mutating func downloaded(_ archive: String, _ event: Event) throws(UnexpectedEvent) -> Effect {
        switch state {
        case .downloading(let download):
            let unzip = AssetState.Unzip(archive: archive, attempt: download.attempt, entries: .none)
            return become(.unzipping(unzip), .unzip(unzip))
        case .failed: return .none  // stopped with the last byte
        case .unzipping, .parsing, .ready: throw unexpected(event)
        }
    }

    private mutating func checked(_ entries: StageProgress, _ event: Event) throws(UnexpectedEvent) -> Effect {
        switch state {
        case .unzipping(let unzip): return become(.unzipping(unzip.advanced(to: entries)))
        case .failed: return .none
        case .downloading, .parsing, .ready: throw unexpected(event)
        }
    }

    private mutating func unzipped(
        _ document: String, bytes: Int64?, _ event: Event
    ) throws(UnexpectedEvent) -> Effect {
        switch state {
        case .unzipping(let unzip):
            let parse = AssetState.Parse(
                document: document, attempt: unzip.attempt, bytes: StageProgress(done: 0, of: bytes))
            return become(.parsing(parse), .parse(parse))
        case .failed: return .none
        case .downloading, .parsing, .ready: throw unexpected(event)
        }
    }

    private mutating func read(_ bytes: StageProgress, _ event: Event) throws(UnexpectedEvent) -> Effect {
        switch state {
        case .parsing(let parse): return become(.parsing(parse.advanced(to: bytes)))
        case .failed: return .none
        case .downloading, .unzipping, .ready: throw unexpected(event)
        }
    }

    private mutating func parsed(_ summary: AssetSummary, _ event: Event) throws(UnexpectedEvent) -> Effect {
        switch state {
        case .parsing(let parse): return become(.ready(.init(attempt: parse.attempt, summary: summary)), .keep)
        case .failed: return .none  // stopped with the last element: its product is dropped
        case .downloading, .unzipping, .ready: throw unexpected(event)
        }
    }

    private mutating func failed(_ reason: AssetState.Reason, _ recovery: Recovery) -> Effect {
        switch state {
        case .downloading(let download): return become(.failed(.init(.download, reason, recovery, of: download)))
        case .unzipping: return become(.failed(.init(.unzip, reason, recovery, of: fresh)))
        case .parsing: return become(.failed(.init(.parse, reason, recovery, of: fresh)))
        case .ready, .failed: return .none  // the first outcome stands
        }
    }

    private mutating func retry(_ event: Event) throws(UnexpectedEvent) -> Effect {
        switch state {
        case .failed(let failure):
            guard let download = failure.resume else { throw unexpected(event) }
            return become(.downloading(download), .download(download))
        case .downloading, .unzipping, .parsing, .ready: throw unexpected(event)
        }
    }

    private mutating func cancel() -> Effect {
        switch state {
        case .downloading(let download):
            return become(.failed(.init(.download, .cancelled, .resume, of: download)), .stop(.download))
        case .unzipping: return become(.failed(.init(.unzip, .cancelled, .resume, of: fresh)), .stop(.unzip))
        case .parsing: return become(.failed(.init(.parse, .cancelled, .resume, of: fresh)), .stop(.parse))
        case .ready, .failed: return .none  // the first outcome stands
        }
    }

    private func convert(_ event: Event) throws(UnexpectedEvent) -> Effect {
        switch state {
        case .ready: return .convert
        case .downloading, .unzipping, .parsing, .failed: throw unexpected(event)
        }
    }

    private mutating func become(_ next: AssetState, _ effect: Effect = .none) -> Effect {
        state = next
        return effect
    }

    /// The present attempt as it began: once a file was whole, its bytes are the cache's to remember.
    private var fresh: AssetState.Download { .init(attempt: state.attempt, bytes: .none) }

    private func unexpected(_ event: Event) -> UnexpectedEvent { UnexpectedEvent(event: event, state: state) }
}

extension AssetStateMachine {
    /// What can happen to an asset.
    package enum Event: Sendable, Hashable {
        // From its worker. Counts are totals so far, not steps, so that one may stand for many.

        /// Bytes have arrived.
        case received(StageProgress, attempt: Attempt)
        /// The last byte has arrived and was verified.
        case downloaded(archive: String, attempt: Attempt)
        /// Entries were held against the budgets.
        case checked(StageProgress, attempt: Attempt)
        /// The bundle is open and its scene picked.
        case unzipped(document: String, bytes: Int64?, attempt: Attempt)
        /// Bytes of the document were read.
        case read(StageProgress, attempt: Attempt)
        /// The scene is there.
        case parsed(AssetSummary, attempt: Attempt)
        /// The stage at work gave up; what trying again can do about it.
        case failed(AssetState.Reason, Recovery, attempt: Attempt)

        // From a person.

        case retry
        case cancel
        case convert
    }

    /// What is to be done now. The pipeline begins an attempt, converts and stops; the attempt's own task goes on with
    /// `unzip`, `parse` and `keep`, which answer what it has reported.
    package enum Effect: Sendable, Hashable {
        case none
        /// Begin an attempt.
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
    package struct UnexpectedEvent: Error, Sendable, Hashable {
        package let event: Event
        package let state: AssetState
    }

    /// How an event's attempt stands to the present one.
    enum Timing {
        case past, present, future
    }
}

extension AssetStateMachine.UnexpectedEvent: CustomStringConvertible {
    package var description: String { "The event \(event) has no meaning in the state \(state)." }
}

extension AssetStateMachine.Event {
    /// The attempt a worker speaks of; `nil` for what a person asks.
    package var attempt: Attempt? {
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
