import DaeCore
public import DaeDiagnostics

/// Why a download gave no file. Nothing of it is visible in the cache; what came may be kept for another attempt.
public struct DownloadError: CodedError, Hashable {
    /// The address that was asked for; without user name and password, cut to 300 characters.
    package let url: String
    /// The address that a redirect led to and where it failed; `nil` where it failed at ``url`` itself.
    package let redirectedURL: String?
    let failure: DownloadFailure

    init(_ failure: DownloadFailure, url: String, redirectedURL: String? = nil) {
        self.failure = failure
        self.url = url.printable()
        self.redirectedURL = redirectedURL == url ? nil : redirectedURL.map { ($0).printable() }
    }

    /// What kind of failure it is.
    public var code: FindingCode { failure.code }
    /// A download has no place but its address, which stands in the message.
    public var place: Place { Place() }
    /// What trying again can do: known better than by the code.
    package var recovery: Recovery { failure.recovery }
    /// Whether it was ended by the caller.
    package var isCancelled: Bool { failure == .cancelled }
    /// The HTTP status that was refused; `nil` for any other failure.
    package var status: Int? {
        if case .status(let status, _) = failure { status } else { nil }
    }
    /// `URL: what happened; what was expected`.
    public var message: String {
        let place = redirectedURL.map { " (redirected to \($0))" } ?? ""
        return "\(url)\(place): \(failure.observed); \(failure.expected)"
    }
}

/// What went wrong, before it is known at which address; all text of strangers in it is already fit to print.
enum DownloadFailure: Error, Hashable {
    case invalidURL(reason: String)
    /// By the network policy; what was expected is for it to say.
    case blocked(reason: String, expected: String)
    case hostNotFound(String)
    case connectionFailed(reason: String)
    case tls(reason: String)
    case status(Int, phrase: String)
    case connectTimedOut(seconds: Double)
    case stalled(seconds: Double, received: Int64)
    case tooManyRedirects(limit: Int)
    case truncated(received: Int64, expected: Int64?)
    /// A connection that had been made.
    case connectionBroken(reason: String)
    /// Other bytes than were asked for.
    case wrongRange(reason: String)
    case checksumMismatch(expected: SHA256Digest, actual: SHA256Digest)
    case noFile(String)
    /// While it was read by ranges.
    case changed
    case notInCache
    case tooLarge(announced: Int64?, limit: Int64)
    case headerTooLarge(limit: Int)
    case page(contentType: String?)
    case io(operation: String, subject: String, reason: String)
    case noResources(reason: String)
    case noLibrary(reason: String)
    case cancelled
}

extension DownloadFailure {
    var code: FindingCode {
        switch self {
        case .invalidURL: .downloadURLInvalid
        case .blocked: .downloadBlockedAddress
        case .hostNotFound: .downloadHostNotFound
        case .connectionFailed, .connectionBroken: .downloadConnectionFailed
        case .tls: .downloadTLSFailed
        case .status: .downloadHTTPStatus
        case .connectTimedOut, .stalled: .downloadTimeout
        case .tooManyRedirects: .downloadTooManyRedirects
        case .truncated, .wrongRange: .downloadTruncated
        case .checksumMismatch: .downloadChecksumMismatch
        case .noFile: .sourceNotFound
        case .changed: .downloadValidatorChanged
        case .notInCache: .downloadNotInCache
        case .tooLarge, .headerTooLarge: .downloadTooLarge
        case .page: .downloadContentTypeMismatch
        case .io, .noResources, .noLibrary: .ioError
        case .cancelled: .assetCancelled
        }
    }

    /// Whether the download itself tries again: the server was there, and may do better soon.
    var isTriedAgain: Bool {
        switch self {
        case .connectionBroken, .stalled, .truncated: true
        case .status(let status, _): status == 408 || status == 429 || (500...599).contains(status)
        case .invalidURL, .blocked, .hostNotFound, .connectionFailed, .tls, .connectTimedOut, .tooManyRedirects,
            .wrongRange,
            .checksumMismatch, .tooLarge, .headerTooLarge, .page, .noFile, .changed, .notInCache, .io, .noResources,
            .noLibrary, .cancelled:
            false
        }
    }

    /// Whether the bytes on disk are wrong, so that the file may be right when it is fetched as a whole.
    var isSpoilt: Bool {
        switch self {
        case .checksumMismatch, .wrongRange: true
        case .invalidURL, .blocked, .hostNotFound, .connectionFailed, .tls, .status, .connectTimedOut, .stalled,
            .tooManyRedirects, .truncated, .connectionBroken, .tooLarge, .headerTooLarge, .page, .noFile, .changed,
            .notInCache,
            .io,
            .noResources, .noLibrary, .cancelled:
            false
        }
    }

