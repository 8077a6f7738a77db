import DaeCollada
import DaeDiagnostics
import DaeSchema

/// What the check to the letter says of one document.
enum SchemaVerdict {
    static func read(_ bytes: [UInt8], _ checking: SchemaChecking = .strict) throws -> [Finding] {
        var options = ColladaOptions()
        options.schema = checking
        return try ColladaParser.read(bytes, options: options).log.findings
    }

    /// Why a document is not valid; empty for one that is.
    static func faults(in bytes: [UInt8]) throws -> [String] {
        // An id that stands twice is a fault to the schema as well.
        try read(bytes).filter { ($0.stage == .schema || $0.code == .idDuplicate) && $0.severity == .error }
            .map { "\($0.place.line ?? 0): \($0.code.rawValue) \($0.message)" }
    }
}
