// What a token has is counted by the database's own triggers, and held against its quota in the transaction that adds to it.
// What is only on its way is in the memory of the process that it comes to, and so are the requests of the last seconds.

import DaeCore
import Daedalus
import Hummingbird
import Synchronization

/// What a token may have here and how much it may ask; `nil` for any number.
struct TokenQuota: Sendable, Equatable {
    /// Assets that it added and that are still here.
    var assets: Int64?
    /// Bytes of their files; equal files count for each asset.
    var bytes: Int64?
    /// Requests of a day, by UTC.
    var requests: Int64?
}

/// What a token has and did, uploads that it began among it.
struct TokenUsage: Sendable {
    var quota = TokenQuota()
    var assets: Int64 = 0
    var bytes: Int64 = 0
    /// Of the day that was asked for.
    var requests: Int64 = 0

    /// Refuses what would be more than the quota allows.
    func check(adding bytes: Int64, coming: (assets: Int64, bytes: Int64) = (0, 0)) throws(QuotaFault) {
        if let allowed = quota.assets, assets + coming.assets >= allowed {
            throw QuotaFault(kind: .assets, used: assets + coming.assets, allowed: allowed)
        }
        if let allowed = quota.bytes, self.bytes + coming.bytes > allowed - bytes {
            throw QuotaFault(kind: .bytes, used: self.bytes + coming.bytes, allowed: allowed)
        }
    }
}

/// A request for more than a token's quota allows.
struct QuotaFault: Error, Equatable {
    enum Kind: String {
        case assets, bytes, requests
    }

    let kind: Kind
    let used: Int64
    let allowed: Int64
    /// Seconds until there is something left again; `nil` where that takes a removal.
    var retryAfter: Int?
}

extension Problem {
    init(_ fault: QuotaFault) {
        let status: HTTPResponse.Status =
            switch fault.kind {
            case .assets, .bytes: .forbidden
            case .requests: .tooManyRequests
            }
        self.init(
            status, nil, "The token has used \(fault.used) of the \(fault.allowed) \(fault.kind.rawValue) that it may.",
            retryAfter: fault.retryAfter)
        members = [
            "quota": .string(fault.kind.rawValue), "used": .integer(fault.used), "allowed": .integer(fault.allowed),
        ]
    }
}

/// A day by UTC.
enum UTCDay {
    static let milliseconds: Int64 = 86_400_000

    /// Since 1970.
    static func number(_ now: Int64) -> Int64 { now / milliseconds }
}

extension AccessStore {
    /// Bytes of a file that a token may still add, at least 1.
    func bytesLeft(to owner: String?) async throws -> Int64 {
        guard let owner, !owner.isEmpty else { return .max }
        let usage = try await usage(of: owner, on: 0)
        return usage.quota.bytes.map { max(1, $0 - usage.bytes) } ?? .max
    }
}

/// Requests of this day and uploads on their way, by their token. A class because all connections share it.
final class QuotaLedger: Sendable {
    private struct Day {
        var number: Int64
        /// As of the last look at what is kept, which other processes add to.
        var kept: Int64
        var allowed: Int64?
        var looked: ContinuousClock.Instant
        /// Counted since the last time that they were kept.
        var new: Int64 = 0
    }

    private struct State {
        var days: [String: Day] = [:]
        var coming: [String: (assets: Int64, bytes: Int64)] = [:]
    }

    private let state = Mutex(State())
    private let now: @Sendable () -> Int64

    init(now: @escaping @Sendable () -> Int64 = AssetOperations.Instant.systemTime) { self.now = now }

    // MARK: - Requests

    /// Counts a request.
    ///
    /// - Throws: ``QuotaFault`` where its token has had all of this day.
    func chargeRequest(_ client: Client, _ access: AccessStore) async throws {
        guard case .token(let id, _, _) = client else { return }
        let now = now()
        let number = UTCDay.number(now)
        let isKnown = state.withLock { state in
            state.days[id].map { $0.number == number && ContinuousClock.now - $0.looked < .seconds(1) } ?? false
        }
        if !isKnown {
            let usage = try await access.usage(of: id, on: number)
            state.withLock { state in
                let new = state.days[id].map { $0.number == number ? $0.new : 0 } ?? 0
                state.days[id] = Day(
                    number: number, kept: usage.requests, allowed: usage.quota.requests, looked: .now, new: new)
            }
        }
        let fault: QuotaFault? = state.withLock { state in
            guard let day = state.days[id] else { return nil }
            if let allowed = day.allowed, day.kept + day.new >= allowed {
                let left = UTCDay.milliseconds - now % UTCDay.milliseconds
                return QuotaFault(
                    kind: .requests, used: day.kept + day.new, allowed: allowed, retryAfter: Int(left / 1000) + 1)
            }
            state.days[id]?.new += 1
            return nil
        }
        if let fault { throw fault }
    }

