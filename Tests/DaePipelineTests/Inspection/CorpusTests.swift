// Real models that nobody here made. What other readers agree on is in the corpus's own manifest; where ours differs,
// `Fixtures/corpus/differences.tsv` says why, and any difference that is not in it fails.

import DaeDiagnostics
import DaePipeline
import TestSupport
import Testing

@Suite(
    .enabled(
        if: Repository.corpus != nil,
        "the corpus of real models is not here; put it beside the checkout or name its folder in DAE_CORPUS"))
struct CorpusTests {
    /// A column of the manifest, and our figure for it.
    private static let columns: [(name: String, figure: @Sendable (Inspection) -> Int)] = [
        ("geometries", { $0.counts.geometries }), ("triangles", { $0.counts.triangles }),
        ("face_corners", { $0.counts.faceCorners }), ("submeshes", { $0.counts.submeshes }),
        ("materials", { $0.counts.materials }), ("images", { $0.counts.images }),
        ("animations", { $0.counts.animations }), ("controllers", { $0.counts.controllers }),
        ("nodes", { $0.scene.nodes }),
    ]
    /// Of the rows with a figure in a column, how many must agree.
    private static let leastShare = 0.95

    @Test func everyFileGivesASceneOrACodedFailureAndTheFiguresAgree() throws {
        let corpus = try #require(Repository.corpus)
        let outcomes = try Self.outcomes(of: corpus)
        let rows = try Repository.table(corpus + "/MANIFEST.tsv")
        #expect(rows.count > 400 && outcomes.count >= rows.count)
        var tallies: [String: Tally] = [:]
        var differences: [Difference] = []
        for row in rows {
            let path = try #require(row["path"])
            let outcome = try #require(outcomes[path], "\(path) is in the manifest and was not read")
            if row["expect"] == "ok", case .failed(let failure) = outcome {
                Issue.record("\(path) has no scene: \(failure.code.rawValue): \(failure.message)")
            }
            for (name, figure) in Self.columns {
                guard let text = row[name], let expected = Int(text) else { continue }
                let ours =
                    switch outcome {
                    case .read(let inspection): String(figure(inspection))
                    case .failed(let failure): failure.code.rawValue
                    }
                tallies[name, default: Tally()].add(agrees: ours == String(expected))
                guard ours != String(expected) else { continue }
                differences.append(Difference(file: path, column: name, manifest: String(expected), ours: ours))
            }
        }
        report(outcomes, tallies, differences)
        for (name, _) in Self.columns {
            let tally = try #require(tallies[name])
            #expect(tally.share >= Self.leastShare, "\(name): \(tally.agreeing) of \(tally.rows) rows agree")
        }
        let known = try Self.knownDifferences()
        for difference in differences where !known.contains(difference) {
            Issue.record("new difference: \(difference)")
        }
        for difference in known where !differences.contains(difference) {
            Issue.record("no longer so, take it from the list: \(difference)")
        }
    }

    @Test func everyReportFitsTheSchema() throws {
        let schema = try JSONSchema(JSONNode(parsing: Repository.fixture("schema/inspect.schema.json")))
        for (path, outcome) in try Self.outcomes(of: try #require(Repository.corpus)) {
            let violations = schema.violations(in: try JSONNode(parsing: outcome.text))
            #expect(violations.isEmpty, "\(path): \(violations.prefix(5))")
        }
    }

    // MARK: - Reading

    private static func outcomes(of corpus: String) throws -> [String: Outcome] {
        let paths = try Repository.files(below: corpus).filter { path in
            ["dae", "zae", "kmz", "zip"].contains { path.lowercased().hasSuffix("." + $0) }
        }
        return Dictionary(
            uniqueKeysWithValues: paths.map { ($0, Outcome(path: "\(corpus)/\($0)", input: $0)) })
    }

    private static func knownDifferences() throws -> [Difference] {
        try Repository.table(Repository.fixtures + "/corpus/differences.tsv").map { row in
            #expect(row["reason"]?.isEmpty == false)
            return Difference(
                file: try #require(row["file"]), column: try #require(row["column"]),
                manifest: try #require(row["manifest"]), ours: try #require(row["ours"]))
        }
    }

    // MARK: - Telling

    private func report(_ outcomes: [String: Outcome], _ tallies: [String: Tally], _ differences: [Difference]) {
        var failures: [FindingCode: Int] = [:]
        for case .failed(let failure) in outcomes.values { failures[failure.code, default: 0] += 1 }
        print("\(outcomes.count) files of the corpus; failed: \(failures.values.reduce(0, +))")
        for (code, count) in failures.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            print("  \(code.rawValue) \(count)")
        }
        print("column        rows  agree  share")
        for (name, _) in Self.columns {
            guard let tally = tallies[name] else { continue }
            let share = (tally.share * 1000).rounded(.down) / 10
            print(pad(name, 12), pad(tally.rows, 5), pad(tally.agreeing, 6), pad("\(share) %", 7))
        }
        for difference in differences { print(difference) }
    }

    /// Numbers to the right, words to the left.
    private func pad(_ value: some CustomStringConvertible, _ width: Int) -> String {
        let text = value.description
        let space = String(repeating: " ", count: max(0, width - text.count))
        return text.first?.isLetter == true ? text + space : space + text
    }

    private struct Tally {
        private(set) var rows = 0
        private(set) var agreeing = 0
        var share: Double { rows == 0 ? 0 : Double(agreeing) / Double(rows) }

        mutating func add(agrees: Bool) {
            rows += 1
            agreeing += agrees ? 1 : 0
        }
    }

    private struct Difference: Hashable, CustomStringConvertible {
        let file: String
        let column: String
        let manifest: String
        let ours: String
        var description: String { "\(file): \(column) is \(manifest) in the manifest, \(ours) here" }
    }
}
