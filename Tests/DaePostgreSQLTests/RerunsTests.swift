import Testing

@testable import DaePostgreSQL

@Suite struct RerunsTests {
    /// How often it is run again while each run ends in this way and takes a tenth of a second.
    private func count(_ error: PostgreSQLError, within limit: Duration = .seconds(10)) -> Int {
        var (reruns, now, count) = (Reruns(reconnectTimeout: limit), ContinuousClock.now, 0)
        while count < 1_000, let pause = reruns.pause(after: error, now: now) {
            #expect(pause <= .seconds(1))
            now += pause + .milliseconds(100)
            count += 1
        }
        return count
    }

    @Test func eachKindIsRunAgainSoOften() {
        #expect(count(.statement(sqlstate: "40001", message: "")) == 12)
        #expect(count(.statement(sqlstate: "40P01", message: "")) == 12)
        #expect(count(.statement(sqlstate: "23505", message: "")) == 3)
        #expect(count(.connectionLost("")) == 3)
        #expect((9...25).contains(count(.unreachable(""))))
        for error: PostgreSQLError in [
            .statement(sqlstate: "42601", message: ""), .badAddress(""), .noLibrary(""), .loginRefused(""),
            .noDatabase(""),
            .tls(""), .noFreeConnection(""), .timedOut(""), .outcomeUnknown(""), .unsuitable(""),
        ] {
            #expect(count(error) == 0)
        }
    }

    @Test func withoutTimeAConnectionIsTriedOnce() {
        #expect(count(.unreachable(""), within: .zero) == 0)
        #expect(count(.connectionLost(""), within: .zero) == 0)
    }

    @Test func whatTookLongBeforeTheFirstFailureDoesNotCount() {
        var reruns = Reruns(reconnectTimeout: .seconds(1))
        let later = ContinuousClock.now + .seconds(60)
        #expect(reruns.pause(after: .connectionLost(""), now: later) == .zero)
        #expect(reruns.pause(after: .unreachable(""), now: later) != nil)
    }
}
