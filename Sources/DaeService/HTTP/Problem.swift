import Daedalus
import Hummingbird
import Logging

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
            "'\(action.rawValue)' is not possible while the asset is \(state.kind.rawValue); possible: "
                + allowed.joined(separator: ", ") + ".")
        problem.members["availableActions"] = JSONValue(allowed)
        return problem
    }

    init(_ error: RequestKeyError) {
        switch error {
        case .anotherRequest:
            self.init(.unprocessableContent, nil, "This Idempotency-Key was used for another request.")
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

/// The name of a header.
typealias HeaderName = HTTPFields.Element.Name

/// Turns what goes wrong into a ``Problem``, logs it, and gives every answer its id and the headers that keep browsers
/// careful.
struct ProblemMiddleware: RouterMiddleware {
    private let log: Logger
    private let accesses: Logger
    private let folder: String
    private let base: BasePath
    private let crossOrigin: CrossOrigin
    private let proxies: TrustedProxies
    private let accessLog: AccessLog

    /// Whether requests are in the log.
    private enum AccessLog {
        case each
        /// Those alone that were refused or went wrong.
        case problems
    }

    init(_ tools: ServiceTools, _ proxies: TrustedProxies) {
        log = tools.log
        // Whoever asks for it has it, whatever else the log leaves out.
        var accesses = Logger(label: "access")
        accesses.logLevel = min(.info, accesses.logLevel)
        self.accesses = accesses
        accessLog = tools.settings.accessLog ? .each : .problems
        folder = tools.folder.path
        base = tools.base
        self.proxies = proxies
        crossOrigin = CrossOrigin(tools.settings)
    }

    func handle(
        _ request: Request, context: ServiceContext, next: (Request, ServiceContext) async throws -> Response
    ) async throws -> Response {
        let trace = TraceContext(request)
        return try await TraceContext.$current.withValue(trace) {
            var response = try await answer(request, context, next)
            if let trace, let name = HeaderName(TraceContext.field) { response.headers[name] = trace.text }
            return response
        }
    }

    private func answer(
        _ request: Request, _ context: ServiceContext, _ next: (Request, ServiceContext) async throws -> Response
    ) async throws -> Response {
        let start = ContinuousClock.now
        var context = context
        context.requestID = RequestID.of(request)
        if let name = HeaderName("x-forwarded-for") {
            context.address = proxies.client(peer: context.address, forwarded: request.headers[values: name])
        }
        var response: Response
        do { response = try await next(request, context) } catch {
            var problem = problem(error, request)
            // Where things lie here is no client's to know.
            problem.detail = problem.detail.replacing(folder + "/", with: "")
            log(problem, of: error, request, context)
            response = problem.response(request: context.requestID, at: base.link(request.uri.path))
        }
        if let name = HeaderName("x-request-id") { response.headers[name] = context.requestID }
        SecurityHeaders.apply(to: &response)
        crossOrigin.apply(to: &response, of: request)
        switch accessLog {
        case .each: note(response, since: start, request, context)
        case .problems: break
        }
        return response
    }

    /// Once its answer is known, which may still be on its way.
    private func note(
        _ response: Response, since start: ContinuousClock.Instant, _ request: Request, _ context: ServiceContext
    ) {
        var metadata = Self.metadata(of: request, response.status, context)
        // Of which many requests take less than one.
        let milliseconds = ((ContinuousClock.now - start) / .microseconds(1)).rounded() / 1000
        metadata["milliseconds"] = .stringConvertible(milliseconds)
        if let bytes = response.body.contentLength { metadata["bytes"] = .stringConvertible(bytes) }
        metadata["route"] = "\(context.route(of: response.status))"
        accesses.info("request", metadata: metadata)
    }

    /// Without the query: what lets a client in may stand there.
    private static func metadata(
        of request: Request, _ status: HTTPResponse.Status, _ context: ServiceContext
    ) -> Logger.Metadata {
        [
            "request": "\(context.requestID)", "method": "\(request.method.rawValue)",
            "path": "\(request.uri.path.prefix(500))", "status": .stringConvertible(status.code),
            "client": "\(context.client.logged)", "address": "\(context.address ?? "-")",
        ]
    }

    private func problem(_ error: any Error, _ request: Request) -> Problem {
        switch StoreFault(error) {
        case .full: return .noRoom("The disk is full.")
        case .outage:
            return Problem(
                .serviceUnavailable, nil, "The database or the store of bytes does not answer now.", retryAfter: 5)
        case nil: break
        }
        return switch error {
        case let problem as Problem: problem
        case let error as RequestKeyError: Problem(error)
        case let fault as QuotaFault: Problem(fault)
        case let fault as AssetDetailFault: Problem(fault)
        case let error as HTTPError: Problem(error, request)
        case let error as any CodedError: Problem(error, .unprocessableContent)
        case is CancellationError:
            Problem(.serviceUnavailable, nil, "The service is being stopped.", retryAfter: 5)
        default:
            Problem(.internalServerError, nil, "Something went wrong here; the log says what.")
        }
    }

    private func log(_ problem: Problem, of error: any Error, _ request: Request, _ context: ServiceContext) {
        var metadata = Self.metadata(of: request, problem.status, context)
        switch problem.status.code {
        case 500:
            metadata["detail"] = "\(error)"
            log.error("failed", metadata: metadata)
        case 401, 403, 421, 429:
            metadata["detail"] = "\(problem.detail)"
            log.warning("refused", metadata: metadata)
        default:
            metadata["detail"] = "\(problem.detail)"
            log.info("answered with a problem", metadata: metadata)
        }
    }
}

extension AsyncSequence where Element == ByteBuffer {
    /// Reads a body to its end. A client that breaks off is told so: it is no fault of the service.
    func take(_ body: (ByteBuffer) async throws -> Void) async throws {
        var parts = makeAsyncIterator()
        while true {
            let buffer: ByteBuffer?
            do { buffer = try await parts.next() } catch let error where !(error is CancellationError) {
                throw Problem(.badRequest, .downloadTruncated, "The connection broke before the body had ended.")
            }
            guard let buffer else { return }
            try await body(buffer)
        }
    }
}
