import ColladaSchema
import Diagnostics
import XMLReader

/// Hands the events of a document to its reader, and to the check against the schema what that has of it.
final class DocumentEvents: XMLEventHandler {
    var reader: DocumentReader

    init(options: ColladaOptions) { reader = DocumentReader(options: options) }

    var takesAnyLineEnd: Bool { reader.takesAnyLineEnd }

    func startElement(_ name: XMLName, attributes: XMLAttributes, at position: XMLPosition) -> XMLFlow {
        reader.startElement(name, attributes: attributes, at: position)
    }

    func text(_ bytes: UnsafeRawBufferPointer, at position: XMLPosition) -> XMLFlow {
        reader.text(bytes, at: position)
    }

    func endElement(at position: XMLPosition) -> XMLFlow { reader.endElement(at: position) }
}

extension DocumentEvents: CheckedReader {
    var documentNumber: Int { reader.options.document }
    var documentVersion: String? { reader.document.version }
    var hasFailed: Bool { reader.failure != nil }
    var textLimit: Int { reader.options.limits.textBytes }
    var repairs: Bool { reader.repairs }
    var isExamined: Bool { reader.isExamined }
    var textUse: TextUse { reader.textUse }

    func understands(profile: String) -> Bool { MaterialExtras.isKnown(profile) }

    func place(ofElementAt start: XMLPosition) -> Place? { reader.place(ofElementAt: start) }

    func report(_ code: FindingCode, ofElementAt byte: Int64, severity: Severity, _ finding: () -> Finding) {
        // Apart, since a finding asks the reader for the place of its element.
        guard reader.log.takes(code, ofElementAt: byte, severity: severity) else { return }
        let finding = finding()
        reader.log.findings.add(finding)
    }
}
