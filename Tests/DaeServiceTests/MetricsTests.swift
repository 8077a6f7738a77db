import Glibc
import TestSupport
import Testing

/// The figures that Prometheus takes: each line is read by the rules of its text format, version 0.0.4.
@Suite struct MetricsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A text as Prometheus reads it. What breaks a rule is kept in `faults`.
    struct Scrape {
        var samples: [String: Double] = [:]
        var kinds: [String: String] = [:]
        var faults: [String] = []

        init(_ text: String) {
            var (helped, closed, present): (Set<String>, Set<String>, String?) = ([], [], nil)
            if !text.hasSuffix("\n") { faults.append("no newline at the end") }
            for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
                let words = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
                if line.hasPrefix("# HELP ") {
                    if words.count != 4 || !helped.insert(words[2]).inserted { faults.append("HELP: \(line)") }
                    if let present { closed.insert(present) }
                    present = words.count > 2 ? words[2] : nil
                    if closed.contains(present ?? "") { faults.append("in two places: \(line)") }
                } else if line.hasPrefix("# TYPE ") {
                    guard words.count == 4, words[2] == present, kinds[words[2]] == nil,
                        ["counter", "gauge", "histogram"].contains(words[3])
                    else {
                        faults.append("TYPE: \(line)")
                        continue
                    }
                    kinds[words[2]] = words[3]
                    if words[3] == "counter", !words[2].hasSuffix("_total") { faults.append("no _total: \(line)") }
                } else {
                    sample(line, of: present ?? "")
                }
            }
        }

        private mutating func sample(_ line: Substring, of family: String) {
            guard let space = line.lastIndex(of: " "), let value = Double(line[line.index(after: space)...]) else {
                faults.append("no number: \(line)")
                return
            }
            let series = String(line[..<space])
            let name = String(series.prefix { $0 != "{" })
            let endings = kinds[family] == "histogram" ? ["_bucket", "_sum", "_count"] : [""]
            if !endings.contains(where: { name == family + $0 }) { faults.append("not of \(family): \(line)") }
            if name.wholeMatch(of: /[a-zA-Z_:][a-zA-Z0-9_:]*/) == nil { faults.append("name: \(line)") }
            if series != name,
                series.dropFirst(name.count).wholeMatch(
                    of:
                        /\{[a-zA-Z_][a-zA-Z0-9_]*="([^"\\\n]|\\["\\n])*"(,[a-zA-Z_][a-zA-Z0-9_]*="([^"\\\n]|\\["\\n])*")*\}/
                ) == nil
            {
                faults.append("labels: \(line)")
            }
            if samples.updateValue(value, forKey: series) != nil { faults.append("twice: \(line)") }
            if kinds[family] != "gauge", value < 0 { faults.append("below 0: \(line)") }
        }

        /// The buckets of one series, from the first to the last.
        func buckets(_ name: String, _ labels: String) -> [Double] {
            samples.compactMap { series, value -> (Double, Double)? in
                guard series.hasPrefix("\(name)_bucket{\(labels)"), let start = series.firstRange(of: "le=\"") else {
                    return nil
                }
                let bound = series[start.upperBound...].prefix { $0 != "\"" }
                return (bound == "+Inf" ? .infinity : Double(bound) ?? -1, value)
            }.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    @Test func everyLineIsOneThatPrometheusReads() throws {
        let service = try ServiceProcess(data: folder.path, ["--metrics-port", "0"])
        let client = service.client
        let id = try client.upload(Repository.fixture("bundles/walker.zip"), name: "walker.zip")
        _ = try client.outcome(of: id)
        let model = try client.get("/v1/assets/\(id)/model.glb").body
        let bad = try client.upload(Array("no model".utf8), name: "a\"\\.zip")
        let code = try #require(try client.outcome(of: bad)["code"]?.string)
        _ = try client.get("/nowhere")
        let answer = try #require(service.metrics).get("/metrics")
        #expect(answer.status == 200)
        #expect(answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
        let scrape = Scrape(answer.text)
        #expect(scrape.faults.isEmpty, "\(scrape.faults)")
        let samples = scrape.samples
        #expect(samples["daed_assets{state=\"ready\"}"] == 1)
        #expect(samples["daed_assets{state=\"failed\"}"] == 1)
        #expect(samples["daed_queue_length"] == 0)
        #expect(samples["daed_asset_failures_total{code=\"\(code)\"}"] == 1)
        #expect(samples["daed_worker_starts_total{task=\"read\"}"] == 2)
        #expect(samples["daed_worker_starts_total{task=\"model\"}"] == 1)
        #expect(
            samples["daed_http_requests_total{method=\"POST\",route=\"/v1/assets\",status=\"201\"}"] == 2, "\(samples)")
        #expect(samples["daed_http_requests_total{method=\"GET\",route=\"none\",status=\"404\"}"] == 1)
        #expect(samples["daed_http_sent_bytes_total"] ?? 0 > Double(model.count))
        #expect(samples["daed_http_received_bytes_total"] ?? 0 > 30_000)
        #expect(samples["daed_disk_bytes{kind=\"originals\"}"] ?? 0 > 30_000)
        #expect(samples["daed_disk_bytes{kind=\"downloads\"}"] != nil)
        #expect(samples["daed_disk_free_bytes"] ?? 0 > 0)
        for stage in ["download", "unzip", "model"] {
            let label = "stage=\"\(stage)\""
            let buckets = scrape.buckets("daed_stage_duration_seconds", label)
            #expect(buckets.count == 12)
            #expect(buckets == buckets.sorted())
            #expect(buckets.last == samples["daed_stage_duration_seconds_count{\(label)}"])
            #expect(buckets.last ?? 0 >= 1)
        }
        // Nothing of it is had where strangers ask.
        #expect(try client.get("/metrics").status == 404)
        #expect(try #require(service.metrics).get("/v1/assets").status == 404)
    }

    @Test func figuresOfARouteDoNotGrowWithItsPaths() throws {
        let service = try ServiceProcess(data: folder.path, ["--metrics-port", "0"])
        for number in 0..<20 { _ = try service.client.get("/v1/assets/none-\(number)") }
        let text = try #require(service.metrics).get("/metrics").text
        #expect(!text.contains("none-"))
        #expect(
            text.contains("daed_http_requests_total{method=\"GET\",route=\"/v1/assets/{id}\",status=\"404\"} 20.0\n"))
    }

    @Test func thereAreNoneUnlessAskedFor() throws {
        let service = try ServiceProcess(data: folder.path)
        #expect(service.metrics == nil)
    }
}
