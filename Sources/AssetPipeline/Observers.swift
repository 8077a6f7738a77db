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
    static let actionsKept = 1024

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
