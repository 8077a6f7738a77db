public import Diagnostics

/// A code as people write it: its whole name, or its beginning and a `*`.
public enum CodePattern {
    /// Nothing is called so.
    public struct Unknown: Error, Sendable, CustomStringConvertible {
        public let text: String
        /// The code that may be meant.
        public let nearest: FindingCode?

        public var description: String {
            let shown = String(text.prefix(80))
            return "unknown code \(shown)"
                + (nearest.map { "; did you mean \($0.rawValue)?" } ?? "; see dae explain --list")
        }
    }

    /// The codes that are meant, in capitals or not, in the catalogue's order; at least one.
    public static func codes(_ written: String) throws(Unknown) -> [FindingCode] {
        let text = written.uppercased()
        if let code = FindingCode(rawValue: text) { return [code] }
        if text.hasSuffix("*") {
            let start = text.dropLast()
            let codes = FindingCode.allCases.filter { $0.rawValue.hasPrefix(start) }
            if !codes.isEmpty { return codes }
        }
        let nearest = NearestName.of(text, among: FindingCode.allCases.lazy.map(\.rawValue))
        throw Unknown(text: written, nearest: nearest.flatMap(FindingCode.init))
    }
}
