import CLibZip
package import DaeCore
package import DaeDiagnostics

/// Writes a ZIP archive: the same entries give the same bytes. What is added waits in a file of its own, so that little
/// of it is in memory; the archive appears when it is whole.
///
/// A class because it owns what lies in the folder of temporary files until then.
package final class ArchiveWriter {
    package enum Compression {
        /// As it is: for what is compressed already.
        case stored
        case deflated
    }

    private struct Item {
        let name: String
        let compression: Compression
        let range: Range<Int64>
    }

    private let waiting: TemporaryFile
    private var size: Int64 = 0
    private var items: [Item] = []

    package init() throws(CodedFailure) {
        do throws(ByteSourceError) { waiting = try TemporaryFile() } catch { throw .unreadable(error) }
    }

    /// Adds an entry.
    ///
    /// - Parameters:
    ///   - name: Its path in the archive; given once.
    ///   - body: Hands over its bytes, piece by piece.
    package func add(
        _ name: String, _ compression: Compression,
        _ body: (_ take: (UnsafeRawBufferPointer) throws -> Void) throws -> Void
    ) throws {
        let start = size
        try body { bytes in try append(bytes) }
        items.append(Item(name: name, compression: compression, range: start..<size))
    }

    private func append(_ bytes: UnsafeRawBufferPointer) throws(CodedFailure) {
        do throws(ByteSourceError) { try waiting.append(bytes) } catch { throw .unreadable(error) }
        size += Int64(bytes.count)
    }

    package func add(_ name: String, _ compression: Compression, bytes: [UInt8]) throws {
        try add(name, compression) { take in try bytes.withUnsafeBytes(take) }
    }

    /// Adds what follows in a file.
    package func add(_ name: String, _ compression: Compression, contentsOf file: borrowing OpenFile) throws {
        let start = size
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = try buffer.withUnsafeMutableBytes { try file.read(into: $0) }
            guard count > 0 else { break }
            try buffer.withUnsafeBytes { try append(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        }
        items.append(Item(name: name, compression: compression, range: start..<size))
    }

    /// Writes the archive; one there before is replaced.
    ///
    /// - Parameter isCancelled: Asked while it is written; nothing is left behind then.
    package func finish(at path: String, isCancelled: () -> Bool) throws {
        var code: Int32 = 0
        guard let zip = zip_open(path, ZIP_CREATE | ZIP_TRUNCATE, &code) else {
            var error = zip_error_t()
            zip_error_init_with_code(&error, code)
            defer { zip_error_fini(&error) }
            throw Self.failure(path, String(cString: zip_error_strerror(&error)))
        }
        do {
            let all = try waiting.source(name: path)
            for item in items { try add(item, of: all, to: zip, path) }
        } catch {
            zip_discard(zip)
            throw (error as? ByteSourceError).map { CodedFailure.unreadable($0) } ?? error
        }
        try withoutActuallyEscaping(isCancelled) { isCancelled in
            var isCancelled = isCancelled
            try withUnsafeMutablePointer(to: &isCancelled) { state in
                zip_register_cancel_callback_with_state(
                    zip, { _, state in state?.assumingMemoryBound(to: (() -> Bool).self).pointee() == true ? 1 : 0 },
                    nil, state)
                guard zip_close(zip) != 0 else { return }
                let isStopped = state.pointee()
                let reason = String(cString: zip_strerror(zip))
                zip_discard(zip)
                throw isStopped ? CancellationError() : Self.failure(path, reason) as any Error
            }
        }
    }

    private func add(
        _ item: Item, of all: any ByteSource, to zip: OpaquePointer, _ path: String
    ) throws(CodedFailure) {
        let bytes = SlicedByteSource(all, from: item.range.lowerBound, size: Int64(item.range.count))
        guard let source = SourceFeed(bytes).makeSource() else { throw Self.failure(path, "memory ran out") }
        let index = zip_file_add(zip, item.name, source, zip_flags_t(ZIP_FL_ENC_UTF_8))
        guard index >= 0 else {
            zip_source_free(source)
            throw Self.failure(path, String(cString: zip_strerror(zip)))
        }
        let place = UInt64(index)
        let method: Int32
        switch item.compression {
        case .stored: method = Int32(ZIP_CM_STORE)
        case .deflated: method = Int32(ZIP_CM_DEFLATE)
        }
        let isSet =
            zip_set_file_compression(zip, place, method, 9) == 0
            && zip_file_set_dostime(zip, place, 0, Self.firstDay, 0) == 0
            && zip_file_set_external_attributes(zip, place, 0, UInt8(ZIP_OPSYS_UNIX), Self.plainFile) == 0
        guard isSet else { throw Self.failure(path, String(cString: zip_strerror(zip))) }
    }

    /// 1 January 1980, the first day there is: the archive says nothing about when it was made.
    private static let firstDay: UInt16 = 1 << 5 | 1
    /// A file that its owner may write and all may read.
    private static let plainFile: UInt32 = 0o100644 << 16

    private static func failure(_ path: String, _ reason: String) -> CodedFailure {
        CodedFailure(.ioError, "\(path) cannot be written: \(reason)")
    }
}
