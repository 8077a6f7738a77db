import DaeArchive
package import DaeCore
import DaeDiagnostics
public import DaeDownload
import DaeResources
import Synchronization

extension AssetOperations.LiveOptions {
    /// Reads a bundle's scene as these options say.
    func inspector(of file: AssetFile, _ bundle: Bundle) throws -> Inspector {
        var inspector = Inspector(options: collada)
        inspector.policy = policy
        inspector.loneDocument = try loneDocument(file, bundle)
        inspector.webFetch = webFetch
        inspector.address = file.webAddress
        inspector.validates = validates
        inspector.customRules = rules
        inspector.keeper = keeper
        return inspector
    }

    /// Finds files that a document means, in the bundle and where these options allow it.
    func locator(of file: AssetFile, _ bundle: Bundle) throws -> ResourceLocator {
        ResourceLocator(
            bundle: bundle, policy: policy, document: try loneDocument(file, bundle), address: file.webAddress)
    }

    /// The files of the images of a scene that was read; those of the web are in the cache since then.
    func imageFiles(of file: AssetFile, _ bundle: Bundle, _ choice: SceneChoice) throws -> ImageFiles {
        var cached = self
        cached.web.mode = .offline
        return ImageFiles(
            bundle: bundle, locator: try locator(of: file, bundle), fetched: cached.webFetch,
            scenePath: choice.entry.path)
    }

    private var takesFolders: Bool {
        switch (policy, loneDocuments) {
        case (.hostPaths, _), (.bundleOnly, .inFolder): true
        case (.bundleOnly, .asPolicy): false
        }
    }

    /// Where a document that lies among other files has its bundle; none as the library and the service have it.
    func loneDocument(_ file: AssetFile, _ bundle: Bundle) throws -> LoneDocument? {
        switch (file.location, bundle.kind) {
        // What came out of an archive lies among no files of this machine.
        case (.path(let path), .dae) where file.entry == nil && takesFolders:
            do throws(LoneDocument.Failure) {
                return try LoneDocument.locate(path, root: root)
            } catch {
                switch error {
                case .missing(let cause): throw CodedFailure(.sourceNotFound, cause.description)
                case .notBelow(let root):
                    throw CodedFailure(.sourceNotFound, "\(path) does not lie below the root \(root)")
                }
            }
        case (.path, .dae), (.path, .zae), (.path, .zip), (.path, .kmz), (.path, .folder), (.cached, _), (.remote, _),
            (.reader, _):
            return nil
        }
    }
}

extension AssetFile {
    /// Where the file came from on the web; `nil` for all other files, and for what lies within one.
    var webAddress: String? {
        guard entry == nil else { return nil }
        switch location {
        case .path, .reader: return nil
        case .cached, .remote: break
        }
        switch SourceAddress(input, exists: { _ in false }).location {
        case .url(let url): return url
        case .path, .standardInput: return nil
        }
    }
}

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
    package enum Overlap: Sendable, Hashable {
        case never
        /// For documents of at least so many bytes: a small one is read sooner than another thread has begun.
        case from(bytes: Int64)
    }

    /// For the sources themselves: whoever runs the program, or the service's rules, chose them.
    public var policy = NetworkPolicy.open
    /// For images that a scene refers to: whoever wrote the document chose them. Headers and tokens do not go there.
    public var imagePolicy = NetworkPolicy.publicHosts
    /// Headers, token, and what else all requests have in common.
    public var requests: RequestOptions
    /// How far what is in the cache may stand for the server.
    public var mode = CacheMode.revalidate
    /// How often, and after what pauses, a transfer that broke is taken up again.
    public var retries = RetryPolicy()
    /// What each source must hash to; such a source is downloaded as a whole.
    package var sha256: SHA256Digest?
    /// How an archive on a server is read.
    public var reading = Reading.byRanges
    package var overlap = Overlap.from(bytes: 256 << 10)
    /// Told how far a document was read that still arrives, on the reading's own thread.
    var readAhead: @Sendable (Int64) -> Void = { _ in }
    /// What a person who waits should know; on a transfer's own thread.
    package var notice: @Sendable (DownloadNotice) -> Void = { _ in }

    /// Every address that is given is asked for; images of a scene only from public hosts.
    public init() {
        requests = RequestOptions()
        requests.userAgent = "daedalus/\(Version.current)"
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

extension DownloadRequest {
    /// For an address that a person wrote.
    init(of url: String, _ web: WebAccess) {
        self.init(url, sha256: web.sha256, mode: web.mode)
        retries = web.retries
    }

    init(of source: AssetSource.WebSource, _ web: WebAccess) throws(CodedFailure) {
        self.init(of: source.address, web)
        guard let text = source.sha256 else { return }
        guard let digest = SHA256Digest(hex: text) else {
            throw CodedFailure(
                .downloadURLInvalid,
                "\(SourceAddress.display(source.address)): its SHA-256 is '\(text.prefix(80))'; expected 64 hexadecimal digits"
            )
        }
        sha256 = digest
    }
}

extension NetworkPolicy {
    /// Any port of any host with a public address.
    package static var publicHosts: NetworkPolicy {
        var rules = NetworkRules()
        rules.ports = .any
        return .closed(rules)
    }
}
