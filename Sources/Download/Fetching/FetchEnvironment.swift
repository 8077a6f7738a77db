import Glibc

/// What a fetch needs of the world beside files and sockets; a test brings its own.
struct FetchEnvironment: Sendable {
    /// Unix seconds.
    var now: @Sendable () -> Int64
    /// 0..<1, for the part of a pause that is left to chance.
    var chance: @Sendable () -> Double
    /// Waits that many seconds, or until the signal stops.
    var pause: @Sendable (Double, TransferLoop, StopSignal) throws(DownloadFailure) -> Void

    static let live = FetchEnvironment(
        now: {
            var time = timespec()
            clock_gettime(CLOCK_REALTIME, &time)
            return Int64(time.tv_sec)
        },
        chance: { .random(in: 0..<1) },
        pause: { seconds, loop, signal throws(DownloadFailure) in try loop.wait(seconds, stoppedBy: signal) })
}
