// Nodes that share a database tell each other once a second what their clients took of them and have open, in one row for each
// node. What a client gets beyond its limits is what all nodes let in until then, and its buckets make up for it after.

import DaeCore
import Daedalus
import Logging
import ServiceLifecycle
import Synchronization

/// What the clients of one node take of it, as it tells the others.
struct NodeUse: Codable, Sendable {
    /// What they took from one round to the next.
    struct Round: Codable, Sendable {
        let number: Int64
        let seconds: Double
        let taken: [String: Int32]
    }

    /// What one of them has open.
    struct Open: Codable, Sendable, Equatable {
        var requests: Int32 = 0
        var streams: Int32 = 0
    }

    /// The newest last; more than one, so that nobody misses any who asks a little later than once a second.
    var rounds: [Round] = []
    var open: [String: Open] = [:]
}

/// How often each client asks, and what it has open: here, and at other nodes as far as they told. A class because all
/// connections share it.
final class ClientLedger: Sendable {
    private struct State {
        var limiter: RateLimiter
        var own = NodeUse()
        /// When the last round ended.
        var ended = 0.0
        /// What clients have open at other nodes, and when those told.
        var elsewhere: [String: NodeUse.Open] = [:]
        var heard = -Double.infinity
        /// The last round that was heard of each node, and when. A node that stands still for a while, and is not heard of
        /// meanwhile, goes on with the rounds that it told before.
        var rounds: [String: (number: Int64, heard: Double)] = [:]
    }

    /// Clients of one node that others are told of; those who took less are far from any limit.
    private static let most = 1000
    /// Rounds that are told of.
    private static let rounds = 3
    /// Seconds for which it counts what a node told.
    static let memory = 5
    /// Seconds after which a node that is not heard of is gone.
    private static let patience = 3600.0

    /// Whether there are other nodes.
    let isShared: Bool
    private let now: @Sendable () -> Double
    private let state: Mutex<State>

    /// - Parameter now: Seconds of a clock that never goes back.
    init(rate: Int, burst: Int, isShared: Bool, now: @escaping @Sendable () -> Double) {
        (self.isShared, self.now) = (isShared, now)
        state = Mutex(State(limiter: RateLimiter(rate: rate, burst: burst, reports: isShared)))
    }

    convenience init(_ settings: ServiceSettings, _ dialect: SQLDialect) {
        let start = ContinuousClock.now
        self.init(rate: settings.rate, burst: settings.burst, isShared: dialect.hasNodes) {
            (ContinuousClock.now - start) / .seconds(1)
        }
    }

    /// Under which a client is counted. Other nodes are told a digest, so that no table has addresses in it.
    func key(_ client: Client, _ address: String?) -> String {
        let name = client.name(address: address)
        return isShared ? String(SHA256Digest(hashing: Array(name.utf8)).hex.prefix(32)) : name
    }

    /// Takes one request; `nil` where it may go on, else after how many seconds it may.
    func wait(_ key: String) -> Double? {
        let now = now()
        return state.withLock { $0.limiter.wait(key, now: now) }
    }

    // MARK: - What is open

    /// A place among those of one client, which is given back with the value.
    ///
    /// - Parameter limit: Places at most; 0 for any number.
    /// - Returns: `nil` where all are taken.
    func acquire(_ kind: Place.Kind, of key: String, limit: Int) -> Place? {
        let now = now()
        let isTaken = state.withLock { state in
            let elsewhere = now - state.heard < Double(Self.memory) ? state.elsewhere[key]?[keyPath: kind] ?? 0 : 0
            var open = state.own.open[key] ?? NodeUse.Open()
            guard limit == 0 || Int(open[keyPath: kind]) + Int(elsewhere) < limit else { return false }
            open[keyPath: kind] += 1
            state.own.open[key] = open
            return true
        }
        return isTaken ? Place(kind, key, self) : nil
    }

    private func release(_ kind: Place.Kind, _ key: String) {
        state.withLock { state in
            state.own.open[key]?[keyPath: kind] -= 1
            if state.own.open[key] == NodeUse.Open() { state.own.open[key] = nil }
        }
    }

