import CLibZip
import DaeCore
import DaeDiagnostics
import Synchronization

/// One archive open in libzip, which is not safe from several threads: every call goes through one lock.
///
/// A class because it owns the C handle.
final class ZipHandle: Sendable {
    /// Unchecked because C's pointers are: both are touched only under the lock that holds this value.
    private struct State: @unchecked Sendable {
        let zip: OpaquePointer
        let feed: SourceFeed
    }

    private let state: Mutex<State>

    init(_ source: any ByteSource) throws(CodedFailure) {
        let feed = SourceFeed(source)
        guard let made = feed.makeSource() else { throw .invalid("memory ran out") }
        var error = zip_error_t()
        zip_error_init(&error)
        defer { zip_error_fini(&error) }
        guard let zip = zip_open_from_source(made, ZIP_RDONLY, &error) else {
            zip_source_free(made)
            throw Self.error(&error, feed: feed, entry: nil)
        }
        state = Mutex(State(zip: zip, feed: feed))
    }

    deinit {
        let isLarge = state.withLock { state in
            defer { zip_discard(state.zip) }
            return zip_get_num_entries(state.zip, 0) > Self.manyEntries
        }
        // Threads have heaps of their own; what is free in this one is of no use to the next.
        if isLarge { dae_give_back_free_memory() }
    }

    /// libzip holds about half a kilobyte for each.
    private static let manyEntries: Int64 = 20_000

    /// Whether libzip found the same entries in the directory.
    func agrees(with records: [DirectoryRecord]) -> Bool {
        state.withLock { state in
            guard zip_get_num_entries(state.zip, 0) == Int64(records.count) else { return false }
            var status = zip_stat_t()
            zip_stat_init(&status)
            return records.enumerated().allSatisfy { index, record in
                Self.agrees(state.zip, UInt64(index), record, &status)
            }
        }
    }

    private static func agrees(
        _ zip: OpaquePointer, _ index: UInt64, _ record: DirectoryRecord, _ status: inout zip_stat_t
    ) -> Bool {
        var system: UInt8 = 0
        var attributes: UInt32 = 0
        guard zip_stat_index(zip, index, 0, &status) == 0,
            let name = zip_get_name(zip, index, zip_flags_t(ZIP_FL_ENC_RAW)),
            zip_file_get_external_attributes(zip, index, 0, &system, &attributes) == 0
        else { return false }
        return status.size == record.size && status.comp_size == record.compressedSize && status.crc == record.crc32
            && status.comp_method == record.method.number
            && (status.encryption_method != ZIP_EM_NONE) == record.isEncrypted
            && system == record.system && attributes == record.attributes && record.isNamed(name)
    }

    /// What of an entry is read; decrypted in either case.
    enum Layer {
        case inflated
        case packed
    }

    /// Opens an entry for reading; to be given back to ``close(_:)``.
    func open(
        _ index: Int, _ layer: Layer, password: String?, entry: String
    ) throws(CodedFailure) -> OpaquePointer {
        let flags: zip_flags_t =
            switch layer {
            case .inflated: 0
            case .packed: zip_flags_t(ZIP_FL_COMPRESSED)
            }
        return try state.withLock { state throws(CodedFailure) in
            let file =
                if let password {
                    zip_fopen_index_encrypted(state.zip, UInt64(index), flags, password)
                } else {
                    zip_fopen_index(state.zip, UInt64(index), flags)
                }
            guard let file else { throw Self.error(zip_get_error(state.zip), feed: state.feed, entry: entry) }
            return file
        }
    }

    /// Inflates into `buffer`; 0 where the entry ends and libzip found its CRC right.
    func read(
        _ file: OpaquePointer, into buffer: UnsafeMutableRawBufferPointer, entry: String
    ) throws(CodedFailure) -> Int {
        guard let start = buffer.baseAddress, !buffer.isEmpty else { return 0 }
        return try state.withLock { state throws(CodedFailure) in
            let count = zip_fread(file, start, UInt64(buffer.count))
            guard count >= 0 else {
                let error = Self.error(zip_file_get_error(file), feed: state.feed, entry: entry)
                // What libzip calls inconsistent at an entry's end is its size.
                let isSize =
                    error.code == .archiveInvalid && zip_error_code_zip(zip_file_get_error(file)) == ZIP_ER_INCONS
                throw isSize ? .otherSize(entry) : error
            }
            return Int(count)
        }
    }

