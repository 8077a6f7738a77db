import ByteSource
import Diagnostics
import Download
import Inspection
import Synchronization

extension AssetOperations.LiveOptions {
    /// How images and documents on the web are got; `nil` where they are only reported.
    var webFetch: WebFetch? {
        switch webImages {
        case .reported: return nil
        case .fetched:
            let options = self
            return WebFetch { url, limit, isCancelled in
                WorkThread.wait(isCancelled: isCancelled) { await options.get(url, limit) }
            }
        }
    }

    private func get(_ url: String, _ limit: Int64) async -> WebFetch.Answer {
        let received = Received()
        do throws(DownloadError) {
            let file = try await partDownloader(most: limit).download(request(url)) { received.set($0.received) }
            do throws(ByteSourceError) {
                return .file(try FileByteSource(path: file.path))
            } catch { return .failed(.ioError, message: error.description, received: file.size) }
        } catch { return .failed(error.code, message: error.messageOfPart, received: received.bytes) }
    }

    /// - Parameter most: Bytes of one download, if the limits do not say less.
    private func partDownloader(most: Int64) -> Downloader {
        var limits = downloadLimits
        limits.bytes = min(limits.bytes, most)
        return Downloader(cache: cache, limits: limits, policy: web.imagePolicy, options: web.imageRequests)
    }

    private func request(_ url: String) -> DownloadRequest {
        var request = DownloadRequest(url, mode: web.mode)
        request.retries = web.retries
        return request
    }
}

extension DownloadError {
    /// The message where the file was to be an image or a document of a scene, not a source.
    fileprivate var messageOfPart: String {
        let place = url + (redirectedURL.map { " (redirected to \($0))" } ?? "")
        if let status { return "\(place): HTTP \(status)" }
        if code == .downloadContentTypeMismatch { return "\(place): the server sent a page, not the file" }
        if code == .downloadURLInvalid { return "\(place): only addresses of http and https are asked for" }
        return message
    }
}

/// A class since the transfer's thread counts and another reads.
private final class Received: Sendable {
    private let count = Atomic<Int64>(0)

    var bytes: Int64 { count.load(ordering: .relaxed) }

    func set(_ bytes: Int64) { count.store(bytes, ordering: .relaxed) }
}
