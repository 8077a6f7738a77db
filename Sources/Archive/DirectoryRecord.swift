import Glibc

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
