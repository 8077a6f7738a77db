// Nothing visible that is not whole: bytes go to `partial/`, and only a synced and verified file is renamed to its digest.
// The order on disk, for whatever moment the process or the machine ends at: the file is emptied, then an old record goes,
// then bytes come, then their own record, and bytes last before it counts them as lasting. A power cut may bring an old
// record back until the folder is synced. That is done before the file is as long as any record would count as lasting,
// so that the old one is known by it. Files too small for that cost no more than their own sync.

import DaeCore
import DaeDiagnostics

/// A content that is being fetched into the cache. A class because it owns a descriptor: whatever way it goes without
/// ``commit(verifying:)``, it stays behind for another attempt if it can be resumed, and goes with the value if not.
final class PartialFile {
    private enum State {
        case idle(KeptBytes?)
        case writing(Writing)
        case settled
    }

    private struct Writing {
        let file: CacheFile
        var record: Recording
        var size: Int64
    }

    /// What is said of the bytes on disk.
    private enum Recording {
        /// Nothing yet; `nil` for what cannot be resumed.
        case due(PartialRecord?)
        case written(PartialRecord?)
    }

    private let lock: CacheLock
    private let checkpoint: Int64
    private var state: State
    private var hasher: SHA256Hasher?

    /// Looks at what an earlier attempt has left, and removes what nobody could go on from.
    ///
    /// - Parameter checkpoint: After how many bytes what has come is made to last, besides at the end.
    init(holding lock: CacheLock, checkpoint: Int64 = 16 << 20) {
        self.lock = lock
        self.checkpoint = checkpoint
        state = .idle(nil)
        state = .idle(foundBytes()?.kept)
    }

    deinit { keep() }

    /// What an earlier attempt left and may be resumed; `nil` too once something has begun.
    var kept: KeptBytes? {
        switch state {
        case .idle(let kept): kept
        case .writing, .settled: nil
        }
    }

    /// Bytes of the file so far, at least 0.
    var size: Int64 {
        switch state {
        case .writing(let writing): writing.size
        case .idle, .settled: 0
        }
    }
}

extension PartialFile {
    /// The same bytes for others, who read them while more are written; `nil` where nothing is written, or the system has
    /// no descriptor left.
    ///
    /// - Parameter total: Bytes there will be.
    func arriving(of total: Int64) -> ArrivingByteSource? {
        switch state {
        case .writing(let writing): ArrivingByteSource(writing.file, arrived: writing.size, of: total)
        case .idle, .settled: nil
        }
    }
}

// MARK: - Beginning

extension PartialFile {
    /// Starts with no bytes, also in the middle of a transfer.
    ///
    /// - Parameters:
    ///   - url: Without user name and password.
    ///   - validators: Without a strong one nothing is kept for another attempt.
    ///   - total: Bytes there will be, as far as known.
    func begin(url: String, validators: Validators, total: Int64?) throws(DownloadFailure) {
        let file: CacheFile
        switch state {
        case .settled: throw ended
        case .idle: file = try files.openForWriting(path)
        case .writing(let writing): file = writing.file
        }
        state = .idle(nil)
        try file.truncate(to: 0)
        guard files.remove(recordPath) || files.linkStatus(of: recordPath) == nil else {
            throw FileSystem.failure("remove", recordPath, "it would speak of other bytes than come now")
        }
        // Whoever removed it, now or before: no power cut may bring it back beside the bytes that come.
        try files.syncFolder(lock.cache.folder + "/partial")
        var record: PartialRecord?
        if validators.strong != nil {
            record = PartialRecord(url: url, validators: validators, total: total, bootID: files.calls.bootID())
        }
        hasher = SHA256Hasher()
        state = .writing(Writing(file: file, record: .due(record), size: 0))
    }