    func close(_ file: OpaquePointer) {
        state.withLock { _ in _ = zip_fclose(file) }
    }

    /// Whether this build of libzip can inflate `method`.
    static func inflates(_ method: CompressionMethod) -> Bool {
        zip_compression_method_supported(Int32(method.number), 0) == 1
    }

    /// Whether this build of libzip can decrypt entries of this kind.
    static func decrypts(_ encryption: DirectoryRecord.Encryption) -> Bool {
        switch encryption {
        case .none: true
        case .traditional: zip_encryption_method_supported(UInt16(ZIP_EM_TRAD_PKWARE), 0) == 1
        case .aes: zip_encryption_method_supported(UInt16(ZIP_EM_AES_256), 0) == 1
        case .unknown: false
        }
    }

    private static func error(
        _ error: UnsafeMutablePointer<zip_error_t>, feed: SourceFeed, entry: String?
    ) -> CodedFailure {
        if let failure = feed.takeFailure() { return .unreadable(failure, entry: entry) }
        let reason = String(cString: zip_error_strerror(error))
        let name = entry ?? ""
        return switch zip_error_code_zip(error) {
        case ZIP_ER_CRC: .wrongChecksum(name)
        case ZIP_ER_EOF: .cutOff(name)
        case ZIP_ER_ZLIB, ZIP_ER_COMPRESSED_DATA: .damaged(name)
        case ZIP_ER_WRONGPASSWD: .wrongPassword(name)
        case ZIP_ER_NOPASSWD: .encrypted(name)
        default: .invalid(reason, entry: entry)
        }
    }
}

/// Hands the bytes of a ``ByteSource`` to libzip: the state behind one `zip_source_t`.
///
/// A class because C holds it by address, from ``makeSource()`` until libzip sends ZIP_SOURCE_FREE.
final class SourceFeed {
    private let source: any ByteSource
    private var position: Int64 = 0
    /// Bytes around `position`, for libzip reads a directory by a few bytes at a time.
    private var window: [UInt8] = []
    private var windowStart: Int64 = 0
    private var error = zip_error_t()
    /// The last failure of the source itself; what libzip reports after it is only its echo.
    private var failure: ByteSourceError?

    private static let smallRead = 1024
    private static let windowBytes = 1 << 15

    init(_ source: any ByteSource) {
        self.source = source
        zip_error_init(&error)
    }

    deinit { zip_error_fini(&error) }

    /// A new source for libzip, which keeps this value alive; `nil` where memory ran out.
    func makeSource() -> OpaquePointer? {
        let kept = Unmanaged.passRetained(self)
        let made = zip_source_function_create(
            { feed, data, length, command in
                guard let feed else { return -1 }
                let kept = Unmanaged<SourceFeed>.fromOpaque(feed)
                guard command != ZIP_SOURCE_FREE else {
                    kept.release()
                    return 0
                }
                return kept.takeUnretainedValue().answer(command, data, length)
            }, kept.toOpaque(), nil)
        if made == nil { kept.release() }
        return made
    }

    /// The failure of the source since this was last asked.
    func takeFailure() -> ByteSourceError? {
        defer { failure = nil }
        return failure
    }

