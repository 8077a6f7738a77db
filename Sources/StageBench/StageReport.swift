public import ColladaParser
public import Diagnostics

/// What the stages of reading one document cost: medians of some runs.
public struct StageReport: Sendable {
    /// The document's, in its bundle.
    public let path: String
    /// Of markup.
    public let bytes: Int64
    /// In the archive; the same as ``bytes`` where nothing is packed.
    public let packedBytes: Int64
    public let elements: Int
    /// In arrays and lists of indices.
    public let numbers: Int
    public let runs: Int
    public let retention: ColladaOptions.Retention
    /// Of each stage with all before it; nothing of a stage that there is not.
    public let cumulative: [BenchStage: StageCost]

    /// What one stage cost by itself, and with all before it.
    public struct Row: Sendable {
        public let stage: BenchStage
        public let own: StageCost
        public let upToHere: StageCost
    }

    public init(
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
    public var rows: [Row] {
        var most: StageCost?
        return BenchStage.allCases.compactMap { stage in
            guard let cost = cumulative[stage] else { return nil }
            // Not beyond the last one alone: where that was measured too short, its share would be told twice.
            defer { most = cost.most(with: most) }
            return Row(stage: stage, own: cost.beyond(most), upToHere: cost)
        }
    }

    /// All of it: the last stage with all before it.
    public var total: StageCost? { rows.last?.upToHere }

    /// Millions of bytes of markup a second of CPU; `nil` where that is too short to tell.
    public func rate(_ cost: StageCost) -> Double? {
        cost.cpuSeconds >= 1e-6 ? Double(bytes) / 1e6 / cost.cpuSeconds : nil
    }
}

extension StageReport {
    /// As `bench.schema.json` has it, without `schemaVersion` and `source`.
    public var members: [String: JSONValue] {
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
    public var word: String {
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
