import DaeCore

/// What the directory of an archive says of one entry, nothing of it believed yet (APPNOTE 6.3, section 4.3.12).
struct DirectoryRecord {
    enum Encryption: Hashable {
        case none
        /// PKWARE's first cipher.
        case traditional
        /// WinZip's; its second version keeps no CRC-32.
        case aes(version: UInt16)
        case unknown
    }

    static let signature: UInt32 = 0x0201_4B50
    static let headerBytes = 46
    private static let aesMethod: UInt16 = 99

    let name: String
    let encoding: RawName.Encoding
    /// The name's bytes where they are not those of ``name``.
    private let differingName: [UInt8]?
    let flags: UInt16
    /// As written; AES hides the true one, which is ``method``.
    let writtenMethod: UInt16
    let method: CompressionMethod
    let encryption: Encryption
    let crc32: UInt32
    let compressedSize: UInt64
    let size: UInt64
    /// Of the entry's own header, from the archive's first byte.
    let headerOffset: UInt64
    let modified: EntryDate?
    /// The system that wrote the entry, which says how to read `attributes`.
    let system: UInt8
    let attributes: UInt32

    /// Bytes in front of the name, the extra fields and the comment, which follow in this order.
    struct Lengths {
        let name: Int
        let extra: Int
        let comment: Int

        init?(_ bytes: [UInt8], at index: Int) {
            guard bytes.number32(at: index) == signature, let name = bytes.number16(at: index + 28),
                let extra = bytes.number16(at: index + 30), let comment = bytes.number16(at: index + 32)
            else { return nil }
            (self.name, self.extra, self.comment) = (Int(name), Int(extra), Int(comment))
        }

        var total: Int { headerBytes + name + extra + comment }
    }

    /// `nil` where a number is not there that must be.
    ///
    /// - Parameters:
    ///   - bytes: At least `lengths.total` from `index` on.
    ///   - decoder: For names that are no UTF-8.
    init?(_ bytes: [UInt8], at index: Int, _ lengths: Lengths, decoder: NameDecoder? = nil) {
        let nameStart = index + Self.headerBytes
        let extraStart = nameStart + lengths.name
        let extra = ExtraFields(bytes: bytes, range: extraStart..<extraStart + lengths.extra)
        guard let flags = bytes.number16(at: index + 8), let method = bytes.number16(at: index + 10),
            let time = bytes.number16(at: index + 12), let date = bytes.number16(at: index + 14),
            let crc32 = bytes.number32(at: index + 16), let attributes = bytes.number32(at: index + 38),
            let wide = extra.widened(
                bytes.number32(at: index + 24), bytes.number32(at: index + 20), bytes.number32(at: index + 42))
        else { return nil }
        let raw = bytes[nameStart..<extraStart]
        let name = RawName(
            raw, saysUTF8: flags & 0x800 != 0, unicodePath: extra.body(.unicodePath).map { bytes[$0] },
            decoder: decoder)
        self.name = name.text
        encoding = name.encoding
        differingName = name.text.utf8.elementsEqual(raw) ? nil : Array(raw)
        self.flags = flags
        self.crc32 = crc32
        (size, compressedSize, headerOffset) = (wide[0], wide[1], wide[2])
        modified = extra.modified ?? EntryDate(dosDate: date, time: time)
        system = bytes[index + 5]
        self.attributes = attributes
        writtenMethod = method
        (encryption, self.method) = Self.packing(flags: flags, method: method, extra)
    }

    private static func packing(
        flags: UInt16, method: UInt16, _ extra: ExtraFields
    ) -> (Encryption, CompressionMethod) {
        let plain = CompressionMethod(number: method)
        guard flags & 1 != 0 else { return (.none, plain) }
        guard flags & 0x40 == 0 else { return (.unknown, plain) }
        guard method == aesMethod else { return (.traditional, plain) }
        // Version, "AE", strength, and the method that is hidden.
        guard let body = extra.body(.aes), body.count == 7, let version = extra.bytes.number16(at: body.lowerBound),
            (1...2).contains(version), extra.bytes.number16(at: body.lowerBound + 2) == 0x4541,
            (1...3).contains(extra.bytes[body.lowerBound + 4]),
            let real = extra.bytes.number16(at: body.lowerBound + 5)
        else { return (.unknown, plain) }
        return (.aes(version: version), CompressionMethod(number: real))
    }
}

// MARK: - Questions

extension DirectoryRecord {
    /// The name as it stands in the archive.
    var rawName: [UInt8] { differingName ?? Array(name.utf8) }

    var rawNameBytes: Int { differingName?.count ?? name.utf8.count }

    /// Whether `other`, which ends with a NUL, is the name as libzip tells it: raw, but for the Unicode field.
    func isNamed(_ other: UnsafePointer<CChar>) -> Bool {
        switch encoding {
        case .unicodeField: return Self.equal(name.utf8, other)
        case .known, .codePage437, .guessed, .mangledUTF8:
            return differingName.map { Self.equal($0, other) } ?? Self.equal(name.utf8, other)
        }
    }

