/// What a server allows a private cache to do with its answer. Source: RFC 9111, 5.2.2.
struct CacheControl: Sendable, Hashable {
    /// Seconds.
    private(set) var maxAge: Int64?
    private(set) var mustAskAgain = false
    private(set) var mustNotBeStored = false

    /// Adds one field; several count as one list. What is not understood counts for nothing.
    mutating func read(_ field: some StringProtocol) {
        for directive in Self.directives(of: field) {
            let parts = directive.split(separator: "=", maxSplits: 1)
            switch parts.first.map({ Self.trimmed($0).lowercased() }) {
            // With field names `no-cache` is about these fields alone; asking again is always right.
            case "no-cache": mustAskAgain = true
            case "no-store": mustNotBeStored = true
            case "max-age":
                let digits = parts.count > 1 ? Self.trimmed(parts[1]).filter { $0 != "\"" } : ""
                // Of two the shorter holds; one that is no number makes the answer stale.
                maxAge = min(maxAge ?? .max, DecimalDigits.value(digits) ?? 0)
            default: break
            }
        }
    }

    /// Parted at commas that stand in no quotes.
    private static func directives(of field: some StringProtocol) -> [Substring] {
        var isQuoted = false
        return Substring(field).split { character in
            if character == "\"" { isQuoted.toggle() }
            return character == "," && !isQuoted
        }
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let start = text.drop { $0 == " " || $0 == "\t" }
        guard let last = start.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return "" }
        return start[...last]
    }
}