    /// Requests of a token that are not kept yet.
    func newRequests(of id: String) -> Int64 {
        let number = UTCDay.number(now())
        return state.withLock { $0.days[id].map { $0.number == number ? $0.new : 0 } ?? 0 }
    }

    /// Keeps what was counted; what was not kept when the process is killed is forgotten.
    func flush(_ access: AccessStore) async throws {
        let counted = state.withLock { $0.days.filter { $0.value.new > 0 } }
        for (id, day) in counted {
            try await access.add(requests: day.new, of: id, on: day.number)
            state.withLock { state in
                guard state.days[id]?.number == day.number else { return }
                state.days[id]?.new -= day.new
                state.days[id]?.kept += day.new
            }
        }
        let today = UTCDay.number(now())
        state.withLock { state in state.days = state.days.filter { $0.value.number == today } }
    }

    // MARK: - Uploads

    /// A place for an upload's bytes beside all that its token has and sends, before they come.
    ///
    /// - Throws: ``QuotaFault`` where there is none.
    func reserve(_ client: Client, bytes: Int64, _ access: AccessStore) async throws -> Place? {
        guard case .token(let id, _, _) = client else { return nil }
        let usage = try await access.usage(of: id, on: 0)
        guard usage.quota.assets != nil || usage.quota.bytes != nil else { return nil }
        try state.withLock { state throws(QuotaFault) in
            let coming = state.coming[id] ?? (0, 0)
            try usage.check(adding: max(1, bytes), coming: coming)
            state.coming[id] = (coming.assets + 1, coming.bytes + bytes)
        }
        return Place(owner: id, bytes: bytes, ledger: self)
    }

    private func release(_ owner: String, _ bytes: Int64) {
        state.withLock { state in
            guard let coming = state.coming[owner] else { return }
            state.coming[owner] = coming.assets > 1 ? (coming.assets - 1, coming.bytes - bytes) : nil
        }
    }

    /// A class so that it is given back in whatever way an upload ends.
    final class Place: Sendable {
        private let owner: String
        private let bytes: Int64
        private let ledger: QuotaLedger
        private let isHeld = Atomic(true)

        fileprivate init(owner: String, bytes: Int64, ledger: QuotaLedger) {
            (self.owner, self.bytes, self.ledger) = (owner, bytes, ledger)
        }

        deinit { end() }

        /// From here on the database decides.
        func end() {
            if isHeld.exchange(false, ordering: .relaxed) { ledger.release(owner, bytes) }
        }
    }
}

/// What a client has here and may have.
struct UsageRoutes: Sendable {
    let tools: ServiceTools

    func add(to group: RouterGroup<ServiceContext>) {
        group.get("usage") { _, context in
            let (client, now) = (context.client, AssetOperations.Instant.systemTime())
            let usage = try await tools.access.usage(of: client.owner, on: UTCDay.number(now))
            let requests: JSONValue =
                switch client {
                case .token(let id, _, _): .integer(usage.requests + tools.quotas.newRequests(of: id))
                case .anyone, .stranger: .null
                }
            let name: JSONValue =
                switch client {
                case .token(_, let name, _): .string(name)
                case .anyone, .stranger: .null
                }
            return Response.json([
                "token": name,
                "assets": ["used": .integer(usage.assets), "allowed": JSONValue(usage.quota.assets)],
                "bytes": ["used": .integer(usage.bytes), "allowed": JSONValue(usage.quota.bytes)],
                "requests": [
                    "used": requests, "allowed": JSONValue(usage.quota.requests),
                    "resets": .integer((UTCDay.number(now) + 1) * UTCDay.milliseconds),
                ],
            ])
        }
    }
}
