import FoundationEssentials
import Glibc

/// What a client has of the machine.
package struct S3Environment: Sendable {
    /// Seconds since 1970.
    package var now: @Sendable () -> Int64
    /// Waits that many seconds; throws when the task is cancelled.
    package var pause: @Sendable (Double) async throws -> Void
    /// 0..<1, for the part of a pause that is left to chance.
    package var chance: @Sendable () -> Double
    package var variables: [String: String]

    package static let live = S3Environment(
        now: {
            var time = timespec()
            clock_gettime(CLOCK_REALTIME, &time)
            return Int64(time.tv_sec)
        },
        pause: { try await Task.sleep(for: .seconds($0)) }, chance: { .random(in: 0..<1) },
        variables: ProcessInfo.processInfo.environment)
}
