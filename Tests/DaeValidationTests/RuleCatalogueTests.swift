import DaeDiagnostics
import TestSupport
import Testing

/// The catalogue as a whole is proved, and what proves it says enough.
@Suite struct RuleCatalogueTests {
    private func golden(_ pair: RulePair) throws -> JSONNode {
        try JSONNode(parsing: Repository.fixture(pair.golden))
    }

    /// What no file causes but a process that ends, a rule that is not ours or a library that is not there: proved by the
    /// tests of the service and of the library.
    private static let elsewhere: Set<FindingCode> = [
        .customRule, .workerOutOfMemory, .workerProcessorTimeExceeded, .workerTimeExceeded, .workerCrashed,
        .workerKilled,
        .workerLost, .storageFull, .convertLibraryMissing,
    ]

    @Test func everyCodeHasAPairOrAScenario() {
        let proved = Set(RulePair.all.map(\.code)).union(RuleScenario.all.map(\.code)).union(Self.elsewhere)
        let missing = FindingCode.allCases.filter { !proved.contains($0) }.map(\.rawValue)
        #expect(missing.isEmpty, "no pair in Fixtures/rules and no scenario: \(missing)")
        #expect(proved.count >= 160)
    }

    @Test func nothingLiesAmongThePairsThatIsNone() {
        let codes = Set(FindingCode.allCases.map(\.rawValue))
        let strangers = Repository.fixtureNames(in: "rules").filter { name in
            let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
            guard parts.count == 2, codes.contains(parts[0]) else { return name != "textures" }
            let endings = RulePair.endings.flatMap { [$0, "near.\($0)"] } + ["report.json"]
            return !endings.contains(parts[1])
        }
        #expect(strangers.isEmpty)
    }

    private static let schema = Result {
        try JSONSchema(JSONNode(parsing: Repository.fixture("schema/inspect.schema.json")))
    }

    @Test(arguments: RulePair.all)
    func aGoldenReportFitsItsSchema(_ pair: RulePair) throws {
        let violations = try Self.schema.get().violations(in: golden(pair))
        #expect(violations.isEmpty)
    }

    /// Where it is, of which element, and by which message; a finding with a line names the element there.
    @Test(arguments: RulePair.all)
    func aGoldenReportSaysEnough(_ pair: RulePair) throws {
        let report = try golden(pair)
        for finding in report["findings"]?["messages"]?.elements ?? [] {
            let code = finding["code"]?.string ?? ""
            #expect(finding["message"]?.string?.isEmpty == false)
            guard finding["line"] != .null else { continue }
            #expect(finding["entry"]?.string?.isEmpty == false)
            #expect(finding["column"] != .null, "\(code)")
            // Before the root there is no element; where reading ended, none is looked for.
            if code != FindingCode.xmlDoctypeIgnored.rawValue, code != report["failure"]?["code"]?.string {
                #expect(finding["path"]?.string?.hasPrefix("/COLLADA") == true, "\(code)")
            }
        }
    }
}
