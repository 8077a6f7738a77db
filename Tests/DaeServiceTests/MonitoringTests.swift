import TestSupport
import Testing

@testable import DaeService

/// The dashboard and the alerts name what the service measures, and nothing else.
@Suite struct MonitoringTests {
    private let folder: TemporaryFolder
    private static let place = Repository.root + "/scripts/service/"
    private static let hasPromtool = ChildProcess.find("promtool") != nil

    init() throws { folder = try TemporaryFolder() }

    private func figures() throws -> String {
        let service = try ServiceProcess(data: folder.path, ["--metrics-port", "0", "--disk-limit", "1G"])
        let id = try service.client.upload(Repository.fixture("bundles/walker.zip"), name: "walker.zip")
        _ = try service.client.outcome(of: id)
        for _ in 0..<2 { #expect(try service.client.get("/v1/assets/\(id)/model.glb").status == 200) }
        _ = try service.client.upload(Repository.fixture("bundles/walker.zip"), name: "walker.zip")
        return try #require(service.metrics).get("/metrics").text
    }

    /// What an expression asks for: words of the two kinds of names that there are here.
    private func names(in text: String) -> Set<String> {
        Set(text.matches(of: /\b(?:daed|process)_[a-z_]+/).map { String($0.output) })
    }

    private func expressions(_ node: JSONNode) -> [String] {
        switch node {
        case .array(let elements): elements.flatMap(expressions)
        case .object(let members):
            members.flatMap { key, value in
                ["expr", "definition"].contains(key) ? [value.string ?? ""] : expressions(value)
            }
        case .null, .bool, .number, .string: []
        }
    }

    private func sources(_ node: JSONNode) -> [JSONNode] {
        switch node {
        case .array(let elements): elements.flatMap(sources)
        case .object(let members): members.flatMap { $0 == "datasource" ? [$1] : sources($1) }
        case .null, .bool, .number, .string: []
        }
    }

    @Test func whatTheDashboardAndTheAlertsAskForIsThere() throws {
        let text = try figures()
        // A histogram has its series by other names than its own.
        let kinds = text.matches(of: /# TYPE ([a-z_]+) ([a-z]+)\n/).map { (String($0.1), String($0.2)) }
        let served = Set(
            kinds.flatMap { name, kind in
                kind == "histogram" ? ["_bucket", "_sum", "_count"].map { name + $0 } : [name]
            })
        #expect(served.count > 25)
        let dashboard = try JSONNode(parsing: Repository.bytes(at: Self.place + "grafana-dashboard.json"))
        let asked = expressions(dashboard).map(names)
        #expect(asked.count > 25)
        // `up` is Prometheus' own.
        #expect(asked.reduce(Set()) { $0.union($1) }.subtracting(served).sorted() == [])
        let sources = sources(dashboard)
        #expect(sources.count > 50)
        #expect(sources.allSatisfy { $0["uid"] == "${datasource}" })
        let rules = String(decoding: try Repository.bytes(at: Self.place + "alerts.yml"), as: UTF8.self)
        #expect(names(in: rules).count > 10)
        #expect(names(in: rules).subtracting(served).sorted() == [])
        // Found the second time.
        for line in [
            "daed_cache_lookups_total{cache=\"contents\",outcome=\"hit\"} 1.0",
            "daed_cache_lookups_total{cache=\"contents\",outcome=\"miss\"} 1.0",
            "daed_cache_lookups_total{cache=\"results\",outcome=\"hit\"} 1.0",
            "daed_cache_lookups_total{cache=\"results\",outcome=\"miss\"} 1.0",
            "daed_assets_settled_total{state=\"failed\"} 0.0", "daed_queue_oldest_age_seconds 0.0",
            "daed_http_rate_limited_requests_total{limit=\"streams\"} 0.0", "daed_disk_limit_bytes 1073741824.0",
        ] {
            #expect(text.contains(line + "\n"), "\(line)")
        }
    }

    @Test func whatWaitsHasAnAge() throws {
        let gate = FaultGate()
        let server = try FaultServer(["/a.zip": FaultResource(try Repository.fixture("bundles/walker.zip"))])
        server.play([.stall(after: 100, until: gate)], at: "/a.zip")
        defer { gate.open() }
        let service = try ServiceProcess(
            data: folder.path, ["--metrics-port", "0", "--workers", "1", "--allow-addresses", "127.0.0.0/8"])
        _ = try service.client.add(url: server.url("/a.zip"))
        _ = try eventually("a worker") { service.workers.first }
        _ = try service.client.add(url: server.url("/b.zip"))
        let metrics = try #require(service.metrics)
        _ = try eventually("that it grows older") {
            let text = try metrics.get("/metrics").text
            let age = text.firstMatch(of: /\ndaed_queue_oldest_age_seconds ([0-9.]+)\n/).flatMap { Double($0.1) }
            return text.contains("\ndaed_queue_length 1.0\n") && (age ?? 0) > 1 ? true : nil
        }
    }

    /// Each alert has a part of the runbook that says what to do.
    @Test func everyAlertHasItsPlaceInTheRunbook() throws {
        let rules = String(decoding: try Repository.bytes(at: Self.place + "alerts.yml"), as: UTF8.self)
        let page = Repository.root + "/Sources/Daedalus/Daedalus.docc/Runbook.md"
        let runbook = String(decoding: try Repository.bytes(at: page), as: UTF8.self)
        let tests = String(decoding: try Repository.bytes(at: Self.place + "alerts.test.yml"), as: UTF8.self)
        let alerts = rules.matches(of: /- alert: ([A-Za-z]+)/).map { String($0.1) }
        #expect(alerts.count == 14)
        for alert in alerts {
            #expect(runbook.contains("`\(alert)`"), "\(alert)")
            #expect(tests.contains("alertname: \(alert)\n        exp_alerts"), "\(alert)")
        }
    }

    @Test(.enabled(if: hasPromtool, "promtool is not installed (Debian: prometheus)"))
    func prometheusTakesTheFiguresAndTheRules() throws {
        let file = try folder.write(try figures(), to: "figures")
        let check = try Program.run(
            ["-c", "exec \"$0\" check metrics <\"$1\"", try #require(ChildProcess.find("promtool")), file],
            program: "sh")
        #expect(check.code == 0, "\(check.text)\(check.errors)")
        #expect(check.errors.isEmpty, "\(check.errors)")
        for (verb, name) in [("check", "alerts.yml"), ("test", "alerts.test.yml")] {
            let run = try Program.run([verb, "rules", Self.place + name], program: "promtool")
            #expect(run.code == 0, "\(run.text)\(run.errors)")
        }
    }
}
