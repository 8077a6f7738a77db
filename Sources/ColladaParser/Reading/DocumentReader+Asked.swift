// What the check against the schema asks, which hears of each event, too.

import ColladaSchema
import Diagnostics
import XMLReader

extension DocumentReader: CheckedReader {
    var documentNumber: Int { options.document }
    var documentVersion: String? { document.version }
    var hasFailed: Bool { failure != nil }
    var textLimit: Int { options.limits.textBytes }

    func understands(profile: String) -> Bool { MaterialExtras.isKnown(profile) }

    /// Of the innermost open element, with path and id, if it is the one that begins at `start`; `nil` for one that is
    /// skipped or kept as it stands.
    func place(ofElementAt start: XMLPosition) -> Place? {
        guard case .read = passage, current >= 0 else { return nil }
        let view = ElementView(fragment: fragment, index: current)
        return view.position.byte == start.byte ? view.place : nil
    }

    var textUse: TextUse {
        guard case .read = passage else { return .passed }
        switch text {
        case .none, .hex: return .passed
        case .plain: return .read
        case .reals, .integers: return .decoded
        }
    }

    func report(_ code: FindingCode, ofElementAt byte: Int64, severity: Severity, _ finding: () -> Finding) {
        log.tell(code, ofElementAt: byte, severity: severity, finding)
    }
}
