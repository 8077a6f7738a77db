package import DaeCore
package import DaeDiagnostics

/// What is to be fetched, and how.
package struct DownloadRequest: Sendable, Hashable {
    /// http or https. A fragment `#sha256=` with 64 digits says what the file must hash to, as ``sha256`` does.
    package var url: String
    /// What the file must hash to; `nil` where nobody knows.
    package var sha256: SHA256Digest?
    package var mode = CacheMode.revalidate
    package var retries = RetryPolicy()

    package init(_ url: String, sha256: SHA256Digest? = nil, mode: CacheMode = .revalidate) {
        self.url = url
        self.sha256 = sha256
        self.mode = mode
    }

    /// The digest that parameter and fragment agree on.
    func wantedDigest() throws(DownloadFailure) -> SHA256Digest? {
        guard let text = fragmentDigest else { return sha256 }
        guard let digest = SHA256Digest(hex: text) else {
            throw .invalidURL(reason: "the fragment #sha256= is not followed by 64 hexadecimal digits")
        }
        guard let sha256, sha256 != digest else { return digest }
        throw .invalidURL(reason: "the fragment #sha256= names another digest than was asked for")
    }

    private var fragmentDigest: Substring? {
        guard let hash = url.firstIndex(of: "#") else { return nil }
        let fragment = url[hash...].dropFirst()
        let mark = fragment.prefix(7).lowercased()
        return mark == "sha256=" || mark == "sha256:" ? fragment.dropFirst(7) : nil
    }
}

/// How far what is in the cache already may stand for the server.
public enum CacheMode: String, Sendable, Hashable, CaseIterable {
    /// As long as the server allowed; then it is asked whether anything changed.
    case revalidate
    /// Always, and no server is asked: what is not in the cache is a failure.
    case offline
    /// Never: every byte is fetched again.
    case refresh
}

/// What a download may take before it is ended.
public struct DownloadLimits: Sendable, Hashable {
    /// The body's bytes: held against the announced length, then against what really arrives.
    public var bytes: Int64 = 4 << 30
    /// Bytes of all headers of one answer, interim ones and trailers included.
    package var headerBytes = 256 << 10
    /// Redirects that are followed.
    public var redirects = 10
    /// For finding the host, connecting and agreeing on encryption, of each address. At least a millisecond.
    package var connectTimeout: Duration = .seconds(30)
    /// How long a transfer may stay below 100 bytes a second. Rounded up to whole seconds.
    package var stallTimeout: Duration = .seconds(60)
    /// Bytes a second, as a mean over some seconds.
    package var slowestRate = 100

    /// The defaults of each property.
    public init() {}
}

/// How often and how soon a request that failed for a passing reason is made again.
public struct RetryPolicy: Sendable, Hashable {
    /// Failures in a row that are borne; one that left more bytes to go on with begins a new row.
    public var attempts = 4
    /// Before the first new request, in seconds; doubled for each that follows.
    package var firstPause = 0.5
    /// Seconds; a server that asks for more is not asked again.
    package var longestPause = 60.0

    /// The defaults of each property.
    public init() {}

    /// No request is made again.
    public static let never: RetryPolicy = {
        var policy = RetryPolicy()
        policy.attempts = 0
        return policy
    }()

    /// Seconds before the request after the `failure`th failure in a row (1…): half of it fixed, half by chance, so that
    /// many clients do not come back at once.
    ///
    /// - Parameter chance: 0..<1.
    package func pause(after failure: Int, chance: Double) -> Double {
        let doubled = firstPause * Double(UInt64(1) << UInt64(min(max(failure - 1, 0), 30)))
        let whole = min(doubled, longestPause)
        return whole / 2 + whole / 2 * chance
    }
}

extension RequestOptions {
    /// What of the requests may make answers differ: who asks with another token has another entry in the cache.
    var cacheVariant: [String] {
        let token = bearerToken.map { ["bearer", $0.text] } ?? []
        return headers.flatMap { [$0.name.lowercased(), $0.value] } + token
    }
}

/// Whom a download tells how it goes, on its own thread; it waits for them.
struct DownloadReport: Sendable {
    var progress: @Sendable (DownloadProgress) -> Void = { _ in }
    var notice: @Sendable (DownloadNotice) -> Void = { _ in }
    /// Gets a file to read while it arrives; `nil` where nobody would.
    var arriving: (@Sendable (ArrivingFile) -> Void)?
}

/// What a person who waits for a download should know of its way.
package enum DownloadNotice: Sendable, Hashable {
    /// Another process fetches the same address: its file will be ours.
    case waitingForAnotherProcess
    /// An earlier transfer is gone on with behind that many bytes.
    case resuming(bytes: Int64)
    /// The request failed for a passing reason and is made again after a pause.
    case tryingAgain(seconds: Double, reason: String)
    /// What had come is of no use: the file is fetched from its first byte.
    case startingOver(reason: String)
    /// The work on a file that was read by ranges has ended.
    case readByRanges(url: String, RemoteByteSource.Usage)
}

extension DownloadNotice {
    /// One sentence without a full stop.
    package var text: String {
        switch self {
        case .waitingForAnotherProcess: "waiting for another process that fetches the same address"
        case .resuming(let bytes): "going on behind the \(bytes) bytes that are there"
        case .tryingAgain(let seconds, let reason):
            "\(reason); trying again in \(Double(Int(seconds * 10)) / 10) s"
        case .startingOver(let reason): "\(reason); fetching the file from its first byte"
        case .readByRanges(let url, let usage):
            "\(url): fetched \(usage.bytes) of \(usage.size) bytes in \(usage.requests) requests"
        }
    }
}

/// How far a download has come.
package struct DownloadProgress: Sendable, Hashable {
    /// Bytes on disk so far, at least 0.
    package let received: Int64
    /// Bytes in all; `nil` where the server does not say.
    package let expected: Int64?

    package init(received: Int64, expected: Int64?) {
        self.received = received
        self.expected = expected
    }
}

/// A whole file in the cache, with what the server said of it.
package struct DownloadedFile: Sendable, Hashable {
    /// Where its bytes came from this time.
    package enum Origin: Sendable, Hashable {
        /// The server; `resumedAt` is where this transfer began, 0 for all.
        case server(resumedAt: Int64)
        /// The cache; the server confirmed that nothing changed.
        case confirmed
        /// The cache; no server was asked, or another process had just fetched it.
        case cache
    }

    /// In the cache; named by the digest, so without an extension.
    package let path: String
    /// Bytes, at least 0.
    package let size: Int64
    package let sha256: SHA256Digest
    /// The address it came from in the end, after all redirects; without user name, password and fragment.
    package let url: String
    /// As the server wrote it, such as `application/zip`; `nil` where it said nothing.
    package let contentType: String?
    /// A name fit for a file: the one the server proposed, else the last part of the address. Never empty, without
    /// separators, control characters and leading dots, at most 200 bytes.
    package let suggestedName: String
    package let origin: Origin
    /// What was odd on the way, none of it an error.
    package let findings: [Finding]
}

/// A file whose download has just begun or goes on.
package struct ArrivingFile: Sendable {
    /// Its bytes, as they come. Whatever is made of them counts for nothing before ``ArrivingByteSource/sha256`` is there.
    package let source: ArrivingByteSource
    /// As ``DownloadedFile/suggestedName``, unless a later request ends elsewhere.
    package let suggestedName: String
}
