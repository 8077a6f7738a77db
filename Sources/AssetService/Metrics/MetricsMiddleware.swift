import Daedalus
import Hummingbird

/// Counts requests, by their route's pattern and not by their path, of which there are as many as strangers like.
struct MetricsMiddleware<Context: RequestContext>: RouterMiddleware {
    let metrics: ServiceMetrics

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let (metrics, start) = (metrics, AssetOperations.Instant.systemTime())
        var request = request
        request.body = RequestBody(asyncSequence: CountedBody(body: request.body, metrics: metrics))
        var response = try await next(request, context)
        let route =
            response.status == .notFound && context.endpointPath == "NotFound" ? "none" : context.endpointPath ?? "none"
        metrics.count(
            .requests, ("method", Self.name(of: request.method)), ("route", route),
            ("status", "\(response.status.code)"))
        metrics.observe(
            .requestDuration, ("route", route), milliseconds: AssetOperations.Instant.systemTime() - start)
        if let length = response.body.contentLength {
            if request.method != .head { metrics.count(.sent, by: Int64(length)) }
        } else {
            // It would lose the length of one that has it.
            response.body = response.body.map { buffer in
                metrics.count(.sent, by: Int64(buffer.readableBytes))
                return buffer
            }
        }
        return response
    }

    private static func name(of method: HTTPRequest.Method) -> String {
        ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"].first { $0 == method.rawValue } ?? "other"
    }
}

/// A body whose bytes are counted as they are read.
private struct CountedBody: AsyncSequence, Sendable {
    typealias Element = ByteBuffer

    let body: RequestBody
    let metrics: ServiceMetrics

    struct AsyncIterator: AsyncIteratorProtocol {
        var iterator: RequestBody.AsyncIterator
        let metrics: ServiceMetrics

        mutating func next() async throws -> ByteBuffer? {
            let buffer = try await iterator.next()
            if let buffer { metrics.count(.received, by: Int64(buffer.readableBytes)) }
            return buffer
        }
    }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(iterator: body.makeAsyncIterator(), metrics: metrics)
    }
}
