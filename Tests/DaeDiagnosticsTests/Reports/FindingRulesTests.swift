import Testing

@testable import DaeDiagnostics

@Suite struct FindingRulesTests {
    private let log = Sample.log([
        Sample.finding(.primitiveIndexOutOfBounds), Sample.finding(.primitiveIndexNegative),
        Sample.finding(.primitiveEmpty), Sample.finding(.primitiveEmpty, id: "h"),
    ])

    @Test func withoutRulesEverythingCounts() {
        let findings = ReportedFindings(log)
        #expect(findings.messages == log.findings)
        #expect(findings.totals == log.totals)
        #expect(findings.has(atLeast: .error) && findings.suppressed.isEmpty && findings.known == 0)
    }

    @Test func whatIsIgnoredOrNotAmongTheOnlyOnesDoesNotCount() {
        var rules = FindingRules()
        rules.ignored = [.primitiveIndexOutOfBounds]
        #expect(
            ReportedFindings(log, rules: rules).messages.map(\.code) == [
                .primitiveIndexNegative, .primitiveEmpty, .primitiveEmpty,
            ])
        rules.only = [.primitiveEmpty]
        #expect(ReportedFindings(log, rules: rules).totals == [.info: 2])
        rules.ignored.insert(.primitiveEmpty)
        #expect(ReportedFindings(log, rules: rules).isEmpty)
    }

    @Test func anOverrideChangesTheSeverityAndTheSums() {
        var rules = FindingRules()
        rules.overrides = [.primitiveIndexOutOfBounds: .hint, .primitiveEmpty: .error]
        let findings = ReportedFindings(log, rules: rules)
        #expect(findings.messages.map(\.severity) == [.hint, .warning, .error, .error])
        #expect(findings.totals == [.hint: 1, .warning: 1, .error: 2])
    }

    @Test func whatIsBeyondTheMostThatIsShownIsCounted() {
        var rules = FindingRules()
        rules.maxFindings = 1
        let findings = ReportedFindings(log, rules: rules)
        #expect(findings.messages.count == 1)
        #expect(findings.suppressed == [.primitiveIndexNegative: 1, .primitiveEmpty: 2])
        #expect(findings.totals == log.totals)
    }

    @Test func whatTheLogCountedOnlyIsOverriddenToo() {
        let full = Sample.log((0..<5).map { Sample.finding(.primitiveEmpty, id: "g\($0)") }, cap: 2)
        var rules = FindingRules()
        rules.overrides = [.primitiveEmpty: .warning]
        let findings = ReportedFindings(full, rules: rules)
        #expect(findings.totals == [.warning: 5])
        #expect(findings.suppressed == [.primitiveEmpty: 3])
    }

    @Test func laterRulesWinAndNamingACodeBringsItBack() {
        var first = FindingRules()
        first.ignored = [.cameraInvalid, .lightInvalid]
        first.overrides = [.imageNotFound: .warning, .primitiveEmpty: .hint]
        first.maxFindings = 3
        var later = FindingRules()
        later.overrides = [.cameraInvalid: .error, .imageNotFound: .info]
        let both = first.overlaid(by: later)
        #expect(both.ignored == [.lightInvalid])
        #expect(both.overrides == [.cameraInvalid: .error, .imageNotFound: .info, .primitiveEmpty: .hint])
        #expect(both.maxFindings == 3)
    }

    @Test func strictMakesAnErrorOfEveryWarningAndOfNothingElse() {
        let rules = ValidationProfile.strict.rules
        for code in FindingCode.allCases {
            #expect(rules.overrides[code] == (code.severity == .warning ? .error : nil))
        }
        #expect(ValidationProfile.standard.rules == FindingRules())
        #expect(ValidationProfile.gltf.rules.ignored.contains(.formulaUnsupported))
    }

    @Test func aCodeIsNamedWholeOrByItsBeginning() throws {
        #expect(try CodePattern.codes("PRIMITIVE_EMPTY") == [.primitiveEmpty])
        let lights = FindingCode.allCases.filter { $0.rawValue.hasPrefix("LIGHT_") }
        #expect(lights.contains(.lightInvalid))
        #expect(try CodePattern.codes("LIGHT_*") == lights)
        let error = #expect(throws: CodePattern.Unknown.self) { try CodePattern.codes("PRIMITIVE_EMTPY") }
        #expect(error?.nearest == .primitiveEmpty)
        #expect(throws: CodePattern.Unknown.self) { try CodePattern.codes("NOTHING_*") }
        #expect(throws: CodePattern.Unknown.self) { try CodePattern.codes("") }
        #expect(throws: CodePattern.Unknown.self) { try CodePattern.codes(String(repeating: "A", count: 100_000)) }
    }
}
