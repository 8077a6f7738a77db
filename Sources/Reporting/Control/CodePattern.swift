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

    /// The codes that are meant, in the catalogue's order; at least one.
    public static func codes(_ text: String) throws(Unknown) -> [FindingCode] {
        if let code = FindingCode(rawValue: text) { return [code] }
        if text.hasSuffix("*") {
            let start = text.dropLast()
            let codes = FindingCode.allCases.filter { $0.rawValue.hasPrefix(start) }
            if !codes.isEmpty { return codes }
        }
        throw Unknown(text: text, nearest: nearest(to: text.uppercased()))
    }

    private static func nearest(to text: String) -> FindingCode? {
        // Longer than any code: nothing is near, and nothing long is compared.
        guard text.utf8.count <= 64 else { return nil }
        let name = Array(text.utf8)
        let ranked = FindingCode.allCases.map { ($0, distance(name, Array($0.rawValue.utf8))) }
        guard let best = ranked.min(by: { $0.1 < $1.1 }), best.1 <= max(2, name.count / 4) else { return nil }
        return best.0
    }

    /// Letters to add, drop or change.
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var row = Array(0...right.count)
        for (index, letter) in left.enumerated() {
            var corner = row[0]
            row[0] = index + 1
            for column in right.indices {
                let above = row[column + 1]
                row[column + 1] = min(above + 1, row[column] + 1, corner + (letter == right[column] ? 0 : 1))
                corner = above
            }
        }
        return row[right.count]
    }
}
