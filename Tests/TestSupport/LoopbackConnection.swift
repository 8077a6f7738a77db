import Glibc

/// The head of a request, as it was sent.
public struct LoopbackRequest: Sendable {
    public let method: String
    public let target: String
    /// Names in lower case, in the order sent.
    public let headers: [(name: String, value: String)]
    /// What came of the body together with the head.
    let opening: [UInt8]

    /// The first header of a name, given in lower case.
    public subscript(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}

/// One connection to a client; what a route writes is what the client gets.
public struct LoopbackConnection: Sendable {
    let descriptor: Int32

    /// Whether all bytes could be handed to the system; `false` once the client has gone.
    @discardableResult
    public func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                Glibc.send(descriptor, buffer.baseAddress.map { $0 + sent }, buffer.count - sent, Int32(MSG_NOSIGNAL))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    @discardableResult
    public func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    /// Sends a status line and headers, with the empty line that ends them.
    public func sendHead(_ status: String, _ headers: [String] = []) {
        let lines = ["HTTP/1.1 \(status)", "Connection: close"] + headers
        send(lines.map { $0 + "\r\n" }.joined() + "\r\n")
    }

    /// A whole answer with its right length.
    public func respond(_ status: String = "200 OK", _ headers: [String] = [], body: [UInt8] = []) {
        sendHead(status, ["Content-Length: \(body.count)"] + headers)
        send(body)
    }

    public func redirect(to location: String, _ status: String = "302 Found") {
        respond(status, ["Location: \(location)"])
    }

    /// Sends one piece of a chunked body; an empty one ends it.
    @discardableResult
    public func sendChunk(_ bytes: [UInt8]) -> Bool {
        send(Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Array("\r\n".utf8))
    }

    /// Stands still until the client has gone or the server ends.
    public func waitUntilClosed() {
        while receive() != nil {}
    }

    /// Makes the end of the connection a reset instead of an orderly one.
    public func resetAtEnd() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    /// The body of a request whose head says how long it is, as far as it came.
    public func body(of request: LoopbackRequest) -> [UInt8] {
        var bytes = request.opening
        let length = request["content-length"].flatMap { Int($0) } ?? 0
        while bytes.count < length, let more = receive() { bytes += more }
        return bytes
    }

    /// The next bytes from the client; `nil` at the end.
    private func receive() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count < 0, errno == EINTR { continue }
            return count > 0 ? Array(buffer[..<count]) : nil
        }
    }

    /// Reads up to the empty line, and what came of a body with it; `nil` for what is no request.
    func readRequest() -> LoopbackRequest? {
        var bytes: [UInt8] = []
        var end: Range<Int>?
        while end == nil {
            guard bytes.count < 1 << 20, let more = receive() else { return nil }
            bytes += more
            end = bytes.firstRange(of: Array("\r\n\r\n".utf8))
        }
        // A CR LF is one Character.
        let head = bytes[..<(end?.lowerBound ?? bytes.count)]
        let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n").map(String.init)
        let words = (lines.first ?? "").split(separator: " ")
        guard words.count == 3 else { return nil }
        let headers = lines.dropFirst().compactMap { line -> (name: String, value: String)? in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            return (line[..<colon].lowercased(), String(value))
        }
        return LoopbackRequest(
            method: String(words[0]), target: String(words[1]), headers: headers,
            opening: Array(bytes[(end?.upperBound ?? bytes.count)...]))
    }
}
