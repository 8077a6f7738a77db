import ByteSource
import CLibZip
import Glibc

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
