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
    /// Entries, folders among them.
    let count: Int

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
        count = Int(clamping: zip_get_num_entries(zip, 0))
        state = Mutex(State(zip: zip, feed: feed))
    }

    deinit { state.withLock { zip_discard($0.zip) } }

    /// What the directory says of entry `index`.
    func record(at index: Int) throws(ArchiveError) -> ZipRecord {
        try state.withLock { state throws(ArchiveError) in
            var status = zip_stat_t()
            zip_stat_init(&status)
            guard zip_stat_index(state.zip, UInt64(index), 0, &status) == 0,
                let raw = zip_get_name(state.zip, UInt64(index), zip_flags_t(ZIP_FL_ENC_RAW)),
                case let rawNameBytes = strlen(raw),
                let name = zip_get_name(state.zip, UInt64(index), 0)
            else { throw Self.error(zip_get_error(state.zip), feed: state.feed, entry: nil) }
            var system: UInt8 = 0
            var attributes: UInt32 = 0
            zip_file_get_external_attributes(state.zip, UInt64(index), 0, &system, &attributes)
            return ZipRecord(
                name: String(cString: name), rawNameBytes: rawNameBytes, size: status.size,
                compressedSize: status.comp_size, method: CompressionMethod(number: status.comp_method),
                crc32: status.crc, isEncrypted: status.encryption_method != ZIP_EM_NONE, system: system,
                attributes: attributes)
        }
    }

    /// Opens an entry for reading; to be given back to ``close(_:)``.
    func open(_ index: Int, entry: String) throws(ArchiveError) -> OpaquePointer {
        try state.withLock { state throws(ArchiveError) in
            guard let file = zip_fopen_index(state.zip, UInt64(index), 0) else {
                throw Self.error(zip_get_error(state.zip), feed: state.feed, entry: entry)
            }
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

    private static func error(
        _ error: UnsafeMutablePointer<zip_error_t>, feed: SourceFeed, entry: String?
    ) -> ArchiveError {
        if let failure = feed.takeFailure() { return .unreadable(failure, entry: entry) }
        let reason = String(cString: zip_error_strerror(error))
        return switch zip_error_code_zip(error) {
        case ZIP_ER_CRC: .invalid("the entry's bytes do not have the CRC-32 that it declares", entry: entry)
        case ZIP_ER_EOF: .invalid("it ends in the middle of the entry", entry: entry)
        case ZIP_ER_ZLIB, ZIP_ER_COMPRESSED_DATA: .invalid("the compressed bytes are damaged", entry: entry)
        default: .invalid(reason, entry: entry)  // C codes
        }
    }
}
