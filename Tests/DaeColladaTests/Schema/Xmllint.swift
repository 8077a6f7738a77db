import DaeCollada
import DaeSchema
import TestSupport

/// What libxml2's schema validation of whole documents says.
enum Xmllint {
    /// By path; documents that are not XML to it, or more than it reads, are left out.
    static func verdicts(of paths: [String], _ version: SchemaVersion, schemas: String) throws -> [String: Bool] {
        let schema =
            switch version {
            case .collada14: "collada_schema_1_4_1.xsd"
            case .collada15: "collada_schema_1_5.xsd"
            }
        var verdicts: [String: Bool] = [:]
        var rest = paths[...]
        // As many as a command line surely holds: each run reads the schema anew.
        while !rest.isEmpty {
            let some = rest.prefix(400)
            rest = rest.dropFirst(400)
            let outcome = try Program.run(
                ["--noout", "--nonet", "--schema", schemas + "/" + schema] + some, program: "xmllint")
            for line in outcome.errors.split(separator: "\n") {
                for (ending, isValid) in [(" validates", true), (" fails to validate", false)]
                where line.hasSuffix(ending) {
                    verdicts[String(line.dropLast(ending.count))] = isValid
                }
            }
        }
        return verdicts
    }

    /// The schema that a document says it is written by.
    static func version(of bytes: [UInt8]) -> SchemaVersion {
        let start = String(decoding: bytes.prefix(4000).filter { $0 != 0 }, as: UTF8.self)
        return start.contains(SchemaVersion.collada15.namespace) ? .collada15 : .collada14
    }
}
