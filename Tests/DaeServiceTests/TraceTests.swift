import TestSupport
import Testing

@testable import DaeService

/// A request that belongs to a trace can be followed in the log, up to what its job did.
@Suite struct TraceTests {
    private let folder: TemporaryFolder
    private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    private static let parent = "00-\(trace)-00f067aa0ba902b7-01"

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: [
        (parent, true), ("00-\(trace)-00f067aa0ba902b7-00", true), ("01-\(trace)-00f067aa0ba902b7-03", true),
        ("01-\(trace)-00f067aa0ba902b7-01-more", true),
        ("00-\(trace)-00f067aa0ba902b7-01-more", false), ("ff-\(trace)-00f067aa0ba902b7-01", false),
        ("00-00000000000000000000000000000000-00f067aa0ba902b7-01", false),
        ("00-\(trace)-0000000000000000-01", false), ("00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01", false),
        ("00-\(trace)-00f067aa0ba902b7", false), ("00-\(trace)x-00f067aa0ba902b7-01", false), ("", false),
        ("00-\(trace)-00f067aa0ba902b7-0g", false), ("---", false), ("+0-\(trace)-00f067aa0ba902b7-01", false),
    ])
    func whatIsATraceIsDecidedByTheStandard(_ text: String, _ holds: Bool) {
        #expect((TraceContext(text) != nil) == holds)
    }

    @Test func theAnswerNamesTheTraceAndAPartOfItsOwn() throws {
        let service = try ServiceProcess(data: folder.path)
        let answer = try service.client.get("/v1/assets", headers: ["traceparent": Self.parent])
        let text = try #require(answer.headers["traceparent"])
        let own = try #require(TraceContext(text))
        #expect(own.trace == Self.trace)
        #expect(text.hasSuffix("-01"))
        #expect(!text.contains("00f067aa0ba902b7"))
        for wrong in ["00-\(Self.trace)-0000000000000000-01", "nonsense"] {
            #expect(try service.client.get("/v1/assets", headers: ["traceparent": wrong]).headers["traceparent"] == nil)
        }
        #expect(try service.client.get("/v1/assets").headers["traceparent"] == nil)
    }

    @Test func aDownloadIsFollowedFromItsRequestToItsEndAlsoByTheNextProcess() throws {
        let walker = try Repository.fixture("bundles/walker.zip")
        let gate = FaultGate()
        let server = try FaultServer(["/a.zip": FaultResource(walker)])
        server.play([.stall(after: 100, until: gate)], at: "/a.zip")
        defer { gate.open() }
        let options = ["--allow-addresses", "127.0.0.0/8", "--access-log", "on", "--stop-timeout", "1"]
        let first = try ServiceProcess(data: folder.path, options)
        let answer = try first.client.send(
            "POST", "/v1/assets", headers: ["Content-Type": "application/json", "traceparent": Self.parent],
            body: Array("{\"url\":\"\(server.url("/a.zip"))\"}".utf8))
        #expect(answer.status == 201)
        let id = try #require(answer.json?["id"]?.string)
        _ = try eventually("a worker") { first.workers.first }
        first.end()
        for message in ["request", "action", "taken"] {
            #expect(first.logged(message).first?["trace"]?.string == Self.trace, "\(message)")
        }
        gate.open()
        let next = try ServiceProcess(data: folder.path, options)
        _ = try next.client.outcome(of: id)
        for message in ["taken", "settled"] {
            let line = try eventually(message) { next.logged(message).first }
            #expect(line["trace"]?.string == Self.trace, "\(message)")
            #expect(line["asset"]?.string == id)
        }
        // Of another request it says nothing.
        #expect(next.logged("request").allSatisfy { $0["trace"] == nil })
    }
}
