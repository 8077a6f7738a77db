import Daedalus
import Hummingbird
import Logging

/// The name of a header.
typealias HeaderName = HTTPFields.Element.Name

/// Turns what goes wrong into a ``Problem``, logs it, and gives every answer its id and the headers that keep browsers
/// careful.
struct ProblemMiddleware: RouterMiddleware {
    private let log: Logger
    private let folder: String
    private let crossOrigin: CrossOrigin
    private let proxies: TrustedProxies

    init(_ tools: ServiceTools, _ proxies: TrustedProxies) {
        log = tools.log
        folder = tools.folder.path
        self.proxies = proxies
        crossOrigin = CrossOrigin(tools.settings)
    }

    func handle(
        _ request: Request, context: ServiceContext, next: (Request, ServiceContext) async throws -> Response
    ) async throws -> Response {
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
            tell(problem, of: error, request, context)
            response = problem.response(request: context.requestID, at: request.uri.path)
        }
        if let name = HeaderName("x-request-id") { response.headers[name] = context.requestID }
        SecurityHeaders.apply(to: &response)
        crossOrigin.apply(to: &response, of: request)
        return response
    }

    private func problem(_ error: any Error, _ request: Request) -> Problem {
        if FullDisk.isBehind(error) { return .noRoom("The disk is full.") }
        return switch error {
        case let problem as Problem: problem
        case let error as OnceError: Problem(error)
        case let error as HTTPError: Problem(error, request)
        case let error as any CodedError: Problem(error, .unprocessableContent)
        case is CancellationError:
            Problem(.serviceUnavailable, nil, "The service is being stopped.", retryAfter: 5)
        default:
            Problem(.internalServerError, nil, "Something went wrong here; the log says what.")
        }
    }

    /// Without the query: what lets a client in may stand there.
    private func tell(_ problem: Problem, of error: any Error, _ request: Request, _ context: ServiceContext) {
        var metadata: Logger.Metadata = [
            "request": "\(context.requestID)", "method": "\(request.method.rawValue)",
            "path": "\(request.uri.path.prefix(500))", "status": .stringConvertible(problem.status.code),
            "client": "\(context.client.logged)", "address": "\(context.address ?? "-")",
        ]
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
