// libcurl is loaded at the first address or download, not before: it and what it needs take milliseconds that most runs
// need not pay.

import CLibCurl

/// libcurl as a whole.
enum Curl {
    /// Why it cannot be used; `nil` where it can.
    private static let obstacle: String? = dae_curl_load().map { String(cString: $0) }

    /// Loads libcurl and sets it up once a process, from whatever thread comes first.
    static func start() throws(DownloadFailure) {
        if let obstacle { throw .noLibrary(reason: "libcurl could not be loaded: \(obstacle)") }
    }

    /// Whether ``start()`` is without error.
    static var isReady: Bool { obstacle == nil }

    static func text(of status: CURLcode) -> String { String(cString: dae_curl_easy_strerror(status)) }
}
