import ByteSource
import CLibZip
import Diagnostics
import Glibc
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

    init(_ source: any ByteSource) throws(ArchiveError) {
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
    ) throws(ArchiveError) -> OpaquePointer {
        let flags: zip_flags_t =
            switch layer {
            case .inflated: 0
            case .packed: zip_flags_t(ZIP_FL_COMPRESSED)
            }
        return try state.withLock { state throws(ArchiveError) in
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
    ) throws(ArchiveError) -> Int {
        guard let start = buffer.baseAddress, !buffer.isEmpty else { return 0 }
        return try state.withLock { state throws(ArchiveError) in
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
    ) -> ArchiveError {
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
