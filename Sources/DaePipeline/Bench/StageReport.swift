package import DaeCollada
import DaeCore
package import DaeDiagnostics

/// What the stages of reading one document cost: medians of some runs.
package struct StageReport: Sendable {
    /// The document's, in its bundle.
    package let path: String
    /// Of markup.
    package let bytes: Int64
    /// In the archive; the same as ``bytes`` where nothing is packed.
    package let packedBytes: Int64
    package let elements: Int
    /// In arrays and lists of indices.
    package let numbers: Int
    package let runs: Int
    package let retention: ColladaOptions.Retention
    /// Of each stage with all before it; nothing of a stage that there is not.
    package let cumulative: [BenchStage: StageCost]

    /// What one stage cost by itself, and with all before it.
    package struct Row: Sendable {
        package let stage: BenchStage
        package let own: StageCost
        package let upToHere: StageCost
    }

    package init(
        path: String, bytes: Int64, packedBytes: Int64, elements: Int, numbers: Int, runs: Int,
        retention: ColladaOptions.Retention, cumulative: [BenchStage: StageCost]
    ) {
        self.path = path
        self.bytes = bytes
        self.packedBytes = packedBytes
        self.elements = elements
        self.numbers = numbers
        self.runs = runs
        self.retention = retention
        self.cumulative = cumulative
    }

    /// The stages there were, in their order.
    package var rows: [Row] {
        var most: StageCost?
        return BenchStage.allCases.compactMap { stage in
            guard let cost = cumulative[stage] else { return nil }
            // Not beyond the last one alone: where that was measured too short, its share would be told twice.
            defer { most = cost.most(with: most) }
            return Row(stage: stage, own: cost.beyond(most), upToHere: cost)
        }
    }

    /// All of it: the last stage with all before it.
    package var total: StageCost? { rows.last?.upToHere }

    /// Millions of bytes of markup a second of CPU; `nil` where that is too short to tell.
    package func rate(_ cost: StageCost) -> Double? {
        cost.cpuSeconds >= 1e-6 ? Double(bytes) / 1e6 / cost.cpuSeconds : nil
    }
}

extension StageReport {
    /// As `bench.schema.json` has it, without `schemaVersion` and `source`.
    package var members: [String: JSONValue] {
        let rows = Dictionary(uniqueKeysWithValues: rows.map { ($0.stage, $0) })
        return [
            "entry": .string(path), "bytes": JSONValue(bytes), "packedBytes": JSONValue(packedBytes),
            "elements": JSONValue(elements), "numbers": JSONValue(numbers), "runs": JSONValue(runs),
            "keeps": .string(retention.word),
            "stages": .array(BenchStage.allCases.map { json($0, rows[$0]) }),
            "total": total.map { .object(json($0)) } ?? .null,
        ]
    }

    private func json(_ stage: BenchStage, _ row: Row?) -> JSONValue {
        var members = row.map { json($0.own) } ?? Self.nothing
        members["stage"] = .string(stage.rawValue)
        members["upToHere"] = row.map { .object(json($0.upToHere)) } ?? .null
        return .object(members)
    }

    private func json(_ cost: StageCost) -> [String: JSONValue] {
        [
            "cpuSeconds": .real(cost.cpuSeconds.toMicroseconds), "wallSeconds": .real(cost.wallSeconds.toMicroseconds),
            "megabytesPerSecond": JSONValue(rate(cost)?.toMicroseconds), "pageFaults": JSONValue(cost.pageFaults),
            "peakBytes": JSONValue(cost.peakBytes),
        ]
    }

    private static let nothing: [String: JSONValue] = [
        "cpuSeconds": .null, "wallSeconds": .null, "megabytesPerSecond": .null, "pageFaults": .null, "peakBytes": .null,
    ]
}

extension ColladaOptions.Retention {
    /// For people and programs.
    package var word: String {
        switch self {
        case .everything: "everything"
        case .figures: "figures"
        }
    }
}

extension Double {
    /// The clocks tell no more.
    fileprivate var toMicroseconds: Double { (self * 1e6).rounded() / 1e6 }
}

// The process's own clocks: what a second thread of a stage uses counts.

/// What some work cost.
package struct StageCost: Sendable, Equatable {
    /// User and system, of all threads.
    package var cpuSeconds: Double
    package var wallSeconds: Double
    /// Pages of memory that were touched for the first time.
    package var pageFaults: Int
    /// The most bytes the process had in memory meanwhile; `nil` where the system does not tell.
    package var peakBytes: Int64?

    package init(cpuSeconds: Double, wallSeconds: Double, pageFaults: Int, peakBytes: Int64?) {
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
    package static func median(of costs: [StageCost]) -> StageCost? {
        guard let cpu = middle(costs.map(\.cpuSeconds)), let wall = middle(costs.map(\.wallSeconds)),
            let faults = middle(costs.map { Double($0.pageFaults) })
        else { return nil }
        let peaks = costs.compactMap(\.peakBytes)
        return StageCost(
            cpuSeconds: cpu, wallSeconds: wall, pageFaults: Int(faults.rounded()),
            peakBytes: middle(peaks.map(Double.init)).map { Int64($0) })
    }

    /// What this took beyond `part` of it: never less than nothing, though two measurements may say so.
    package func beyond(_ part: StageCost?) -> StageCost {
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

// Linux keeps the peak for the life of a process, but lets it be set back to what is in memory now.

private enum PeakMemory {
    /// Forgets the peak so far, where the system allows it.
    static func reset() {
        try? OpenFile("/proc/self/clear_refs", .writing).write([UInt8(ascii: "5")])
    }

    /// `nil` where the system does not tell.
    static func bytes() -> Int64? {
        guard let text = try? OpenFile("/proc/self/status", .reading).bytes(limit: 1 << 16) else { return nil }
        for line in text.split(separator: UInt8(ascii: "\n")) where line.starts(with: "VmHWM:".utf8) {
            let digits = line.filter { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            return Int64(String(decoding: digits, as: UTF8.self)).map { $0 * 1024 }
        }
        return nil
    }
}
