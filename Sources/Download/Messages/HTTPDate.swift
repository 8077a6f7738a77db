import CLibCurl

/// Points in time as HTTP writes them, in all three forms. Source: RFC 9110, 5.6.7.
enum HTTPDate {
    /// Seconds since 1970, UTC; `nil` for what is no date.
    static func seconds(_ text: String) -> Int64? {
        // libcurl's reader is lenient beyond HTTP: a lone number would be taken for a time of day.
        guard text.utf8.contains(UInt8(ascii: ":")), text.utf8.count <= 64, Curl.isReady else { return nil }
        let time = dae_curl_getdate(text)
        return time == -1 ? nil : Int64(time)
    }
}
