extension Bundle {
    /// One file in a bundle. Valid for the bundle that gave it.
    public struct Entry: Sendable, Hashable {
        /// Parted by `/`, relative to the bundle, without `.` and `..`, never empty.
        public let path: String
        /// Bytes when inflated, as declared.
        public let size: Int64
        /// Bytes in the archive, as declared; ``size`` where there is no archive.
        public let compressedSize: Int64
        public let method: CompressionMethod
        /// As declared; `nil` outside archives, and where encryption has taken its place.
        public let crc32: UInt32?
        /// As the archive tells it; `nil` where it does not, and outside archives.
        public let modified: EntryDate?
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

        public var isEncrypted: Bool { encryption != .none }

        /// The last component of ``path``.
        public var name: String { path.lastComponent }
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
