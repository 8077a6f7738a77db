import Daedalus
import Hummingbird
import Logging

/// The name of a header.
typealias HeaderName = HTTPFields.Element.Name

/// Turns what goes wrong into a ``Problem``, and gives every answer its id and the headers that keep browsers careful.
struct ProblemMiddleware<Context: RequestContext>: RouterMiddleware {
    let log: Logger

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let id = AssetID.random().text
        var response: Response
        do { response = try await next(request, context) } catch let problem as Problem {
            response = problem.response(request: id, at: request.uri.path)
        } catch let error as HTTPError {
            response = Problem(error, request).response(request: id, at: request.uri.path)
        } catch let error as any CodedError {
            response = Problem(error, .unprocessableContent).response(request: id, at: request.uri.path)
        } catch is CancellationError {
            response = Problem(.serviceUnavailable, nil, "The service is being stopped.", retryAfter: 5)
                .response(request: id, at: request.uri.path)
        } catch {
            log.error("\(error)", metadata: ["request": "\(id)", "path": "\(request.uri.path)"])
            response = Problem(.internalServerError, nil, "Something went wrong here; the log says what.")
                .response(request: id, at: request.uri.path)
        }
        for (name, value) in Self.fields(id) where response.headers[name] == nil { response.headers[name] = value }
        return response
    }

    private static func fields(_ id: String) -> [(HeaderName, String)] {
        [
            ("x-request-id", id), ("referrer-policy", "no-referrer"), ("x-content-type-options", "nosniff"),
            ("content-security-policy", "default-src 'none'; frame-ancestors 'none'"),
        ].compactMap { name, value in HeaderName(name).map { ($0, value) } }
    }
}
