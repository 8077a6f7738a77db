import DaeCore

/// A report as JUnit's XML: a test suite a source, a test case a finding.
///
/// Findings at ``ReportedSource/failOn``, or worse, are failed cases; milder ones stand in the suite's output. A source
/// that could not be read is a case in error, one without fault a case that passed.
package struct JUnitReport: Sendable {
    private let tool: ReportTool
    private let sources: [ReportedSource]

    package init(_ sources: [ReportedSource], tool: ReportTool) {
        self.tool = tool
        self.sources = sources
    }

    package var text: String {
        let suites = sources.map(suite)
        var lines = [
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
            "<testsuites name=\"\(tool.name) \(tool.version)\" tests=\"\(suites.reduce(0) { $0 + $1.tests })\""
                + " failures=\"\(suites.reduce(0) { $0 + $1.failures })\" errors=\"\(suites.reduce(0) { $0 + $1.errors })\">",
        ]
        for suite in suites { lines += suite.lines }
        lines.append("</testsuites>")
        return lines.joined(separator: "\n") + "\n"
    }

    private struct Suite {
        var tests = 0
        var failures = 0
        var errors = 0
        var lines: [String] = []
    }

    private func suite(_ source: ReportedSource) -> Suite {
        var suite = Suite()
        var cases: [String] = []
        let name = Self.escaped(source.name)
        if let failure = source.failure {
            suite.errors += 1
            cases += Self.testCase(failure, source, element: "error")
        }
        var milder: [String] = []
        for finding in source.findings.messages {
            if finding.severity >= source.failOn {
                suite.failures += 1
                cases += Self.testCase(finding, source, element: "failure")
            } else {
                milder.append(Self.line(finding, source))
            }
        }
        if cases.isEmpty { cases.append("    <testcase classname=\"\(name)\" name=\"validate\"/>") }
        suite.tests = max(1, suite.errors + suite.failures)
        for (code, count) in source.findings.suppressed.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            milder.append("and \(count) more \(code.rawValue)")
        }
        suite.lines = [
            "  <testsuite name=\"\(name)\" tests=\"\(suite.tests)\" failures=\"\(suite.failures)\" errors=\"\(suite.errors)\">"
        ]
        suite.lines += cases
        if !milder.isEmpty {
            suite.lines.append("    <system-out>\(milder.map(Self.escaped).joined(separator: "\n"))</system-out>")
        }
        suite.lines.append("  </testsuite>")
        return suite
    }

    private static func testCase(_ finding: Finding, _ source: ReportedSource, element: String) -> [String] {
        var body = line(finding, source)
        if let path = finding.place.path { body += "\n\(path)" }
        if let fix = finding.fix { body += "\nfix: \(fix)" }
        let place = finding.place.description
        return [
            "    <testcase classname=\"\(escaped(source.name))\" name=\"\(escaped(finding.code.rawValue + (place.isEmpty ? "" : " \(place)")))\">",
            "      <\(element) type=\"\(finding.code.rawValue)\" message=\"\(escaped(finding.message))\">\(escaped(body))</\(element)>",
            "    </testcase>",
        ]
    }

    private static func line(_ finding: Finding, _ source: ReportedSource) -> String {
        "\(source.text(of: finding.place)): \(finding.severity.rawValue): \(finding.message) [\(finding.code.rawValue)]"
    }

    /// For text and attributes alike; what XML cannot hold becomes U+FFFD.
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            if let reference = scalar.markupReference {
                result += reference
                continue
            }
            switch scalar {
            case "\n": result += "&#10;"
            case "\t": result += "&#9;"
            case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
            case _ where scalar.isControl: result += "&#x" + String(scalar.value, radix: 16, uppercase: true) + ";"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
