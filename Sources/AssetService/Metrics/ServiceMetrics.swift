import Daedalus
import Synchronization

/// What is counted while the service runs. A class because all share it.
final class ServiceMetrics: Sendable {
    struct Values {
        var numbers: [MetricSeries: Double] = [:]
        var histograms: [MetricSeries: Histogram] = [:]
    }

    /// Milliseconds since 1970.
    let began = AssetOperations.Instant.systemTime()
    private let values = Mutex(Values())

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
            guard !lines.isEmpty else { continue }
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
