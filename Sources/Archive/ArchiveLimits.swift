/// How much of an archive is believed and read; beyond it the archive is refused.
public struct ArchiveLimits: Sendable, Hashable {
    /// The bytes that all entries together may declare.
    public enum Inflated: Sendable, Hashable {
        /// `factor` times the archive's size, but at least `floor` and at most `ceiling`.
        case scaled(factor: Int64, floor: Int64, ceiling: Int64)
        case fixed(Int64)

        /// Bytes, for an archive of `size` bytes.
        public func bytes(forArchiveOf size: Int64) -> Int64 {
            switch self {
            case .scaled(let factor, let floor, let ceiling):
                let (product, overflow) = size.multipliedReportingOverflow(by: factor)
                return min(max(floor, overflow ? .max : product), ceiling)
            case .fixed(let bytes):
                return bytes
            }
        }

        /// The same, but never more than `most` bytes.
        func capped(at most: Int64) -> Inflated {
            switch self {
            case .scaled(let factor, let floor, let ceiling):
                .scaled(factor: factor, floor: min(floor, most), ceiling: min(ceiling, most))
            case .fixed(let bytes): .fixed(min(bytes, most))
            }
        }
    }

    /// Entries in an archive, or files and folders in a folder.
    public var entryCount: Int
    public var inflatedBytes: Inflated
    /// Inflated bytes for one compressed byte, in entries of more than ``ratioThreshold`` bytes.
    public var ratio: Int64
    public var ratioThreshold: Int64
    /// Archives that may lie one within the other, below the outermost.
    public var nestingDepth: Int
    /// Archives within a bundle, at every level, that are open at a time.
    public var nestedArchives: Int
    /// Bytes in the name of one entry.
    public var nameBytes: Int
    /// Bytes of the directory as a whole, names, extra fields and comments with it.
    public var directoryBytes: Int64

    public init(
        entryCount: Int = 200_000,
        inflatedBytes: Inflated = .scaled(factor: 100, floor: 4 << 30, ceiling: 16 << 30), ratio: Int64 = 200,
        ratioThreshold: Int64 = 64 << 20, nestingDepth: Int = 3, nestedArchives: Int = 64, nameBytes: Int = 4096,
        directoryBytes: Int64 = 64 << 20
    ) {
        self.entryCount = entryCount
        self.inflatedBytes = inflatedBytes
        self.ratio = ratio
        self.ratioThreshold = ratioThreshold
        self.nestingDepth = nestingDepth
        self.nestedArchives = nestedArchives
        self.nameBytes = nameBytes
        self.directoryBytes = directoryBytes
    }
}
