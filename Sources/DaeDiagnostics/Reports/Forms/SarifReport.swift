// What GitHub's code scanning asks of SARIF beyond the standard: every result has a location with a region, and one
// fingerprint by the name `primaryLocationLineHash`.

import DaeCore

/// A report of form SARIF 2.1.0: one run over all sources.
package struct SarifReport: Sendable {
    private let tool: ReportTool
    private let sources: [ReportedSource]
    /// The codes that occur, in the catalogue's order.
    private let codes: [FindingCode]
    private let indices: [FindingCode: Int]

    package init(_ sources: [ReportedSource], tool: ReportTool) {
        self.tool = tool
        self.sources = sources
        let seen = Set(sources.flatMap { source in source.reported.map(\.code) })
        codes = FindingCode.allCases.filter(seen.contains)
        indices = Dictionary(zip(codes, codes.indices), uniquingKeysWith: { first, _ in first })
    }

    package var json: JSONValue {
        var results: [JSONValue] = []
        var occurrences: [String: Int] = [:]
        for source in sources {
            for finding in source.reported {
                var identity = FindingIdentity(finding).fingerprint
                // The same finding in another source is another one.
                if sources.count > 1 { identity += "-" + source.name }
                occurrences[identity, default: 0] += 1
                results.append(result(finding, source, occurrence: occurrences[identity] ?? 1))
            }
        }
        return [
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
            "runs": [
                [
                    "tool": [
                        "driver": [
                            "name": .string(tool.name), "version": .string(tool.version),
                            "semanticVersion": .string(tool.version), "rules": .array(codes.map(rule)),
                        ]
                    ], "columnKind": "unicodeCodePoints", "results": .array(results),
                ]
            ],
        ]
    }

    private func rule(_ code: FindingCode) -> JSONValue {
        let explanation = code.explanation
        return [
            "id": .string(code.rawValue), "name": .string(Self.name(of: code)),
            "shortDescription": ["text": .string(code.title)], "fullDescription": ["text": .string(explanation.text)],
            "help": [
                "text": .string("\(explanation.text)\nExample: \(explanation.example)\nFix: \(explanation.fix)"),
                "markdown": .string(CataloguePage.entry(code, heading: nil)),
            ], "defaultConfiguration": ["level": .string(Self.level(of: code.severity))],
            "properties": [
                "tags": [.string(code.stage.rawValue)], "precision": "very-high",
                "problem.severity": .string(Self.problem(code.severity)), "severity": .string(code.severity.rawValue),
            ],
        ]
    }

    /// `PRIMITIVE_INDEX_OOB` as `PrimitiveIndexOob`.
    private static func name(of code: FindingCode) -> String {
        code.rawValue.split(separator: "_").map { $0.prefix(1) + $0.dropFirst().lowercased() }.joined()
    }

    private static func level(of severity: Severity) -> String {
        switch severity {
        case .error: "error"
        case .warning: "warning"
        case .info, .hint: "note"
        }
    }

    private static func problem(_ severity: Severity) -> String {
        switch severity {
        case .error: "error"
        case .warning: "warning"
        case .info, .hint: "recommendation"
        }
    }

    private func result(_ finding: Finding, _ source: ReportedSource, occurrence: Int) -> JSONValue {
        let hash = FindingIdentity(finding).fingerprint
        var properties: [String: JSONValue] = [
            "severity": .string(finding.severity.rawValue), "stage": .string(finding.stage.rawValue),
            "args": .array(finding.arguments.map { ["name": .string($0.name), "value": .string($0.value)] }),
        ]
        if let fix = finding.fix { properties["fix"] = .string(fix) }
        let text = finding.message + (finding.fix.map { " Fix: \($0)" } ?? "")
        return [
            "ruleId": .string(finding.code.rawValue), "ruleIndex": JSONValue(indices[finding.code] ?? -1),
            "level": .string(Self.level(of: finding.severity)), "message": ["text": .string(text)],
            "locations": [location(finding.place, source, [:])],
            "relatedLocations": .array(
                finding.related.enumerated().map { index, place in
                    location(place, source, ["id": JSONValue(index + 1), "message": ["text": "see also"]])
                }),
            "partialFingerprints": [
                "primaryLocationLineHash": .string("\(hash):\(occurrence)"),
                "daedalusFinding/v1": .string("\(hash):\(occurrence)"),
            ], "properties": .object(properties),
        ]
    }

    private func location(_ place: Place, _ source: ReportedSource, _ more: [String: JSONValue]) -> JSONValue {
        // A finding about a whole file stands at its first line: without a region it would not be shown.
        var region: [String: JSONValue] = ["startLine": JSONValue(max(1, place.line ?? 1))]
        if place.line != nil, let column = place.column, column >= 1 { region["startColumn"] = JSONValue(column) }
        var location = more
        location["physicalLocation"] = [
            "artifactLocation": ["uri": .string(source.uri(of: place.entry))], "region": .object(region),
        ]
        if let path = place.path {
            var logical: [String: JSONValue] = ["fullyQualifiedName": .string(path), "kind": "element"]
            if let id = place.elementID { logical["name"] = .string(id) }
            location["logicalLocations"] = [.object(logical)]
        }
        return .object(location)
    }
}

extension ReportedSource {
    /// Why it failed, then what was found.
    var reported: [Finding] { (failure.map { [$0] } ?? []) + findings.messages }
}

/// Who made a report, as its forms say it.
package struct ReportTool: Sendable, Equatable {
    package var name: String
    package var version: String

    /// This product: its command line and its service say the same of the same file.
    package static let daedalus = ReportTool(version: Version.current)

    package init(name: String = "Daedalus", version: String) {
        self.name = name
        self.version = version
    }
}
