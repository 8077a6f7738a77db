import Daedalus
import Hummingbird

/// Why a request was not answered as asked; written as RFC 9457 has it.
struct Problem: Error {
    var status: HTTPResponse.Status
    var code: FindingCode?
    var detail: String
    /// Seconds after which asking again may help.
    var retryAfter: Int?
    /// What else the body says.
    var members: [String: JSONValue] = [:]
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

    /// What the router itself refuses.
    init(_ error: HTTPError, _ request: Request) {
        let said = error.status == .notFound ? "There is nothing at '\(request.uri.path.prefix(200))'." : nil
        self.init(error.status, nil, error.body ?? said ?? error.status.reasonPhrase)
    }

    /// A parameter of the query that says nothing that is understood.
    static func parameter(_ name: String, _ text: some StringProtocol, expected: String) -> Problem {
        var problem = Problem(.badRequest, nil, "\(name) is '\(text.prefix(40))'; expected \(expected).")
        problem.members["parameter"] = .string(name)
        return problem
    }

    /// An action that the asset's state has no answer to.
    static func refused(_ action: AssetAction.Kind, _ state: AssetState) -> Problem {
        let allowed = state.availableActions.map(\.rawValue)
        var problem = Problem(
            .conflict, .assetActionRefused,
            "'\(action.rawValue)' is not possible while the asset is \(state.wireName); possible: "
                + allowed.joined(separator: ", ") + ".")
        problem.members["availableActions"] = JSONValue(allowed)
        return problem
    }

    static let keyOfAnother = Problem(
        .unprocessableContent, nil, "This Idempotency-Key was used for another request.")

    init(_ error: OnceError) {
        switch error {
        case .anotherRequest: self = .keyOfAnother
        case .removedSince:
            self.init(.gone, .assetUnknown, "This request was done already, and its asset was removed since.")
        }
    }

    static func noRoom(_ detail: String) -> Problem {
        Problem(.init(code: 507, reasonPhrase: "Insufficient Storage"), .storageFull, detail)
    }

    static func unknown(_ id: String) -> Problem {
        Problem(.notFound, .assetUnknown, "There is no asset '\(id.prefix(64))'.")
    }

    /// - Parameter path: Of the request; what this problem is an instance of.
    func response(request id: String, at path: String) -> Response {
        var members = members
        let standard: [String: JSONValue] = [
            "type": "about:blank", "title": .string(status.reasonPhrase), "status": JSONValue(status.code),
            "detail": .string(detail), "instance": .string(path), "code": JSONValue(code?.rawValue),
            "requestId": .string(id),
        ]
        members.merge(standard) { _, standard in standard }
        var response = Response(
            status: status, headers: [.contentType: "application/problem+json", .cacheControl: "no-store"],
            body: .init(
                byteBuffer: ByteBuffer(bytes: JSONValue.object(members).text(.indented) + [UInt8(ascii: "\n")])))
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
