import Synchronization

/// Everyone who watches a pipeline.
///
/// A class because observers take themselves off when their sequence goes, on any thread; the lock guards the lists.
/// Nothing is handed to an observer while the lock is held: finishing a stream calls back into ``remove``.
final class Observers: Sendable {
    private struct Lists {
        var next = 0
        var ofAsset: [AssetID: [Int: AsyncStream<AssetState>.Continuation]] = [:]
        var ofAll: [Int: UpdateMailbox] = [:]
        var ofActions: [Int: AsyncStream<PerformedAction>.Continuation] = [:]

        mutating func number() -> Int {
            next += 1
            return next
        }
    }

    /// Actions that an observer may be behind before the oldest are dropped.
    private static let actionsKept = 1024

    private let lists = Mutex(Lists())

    /// The states of one asset from `present` to the next settled one.
    func watch(_ asset: AssetID, present: AssetState) -> AsyncStream<AssetState> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: AssetState.self, bufferingPolicy: .bufferingNewest(1))
        continuation.yield(present)
        guard !present.isSettled else {
            continuation.finish()
            return stream
        }
        let number = lists.withLock { lists in
            let number = lists.number()
            lists.ofAsset[asset, default: [:]][number] = continuation
            return number
        }
        continuation.onTermination = { [weak self] _ in self?.remove(number, from: asset) }
        return stream
    }

    func watchAll(present: [AssetUpdate]) -> AssetUpdates {
        let mailbox = UpdateMailbox()
        for update in present { mailbox.put(update) }
        let number = lists.withLock { lists in
            let number = lists.number()
            lists.ofAll[number] = mailbox
            return number
        }
        mailbox.onEnd { [weak self] in _ = self?.lists.withLock { $0.ofAll.removeValue(forKey: number) } }
        return AssetUpdates(mailbox: mailbox)
    }

    func watchActions() -> AsyncStream<PerformedAction> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: PerformedAction.self, bufferingPolicy: .bufferingNewest(Self.actionsKept))
        let number = lists.withLock { lists in
            let number = lists.number()
            lists.ofActions[number] = continuation
            return number
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.lists.withLock { $0.ofActions.removeValue(forKey: number) }
        }
        return stream
    }

    func publish(_ state: AssetState, of asset: AssetID) {
        let (watchers, mailboxes) = lists.withLock { lists in
            (lists.ofAsset[asset].map { Array($0.values) } ?? [], Array(lists.ofAll.values))
        }
        for watcher in watchers {
            watcher.yield(state)
            if state.isSettled { watcher.finish() }
        }
        for mailbox in mailboxes { mailbox.put(AssetUpdate(asset: asset, state: state)) }
    }

    func publish(_ action: PerformedAction) {
        for watcher in lists.withLock({ Array($0.ofActions.values) }) { watcher.yield(action) }
    }

    /// Nothing more will come for anyone.
    func close() {
        let closed = lists.withLock { lists in
            let closed = lists
            lists.ofAsset = [:]
            lists.ofAll = [:]
            lists.ofActions = [:]
            return closed
        }
        for watcher in closed.ofAsset.values.flatMap(\.values) { watcher.finish() }
        for mailbox in closed.ofAll.values { mailbox.close() }
        for watcher in closed.ofActions.values { watcher.finish() }
    }

    /// Observers at present, of whatever kind.
    var count: Int {
        lists.withLock { lists in
            lists.ofAsset.values.reduce(0) { $0 + $1.count } + lists.ofAll.count + lists.ofActions.count
        }
    }

    private func remove(_ number: Int, from asset: AssetID) {
        lists.withLock { lists in
            lists.ofAsset[asset]?[number] = nil
            if lists.ofAsset[asset]?.isEmpty == true { lists.ofAsset[asset] = nil }
        }
    }
}

// An observer that is slower than the work must not make the pipeline wait nor grow: states that were not read yet are
// replaced by newer ones of the same asset, outcomes by later outcomes only.

/// One asset's new state.
public struct AssetUpdate: Sendable, Hashable {
    /// Whose state it is.
    public let asset: AssetID
    /// The state it is in now.
    public let state: AssetState

    /// For tests and previews.
    public init(asset: AssetID, state: AssetState) { (self.asset, self.state) = (asset, state) }
}

/// What one observer of all assets has not read yet: at most two states an asset.
///
/// A class because the pipeline and the observer's sequence share it; its lock guards all it has.
final class UpdateMailbox: Sendable {
    private enum Slot {
        case moving(AssetState)
        case settled(AssetState)
        /// An outcome, and what followed from trying again.
        case settledThenMoving(AssetState, AssetState)

        /// The slot with a newer state in it.
        func adding(_ state: AssetState) -> Slot {
            guard !state.isSettled else { return .settled(state) }
            return switch self {
            case .moving: .moving(state)
            case .settled(let outcome), .settledThenMoving(let outcome, _): .settledThenMoving(outcome, state)
            }
        }
    }

    private struct Contents {
        var slots: [AssetID: Slot] = [:]
        /// From `head` on, the assets with a slot, the one that has waited longest first.
        var queue: [AssetID] = []
        var head = 0

        var first: AssetID? { head < queue.count ? queue[head] : nil }

        mutating func dropFirst() {
            head += 1
            guard head * 2 > queue.count else { return }
            queue.removeFirst(head)
            head = 0
        }
    }

    private let contents = Mutex(Contents())
    private let wake: AsyncStream<Void>.Continuation
    /// Has an element when the mailbox may have been filled since.
    let wakeUps: AsyncStream<Void>

    init() {
        (wakeUps, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    func put(_ update: AssetUpdate) {
        contents.withLock { contents in
            if let slot = contents.slots[update.asset] {
                contents.slots[update.asset] = slot.adding(update.state)
            } else {
                contents.slots[update.asset] = update.state.isSettled ? .settled(update.state) : .moving(update.state)
                contents.queue.append(update.asset)
            }
        }
        wake.yield()
    }

    func take() -> AssetUpdate? {
        contents.withLock { contents in
            guard let asset = contents.first, let slot = contents.slots[asset] else { return nil }
            switch slot {
            case .moving(let state), .settled(let state):
                contents.dropFirst()
                contents.slots[asset] = nil
                return AssetUpdate(asset: asset, state: state)
            case .settledThenMoving(let outcome, let state):
                contents.slots[asset] = .moving(state)
                return AssetUpdate(asset: asset, state: outcome)
            }
        }
    }

    /// Nothing more will come; what is inside can still be taken.
    func close() { wake.finish() }

    func onEnd(_ action: @escaping @Sendable () -> Void) { wake.onTermination = { _ in action() } }
}

/// The states of all assets, as one observer sees them.
struct AssetUpdates: AsyncSequence, Sendable {
    let mailbox: UpdateMailbox

    struct Iterator: AsyncIteratorProtocol {
        let mailbox: UpdateMailbox
        var wakeUps: AsyncStream<Void>.Iterator

        mutating func next() async -> AssetUpdate? { await next(isolation: nil) }

        mutating func next(isolation: isolated (any Actor)?) async -> AssetUpdate? {
            while true {
                if let update = mailbox.take() { return update }
                guard await wakeUps.next(isolation: isolation) != nil else { return mailbox.take() }
            }
        }
    }

    func makeAsyncIterator() -> Iterator {
        Iterator(mailbox: mailbox, wakeUps: mailbox.wakeUps.makeAsyncIterator())
    }
}
