// Decides, never acts: no clock, no file, no socket. Source of the rules: RFC 9110 (13 to 15), RFC 9111.

import DaeCore
import DaeDiagnostics

/// The way of one address into the cache: every ``Event`` enters by ``handle(_:)`` and leaves as one ``Effect``.
struct FetchMachine: Sendable {
    /// What the caller asked for.
    struct Wish: Sendable {
        var mode = CacheMode.revalidate
        /// What the file must hash to; `nil` where nobody knows.
        var digest: SHA256Digest?
        var retries = RetryPolicy()
    }

    /// How the server is asked.
    enum Question: Sendable, Hashable {
        case whole
        /// The whole, unless it is still the version that the cache has.
        case ifChanged(CacheReference)
        /// What is missing of an earlier transfer, or the whole if it has changed since.
        case rest(of: KeptBytes)
    }

    enum Event: Sendable {
        /// What the cache has, while other processes may be at work on it.
        case looked(Shelf, now: Int64)
        /// No other process works at this address; what the cache has now, and what was left of an earlier transfer.
        case locked(Shelf, KeptBytes?, now: Int64)
        /// The head of an answer that is no redirect.
        case answered(ResponseHead, now: Int64, chance: Double)
        /// The body has ended as its own framing says; bytes on disk.
        case ended(bytes: Int64)
        /// The request, the writing or the verifying failed; what may still be resumed, and whether that is more
        /// than before.
        case failed(DownloadFailure, KeptBytes?, hasAdvanced: Bool, chance: Double)
        /// The pause is over.
        case paused
    }

    /// Of an answer's body only the two that write make use.
    enum Effect: Sendable {
        case lock
        case ask(Question)
        /// The body that follows goes to a new partial file; what was kept is dropped.
        case writeFromStart
        /// The body that follows goes behind what was kept.
        case writeBehind(KeptBytes)
        /// What was kept is the whole file already.
        case adopt(KeptBytes)
        case pause(seconds: Double)
        /// What is on disk is whole: it is to hash to each of these, and becomes visible.
        case commit(verifying: [SHA256Digest])
        /// The cache's own file stands for the server's; with an answer that says so, the reference is brought up to date.
        case use(CacheReference, confirmedBy: ResponseHead?)
        /// The file that was asked for by its digest is there.
        case useBlob(SHA256Digest)
        case fail(DownloadFailure)
    }

    enum State: Sendable {
        case looking
        case locking(Shelf)
        case asking(Question)
        case receiving(Reception)
        case pausing(next: Question)
        case settled
    }

    /// A body on its way to disk.
    struct Reception: Sendable {
        let head: ResponseHead
        /// Bytes that were there before; 0 for a whole answer.
        let start: Int64
        /// Bytes there will be in all; `nil` where nobody knows.
        let total: Int64?
        /// Of whole file.
        let digests: [SHA256Digest]
    }

    let wish: Wish
    private(set) var state = State.looking
    /// What the caller should know of the way.
    private(set) var findings: [Finding] = []
    private var shelf = Shelf()
    private var failures = 0
    private var restarts = 0
    private var requests = 0

    private static let mostRestarts = 3
    /// However much each of them brings: a server that sends a byte an answer is given up.
    private static let mostRequests = 200

    init(_ wish: Wish) { self.wish = wish }

    mutating func handle(_ event: Event) -> Effect {
        let effect =
            switch (event, state) {
            case (.looked(let shelf, let now), .looking): looked(shelf, now)
            case (.locked(let shelf, let kept, let now), .locking(let before)): locked(shelf, kept, before, now)
            case (.answered(let head, let now, let chance), .asking(let question)):
                answered(head, to: question, now, chance)
            case (.ended(let bytes), .receiving(let reception)): ended(reception, bytes)
            case (.failed(let failure, let kept, let hasAdvanced, let chance), .asking),
                (.failed(let failure, let kept, let hasAdvanced, let chance), .receiving):
                failed(failure, kept, hasAdvanced, chance)
            case (.paused, .pausing(let question)): ask(question)
            // A stop in between, a lock that could not be had: whatever was to come does not.
            case (.failed(let failure, _, _, _), _): fail(failure)
            case (.looked, _), (.locked, _), (.answered, _), (.ended, _), (.paused, _):
                fail(.noResources(reason: "the download lost its way"))
            }
        return effect
    }
}

