import Testing

@testable import DaeDiagnostics

@Suite struct BaselineTests {
    private func report(_ findings: ReportedFindings, input: String) -> [UInt8] {
        let value: JSONValue = ["source": ["input": .string(input)], "findings": findings.json]
        return value.text(.compact) + [UInt8(ascii: "\n")]
    }

    @Test func onlyNewFindingsAreLeftThoughLinesMoved() throws {
        let old = ReportedFindings(
            Sample.log([Sample.finding(.primitiveEmpty, line: 7), Sample.finding(.idDuplicate)]))
        let baseline = try Baseline(parsing: report(old, input: "a.dae"), file: "old.json")
        let log = Sample.log([
            Sample.finding(.primitiveEmpty, line: 90), Sample.finding(.primitiveEmpty, line: 91),
            Sample.finding(.primitiveEmpty, line: 7, id: "other"), Sample.finding(.idDuplicate, index: "5"),
        ])
        let new = ReportedFindings(log, baseline: baseline.source("elsewhere/a.dae"))
        #expect(new.known == 1)
        #expect(new.messages.map(\.place.line) == [91, 7, 7])
        #expect(new.totals == [.info: 2, .error: 1])
    }

    @Test func whatWasOnlyCountedIsComparedByNumber() throws {
        func log(_ count: Int) -> FindingLog {
            Sample.log((0..<count).map { Sample.finding(.primitiveEmpty, id: "g\($0)") }, cap: 2)
        }
        let old = report(ReportedFindings(log(5)), input: "a.dae")
        let source = try Baseline(parsing: old, file: "old.json").source("a.dae")
        #expect(ReportedFindings(log(5), baseline: source).isEmpty)
        let more = ReportedFindings(log(9), baseline: source)
        #expect(more.totals == [.info: 4] && more.suppressed == [.primitiveEmpty: 4])
    }

    @Test func ofSeveralSourcesTheOneOfTheSameNameCounts() throws {
        let findings = ReportedFindings(Sample.log([Sample.finding(.primitiveEmpty)]))
        let none = ReportedFindings(FindingLog())
        let baseline = try Baseline(
            parsing: report(findings, input: "a.dae") + report(none, input: "b.dae"), file: "old.json")
        let log = Sample.log([Sample.finding(.primitiveEmpty)])
        #expect(ReportedFindings(log, baseline: baseline.source("a.dae")).isEmpty)
        #expect(!ReportedFindings(log, baseline: baseline.source("b.dae")).isEmpty)
        #expect(baseline.source("c.dae") == nil)
    }

    @Test(arguments: [
        ("", 1, "empty"), ("{}\n", 1, "findings is missing"), ("\n{\"findings\": {}}", 2, "messages is missing"),
        ("{\"findings\": {\"messages\": [\n{}]}}", 2, "without its code"), ("{\"findings\":", 1, "no valid JSON"),
        ("7", 1, "findings is missing"),
    ])
    func whatIsNoReportIsRefusedWithItsLine(_ text: String, line: Int, message: String) {
        let error = #expect(throws: ControlError.self) { try Baseline(parsing: Array(text.utf8), file: "old.json") }
        #expect(error?.line == line)
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    }
}
