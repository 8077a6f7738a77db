// `DAE_UPDATE_GOLDEN=1` writes the golden reports anew; look at the difference before committing it.

import DaeDiagnostics
import TestSupport
import Testing

/// Every rule finds its fault, and nothing that is nearly one.
@Suite struct RulePairTests {
    private static let isUpdating = Repository.environment("DAE_UPDATE_GOLDEN") == "1"

    @Test(arguments: RulePair.all)
    func aFaultIsFound(_ pair: RulePair) {
        let codes = RulePair.outcome(of: pair.fault).codes
        #expect(codes.contains(pair.code), "\(pair.fault) has \(codes.map(\.rawValue).sorted())")
    }

    @Test(arguments: RulePair.all)
    func whatIsNearlyAFaultIsNone(_ pair: RulePair) throws {
        let near = try #require(pair.near, "there is no \(pair.code.rawValue).near.dae")
        #expect(!RulePair.outcome(of: near).codes.contains(pair.code))
    }

    @Test(arguments: RulePair.all)
    func aReportIsAsItsGoldenFileSays(_ pair: RulePair) throws {
        let text = RulePair.outcome(of: pair.fault).json.text(.indented) + [UInt8(ascii: "\n")]
        if Self.isUpdating { try Repository.write(text, fixture: pair.golden) }
        let isSame = try text == Repository.fixture(pair.golden)
        #expect(isSame, "\(pair.golden) is not what is found")
    }

    @Test(arguments: RuleScenario.all)
    func aFaultThatIsActedOutIsFound(_ scenario: RuleScenario) async throws {
        let codes = try await scenario.fault()
        #expect(codes.contains(scenario.code), "it has \(codes.map(\.rawValue).sorted())")
    }

    @Test(arguments: RuleScenario.all)
    func whatIsActedOutAndNearlyAFaultIsNone(_ scenario: RuleScenario) async throws {
        let codes = try await scenario.near()
        #expect(!codes.contains(scenario.code))
    }
}