    private static func equal(_ bytes: some Collection<UInt8>, _ other: UnsafePointer<CChar>) -> Bool {
        strlen(other) == bytes.count && bytes.elementsEqual(UnsafeRawBufferPointer(start: other, count: bytes.count))
    }

    var isEncrypted: Bool { encryption != .none }

    /// Whether it is encrypted in WinZip's way without a field that says how.
    var hasUnknownAES: Bool { writtenMethod == Self.aesMethod && encryption == .unknown }

    /// Whether sizes and CRC-32 stand behind the entry's bytes instead of before them.
    var hasDescriptor: Bool { flags & 8 != 0 }

    /// A folder whose name does not say so.
    var isFolder: Bool { isUnix && mode_t(attributes >> 16) & S_IFMT == S_IFDIR && size == 0 }

    /// APPNOTE 4.4.2: Unix and macOS, whose attributes hold a mode.
    private var isUnix: Bool { system == 3 || system == 19 }

    /// "a symbolic link" and the like; `nil` for files and folders.
    var specialKind: String? {
        guard isUnix else { return nil }
        return switch mode_t(attributes >> 16) & S_IFMT {
        case 0, S_IFREG, S_IFDIR: nil
        case S_IFLNK: "a symbolic link"
        default: "a special file (mode \(String(attributes >> 16, radix: 8)))"
        }
    }
}

/// The extra fields of one header (APPNOTE 6.3, section 4.5): a window of `bytes`, parted as far as its lengths hold.
private struct ExtraFields {
    let bytes: [UInt8]
    let range: Range<Int>

    enum ID: UInt16 {
        case zip64 = 0x0001
        case ntfsTimes = 0x000A
        case unixTimes = 0x5455
        case oldUnixTimes = 0x5855
        case unicodePath = 0x7075
        case aes = 0x9901
    }

    /// Where the body of the first field of this kind lies.
    func body(_ id: ID) -> Range<Int>? {
        var index = range.lowerBound
        while range.upperBound - index >= 4, let kind = bytes.number16(at: index),
            let count = bytes.number16(at: index + 2)
        {
            let start = index + 4
            guard Int(count) <= range.upperBound - start else { return nil }
            if kind == id.rawValue { return start..<start + Int(count) }
            index = start + Int(count)
        }
        return nil
    }

    /// The long forms of those of `fields` that are saturated, in ZIP64's order; `nil` where one is not there.
    func widened(_ fields: UInt32?...) -> [UInt64]? {
        guard fields.contains(.max) else { return fields.map { UInt64($0 ?? 0) } }
        guard let body = body(.zip64) else { return nil }
        var index = body.lowerBound
        var wide: [UInt64] = []
        for field in fields {
            guard let field else { return nil }
            guard field == .max else {
                wide.append(UInt64(field))
                continue
            }
            guard index + 8 <= body.upperBound, let value = bytes.number64(at: index) else { return nil }
            wide.append(value)
            index += 8
        }
        return wide
    }

    /// When the file was last changed, by the field that is most exact.
    var modified: EntryDate? {
        if let body = body(.ntfsTimes), body.count >= 32, bytes.number16(at: body.lowerBound + 4) == 1,
            let ticks = bytes.number64(at: body.lowerBound + 8)
        {
            return EntryDate(ntfsTicks: ticks)
        }
        if let body = body(.unixTimes), body.count >= 5, bytes[body.lowerBound] & 1 == 1,
            let seconds = bytes.number32(at: body.lowerBound + 1)
        {
            return EntryDate(unixSeconds: Int32(bitPattern: seconds))
        }
        if let body = body(.oldUnixTimes), body.count >= 8, let seconds = bytes.number32(at: body.lowerBound + 4) {
            return EntryDate(unixSeconds: Int32(bitPattern: seconds))
        }
        return nil
    }
}

/// The header right before an entry's bytes, which must tell what the directory tells (APPNOTE 6.3, section 4.3.7).
///
/// Readers differ in which of the two they believe, so an archive in which they differ shows each reader another file.
struct LocalHeader {
    static let signature: UInt32 = 0x0403_4B50
    static let headerBytes = 30

    let nameBytes: Int
    private let extraBytes: Int

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

/// Numbers as ZIP writes them; `nil` where the bytes end.
extension [UInt8] {
    func number16(at index: Int) -> UInt16? { number(at: index) }
    func number32(at index: Int) -> UInt32? { number(at: index) }
    func number64(at index: Int) -> UInt64? { number(at: index) }

    private func number<T: FixedWidthInteger & UnsignedInteger>(at index: Int) -> T? {
        let width = T.bitWidth / 8
        guard index >= 0, index <= count - width else { return nil }
        var value: T = 0
        for place in 0..<width { value |= T(truncatingIfNeeded: self[index + place]) << T(8 * place) }
        return value
    }

    /// Appends `number`, its lowest byte first.
    mutating func append<T: FixedWidthInteger>(littleEndian number: T) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }
}
