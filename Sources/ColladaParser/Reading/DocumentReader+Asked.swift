// What the check against the schema asks, which hears of each event, too.

import Diagnostics
import XMLReader

extension DocumentReader {
    /// Of the innermost open element, with path and id, if it is the one that begins at `start`; `nil` for one that is
    /// skipped or kept as it stands.
    func place(ofElementAt start: XMLPosition) -> Place? {
        guard case .read = passage, current >= 0 else { return nil }
        let view = ElementView(fragment: fragment, index: current)
        return view.position.byte == start.byte ? view.place : nil
    }

    /// What becomes of the text that comes now.
    var textUse: TextUse {
        guard case .read = passage else { return .passed }
        switch text {
        case .none, .hex: return .passed
        case .plain: return .read
        case .reals, .integers: return .decoded
        }
    }

    enum TextUse {
        /// Nothing, or it is kept as it stands.
        case passed
        case read
        /// Each number of it is told that is none.
        case decoded
    }
}
