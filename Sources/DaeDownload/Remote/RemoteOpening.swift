import DaeCore

extension Downloader {
    /// Opens an address for reading here and there: by ranges where the file is large, its first bytes are such that
    /// reading parts may do, and the server can; else by a download of the whole.
    ///
    /// What the cache has and may be used goes first, and so does a digest that was asked for: it takes the whole.
    ///
    /// - Parameters:
    ///   - least: Bytes; a smaller file is downloaded.
    ///   - arriving: As of ``download(_:progress:notice:arriving:)``, where the whole is downloaded.
    ///   - mayBeRead: Whether the first bytes (up to 32 KiB) are of a kind that need not be read as a whole.
    package func open(
        _ request: DownloadRequest, byRangesFrom least: Int64 = 1 << 20,
        where mayBeRead: @escaping @Sendable ([UInt8]) -> Bool,
        progress: @escaping @Sendable (DownloadProgress) -> Void = { _ in },
        notice: @escaping @Sendable (DownloadNotice) -> Void = { _ in },
        arriving: (@Sendable (ArrivingFile) -> Void)? = nil
    ) async throws(DownloadError) -> OpenedAddress {
        let report = DownloadReport(progress: progress, notice: notice, arriving: arriving)
        return try await TransferThread.run(request.url) { signal throws(DownloadError) in
            let opening: RemoteOpening
            do throws(DownloadFailure) {
                opening = try RemoteOpening(request, configuration, stoppedBy: signal)
            } catch {
                throw DownloadError(error, url: HeaderText.addressWithoutUser(request.url))
            }
            do throws(DownloadFailure) {
                if let remote = try opening.run(least: least, mayBeRead, report) { return .remote(remote) }
            } catch  where !error.isTriedAgain {
                throw DownloadError(error, url: opening.place.first, redirectedURL: opening.place.last)
            } catch {}  // the download tries again, and tells
            return .whole(try download(request, stoppedBy: signal, report: report))
        }
    }
}

/// Asks for the first bytes of a file, to see whether it can be read by ranges. A class as answers come back to it.
private final class RemoteOpening {
    private let request: DownloadRequest
    private let configuration: TransferConfiguration
    private let signal: StopSignal
    private let first: WebAddress
    private let digest: SHA256Digest?
    private var hops: Hops
    private var head = ResponseHead()
    private var start: [UInt8] = []

    init(
        _ request: DownloadRequest, _ configuration: TransferConfiguration, stoppedBy signal: StopSignal
    ) throws(DownloadFailure) {
        (self.request, self.configuration, self.signal) = (request, configuration, signal)
        digest = try request.wantedDigest()
        first = try WebAddress(request.url)
        hops = Hops(from: first, under: configuration.pool.settings.policy)
    }

    var place: (first: String, last: String) { (first.display, hops.address.display) }

    /// `nil` where the whole is to be downloaded.
    func run(
        least: Int64, _ mayBeRead: ([UInt8]) -> Bool, _ report: DownloadReport
    ) throws(DownloadFailure) -> RemoteFile? {
        guard digest == nil, request.mode != .offline, !isInCache else { return nil }
        try ask()
        guard case .part(.part(0, let last, let size?)) = head.kind, size >= least, head.contentCoding == nil,
            Int64(start.count) == last + 1, head.validators.strong != nil, mayBeRead(start)
        else { return nil }
        let ranges = RangeRequests(
            hops: hops, .init(validators: head.validators, size: size), retries: request.retries, configuration, signal,
            report)
        let name = place.last
        do throws(ByteSourceError) {
            return RemoteFile(
                source: try RemoteByteSource(name: name, size: size, start: start, fetch: ranges.fetch), url: name,
                contentType: head.contentType,
                suggestedName: SuggestedName.make(disposition: head.contentDisposition, path: hops.address.path),
                signal: signal)
        } catch {
            throw .io(operation: error.operation, subject: error.subject, reason: error.reason)
        }
    }

    /// Whatever the cache has is asked about by the download, which may find it unchanged, or go on with it.
    private var isInCache: Bool {
        let key = CacheKey(url: first.url, variant: configuration.pool.settings.options.cacheVariant)
        return request.mode == .revalidate && configuration.cache.reference(for: key) != nil
    }

    private func ask() throws(DownloadFailure) {
        try configuration.pool.withLoop { loop throws(DownloadFailure) in
            while true {
                let transfer = Transfer(
                    headerLimit: configuration.limits.headerBytes, stoppedBy: signal,
                    receiver: Transfer.Receiver(
                        head: { head throws(DownloadFailure) in
                            self.head = head
                            if case .part = head.kind { return .taken }
                            return .ignored
                        },
                        body: { bytes throws(DownloadFailure) in
                            let room = Int(ReadAhead.block) - self.start.count
                            self.start += bytes.prefix(room)
                        }))
                let fields = [Request.Field.range(from: 0, through: ReadAhead.block - 1)]
                let outcome = try transfer.run(hops.request(.get, fields), within: configuration.limits, on: loop)
                guard case .redirect(let location) = outcome else { return }
                try hops.follow(location, atMost: configuration.limits.redirects)
            }
        }
    }
}

/// A file on a server that is read by ranges.
package struct RemoteFile: Sendable {
    package let source: RemoteByteSource
    /// After all redirects; without user name, password and fragment.
    package let url: String
    package let contentType: String?
    /// As ``DownloadedFile/suggestedName``.
    package let suggestedName: String
    let signal: StopSignal

    /// Ends all reading for good: whoever waits for the server, or will, gets an error.
    package func stop() { signal.stop() }
}

/// Where the bytes of an address are read from.
package enum OpenedAddress: Sendable {
    /// Its server, a range at a time.
    case remote(RemoteFile)
    /// The cache, as a whole.
    case whole(DownloadedFile)
}
