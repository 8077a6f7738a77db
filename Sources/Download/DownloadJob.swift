/// One download from the address given to a file in the cache, redirects included. Blocks its thread.
struct DownloadJob: Sendable {
    let url: String
    let configuration: TransferConfiguration
    let signal: StopSignal
    let progress: @Sendable (DownloadProgress) -> Void

    func run() -> Result<DownloadedFile, DownloadError> {
        var hops: Hops
        do throws(DownloadFailure) {
            try Curl.start()
            hops = Hops(from: try WebAddress(url), under: configuration.pool.settings.policy)
        } catch {
            return .failure(DownloadError(error, url: PrintableText.addressWithoutUser(url)))
        }
        do throws(DownloadFailure) {
            let pool = configuration.pool
            return .success(
                try pool.withLoop { loop throws(DownloadFailure) in try follow(&hops, on: loop) })
        } catch {
            return .failure(DownloadError(error, url: hops.first.display, redirectedURL: hops.address.display))
        }
    }

    /// Leaves in `hops` the address it came to, also when it fails.
    private func follow(_ hops: inout Hops, on loop: TransferLoop) throws(DownloadFailure) -> DownloadedFile {
        while true {
            let transfer = Transfer(configuration, stoppedBy: signal, progress: progress)
            switch try transfer.run(hops.request(), on: loop) {
            case .file(let body):
                guard !signal.isStopped else { throw .cancelled }
                return try body.commit(from: hops.address)
            case .redirect(let location):
                try hops.follow(location, atMost: configuration.limits.redirects)
            }
        }
    }
}
