import CLibCurl
import DaeCore
import DaeDiagnostics

/// A small JSON file of the cache, read back member by member; what is missing or of another kind spoils it.
struct CacheRecord {
    private let members: [String: JSONValue]

    /// Raised when a record's meaning changes; those of other numbers are no records.
    private static let version: Int64 = 1
    /// The longest record there can be: two validators from one answer's headers, each byte as an escape.
    private static let limit = 4 << 20

    /// `nil` where there is none that can be understood.
    init?(at path: String, _ files: FileSystem) {
        guard let bytes = files.content(of: path, limit: Self.limit),
            case .object(let listed)? = (try? LocatedJSON.value(in: bytes))?.value
        else { return nil }
        // Anybody may have written over it: what is not flat, or names a member twice, is no record.
        var members: [String: JSONValue] = [:]
        for (name, _, json) in listed {
            let value: JSONValue
            switch json.value {
            case .null: value = .null
            case .integer(let number): value = .integer(number)
            case .string(let text): value = .string(text)
            case .bool, .real, .array, .object: return nil
            }
            guard members.updateValue(value, forKey: name) == nil else { return nil }
        }
        guard members["version"] == .integer(Self.version) else { return nil }
        self.members = members
    }

    static func bytes(_ members: [String: JSONValue]) -> [UInt8] {
        let version: [String: JSONValue] = ["version": .integer(Self.version)]
        return JSONValue.object(members.merging(version) { own, _ in own }).text(.indented) + [UInt8(ascii: "\n")]
    }

    func string(_ name: String) -> String? {
        if case .string(let text) = members[name] { text } else { nil }
    }

    /// At least 0.
    func count(_ name: String) -> Int64? {
        if case .integer(let number) = members[name], number >= 0 { number } else { nil }
    }

    var validators: Validators { Validators(etag: string("etag"), lastModified: string("lastModified")) }
}

extension Validators {
    /// As members of a record.
    var members: [String: JSONValue] { ["etag": JSONValue(etag), "lastModified": JSONValue(lastModified)] }
}

/// Which content an address gave, and what the server said of it.
struct CacheReference: Sendable, Hashable {
    /// What was asked for; without user name and password.
    var url: String
    /// Where it came from in the end, after all redirects; without user name and password.
    var finalURL: String
    var sha256: SHA256Digest
    /// Bytes.
    var size: Int64
    var contentType: String?
    var suggestedName: String
    var validators: Validators
    /// When the server last said that this is its content, in Unix seconds.
    var storedAt: Int64
    /// Until when nobody needs to be asked again, in Unix seconds; `nil` where the server gave no leave.
    var freshUntil: Int64?
}

extension CacheReference {
    /// `nil` where there is none that can be understood, or it is another key's.
    init?(of key: CacheKey, at path: String, _ files: FileSystem) {
        guard let record = CacheRecord(at: path, files), record.string("key") == key.hex,
            let url = record.string("url"), let finalURL = record.string("finalURL"),
            let sha256 = record.string("sha256").flatMap({ SHA256Digest(hex: $0) }),
            let size = record.count("size"), let suggestedName = record.string("suggestedName"),
            let storedAt = record.count("storedAt")
        else { return nil }
        self.init(
            url: url, finalURL: finalURL, sha256: sha256, size: size, contentType: record.string("contentType"),
            suggestedName: suggestedName, validators: record.validators, storedAt: storedAt,
            freshUntil: record.count("freshUntil"))
    }

    func bytes(under key: CacheKey) -> [UInt8] {
        var members = validators.members
        members["key"] = .string(key.hex)
        members["url"] = .string(url)
        members["finalURL"] = .string(finalURL)
        members["sha256"] = .string(sha256.hex)
        members["size"] = .integer(size)
        members["contentType"] = JSONValue(contentType)
        members["suggestedName"] = .string(suggestedName)
        members["storedAt"] = .integer(storedAt)
        members["freshUntil"] = JSONValue(freshUntil)
        return CacheRecord.bytes(members)
    }
}

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
