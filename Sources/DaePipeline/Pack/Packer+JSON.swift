package import DaeDiagnostics
import DaeResources

extension Packer.Report {
    /// As `dae pack --format json` has it.
    package var json: JSONValue {
        [
            "schemaVersion": JSONValue(Inspection.schemaVersion), "bytes": JSONValue(bytes),
            "files": .array(
                files.map { ["path": .string($0.path), "from": JSONValue($0.origin), "bytes": JSONValue($0.bytes)] }),
            "rewritten": .array(
                rewritings.map { rewriting in
                    [
                        "document": .string(rewriting.document), "from": .string(rewriting.from),
                        "to": .string(rewriting.to), "rule": JSONValue(rewriting.rule?.rawValue),
                    ]
                }),
            "absent": .array(
                absences.map { absence in
                    [
                        "document": .string(absence.document), "reference": .string(absence.reference),
                        "status": .string(absence.status.rawValue),
                    ]
                }),
            "unused": JSONValue(unused),
        ]
    }
}
