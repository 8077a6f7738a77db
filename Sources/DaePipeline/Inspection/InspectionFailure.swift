import DaeArchive
import DaeCollada
package import DaeDiagnostics

/// What is said of a source that failed: where, why, and what was found until then.
package struct InspectionFailure: Sendable, Equatable {
    /// The stage of the state machine it failed in.
    package enum Stage: String, Sendable, CaseIterable {
        case download, unzip, parse
    }
    package var source: Inspection.Source
    package var stage: Stage
    package var code: FindingCode
    package var message: String
    package var place: Place
    package var findings: FindingLog

    package init(
        source: Inspection.Source, stage: Stage, code: FindingCode, message: String, place: Place,
        findings: FindingLog = FindingLog()
    ) {
        self.source = source
        self.stage = stage
        self.code = code
        self.message = message
        self.place = place
        self.findings = findings
    }

    /// - Parameter stage: Which it failed in, where the error does not say.
    package init(_ error: any Error, source: Inspection.Source, stage: Stage = .unzip) {
        let coded = error as? any CodedError
        let code = coded?.code ?? .ioError
        self.init(
            source: source, stage: Stage(of: code) ?? stage, code: code,
            message: coded?.message ?? String(describing: error), place: coded?.place ?? Place())
    }

    /// What ended the reading, as one of the findings.
    package var finding: Finding { Finding(code, at: place, message, severity: .error) }

    package var json: JSONValue {
        var all = findings
        all.add(finding)
        return [
            "schemaVersion": JSONValue(Inspection.schemaVersion), "source": source.json,
            "failure": [
                "stage": .string(stage.rawValue), "code": .string(code.rawValue), "message": .string(message),
                "entry": JSONValue(place.entry), "line": JSONValue(place.line), "column": JSONValue(place.column),
            ], "findings": all.json,
        ]
    }
}

extension InspectionFailure.Stage {
    /// The one in which alone an error of this code ends the work; `nil` where several may.
    fileprivate init?(of code: FindingCode) {
        switch code.stage {
        case .download where code != .ioError: self = .download
        case .xml, .schema, .link, .data, .scene: self = .parse
        case .download, .archive, .resource, .convert: return nil
        }
    }
}
