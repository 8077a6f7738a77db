import DaeCore

/// Fetches http and https addresses into a cache.
///
/// Copies share their open connections, and one may run many downloads at once.
package struct Downloader: Sendable {
    let configuration: TransferConfiguration

    /// - Parameters:
    ///   - policy: Where downloads may go; a service that takes addresses from strangers wants a closed one.
    ///   - options: Are the same for every address: headers and token go to each that a download is asked for.
    package init(
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
    package func download(
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
    package func download(
        _ url: String, progress: @escaping @Sendable (DownloadProgress) -> Void = { _ in }
    ) async throws(DownloadError) -> DownloadedFile {
        try await download(DownloadRequest(url), progress: progress)
    }

    /// Copies a file of this machine, named by a `file://` address, into the cache. For addresses that the person who
    /// runs the program chose: whoever may call it may read what the program can.
    package func copy(
        _ request: DownloadRequest, progress: @escaping @Sendable (DownloadProgress) -> Void = { _ in },
        notice: @escaping @Sendable (DownloadNotice) -> Void = { _ in }
    ) async throws(DownloadError) -> DownloadedFile {
        let report = DownloadReport(progress: progress, notice: notice)
        return try await TransferThread.run(request.url) { signal throws(DownloadError) in
            guard let file = FileAddress(request.url) else {
                throw DownloadError(
                    .invalidURL(reason: "no file:// address"), url: HeaderText.addressWithoutUser(request.url))
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
            throw DownloadError(error, url: HeaderText.addressWithoutUser(request.url))
        }
        do throws(DownloadFailure) {
            return try job.run()
        } catch {
            throw DownloadError(error, url: job.place.first, redirectedURL: job.place.last)
        }
    }
}

/// Which of many addresses is next: so many at once, and not too many of one host. Decides, never acts.
package struct DownloadQueue: Sendable {
    private let hosts: [String]
    private let limit: Int
    private let hostLimit: Int
    private var waiting: [Int]
    private var running: [Int: String] = [:]

    /// - Parameters:
    ///   - urls: In the order in which they are begun, where their hosts allow it.
    ///   - limit: At work at once, at least 1.
    ///   - hostLimit: Of these at one host and port, at least 1.
    package init(_ urls: [String], atMost limit: Int, perHost hostLimit: Int) {
        hosts = urls.map { url in
            let rest = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
            return rest.prefix { !"/?#".contains($0) }.split(separator: "@").last.map { $0.lowercased() } ?? ""
        }
        self.limit = max(limit, 1)
        self.hostLimit = max(hostLimit, 1)
        waiting = Array(urls.indices)
    }

    /// The place of an address to begin with now; `nil` while all that wait have to.
    package mutating func next() -> Int? {
        guard running.count < limit else { return nil }
        var counts: [String: Int] = [:]
        for host in running.values { counts[host, default: 0] += 1 }
        guard let place = waiting.firstIndex(where: { counts[hosts[$0], default: 0] < hostLimit }) else { return nil }
        let index = waiting.remove(at: place)
        running[index] = hosts[index]
        return index
    }

    package mutating func end(_ index: Int) { running[index] = nil }
}

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

/// A `file://` address: a file of this machine, which a download copies into the cache. Source: RFC 8089.
private struct FileAddress {
    private let url: String
    /// `nil` where the address names another machine.
    private let path: String?

    /// `nil` for an address of another scheme.
    init?(_ url: String) {
        guard url.prefix(7).lowercased() == "file://" else { return nil }
        self.url = url
        let rest = url.dropFirst(7).prefix { $0 != "#" && $0 != "?" }
        let host = rest.prefix { $0 != "/" }
        path =
            host.isEmpty || host.lowercased() == "localhost"
            ? HeaderText.decode(PercentEncoding.decodedBytes(Array(rest.dropFirst(host.count).utf8))) : nil
    }

    /// Copies it under its digest. Nothing is remembered of where it came from: it is as near as the cache.
    func copy(
        _ request: DownloadRequest, into configuration: TransferConfiguration, stoppedBy signal: StopSignal,
        report: DownloadReport
    ) throws(DownloadError) -> DownloadedFile {
        do throws(DownloadFailure) {
            guard let path else { throw .invalidURL(reason: "a file of another machine") }
            let digest = try request.wantedDigest()
            return try copy(path, verifying: digest.map { [$0] } ?? [], configuration, signal, report)
        } catch {
            throw DownloadError(error, url: url)
        }
    }

    private func copy(
        _ path: String, verifying digests: [SHA256Digest], _ configuration: TransferConfiguration,
        _ signal: StopSignal, _ report: DownloadReport
    ) throws(DownloadFailure) -> DownloadedFile {
        let source: FileByteSource
        do throws(ByteSourceError) { source = try FileByteSource(path: path) } catch { throw DownloadFailure(error) }
        guard source.size <= configuration.limits.bytes else {
            throw .tooLarge(announced: source.size, limit: configuration.limits.bytes)
        }
        let lock = try CacheLock.acquire(
            CacheKey(url: url), in: configuration.cache, isStopped: { signal.isStopped },
            onWait: { report.notice(.waitingForAnotherProcess) })
        let file = PartialFile(holding: lock)
        try file.begin(url: url, validators: Validators(), total: source.size)
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while file.size < source.size {
            guard !signal.isStopped else { throw .cancelled }
            var span = buffer.mutableSpan
            try span.withUnsafeMutableBytes { bytes throws(DownloadFailure) in
                let count: Int
                do throws(ByteSourceError) { count = try source.read(at: file.size, into: bytes) } catch {
                    throw DownloadFailure(error)
                }
                try file.write(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
            }
            report.progress(DownloadProgress(received: file.size, expected: source.size))
        }
        let size = file.size
        let (blob, digest) = try file.commit(verifying: digests)
        return DownloadedFile(
            path: blob, size: size, sha256: digest, url: url, contentType: nil,
            suggestedName: SuggestedName.sanitised(path), origin: .server(resumedAt: 0), findings: [])
    }
}

extension DownloadFailure {
    fileprivate init(_ error: ByteSourceError) {
        self =
            error.isMissing
            ? .noFile(error.subject) : .io(operation: error.operation, subject: error.subject, reason: error.reason)
    }
}
