import Daedalus
import Hummingbird

/// Why a request was not answered as asked; written as RFC 9457 has it.
struct Problem: Error {
    var status: HTTPResponse.Status
    var code: FindingCode?
    var detail: String
    /// Seconds after which asking again may help.
    var retryAfter: Int?
    /// Beside those that every problem has.
    var headers: HTTPFields = [:]

    init(_ status: HTTPResponse.Status, _ code: FindingCode? = nil, _ detail: String, retryAfter: Int? = nil) {
        self.status = status
        self.code = code
        self.detail = detail
        self.retryAfter = retryAfter
    }

    init(_ error: any CodedError, _ status: HTTPResponse.Status) {
        self.init(status, error.code, error.message)
    }

    static func unknown(_ id: String) -> Problem {
        Problem(.notFound, .assetUnknown, "There is no asset '\(id.prefix(64))'.")
    }

    func response(request id: String) -> Response {
        let json: JSONValue = [
            "type": "about:blank", "title": .string(status.reasonPhrase), "status": JSONValue(status.code),
            "detail": .string(detail), "code": JSONValue(code?.rawValue), "requestId": .string(id),
        ]
        var response = Response(
            status: status, headers: [.contentType: "application/problem+json"],
            body: .init(byteBuffer: ByteBuffer(bytes: json.text(.indented) + [UInt8(ascii: "\n")])))
        response.headers.append(contentsOf: headers)
        if let retryAfter { response.headers[.retryAfter] = String(retryAfter) }
        return response
    }
}

extension Response {
    static func json(
        _ value: JSONValue, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]
    ) -> Response {
        var headers = headers
        headers[.contentType] = "application/json"
        headers[.cacheControl] = "no-store"
        return Response(
            status: status, headers: headers,
            body: .init(byteBuffer: ByteBuffer(bytes: value.text(.indented) + [UInt8(ascii: "\n")])))
    }
}
