// libcurl is set up at the first download, not before: it and OpenSSL take milliseconds that most runs need not pay.

import CLibCurl

/// libcurl as a whole.
enum Curl {
    private static let isReady: Bool = dae_curl_global_init() == CURLE_OK

    /// Sets libcurl up once a process, from whatever thread comes first.
    static func start() throws(DownloadFailure) {
        guard isReady else { throw .noResources(reason: "libcurl could not be set up") }
    }

    static func text(of status: CURLcode) -> String { String(cString: curl_easy_strerror(status)) }
}
