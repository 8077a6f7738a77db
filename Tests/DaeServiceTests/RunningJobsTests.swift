import Testing

@testable import DaeService

@Suite struct RunningJobsTests {
    /// The process stood still, lost its claim, and got it anew before the first run was at its end.
    @Test func theEndOfAnOlderRunForgetsNotTheNewest() {
        var jobs = RunningJobs()
        let first = jobs.begin(1, isLarge: true)
        let second = jobs.begin(1, isLarge: true)
        #expect(first.isUnwanted && !second.isUnwanted)
        jobs.end(1, first)
        #expect(jobs.handles[1] === second)
        #expect(jobs.count == 1 && jobs.largeCount == 1)
        jobs.end(1, second)
        #expect(jobs.isEmpty)
    }
}
