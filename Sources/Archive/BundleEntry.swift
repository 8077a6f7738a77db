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
        /// As declared; `nil` outside archives.
        public let crc32: UInt32?
        let location: Location

        /// Where a reader finds the bytes.
        enum Location: Sendable, Hashable {
            case archived(index: Int)
            /// Below the base folder; `rawPath` where the name is not UTF-8.
            case file(rawPath: [UInt8]?)
            /// The bundle's own source.
            case whole
        }

        /// A file that is not packed.
        init(path: String, size: Int64, location: Location) {
            self.init(
                path: path, size: size, compressedSize: size, method: .stored, crc32: nil, location: location)
        }

        init(
            path: String, size: Int64, compressedSize: Int64, method: CompressionMethod, crc32: UInt32?,
            location: Location
        ) {
            self.path = path
            self.size = size
            self.compressedSize = compressedSize
            self.method = method
            self.crc32 = crc32
            self.location = location
        }

        /// The last component of ``path``.
        public var name: String { path.lastComponent }
    }
}

extension String {
    /// What stands after the last slash, slashes at the end aside.
    var lastComponent: String {
        utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? ""
    }
}
