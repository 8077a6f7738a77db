/// Fetches http and https addresses into a cache.
///
/// Copies share their open connections, and one may run many downloads at once.
public struct Downloader: Sendable {
    private let configuration: TransferConfiguration

    /// - Parameters:
    ///   - policy: Where downloads may go; a service that takes addresses from strangers wants a closed one.
    ///   - options: Are the same for every address: headers and token go to each that ``download(_:progress:)`` is given.
    public init(
        cache: DownloadCache, limits: DownloadLimits = DownloadLimits(), policy: NetworkPolicy,
        options: RequestOptions = RequestOptions()
    ) {
        let pool = LoopPool(policy: policy, options: options)
        configuration = TransferConfiguration(cache: cache, limits: limits, pool: pool)
    }

    /// A downloader under the open policy.
    ///
    /// - Parameters:
    ///   - userAgent: What servers are told; control characters are left out.
    ///   - caFile: Certificates to trust instead of the system's, as a PEM file.
    public init(
        cache: DownloadCache, limits: DownloadLimits = DownloadLimits(), userAgent: String = "daedalus",
        caFile: String? = nil
    ) {
        var options = RequestOptions()
        options.userAgent = userAgent
        options.caFile = caFile
        self.init(cache: cache, limits: limits, policy: .open, options: options)
    }

    /// Fetches one address; the file is visible in the cache only once it is whole, and nothing is left of it otherwise.
    ///
    /// Cancelling the task ends the transfer at once, with the error's ``DownloadError/isCancelled`` set.
    ///
    /// - Parameter progress: Called on the transfer's own thread, in order: once before the body's first byte, then
    ///   after every piece. The transfer waits for it.
    /// - Throws: ``DownloadError`` for every kind of failure; no password is ever in its text.
    public func download(
        _ url: String, progress: @escaping @Sendable (DownloadProgress) -> Void = { _ in }
    ) async throws(DownloadError) -> DownloadedFile {
        let signal = StopSignal()
        let job = DownloadJob(url: url, configuration: configuration, signal: signal, progress: progress)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isStarted = TransferThread.start { continuation.resume(returning: job.run()) }
                guard !isStarted else { return }
                let failure = DownloadFailure.noResources(reason: "the system gave no thread")
                continuation.resume(
                    returning: .failure(DownloadError(failure, url: PrintableText.addressWithoutUser(url))))
            }
        } onCancel: {
            signal.stop()
        }
        return try result.get()
    }
}
