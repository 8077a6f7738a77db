public import Diagnostics

/// Why a download gave no file. Nothing of it is visible in the cache; what came may be kept for another attempt.
public struct DownloadError: CodedError, RecoverableError, Hashable {
    /// The address that was asked for; without user name and password, cut to 300 characters.
    public let url: String
    /// The address that a redirect led to and where it failed; `nil` where it failed at ``url`` itself.
    public let redirectedURL: String?
    let failure: DownloadFailure

    init(_ failure: DownloadFailure, url: String, redirectedURL: String? = nil) {
        self.failure = failure
        self.url = PrintableText.clean(url)
        self.redirectedURL = redirectedURL == url ? nil : redirectedURL.map { PrintableText.clean($0) }
    }

    public var code: FindingCode { failure.code }
    /// A download has no place but its address, which stands in the message.
    public var place: Place { Place() }
    public var recovery: Recovery { failure.recovery }
    /// Whether it was ended by the caller.
    public var isCancelled: Bool { failure == .cancelled }
    /// The HTTP status that was refused; `nil` for any other failure.
    public var status: Int? {
        if case .status(let status, _) = failure { status } else { nil }
    }
    /// `URL: what happened; what was expected`.
    public var message: String {
        let place = redirectedURL.map { " (redirected to \($0))" } ?? ""
        return "\(url)\(place): \(failure.observed); \(failure.expected)"
    }
}