    /// What happened.
    var observed: String {
        switch self {
        case .invalidURL(let reason): reason
        case .blocked(let reason, _): reason
        case .hostNotFound(let host): "the host \(host) was not found"
        case .connectionFailed(let reason), .connectionBroken(let reason): reason
        case .tls(let reason): "no encrypted connection could be made: \(reason)"
        case .status(let status, ""): "the server answered \(status)"
        case .status(let status, let phrase): "the server answered \(status) \(phrase)"
        case .connectTimedOut(let seconds): "no connection within \(Self.text(ofSeconds: seconds)) s"
        case .stalled(let seconds, let received):
            "the transfer stood still for \(Self.text(ofSeconds: seconds)) s after \(received) bytes"
        case .tooManyRedirects(let limit): "redirected more than \(limit) times"
        case .truncated(let received, _): "the connection ended after \(received) bytes"
        case .wrongRange(let reason): "the server sent \(reason)"
        case .checksumMismatch(_, let actual): "the bytes that arrived have the SHA-256 \(actual.hex)"
        case .noFile(let path): "there is no file \(path)"
        case .changed: "the file changed on the server while it was read"
        case .notInCache: "nothing of this address is in the cache, and no server is asked (offline)"
        case .tooLarge(let announced?, _): "the server announced \(announced) bytes"
        case .tooLarge(nil, let limit): "more than \(limit) bytes arrived"
        case .headerTooLarge(let limit): "the answer's headers are larger than \(limit) bytes"
        case .page(let type?): "the server sent a page (\(type)), probably a log-in or error page"
        case .page(nil): "the server sent an HTML page, probably a log-in or error page"
        case .io(let operation, let subject, let reason): "cannot \(operation) \(subject): \(reason)"
        case .noResources(let reason), .noLibrary(let reason): reason
        case .cancelled: "the download was cancelled"
        }
    }

    /// What was expected instead.
    var expected: String {
        switch self {
        case .invalidURL: "expected an address like https://example.org/model.zip"
        case .blocked(_, let expected): expected
        case .hostNotFound: "expected a host name that can be looked up"
        case .connectionFailed, .connectionBroken: "expected an HTTP server that accepts and keeps the connection"
        case .tls: "expected TLS 1.2 or newer and a certificate that is trusted for this host"
        case .status: "expected 200 OK"
        case .connectTimedOut: "expected a server that answers sooner"
        case .stalled: "expected bytes to keep arriving"
        case .tooManyRedirects(let limit): "expected a file after at most \(limit)"
        case .truncated(_, let expected?): "expected \(expected) bytes"
        case .truncated(_, nil): "expected the end mark of a chunked body"
        case .wrongRange: "expected the part that was asked for, or the whole"
        case .checksumMismatch(let expected, _): "expected \(expected.hex)"
        case .noFile: "expected a file"
        case .changed: "expected the same version to the end"
        case .notInCache: "expected it to be fetched before"
        case .tooLarge(_, let limit): "expected at most \(limit) bytes"
        case .headerTooLarge: "expected ordinary headers"
        case .page: "expected an archive or a COLLADA document"
        case .io: "expected a cache folder that can be written and has room"
        case .noResources: "expected memory and a thread for the transfer"
        case .noLibrary: "expected libcurl to be installed"
        case .cancelled: "expected to go on to its end"
        }
    }

    /// Whole seconds without a fraction.
    private static func text(ofSeconds seconds: Double) -> String {
        seconds == seconds.rounded() && seconds < 1e9 ? String(Int(seconds)) : String(seconds)
    }
}

/// What trying again, when a person asks for it, can do about a failure.
package enum Recovery: Sendable, Hashable {
    /// It may go on behind the bytes that arrived.
    case resume
    /// It may begin with the first byte: those that arrived are not to be trusted.
    case startOver
    /// The same would come of it.
    case nothing
}

extension DownloadFailure {
    /// Generous: a server, a certificate or a disk may have been mended meanwhile.
    var recovery: Recovery {
        switch self {
        // A resolver that is out of order for a while cannot be told from a name that does not exist.
        case .hostNotFound, .connectionFailed, .connectTimedOut, .connectionBroken, .stalled, .truncated, .tls: .resume
        case .io, .noResources, .noLibrary, .noFile, .notInCache, .cancelled: .resume
        case .status: isTriedAgain ? .resume : .nothing
        case .checksumMismatch, .wrongRange, .page, .changed: .startOver
        case .invalidURL, .blocked, .tooManyRedirects, .tooLarge, .headerTooLarge: .nothing
        }
    }
}