/// What the cache has of an address.
struct Shelf: Sendable, Hashable {
    /// By the address.
    var reference: CacheReference?
    /// By the digest that the caller named.
    var hasWanted = false
}

// MARK: - The cache

extension FetchMachine {
    private mutating func looked(_ shelf: Shelf, _ now: Int64) -> Effect {
        if let effect = fromCache(shelf, now) { return effect }
        switch wish.mode {
        case .offline: return fail(.notInCache)
        case .revalidate, .refresh:
            state = .locking(shelf)
            return .lock
        }
    }

    private mutating func locked(_ shelf: Shelf, _ kept: KeptBytes?, _ before: Shelf, _ now: Int64) -> Effect {
        self.shelf = shelf
        // Who had the lock before has asked since we began, and so for all of us.
        if let reference = shelf.reference, reference != before.reference, fits(reference) {
            return use(reference)
        }
        if let effect = fromCache(shelf, now) { return effect }
        // Who wants nothing of the cache goes on with bytes of this very fetch alone.
        return ask(question(goingOnWith: wish.mode == .refresh ? nil : kept))
    }

    /// What needs no server, if anything.
    private mutating func fromCache(_ shelf: Shelf, _ now: Int64) -> Effect? {
        if let digest = wish.digest, shelf.hasWanted, wish.mode != .refresh {
            state = .settled
            return .useBlob(digest)
        }
        guard let reference = shelf.reference, fits(reference) else { return nil }
        switch wish.mode {
        case .offline: return use(reference)
        case .refresh: return nil
        case .revalidate:
            // A clock that was set back makes an entry from the future, which nobody can call fresh.
            guard let limit = reference.freshUntil, reference.storedAt <= now, now < limit else { return nil }
            return use(reference)
        }
    }

    private func fits(_ reference: CacheReference) -> Bool { wish.digest.map { $0 == reference.sha256 } ?? true }

    private mutating func use(_ reference: CacheReference, confirmedBy head: ResponseHead? = nil) -> Effect {
        state = .settled
        return .use(reference, confirmedBy: head)
    }
}

// MARK: - Questions

extension FetchMachine {
    /// - Parameter kept: What may be gone on with.
    private func question(goingOnWith kept: KeptBytes?) -> Question {
        if let kept, kept.bytes > 0 { return .rest(of: kept) }
        guard wish.mode != .refresh, let reference = shelf.reference, fits(reference), !reference.validators.isEmpty
        else { return .whole }
        return .ifChanged(reference)
    }

    private mutating func ask(_ question: Question) -> Effect {
        requests += 1
        state = .asking(question)
        return .ask(question)
    }

    /// From the first byte on, since what was there or what came is of no use.
    private mutating func restart(_ failure: DownloadFailure) -> Effect {
        restarts += 1
        guard restarts <= Self.mostRestarts else { return fail(failure) }
        return ask(.whole)
    }

    private mutating func fail(_ failure: DownloadFailure) -> Effect {
        state = .settled
        return .fail(failure)
    }
}

// MARK: - Answers

extension FetchMachine {
    private mutating func answered(
        _ head: ResponseHead, to question: Question, _ now: Int64, _ chance: Double
    ) -> Effect {
        switch (head.kind, question) {
        case (.file, .rest(let kept)):
            noteChange(head, kept)
            return writeFromStart(head)
        case (.file, .whole), (.file, .ifChanged): return writeFromStart(head)
        case (.part(let range), .rest(let kept)): return part(range, head, kept)
        case (.part(let range), .whole), (.part(let range), .ifChanged):
            // A part that nobody asked for and that happens to be all.
            guard case .part(0, let last, let total?) = range, last == total - 1 else {
                return fail(.wrongRange(reason: "a part that was not asked for"))
            }
            return writeFromStart(head)
        case (.notModified, .ifChanged(let reference)): return use(reference, confirmedBy: head)
        case (.notSatisfiable(let total), .rest(let kept)): return nothingLeft(total, head, kept)
        case (.notModified, .whole), (.notModified, .rest), (.notSatisfiable, .whole), (.notSatisfiable, .ifChanged):
            return fail(.status(head.status, phrase: head.phrase))
        case (.refusal, _): return refused(head, question, now, chance)
        case (.redirect, _), (.interim, _): return fail(.noResources(reason: "the download lost its way"))
        }
    }

