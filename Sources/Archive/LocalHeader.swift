/// The header right before an entry's bytes, which must tell what the directory tells (APPNOTE 6.3, section 4.3.7).
///
/// Readers differ in which of the two they believe, so an archive in which they differ shows each reader another file.
struct LocalHeader {
    static let signature: UInt32 = 0x0403_4B50
    static let headerBytes = 30

    let nameBytes: Int
    let extraBytes: Int

    /// - Parameter bytes: At least ``headerBytes`` from `index` on.
    init?(_ bytes: [UInt8], at index: Int) {
        guard bytes.number32(at: index) == Self.signature, let nameBytes = bytes.number16(at: index + 26),
            let extraBytes = bytes.number16(at: index + 28)
        else { return nil }
        (self.nameBytes, self.extraBytes) = (Int(nameBytes), Int(extraBytes))
    }

    var totalBytes: Int { Self.headerBytes + nameBytes + extraBytes }

    /// What differs from the directory, such as "name"; `nil` where nothing does.
    ///
    /// - Parameter bytes: The same as before, with at least ``totalBytes``.
    func contradiction(to record: DirectoryRecord, _ bytes: [UInt8], at index: Int) -> String? {
        let nameStart = index + Self.headerBytes
        let extraStart = nameStart + nameBytes
        guard nameBytes == record.rawNameBytes, bytes[nameStart..<extraStart].elementsEqual(record.rawName) else {
            return "name"
        }
        guard let flags = bytes.number16(at: index + 6), (flags ^ record.flags) & 0b100_1001 == 0 else {
            return "flags"
        }
        guard bytes.number16(at: index + 8) == record.writtenMethod else { return "method" }
        let extra = ExtraFields(bytes: bytes, range: extraStart..<extraStart + extraBytes)
        guard let crc32 = bytes.number32(at: index + 14),
            let sizes = extra.widened(bytes.number32(at: index + 22), bytes.number32(at: index + 18))
        else { return "size" }
        if record.hasDescriptor, crc32 == 0, sizes.allSatisfy({ $0 == 0 }) { return nil }
        // Where a descriptor follows, writers that cannot seek back leave single numbers 0.
        func agrees(_ own: UInt64, _ said: UInt64) -> Bool { own == said || record.hasDescriptor && own == 0 }
        guard agrees(UInt64(crc32), UInt64(record.crc32)) else { return "CRC-32" }
        guard agrees(sizes[0], record.size), agrees(sizes[1], record.compressedSize) else { return "size" }
        return nil
    }
}
