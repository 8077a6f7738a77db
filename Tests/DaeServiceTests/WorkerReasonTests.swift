import Glibc
import Testing

@testable import DaeService

/// How a process ended, as the failure of its job.
@Suite struct WorkerReasonTests {
    @Test(arguments: [
        (71 << 8, "workerOutOfMemory"), (0, "workerLost"), (75 << 8, "workerLost"),
        (SIGXCPU, "workerProcessorTimeExceeded"), (SIGXFSZ, "storageFull"), (SIGKILL, "workerKilled"),
        (SIGTERM, "workerKilled"),
        (SIGSEGV, "workerCrashed"), (SIGABRT | 0x80, "workerCrashed"), (SIGILL, "workerCrashed"),
    ])
    func aStatusHasItsCode(_ status: Int32, _ code: String) {
        #expect("\(WorkerEnd(status: status).code)" == code)
    }

    @Test func whatNeverBeganOrTookTooLongHasItsCode() {
        let limits = WorkerLimits(memory: 1 << 30, processorSeconds: 7, wallSeconds: 9)
        let lost = WorkerEnd.notStarted("no room")
        #expect("\(lost.code)" == "workerLost")
        #expect(lost.phrase(limits).contains("no room"))
        #expect("\(WorkerEnd.overdue.code)" == "workerTimeExceeded")
        #expect(WorkerEnd.overdue.phrase(limits).contains("longer than 9 s"))
    }
}

/// What no run of the service shows: labels that have to be escaped, and values at the edges of buckets.
@Suite struct MetricsTextTests {
    @Test func labelsAreEscaped() {
        let metrics = ServiceMetrics()
        metrics.count(.failures, ("code", "a\"b\\c\nd"), by: 3)
        let scrape = MetricsTests.Scrape(MetricsText(metrics.snapshot).text)
        #expect(scrape.faults.isEmpty)
        #expect(scrape.samples["daed_asset_failures_total{code=\"a\\\"b\\\\c\\nd\"}"] == 3)
    }

    @Test func aValueOnABoundIsInItsBucket() {
        let metrics = ServiceMetrics()
        for milliseconds: Int64 in [10, 11, 1_800_000, 1_800_001, -5] {
            metrics.observe(.queueWait, milliseconds: milliseconds)
        }
        let scrape = MetricsTests.Scrape(MetricsText(metrics.snapshot).text)
        #expect(scrape.faults.isEmpty)
        #expect(scrape.buckets("daed_queue_wait_seconds", "") == [2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 4, 5])
        #expect(scrape.samples["daed_queue_wait_seconds_count"] == 5)
    }

    @Test func noTwoMetricsShareAName() {
        #expect(Set(Metric.allCases.map(\.rawValue)).count == Metric.allCases.count)
        for metric in Metric.allCases { #expect(metric.help.hasSuffix(".")) }
    }
}
