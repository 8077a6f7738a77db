import DaeDiagnostics
import DaePipeline
import TestSupport
import Testing

/// A finding is known again when lines above it have moved.
@Suite struct FingerprintTests {
    private static let documents = RulePair.all.filter { $0.fault.hasSuffix(".dae") && $0.code.stage != .archive }
    private static let above = ["", "<!-- one more line -->", ""]

    @Test(arguments: documents)
    func aFingerprintStaysWhereLinesAreInsertedAbove(_ pair: RulePair) throws {
        let folder = try TemporaryFolder()
        for name in Repository.fixtureNames(in: "rules/textures") {
            try folder.write(Repository.fixture("rules/textures/" + name), to: "textures/" + name)
        }
        var bytes = try Repository.fixture("rules/" + pair.fault)
        let first = try #require(bytes.firstIndex(of: UInt8(ascii: "\n")))
        bytes.insert(contentsOf: Array((Self.above.joined(separator: "\n") + "\n").utf8), at: first + 1)
        let path = try folder.write(bytes, to: pair.fault)

        let before = RulePair.outcome(of: pair.fault)
        let after = Outcome(path: path, input: pair.fault)
        let prints = try fingerprints(before, pair)
        #expect(!prints.isEmpty)
        #expect(try fingerprints(after, pair) == prints)
        let lines = before.places.map { $0.line.map { $0 > 1 ? $0 + Self.above.count : $0 } }
        #expect(after.places.map(\.line) == lines)
    }

    private func fingerprints(_ outcome: Outcome, _ pair: RulePair) throws -> [String?] {
        let source = ReportedSource(
            name: pair.fault, container: .document, scene: pair.fault, log: outcome.log, failure: outcome.failure)
        let report = SarifReport([source], tool: ReportTool(version: "1")).json
        let run = try JSONNode(parsing: report.text(.compact))["runs"]?.elements.first
        return run?["results"]?.elements.map { $0["partialFingerprints"]?["primaryLocationLineHash"]?.string } ?? []
    }
}

extension Outcome {
    fileprivate var log: FindingLog {
        switch self {
        case .read(let inspection): inspection.findings
        case .failed(let failure): failure.findings
        }
    }

    fileprivate var failure: Finding? {
        switch self {
        case .read: nil
        case .failed(let failure): Finding(failure.code, at: failure.place, failure.message)
        }
    }

    fileprivate var places: [Place] { log.findings.map(\.place) + (failure.map { [$0.place] } ?? []) }
}
