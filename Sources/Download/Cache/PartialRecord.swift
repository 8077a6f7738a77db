// Says what `partial/<key>.part` is the beginning of. The size of that file alone is no proof of anything: it may be of
// another version of the content, made longer in advance, or, after a power cut, longer than what was really written.

import Diagnostics

/// What an earlier attempt left, and a request for the rest can go on from.
struct KeptBytes: Sendable, Hashable {
    /// With a strong one: see ``Validators/strong``.
    var validators: Validators
    /// More than 0, at most ``total``.
    var bytes: Int64
    /// Bytes there will be in all, as far as the server said.
    var total: Int64?
}

/// What is kept of a transfer beside its bytes.
struct PartialRecord: Sendable, Hashable {
    /// What was asked for; without user name and password.
    var url: String
    var validators: Validators
    var total: Int64?
    /// Bytes that last through a power cut.
    var synced: Int64 = 0
    /// Since when the file's size can be believed: what was written reaches the disk unless the machine goes down. `nil`
    /// where the system has no name for that.
    var bootID: String?
}

extension PartialRecord {
    /// `nil` where there is none that can be understood, or it is another key's.
    init?(of key: CacheKey, at path: String, _ files: FileSystem) {
        guard let record = CacheRecord(at: path, files), record.string("key") == key.hex,
            let url = record.string("url"), let synced = record.count("synced")
        else { return nil }
        self.init(
            url: url, validators: record.validators, total: record.count("total"), synced: synced,
            bootID: record.string("bootID"))
    }

    func bytes(under key: CacheKey) -> [UInt8] {
        var members = validators.members
        members["key"] = .string(key.hex)
        members["url"] = .string(url)
        members["total"] = JSONValue(total)
        members["synced"] = .integer(synced)
        members["bootID"] = JSONValue(bootID)
        return CacheRecord.bytes(members)
    }

    /// How many of the file's bytes can be believed; `nil` where the whole file cannot.
    func trusted(of status: FileStatus?, inBoot boot: String?) -> Int64? {
        // A file of two names is in use elsewhere.
        guard let status, status.kind == .file, status.links == 1, validators.strong != nil else { return nil }
        // Bytes that last do not go: a shorter file is another one.
        guard status.size >= synced, status.size <= total ?? status.size else { return nil }
        return boot != nil && boot == bootID ? status.size : synced
    }
}
