/// Which bytes of the whole an answer holds. Source: RFC 9110, 14.4.
enum ContentRange: Sendable, Hashable {
    /// Bytes `first...last` of `total`, which is `nil` where the server does not know it.
    case part(first: Int64, last: Int64, total: Int64?)
    /// None, since the whole has `total` bytes and fewer than were asked for.
    case unsatisfied(total: Int64)

    /// Reads `bytes 0-99/200`, `bytes 0-99/*` and `bytes */200`; `nil` for other units and for what contradicts itself.
    init?(_ field: some Collection<UInt8>) {
        let text = String(decoding: field, as: UTF8.self)
        let words = text.split(separator: " ", omittingEmptySubsequences: true)
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let total = parts[1] == "*" ? nil : DecimalDigits.value(parts[1])
        guard parts[1] == "*" || total != nil else { return nil }
        if parts[0] == "*" {
            guard let total else { return nil }
            self = .unsatisfied(total: total)
            return
        }
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = DecimalDigits.value(ends[0]), let last = DecimalDigits.value(ends[1]),
            first <= last, total.map({ last < $0 }) ?? true
        else { return nil }
        self = .part(first: first, last: last, total: total)
    }

    /// Bytes of the whole; `nil` where the server does not know.
    var total: Int64? {
        switch self {
        case .part(_, _, let total): total
        case .unsatisfied(let total): total
        }
    }
}

/// Counts as headers write them.
enum DecimalDigits {
    /// Digits alone, below 2^62, so that a sum of two cannot overflow.
    static func value(_ text: some StringProtocol) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let value = Int64(text), value < 1 << 62
        else { return nil }
        return value
    }
}
