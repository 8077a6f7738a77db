import Synchronization
import Testing

@testable import DaeService

/// What clients take of several nodes, each of which knows what the others told.
@Suite struct ClientLedgerTests {
    /// The seconds that have gone by. A class because all nodes go by it.
    private final class Clock: Sendable {
        private let seconds = Mutex(0.0)

        var now: Double { seconds.withLock { $0 } }
        func go(_ more: Double) { seconds.withLock { $0 += more } }
    }

    private let clock = Clock()
    private let nodes: [ClientLedger]

    init() {
        nodes = (0..<3).map { [clock] _ in ClientLedger(rate: 4, burst: 8, isShared: true) { clock.now } }
    }

    /// All nodes tell and learn.
    private func exchange(_ nodes: [ClientLedger]) {
        var told: [String: NodeUse] = [:]
        for (name, node) in nodes.enumerated() { told["\(name)"] = node.round() }
        for (name, node) in nodes.enumerated() {
            node.learn(told.filter { $0.key != "\(name)" })
        }
    }

    @Test func oneClientGetsTheRateOfOneNode() {
        var answered = 0
        for _ in 0..<120 {
            for _ in 0..<4 {
                for node in nodes { for _ in 0..<4 where node.wait("a") == nil { answered += 1 } }
                clock.go(0.25)
            }
            exchange(nodes)
        }
        // What all three let in before they heard of each other is made up for.
        let (rate, burst) = (4 * 120, 8)
        #expect(answered >= rate - burst && answered <= rate + 5 * burst, "\(answered)")
        for node in nodes { #expect(node.wait("b") == nil) }
    }

    @Test func whoKeepsToTheRateIsNeverRefused() {
        for second in 0..<60 {
            for node in nodes { #expect(node.wait("a") == nil, "\(second)") }
            clock.go(1)
            exchange(nodes)
        }
    }

    @Test func openOnesCountAtAllNodes() {
        let (one, two) = (nodes[0], nodes[1])
        var places = (0..<3).map { _ in one.acquire(\.streams, of: "a", limit: 4) }
        exchange(nodes)
        let first = two.acquire(\.streams, of: "a", limit: 4)
        #expect(first != nil)
        #expect(two.acquire(\.streams, of: "a", limit: 4) == nil)
        #expect(two.acquire(\.requests, of: "a", limit: 4) != nil)
        #expect(two.acquire(\.streams, of: "b", limit: 4) != nil)
        places.removeLast()
        exchange(nodes)
        #expect(two.acquire(\.streams, of: "a", limit: 4) != nil)
        // The other node is gone, or the database.
        clock.go(Double(ClientLedger.memory))
        #expect(two.acquire(\.streams, of: "a", limit: 4) != nil)
    }

    @Test func noRoundIsChargedTwiceOrMissed() {
        let (one, two) = (nodes[0], nodes[1])
        for _ in 0..<8 { #expect(one.wait("a") == nil) }
        _ = one.round()
        clock.go(0.5)
        // Only the second is heard of.
        let told = one.round()
        for _ in 0..<4 { two.learn(["one": told]) }
        clock.go(1)
        // Of the burst nothing is left, of the rate what came within a second.
        #expect((0..<8).count { _ in two.wait("a") == nil } == 4)
    }

    @Test func whoWasNotHeardOfForAWhileIsNotChargedTwice() {
        let (one, two) = (nodes[0], nodes[1])
        for _ in 0..<8 { #expect(one.wait("a") == nil) }
        let told = one.round()
        two.learn(["one": told])
        // It stands still, and others do not hear of it meanwhile.
        for _ in 0..<10 {
            clock.go(1)
            two.learn([:])
        }
        two.learn(["one": told])
        #expect((0..<8).count { _ in two.wait("a") == nil } == 8)
    }

    @Test func whatWasTakenIsToldOfForThreeRounds() {
        #expect(nodes[0].wait("a") == nil)
        for number in 1...5 {
            clock.go(1)
            let rounds = nodes[0].round().rounds
            #expect(rounds.last?.number == Int64(number) && rounds.last?.seconds == 1)
            #expect(rounds.map(\.taken).contains(["a": 1]) == (number <= 3))
        }
    }

    @Test func othersAreToldNoAddress() {
        let key = nodes[0].key(.stranger, "192.0.2.1")
        #expect(key.utf8.count == 32 && !key.contains("192"))
        #expect(key == nodes[1].key(.anyone, "192.0.2.1"))
        let alone = ClientLedger(rate: 1, burst: 1, isShared: false) { 0 }
        #expect(alone.key(.stranger, "192.0.2.1") == "192.0.2.1")
    }
}
