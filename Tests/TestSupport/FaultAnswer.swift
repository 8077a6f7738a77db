// What a server that obeys RFC 9110 says, before anything is done to it.

/// An answer that is not yet sent.
struct FaultAnswer: Sendable {
    var status: Int
    /// Lines without the length and the content range.
    var fields: [String]
    /// `bytes 0-9/10`; `nil` for a whole one.
    var contentRange: String?
    /// What the length says; `nil` sends the true one.
    var lengthFields: [String]?
    var body: [UInt8]

    init(_ status: Int, _ fields: [String] = [], body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// The right answer to a request; 404 for no resource.
    init(to request: LoopbackRequest, from resource: FaultResource?) {
        guard let resource else {
            self.init(404, body: Array("there is nothing here\n".utf8))
            return
        }
        let described = Self.description(of: resource)
        switch FaultCondition(request, resource) {
        case .notModified: self.init(304, described)
        case .failed: self.init(412, body: Array("a precondition failed\n".utf8))
        case .whole: self.init(200, described, body: resource.bytes)
        case .part(let range):
            self.init(206, described, body: Array(resource.bytes[range]))
            contentRange = Self.contentRange(range, of: resource.bytes.count)
        case .unsatisfiable:
            self.init(416, body: Array("no such range\n".utf8))
            contentRange = "bytes */\(resource.bytes.count)"
        }
    }

    static func description(of resource: FaultResource) -> [String] {
        var lines = resource.fields
        if let tag = resource.tagField { lines.append("ETag: \(tag)") }
        if let date = resource.dateField { lines.append("Last-Modified: \(date)") }
        if let type = resource.contentType { lines.append("Content-Type: \(type)") }
        if resource.answersRanges { lines.append("Accept-Ranges: bytes") }
        return lines
    }

    static func contentRange(_ range: Range<Int>, of total: Int) -> String {
        "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(total)"
    }

    /// The status line and all headers, with the empty line after them.
    func head(keepsOpen: Bool) -> String {
        var lines = ["HTTP/1.1 \(status) \(Self.phrase(status))", "Connection: \(keepsOpen ? "keep-alive" : "close")"]
        lines += fields
        if let contentRange { lines.append("Content-Range: \(contentRange)") }
        if let lengthFields {
            lines += lengthFields
        } else if status != 304, status != 204, !(100...199).contains(status) {
            lines.append("Content-Length: \(body.count)")
        }
        return lines.map { $0 + "\r\n" }.joined() + "\r\n"
    }

    private static func phrase(_ status: Int) -> String {
        switch status {
        case 200: "OK"
        case 204: "No Content"
        case 206: "Partial Content"
        case 301: "Moved Permanently"
        case 302: "Found"
        case 304: "Not Modified"
        case 404: "Not Found"
        case 408: "Request Timeout"
        case 410: "Gone"
        case 412: "Precondition Failed"
        case 416: "Range Not Satisfiable"
        case 429: "Too Many Requests"
        case 500: "Internal Server Error"
        case 502: "Bad Gateway"
        case 503: "Service Unavailable"
        default: "Status"  // integers
        }
    }
}