    private mutating func writeFromStart(_ head: ResponseHead) -> Effect {
        receive(head, from: 0, total: head.bodyLength, .writeFromStart)
    }

    private mutating func receive(_ head: ResponseHead, from start: Int64, total: Int64?, _ effect: Effect) -> Effect {
        let digests = (wish.digest.map { [$0] } ?? []) + head.wholeDigests
        state = .receiving(Reception(head: head, start: start, total: total, digests: digests))
        return effect
    }

    private mutating func part(_ range: ContentRange?, _ head: ResponseHead, _ kept: KeptBytes) -> Effect {
        noteChange(head, kept)
        guard case .part(let first, _, let total) = range, first == kept.bytes,
            !head.validators.contradict(kept.validators), head.contentCoding == nil,
            total == nil || kept.total == nil || total == kept.total
        else {
            return restart(.wrongRange(reason: "other bytes than were asked for"))
        }
        return receive(head, from: first, total: total ?? kept.total, .writeBehind(kept))
    }

    /// The server has no bytes behind those that are there: they are all of it, or belong to something else.
    private mutating func nothingLeft(_ total: Int64?, _ head: ResponseHead, _ kept: KeptBytes) -> Effect {
        noteChange(head, kept)
        // Where no total was ever announced, these bytes may be half of another version as well.
        guard let total, total == kept.bytes, total == kept.total, !head.validators.contradict(kept.validators) else {
            return restart(.status(head.status, phrase: head.phrase))
        }
        return receive(head, from: kept.bytes, total: total, .adopt(kept))
    }

    private mutating func noteChange(_ head: ResponseHead, _ kept: KeptBytes) {
        guard head.validators.contradict(kept.validators) else { return }
        let seen = head.validators.etag ?? head.validators.lastModified ?? ""
        let before = kept.validators.etag ?? kept.validators.lastModified ?? ""
        findings.append(
            Finding(
                .downloadValidatorChanged,
                "The file changed on the server while it was fetched (\(before.printable(limit: 80)), now "
                    + "\(seen.printable(limit: 80))); it was fetched again from its first byte.",
                arguments: [.init("before", before), .init("now", seen)]))
    }

    private mutating func refused(
        _ head: ResponseHead, _ question: Question, _ now: Int64, _ chance: Double
    ) -> Effect {
        let failure = DownloadFailure.status(head.status, phrase: head.phrase)
        guard failure.isTriedAgain else { return fail(failure) }
        let asked = head.retryAfter.flatMap { RetryAfter.seconds($0, at: now) }.map(Double.init) ?? 0
        return tryAgain(question, after: failure, atLeast: asked, chance)
    }
}

// MARK: - Ends

extension FetchMachine {
    private mutating func ended(_ reception: Reception, _ bytes: Int64) -> Effect {
        if let total = reception.total, bytes != total {
            return failedAtEnd(.truncated(received: bytes, expected: total), reception)
        }
        return .commit(verifying: reception.digests)
    }

    private mutating func failedAtEnd(_ failure: DownloadFailure, _ reception: Reception) -> Effect {
        reception.start > 0 ? restart(failure) : fail(failure)
    }

    private mutating func failed(
        _ failure: DownloadFailure, _ kept: KeptBytes?, _ hasAdvanced: Bool, _ chance: Double
    ) -> Effect {
        if case .receiving(let reception) = state, failure.isSpoilt { return failedAtEnd(failure, reception) }
        if hasAdvanced { failures = 0 }
        guard failure.isTriedAgain else { return fail(failure) }
        return tryAgain(question(goingOnWith: kept), after: failure, atLeast: 0, chance)
    }

    private mutating func tryAgain(
        _ question: Question, after failure: DownloadFailure, atLeast asked: Double, _ chance: Double
    ) -> Effect {
        failures += 1
        guard failures <= wish.retries.attempts, asked <= wish.retries.longestPause, requests < Self.mostRequests else {
            return fail(failure)
        }
        state = .pausing(next: question)
        return .pause(seconds: max(asked, wish.retries.pause(after: failures, chance: chance)))
    }
}
