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
