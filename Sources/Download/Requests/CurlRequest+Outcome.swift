import CLibCurl
import Glibc

extension CurlRequest {
    /// What libcurl says of its failure in the words of this one transfer; no address with a password is among them.
    func reason(_ status: CURLcode) -> String {
        let text = PrintableText.clean(String(cString: errorText))
        return text.isEmpty ? Curl.text(of: status) : text
    }

    /// The system's code for the last connection that could not be made or kept, if it had one.
    var systemCode: Int32? {
        guard let code = number(CURLINFO_OS_ERRNO), code > 0 else { return nil }
        return Int32(truncatingIfNeeded: code)
    }

    var systemReason: String? { systemCode.map { String(cString: strerror($0)) } }

    /// Whether the connection, encryption included, was made.
    var hasConnected: Bool { offset(CURLINFO_PRETRANSFER_TIME_T) > 0 }

    func logEnd(_ status: CURLcode) {
        guard let log else { return }
        let peer = text(CURLINFO_PRIMARY_IP).map { "\($0) port \(number(CURLINFO_PRIMARY_PORT) ?? 0)" }
        let ending = RequestLog.Ending(
            status: number(CURLINFO_RESPONSE_CODE) ?? 0, bytes: Int64(offset(CURLINFO_SIZE_DOWNLOAD_T)),
            seconds: Double(offset(CURLINFO_TOTAL_TIME_T)) / 1e6, peer: peer,
            newConnections: number(CURLINFO_NUM_CONNECTS) ?? 0, problem: problem(status))
        log.end(ending)
    }

    /// In the words of the log.
    private func problem(_ status: CURLcode) -> String? {
        switch status {
        case CURLE_OK: nil
        case CURLE_WRITE_ERROR: "the rest was not wanted"
        default: gate.refusal?.observed ?? reason(status)
        }
    }

    private func number(_ info: CURLINFO) -> Int? {
        var value = 0
        return dae_curl_get_number(handle, info, &value) == CURLE_OK ? value : nil
    }

    private func offset(_ info: CURLINFO) -> Int {
        var value: curl_off_t = 0
        return dae_curl_get_offset(handle, info, &value) == CURLE_OK ? value : 0
    }

    private func text(_ info: CURLINFO) -> String? {
        var value: UnsafeMutablePointer<CChar>?
        guard dae_curl_get_text(handle, info, &value) == CURLE_OK, let value, value.pointee != 0 else { return nil }
        return String(cString: value)
    }
}
