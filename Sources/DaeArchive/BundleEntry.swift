extension Bundle {
    /// One file in a bundle. Valid for the bundle that gave it.
    package struct Entry: Sendable, Hashable {
        /// Parted by `/`, relative to the bundle, without `.` and `..`, never empty.
        package let path: String
        /// Bytes when inflated, as declared.
        package let size: Int64
        /// Bytes in the archive, as declared; ``size`` where there is no archive.
        package let compressedSize: Int64
        package let method: CompressionMethod
        /// As declared; `nil` outside archives, and where encryption has taken its place.
        package let crc32: UInt32?
        /// As the archive tells it; `nil` where it does not, and outside archives.
        package let modified: EntryDate?
        let encryption: DirectoryRecord.Encryption
        let location: Location

        /// Where a reader finds the bytes.
        enum Location: Sendable, Hashable {
            case archived(Archived)
            /// Below the base folder; `rawPath` where the name is not UTF-8.
            case file(rawPath: [UInt8]?)
            /// The bundle's own source.
            case whole
            /// In another bundle, which lies within or around.
            case inner(Inner)
        }

        struct Archived: Sendable, Hashable {
            /// In the archive's directory.
            let index: Int
            let start: Start
        }

        enum Start: Sendable, Hashable {
            /// Of the first packed byte, in the archive; the header before it agrees with the directory.
            case at(Int64)
            /// Behind a header that was not read yet, for the archive is far away.
            case behindHeader
        }

        /// A file that is not packed.
        init(path: String, size: Int64, location: Location) {
            self.path = path
            self.size = size
            compressedSize = size
            method = .stored
            crc32 = nil
            modified = nil
            encryption = .none
            self.location = location
        }

        /// - Parameter record: Its sizes are known to fit into the archive and the budgets.
        init(path: String, _ record: DirectoryRecord, _ archived: Archived) {
            self.path = path
            size = Int64(clamping: record.size)
            compressedSize = Int64(clamping: record.compressedSize)
            method = record.method
            crc32 =
                switch record.encryption {
                case .none, .traditional, .aes(version: 1): record.crc32
                case .aes, .unknown: nil
                }
            modified = record.modified
            encryption = record.encryption
            location = .archived(archived)
        }

        /// A file that the bundle leads to and another one holds.
        init(path: String, _ inner: Inner) {
            self.path = path
            let entry = inner.entry
            (size, compressedSize, method) = (entry.size, entry.compressedSize, entry.method)
            (crc32, modified, encryption) = (entry.crc32, entry.modified, entry.encryption)
            location = .inner(inner)
        }

        package var isEncrypted: Bool { encryption != .none }

        /// The last component of ``path``.
        package var name: String { path.lastComponent }
    }
}

extension String {
    /// What stands after the last slash, slashes at the end aside.
    var lastComponent: String {
        let slash = UInt8(ascii: "/")
        guard let last = utf8.lastIndex(where: { $0 != slash }) else { return "" }
        let start = utf8[..<last].lastIndex(of: slash).map { utf8.index(after: $0) } ?? startIndex
        return String(Substring(utf8[start...last]))
    }
}

extension Bundle.Entry {
    /// What an entry is for, as far as its path alone tells.
    package enum Role: String, Sendable, Hashable, CaseIterable {
        /// A COLLADA document.
        case document
        case image
        /// What says where the scene or its resources are.
        case manifest
        /// A bundle within the bundle.
        case archive
        /// What a file manager left behind: no content of the bundle.
        case junk
        case other
    }

    package var role: Role {
        // Asked for every entry of archives that have hundreds of thousands: bytes are compared where they lie.
        var text = path
        return text.withUTF8(Self.role)
    }

    private static func role(_ path: UnsafeBufferPointer<UInt8>) -> Role {
        if isJunk(path) { return .junk }
        let start = path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? path.startIndex
        let name = path[start...]
        if let role = rolesByName[PackedWord(name)] { return role }
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > start else { return .other }
        return rolesByEnding[PackedWord(name[(dot + 1)...])] ?? .other
    }

    private static let rolesByName = roles([
        .manifest: ["manifest.xml", "doc.kml", "package.xml", "model.config", "textures.txt"]
    ])
    private static let rolesByEnding = roles([
        .document: ["dae"], .archive: ["zip", "zae", "kmz"], .manifest: ["kml"],
        .image: [
            "png", "jpg", "jpeg", "tga", "bmp", "gif", "tif", "tiff", "dds", "ktx", "ktx2", "webp", "psd", "hdr",
            "exr", "svg",
        ],
    ])

    private static func roles(_ words: [Role: [String]]) -> [PackedWord: Role] {
        var roles: [PackedWord: Role] = [:]
        for (role, words) in words {
            for word in words { roles[PackedWord(word.utf8)] = role }
        }
        return roles
    }

    /// Whether it is what a file manager left behind: `__MACOSX/…`, `._…`, `.DS_Store`, `Thumbs.db`, `desktop.ini`.
    package var isJunk: Bool {
        // Asked for every entry of archives that have hundreds of thousands: bytes are compared where they lie.
        var text = path
        return text.withUTF8(Self.isJunk)
    }

