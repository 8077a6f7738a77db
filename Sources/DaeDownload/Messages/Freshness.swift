import CLibCurl

/// For how long an answer may stand for the server's. Source: RFC 9111, 4.2.
enum Freshness {
    /// Longer than a year is as good as for ever, and no sum of seconds overflows.
    private static let longest: Int64 = 366 * 86_400

    /// Seconds since 1970 until which nobody need be asked; `nil` where the server must always be.
    ///
    /// Nothing is guessed from `Last-Modified`: where the server says nothing, it is asked.
    static func limit(of head: ResponseHead, at now: Int64) -> Int64? {
        let control = head.cacheControl
        guard !control.mustAskAgain, !control.mustNotBeStored, !head.variesByAnything else { return nil }
        let lifetime: Int64
        if let maxAge = control.maxAge {
            lifetime = maxAge
        } else if let expires = head.expires.flatMap(HTTPDate.seconds) {
            lifetime = expires - (head.date.flatMap(HTTPDate.seconds) ?? now)
        } else {
            return nil
        }
        let left = min(lifetime, longest) - min(head.age ?? 0, longest)
        return left > 0 ? now + left : nil
    }
}

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

/// Points in time as HTTP writes them, in all three forms. Source: RFC 9110, 5.6.7.
enum HTTPDate {
    /// Seconds since 1970, UTC; `nil` for what is no date.
    static func seconds(_ text: String) -> Int64? {
        // libcurl's reader is lenient beyond HTTP: a lone number would be taken for a time of day.
        guard text.utf8.contains(UInt8(ascii: ":")), text.utf8.count <= 64, Curl.isReady else { return nil }
        let time = dae_curl_getdate(text)
        return time == -1 ? nil : Int64(time)
    }
}

/// How long a server asks to be left alone. Source: RFC 9110, 10.2.3.
enum RetryAfter {
    /// Whole seconds from `now` on, at least 0; `nil` for what is neither a number nor a date.
    static func seconds(_ field: String, at now: Int64) -> Int64? {
        if let seconds = DecimalDigits.value(field) { return seconds }
        return HTTPDate.seconds(field).map { max(0, $0 - now) }
    }
}
