// libcurl knows a request by its address alone: it owns the handle, so it is there whenever one of these is called.

import CLibCurl
import Glibc

extension CurlRequest {
    func setCallbacks() throws(DownloadFailure) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        try check(
            dae_curl_set_header_receiver(
                handle, { bytes, _, count, context in CurlRequest.take(bytes, count, context) { $0.readHeader($1) } },
                context))
        try check(
            dae_curl_set_body_receiver(
                handle, { bytes, _, count, context in CurlRequest.take(bytes, count, context) { $0.readBody($1) } },
                context))
        try check(
            dae_curl_set_opener(
                handle, { context, _, address in CurlRequest.find(context)?.open(address) ?? CURL_SOCKET_BAD }, context)
        )
        if body != nil {
            try check(
                dae_curl_set_body_sender(
                    handle, { bytes, _, count, context in CurlRequest.give(bytes, count, context) },
                    { context, offset, origin in
                        guard origin == SEEK_SET, let body = CurlRequest.find(context)?.body else {
                            return CURL_SEEKFUNC_CANTSEEK
                        }
                        return body.go(to: Int64(offset)) ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL
                    }, context))
        }
        guard log != nil else { return }
        try check(
            dae_curl_set_listener(
                handle,
                { _, kind, bytes, count, context in
                    let bytes = UnsafeRawBufferPointer(start: bytes, count: count)
                    CurlRequest.find(context)?.log?.listen(kind, bytes)
                    return 0
                }, context))
    }

    private static func find(_ context: UnsafeMutableRawPointer?) -> CurlRequest? {
        context.map { Unmanaged<CurlRequest>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Any count but the one given ends the transfer.
    private static func take(
        _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int, _ context: UnsafeMutableRawPointer?,
        with read: (any TransferReceiver, UnsafeRawBufferPointer) -> Bool
    ) -> Int {
        guard let receiver = find(context)?.receiver else { return 0 }
        guard read(receiver, UnsafeRawBufferPointer(start: bytes, count: count)) else { return count == 0 ? 1 : 0 }
        return count
    }

    /// How many bytes were given, 0 at the end; or what ends the transfer.
    private static func give(
        _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int, _ context: UnsafeMutableRawPointer?
    ) -> Int {
        let room = UnsafeMutableRawBufferPointer(start: bytes, count: count)
        return find(context)?.body?.read(into: room) ?? Int(CURL_READFUNC_ABORT)
    }

    private func open(_ address: UnsafeMutablePointer<curl_sockaddr>?) -> curl_socket_t {
        guard let address else { return CURL_SOCKET_BAD }
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = dae_curl_address(address, &bytes)
        guard gate.admits(Array(bytes.prefix(Int(count)))) else { return CURL_SOCKET_BAD }
        return dae_curl_open(address)
    }
}
