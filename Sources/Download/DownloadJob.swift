/// One download from the address given to a file in the cache, redirects included. Blocks its thread.
struct DownloadJob: Sendable {
    let url: String
    let configuration: TransferConfiguration
    let signal: StopSignal
    let progress: @Sendable (DownloadProgress) -> Void

    func run() -> Result<DownloadedFile, DownloadError> {
        let first: WebAddress
        do throws(DownloadFailure) {
            try Curl.start()
            first = try WebAddress(url)
        } catch {
            return .failure(DownloadError(error, url: PrintableText.addressWithoutUser(url)))
        }
        var address = first
        do throws(DownloadFailure) {
            return .success(try follow(&address))
        } catch {
            return .failure(DownloadError(error, url: first.display, redirectedURL: address.display))
        }
    }

    /// Leaves in `address` the one it came to, also when it fails.
    private func follow(_ address: inout WebAddress) throws(DownloadFailure) -> DownloadedFile {
        let loop = try TransferLoop(stoppedBy: signal)
        let lock = try CacheLock.acquire(
            CacheKey(url: address.url), in: configuration.cache, isStopped: { signal.isStopped }, onWait: {})
        let file = PartialFile(holding: lock)
        var redirects = 0
        while true {
            let transfer = Transfer(address, to: file, configuration, stoppedBy: signal, progress: progress)
            switch try transfer.run(on: loop) {
            case .file(let body):
                guard !signal.isStopped else { throw .cancelled }
                return try body.commit(from: address)
            case .redirect(let location):
                guard redirects < configuration.limits.redirects else {
                    throw .tooManyRedirects(limit: configuration.limits.redirects)
                }
                redirects += 1
                address = try address.following(location)
            }
        }
    }
}
