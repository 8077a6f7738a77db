import Daedalus
import Glibc
import Hummingbird

/// What those ask who watch over the service, on a port that its users do not reach.
struct MetricsRoutes: Sendable {
    let tools: ServiceTools

    func router() -> Router<ServiceContext> {
        let router = Router(context: ServiceContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: ProblemMiddleware(tools, .none))
        router.get("metrics") { _, _ in
            Response(
                status: .ok, headers: [.contentType: MetricsText.type, .cacheControl: "no-store"],
                body: .init(byteBuffer: ByteBuffer(string: try await text())))
        }
        HealthRoutes(tools: tools).add(to: router)
        return router
    }

    private func text() async throws -> String {
        var text = MetricsText(tools.metrics.snapshot)
        let counts = try await tools.store.counts()
        for state in AssetState.Kind.allCases.map(\.rawValue) {
            text.set(.assets, ("state", state), to: Double(counts.states[state] ?? 0))
        }
        text.set(.queueLength, to: Double(counts.queued))
        text.set(.jobsRunning, to: Double(counts.running))
        text.set(.eventStreams, to: Double(tools.changes.streams))
        let usage = try await tools.disk.usage()
        text.set(.disk, ("kind", "originals"), to: Double(usage.originals))
        text.set(.disk, ("kind", "results"), to: Double(usage.results))
        text.set(.disk, ("kind", "downloads"), to: Double(usage.downloads))
        text.set(.disk, ("kind", "database"), to: Double(usage.database))
        text.set(.diskFree, to: Double(usage.free))
        text.set(.buildInfo, ("version", Daed.version), to: 1)
        text.set(.startTime, to: Double(tools.metrics.began) / 1000)
        for (metric, value) in ProcessFigures.all { text.set(metric, to: value) }
        return text.text
    }
}

/// What the system says of this process.
private enum ProcessFigures {
    static var all: [(Metric, Double)] {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        let seconds = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
        let microseconds = usage.ru_utime.tv_usec + usage.ru_stime.tv_usec
        var all: [(Metric, Double)] = [(.processorTime, Double(seconds) + Double(microseconds) / 1_000_000)]
        let words = (try? TextFile.read("/proc/self/statm"))?.split(separator: " ") ?? []
        if words.count > 1, let pages = Double(words[1]) {
            all.append((.memory, pages * Double(sysconf(Int32(_SC_PAGESIZE)))))
        }
        return all
    }
}

/// Counts requests, by their route's pattern and not by their path, of which there are as many as strangers like.
struct MetricsMiddleware<Context: RequestContext>: RouterMiddleware {
    let metrics: ServiceMetrics

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let (metrics, start) = (metrics, AssetOperations.Instant.systemTime())
        var request = request
        request.body = RequestBody(
            asyncSequence: request.body.map { buffer in
                metrics.count(.received, by: Int64(buffer.readableBytes))
                return buffer
            })
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
