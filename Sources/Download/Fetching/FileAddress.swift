import ByteSource
import ContentHash

/// A `file://` address: a file of this machine, which a download copies into the cache. Source: RFC 8089.
struct FileAddress {
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
            ? PrintableText.decode(SuggestedName.percentDecoded(Array(rest.dropFirst(host.count).utf8))) : nil
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
