import ContentHash
import Diagnostics

/// A small JSON file of the cache, read back member by member; what is missing or of another kind spoils it.
struct CacheRecord {
    private let members: [String: JSONValue]

    /// Raised when a record's meaning changes; those of other numbers are no records.
    private static let version: Int64 = 1
    /// The longest record there can be: two validators from one answer's headers, each byte as an escape.
    private static let limit = 4 << 20

    /// `nil` where there is none that can be understood.
    init?(at path: String, _ files: FileSystem) {
        guard let bytes = files.content(of: path, limit: Self.limit), let members = FlatJSON.members(of: bytes),
            members["version"] == .integer(Self.version)
        else { return nil }
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

// The records of the cache are small and flat, and anybody may have written over them: what is not exactly such a record
// is none.

/// Reads a JSON object of strings, whole numbers and nulls.
private struct FlatJSON {
    private var rest: ArraySlice<UInt8>

    /// The members; `nil` for any other text, and for one that names a member twice.
    static func members(of bytes: [UInt8]) -> [String: JSONValue]? {
        var reader = FlatJSON(rest: bytes[...])
        return reader.object()
    }

    private mutating func object() -> [String: JSONValue]? {
        guard take("{") else { return nil }
        var members: [String: JSONValue] = [:]
        if !take("}") {
            repeat {
                guard let name = string(), take(":"), let value = value(), members[name] == nil else { return nil }
                members[name] = value
            } while take(",")
            guard take("}") else { return nil }
        }
        skipSpace()
        return rest.isEmpty ? members : nil
    }

    private mutating func value() -> JSONValue? {
        skipSpace()
        guard rest.first != UInt8(ascii: "\"") else { return string().map { .string($0) } }
        let word = rest.prefix { ($0 | 0x20) >= UInt8(ascii: "a") || $0 == UInt8(ascii: "-") || isDigit($0) }
        rest = rest.dropFirst(word.count)
        let text = String(decoding: word, as: UTF8.self)
        return text == "null" ? .null : text.hasPrefix("+") ? nil : Int64(text).map { .integer($0) }
    }

    private mutating func string() -> String? {
        guard take("\"") else { return nil }
        var text: [UInt8] = []
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): return String(validating: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let escaped = escape() else { return nil }
                text += escaped
            case 0..<0x20: return nil
            default: text.append(byte)
            }
        }
        return nil
    }

    /// Surrogates are not put together: our own writer has no use for them.
    private mutating func escape() -> [UInt8]? {
        guard let byte = rest.popFirst() else { return nil }
        switch byte {
        case UInt8(ascii: "n"): return [0x0a]
        case UInt8(ascii: "r"): return [0x0d]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
        case UInt8(ascii: "u"):
            let digits = rest.prefix(4)
            rest = rest.dropFirst(4)
            guard digits.count == 4, let code = UInt32(String(decoding: digits, as: UTF8.self), radix: 16),
                let scalar = Unicode.Scalar(code)
            else { return nil }
            return Array(String(scalar).utf8)
        default: return nil
        }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        skipSpace()
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func skipSpace() {
        rest = rest.drop { $0 == 0x20 || (0x09...0x0a).contains($0) || $0 == 0x0d }
    }

    private func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
