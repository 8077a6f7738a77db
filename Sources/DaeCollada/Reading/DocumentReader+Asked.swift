// What the check against the schema asks of the element that is open in both.

import DaeDiagnostics
import DaeSchema
import DaeXML

extension DocumentReader {
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
}
