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

    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1"), ("2001:db8:1:2:3:4:5:6", "20:1:d:b8:0:1:0:2"),
        ("2001:db8:1:2:ffff::1", "20:1:d:b8:0:1:0:2"), ("::ffff:192.0.2.1", "192.0.2.1"), ("", ""),
    ])
    func anAddressBelongsToAGroup(_ address: String, _ group: String) {
        #expect(ClientAddress.group(address) == group)
    }
}
