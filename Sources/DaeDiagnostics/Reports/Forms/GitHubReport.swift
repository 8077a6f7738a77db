import DaeCore

/// A report as workflow commands of GitHub Actions: an annotation a finding, at the file and line where that is a file of
/// the repository.
///
/// - Source: GitHub's documentation, "Workflow commands for GitHub Actions".
package struct GitHubReport: Sendable {
    private let sources: [ReportedSource]

    package init(_ sources: [ReportedSource]) { self.sources = sources }

    package var text: String {
        var lines: [String] = []
        for source in sources {
            lines += (source.findings.messages + [source.failure].compactMap(\.self)).map { Self.line($0, source) }
            for (code, count) in source.findings.suppressed.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                lines.append(Self.command("notice", ["file": source.name], "and \(count) more \(code.rawValue)"))
            }
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private static func line(_ finding: Finding, _ source: ReportedSource) -> String {
        let command =
            switch finding.severity {
            case .error: "error"
            case .warning: "warning"
            case .info, .hint: "notice"
            }
        var (properties, message) = (["title": finding.code.rawValue], finding.message)
        if let fix = finding.fix { message += "\nfix: \(fix)" }
        switch source.container {
        case .document, .folder:
            properties["file"] = source.address(of: finding.place.entry)
            properties["line"] = finding.place.line.map { String($0) }
            properties["col"] = finding.place.column.map { String($0) }
        case .archive:
            // No line of the archive is a line of what is in it.
            properties["file"] = source.name
            message = "\(source.text(of: finding.place)): \(message)"
        }
        return Self.command(command, properties, message)
    }

    private static func command(_ name: String, _ properties: [String: String], _ message: String) -> String {
        let order = ["file", "line", "col", "title"]
        let list = order.compactMap { key in properties[key].map { "\(key)=\(escaped($0, inProperty: true))" } }
        return "::\(name) \(list.joined(separator: ","))::\(escaped(message, inProperty: false))"
    }

    /// Text that ends neither the property nor the command, and begins no other.
    private static func escaped(_ text: String, inProperty: Bool) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "%": result += "%25"
            case "\r": result += "%0D"
            case "\n": result += "%0A"
            case ":" where inProperty: result += "%3A"
            case "," where inProperty: result += "%2C"
            case _ where scalar.isControl: result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
