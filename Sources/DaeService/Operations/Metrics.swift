import DaeCore
import Daedalus
import Hummingbird
import Synchronization

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
        let now = AssetOperations.Instant.systemTime()
        text.set(.queueAge, to: Double(max(0, now - (counts.oldest ?? now))) / 1000)
        text.set(.jobsRunning, to: Double(counts.running))
        text.set(.eventStreams, to: Double(tools.changes.streams))
        let webhooks = try await tools.webhooks.webhooks()
        for phase in [WebhookStatus.Phase.active, .parked] {
            text.set(.webhooks, ("state", phase.rawValue), to: Double(webhooks.count { $0.phase == phase }))
        }
        text.set(.webhooksWaiting, to: Double(webhooks.reduce(0) { $0 + $1.waiting }))
        let usage = try await tools.disk.usage()
        text.set(.disk, ("kind", "originals"), to: Double(usage.originals))
        text.set(.disk, ("kind", "results"), to: Double(usage.results))
        text.set(.disk, ("kind", "downloads"), to: Double(usage.downloads))
        text.set(.disk, ("kind", "database"), to: Double(usage.database))
        text.set(.diskFree, to: Double(usage.free))
        // Without a limit there is no series, and nothing to compare with.
        if tools.settings.disk.total > 0 { text.set(.diskLimit, to: Double(tools.settings.disk.total)) }
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
        let route = context.route(of: response.status)
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

/// What is counted while the service runs. A class because all share it.
final class ServiceMetrics: Sendable {
    struct Values {
        var numbers: [MetricSeries: Double] = [:]
        var histograms: [MetricSeries: Histogram] = [:]
    }

    /// Milliseconds since 1970.
    let began = AssetOperations.Instant.systemTime()
    private let values: Mutex<Values>

    init() {
        // A rate of what comes up for the first time would miss that one.
        var values = Values()
        for (metric, name, all) in Self.known {
            for value in all { values.numbers[MetricSeries(metric, [(name, value)])] = 0 }
        }
        for metric in [Metric.received, .sent, .downloaded, .evicted, .evictedBytes] {
            values.numbers[MetricSeries(metric)] = 0
        }
        self.values = Mutex(values)
    }

    private static let known: [(Metric, String, [String])] = [
        (.settled, "state", [AssetState.Kind.ready, .failed].map(\.rawValue)),
        (.rateLimited, "limit", ["rate", "requests", "streams", "quota"]),
        (.webhookDeliveries, "outcome", ["delivered", "failed"]),
    ]

    /// Whether something was found that was made before.
    func look(_ cache: Cache, isHit: Bool) {
        count(.lookups, ("cache", cache.rawValue), ("outcome", isHit ? "hit" : "miss"))
    }

    /// What is made once and kept.
    enum Cache: String {
        /// What was read of equal bytes.
        case contents
        /// Models, pictures, reports and files of bundles.
        case results
    }

    func count(_ metric: Metric, _ labels: (name: String, value: String)..., by amount: Int64 = 1) {
        let series = MetricSeries(metric, labels)
        values.withLock { $0.numbers[series, default: 0] += Double(amount) }
    }

    /// How long something took.
    func observe(_ metric: Metric, _ labels: (name: String, value: String)..., milliseconds: Int64) {
        let series = MetricSeries(metric, labels)
        values.withLock { $0.histograms[series, default: Histogram()].observe(Double(max(0, milliseconds)) / 1000) }
    }

    var snapshot: Values { values.withLock { $0 } }
}

/// How often values up to each bound came.
struct Histogram {
    /// Seconds.
    static let bounds: [Double] = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 1800]

    /// Of each bound alone, and of what lies beyond the last.
    private(set) var counts = [Int](repeating: 0, count: bounds.count + 1)
    private(set) var sum = 0.0

    mutating func observe(_ value: Double) {
        counts[Self.bounds.firstIndex { value <= $0 } ?? Self.bounds.count] += 1
        sum += value
    }
}

/// What one who measures now sees. The text format of Prometheus, version 0.0.4.
struct MetricsText {
    static let type = "text/plain; version=0.0.4; charset=utf-8"

    private(set) var values: ServiceMetrics.Values

    init(_ values: ServiceMetrics.Values) { self.values = values }

    mutating func set(_ metric: Metric, _ labels: (name: String, value: String)..., to value: Double) {
        values.numbers[MetricSeries(metric, labels)] = value
    }

    var text: String {
        var text = ""
        let numbers = Dictionary(grouping: values.numbers, by: \.key.metric)
        let histograms = Dictionary(grouping: values.histograms, by: \.key.metric)
        for metric in Metric.allCases {
            let lines: [String] =
                switch metric.kind {
                case .counter, .gauge:
                    (numbers[metric] ?? []).sorted { $0.key.labels < $1.key.labels }
                        .map { Self.line(metric.rawValue, $0.key.labels, $0.value) }
                case .histogram:
                    (histograms[metric] ?? []).sorted { $0.key.labels < $1.key.labels }
                        .flatMap { Self.lines($0.key, $0.value) }
                }
            text += "# HELP \(metric.rawValue) \(metric.help)\n# TYPE \(metric.rawValue) \(metric.kind.rawValue)\n"
            for line in lines { text += line }
        }
        return text
    }

