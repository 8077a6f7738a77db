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
