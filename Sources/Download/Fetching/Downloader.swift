/// Fetches http and https addresses into a cache.
///
/// Copies share their open connections, and one may run many downloads at once.
public struct Downloader: Sendable {
    let configuration: TransferConfiguration

    /// - Parameters:
    ///   - policy: Where downloads may go; a service that takes addresses from strangers wants a closed one.
    ///   - options: Are the same for every address: headers and token go to each that a download is asked for.
    public init(
        cache: DownloadCache, limits: DownloadLimits = DownloadLimits(), policy: NetworkPolicy = .open,
        options: RequestOptions = RequestOptions()
    ) {
        self.init(cache: cache, limits: limits, policy: policy, options: options, environment: .live)
    }

    init(
        cache: DownloadCache, limits: DownloadLimits, policy: NetworkPolicy, options: RequestOptions,
        environment: FetchEnvironment
    ) {
        configuration = TransferConfiguration(
            cache: cache, limits: limits, pool: LoopPool(policy: policy, options: options), environment: environment)
    }

    /// Fetches one address; the file is visible in the cache only once it is whole and verified. What came of a transfer
    /// that failed is kept where the next can go on from it.
    ///
    /// Cancelling the task ends the transfer at once, with the error's ``DownloadError/isCancelled`` set.
    ///
    /// - Parameters:
    ///   - progress: Called on the transfer's own thread, in order: once before a body's first byte, then after every
    ///     piece. The transfer waits for it.
    ///   - notice: The same, for what a person should know of the way.
    ///   - arriving: Gets the file, on the same thread, once its first bytes are on their way, to be read by others while it
    ///     arrives; again where it is begun anew. Not where its size is not known, or what is sent is packed.
    /// - Throws: ``DownloadError`` for every kind of failure; no password is ever in its text.
    public func download(
        _ request: DownloadRequest, progress: @escaping @Sendable (DownloadProgress) -> Void = { _ in },
        notice: @escaping @Sendable (DownloadNotice) -> Void = { _ in },
        arriving: (@Sendable (ArrivingFile) -> Void)? = nil
    ) async throws(DownloadError) -> DownloadedFile {
        let report = DownloadReport(progress: progress, notice: notice, arriving: arriving)
        return try await TransferThread.run(request.url) { signal throws(DownloadError) in
            try download(request, stoppedBy: signal, report: report)
        }
    }

    /// As ``download(_:progress:notice:arriving:)``, of nothing but an address.
    public func download(
        _ url: String, progress: @escaping @Sendable (DownloadProgress) -> Void = { _ in }
    ) async throws(DownloadError) -> DownloadedFile {
        try await download(DownloadRequest(url), progress: progress)
    }

    /// Copies a file of this machine, named by a `file://` address, into the cache. For addresses that the person who
    /// runs the program chose: whoever may call it may read what the program can.
    public func copy(
        _ request: DownloadRequest, progress: @escaping @Sendable (DownloadProgress) -> Void = { _ in },
        notice: @escaping @Sendable (DownloadNotice) -> Void = { _ in }
    ) async throws(DownloadError) -> DownloadedFile {
        let report = DownloadReport(progress: progress, notice: notice)
        return try await TransferThread.run(request.url) { signal throws(DownloadError) in
            guard let file = FileAddress(request.url) else {
                throw DownloadError(
                    .invalidURL(reason: "no file:// address"), url: PrintableText.addressWithoutUser(request.url))
            }
            return try file.copy(request, into: configuration, stoppedBy: signal, report: report)
        }
    }

    /// The same on the calling thread.
    func download(
        _ request: DownloadRequest, stoppedBy signal: StopSignal, report: DownloadReport
    ) throws(DownloadError) -> DownloadedFile {
        let job: DownloadJob
        do throws(DownloadFailure) {
            job = try DownloadJob(request, configuration, stoppedBy: signal, report: report)
        } catch {
            throw DownloadError(error, url: PrintableText.addressWithoutUser(request.url))
        }
        do throws(DownloadFailure) {
            return try job.run()
        } catch {
            throw DownloadError(error, url: job.place.first, redirectedURL: job.place.last)
        }
    }
}