    private static func isJunk(_ path: UnsafeBufferPointer<UInt8>) -> Bool {
        let slash = UInt8(ascii: "/")
        var start = path.startIndex
        while let end = path[start...].firstIndex(of: slash) {
            if end - start == 8, path[start..<end].elementsEqual("__MACOSX".utf8) { return true }
            start = end + 1
        }
        let name = path[start...]
        if name.starts(with: "._".utf8) { return true }
        guard (8...11).contains(name.count) else { return false }
        return ["ds_store", ".ds_store", "thumbs.db", "desktop.ini"].contains { junk in
            name.elementsEqual(junk.utf8) { $0 | 0x20 == $1 || $0 == $1 }
        }
    }
}

/// A word of up to 15 bytes in one number, ASCII letters small; all longer words are equal to each other.
private struct PackedWord: Hashable {
    private let low: UInt64
    private let high: UInt64

    init(_ bytes: some Collection<UInt8>) {
        var (low, high): (UInt64, UInt64) = (0, 0)
        guard bytes.count < 16 else {
            (self.low, self.high) = (.max, .max)
            return
        }
        for byte in bytes {
            high = high << 8 | low >> 56
            low = low << 8 | UInt64((0x41...0x5A).contains(byte) ? byte | 0x20 : byte)
        }
        (self.low, self.high) = (low, high)
    }
}

/// How an entry's bytes are packed, by the numbers of the ZIP specification (APPNOTE 6.3, section 4.4.5).
package enum CompressionMethod: Sendable, Hashable {
    case stored
    case deflated
    case deflate64
    case bzip2
    case lzma
    case zstandard
    case xz
    case other(UInt16)

    package init(number: UInt16) {
        switch number {
        case 0: self = .stored
        case 8: self = .deflated
        case 9: self = .deflate64
        case 12: self = .bzip2
        case 14: self = .lzma
        case 93: self = .zstandard
        case 95: self = .xz
        default: self = .other(number)
        }
    }

    package var number: UInt16 {
        switch self {
        case .stored: 0
        case .deflated: 8
        case .deflate64: 9
        case .bzip2: 12
        case .lzma: 14
        case .zstandard: 93
        case .xz: 95
        case .other(let number): number
        }
    }
}

extension CompressionMethod: CustomStringConvertible {
    package var description: String {
        switch self {
        case .stored: "stored"
        case .deflated: "deflate"
        case .deflate64: "deflate64"
        case .bzip2: "bzip2"
        case .lzma: "LZMA"
        case .zstandard: "Zstandard"
        case .xz: "XZ"
        case .other(let number): "method \(number)"
        }
    }
}

/// When an entry's file was last changed, to the second.
package struct EntryDate: Sendable, Hashable {
    package enum Zone: Sendable, Hashable {
        /// The zone of the machine that packed it, which ZIP does not name.
        case unknown
        case utc
    }

    /// From 1970-01-01 00:00:00 in its zone, without leap seconds.
    package let seconds: Int64
    package let zone: Zone

    /// `nil` where month or day are 0, as writers without a clock put them, or cannot be.
    init?(dosDate date: UInt16, time: UInt16) {
        let (year, month, day) = (Int64(date >> 9) + 1980, Int64(date >> 5 & 15), Int64(date & 31))
        let (hour, minute, second) = (Int64(time >> 11), Int64(time >> 5 & 63), Int64(time & 31) * 2)
        guard (1...12).contains(month), day >= 1, hour < 24, minute < 60, second < 60 else { return nil }
        seconds = Self.days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second
        zone = .unknown
    }

    init(unixSeconds: Int32) {
        seconds = Int64(unixSeconds)
        zone = .utc
    }

    /// - Parameter ticks: Of 100 ns from 1601 on.
    init?(ntfsTicks ticks: UInt64) {
        seconds = Int64(ticks / 10_000_000) - 11_644_473_600
        zone = .utc
        // Beyond the year 9999 ISO 8601 needs another form.
        guard seconds < 253_402_300_800 else { return nil }
    }

    /// Days from 1970-01-01 in the Gregorian calendar, of which a year is taken to begin in March.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shifted = month > 2 ? year : year - 1
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private var calendarDay: (year: Int64, month: Int64, day: Int64) {
        let days = (seconds - Self.secondOfDay(seconds)) / 86_400 + 719_468
        let era = days / 146_097
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let year = yearOfEra + era * 400 + (month < 10 ? 0 : 1)
        return (year, month < 10 ? month + 3 : month - 9, dayOfYear - (153 * month + 2) / 5 + 1)
    }

    private static func secondOfDay(_ seconds: Int64) -> Int64 { ((seconds % 86_400) + 86_400) % 86_400 }
}

extension EntryDate: CustomStringConvertible {
    /// ISO 8601: `2024-01-31T12:00:00`, with `Z` behind it where it is UTC.
    package var description: String {
        var text: [UInt8] = []
        text.reserveCapacity(24)
        write(to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends ``description``, in ASCII: a listing has hundreds of thousands of them.
    package func write(to text: inout [UInt8]) {
        let (year, month, day) = calendarDay
        let second = Self.secondOfDay(seconds)
        func add(_ number: Int64, before mark: Unicode.Scalar?) {
            text.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / 10 % 10))
            text.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
            if let mark { text.append(UInt8(ascii: mark)) }
        }
        if (1000...9999).contains(year) {
            add(year / 100, before: nil)
            add(year % 100, before: "-")
        } else {
            text += "\(year)-".utf8
        }
        add(month, before: "-")
        add(day, before: "T")
        add(second / 3600, before: ":")
        add(second / 60 % 60, before: ":")
        add(second % 60, before: nil)
        switch zone {
        case .unknown: break
        case .utc: text.append(UInt8(ascii: "Z"))
        }
    }
}