    private static func lines(_ series: MetricSeries, _ histogram: Histogram) -> [String] {
        let name = series.metric.rawValue
        let bounds = Histogram.bounds.map { "\($0)" } + ["+Inf"]
        var lines: [String] = []
        var total = 0
        for (bound, count) in zip(bounds, histogram.counts) {
            total += count
            let labels = (series.labels.isEmpty ? "" : series.labels + ",") + "le=\"\(bound)\""
            lines.append(line(name + "_bucket", labels, Double(total)))
        }
        return lines + [
            line(name + "_sum", series.labels, histogram.sum), line(name + "_count", series.labels, Double(total)),
        ]
    }

    private static func line(_ name: String, _ labels: String, _ value: Double) -> String {
        "\(name)\(labels.isEmpty ? "" : "{\(labels)}") \(value)\n"
    }
}

// Names and units follow Prometheus's rules: base units, `_total` on what only grows.

/// What is measured, by its name in Prometheus's text.
enum Metric: String, CaseIterable {
    case assets = "daed_assets"
    case queueLength = "daed_queue_length"
    case queueAge = "daed_queue_oldest_age_seconds"
    case jobsRunning = "daed_jobs_running"
    case eventStreams = "daed_event_streams"
    case queueWait = "daed_queue_wait_seconds"
    case stageDuration = "daed_stage_duration_seconds"
    case settled = "daed_assets_settled_total"
    case failures = "daed_asset_failures_total"
    case workerStarts = "daed_worker_starts_total"
    case workerFailures = "daed_worker_failures_total"
    case lookups = "daed_cache_lookups_total"
    case requests = "daed_http_requests_total"
    case rateLimited = "daed_http_rate_limited_requests_total"
    case requestDuration = "daed_http_request_duration_seconds"
    case received = "daed_http_received_bytes_total"
    case sent = "daed_http_sent_bytes_total"
    case downloaded = "daed_downloaded_bytes_total"
    case disk = "daed_disk_bytes"
    case diskFree = "daed_disk_free_bytes"
    case diskLimit = "daed_disk_limit_bytes"
    case evicted = "daed_evicted_files_total"
    case evictedBytes = "daed_evicted_bytes_total"
    case webhookDeliveries = "daed_webhook_deliveries_total"
    case webhooks = "daed_webhooks"
    case webhooksWaiting = "daed_webhook_events_waiting"
    case buildInfo = "daed_build_info"
    case startTime = "process_start_time_seconds"
    case memory = "process_resident_memory_bytes"
    case processorTime = "process_cpu_seconds_total"

    enum Kind: String {
        case counter, gauge, histogram
    }

    var kind: Kind {
        switch self {
        case .settled, .failures, .workerStarts, .workerFailures, .lookups, .requests, .rateLimited, .received, .sent,
            .downloaded, .evicted, .evictedBytes, .processorTime, .webhookDeliveries:
            .counter
        case .assets, .queueLength, .queueAge, .jobsRunning, .eventStreams, .disk, .diskFree, .diskLimit, .buildInfo,
            .startTime, .memory, .webhooks, .webhooksWaiting:
            .gauge
        case .queueWait, .stageDuration, .requestDuration: .histogram
        }
    }

    var help: String {
        switch self {
        case .assets: "Assets by their state."
        case .queueLength: "Assets that wait for a worker."
        case .queueAge: "How long the asset has waited that waits for a worker longest; 0 where none does."
        case .jobsRunning: "Assets that a worker is at."
        case .eventStreams: "Open streams of events."
        case .queueWait: "From an asset's last change to a worker's first."
        case .stageDuration: "How long each stage of the work on an asset took."
        case .settled: "Assets that came to their end, by their state."
        case .failures: "Assets that failed, by code."
        case .workerStarts: "Worker processes that were started, by what for."
        case .workerFailures: "Worker processes that ended before their work did, by code."
        case .lookups: "How often what is made once was there already, or had to be made."
        case .requests: "Requests that were answered, by route and status."
        case .rateLimited: "Requests that were refused since their client had too many, by which limit."
        case .requestDuration: "From a request's head to the head of its answer."
        case .received: "Bytes of the bodies of requests."
        case .sent: "Bytes of the bodies of answers."
        case .downloaded: "Bytes of the files that links led to."
        case .disk: "Bytes that are kept, by what they are; those of results and downloads as of the last look."
        case .diskFree: "Bytes that are free on the disk where all is kept."
        case .diskLimit: "Bytes that may be kept, where there is a limit."
        case .evicted: "Results that were removed to make room."
        case .evictedBytes: "Bytes of the results that were removed to make room."
        case .webhookDeliveries: "Events that were sent to webhooks, by what came of it."
        case .webhooks: "Webhooks by their state; one that is parked is told of nothing."
        case .webhooksWaiting: "Events that wait for webhooks."
        case .buildInfo: "Which version this is."
        case .startTime: "When the process began, in seconds since 1970."
        case .memory: "Memory of the process that is in use."
        case .processorTime: "Processor time of the process, without its workers."
        }
    }
}

/// One line of what is measured: a metric and its labels, in the order in which they are written.
struct MetricSeries: Hashable {
    let metric: Metric
    let labels: String

    init(_ metric: Metric, _ labels: [(name: String, value: String)] = []) {
        self.metric = metric
        self.labels = labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",")
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case "\"": result += "\\\""
            case "\n": result += "\\n"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