    /// Goes on from ``kept``, which is read again for the digest.
    ///
    /// - Parameter isStopped: Asked at least once a mebibyte; ends the reading with `.cancelled`, and nothing is lost.
    func resume(isStopped: () -> Bool) throws(DownloadFailure) {
        guard case .idle(.some) = state, let (kept, oldRecord) = foundBytes() else { throw ended }
        let file = try files.openForWriting(path)
        var record = oldRecord
        if record.bootID == nil || record.bootID != files.calls.bootID() {
            // What follows the bytes that lasted may be anything.
            try file.truncate(to: kept.bytes)
            record.synced = kept.bytes
            record.bootID = files.calls.bootID()
            try store(record)
        }
        var hasher = SHA256Hasher()
        var size: Int64 = 0
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while size < kept.bytes {
            guard !isStopped() else { throw .cancelled }
            let read = try file.read(into: &buffer, at: size)
            guard read > 0 else { throw FileSystem.failure("read", path, "it became shorter") }
            let count = min(read, Int(clamping: kept.bytes - size))
            buffer.withUnsafeBytes { hasher.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            size += Int64(count)
        }
        try file.truncate(to: size)
        self.hasher = consume hasher
        state = .writing(Writing(file: file, record: .written(record), size: size))
    }

    private func store(_ record: PartialRecord) throws(DownloadFailure) {
        try files.replace(recordPath, with: record.bytes(under: lock.key))
    }

    private func foundBytes() -> (kept: KeptBytes, record: PartialRecord)? {
        let record = PartialRecord(of: lock.key, at: recordPath, files)
        let trusted = record?.trusted(of: files.linkStatus(of: path), inBoot: files.calls.bootID())
        guard let record, let trusted, trusted > 0 else {
            removeFiles()
            return nil
        }
        return (KeptBytes(validators: record.validators, bytes: trusted, total: record.total), record)
    }
}

// MARK: - Writing and ending

extension PartialFile {
    /// Appends to the file and to its digest. After a failure the file takes no more.
    func write(_ bytes: UnsafeRawBufferPointer) throws(DownloadFailure) {
        guard case .writing(var writing) = state else { throw ended }
        do throws(DownloadFailure) {
            try writing.file.write(bytes)
        } catch {
            keep()
            throw error
        }
        hasher?.update(bytes)
        writing.size += Int64(bytes.count)
        state = .writing(writing)
        do throws(DownloadFailure) {
            writing.record = try recording(after: writing)
        } catch {
            // What a failed sync has left of the bytes nobody knows.
            discard()
            throw error
        }
        state = .writing(writing)
    }

    /// Writes a record when one is due, or more bytes are to last.
    private func recording(after writing: Writing) throws(DownloadFailure) -> Recording {
        switch writing.record {
        case .due(let record):
            guard writing.size >= checkpoint / 16 else { return .due(record) }
            if let record { try store(record) }
            try files.syncFolder(lock.cache.folder + "/partial")
            return .written(record)
        case .written(nil): return .written(nil)
        case .written(var record?):
            guard writing.size - record.synced >= checkpoint else { return .written(record) }
            try writing.file.sync()
            record.synced = writing.size
            try store(record)
            return .written(record)
        }
    }

    /// Gives the whole file the name of its digest, once it is sure to last. One that already has that name is replaced
    /// by its equal, which mends it if it was damaged.
    ///
    /// - Parameter digests: What was promised; another one ends with `.checksumMismatch`, and nothing is kept.
    func commit(verifying digests: [SHA256Digest] = []) throws(DownloadFailure) -> (path: String, sha256: SHA256Digest)
    {
        guard case .writing(let writing) = state, let found = hasher.take()?.finish() else { throw ended }
        do throws(DownloadFailure) {
            if let digest = digests.first(where: { $0 != found }) {
                throw .checksumMismatch(expected: digest, actual: found)
            }
            guard writing.file.status?.size == writing.size else {
                throw FileSystem.failure("write", path, "another program writes to it")
            }
            try writing.file.sync()
            try publish(found)
        } catch {
            discard()
            throw error
        }
        state = .settled
        files.remove(recordPath)
        lock.cache.makeRoom(after: writing.size)
        return (lock.cache.path(of: found), found)
    }

    private func publish(_ digest: SHA256Digest) throws(DownloadFailure) {
        let cache = lock.cache
        try cache.whileUsing { () throws(DownloadFailure) in
            _ = files.calls.setTime(path, files.calls.now())
            try files.makeInnerFolder(cache.blobFolder(of: digest))
            try files.rename(path, to: cache.path(of: digest))
            try files.syncFolder(cache.blobFolder(of: digest))
        }
    }

    /// Ends the attempt, and leaves behind what another can go on from. The bytes are not synced.
    func keep() {
        switch state {
        case .settled: break
        case .idle(.some): state = .settled
        case .idle(nil): discard()
        case .writing(let writing):
            switch writing.record {
            case .due(let record?) where writing.size > 0:
                guard (try? store(record)) != nil else { return discard() }
            case .written(_?) where writing.size > 0: break
            case .due, .written: return discard()
            }
            state = .settled
        }
    }

    /// Ends the attempt, and leaves nothing behind.
    func discard() {
        if case .settled = state { return }
        state = .settled
        removeFiles()
    }

    private func removeFiles() {
        for path in [path, recordPath] where files.linkStatus(of: path) != nil { files.remove(path) }
    }

    private var files: FileSystem { lock.cache.files }
    private var path: String { lock.cache.partialPath(of: lock.key) }
    private var recordPath: String { lock.cache.recordPath(of: lock.key) }

    private var ended: DownloadFailure { FileSystem.failure("write", path, "the file has its end already") }
}

// Says what `partial/<key>.part` is the beginning of. The size of that file alone is no proof of anything: it may be of
// another version of the content, made longer in advance, or, after a power cut, longer than what was really written.

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
    func trusted(of status: FileMetadata?, inBoot boot: String?) -> Int64? {
        // A file of two names is in use elsewhere.
        guard let status, status.kind == .file, status.links == 1, validators.strong != nil else { return nil }
        // Bytes that last do not go: a shorter file is another one.
        guard status.size >= synced, status.size <= total ?? status.size else { return nil }
        return boot != nil && boot == bootID ? status.size : synced
    }
}