    private func answer(_ command: zip_source_cmd_t, _ data: UnsafeMutableRawPointer?, _ length: UInt64) -> Int64 {
        switch command {
        case ZIP_SOURCE_OPEN:
            position = 0
            return 0
        case ZIP_SOURCE_READ: return read(UnsafeMutableRawBufferPointer(start: data, count: Int(clamping: length)))
        case ZIP_SOURCE_CLOSE: return 0
        case ZIP_SOURCE_STAT: return stat(data, length)
        case ZIP_SOURCE_ERROR: return data.map { zip_error_to_data(&error, $0, length) } ?? -1
        case ZIP_SOURCE_SEEK: return seek(data, length)
        case ZIP_SOURCE_TELL: return position
        case ZIP_SOURCE_SUPPORTS: return dae_zip_seekable_commands()
        default:
            zip_error_set(&error, ZIP_ER_OPNOTSUPP, 0)
            return -1
        }
    }

    private func read(_ buffer: UnsafeMutableRawBufferPointer) -> Int64 {
        do {
            let count = try fill(buffer)
            position += Int64(count)
            return Int64(count)
        } catch {
            failure = error
            zip_error_set(&self.error, ZIP_ER_READ, EIO)
            return -1
        }
    }

    private func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(ByteSourceError) -> Int {
        guard buffer.count <= Self.smallRead else { return try source.readFully(at: position, into: buffer) }
        if position < windowStart || position + Int64(buffer.count) > windowStart + Int64(window.count) {
            window = try source.bytes(at: position, count: Self.windowBytes)
            windowStart = position
        }
        let start = Int(position - windowStart)
        let count = min(buffer.count, window.count - start)
        buffer.copyBytes(from: window[start..<start + count])
        return count
    }

    private func stat(_ data: UnsafeMutableRawPointer?, _ length: UInt64) -> Int64 {
        guard let data, length >= UInt64(MemoryLayout<zip_stat_t>.size) else { return invalid() }
        let status = data.assumingMemoryBound(to: zip_stat_t.self)
        zip_stat_init(status)
        status.pointee.valid = UInt64(ZIP_STAT_SIZE)
        status.pointee.size = UInt64(source.size)
        return Int64(MemoryLayout<zip_stat_t>.size)
    }

    private func seek(_ data: UnsafeMutableRawPointer?, _ length: UInt64) -> Int64 {
        guard let data else { return invalid() }
        let sought = zip_source_seek_compute_offset(UInt64(position), UInt64(source.size), data, length, &error)
        guard sought >= 0 else { return -1 }
        position = sought
        return 0
    }

    private func invalid() -> Int64 {
        zip_error_set(&error, ZIP_ER_INVAL, 0)
        return -1
    }
}

/// An entry that libzip inflates and decrypts, and whose CRC-32 it checks.
///
/// A class because it owns libzip's open file.
final class LibzipBytes: EntryBytes {
    private let zip: ZipHandle
    private let file: OpaquePointer
    private let entry: Bundle.Entry
    private let index: Int
    private let password: String?
    private var position: Int64 = 0

    init(_ entry: Bundle.Entry, in zip: ZipHandle, index: Int, password: String?) throws(CodedFailure) {
        self.zip = zip
        self.entry = entry
        self.index = index
        self.password = password
        file = try zip.open(index, .inflated, password: password, entry: entry.path)
    }

    deinit { zip.close(file) }

    func next(into buffer: UnsafeMutableRawBufferPointer) throws(CodedFailure) -> Int {
        do throws(CodedFailure) {
            let count = try zip.read(file, into: buffer, entry: entry.path)
            position += Int64(count)
            return count
        } catch {
            // WinZip's second way to encrypt writes 0 for the CRC-32, which libzip 1.7 takes at its word.
            guard error == .wrongChecksum(entry.path), entry.crc32 == nil, position == entry.size else { throw error }
            try verifyCode()
            return 0
        }
    }

    /// Reads the packed bytes to their end, where libzip holds them against the authentication code.
    private func verifyCode() throws(CodedFailure) {
        let packed = try zip.open(index, .packed, password: password, entry: entry.path)
        defer { zip.close(packed) }
        let chunk = UnsafeMutableRawBufferPointer.readBuffer(byteCount: 1 << 16)
        defer { chunk.deallocate() }
        while try zip.read(packed, into: chunk, entry: entry.path) > 0 {}
    }
}
