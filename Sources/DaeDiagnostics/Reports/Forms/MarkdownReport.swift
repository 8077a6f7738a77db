/// A report as Markdown, for a pull request: a table of the sources, then one of each source's findings.
public struct MarkdownReport: Sendable {
    private let sources: [ReportedSource]

    public init(_ sources: [ReportedSource]) {
        self.sources = sources
    }

    public var text: String {
        var lines = [
            "## Validation", "", "| Source | Errors | Warnings | Infos | Hints |", "|---|---:|---:|---:|---:|",
        ]
        for source in sources {
            let counts = Severity.allCases.map { String(source.total($0)) }.joined(separator: " | ")
            let failed = source.failure == nil ? "" : " (could not be read)"
            lines.append("| \(Self.escaped(source.name))\(failed) | \(counts) |")
        }
        for source in sources where !source.reported.isEmpty || source.findings.known > 0 {
            lines += ["", "### \(Self.escaped(source.name))", ""]
            if let failure = source.failure {
                lines += ["**Could not be read:** \(Self.escaped(failure.message)) (`\(failure.code.rawValue)`)"]
                if !source.findings.messages.isEmpty { lines.append("") }
            }
            lines += Self.table(of: source)
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func table(of source: ReportedSource) -> [String] {
        var lines: [String] = []
        if !source.findings.messages.isEmpty {
            lines += ["| Severity | Place | Finding | Code |", "|---|---|---|---|"]
            for finding in source.findings.messages {
                let fix = finding.fix.map { "<br>Fix: \(escaped($0))" } ?? ""
                lines.append(
                    "| \(finding.severity.rawValue) | \(escaped(finding.place.description)) "
                        + "| \(escaped(finding.message))\(fix) | `\(finding.code.rawValue)` |")
            }
        }
        let more = source.findings.suppressed.sorted { $0.key.rawValue < $1.key.rawValue }
        if !more.isEmpty {
            lines += [
                "", "Not shown: " + more.map { "\($0.value) × `\($0.key.rawValue)`" }.joined(separator: ", ") + ".",
            ]
        }
        if source.findings.known > 0 { lines += ["", "\(source.findings.known) known from the baseline."] }
        return lines
    }

    /// Text that neither marks up, nor links, nor calls anybody by name, on one line.
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "@": result += "&#64;"
            case "#": result += "&#35;"
            case "|", "\\", "`", "*", "_", "[", "]", "~", "!", "$": result += "\\\(scalar)"
            case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}", "\u{202A}"..."\u{202E}",
                "\u{2066}"..."\u{2069}":
                result += " "
            default: result.unicodeScalars.append(scalar)
            }
        }
        // An address by itself would become a link.
        return result.split(separator: "://", omittingEmptySubsequences: false).joined(separator: ":&#47;/")
    }
}
