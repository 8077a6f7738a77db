public import ContentHash
public import Download

/// How addresses are asked for.
public struct WebAccess: Sendable {
    /// How an archive on a server is read.
    public enum Reading: Sendable, Hashable {
        /// Only the parts that are needed, where the server can send parts; nothing of it goes into the cache.
        case byRanges
        /// Downloaded as a whole into the cache.
        case whole
    }

    /// Whether a lone document is read while it still arrives. Its findings and its scene are the same either way, and
    /// nobody gets them before its last byte is verified.
    public enum Overlap: Sendable, Hashable {
        case never
        /// For documents of at least so many bytes: a small one is read sooner than another thread has begun.
        case from(bytes: Int64)
    }

    /// For the sources themselves: whoever runs the program, or the service's rules, chose them.
    public var policy = NetworkPolicy.open
    /// For images that a scene refers to: whoever wrote the document chose them. Headers and tokens do not go there.
    public var imagePolicy = NetworkPolicy.publicHosts
    public var requests: RequestOptions
    public var mode = CacheMode.revalidate
    public var retries = RetryPolicy()
    /// What each source must hash to; such a source is downloaded as a whole.
    public var sha256: SHA256Digest?
    public var reading = Reading.byRanges
    public var overlap = Overlap.from(bytes: 256 << 10)
    /// Told how far a document was read that still arrives, on the reading's own thread.
    var readAhead: @Sendable (Int64) -> Void = { _ in }
    /// What a person who waits should know; on a transfer's own thread.
    public var notice: @Sendable (DownloadNotice) -> Void = { _ in }

    public init() {
        requests = RequestOptions()
        requests.userAgent = "daedalus/0.1"
    }

    func request(_ url: String) -> DownloadRequest {
        var request = DownloadRequest(url, sha256: sha256, mode: mode)
        request.retries = retries
        return request
    }

    /// The requests for images.
    var imageRequests: RequestOptions {
        var options = RequestOptions()
        options.userAgent = requests.userAgent
        options.caFile = requests.caFile
        options.log = requests.log
        return options
    }
}

extension NetworkPolicy {
    /// Any port of any host with a public address.
    public static var publicHosts: NetworkPolicy {
        var rules = NetworkRules()
        rules.ports = .any
        return .closed(rules)
    }
}
