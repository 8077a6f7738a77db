import DaeCore
import DaeDiagnostics
import Synchronization

/// How much of an archive is believed and read; beyond it the archive is refused.
public struct ArchiveLimits: Sendable, Hashable {
    /// The bytes that all entries together may declare.
    public enum Inflated: Sendable, Hashable {
        /// `factor` times the archive's size, but at least `floor` and at most `ceiling`.
        case scaled(factor: Int64, floor: Int64, ceiling: Int64)
        case fixed(Int64)

        /// Bytes, for an archive of `size` bytes.
        package func bytes(forArchiveOf size: Int64) -> Int64 {
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
    /// Bytes that all entries together may inflate to.
    public var inflatedBytes: Inflated
    /// Inflated bytes for one compressed byte, in entries of more than `ratioThreshold` bytes.
    public var ratio: Int64
    package var ratioThreshold: Int64
    /// Archives that may lie one within the other, below the outermost.
    public var nestingDepth: Int
    /// Archives within a bundle, at every level, that are open at a time.
    package var nestedArchives: Int
    /// Bytes in the name of one entry.
    package var nameBytes: Int
    /// Bytes of the directory as a whole, names, extra fields and comments with it.
    package var directoryBytes: Int64

    /// The defaults, and what is given otherwise.
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

// An archive of archives of archives multiplies: what each of them may take is of no use where all of them are opened.

/// What the archives within one bundle, at every level, may take together. A class since all of them share it.
final class NestingAccount: Sendable {
    struct Amount {
        /// That their entries declare.
        var bytes: Int64 = 0
        var entries = 0
        /// Of archives that were packed and are kept in memory.
        var memory: Int64 = 0
        var archives = 0
    }

    private let left: Mutex<Amount>
    private let log = Mutex(FindingLog())

    /// Bytes of packed archives that are kept in memory; of the others there are files without a name.
    private static let memory: Int64 = 8 << 20

    /// - Parameter bytes: What the outermost bundle's own entries leave of the budget.
    init(bytes: Int64, limits: ArchiveLimits) {
        left = Mutex(
            Amount(
                bytes: max(0, bytes), entries: limits.entryCount, memory: Self.memory,
                archives: limits.nestedArchives))
    }

    /// What is left at the moment.
    var amount: Amount { left.withLock { $0 } }

    /// What one archive has taken, until nobody has it any more. A class for its end.
    final class Claim: Sendable {
        private let account: NestingAccount
        private let taken = Mutex(Amount())

        fileprivate init(of account: NestingAccount) { self.account = account }

        deinit {
            let taken = taken.withLock { $0 }
            account.left.withLock { $0.add(taken) }
        }

        /// Takes nothing and is `false` where so much is not left.
        func take(_ amount: Amount) -> Bool {
            let isLeft = account.left.withLock { left in
                guard left.holds(amount) else { return false }
                left.subtract(amount)
                return true
            }
            if isLeft { taken.withLock { $0.add(amount) } }
            return isLeft
        }
    }

    /// Of one archive; `nil` where no more may be open.
    func claim() -> Claim? {
        let claim = Claim(of: self)
        return claim.take(.init(archives: 1)) ? claim : nil
    }

    /// Takes down why an archive that a path led into could not be opened.
    ///
    /// - Parameter path: From the outermost bundle.
    func tell(_ error: CodedFailure, at path: String) {
        log.withLock { log in
            log.add(
                error.code, at: Place(entry: path.printable(limit: 200)),
                "a path leads into \(path.printable(limit: 200).quoted()), which cannot be opened: \(error.message)",
                arguments: [.init("archive", path)], severity: .warning)
        }
    }

    var findings: FindingLog { log.withLock { $0 } }
}

extension NestingAccount.Amount {
    fileprivate func holds(_ other: Self) -> Bool {
        other.bytes <= bytes && other.entries <= entries && other.memory <= memory && other.archives <= archives
    }

    fileprivate mutating func add(_ other: Self) {
        bytes += other.bytes
        entries += other.entries
        memory += other.memory
        archives += other.archives
    }

    fileprivate mutating func subtract(_ other: Self) {
        bytes -= other.bytes
        entries -= other.entries
        memory -= other.memory
        archives -= other.archives
    }
}

/// What an archive within a bundle has of the bundles around it.
struct Nesting: Sendable {
    let account: NestingAccount
    /// From the outermost bundle, with a slash at the end; empty for that one itself.
    let path: String
    /// `nil` for the outermost.
    let claim: NestingAccount.Claim?
}
