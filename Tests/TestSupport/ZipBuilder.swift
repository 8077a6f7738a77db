/// Writes ZIP archives by hand, also ones that lie: every number of an entry can be overridden.
public struct ZipBuilder: Sendable {
    public struct Entry: Sendable {
        /// Bytes as they stand in the headers; no encoding is implied.
        public var name: [UInt8]
        /// The packed bytes as they stand in the archive.
        public var payload: [UInt8]
        public var method: UInt16 = 0
        public var flags: UInt16 = 0
        public var crc: UInt32
        public var size: UInt32
        public var compressedSize: UInt32
        /// The system that made it: 0 MS-DOS, 3 Unix, 19 macOS.
        public var system: UInt8 = 3
        /// The Unix mode, with its file type.
        public var mode: UInt16 = 0o100_644
        /// Extra fields, in both headers.
        public var extra: [UInt8] = []
        /// MS-DOS time (low half) and date (high half).
        public var time: UInt32 = 0x5821_0000
        /// What the header before the bytes says otherwise than the directory.
        public var local: (@Sendable (inout Entry) -> Void)?
        /// Where the directory says that the entry lies, instead of where it does.
        public var offset: UInt32?

        /// A stored file that tells the truth.
        public init(_ name: String, _ contents: [UInt8]) {
            self.name = Array(name.utf8)
            payload = contents
            crc = CRC32.of(contents)
            size = UInt32(truncatingIfNeeded: contents.count)
            compressedSize = size
        }
    }

    public var entries: [Entry] = []
    public var comment: [UInt8] = []
    /// What stands in the record at the end instead of the number of entries.
    public var claimedEntries: UInt16?
    /// Writes a ZIP64 record that claims this number of entries.
    public var claimedLongEntries: UInt64?
    /// Bytes before the archive, whose offsets count from behind them where `countsPrefix` is false.
    public var prefix: [UInt8] = []
    public var countsPrefix = true

    public init() {}

    public mutating func add(_ name: String, _ contents: [UInt8], _ change: (inout Entry) -> Void = { _ in }) {
        var entry = Entry(name, contents)
        change(&entry)
        entries.append(entry)
    }

    public mutating func add(_ name: String, _ text: String, _ change: (inout Entry) -> Void = { _ in }) {
        add(name, Array(text.utf8), change)
    }

    /// The same file, deflated.
    public mutating func addDeflated(
        _ name: String, _ contents: [UInt8], _ change: (inout Entry) -> Void = { _ in }
    ) {
        add(name, contents) { entry in
            entry.method = 8
            entry.payload = Deflate.runs(contents)
            entry.compressedSize = UInt32(truncatingIfNeeded: entry.payload.count)
            change(&entry)
        }
    }

    public func bytes() -> [UInt8] {
        var out: [UInt8] = []
        let shift = countsPrefix ? prefix.count : 0
        var directory: [UInt8] = []
        for entry in entries {
            let start = UInt32(truncatingIfNeeded: out.count + shift)
            var local = entry
            entry.local?(&local)
            out += little(UInt32(0x0403_4B50)) + little(UInt16(20)) + common(local) + local.name + local.extra
            out += entry.payload
            directory += little(UInt32(0x0201_4B50)) + [20, entry.system] + little(UInt16(20)) + common(entry)
            directory += little(UInt16(0)) + little(UInt16(0)) + little(UInt16(0))
            directory += little(UInt32(entry.mode) << 16) + little(entry.offset ?? start) + entry.name + entry.extra
        }
        let start = out.count + shift
        out += directory
        if let claimedLongEntries {
            let record = UInt64(out.count + shift)
            out += little(UInt32(0x0606_4B50)) + little(UInt64(44)) + little(UInt16(45)) + little(UInt16(45))
            out += little(UInt32(0)) + little(UInt32(0)) + little(claimedLongEntries) + little(claimedLongEntries)
            out += little(UInt64(directory.count)) + little(UInt64(start))
            out += little(UInt32(0x0706_4B50)) + little(UInt32(0)) + little(record) + little(UInt32(1))
        }
        let count = claimedEntries ?? UInt16(truncatingIfNeeded: entries.count)
        out += little(UInt32(0x0605_4B50)) + little(UInt16(0)) + little(UInt16(0)) + little(count) + little(count)
        out += little(UInt32(truncatingIfNeeded: directory.count)) + little(UInt32(truncatingIfNeeded: start))
        return prefix + out + little(UInt16(truncatingIfNeeded: comment.count)) + comment
    }

    /// What both headers of an entry hold, up to the lengths of name and extra fields.
    private func common(_ entry: Entry) -> [UInt8] {
        let numbers = little(entry.crc) + little(entry.compressedSize) + little(entry.size)
        let lengths = little(UInt16(truncatingIfNeeded: entry.name.count)) + little(UInt16(entry.extra.count))
        return little(entry.flags) + little(entry.method) + little(entry.time) + numbers + lengths
    }

    private func little<T: FixedWidthInteger>(_ number: T) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }
}
