// The process's own clocks: what a second thread of a stage uses counts.

import Glibc

/// What some work cost.
public struct StageCost: Sendable, Equatable {
    /// User and system, of all threads.
    public var cpuSeconds: Double
    public var wallSeconds: Double
    /// Pages of memory that were touched for the first time.
    public var pageFaults: Int
    /// The most bytes the process had in memory meanwhile; `nil` where the system does not tell.
    public var peakBytes: Int64?

    public init(cpuSeconds: Double, wallSeconds: Double, pageFaults: Int, peakBytes: Int64?) {
        self.cpuSeconds = cpuSeconds
        self.wallSeconds = wallSeconds
        self.pageFaults = pageFaults
        self.peakBytes = peakBytes
    }

    /// Does the work and says what it cost.
    static func of(_ work: () throws -> Void) rethrows -> StageCost {
        PeakMemory.reset()
        let (cpu, wall, faults) = (seconds(CLOCK_PROCESS_CPUTIME_ID), seconds(CLOCK_MONOTONIC), faults())
        try work()
        return StageCost(
            cpuSeconds: seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu, wallSeconds: seconds(CLOCK_MONOTONIC) - wall,
            pageFaults: Self.faults() - faults, peakBytes: PeakMemory.bytes())
    }

    /// Field by field: one slow run changes nothing. Of an even number the mean of the middle two.
    ///
    /// - Returns: `nil` of nothing.
    public static func median(of costs: [StageCost]) -> StageCost? {
        guard let cpu = middle(costs.map(\.cpuSeconds)), let wall = middle(costs.map(\.wallSeconds)),
            let faults = middle(costs.map { Double($0.pageFaults) })
        else { return nil }
        let peaks = costs.compactMap(\.peakBytes)
        return StageCost(
            cpuSeconds: cpu, wallSeconds: wall, pageFaults: Int(faults.rounded()),
            peakBytes: middle(peaks.map(Double.init)).map { Int64($0) })
    }

    /// What this took beyond `part` of it: never less than nothing, though two measurements may say so.
    public func beyond(_ part: StageCost?) -> StageCost {
        guard let part else { return self }
        return StageCost(
            cpuSeconds: max(0, cpuSeconds - part.cpuSeconds), wallSeconds: max(0, wallSeconds - part.wallSeconds),
            pageFaults: max(0, pageFaults - part.pageFaults), peakBytes: peakBytes)
    }

    /// Field by field the greater of two; the peak of the later one.
    func most(with other: StageCost?) -> StageCost {
        guard let other else { return self }
        return StageCost(
            cpuSeconds: max(cpuSeconds, other.cpuSeconds), wallSeconds: max(wallSeconds, other.wallSeconds),
            pageFaults: max(pageFaults, other.pageFaults), peakBytes: peakBytes)
    }

    private static func middle(_ values: [Double]) -> Double? {
        guard !values.isEmpty else { return nil }
        let sorted = values.sorted()
        return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }

    private static func seconds(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private static func faults() -> Int {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return usage.ru_minflt
    }
}
