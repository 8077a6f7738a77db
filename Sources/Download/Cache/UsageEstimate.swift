import Synchronization

/// How large a cache was when this process last counted, and what the process has added since, so that not every
/// download counts all files anew. A class because all copies of a cache share it.
final class UsageEstimate: Sendable {
    /// `nil` until counted.
    private let bytes = Mutex<Int64?>(nil)

    /// The estimate with what was added now.
    func adding(_ count: Int64) -> Int64? {
        bytes.withLock { bytes in
            guard let known = bytes else { return nil }
            let (sum, isTooLarge) = known.addingReportingOverflow(count)
            bytes = isTooLarge ? .max : sum
            return bytes
        }
    }

    func set(_ count: Int64?) { bytes.withLock { $0 = count } }
}
