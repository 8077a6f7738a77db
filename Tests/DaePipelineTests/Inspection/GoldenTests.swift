// `DAE_UPDATE_GOLDEN=1` writes the golden files anew; look at the difference before committing it.

import TestSupport
import Testing

/// Every fixture says in its golden file what is read from it, to the byte.
@Suite struct GoldenTests {
    private static let isUpdating = Repository.environment("DAE_UPDATE_GOLDEN") == "1"

    @Test(arguments: GoldenCase.all)
    func aFixtureReadsAsItsGoldenFileSays(_ fixture: GoldenCase) throws {
        let text = fixture.outcome().text
        if Self.isUpdating { try Repository.write(text, fixture: fixture.golden) }
        let golden = try Repository.fixture(fixture.golden)
        guard text != golden else { return }
        Issue.record("\(fixture.golden) is not what is read:\n\(difference(from: golden, to: text))")
    }

    @Test(arguments: GoldenCase.all)
    func aGoldenFileFitsTheSchema(_ fixture: GoldenCase) throws {
        let schema = try JSONSchema(JSONNode(parsing: Repository.fixture("schema/inspect.schema.json")))
        #expect(schema.violations(in: try JSONNode(parsing: Repository.fixture(fixture.golden))) == [])
    }

    @Test(arguments: GoldenCase.all)
    func chunksOfAnySizeReadTheSame(_ fixture: GoldenCase) throws {
        let whole = fixture.outcome(chunkSize: 1 << 24).text
        for chunkSize in [1, 7, 64, 4096] {
            let text = fixture.outcome(chunkSize: chunkSize).text
            guard text != whole else { continue }
            Issue.record("chunks of \(chunkSize) read otherwise than the whole:\n\(difference(from: whole, to: text))")
        }
    }

    @Test func documentsFailWhereTheirNameSaysSoAndNowhereElse() {
        let failing = GoldenCase.all.filter { fixture in
            switch fixture.outcome() {
            case .read: false
            case .failed: true
            }
        }
        #expect(failing.map(\.path) == GoldenCase.all.map(\.path).filter { $0.contains("/fails-") })
    }

    @Test(.enabled(if: !isUpdating)) func everyGoldenFileBelongsToAFixture() {
        let golden = GoldenCase.folders.flatMap { folder in
            Repository.fixtureNames(in: folder).filter { $0.hasSuffix(GoldenCase.ending) }.map { "\(folder)/\($0)" }
        }
        #expect(Set(golden) == Set(GoldenCase.all.map(\.golden)))
    }

    /// Lines that are only in one of two texts, each with its number.
    private func difference(from old: [UInt8], to new: [UInt8]) -> String {
        let lines = [old, new].map {
            String(decoding: $0, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).map(
                String.init)
        }
        let changes = lines[1].difference(from: lines[0]).map { change in
            switch change {
            case .remove(let line, let text, _): (line: line, text: "-\(line + 1): \(text)")
            case .insert(let line, let text, _): (line: line, text: "+\(line + 1): \(text)")
            }
        }
        return changes.sorted { $0.line < $1.line }.prefix(60).map(\.text).joined(separator: "\n")
    }
}
