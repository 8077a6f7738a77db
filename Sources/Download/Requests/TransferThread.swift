import Threading

/// Runs blocking work beside Swift's own pool of threads, which must never be blocked.
enum TransferThread {
    /// Runs blocking work on a thread of its own, which is gone when this returns. Cancelling the task stops the signal.
    static func run<Value: Sendable>(
        _ url: String, _ work: @escaping @Sendable (StopSignal) throws(DownloadError) -> Value
    ) async throws(DownloadError) -> Value {
        let signal = StopSignal()
        let result = await withTaskCancellationHandler {
            await JoinedThread.run { Result { () throws(DownloadError) in try work(signal) } }
        } onCancel: {
            signal.stop()
        }
        guard let result else {
            let failure = DownloadFailure.noResources(reason: "the system gave no thread")
            throw DownloadError(failure, url: PrintableText.addressWithoutUser(url))
        }
        return try result.get()
    }
}