    /// A class so that whoever drops it last, in whatever way an answer ends, gives it back.
    final class Place: Sendable {
        typealias Kind = any WritableKeyPath<NodeUse.Open, Int32> & Sendable

        private let kind: Kind
        private let key: String
        private let ledger: ClientLedger

        fileprivate init(_ kind: Kind, _ key: String, _ ledger: ClientLedger) {
            (self.kind, self.key, self.ledger) = (kind, key, ledger)
        }

        deinit { ledger.release(kind, key) }
    }

    // MARK: - Other nodes

    /// Ends a round; gives what others are told.
    func round() -> NodeUse {
        let now = now()
        return state.withLock { state in
            let round = NodeUse.Round(
                number: (state.own.rounds.last?.number ?? 0) + 1, seconds: now - state.ended,
                taken: state.limiter.report(most: Self.most))
            state.own.rounds = state.own.rounds.suffix(Self.rounds - 1) + [round]
            state.ended = now
            var told = state.own
            if told.open.count > Self.most {
                let most = told.open.sorted { $0.value.requests > $1.value.requests }.prefix(Self.most)
                told.open = Dictionary(uniqueKeysWithValues: most.map { ($0.key, $0.value) })
            }
            return told
        }
    }

    /// Counts what other nodes told, by their names.
    func learn(_ others: [String: NodeUse]) {
        let now = now()
        state.withLock { state in
            (state.elsewhere, state.heard) = ([:], now)
            for (node, use) in others {
                let new = use.rounds.filter { $0.number > state.rounds[node]?.number ?? 0 }
                // A round may have taken long where the database did.
                let seconds = min(max(new.reduce(0) { $0 + $1.seconds }, 1), 60)
                for (client, taken) in new.flatMap(\.taken) {
                    state.limiter.charge(client, taken, over: seconds, now: now)
                }
                for (client, open) in use.open {
                    let sum = state.elsewhere[client] ?? NodeUse.Open()
                    state.elsewhere[client] = NodeUse.Open(
                        requests: Int32(clamping: Int(sum.requests) + Int(open.requests)),
                        streams: Int32(clamping: Int(sum.streams) + Int(open.streams)))
                }
            }
            for (node, use) in others { state.rounds[node] = use.rounds.last.map { ($0.number, now) } }
            state.rounds = state.rounds.filter { now - $0.value.heard < Self.patience }
        }
    }
}

/// Tells other nodes what clients take here, and learns what they take there. Without the database each node goes on alone.
struct ClientExchange: Service {
    let tools: ServiceTools
    let node: String

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do { tools.clients.learn(try await exchange(tools.clients.round())) } catch is CancellationError {
                    return
                } catch {
                    tools.log.error("what clients take of other nodes: \(error)")
                }
                try? await Task.sleep(for: .seconds(1))
            }
        }
        await leave()
    }

    /// Has the others forget what clients have open here; not in the task that is cancelled.
    private func leave() async {
        let (database, node) = (tools.database, node)
        do {
            try await Task {
                _ = try await database.write { try $0.execute("DELETE FROM nodeUse WHERE node = $1", [node]) }
            }.value
        } catch { tools.log.error("what clients take of other nodes: \(error)") }
    }

    private func exchange(_ use: NodeUse) async throws -> [String: NodeUse] {
        let (node, use) = (node, try StateText.text(use))
        let rows = try await tools.database.write { session in
            try session.rows(
                """
                WITH clock AS (SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint) AS now),
                own AS (
                    INSERT INTO nodeUse (node, use, at) SELECT $1, $2, now FROM clock
                    ON CONFLICT (node) DO UPDATE SET use = excluded.use, at = excluded.at),
                gone AS (
                    DELETE FROM nodeUse WHERE node IN (
                        SELECT node FROM nodeUse, clock WHERE node <> $1 AND at < now - 60000
                        \(session.dialect.lockingFree("nodeUse"))))
                SELECT node, use FROM nodeUse, clock WHERE node <> $1 AND at > now - $3
                """, [node, use, ClientLedger.memory * 1000])
        }
        var others: [String: NodeUse] = [:]
        // A node of another version may tell what is not understood here.
        for row in rows { try others[row["node"]] = try? StateText.read(NodeUse.self, row["use"]) }
        return others
    }
}
