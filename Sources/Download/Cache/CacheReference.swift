import ContentHash
import Diagnostics

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
