// nginx writes a request's line once the answer is out, so a client can be done before the line is there. A last request
// of our own marks the place up to which the log is whole: one worker process takes them one after the other.

import FoundationEssentials
import Glibc

/// One answer of nginx, as its access log tells it.
public struct AccessLogLine: Sendable, Equatable {
    public let method: String
    public let target: String
    public let status: Int
    /// All bytes sent, head included.
    public let bytesSent: Int
    public let bodyBytesSent: Int
    /// `nil` where the request had no such header.
    public let range: String?
    public let ifRange: String?
    public let ifNoneMatch: String?
    /// Such as `HTTP/1.1` or `HTTP/2.0`.
    public let version: String
    /// The same for all requests of a connection.
    public let connection: Int
    /// From 1; above it the connection was used again.
    public let requestOfConnection: Int

    public var isOnReusedConnection: Bool { requestOfConnection > 1 }

    /// The variables in the order of ``init(_:)``.
    private static let variables = [
        "request_method", "request_uri", "status", "bytes_sent", "body_bytes_sent", "http_range", "http_if_range",
        "http_if_none_match", "server_protocol", "connection", "connection_requests",
    ]

    /// nginx's own quoting turns a tab in a value into `\x09`, a quotation mark into `\x22`.
    static let format = "log_format daedalus '\(variables.map { "$\($0)" }.joined(separator: "\t"))';"

    /// `nil` for what is no whole line.
    init?(_ line: Substring) {
        let words = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        guard words.count == Self.variables.count, let status = Int(words[2]), let bytesSent = Int(words[3]),
            let bodyBytesSent = Int(words[4]), let connection = Int(words[9]), let request = Int(words[10])
        else { return nil }
        func given(_ index: Int) -> String? {
            words[index] == "-" ? nil : words[index].replacing("\\x22", with: "\"")
        }
        (method, target, version) = (words[0], words[1], words[8])
        (self.status, self.bytesSent, self.bodyBytesSent) = (status, bytesSent, bodyBytesSent)
        (range, ifRange, ifNoneMatch) = (given(5), given(6), given(7))
        (self.connection, requestOfConnection) = (connection, request)
    }
}

extension NginxServer {
    /// Thrown when the log does not become whole within ten seconds.
    public struct NoAccessLog: Error {
        public let text: String
    }

    /// The requests answered so far, in the order in which their answers ended.
    ///
    /// - Parameter count: Lines to wait for; needed only for requests that a client gave up, as nginx learns of these late.
    public func accessLog(atLeast count: Int = 0) throws -> [AccessLogLine] {
        let mark = "/.mark-" + UUID().uuidString
        try LoopbackClient(port: port).exchange("GET \(mark) HTTP/1.1\r\nHost: mark\r\nConnection: close\r\n\r\n")
        var text = ""
        for _ in 0..<2000 {
            text = String(decoding: try Repository.bytes(at: folder.path + "/access.log"), as: UTF8.self)
            let lines = text.split(separator: "\n").compactMap { AccessLogLine($0) }
            let others = lines.filter { !$0.target.hasPrefix("/.mark-") }
            if others.count >= count, lines.contains(where: { $0.target == mark }) { return others }
            _ = poll(nil, 0, 5)
        }
        throw NoAccessLog(text: text)
    }
}
