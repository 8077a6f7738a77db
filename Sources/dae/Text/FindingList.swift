import Daedalus

/// Findings as lines that editors understand: `entry:line:column: severity: message [CODE]`.
struct FindingList {
    let findings: FindingLog
    let style: Style

    var lines: [String] {
        var lines: [String] = []
        for finding in findings.findings {
            let place = finding.place.description.withoutControls
            let severity =
                switch finding.severity {
                case .error: style(.red, "error")
                case .warning: style(.yellow, "warning")
                case .info: "info"
                case .hint: "hint"
                }
            lines.append(
                (place.isEmpty ? "" : place + ": ") + "\(severity): \(finding.message.withoutControls) "
                    + style(.dim, "[\(finding.code.rawValue)]"))
            if let fix = finding.fix { lines.append("    fix: \(fix.withoutControls)") }
        }
        for code in FindingCode.allCases where findings.suppressed(code) > 0 {
            lines.append("and \(Figures.count(findings.suppressed(code))) more \(code.rawValue)")
        }
        return lines
    }
}
