/// A report as Markdown, for a pull request: a table of the sources, then one of each source's findings.
package struct MarkdownReport: Sendable {
    private let sources: [ReportedSource]

    package init(_ sources: [ReportedSource]) {
        self.sources = sources
    }

    package var text: String {
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

/// The catalogue of codes as a person reads it.
package enum CataloguePage {
    /// One code, as Markdown.
    ///
    /// - Parameter heading: Its marks, such as `###`; `nil` for none.
    package static func entry(_ code: FindingCode, heading: String?) -> String {
        let explanation = code.explanation
        var lines: [String] = []
        if let heading {
            lines += ["\(heading) \(code.rawValue)", ""]
        }
        lines += [
            "**\(code.title).** (\(code.severity.rawValue), \(code.stage.rawValue))", "", inline(explanation.text), "",
            "- Example: \(inline(explanation.example))", "- Fix: \(inline(explanation.fix))",
        ]
        return lines.joined(separator: "\n") + "\n"
    }

    /// Every code, as the reference page of the documentation.
    package static var documentation: String {
        var lines = [
            "# Findings", "", "Every code that a finding or a failure can carry, and what to do about it.", "",
            "## Overview", "",
            "A code keeps its meaning for ever. `dae explain CODE` prints its entry, `dae validate` names the codes of a source. The severity is the one that a code has unless a profile or an option says otherwise.",
            "",
        ]
        for stage in FindingStage.allCases {
            let codes = FindingCode.allCases.filter { $0.stage == stage }
            guard !codes.isEmpty else { continue }
            lines += ["## \(title(of: stage))", ""]
            lines += codes.map { entry($0, heading: "###") }
        }
        while lines.last == "" { lines.removeLast() }
        let text = lines.joined(separator: "\n")
        return text.hasSuffix("\n") ? text : text + "\n"
    }

    private static func title(of stage: FindingStage) -> String {
        switch stage {
        case .download: "Download"
        case .archive: "Archives and bundles"
        case .xml: "XML"
        case .schema: "Schema"
        case .link: "References"
        case .data: "Data"
        case .scene: "Scene"
        case .resource: "Materials, images and other files"
        case .convert: "Conversion"
        }
    }

    /// Markup in a text is shown, not followed.
    private static func inline(_ text: String) -> String { MarkdownReport.escaped(text) }
}

extension FindingCode {
    /// What `dae explain --format json` prints.
    package var catalogueJSON: JSONValue {
        let explanation = explanation
        return [
            "code": .string(rawValue), "severity": .string(severity.rawValue), "stage": .string(stage.rawValue),
            "title": .string(title), "explanation": .string(explanation.text),
            "example": .string(explanation.example), "fix": .string(explanation.fix),
        ]
    }
}
