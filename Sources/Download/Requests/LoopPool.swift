import Synchronization

/// The loops of one downloader, and with them its open connections.
///
/// A connection that is used again is not checked again, so a pool has one policy and one set of options for life. A
/// class because copies of a downloader share it.
final class LoopPool: Sendable {
    /// Unchecked because a loop is either in the list, where none uses it, or with the one job that took it out.
    private struct Idle: @unchecked Sendable {
        let loop: TransferLoop
    }

    /// Loops kept for the next job; more of them end with their job.
    private static let mostIdle = 8

    let settings: NetworkSettings
    private let idle = Mutex<[Idle]>([])

    init(policy: NetworkPolicy, options: RequestOptions) {
        settings = NetworkSettings(policy: policy, options: options)
    }

    /// Lends a loop to one job on this thread, and keeps it with its connections for the next.
    func withLoop<Value>(
        _ body: (TransferLoop) throws(DownloadFailure) -> Value
    ) throws(DownloadFailure) -> Value {
        try Curl.start()
        let loop = if let kept = idle.withLock({ $0.popLast() }) { kept.loop } else { try TransferLoop(settings) }
        do throws(DownloadFailure) {
            let value = try body(loop)
            giveBack(Idle(loop: loop))
            return value
        } catch {
            // Where libcurl itself gave up, nothing of it is used again.
            if case .noResources = error { throw error }
            giveBack(Idle(loop: loop))
            throw error
        }
    }

    private func giveBack(_ loop: Idle) {
        idle.withLock { if $0.count < Self.mostIdle { $0.append(loop) } }
    }
}
