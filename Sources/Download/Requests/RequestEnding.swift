// The one place where libcurl's codes turn into ours.

import CLibCurl
import Glibc

/// How a request has ended.
struct RequestEnding {
    private let status: CURLcode
    private let request: CurlRequest

    init(_ status: CURLcode, of request: CurlRequest) {
        self.status = status
        self.request = request
    }

    /// Whether the answer has come to its own end.
    var isWhole: Bool { status == CURLE_OK }

    /// What went wrong.
    ///
    /// - Parameters:
    ///   - received: Bytes of the body that were written.
    ///   - expected: As announced; `nil` where nothing was.
    func failure(received: Int64, expected: Int64?) -> DownloadFailure {
        request.gate.refusal ?? DownloadFailure(status, of: request, received: received, expected: expected)
    }
}

extension DownloadFailure {
    fileprivate init(_ status: CURLcode, of request: CurlRequest, received: Int64, expected: Int64?) {
        let host = request.address.host
        self =
            switch status {
            case CURLE_URL_MALFORMAT: .invalidURL(reason: "the address is malformed")
            case CURLE_COULDNT_RESOLVE_HOST: .hostNotFound(host)
            case CURLE_COULDNT_RESOLVE_PROXY: .hostNotFound("of the proxy")
            case CURLE_COULDNT_CONNECT:
                .connectionFailed(
                    reason: "no connection to \(host): \(request.systemReason ?? request.reason(status))")
            case CURLE_OPERATION_TIMEDOUT:
                request.hasConnected
                    ? .stalled(seconds: request.limits.stallTimeout.inSeconds.rounded(.up), received: received)
                    : .connectTimedOut(seconds: request.limits.connectTimeout.inSeconds)
            case CURLE_PARTIAL_FILE: .truncated(received: received, expected: expected)
            case CURLE_GOT_NOTHING: .connectionBroken(reason: "the server closed the connection without an answer")
            case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY:
                .connectionFailed(reason: "the answer is not HTTP: \(request.reason(status))")
            case CURLE_OUT_OF_MEMORY: .noResources(reason: "no memory for the transfer")
            // A connection that broke in the midst of the handshake says nothing about trust.
            case CURLE_SSL_CONNECT_ERROR where request.systemCode == ECONNRESET:
                .connectionBroken(reason: "the connection broke: \(request.reason(status))")
            case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CIPHER,
                CURLE_SSL_CERTPROBLEM, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS, CURLE_USE_SSL_FAILED,
                CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_ENGINE_INITFAILED,
                CURLE_SSL_CRL_BADFILE, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_SHUTDOWN_FAILED:
                .tls(reason: request.reason(status))
            default: .connectionBroken(reason: "the connection broke: \(request.reason(status))")
            }
    }
}
