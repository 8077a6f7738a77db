import Testing

@testable import DaeService

@Suite struct RateLimiterTests {
    @Test func aBurstIsTakenAndThenASteadyRate() {
        var limiter = RateLimiter(rate: 2, burst: 3)
        for _ in 0..<3 { #expect(limiter.wait("a", now: 0) == nil) }
        #expect(limiter.wait("a", now: 0) == 0.5)
        #expect(limiter.wait("a", now: 0.25) == 0.25)
        #expect(limiter.wait("a", now: 0.5) == nil)
        #expect(limiter.wait("a", now: 0.5) == 0.5)
        // Never more than a burst, however long it was quiet.
        for _ in 0..<3 { #expect(limiter.wait("a", now: 100) == nil) }
        #expect(limiter.wait("a", now: 100) != nil)
    }

    @Test func clientsDoNotCountForEachOther() {
        var limiter = RateLimiter(rate: 1, burst: 1)
        #expect(limiter.wait("a", now: 0) == nil)
        #expect(limiter.wait("b", now: 0) == nil)
        #expect(limiter.wait("a", now: 0) == 1)
    }

    @Test func noRateIsNoLimit() {
        var limiter = RateLimiter(rate: 0, burst: 1)
        for _ in 0..<100 { #expect(limiter.wait("a", now: 0) == nil) }
        #expect(limiter.count == 0)
    }

    @Test func soManyClientsAreRememberedAndTheOthersShareOneBucket() {
        var limiter = RateLimiter(rate: 1, burst: 1, limit: 4)
        for client in 0..<4 { #expect(limiter.wait("\(client)", now: 0) == nil) }
        #expect(limiter.wait("more", now: 0.5) == nil)
        #expect(limiter.wait("still more", now: 0.5) != nil)
        #expect(limiter.count == 5)
        // Those that have been quiet are forgotten.
        #expect(limiter.wait("later", now: 10) == nil)
        #expect(limiter.wait("later yet", now: 10) == nil)
        #expect(limiter.count == 2)
    }

    @Test func whatIsTakenElsewhereCounts() {
        var limiter = RateLimiter(rate: 2, burst: 4)
        limiter.charge("a", 8, over: 1, now: 0)
        // Four of the burst and two of the rate flowed out against the eight.
        #expect(limiter.wait("a", now: 1) == 1.5)
        #expect(limiter.wait("a", now: 2.5) == nil)
        #expect(limiter.wait("a", now: 2.5) == 0.5)
        // Others are as they were.
        for _ in 0..<4 { #expect(limiter.wait("b", now: 1) == nil) }
        var free = RateLimiter(rate: 0, burst: 1)
        free.charge("a", .max, over: 1, now: 0)
        #expect(free.wait("a", now: 0) == nil)
    }

    /// Half the rate here and as much elsewhere, told of in a lump each second.
    @Test func whoKeepsToTheRateIsNotRefusedForWhatCameInALump() {
        var limiter = RateLimiter(rate: 16, burst: 2)
        for second in 0..<8 {
            limiter.charge("a", 8, over: 1, now: Double(second))
            for request in 0..<8 { #expect(limiter.wait("a", now: Double(second) + Double(request) / 8) == nil) }
        }
        #expect(limiter.wait("a", now: 8) == nil)
    }

    @Test func whoTookTheMostIsReported() {
        var limiter = RateLimiter(rate: 1, burst: 4, limit: 3, reports: true)
        for (client, count) in [("a", 2), ("b", 1), ("c", 3), ("more", 4)] {
            for _ in 0..<count { _ = limiter.wait(client, now: 0) }
        }
        #expect(limiter.report(most: 2) == ["a": 2, "c": 3])
        #expect(limiter.report(most: 2) == [:])
        // There is no bucket for another one: nobody pays for it.
        for client in ["a", "b", "c"] { _ = limiter.wait(client, now: 9) }
        let count = limiter.count
        limiter.charge("d", 100, over: 1, now: 9)
        #expect(limiter.count == count)
    }

    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1"), ("2001:db8:1:2:3:4:5:6", "20:1:d:b8:0:1:0:2"),
        ("2001:db8:1:2:ffff::1", "20:1:d:b8:0:1:0:2"), ("::ffff:192.0.2.1", "192.0.2.1"), ("", ""),
    ])
    func anAddressBelongsToAGroup(_ address: String, _ group: String) {
        #expect(ClientAddress.group(address) == group)
    }
}
