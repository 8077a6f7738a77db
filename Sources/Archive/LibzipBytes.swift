import ByteSource

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

    init(_ entry: Bundle.Entry, in zip: ZipHandle, index: Int, password: String?) throws(ArchiveError) {
        self.zip = zip
        self.entry = entry
        self.index = index
        self.password = password
        file = try zip.open(index, .inflated, password: password, entry: entry.path)
    }

    deinit { zip.close(file) }

    func next(into buffer: UnsafeMutableRawBufferPointer) throws(ArchiveError) -> Int {
        do throws(ArchiveError) {
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
    private func verifyCode() throws(ArchiveError) {
        let packed = try zip.open(index, .packed, password: password, entry: entry.path)
        defer { zip.close(packed) }
        let chunk = UnsafeMutableRawBufferPointer.readBuffer(byteCount: 1 << 16)
        defer { chunk.deallocate() }
        while try zip.read(packed, into: chunk, entry: entry.path) > 0 {}
    }
}
